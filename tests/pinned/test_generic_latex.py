"""The real sources read as any LaTeX project is read, held against what their own profiles find."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.sources.latex.project.project import LATEX

TRENCH_SETTINGS = """
[proof_commands]
proof = "bbox"

[headings]
chaptertitle = 0
newsection = { level = 1, argument = 3 }
part = false
"""


def statements(corpus: Corpus) -> dict[str, tuple[str, str]]:
    return {str(s.origin): (s.id, s.kind) for s in corpus.statements}


def proofs(corpus: Corpus) -> dict[str, str]:
    return {str(p.origin): str(s.origin) for s in corpus.statements for p in s.proofs}


def references(corpus: Corpus) -> Counter[tuple[str, int, str]]:
    """Who cites whom on which line."""
    return Counter(
        (s.id, mention.line, mention.reference)
        for s in corpus.statements
        for mentions in (s.mentions, *(p.mentions for p in s.proofs))
        for mention in mentions
        if mention.reference
    )


def shares(profile: Corpus, generic: Corpus) -> tuple[float, float, float]:
    """Which shares of the profile's statements, proofs and references the generic source finds, each in its place."""
    known, found = statements(profile), statements(generic)
    proved, attached = proofs(profile), proofs(generic)
    cited = references(profile)
    lost = cited - references(generic)
    return (
        sum(found.get(origin) == one for origin, one in known.items()) / len(known),
        sum(attached.get(origin) == owner for origin, owner in proved.items()) / len(proved),
        1 - lost.total() / cited.total(),
    )


@pytest.fixture(scope="module")
def stacks(real_source) -> Corpus:
    return build(LATEX, real_source("stacks"), name="stacks")


def test_stacks(stacks, real_corpus):
    assert min(shares(real_corpus("stacks", "fixed"), stacks)) >= 0.995


def test_stacks_exactly(stacks, real_corpus):
    profile = real_corpus("stacks", "fixed")
    stated, proved, cited = shares(profile, stacks)
    assert (stated, cited) == (1.0, 1.0)
    # One proof stands in a section of its own, long after the last theorem, which has a proof: it proves a list.
    assert round((1 - proved) * len(proofs(profile))) == 1
    kinds = Counter(s.kind for s in stacks.statements)
    assert kinds == {"theorem": 12479, "definition": 1687, "other": 1882}
    # One citation is to a section of a document without statements, which is not read.
    assert stacks.resolution.unresolved["external"] == 1
    assert stacks.resolution.unresolved.keys() == {"bibliography", "section", "self", "equation", "item", "external"}
    assert [(one.rule, one.path) for one in stacks.diagnostics] == [("proof-without-statement", "trace.tex")]


def test_stacks_reads_in_the_order_of_its_list_of_documents(stacks):
    files = list(dict.fromkeys(s.origin.path for s in stacks.statements))
    assert files[:5] == ["sets.tex", "categories.tex", "topology.tex", "sheaves.tex", "sites.tex"]
    assert files[-1] == "obsolete.tex"
    lemma = stacks.find("algebra-lemma-one-equation")
    assert (lemma.place.chapter, lemma.number, lemma.form) == ("Commutative Algebra", "60.12", "lemma")


def test_stein(real_source, real_corpus):
    generic = build(LATEX, real_source("stein"), name="stein")
    of_statements, of_proofs, of_references = shares(real_corpus("stein", "fixed"), generic)
    assert (of_statements, of_proofs, of_references) == (1.0, 1.0, 1.0)


def test_trench_with_a_project_file(real_source, real_corpus, tmp_path: Path):
    shutil.copy(real_source("trench") / "TRENCH_REAL_ANALYSIS.tex", tmp_path)
    (tmp_path / "naturalproofs.toml").write_text(TRENCH_SETTINGS)
    generic = build(LATEX, tmp_path, name="trench")
    assert shares(real_corpus("trench", "fixed"), generic) == (1.0, 1.0, 1.0)


def test_trench_without_one_has_no_ends_of_proofs_but_all_statements(real_source, real_corpus):
    generic = build(LATEX, real_source("trench"), name="trench")
    profile = real_corpus("trench", "fixed")
    assert statements(profile).items() <= statements(generic).items()


def test_the_primer_is_unchanged_by_numbers(primer: Corpus):
    kinds = Counter(s.kind for s in primer.statements)
    assert kinds == {"theorem": 429, "definition": 136, "other": 41}
    assert sum(len(s.proofs) for s in primer.statements) == 443
    assert all(s.number for s in primer.statements)
