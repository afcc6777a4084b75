import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.sources.wiki import dump
from naturalproofs.sources.wiki.dump import Page, Site, read_dump
from support.mediawiki_dumps import dump_xml, page_xml

PAGES = {"A": "text of A", "Definition:B": "ä & <b>", "C": "#REDIRECT [[A]]"}


def write(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def read(path: Path) -> tuple[Site, list[Page]]:
    site, pages = read_dump(path)
    return site, list(pages)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_every_packing_gives_the_same_pages(tmp_path, pack):
    site, pages = read(write(tmp_path / "dump", pack(dump_xml(PAGES).encode())))
    assert [(p.title, p.namespace, p.text, p.redirect) for p in pages] == [
        ("A", 0, "text of A", None),
        ("Definition:B", 102, "ä & <b>", None),
        ("C", 0, "#REDIRECT [[A]]", "A"),
    ]
    assert (site.name, site.version, site.main_page) == ("Test Wiki", "0.11", "Main_Page")
    assert next(space.name for space in site.namespaces if space.key == 102) == "Definition"


def test_parts_packed_one_after_another_are_one_dump(tmp_path):
    data = dump_xml(PAGES).encode()
    packed = gzip.compress(data[:700]) + gzip.compress(data[700:])
    assert len(read(write(tmp_path / "dump.gz", packed))[1]) == 3


def test_old_exports_have_no_namespaces_and_only_mark_redirects(tmp_path):
    old = """<mediawiki version="0.3"><page><title>Definition:A</title><redirect />
      <revision><text>#REDIRECT [[B]]</text></revision></page></mediawiki>"""
    _, (page,) = read(write(tmp_path / "old.xml", old))
    assert (page.namespace, page.redirect, page.text) == (None, "", "#REDIRECT [[B]]")


def test_newest_revision_counts_whatever_the_order(tmp_path):
    revisions = "".join(
        f"<revision><timestamp>{year}-01-01T00:00:00Z</timestamp><text>{year}</text></revision>"
        for year in (2011, 2020, 2015)
    )
    text = f"<mediawiki><page><title>A</title>{revisions}</page></mediawiki>"
    assert read(write(tmp_path / "a.xml", text))[1][0].text == "2020"


def test_other_slots_of_a_revision_are_not_the_text(tmp_path):
    slot = "<content><role>data</role><model>json</model><text>{}</text></content>"
    revision = f"<revision><model>wikitext</model><text>main</text>{slot}</revision>"
    _, (page,) = read(write(tmp_path / "a.xml", f"<mediawiki><page><title>A</title>{revision}</page></mediawiki>"))
    assert (page.text, page.model) == ("main", "wikitext")


def test_elements_may_carry_a_prefix(tmp_path):
    page = "<m:page><m:title>A</m:title><m:revision><m:text>a</m:text></m:revision></m:page>"
    text = f"<m:mediawiki xmlns:m='x'>{page}</m:mediawiki>"
    assert read(write(tmp_path / "a.xml", text))[1][0].text == "a"


def test_everything_is_all_character_data_with_indentation_folded(tmp_path):
    path = write(tmp_path / "a.xml", dump_xml({"A": "== T ==\nx"}))
    _, (page,) = read_dump(path, everything=True)
    assert page.everything == (
        "\nA\n0\n7\n\n9\n2020-11-12T00:00:00Z\nA3\na comment\nwikitext\ntext/x-wiki\n== T ==\nx\nk9c3sha1\n\n"
    )


def test_progress_counts_the_bytes_of_the_file(tmp_path):
    path = write(tmp_path / "dump.gz", gzip.compress(dump_xml(PAGES).encode()))
    seen: list[tuple[int, int]] = []
    list(read_dump(path, progress=lambda done, total: seen.append((done, total)))[1])
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)


def bomb() -> str:
    entities = '<!ENTITY a "ha">' + "".join(f'<!ENTITY a{i} "{"&a;" * 10}">' for i in range(9))
    return f"<!DOCTYPE mediawiki [{entities}]><mediawiki><page><title>&a8;</title></page></mediawiki>"


