"""Saved arrays are checked before native code uses them."""

import json

import numpy as np
import pytest

from naturalproofs.errors import NotAnIndex
from naturalproofs.ranking.hybrid.prepared import open_prepared
from naturalproofs.ranking.hybrid.ranker import Shipped


@pytest.fixture(scope="module")
def saved(placed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    Shipped().fit(placed, seed=0).index(placed.passages).save_arrays(folder)
    return folder


@pytest.fixture
def folder(saved, tmp_path):
    for file in saved.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def refused(folder, placed):
    with pytest.raises(NotAnIndex, match="damaged"):
        Shipped().fit(placed, seed=0).open_arrays(folder, placed.passages)


def integer_arrays(folder, prefix):
    found = sorted(file.name for file in folder.glob(f"{prefix}*.npy"))
    return [name for name in found if np.load(folder / name).dtype.kind == "i" and np.load(folder / name).size]


def test_every_integer_array_is_checked(folder, placed):
    names = integer_arrays(folder, "index")
    assert len(names) > 20
    for name in names:
        sound = np.load(folder / name)
        for value in (np.iinfo(sound.dtype).max, -7):
            bad = sound.copy()
            bad[len(bad) // 2] = value
            np.save(folder / name, bad)
            refused(folder, placed)
        np.save(folder / name, sound.astype(np.float64))
        refused(folder, placed)
        np.save(folder / name, sound)
    Shipped().fit(placed, seed=0).open_arrays(folder, placed.passages)


def test_every_array_of_another_size_is_refused(folder, placed):
    for file in sorted(folder.glob("index*.npy")):
        sound = np.load(file)
        np.save(file, np.concatenate([sound, sound[:1]]) if len(sound) else np.ones(3, sound.dtype))
        refused(folder, placed)
        np.save(file, sound)


def test_a_description_cannot_name_files_elsewhere(folder, placed):
    described = json.loads((folder / "index.json").read_text())
    described["fields"]["proofs"]["fields"]["counts"] = {"array": "../elsewhere"}
    (folder / "index.json").write_text(json.dumps(described))
    refused(folder, placed)


def test_arrays_of_other_candidates_are_refused(folder, placed):
    with pytest.raises(NotAnIndex, match="damaged"):
        Shipped().fit(placed, seed=0).open_arrays(folder, placed.passages[:-1])


def test_tampered_counts_are_ignored(folder, placed):
    assert open_prepared(folder) is not None
    for name in integer_arrays(folder, "prepared"):
        sound = np.load(folder / name)
        bad = sound.copy()
        bad[len(bad) // 2] = -5
        np.save(folder / name, bad)
        assert open_prepared(folder) is None
        np.save(folder / name, sound)
