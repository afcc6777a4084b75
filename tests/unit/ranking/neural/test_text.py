"""From a passage to text, tokens and lexical features."""

import pytest

from naturalproofs.ranking.neural.encoder import (
    LEXICAL,
    build_vocabulary,
    lexical_features,
    lexical_terms,
    paper,
    prose,
    wordpiece_tokeniser,
)
from naturalproofs.records import Passage

LEMMA = Passage(
    "x:1", "theorem", "lemma-flat_base",
    "Let $f : X \\to \\mathop{\\mathrm{Spec}}(A)$ be \\emph{flat}.\n\\label{a} Then $H^i(X, \\mathcal{F})$ is finite,"
    " see [[Finite Group|finite groups]] and \\ref{b}.\n\\begin{enumerate}\n\\item $M \\otimes N$\n\\end{enumerate}",
)  # fmt: skip


def test_markup_is_removed():
    assert prose(LEMMA) == "flat base. Spec flat. finite, see finite groups . otimes"


def test_the_papers_text_is_title_separator_contents():
    text = paper(LEMMA)
    assert text.startswith("lemma-flat_base[SEP]Let $f : X")
    assert "see finite groups and \\ref{b}. \\begin" in text


def test_a_small_vocabulary_reads_everything():
    texts = ["every group is a group", "a ring"]
    vocabulary = build_vocabulary(texts, 90)
    assert vocabulary[:4] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    assert "group" in vocabulary
    assert build_vocabulary(texts, 90) == vocabulary
    tokens = wordpiece_tokeniser(texts, 90).encode("a group ring q").tokens
    assert tokens == ["[CLS]", "a", "group", "ring", "q", "[SEP]"]


def test_lexical_features_are_near_for_shared_words(few):
    def rows(passages, asked):
        space = lexical_features(passages, 8, seed=0)
        return space.vectors({LEXICAL: lexical_terms(asked)})

    found = rows(few.passages, [few.passages[0], few.passages[0], few.passages[5]])
    assert found.shape == (3, 8)
    assert found[0] @ found[1] == pytest.approx(1, abs=1e-5)
    assert found[0] @ found[2] < 0.99
    assert not rows((), few.passages).any()
    assert rows(few.passages[:2], few.passages).shape == (len(few.passages), 8)
