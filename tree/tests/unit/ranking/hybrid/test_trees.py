"""LightGBM's trees through its C interface, beside its Python package."""

import lightgbm
import numpy as np
import pytest

from naturalproofs.errors import BadModel, LibraryNotLoadable
from naturalproofs.ranking.hybrid.trees import Trees, _library, checked_trees, trees_available


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


def tampered(text, key, change):
    """The text with one value of the first tree changed, sizes kept right."""
    header, _, trees = text.partition("\nTree=0\n")
    first, _, rest = trees.partition("\nTree=1\n")
    lines = [
        f"{key}={change(line.partition('=')[2])}" if line.startswith(f"{key}=") else line for line in first.split("\n")
    ]
    changed = "\n".join(lines)
    sizes = next(line for line in header.split("\n") if line.startswith("tree_sizes="))
    old, *others = sizes.removeprefix("tree_sizes=").split()
    new = f"tree_sizes={int(old) + len(changed) - len(first)} {' '.join(others)}"
    return "\nTree=0\n".join([header.replace(sizes, new), "\nTree=1\n".join([changed, rest])])


def with_first(value):
    return lambda values: " ".join([value, *values.split(" ")[1:]])


def test_sound_trees_are_accepted_and_tampering_keeps_the_sizes_right(text):
    features, checked = checked_trees(text)
    assert features == 6
    assert text.encode().startswith(checked.removesuffix(b"end of trees\n"))
    assert checked_trees(tampered(text, "shrinkage", lambda _: "0.25"))[0] == 6


@pytest.mark.parametrize("part", ["", "tree\n", 200, 0.5])
def test_a_cut_text_is_refused(text, part):
    damaged = part if isinstance(part, str) else text[: int(part * len(text)) if part < 1 else part]
    with pytest.raises(BadModel, match="damaged"):
        Trees(damaged)


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("split_feature", with_first("6")),
        ("split_feature", with_first("-1")),
        ("split_feature", with_first("1_0")),
        ("split_feature", lambda values: values.partition(" ")[2]),
        ("left_child", with_first("0")),
        ("left_child", with_first("999")),
        ("right_child", with_first("-999")),
        ("right_child", with_first("1")),
        ("decision_type", with_first("3")),
        ("num_cat", lambda _: "1"),
        ("is_linear", lambda _: "1"),
        ("num_leaves", lambda _: "2000000000"),
        ("num_leaves", lambda _: "-1"),
        ("num_leaves", lambda _: "3"),
        ("threshold", with_first("nan")),
        ("leaf_value", lambda values: f"{values} 1"),
        ("leaf_value", lambda _: ""),
    ],
)
def test_a_tampered_tree_is_refused_before_native_code_sees_it(text, key, change):
    with pytest.raises(BadModel, match="damaged"):
        Trees(tampered(text, key, change))


def test_children_that_form_a_cycle_are_refused(text):
    def swapped(values):
        found = values.split(" ")
        inner = [i for i, value in enumerate(found) if int(value) > 0]
        found[inner[-1]] = found[inner[0]]
        return " ".join(found)

    with pytest.raises(BadModel, match="damaged"):
        Trees(tampered(text, "right_child", swapped))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("max_feature_idx=5", "max_feature_idx=50000"),
        ("num_class=1", "num_class=3"),
        ("objective=binary sigmoid:1", "objective=multiclass num_class:3"),
        ("label_index=0", "label_index=0\naverage_output"),
        ("Tree=0", "Tree=9"),
        ("end of trees", "end"),
    ],
)
def test_a_tampered_header_is_refused(text, old, new):
    assert old in text
    with pytest.raises(BadModel, match="damaged"):
        Trees(text.replace(old, new, 1))


def test_too_few_columns_are_an_error_not_a_crash(text, values):
    with pytest.raises(BadModel, match="do not fit"):
        Trees(text).scores(values[:, :2])


def test_a_library_that_does_not_load_is_said_in_one_line(monkeypatch, text):
    _library.cache_clear()

    def broken(_path):
        raise OSError("libgomp.so.1: cannot open shared object file")

    monkeypatch.setattr("ctypes.CDLL", broken)
    try:
        assert not trees_available()
        with pytest.raises(LibraryNotLoadable, match="cannot be loaded"):
            Trees(text)
    finally:
        monkeypatch.undo()
        _library.cache_clear()
    assert trees_available()
