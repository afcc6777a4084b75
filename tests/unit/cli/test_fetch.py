"""``fetch`` as people use it, with a mirror on this machine in place of the world."""

import gzip
import hashlib
import io
import re
import tarfile
import zipfile

import pytest
from click.testing import CliRunner

from naturalproofs import load_corpus
from naturalproofs.apps.cli.corpora import fetch as command
from naturalproofs.data import downloads
from naturalproofs.data.downloads import Catalogue, Published
from naturalproofs.errors import DownloadFailed, SourceNotFound, UnknownName
from naturalproofs.io import download
from support.web_site import Page, web_site

DATA = b'{"dataset": {"theorems": []}}' * 1000
MD5 = hashlib.md5(DATA).hexdigest()


def zipped():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("book-abc/body.tex", "text")
    return packed.getvalue()


@pytest.fixture
def site(monkeypatch):
    """The catalogue leads to a server on this machine."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with web_site() as running:
        common = {"version": "1", "licence": "CC0", "citation": "Nobody."}
        known = Published(
            "A file", "a.json", running.address("/a"), **common, next="build {path}", size=len(DATA), md5=MD5
        )
        fresh = Published("A dump", "b.gz", running.address("/b"), **common, next="build {path}")
        book = Published("A book", "c.zip", running.address("/c"), **common, next="build {path}", unpack="book")
        made = Catalogue({"known": known, "fresh": fresh, "book": book}, {"all": ("known", "fresh")})
        monkeypatch.setattr(downloads, "catalogue", lambda: made)
        running.pages |= {"/a": Page(DATA, etag='"1"'), "/b": Page(DATA), "/c": Page(zipped())}
        yield running


def fetch(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_the_file_comes_and_the_next_command_is_said(site, tmp_path):
    done = fetch("known", "--to", tmp_path / "my files")
    assert done.exit_code == 0
    assert (tmp_path / "my files" / "a.json").read_bytes() == DATA
    assert "29,000 bytes; licence: CC0" in done.output
    assert f"Next: build '{tmp_path}/my files/a.json'" in done.output
    assert "sha256" not in done.output
    assert len(site.asked) == 1


def test_a_file_that_is_there_is_checked_and_kept(site, tmp_path):
    (tmp_path / "a.json").write_bytes(DATA)
    done = fetch("known", "--to", tmp_path)
    assert done.exit_code == 0
    assert "already exists" in done.output
    (tmp_path / "a.json").write_bytes(DATA[:-1])
    failed = fetch("known", "--to", tmp_path)
    assert isinstance(failed.exception, DownloadFailed)
    assert "28,999 bytes instead of 29,000" in str(failed.exception)
    assert (tmp_path / "a.json").read_bytes() == DATA[:-1]
    assert site.asked == []


def test_an_unknown_hash_is_printed(site, tmp_path):
    done = fetch("fresh", "--to", tmp_path)
    assert f"md5 {MD5}, sha256 {hashlib.sha256(DATA).hexdigest()}" in done.output


def test_sets_and_several_names(site, tmp_path):
    assert fetch("all", "book", "--to", tmp_path).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "b.gz", "book", "c.zip"]


def test_when_it_cannot_be_had_a_person_is_told_what_to_do(site, tmp_path):
    site.pages.clear()
    failed = fetch("known", "--to", tmp_path / "data")
    assert isinstance(failed.exception, DownloadFailed)
    assert "HTTP 404" in str(failed.exception)
    assert f"get {site.address('/a')}\n" in failed.output
    assert f"save it as {tmp_path}/data/a.json (29,000 bytes, md5 {MD5})\n" in failed.output
    again = re.search(r"and run: naturalproofs fetch (.*)", failed.output)
    (tmp_path / "data" / "a.json").write_bytes(DATA)
    assert fetch(*again[1].split()).exit_code == 0


def test_a_second_run_resumes(site, tmp_path, monkeypatch):
    site.pages["/a"].cuts = [1000, 0]
    monkeypatch.setattr(download, "RETRIES", 0)
    assert isinstance(fetch("known", "--to", tmp_path).exception, DownloadFailed)
    assert not (tmp_path / "a.json").exists()
    assert fetch("known", "--to", tmp_path).exit_code == 0
    assert site.ranges()[-1] == "bytes=1000-"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_mirrors(site, tmp_path):
    site.pages["/mirror/a.json"] = Page(DATA)
    done = fetch("known", "--to", tmp_path, "--mirror", site.address("/none"), "--mirror", site.address("/mirror/"))
    assert done.exit_code == 0
    assert [path for path, _ in site.asked] == ["/none/a.json", "/mirror/a.json"]


def test_what_is_not_the_published_file_is_taken_only_if_asked(site, tmp_path):
    site.pages["/a"] = Page(b"another")
    assert isinstance(fetch("known", "--to", tmp_path).exception, DownloadFailed)
    assert list(tmp_path.iterdir()) == []
    done = fetch("known", "--to", tmp_path, "--no-check")
    assert done.exit_code == 0
    assert "differs from the file in the catalogue: 7 bytes instead of 29,000" in done.output
    assert hashlib.sha256(b"another").hexdigest() in done.output


def test_archives(site, tmp_path):
    kept = fetch("book", "--to", tmp_path, "--no-unpack")
    assert "Next" not in kept.output
    assert [path.name for path in tmp_path.iterdir()] == ["c.zip"]
    done = fetch("book", "--to", tmp_path)
    assert (tmp_path / "book" / "body.tex").read_text() == "text"
    assert f"Next: build {tmp_path / 'book'}\n" in done.output
    (tmp_path / "book" / "body.tex").write_text("my changes")
    assert "left unchanged" in fetch("book", "--to", tmp_path).output
    assert (tmp_path / "book" / "body.tex").read_text() == "my changes"


def test_the_list_asks_nobody(site):
    done = fetch("--list")
    assert done.exit_code == 0
    assert "known: A file (1; 29,000 bytes; CC0)" in done.output
    assert "all: known, fresh" in done.output
    assert site.asked == []


def test_names(site):
    assert isinstance(fetch("other").exception, UnknownName)
    assert fetch().exit_code == 2


def packed(**files):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"{name}.tex")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return made.getvalue()


PAPER = b"\\documentclass{article}\\begin{document}\\begin{lemma}L.\\end{lemma}\\end{document}"


@pytest.mark.parametrize("name", ["2101.00001", "arXiv:2101.00001v2", "math/0211159", "arxiv:math.AG/0211159"])
@pytest.mark.parametrize("data", [packed(main=PAPER, part=b""), gzip.compress(PAPER)], ids=["tar", "one file"])
def test_the_source_of_a_paper_comes_from_arxiv(site, tmp_path, monkeypatch, name, data):
    monkeypatch.setattr(downloads, "ARXIV_URL", site.address("/e-print/{key}"))
    key = name.lower().removeprefix("arxiv:").replace("math.ag", "math.AG")
    site.pages[f"/e-print/{key}"] = Page(data)
    done = fetch(name, "--to", tmp_path)
    folder = tmp_path / f"arxiv-{key.replace('/', '-')}"
    assert f"Next: naturalproofs check {folder}" in done.output
    assert [s.form for s in load_corpus(folder).statements] == ["lemma"]


def test_a_paper_without_a_source_is_refused(site, tmp_path, monkeypatch):
    monkeypatch.setattr(downloads, "ARXIV_URL", site.address("/e-print/{key}"))
    site.pages["/e-print/2101.00002"] = Page(b"%PDF-1.5 ...")
    failed = fetch("2101.00002", "--to", tmp_path)
    assert isinstance(failed.exception, SourceNotFound)
    assert "a PDF file, in which statements cannot be found" in str(failed.exception)
