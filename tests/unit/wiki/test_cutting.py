"""Whatever is cut out without the XML parser is what the parser would have read, and nothing unsound is cut out."""

from pathlib import Path

import pytest

from naturalproofs.errors import BadSchema
from naturalproofs.wiki import compressed, cutting, handlers
from naturalproofs.wiki.contents import Page, Site
from naturalproofs.wiki.dump import read_dump
from support.mediawiki_dumps import dump_xml, page_xml

PAGES = {
    "A": "text of A",
    "Definition:B": "ä & <b> \"'\U0001d538",
    "C": "#REDIRECT [[A & B's]]",
    "D": "",
    "E": "=\n" * 9,
}
USUAL = page_xml("A", "text of A")
BEFORE = '<mediawiki version="0.11"><siteinfo><sitename>W</sitename></siteinfo>\n'

FORMS = {
    "schema 0.10": USUAL.replace('<text xml:space="preserve">', '<text xml:space="preserve" bytes="9">'),
    "schema 0.11": USUAL.replace("<text ", '<text bytes="9" sha1="k9c3" '),
    "no text": USUAL.replace(">text of A</text>", " />"),
    "by an address": USUAL.replace("<username>A</username><id>3</id>", "<ip>127.0.0.1</ip>"),
    "hidden author": USUAL.replace(
        "<contributor><username>A</username><id>3</id></contributor>", '<contributor deleted="deleted" />'
    ),
    "minor": USUAL.replace("<comment>", "<minor />\n      <comment>"),
    "apostrophe in a redirect": USUAL.replace("<revision>", '<redirect title="B&#039;s" />\n    <revision>'),
}
STRANGE = {
    "two revisions": USUAL.replace("</revision>", "</revision><revision><text>older</text></revision>"),
    "other entity": USUAL.replace("text of A", "text&#x20;of A"),
    "character data": USUAL.replace("text of A", "<![CDATA[<page>]]>"),
    "carriage return": USUAL.replace("text of A", "text\r\nof A"),
    "attribute": USUAL.replace("<title>", "<title a='b'>"),
    "comment": USUAL.replace("<ns>", "<!-- </page> --><ns>"),
    "open sign": USUAL.replace("text of A", "a > b"),
}
UNSOUND = {
    "end of character data": USUAL.replace("text of A", "a ]]> b"),
    "control": USUAL.replace("text of A", "a \x01 b"),
    "unknown entity": USUAL.replace("a comment", "a &nbsp; comment"),
    "forbidden character": USUAL.replace("text of A", "a \uffff b"),
    "bare ampersand": USUAL.replace("text of A", "a & b"),
}


def read(path: Path, text: str) -> list[Site | Page]:
    path.write_bytes(text.encode())
    return list(read_dump(path))


def parsed(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> list[Site | Page]:
    with monkeypatch.context() as patch:
        patch.setattr(cutting, "may_cut", lambda _: False)
        return read(path, text)


@pytest.mark.parametrize("size", [1 << 18, 1000, 61, 7])
def test_both_ways_give_the_same(tmp_path, monkeypatch, size):
    monkeypatch.setattr(compressed, "CHUNK", size)
    text = dump_xml(PAGES)
    monkeypatch.setattr(cutting, "MAX_LENGTH", 900)
    assert read(tmp_path / "a.xml", text) == parsed(tmp_path / "a.xml", text, monkeypatch)


@pytest.mark.parametrize("name", FORMS)
def test_usual_forms_are_cut_out(tmp_path, monkeypatch, name):
    text = BEFORE + FORMS[name] + "</mediawiki>"
    found = cutting.cut(text.encode(), len(BEFORE))
    assert found is not None
    assert found[0] == parsed(tmp_path / "a.xml", text, monkeypatch)[1] == read(tmp_path / "a.xml", text)[1]


@pytest.mark.parametrize("name", STRANGE)
def test_other_forms_are_left_to_the_parser_between_usual_ones(tmp_path, monkeypatch, name):
    text = BEFORE + USUAL + STRANGE[name] + page_xml("Z", "last") + "</mediawiki>"
    pages = read(tmp_path / "a.xml", text)
    assert pages == parsed(tmp_path / "a.xml", text, monkeypatch)
    assert [page.title for page in pages if isinstance(page, Page)] == ["A", "A", "Z"]


@pytest.mark.parametrize("name", UNSOUND)
def test_unsound_pages_are_refused_with_their_line(tmp_path, monkeypatch, name):
    text = BEFORE + USUAL + UNSOUND[name] + "</mediawiki>"
    messages = []
    for reader in (lambda: read(tmp_path / "a.xml", text), lambda: parsed(tmp_path / "a.xml", text, monkeypatch)):
        with pytest.raises(BadSchema, match="not well-formed") as caught:
            reader()
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_pages_in_a_comment_or_in_other_elements_are_no_pages(tmp_path, monkeypatch):
    hidden = f"<!-- </page> {USUAL} --><x>{USUAL}</x></page ><!-- </page>{USUAL}-->"
    text = BEFORE + USUAL + "<page><title>H</title>" + hidden + page_xml("Z", "z") + "</mediawiki>"
    assert read(tmp_path / "a.xml", text) == parsed(tmp_path / "a.xml", text, monkeypatch)


def test_other_encodings_and_too_long_texts_are_left_to_the_parser(tmp_path, monkeypatch):
    latin = tmp_path / "latin.xml"
    latin.write_bytes(('<?xml version="1.0" encoding="iso-8859-1"?>' + dump_xml({"A": "ä"})).encode("latin-1"))
    assert [page.text for page in read_dump(latin) if isinstance(page, Page)] == ["ä"]
    monkeypatch.setattr(handlers, "MAX_TEXT", 5)
    assert cutting.cut(USUAL.encode(), 0) is None
