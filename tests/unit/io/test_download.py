"""Downloads from servers that cut, lie, fail and redirect: the file is right, or there is none under its name."""

import hashlib
import socket
from urllib.request import Request

import pytest

from naturalproofs.errors import DownloadFailed, OutputInTheWay
from naturalproofs.io import download as downloading
from naturalproofs.io.download import NOTHING_KNOWN, Contents, TransferError, _Redirects, contents, download
from support.web_site import Page, web_site

DATA = bytes(range(256)) * 1000
SIZE = len(DATA)
MD5 = hashlib.md5(DATA).hexdigest()
SHA256 = hashlib.sha256(DATA).hexdigest()
WHOLE = Contents(SIZE, MD5, SHA256)
HASH_ONLY = Contents(md5=MD5)


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def site():
    with web_site() as running:
        yield running


@pytest.fixture
def fetch(site, tmp_path, monkeypatch):
    """Fetch a page of the site without ever really waiting; gives the path and the seconds that were asked for."""
    target = tmp_path / "downloads" / "file"
    waits = []

    def call(expected=NOTHING_KNOWN, *, path="/file", urls=None, **settings):
        for name, value in ({"TIMEOUT": 5, "RETRIES": 2} | settings).items():
            monkeypatch.setattr(downloading, name, value)
        return download(urls or [site.address(path)], target, expected, sleep=waits.append)

    call.target, call.waits, call.site = target, waits, site
    return call


def left(fetch):
    return sorted(path.name for path in fetch.target.parent.iterdir())


def test_a_good_server(fetch, site):
    site.pages["/file"] = Page(DATA)
    seen = []
    found = download([site.address("/file")], fetch.target, WHOLE, progress=lambda *at: seen.append(at))
    assert (found.size, found.md5, found.sha256) == (SIZE, MD5, SHA256)
    assert fetch.target.read_bytes() == DATA
    assert seen[-1] == (SIZE, SIZE)
    assert seen == sorted(seen)
    assert left(fetch) == ["file"]


@pytest.mark.parametrize("expected", [WHOLE, HASH_ONLY, Contents()], ids=["all known", "hash known", "nothing known"])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_cut_connection_is_taken_up_again(fetch, site, expected, chunked):
    site.pages["/file"] = Page(DATA, etag='"one"', cuts=[100_000, 50_000, 0], chunked=chunked)
    fetch(expected)
    assert fetch.target.read_bytes() == DATA
    assert left(fetch) == ["file"]
    starts = site.ranges()
    assert starts[0] is None
    assert len(starts) == 4
    assert starts[-1] == "bytes=150000-"
    assert all(headers["If-Range"] == '"one"' for _, headers in site.asked[1:])


def test_a_second_run_resumes(fetch, site):
    site.pages["/file"] = Page(DATA, etag='"one"', cuts=[100_000, 0])
    with pytest.raises(DownloadFailed, match="closed after 100,000 of 256,000 bytes"):
        fetch(RETRIES=0)
    assert left(fetch) == ["file.part", "file.part.json"]
    fetch()
    assert fetch.target.read_bytes() == DATA
    assert site.ranges() == [None, "bytes=100000-", "bytes=100000-"]


def test_an_interrupt_keeps_what_has_come(fetch, site):
    def stop(done, _total):
        if done > 60_000:
            raise KeyboardInterrupt

    site.pages["/file"] = Page(DATA, modified="Mon, 01 Jan 2024 00:00:00 GMT")
    with pytest.raises(KeyboardInterrupt):
        download([site.address("/file")], fetch.target, progress=stop)
    assert not fetch.target.exists()
    fetch()
    assert fetch.target.read_bytes() == DATA
    assert site.ranges()[1] is not None


def test_a_server_that_ignores_ranges(fetch, site):
    site.pages["/file"] = Page(DATA, etag='"one"', ranges=False, cuts=[100_000])
    fetch()
    assert fetch.target.read_bytes() == DATA
    assert site.ranges() == [None, "bytes=100000-"]


def test_a_server_that_sends_another_range(fetch, site):
    site.pages["/file"] = Page(DATA, etag='"one"', range_start=7, cuts=[100_000])
    fetch(WHOLE)
    assert fetch.target.read_bytes() == DATA


def test_a_file_that_changed_in_between_is_not_pieced_together(fetch, site):
    site.pages["/file"] = Page(b"old" * 100_000, etag='"old"', cuts=[100_000, 0])
    with pytest.raises(DownloadFailed):
        fetch(RETRIES=0)
    site.pages["/file"] = Page(DATA, etag='"new"')
    fetch()
    assert fetch.target.read_bytes() == DATA


