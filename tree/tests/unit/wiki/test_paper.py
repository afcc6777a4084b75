import tracemalloc

from naturalproofs.records import Mention, Proof, Statement
from naturalproofs.sources.wiki.dump import Page
from naturalproofs.sources.wiki.paper import PaperReader, duplicates
from naturalproofs.sources.wiki.source import read_proofwiki
from support.mediawiki_dumps import write_dump

PAGES = {
    "Foo/Proof 1": "== Proof ==\nBy [[Bar|bars]], [[Lost]] and [[Category:Foos]].",
    "Foo": "== Theorem ==\nFoo, see [[Definition:Bar]].\n\n=== Corollary ===\nMore.\n\n== Proof ==\nBy [[Remark]].\n"
    "[[Category:Foos]]",
    "Twin": "== Theorem ==\nSaid otherwise.\n== Proof ==\nBy [[Remark]].\n[[Category:Foos]]",
    "Wanted": "== Theorem ==\nOpen.\n== Proof ==\n{{ProofWanted}}\n== Notes ==\n",
    "Bar": "#REDIRECT [[Definition:Bar]]",
    "Definition:Bar": "== Definition ==\nA bar.",
    "Remark": "Said in passing.",
    "Never cited": "Nobody reads this.",
    "Category:Foos": "[[Category:Proofs by Topic]]",
    "User:Somebody": "== Theorem ==\nNo page.",
}


def read(folder, pages: dict[str, str]) -> dict[str, Statement]:
    draft = read_proofwiki(write_dump(folder / "dump.xml", pages), rules="paper", name="wiki")
    assert draft.anchors.keys() == {statement.title for statement in draft.statements}
    assert all(draft.anchors[statement.title].owner == statement.id for statement in draft.statements)
    return {str(statement.title): statement for statement in draft.statements}


def test_statements_by_kind_in_the_order_of_the_dump(tmp_path):
    found = read(tmp_path, PAGES)
    assert [(title, statement.kind) for title, statement in found.items()] == [
        ("Foo", "theorem"),
        ("Twin", "theorem"),
        ("Wanted", "theorem"),
        ("Definition:Bar", "definition"),
        ("Remark", "other"),
    ]
    foo = found["Foo"]
    assert (foo.id, foo.lines) == ("wiki:Foo", ("Foo, see [[Definition:Bar]].",))
    assert (foo.origin.path, foo.origin.line) == ("Foo", 1)
    assert (foo.categories, foo.toplevel_categories) == (("Foos",), ("Foos",))
    assert foo.notes[0].lines == (PAGES["Foo"],)
    assert "Said in passing." in "\n".join(found["Remark"].lines)
    assert found["Wanted"].proofs == ()


def test_proofs_come_from_sub_pages_and_cite_what_is_known(tmp_path):
    cited = [[mention.target for mention in proof.mentions] for proof in read(tmp_path, PAGES)["Foo"].proofs]
    assert cited == [["Definition:Bar"], ["Remark"]]


def test_theorem_whose_title_stands_in_the_sub_pages_title_owns_its_proof_too(tmp_path):
    found = read(tmp_path, {**PAGES, "oo": "== Theorem ==\nShort."})
    assert [proof.origin.path for proof in found["oo"].proofs] == ["Foo/Proof 1"]


def test_copies_carry_a_note(tmp_path):
    pages = {title: PAGES["Twin"].replace("Said", title) for title in ("B", "A")}
    found = read(tmp_path, {**PAGES, **pages})
    notes = {title: [n.lines for n in s.notes if n.kind == "duplicate"] for title, s in found.items()}
    # What follows the last section is the same on all pages of this dump, so equal proofs stay equal.
    assert {title: lines for title, lines in notes.items() if lines} == {
        "B": [("A",)],
        "Foo": [("A",)],
        "Twin": [("A",)],
    }


def test_later_page_of_a_title_is_read_in_the_first_ones_turn():
    texts = [("A", "== Theorem ==\nOld."), ("B", "== Theorem ==\nB."), ("A\u200e", "== Theorem ==\nNew.")]
    reader = PaperReader([Page(title, 0, text, everything=text) for title, text in texts], "wiki")
    assert [(s.title, s.lines) for s in reader.statements()] == [("A", ("New.",)), ("B", ("B.",))]


def test_texts_do_not_stay_in_memory():
    def pages():
        for number in range(100):
            text = f"== Theorem ==\n{number} is a number.\n== Proof ==\nBy [[P{number - 1}]].\n" + "words " * 10_000
            yield Page(f"P{number}", 0, text, everything=text)

    tracemalloc.start()
    try:
        reader = PaperReader(pages(), "wiki")
        count = sum(1 for _ in reader.statements())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 100
    assert peak < 3_000_000  # of 6 MB in a hundred pages, twice


def theorem(title: str, text: str, *proofs: str, cites: bool = True) -> Statement:
    mentions = (Mention("X", "x", 1),) if cites else ()
    return Statement(
        title, "theorem", title, title, (text,) if text else (), proofs=tuple(Proof((p,), mentions) for p in proofs)
    )


def test_same_proof_then_same_statement():
    found = duplicates(
        [
            theorem("C", "s1", "p1"),
            theorem("A", "s2", "p0", "p1"),
            theorem("B", "s3", "p3"),
            theorem("D", "s3", "p4"),
            theorem("E", "s1", "p5"),
        ]
    )
    assert found == {"C": "A", "D": "B"}


def test_only_examples_can_repeat():
    assert duplicates([theorem("A", "s", "p"), theorem("B", "s", "p", cites=False), theorem("C", "", "p")]) == {}
