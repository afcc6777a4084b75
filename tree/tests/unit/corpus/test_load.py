from dataclasses import replace

from naturalproofs.corpus.corpus import statement_links
from naturalproofs.corpus.load import build
from naturalproofs.io.memory import DiskList
from naturalproofs.records import Note, Statement
from naturalproofs.sources.registry import source
from support.mediawiki_dumps import write_dump

PAGES = {
    "Foo": "== Theorem ==\nFoo, [[bar|b]].\n== Proof ==\nBy [[Bar]] and [[Bar]] and [[None]].",
    "Bar": "#REDIRECT [[Definition:Bar]]",
    "Definition:Bar": "== Definition ==\nBar, see [[Foo]].",
}


def test_links_are_the_references_of_each_statement(primer):
    for statement, links in zip(primer.statements, primer.links, strict=True):
        assert (links.id, links.kind, links.references) == (statement.id, statement.kind, statement.references)
        assert links.proofs == tuple(proof.references for proof in statement.proofs)
        assert links.position == (statement.place and statement.place.position)
    marked = replace(primer.statements[0], notes=(Note("duplicate", ("another",)),))
    assert [links.repeats for links in statement_links([marked, primer.statements[1]])] == [True, False]


def test_lean_building_leaves_statements_on_disk_and_changes_nothing(tmp_path):
    path = write_dump(tmp_path / "dump.xml", PAGES)
    lean, full = (build(source("proofwiki"), path, name="wiki", low_memory=lean) for lean in (True, False))
    assert isinstance(lean.statements, DiskList)
    assert isinstance(full.statements, tuple)
    assert all(isinstance(statement, Statement) for statement in lean.statements)
    assert lean.statements == full.statements
    assert lean.links == full.links
    assert (lean.unresolved, lean.diagnostics) == (full.unresolved, full.diagnostics)
    first, second = lean.links[0].proofs[0]
    assert first is second is lean.links[1].id
    assert full.anchors["Bar"].owner == "wiki:Definition:Bar"
    assert "None" not in full.anchors