@pytest.mark.parametrize("etag", ["", 'W/"weak"'])
def test_without_a_sign_of_the_version_it_starts_over(fetch, site, etag):
    site.pages["/file"] = Page(DATA, etag=etag, cuts=[100_000])
    fetch()
    assert fetch.target.read_bytes() == DATA
    assert site.ranges() == [None, None]


def test_pieces_of_two_versions_are_found_by_the_hash_and_fetched_anew(fetch, site):
    site.pages["/file"] = Page(b"old" * 100_000, cuts=[100_000, 0])
    with pytest.raises(DownloadFailed):
        fetch(HASH_ONLY, RETRIES=0)
    site.pages["/file"] = Page(DATA)
    fetch(HASH_ONLY)
    assert fetch.target.read_bytes() == DATA
    assert site.ranges() == [None, "bytes=100000-", "bytes=100000-", None]


def test_a_part_from_another_address_is_used_only_under_a_hash(fetch, site):
    site.pages["/file"] = Page(DATA, etag='"one"', cuts=[100_000, 0])
    site.pages["/copy"] = Page(DATA, etag='"one"')
    with pytest.raises(DownloadFailed):
        fetch(WHOLE, RETRIES=0)
    fetch(WHOLE, path="/copy")
    path, headers = site.asked[-1]
    assert (path, headers["Range"], headers.get("If-Range")) == ("/copy", "bytes=100000-", None)


@pytest.mark.parametrize("expected", [Contents(md5="0" * 32), Contents(sha256="0" * 64), Contents(SIZE, "0" * 32)])
def test_a_wrong_checksum(fetch, site, expected):
    site.pages["/file"] = Page(DATA)
    with pytest.raises(DownloadFailed, match="not the file that was published"):
        fetch(expected)
    assert left(fetch) == []
    assert len(site.asked) == 1


@pytest.mark.parametrize("etag", ["", '"one"'])
def test_a_length_that_is_too_long(fetch, site, etag):
    site.pages["/file"] = Page(DATA, etag=etag, length=SIZE + 10)
    with pytest.raises(DownloadFailed, match=r"closed after 256,000 of 256,010|rest of the file"):
        fetch()
    assert not fetch.target.exists()


@pytest.mark.parametrize("length", [SIZE - 10, SIZE + 10])
def test_a_length_that_was_not_promised(fetch, site, length):
    site.pages["/file"] = Page(DATA, length=length)
    with pytest.raises(DownloadFailed, match=f"the server has {length:,} bytes"):
        fetch(WHOLE)
    assert left(fetch) == []


def test_a_length_that_is_too_short_for_the_hash(fetch, site):
    site.pages["/file"] = Page(DATA, length=SIZE - 10)
    with pytest.raises(DownloadFailed, match="md5"):
        fetch(HASH_ONLY)
    assert left(fetch) == []


def test_more_than_was_promised(fetch, site):
    site.pages["/file"] = Page(DATA * 2, chunked=True)
    with pytest.raises(DownloadFailed, match="sends more than"):
        fetch(WHOLE)
    assert not fetch.target.exists()


@pytest.mark.parametrize(("status", "requests"), [(404, 1), (403, 1), (500, 3), (503, 3), (429, 3)])
def test_refusals(fetch, site, status, requests):
    site.pages["/file"] = Page(DATA, failures=[status] * 9)
    with pytest.raises(DownloadFailed, match=f"HTTP {status}"):
        fetch()
    assert len(site.asked) == requests
    assert left(fetch) == []


def test_failures_that_pass(fetch, site):
    site.pages["/file"] = Page(DATA, failures=[500, 503], headers={"Retry-After": "7"})
    fetch()
    assert fetch.target.read_bytes() == DATA
    assert fetch.waits == [7.0, 7.0]


def test_waits_grow(fetch, site):
    site.pages["/file"] = Page(DATA, failures=[500, 500, 500])
    fetch(RETRIES=3, PAUSE=0.5)
    assert fetch.waits == [0.5, 1.0, 2.0]


def test_redirects(fetch, site):
    site.pages["/file"] = Page(location="/elsewhere")
    site.pages["/elsewhere"] = Page(DATA, etag='"one"', cuts=[100_000])
    fetch()
    assert fetch.target.read_bytes() == DATA
    assert [(path, headers.get("Range")) for path, headers in site.asked][-1] == ("/elsewhere", "bytes=100000-")


