"""The fusion in plain arrays gives what the fusion of the registered methods gives."""

import numpy as np
import pytest

from naturalproofs.ranking.registry import FUSION, FUSION_RECENCY, parse_ranker
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet
from naturalproofs.tasks.passages import passages
from naturalproofs.workspace.lexical.forward import cut
from naturalproofs.workspace.lexical.scorer import Lexical
from naturalproofs.workspace.lexical.settings import PLACED, PLAIN, lexical_settings

OTHER = "fusion(parts=('bm25(k1=0.9, b=0.4)', 'neighbours(k=20, power=2.0)', 'tfidf'), weights=(0.3, 1.0, 0.7))"


@pytest.fixture(scope="module")
def data(primer):
    shown = passages(primer.statements, place=True)
    by_id = {passage.id: passage for passage in shown}
    examples = tuple(TrainingExample(by_id[e.theorem], e.references) for e in primer.examples)
    return tuple(shown), examples


@pytest.mark.parametrize("method", [FUSION, FUSION_RECENCY, OTHER])
def test_scores_are_those_of_the_fusion(data, method):
    shown, examples = data
    ranker = parse_ranker(method)
    settings = lexical_settings(ranker)
    assert settings is not None
    expected = ranker.fit(TrainSet(shown, examples), seed=0).index(shown).score(shown[::7])
    scorer = Lexical.of(settings, shown, examples, cut(shown))
    np.testing.assert_allclose(scorer.score(shown[::7]), expected, atol=2e-6)


def test_known_settings_are_found_without_a_search():
    assert lexical_settings(parse_ranker(FUSION)) == PLAIN
    assert lexical_settings(parse_ranker(FUSION_RECENCY)) == PLACED


@pytest.mark.parametrize(
    "method", ["bm25", "fusion(by='ranks')", "fusion(parts=('tfidf', 'frequency'), weights=(1.0, 1.0))"]
)
def test_other_methods_are_left_to_themselves(method):
    assert lexical_settings(parse_ranker(method)) is None


def test_texts_that_are_known_are_not_cut_again(data):
    shown, _ = data
    old = cut(shown[:200])
    same = {position: position for position in range(200)}
    again = cut(shown, old, same)
    anew = cut(shown)
    for text in (0, 57, 199, 200, len(shown) - 1):
        names = [list(f.vocabulary) for f in (again, anew)]
        bags = [
            {names[i][t]: c for t, c in zip(*(a.tolist() for a in f.of(text)), strict=True)}
            for i, f in enumerate((again, anew))
        ]
        assert bags[0] == bags[1]


def test_a_corpus_without_proofs_and_a_query_without_known_words(data):
    shown, _ = data
    scorer = Lexical.of(PLAIN, shown, (), cut(shown))
    assert scorer.score([Passage("", "theorem", "", "xyzzy plugh")]).tolist() == [[0.0] * len(shown)]
    assert scorer.score([]).shape == (0, len(shown))


def test_shared_words_are_telling(data, primer):
    shown, examples = data
    scorer = Lexical.of(PLAIN, shown, examples, cut(shown))
    query = Passage("", "theorem", "", r"The order of a subgroup divides the order of a group $G$; it is the index.")
    words = scorer.shared(query, scorer.positions[primer.find("thm:lagrange").id])
    assert {"subgroup", "order"} <= set(words)
    assert "group" not in words
    assert "g" not in words
