"""A trained network as a signal of the hybrid: kept with the model, not trained again to read it."""

import numpy as np

from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.ranking.models import TrainedOn, load_model, save_model
from naturalproofs.ranking.neural.methods import Pairwise

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