BAD = {
    "empty": ("", "ends too early"),
    "entity bomb": (bomb(), "document type declaration"),
    "other XML": ("<html><body/></html>", "starts with <html>"),
    "no XML": ("Dear reader", "not well-formed"),
    "cut short": (dump_xml(PAGES)[:-40], "ends too early"),
    "bad byte": (dump_xml(PAGES).encode().replace(b"text of A", b"\xff\xfe"), "not well-formed"),
    "deep": ("<mediawiki>" + "<x>" * 100, "more than 32 deep"),
    "zip": (b"PK\x03\x04rest", "is a zip file"),
    "cut gzip": (gzip.compress(dump_xml(PAGES).encode())[:-30], "cut short"),
    "damaged xz": (lzma.compress(dump_xml(PAGES).encode())[:-60] + b"\x00" * 60, "damaged|cut short"),
    "damaged gzip": (gzip.compress(dump_xml(PAGES).encode())[:40] + b"\xff" * 99, "damaged"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_sound_export_is_refused_in_one_line(tmp_path, name):
    data, message = BAD[name]
    path = write(tmp_path / "dump", data)
    with pytest.raises(BadSchema, match=message) as caught:
        list(read_dump(path)[1])
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_error_names_line_and_page(tmp_path):
    path = write(tmp_path / "dump.xml", dump_xml(PAGES).replace("text of A", "text & more"))
    with pytest.raises(BadSchema, match=r"line \d+, column \d+: .*in page 'A'"):
        list(read_dump(path)[1])


def test_huge_page_is_refused_without_being_held(tmp_path, monkeypatch):
    monkeypatch.setattr(dump, "MAX_TEXT", 1000)
    path = write(tmp_path / "dump.xml", dump_xml({"Small": "x" * 900, "Huge": "x" * 1100}))
    with pytest.raises(BadSchema, match=r"a <text> of over 1,000 characters in page 'Huge'"):
        list(read_dump(path)[1])


def test_huge_tag_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(dump, "MAX_PENDING", 1 << 10)
    path = write(tmp_path / "dump.xml", "<mediawiki><page a='" + "x" * (1 << 20))
    with pytest.raises(BadSchema, match="a single tag"):
        list(read_dump(path)[1])


def test_missing_file(tmp_path):
    with pytest.raises(SourceNotFound, match="cannot be read"):
        list(read_dump(tmp_path / "none.xml")[1])


PAGE = page_xml("A", "text of A")
HEAD = '<mediawiki version="0.11"><siteinfo><sitename>W</sitename></siteinfo>\n'
FORMS = {
    "schema 0.10": (PAGE.replace('<text xml:space="preserve">', '<text xml:space="preserve" bytes="9">'), "text of A"),
    "no text": (PAGE.replace(">text of A</text>", " />"), ""),
    "hidden author": (PAGE.replace("<username>A</username><id>3</id>", ""), "text of A"),
    "entity": (PAGE.replace("text of A", "text&#x20;of A"), "text of A"),
    "character data": (PAGE.replace("text of A", "<![CDATA[<page>]]>"), "<page>"),
    "carriage return": (PAGE.replace("text of A", "text\r\nof A"), "text\nof A"),
    "attribute": (PAGE.replace("<title>", "<title a='b'>"), "text of A"),
    "comment": (PAGE.replace("<ns>", "<!-- </page> --><ns>"), "text of A"),
    "greater-than sign": (PAGE.replace("text of A", "a > b"), "a > b"),
}
MALFORMED = {
    "end of character data": PAGE.replace("text of A", "a ]]> b"),
    "control": PAGE.replace("text of A", "a \x01 b"),
    "unknown entity": PAGE.replace("a comment", "a &nbsp; comment"),
    "forbidden character": PAGE.replace("text of A", "a \uffff b"),
    "bare ampersand": PAGE.replace("text of A", "a & b"),
}


@pytest.mark.parametrize("size", [1 << 18, 1000, 61, 7])
def test_pages_do_not_depend_on_the_size_of_chunks(tmp_path, monkeypatch, size):
    path = write(tmp_path / "a.xml", dump_xml(PAGES))
    expected = read(path)
    monkeypatch.setattr(dump, "CHUNK", size)
    assert read(path) == expected


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_a_page(tmp_path, name):
    page, text = FORMS[name]
    _, pages = read(write(tmp_path / "a.xml", HEAD + PAGE + page + page_xml("Z", "last") + "</mediawiki>"))
    assert [(p.title, p.text) for p in pages] == [("A", "text of A"), ("A", text), ("Z", "last")]


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_pages_are_refused_with_their_line(tmp_path, name):
    with pytest.raises(BadSchema, match=r"line \d+, column \d+: is not well-formed XML"):
        read(write(tmp_path / "a.xml", HEAD + PAGE + MALFORMED[name] + "</mediawiki>"))


def test_pages_in_a_comment_are_not_pages(tmp_path):
    text = HEAD + PAGE + f"<!-- </page> {PAGE} -->" + page_xml("Z", "z") + "</mediawiki>"
    assert [page.title for page in read(write(tmp_path / "a.xml", text))[1]] == ["A", "Z"]


def test_other_encodings_are_read(tmp_path):
    data = ('<?xml version="1.0" encoding="iso-8859-1"?>' + dump_xml({"A": "ä"})).encode("latin-1")
    assert [page.text for page in read(write(tmp_path / "latin.xml", data))[1]] == ["ä"]
