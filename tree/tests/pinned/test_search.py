"""Search over the real Stacks project."""

import zlib
from dataclasses import replace

import pytest

from naturalproofs.workspace.search import SearchIndex, search


@pytest.fixture(scope="module")
def corpus(real_corpus):
    return real_corpus("stacks", "fixed")


@pytest.fixture(scope="module")
def index(corpus):
    """Without slogans, which are asked for."""
    return SearchIndex.build(replace(corpus, statements=tuple(replace(s, notes=()) for s in corpus.statements)))


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("001P", "categories-lemma-yoneda"),
        ("lemma-graph-closed", "topology-lemma-graph-closed"),
        ("yoneda lemma", "categories-lemma-yoneda"),
        ("hilbert nullstelensatz", "algebra-theorem-nullstellensatz"),
        ("Noetherian ring is coherent", "algebra-lemma-Noetherian-coherent"),
        ("kunneth formula over a field", "varieties-lemma-kunneth"),
    ],
)
def test_what_everybody_looks_for(index, query, label):
    assert label in [hit.statement.label for hit in search([index], query, k=5).items]


def test_slogans_find_their_statements(corpus, index):
    slogans = [
        (s.id, " ".join(line for note in s.notes if note.kind == "slogan" for line in note.lines))
        for s in corpus.statements
    ]
    asked = [(key, text) for key, text in slogans if text and zlib.crc32(key.encode()) % 2]
    found = [key in [hit.id for hit in search([index], text, k=10).items] for key, text in asked]
    assert len(found) == 118
    assert sum(found) >= 79, f"{sum(found)} of 118 are among the first ten"
