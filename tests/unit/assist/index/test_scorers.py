"""Scorers that are kept."""

from dataclasses import dataclass

import numpy as np

from naturalproofs.assist.index.scorers import kept_scorer
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

TRAIN = TrainSet((Passage("a", "theorem", "", "x"), Passage("b", "theorem", "", "y")), ())
MADE = []


@dataclass(frozen=True)
class Kept:
    scores: np.ndarray

    def score(self, queries):
        return np.tile(self.scores, (len(queries), 1))

    def keep(self, folder):
        np.save(folder / "scores.npy", self.scores)

    @classmethod
    def open(cls, folder):
        return cls(np.load(folder / "scores.npy", mmap_mode="r"))


@dataclass(frozen=True)
class Method:
    def fit(self, train, *, seed):
        return self

    def index(self, candidates):
        MADE.append(len(candidates))
        return Kept(np.arange(len(candidates), dtype=np.float32))


def test_made_once_opened_afterwards_and_made_anew_when_the_statements_change(tmp_path):
    MADE.clear()
    for _ in range(3):
        scorer = kept_scorer(tmp_path, Method(), "toy", TRAIN)
        assert scorer.score(TRAIN.passages).tolist() == [[0, 1], [0, 1]]
    assert MADE == [2]
    more = TrainSet((*TRAIN.passages, Passage("c", "theorem", "", "z")), ())
    kept_scorer(tmp_path, Method(), "toy", more)
    assert MADE == [2, 3]


def test_damage_and_strangers_are_not_opened(tmp_path):
    MADE.clear()
    kept_scorer(tmp_path, Method(), "toy", TRAIN)
    (manifest,) = tmp_path.rglob("scorer.json")
    good = manifest.read_text()
    for bad in ("{", good.replace(__name__, "os"), good.replace("Kept", "Method")):
        manifest.write_text(bad)
        kept_scorer(tmp_path, Method(), "toy", TRAIN)
        (manifest,) = tmp_path.rglob("scorer.json")
    (array,) = tmp_path.rglob("scores.npy")
    array.write_bytes(b"")
    kept_scorer(tmp_path, Method(), "toy", TRAIN)
    assert len(MADE) == 5


def test_without_a_folder_nothing_is_kept():
    MADE.clear()
    kept_scorer(None, Method(), "toy", TRAIN)
    assert MADE == [2]
