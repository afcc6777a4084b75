"""A suite of books: which they are, where their texts lie, and folds that keep one author's books together.

A suite is a JSON list with an entry for each book. The one that comes with the package, ``books``, holds facts only;
the texts belong to their authors, and the user gives the folders they lie in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Literal

import msgspec

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.errors import BadSchema, BooksNotFound, NaturalProofsError, NotAModel, UnknownName
from naturalproofs.io.archives import given_source
from naturalproofs.io.cache import CACHE_VERSION, cache_folder, evict, mark_used
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.ranking.hybrid.ranker import Shipped
from naturalproofs.source import detect_source, source
from naturalproofs.tasks.splits import zero_shot_split

SUITES = ("books",)
"""Suites that come with the package."""
ARCHIVES = (".tar.xz", ".tar.gz", ".tgz", ".zip")
_CACHED = 2 << 30
"""Bytes of built books that the cache holds."""


class SuiteBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One book of a suite."""

    name: str
    path: str
    """The folder, file or corpus, relative to one of the folders that the user gives; it may be packed."""
    main: str = ""
    """The main file inside, if there are several."""
    source: str = ""
    """What the path is, if it is not recognised: ``trench``."""
    group: str = ""
    """Whose books stay together in folds; the name of the book if empty."""
    language: str = ""
    subject: str = ""
    topic: str = ""
    kind: str = ""
    """book, thesis, notes or blueprint."""
    licence: str = ""
    repository: str = ""
    commit: str = ""

    @property
    def author_group(self) -> str:
        """The group, or else the name."""
        return self.group or self.name


@dataclass(frozen=True, slots=True)
class Suite:
    """Several books under one name."""

    name: str
    books: tuple[SuiteBook, ...]
    home: Path | None = None
    """The folder of the file that describes the suite; paths may be relative to it."""

    def found(self, folders: Sequence[Path]) -> tuple[dict[str, Path], tuple[str, ...]]:
        """The path of each book that is in one of the folders, and the names of the others."""
        places = (*folders, *((self.home,) if self.home else ()))
        paths = {book.name: path for book in self.books if (path := _locate(book, places)) is not None}
        if not paths:
            looked = ", ".join(map(str, places)) or "nowhere"
            raise BooksNotFound(
                f"no text of the suite {self.name!r} was found (looked in: {looked}); the package has only the "
                "descriptions: clone each book at the commit that the suite names, as FOLDER/PATH, and give --projects "
                "FOLDER (see docs/explanation/books-benchmark.md)"
            )
        return paths, tuple(book.name for book in self.books if book.name not in paths)


def load_suite(name: str) -> Suite:
    """A suite by its name, or from a JSON file."""
    if name in SUITES:
        return Suite(name, _read((resources.files("naturalproofs.data") / f"{name}.json").read_bytes(), name))
    path = Path(name)
    if not path.is_file():
        raise UnknownName(f"no suite is called {name!r}; give {', '.join(SUITES)}, or a JSON file that lists books")
    return Suite(path.stem, _read(path.read_bytes(), name), path.resolve().parent)


def _read(data: bytes, name: str) -> tuple[SuiteBook, ...]:
    try:
        books = msgspec.json.decode(data, type=tuple[SuiteBook, ...])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSchema(f"{name}: not a suite of books ({error})") from error
    names = [book.name for book in books]
    if len(set(names)) < len(names):
        raise BadSchema(f"{name}: two books have the same name")
    return books


def _locate(book: SuiteBook, folders: Sequence[Path]) -> Path | None:
    for folder in folders:
        for candidate in (folder / book.path, *(folder / f"{book.path}{ending}" for ending in ARCHIVES)):
            if candidate.exists():
                return candidate
    return None


def load_book(book: SuiteBook, path: Path) -> Corpus:
    """The corpus of a book, from the cache if its files have not changed."""
    corpus = _build_cached(book, path)
    about = corpus.provenance
    known = replace(
        about,
        authors=about.authors or book.author_group,
        licence=about.licence or book.licence,
        url=about.url or book.repository,
        revision=about.revision or book.commit,
    )
    return replace(corpus, provenance=known)


def _build_cached(book: SuiteBook, path: Path) -> Corpus:
    root = given_source(path)
    if book.main and not (root / book.main).exists():
        inside = [one for one in root.iterdir() if one.is_dir()]
        root = inside[0] if len(inside) == 1 else root
    if root.is_dir() and store.is_corpus(root):
        return store.load(root)
    cached = cache_folder() / "books" / f"{book.name}-{_state(book, root)}"
    try:
        mark_used(cached)
        return store.load(cached)
    except (OSError, NaturalProofsError):
        pass
    text = root / book.main if book.main else root
    kind = book.source or detect_source(text)
    corpus = build(source(kind), text, name=book.name).corpus
    try:
        store.save(corpus, cached, splits=zero_shot_split(corpus).to_json())
        evict(cached.parent.iterdir(), _CACHED)
    except OSError:  # A cache that cannot be written is ignored.
        pass
    return corpus


def _state(book: SuiteBook, root: Path) -> str:
    """A hash of the names, sizes and times of the files, and of how they are read."""
    files = [root] if root.is_file() else [Path(folder) / name for folder, _, names in os.walk(root) for name in names]
    states = [(str(file), os.lstat(file)) for file in files]
    listed = sorted((name, state.st_size, state.st_mtime_ns) for name, state in states)
    return sha256_bytes(repr((CACHE_VERSION, book.main, book.source, listed)).encode("utf-8", "replace"))[:16]


@dataclass(frozen=True, slots=True)
class Fold:
    """Books to train on, and the others, which are asked."""

    name: str
    train: tuple[SuiteBook, ...]
    test: tuple[SuiteBook, ...]


def folds(books: Sequence[SuiteBook], by: Literal["book", "group"] = "group") -> Iterator[Fold]:
    """Leave one book, or one author's books, out at a time."""
    keys = [book.name if by == "book" else book.author_group for book in books]
    for key in dict.fromkeys(keys):
        inside = tuple(book for book, own in zip(books, keys, strict=True) if own == key)
        yield Fold(key, tuple(book for book in books if book not in inside), inside)


def grouped_folds(books: Sequence[SuiteBook], count: int, seed: int = 0) -> Iterator[Fold]:
    """A few folds in which one author's books stay together; they depend on names and seed only."""

    def order(group: str) -> str:
        return sha256_bytes(f"{seed}/{group}".encode())

    groups = sorted({book.author_group for book in books}, key=order)
    number = {group: at % count for at, group in enumerate(groups)}
    for fold in range(min(count, len(groups))):
        test = tuple(book for book in books if number[book.author_group] == fold)
        yield Fold(str(fold), tuple(book for book in books if book not in test), test)


def held_out_trees(folder: Path) -> Callable[[SuiteBook], Shipped]:
    """The shipped ranker with the trees that were trained without each book's author.

    Args:
        folder: As ``benchmarks/ship_ranker.py --folds`` writes it: ``folds.json`` has the number of each author group's
            fold, and a folder of that name has the trees that were trained without it.
    """
    try:
        numbers = msgspec.json.decode((folder / "folds.json").read_bytes(), type=dict[str, int])
    except (OSError, msgspec.DecodeError) as error:
        raise NotAModel(
            f"{folder}: no folds of trees ({error}); benchmarks/ship_ranker.py --folds makes them"
        ) from error

    def trees_of(book: SuiteBook) -> Shipped:
        if book.author_group not in numbers:
            raise UnknownName(f"{folder}: no trees were trained without the books of {book.author_group}")
        return Shipped(trees=str(folder / str(numbers[book.author_group])))

    return trees_of
