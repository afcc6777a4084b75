"""LightGBM's trees through its C interface, beside its Python package."""

import lightgbm
import numpy as np
import pytest

from naturalproofs.errors import NotAModel
from naturalproofs.ranking.hybrid.native import Trees, _library, loads, whole


@pytest.fixture(scope="module")
def text():
    rng = np.random.default_rng(0)
    values = rng.random((400, 6)).astype(np.float32)
    values[rng.random(values.shape) < 0.1] = np.nan
    labels = np.nan_to_num(values[:, 0]) + values[:, 1] ** 2 > 0.9
    data = lightgbm.Dataset(values, labels.astype(float))
    return lightgbm.train({"objective": "binary", "verbose": -1, "num_threads": 1}, data, 12).model_to_string()


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(1)
    found = rng.random((50, 6)).astype(np.float32)
    found[rng.random(found.shape) < 0.2] = np.nan
    return found


def test_scores_are_lightgbm_s_own(text, values):
    own = lightgbm.Booster(model_str=text).predict(values, raw_score=True)
    assert np.array_equal(Trees(text).scores(values), own)


def test_contributions_are_lightgbm_s_own_and_add_up(text, values):
    trees = Trees(text)
    found = trees.contributions(values)
    assert np.array_equal(found, lightgbm.Booster(model_str=text).predict(values, pred_contrib=True))
    assert np.allclose(found.sum(axis=1), trees.scores(values))


def test_a_slice_of_an_array_is_read_rightly(text, values):
    trees = Trees(text)
    assert np.array_equal(trees.scores(values[::2]), trees.scores(values)[::2])


def test_whole_text_is_told_from_damaged(text):
    assert whole(text)
    for damaged in ("", "tree\n", text[:200], text[: len(text) // 2], text.replace("Tree=0", "Tree=9")):
        assert not whole(damaged)
        with pytest.raises(NotAModel, match="damaged"):
            Trees(damaged)


def test_too_few_columns_are_an_error_not_a_crash(text, values):
    with pytest.raises(NotAModel, match="do not fit"):
        Trees(text).scores(values[:, :2])


def test_a_library_that_does_not_load_is_said_in_one_line(monkeypatch):
    _library.cache_clear()

    def broken(_path):
        raise OSError("libgomp.so.1: cannot open shared object file")

    monkeypatch.setattr("ctypes.CDLL", broken)
    try:
        assert not loads()
        with pytest.raises(NotAModel, match="cannot be loaded"):
            Trees("")
    finally:
        monkeypatch.undo()
        _library.cache_clear()
    assert loads()
