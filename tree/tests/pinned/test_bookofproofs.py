"""A real MediaWiki export against its truth file: kinds, every proof's references in order, categories, redirects."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from naturalproofs.records import Draft, Mention, Statement
from naturalproofs.sources.wiki.source import read_proofwiki


@pytest.fixture(scope="module")
def draft(real_source: Callable[[str], Path]) -> Draft:
    return read_proofwiki(real_source("bookofproofs-wiki.xml.xz"), name="bop")


@pytest.fixture(scope="module")
def truth(real_source: Callable[[str], Path]):
    return json.loads(real_source("bookofproofs-wiki.truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def statements(draft: Draft) -> dict[str, Statement]:
    return {statement.title: statement for statement in draft.statements}


def resolved(draft: Draft, mentions: Iterable[Mention]) -> list[str]:
    """The titles of citations of pages that exist."""
    return [mention.target for mention in mentions if mention.target in draft.anchors]


def table(rows: Iterable[tuple[str, object, object]]) -> str:
    """The rows whose ours and theirs differ."""
    return "\n".join(f"{title} | ours {ours} | truth {theirs}" for title, ours, theirs in rows if ours != theirs)


def test_every_page_is_of_its_kind_and_no_other_page_is_a_statement(truth, statements):
    kinds = {"theorems": "theorem", "definitions": "definition", "axioms": "other", "others": "other"}
    expected = {page["title"]: kind for name, kind in kinds.items() for page in truth[name]}
    assert {title: statement.kind for title, statement in statements.items()} == expected
    assert {title for title, s in statements.items() if s.form == "axiom"} == {a["title"] for a in truth["axioms"]}
    counts = [len(truth[name]) for name in kinds]
    assert counts == [899, 625, 29, 1464]


def test_every_proof_stands_where_it_does_and_cites_what_it_does(truth, draft, statements):
    def rows():
        for theorem in truth["theorems"]:
            ours = [(p.origin.path, resolved(draft, p.mentions)) for p in statements[theorem["title"]].proofs]
            yield theorem["title"], ours, [(p["page"], p["refs"]) for p in theorem["proofs"]]

    assert table(rows()) == ""
    proofs = [proof for statement in statements.values() for proof in statement.proofs]
    assert len(proofs) == 763
    assert sum(len(resolved(draft, proof.mentions)) for proof in proofs) == 5172


def test_statements_cite_what_they_do(truth, draft, statements):
    rows = (
        (t["title"], resolved(draft, statements[t["title"]].mentions), t["statement_refs"]) for t in truth["theorems"]
    )
    assert table(rows) == ""


def test_proofs_that_are_wanted(truth, statements):
    ours = {t for t, s in statements.items() if not s.proofs and any(n.kind == "proof wanted" for n in s.notes)}
    assert ours == {theorem["title"] for theorem in truth["theorems"] if theorem["proof_wanted"]}


@pytest.mark.parametrize("field", ["categories", "toplevel_categories", "recursive_categories"])
def test_categories(truth, statements, field):
    names = ["theorems"] if field != "categories" else ["theorems", "definitions", "axioms", "others"]
    pages = [page for name in names for page in truth[name]]
    assert table((p["title"], list(getattr(statements[p["title"]], field)), p[field]) for p in pages) == ""


def test_redirects_lead_where_they_end(truth, draft):
    ends = {title: entry["final"] for title, entry in truth["redirects"].items() if not title.startswith("Template:")}
    assert len(ends) == 1127
    owners = {p["title"]: p["of"] for p in truth["proof_pages"]}
    wrong = table((title, draft.anchors[title].owner, f"bop:{owners.get(end, end)}") for title, end in ends.items())
    assert wrong == ""


def test_no_theorem_is_empty_and_no_markup_is_left(statements):
    empty = [title for title, s in statements.items() if s.kind == "theorem" and not s.lines]
    # This one holds a request for its statement and nothing else.
    assert empty == ["Criteria for Convergent Sequences"]
    text = [line for s in statements.values() for line in (*s.lines, *(x for p in s.proofs for x in p.lines))]
    assert [line for line in text if "{{qed" in line or "onlyinclude" in line or "[[Definition:" in line] == []


def test_paper_rules_keep_the_notebooks_habits(real_source):
    draft = read_proofwiki(real_source("bookofproofs-wiki.xml.xz"), rules="paper")
    kinds = [statement.kind for statement in draft.statements]
    assert [kinds.count(kind) for kind in ("theorem", "definition", "other")] == [926, 625, 87]
    assert any("{{:" in line for s in draft.statements for line in s.lines)
