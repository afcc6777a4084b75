import gc
import gzip
import hashlib

import pytest

from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.sources.wiki.source import read_proofwiki
from support.mediawiki_dumps import dump_xml, write_dump

PAGES = {
    "Foo": "== Theorem ==\nFoo, [[bar|b]].\n== Proof ==\n{{:Foo/Proof}}",
    "Foo/Proof": "== Proof ==\nBy [[Bar]].",
    "Bar": "#REDIRECT [[Definition:Bar]]",
    "Definition:Bar": "== Definition ==\nBar.",
}


def test_draft_carries_ids_anchors_inputs_and_wikitext(tmp_path):
    path = write_dump(tmp_path / "dump.xml", PAGES)
    draft = read_proofwiki(path, name="wiki")
    foo, bar = draft.statements
    assert (foo.id, bar.id) == ("wiki:Foo", "wiki:Definition:Bar")
    assert (foo.label, foo.title, bar.title) == ("Foo", "Foo", "Definition:Bar")
    assert {title: anchor.owner for title, anchor in draft.anchors.items()} == {
        "Foo": foo.id,
        "Definition:Bar": bar.id,
        "Foo/Proof": foo.id,
        "Bar": bar.id,
    }
    notes = {note.kind: note.lines for note in foo.notes}
    assert "\n".join(notes["wikitext"]) == PAGES["Foo"]
    assert "\n".join(notes["proof page"]) == "Foo/Proof\n" + PAGES["Foo/Proof"]
    (source,) = draft.inputs
    assert (source.path, source.bytes) == ("dump.xml", path.stat().st_size)
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("rules", ["fixed", "paper"])
def test_packed_dump_gives_the_same_and_reports_progress(tmp_path, rules):
    plain = read_proofwiki(write_dump(tmp_path / "dump.xml", PAGES), rules=rules)
    packed = tmp_path / "dump.xml.gz"
    packed.write_bytes(gzip.compress(dump_xml(PAGES).encode()))
    seen: list[tuple[int, int]] = []
    draft = read_proofwiki(packed, rules=rules, progress=lambda done, total: seen.append((done, total)))
    assert draft.statements == plain.statements
    assert seen[-1][0] == seen[-1][1] == packed.stat().st_size


def test_folder_and_damage_are_refused_and_the_collector_runs_on(tmp_path):
    with pytest.raises(SourceNotFound, match="is a folder"):
        read_proofwiki(tmp_path)
    bad = tmp_path / "dump.xml"
    bad.write_text(dump_xml(PAGES)[:-200])
    with pytest.raises(BadSchema, match="ends too early"):
        read_proofwiki(bad)
    assert gc.isenabled()


def test_pages_that_multiply_each_other_are_cut(tmp_path):
    pages = {f"P{i}": "== Theorem ==\n" + f"{{{{:P{i + 1}}}}} " * 10 for i in range(15)}
    pages["P15"] = "== Theorem ==\n" + "x" * 1000
    draft = read_proofwiki(write_dump(tmp_path / "dump.xml", pages))
    assert "transclusion-limit" in {diagnostic.rule for diagnostic in draft.diagnostics}
    assert sum(len(line) for s in draft.statements for line in s.lines) < 100_000_000


def test_deeply_nested_templates_are_read(tmp_path):
    pages = {"A": "== Theorem ==\nx " + "{{a|" * 3000 + "}}" * 3000 + " y"}
    (statement,) = read_proofwiki(write_dump(tmp_path / "dump.xml", pages)).statements
    assert statement.lines == ("x  y",)
