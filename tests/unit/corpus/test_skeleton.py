from dataclasses import replace

from naturalproofs.corpus.build import build
from naturalproofs.corpus.skeleton import skeletons
from naturalproofs.io.spool import Spooled
from naturalproofs.records import Note, Statement
from naturalproofs.source import source
from support.mediawiki_dumps import write_dump

PAGES = {
    "Foo": "== Theorem ==\nFoo, [[bar|b]].\n== Proof ==\nBy [[Bar]] and [[Bar]] and [[None]].",
    "Bar": "#REDIRECT [[Definition:Bar]]",
    "Definition:Bar": "== Definition ==\nBar, see [[Foo]].",
}


def test_skeletons_hold_what_statements_refer_to(primer):
    for statement, skeleton in zip(primer.statements, primer.skeletons, strict=True):
        assert (skeleton.id, skeleton.kind, skeleton.references) == (statement.id, statement.kind, statement.references)
        assert skeleton.proofs == tuple(proof.references for proof in statement.proofs)
        assert skeleton.position == (statement.place and statement.place.position)
    marked = replace(primer.statements[0], notes=(Note("duplicate", ("another",)),))
    assert [skeleton.repeats for skeleton in skeletons([marked, primer.statements[1]])] == [True, False]


def test_lean_building_leaves_statements_on_disk_and_changes_nothing(tmp_path):
    path = write_dump(tmp_path / "dump.xml", PAGES)
    lean, full = (build(source("proofwiki"), path, name="wiki", lean=lean) for lean in (True, False))
    assert isinstance(lean.corpus.statements, Spooled)
    assert isinstance(full.corpus.statements, tuple)
    assert all(isinstance(statement, Statement) for statement in lean.corpus.statements)
    assert lean.corpus.statements == full.corpus.statements
    assert lean.corpus.skeletons == full.corpus.skeletons
    assert (lean.unresolved, lean.diagnostics) == (full.unresolved, full.diagnostics)
    first, second = lean.corpus.skeletons[0].proofs[0]
    assert first is second is lean.corpus.skeletons[1].id
    assert full.anchors["Bar"].owner == "wiki:Definition:Bar"
    assert "None" not in full.anchors
