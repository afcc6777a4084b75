"""Scorers whose arrays are cached."""

import os
from dataclasses import dataclass, replace

import numpy as np
import pytest

from naturalproofs.errors import NotAnIndex
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet
from naturalproofs.workspace import methods
from naturalproofs.workspace.methods import bind
from naturalproofs.workspace.object_cache import Cache

TRAIN = TrainSet((Passage("a", "theorem", "", "x"), Passage("b", "theorem", "", "y")), ())
MADE: list[int] = []
AGAIN: list[object] = []


@dataclass(frozen=True)
class Kept:
    scores: np.ndarray

    def score(self, queries):
        return np.tile(self.scores, (len(queries), 1))

    def save_arrays(self, folder):
        np.save(folder / "scores.npy", self.scores)


@dataclass(frozen=True)
class Method:
    def fit(self, train, *, seed):
        return self

    def index(self, candidates):
        MADE.append(len(candidates))
        return Kept(np.arange(len(candidates), dtype=np.float32))

    def open_arrays(self, folder, candidates):
        try:
            return Kept(np.load(folder / "scores.npy", mmap_mode="r"))
        except (OSError, ValueError, EOFError) as error:
            raise NotAnIndex("damaged") from error

    def reindex(self, candidates, before):
        AGAIN.append(before)
        return self.index(candidates)


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr(methods, "_ranker", lambda _method: Method())


def scorer_of(folder, train, before=None):
    return bind("toy", train, Cache(folder / "project") if folder else None, before).scorer


def test_made_once_opened_afterwards_and_made_from_the_old_one_when_the_statements_change(tmp_path):
    MADE.clear()
    AGAIN.clear()
    for _ in range(3):
        scorer = scorer_of(tmp_path, TRAIN)
        assert isinstance(scorer.scores, np.memmap)
        assert scorer.score(TRAIN.passages).tolist() == [[0, 1], [0, 1]]
    assert (MADE, AGAIN) == ([2], [])
    more = TrainSet((*TRAIN.passages, Passage("c", "theorem", "", "z")), ())
    scorer_of(tmp_path, more)
    assert MADE == [2, 3]
    (arrays,) = AGAIN
    assert (arrays / "scores.npy").is_file()


def test_damage_is_not_opened(tmp_path):
    MADE.clear()
    scorer_of(tmp_path, TRAIN)
    (manifest,) = tmp_path.rglob("scorer.txt")
    good = manifest.read_text()
    for bad in ("{", good.replace("cache ", "cache 9"), ""):
        manifest.write_text(bad)
        scorer_of(tmp_path, TRAIN)
    (array,) = tmp_path.rglob("scores.npy")
    whole = array.read_bytes()
    array.write_bytes(b"")
    scorer_of(tmp_path, TRAIN)
    assert len(MADE) == 5
    array.write_bytes(b"x" * len(whole))
    scorer_of(tmp_path, TRAIN)
    assert len(MADE) == 6


def test_without_a_folder_nothing_is_kept_and_the_scorer_before_helps():
    MADE.clear()
    AGAIN.clear()
    before = scorer_of(None, TRAIN)
    assert (MADE, AGAIN) == ([2], [])
    scorer_of(None, TRAIN, before)
    assert [before] == AGAIN


def test_a_folder_that_cannot_be_written_to_keeps_nothing(tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "scorers").write_text("in the way")
    assert scorer_of(tmp_path, TRAIN).score(TRAIN.passages[:1]).tolist() == [[0, 1]]


def test_what_theorems_say_and_cite_is_part_of_what_a_scorer_is_made_for(tmp_path):
    MADE.clear()
    a, b = TRAIN.passages
    for examples in ((a, ("b",)), (a, ()), (b, ()), (replace(b, text="else"), ())):
        scorer_of(tmp_path, TrainSet(TRAIN.passages, (TrainingExample(*examples),)))
    assert len(MADE) == 4


def test_arrays_of_the_same_size_with_other_values_are_made_again(tmp_path):
    scorer_of(tmp_path, TRAIN)
    (file,) = (tmp_path / "project").rglob("scores.npy")
    np.save(file, np.array([7, 7], dtype=np.float32))
    assert scorer_of(tmp_path, TRAIN).scores.tolist() == [0, 1]
    assert np.load(file).tolist() == [0, 1]


def test_arrays_with_other_times_and_the_same_contents_are_used(tmp_path):
    scorer_of(tmp_path, TRAIN)
    (file,) = (tmp_path / "project").rglob("scores.npy")
    os.utime(file, (1, 1))
    MADE.clear()
    assert scorer_of(tmp_path, TRAIN).scores.tolist() == [0, 1]
    assert not MADE
