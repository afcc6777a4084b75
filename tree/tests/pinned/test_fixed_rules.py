"""What the fixed rules change on the real sources, one by one: `differences-from-the-paper.md` as a test."""

from collections import Counter

import pytest

from naturalproofs.sources.textbooks import STACKS_2021


@pytest.fixture
def stacks(real_corpus):
    return real_corpus("stacks", "paper"), real_corpus("stacks", "fixed")


def proof_lines(statement):
    return {proof.origin.line for proof in statement.proofs}


def test_stacks_has_the_same_statements(stacks):
    paper, fixed = stacks
    assert {s.id: s.kind for s in paper.statements} == {s.id: s.kind for s in fixed.statements}


def test_stacks_keeps_the_lost_references(stacks):
    _, fixed = stacks

    def lost(mentions):
        return [
            mention
            for mention in mentions
            if mention.reference
            and fixed.by_id[mention.reference].label == mention.target
            and STACKS_2021.not_statements.intersection(mention.target.split("-"))
        ]

    in_statements = [m for s in fixed.statements for m in lost(s.mentions)]
    in_first_proofs = [m for s in fixed.statements for p in s.proofs[:1] for m in lost(p.mentions)]
    in_other_proofs = [m for s in fixed.statements for p in s.proofs[1:] for m in lost(p.mentions)]
    assert (len(in_statements), len(in_first_proofs), len(in_other_proofs)) == (19, 223, 3)
    assert len({m.target for m in [*in_statements, *in_first_proofs, *in_other_proofs]}) == 73


def test_stacks_keeps_titles_tags_and_notes(stacks):
    paper, fixed = stacks
    assert sum(bool(s.title) for s in fixed.statements) == 319
    assert all(s.title == s.label for s in paper.statements)
    assert all(s.tag for s in fixed.statements)
    notes = Counter(note.kind for s in fixed.statements for note in s.notes)
    assert notes == {"slogan": 229, "reference": 238, "history": 3}


def test_stacks_keeps_second_proofs(stacks):
    _, fixed = stacks
    extra = [len(s.proofs) - 1 for s in fixed.statements if len(s.proofs) > 1]
    assert (len(extra), sum(extra)) == (43, 45)
    assert all(s.proofs for s in fixed.of_kind("theorem"))


def test_stacks_examples(stacks):
    paper, fixed = stacks
    before = {e.theorem for e in paper.examples}
    after = {e.theorem for e in fixed.examples}
    assert (len(after - before), len(before - after), len(fixed.examples)) == (21, 1, 10631)


def test_stacks_order_and_place(stacks):
    _, fixed = stacks
    first, last = fixed.statements[0], fixed.statements[-1]
    assert (first.label, str(first.origin)) == ("sets-lemma-axiom-regularity", "sets.tex:129")
    assert (first.place.chapter, first.place.section) == ("Set Theory", "The hierarchy of sets")
    assert last.origin.path == "obsolete.tex"
    assert [s.place.position for s in fixed.statements] == list(range(15134))
    lemma = fixed.find("algebra-lemma-one-equation")
    assert (lemma.place.chapter, lemma.tag, lemma.origin.line) == ("Commutative Algebra", "00KW", 14457)


def test_stacks_has_no_undefined_reference(real_corpus):
    reasons = Counter(unresolved.reason for unresolved in real_corpus("stacks", "fixed").unresolved)
    assert reasons["undefined"] == 0
    assert sum(reasons.values()) == 5007


@pytest.mark.parametrize(("name", "stolen"), [("trench", 21), ("stein", 9)])
def test_no_proof_is_stolen(real_corpus, name, stolen):
    """Theorems that the paper gave a proof standing elsewhere; where a proof's text starts may differ by a line."""
    paper = {s.origin.line: s for s in real_corpus(name, "paper").statements}
    fixed = {s.origin.line: s for s in real_corpus(name, "fixed").statements}
    changed = [
        line
        for line, statement in paper.items()
        if statement.proofs
        and line in fixed
        and not any(abs(a - b) <= 2 for a in proof_lines(statement) for b in proof_lines(fixed[line]))
    ]
    assert len(changed) == stolen


def test_stein_labels_are_its_own(real_corpus):
    paper = real_corpus("stein", "paper")
    fixed = real_corpus("stein", "fixed")
    assert sum(s.label == "body-None" for s in paper.statements) == 27
    assert len({s.label for s in fixed.statements}) == len(fixed.statements) == 99
    commented_out = {s.origin.line for s in paper.statements} - {s.origin.line for s in fixed.statements}
    assert len(commented_out) == 6


def test_stein_deferred_proof_is_found(real_corpus):
    fixed = real_corpus("stein", "fixed")
    assert [str(p.origin) for p in fixed.find("thm:fundamental").proofs] == ["body.tex:749"]


@pytest.mark.parametrize(("name", "proofs", "examples"), [("trench", 214, 161), ("stein", 61, 43)])
def test_textbook_counts(real_corpus, name, proofs, examples):
    corpus = real_corpus(name, "fixed")
    assert sum(len(s.proofs) for s in corpus.statements) == proofs
    assert len(corpus.examples) == examples
