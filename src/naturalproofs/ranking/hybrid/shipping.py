"""How the shipped ranker is trained: on whole corpora and on single chapters, with and without proofs to remember.

A new project is small and brings few proofs or none. So each training corpus is also shown chapter by chapter, as if
every chapter were a book of its own, and half of the time the ranker has no proof to go by. Not every author gives
telling titles and labels, so every other chapter is shown without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from naturalproofs.ranking.hybrid.binding import desk_of
from naturalproofs.ranking.hybrid.boosting import Booster, Boosting
from naturalproofs.ranking.hybrid.desk import POOL, Desk, ask
from naturalproofs.ranking.hybrid.features import Table, features, relative_names
from naturalproofs.ranking.hybrid.memory import Memory
from naturalproofs.ranking.hybrid.training import HELD_OUT, Answered, gathered, leaf_like, thinned
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet, with_fields

SMALLEST = 40
"""Statements of a chapter that is worth being a book."""


def books(train: TrainSet, chapters: bool) -> Iterator[TrainSet]:
    """The whole, or each chapter; a chapter's proofs are those with all they cite inside it."""
    if not chapters:
        yield train
        return
    by_chapter: dict[str, list[Passage]] = {}
    for passage in train.passages:
        if passage.place is not None:
            by_chapter.setdefault(passage.place.chapter, []).append(passage)
    for number, found in enumerate(by_chapter.values()):
        inside = {passage.id for passage in found}
        kept = [e for e in train.examples if e.theorem.id in inside and inside.issuperset(e.references)]
        if len(found) >= SMALLEST and len(kept) >= HELD_OUT:
            book = TrainSet(tuple(found), tuple(kept))
            yield with_fields(book, title="") if number % 2 else book


def train_shipped(shown: Iterable[tuple[TrainSet, int]], settings: Boosting, seed: int) -> Booster:
    """Trees over the questions of several books, so many of each; half of them without any memory."""
    random = np.random.default_rng(seed)
    answered: list[Answered] = []
    for book, count in shown:
        desk = desk_of(book.passages, book.examples, None, pool=POOL, without=("learned",))
        empty = replace(desk, memory=Memory.of((), desk.library))
        rows = leaf_like(desk, count, seed)
        answered.extend(_answers(desk, empty, rows, random))
    return gathered(answered, None).booster(settings, seed)


def _answers(desk: Desk, empty: Desk, rows: Sequence[int], random: np.random.Generator) -> Iterator[Answered]:
    column, memory = desk.library.column, desk.memory
    for number, row in enumerate(rows):
        example = memory.examples[row]
        chosen = empty if number % 2 else desk
        gold = [column[key] for key in dict.fromkeys(example.references) if key in column]
        users = memory.theorem[list(memory.users_of.get(example.theorem.id, ()))]
        banned = sorted({int(user) for user in users if user >= 0}.difference(gold))
        question = ask(chosen, example.theorem, banned=banned)
        labels = np.isin(question.pool, gold).astype(np.float32)
        if labels.any():
            table = features(chosen, question)
            names = relative_names(table.names)
            values = table.values[:, [table.names.index(name) for name in names]]
            # Two in HELD_OUT, one with a memory and one without, calibrate.
            held_out = number % (2 * HELD_OUT) < 2
            whole = Answered(Table(names, values), labels, np.ones_like(labels), held_out, row, question.pool)
            yield whole if held_out else thinned(whole, random)