@pytest.mark.parametrize("location", ["/file", "file:///etc/passwd", "ftp://127.0.0.1/file"])
def test_redirects_that_lead_nowhere(fetch, site, location):
    site.pages["/file"] = Page(location=location)
    with pytest.raises(DownloadFailed) as caught:
        fetch()
    assert "\n" not in str(caught.value)
    assert left(fetch) == []


def test_no_redirect_from_https_to_http():
    with pytest.raises(TransferError, match="https"):
        _Redirects().redirect_request(Request("https://a.example/x"), None, 302, "Found", {}, "http://a.example/x")


def test_a_part_that_is_longer_than_the_file(fetch, site):
    site.pages["/file"] = Page(DATA, etag='"one"')
    fetch.target.parent.mkdir()
    part = fetch.target.with_name("file.part")
    part.write_bytes(DATA + b"more")
    fetch(HASH_ONLY)
    assert site.ranges() == ["bytes=256004-", None]
    assert fetch.target.read_bytes() == DATA
    fetch.target.unlink()
    part.write_bytes(DATA + b"more")
    fetch(WHOLE)
    assert site.ranges()[2:] == [None]


@pytest.mark.parametrize(("held", "requests"), [(DATA, 0), (DATA[::-1], 1)], ids=["right", "wrong"])
def test_a_part_that_is_complete(fetch, site, held, requests):
    site.pages["/file"] = Page(DATA)
    fetch.target.parent.mkdir()
    fetch.target.with_name("file.part").write_bytes(held)
    fetch(WHOLE)
    assert fetch.target.read_bytes() == DATA
    assert len(site.asked) == requests


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b"\xff", b'{"url": 3}'])
def test_a_damaged_note(fetch, site, note):
    site.pages["/file"] = Page(DATA, etag='"one"')
    fetch.target.parent.mkdir()
    fetch.target.with_name("file.part").write_bytes(DATA[:100])
    fetch.target.with_name("file.part.json").write_bytes(note)
    fetch()
    assert fetch.target.read_bytes() == DATA
    assert left(fetch) == ["file"]


def test_mirrors_come_first_and_are_checked(fetch, site):
    site.pages["/bad"] = Page(b"something else")
    site.pages["/file"] = Page(DATA)
    urls = [site.address(path) for path in ("/missing", "/bad", "/file")]
    fetch(HASH_ONLY, urls=urls)
    assert fetch.target.read_bytes() == DATA
    assert [path for path, _ in site.asked] == ["/missing", "/bad", "/file"]


def test_when_nobody_has_it_everybody_is_named(fetch, site):
    with pytest.raises(DownloadFailed, match=r"/one: HTTP 404 .*/two: HTTP 404"):
        fetch(urls=[site.address("/one"), site.address("/two")])


def test_a_server_that_says_nothing(fetch, site):
    site.pages["/file"] = Page(silent=True)
    with pytest.raises(DownloadFailed, match="no answer in time"):
        fetch(TIMEOUT=0.05, RETRIES=0)


def test_nobody_listens(fetch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/file"
        with pytest.raises(DownloadFailed, match="refused"):
            fetch(urls=[url])
    assert len(fetch.waits) == 2


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "nonsense", "http://a b/"])
def test_addresses_that_are_not_of_the_web(fetch, url):
    with pytest.raises(DownloadFailed):
        fetch(urls=[url])
    assert fetch.waits == []


def test_a_file_that_is_there_is_not_touched(fetch, site):
    site.pages["/file"] = Page(DATA)
    fetch.target.parent.mkdir()
    fetch.target.write_text("precious")
    with pytest.raises(OutputInTheWay):
        fetch()
    assert fetch.target.read_text() == "precious"
    assert site.asked == []


def test_a_place_that_cannot_be_written(site, tmp_path):
    site.pages["/file"] = Page(DATA)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputInTheWay, match="cannot be written"):
        download([site.address("/file")], tmp_path / "file" / "x")


def test_proxies(fetch, site, monkeypatch):
    site.pages["/file"] = Page(DATA)
    monkeypatch.setenv("http_proxy", site.url)
    fetch(urls=["http://elsewhere.invalid/file"])
    assert site.asked[-1][0] == "http://elsewhere.invalid/file"
    assert fetch.target.read_bytes() == DATA


def test_contents(tmp_path):
    (tmp_path / "x").write_bytes(DATA)
    found = contents(tmp_path / "x")
    assert WHOLE.mismatch(found) == ""
    assert Contents(1).mismatch(found) == "256,000 bytes instead of 1"
