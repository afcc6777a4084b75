"""Merging corpus folders, and taking one of them out again."""

from collections.abc import Sequence
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.merge import BETWEEN, Whole, merge, unmerge
from naturalproofs.errors import UnknownName
from naturalproofs.io.folders import check_free
from naturalproofs.tasks.make import load_splits
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits, own_split


def merge_folders(folders: Sequence[Path], output: Path, name: str = "") -> store.Manifest:
    """Write the corpora as one; it is called after its parts unless a name is given."""
    if len(folders) < 2:
        raise UnknownName("to merge takes at least two corpora; to take one out of a merged one, give --take NAME")
    check_free(output, store.is_corpus)
    wholes = [load_whole(folder) for folder in folders]
    return save_whole(merge(wholes, name or BETWEEN.strip().join(whole.corpus.name for whole in wholes)), output)


def take_out(folder: Path, output: Path, name: str) -> store.Manifest:
    """Write one corpus of a merged one as the folder it came from."""
    check_free(output, store.is_corpus)
    return save_whole(unmerge(load_whole(folder), name), output)


def load_whole(folder: Path) -> Whole:
    """Everything in a corpus folder."""
    corpus, splits = store.load(folder), load_splits(folder)
    return Whole(
        corpus=corpus,
        splits={part: splits.part(part) for part in SPLIT_NAMES},
        recipe=splits.recipe,
        unresolved=tuple(store.load_unresolved(folder)),
        diagnostics=tuple(store.load_diagnostics(folder)),
    )


def save_whole(whole: Whole, folder: Path) -> store.Manifest:
    """Write a corpus folder."""
    parts = own_split(whole.splits)
    splits = Splits(whole.recipe, parts.train, parts.valid, parts.test)
    return store.save(
        whole.corpus,
        folder,
        splits=splits.to_json(),
        unresolved=whole.unresolved,
        diagnostics=whole.diagnostics,
    )
