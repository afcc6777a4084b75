"""What is installed, where the caches are, and what is wrong with either."""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from naturalproofs import __version__
from naturalproofs.benchmark.code_version import commit
from naturalproofs.corpus.store import is_corpus
from naturalproofs.errors import NaturalProofsError, TooLarge
from naturalproofs.io.cache import cache_folder, free_space, size_on_disk
from naturalproofs.io.files import Leftover, leftovers
from naturalproofs.io.listing import TEX_SUFFIXES, files_below
from naturalproofs.records import FileAccount
from naturalproofs.sources.registry import detect_source
from naturalproofs.workspace.opening import index_status
from naturalproofs.workspace.project import Changes, Work

PACKAGE = Path(__file__).parents[2]
EXTRAS = {
    "rank": "classical methods, evaluation, exercises, search by meaning",
    "hybrid": "suggestions with the shipped ranker, training it",
    "web": "serve: the web page and the HTTP API",
    "editor": "lsp and check --watch: the language server",
    "agents": "mcp: the server for agents",
    "neural": "neural methods (torch)",
    "plots": "stats --plots, demo",
    "parquet": "export --to huggingface",
    "scale": "collect: many projects in one collection, Ray clusters",
}
"""What each extra gives; ``dev`` is for work on the package itself."""
CACHES = {
    "projects": "parsed projects, search indexes, arrays of the ranker",
    "archives": "unpacked archives",
    "stdin": "texts from standard input",
    "books": "built books of a suite",
    "neural": "encoder outputs",
    "signals": "scores of methods that others build on",
    "outputs": "hashes of the files that commands wrote, so that no other file is replaced",
}
"""The folders in the cache."""
_LEAST_FREE = 1 << 24
"""Bytes below which a disk counts as full."""
_SHOWN = 8
"""Files that are named; of more, the number is given."""
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([\w,-]+)\])?[^;]*;\s*extra == ['\"]([\w-]+)['\"]")


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of the package."""

    name: str
    gives: str
    installed: bool
    missing: tuple[str, ...]
    """The packages that it lacks."""


@dataclass(frozen=True, slots=True)
class CacheSize:
    """A folder of the cache."""

    name: str
    holds: str
    entries: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Index:
    """The index of a project in the cache."""

    project: Path
    state: str
    """In words."""
    exists: bool
    changes: Changes | None = None
    """How the project differs from its index."""
    work: Work | None = None
    """What was done to bring it up to date, if that was asked for."""
    statements: int | None = None
    seconds: float | None = None
    account: tuple[FileAccount, ...] = ()
    """What became of each file with statements."""


@dataclass(frozen=True, slots=True)
class Installation:
    """What is installed and what is wrong with it."""

    version: str
    commit: str
    python: str
    system: str
    package: Path
    extras: tuple[Extra, ...]
    cache: Path
    caches: tuple[CacheSize, ...]
    leftovers: tuple[Leftover, ...]
    problems: tuple[str, ...]
    """One line each: what is wrong, and what to do."""
    indexes: tuple[Index, ...] = ()
    """Those of the projects that were asked about."""


def inspect(folders: Sequence[Path], indexes: Iterable[Index] = ()) -> Installation:
    """Look at the installation and the caches.

    Args:
        folders: Where to look for leftovers of killed commands, beside the cache.
        indexes: What was found out about indexes of projects.
    """
    cache = cache_folder()
    left = tuple(_leftovers(cache, folders))
    return Installation(
        version=__version__,
        commit=commit(),
        python=platform.python_version(),
        system=platform.platform(),
        package=PACKAGE,
        extras=tuple(_extras()),
        cache=cache,
        caches=tuple(_caches(cache)),
        leftovers=left,
        problems=(*_problems(cache), *map(_leftover_problem, left)),
        indexes=tuple(indexes),
    )


def is_project(path: Path) -> bool:
    """Whether a path is something that has an index: neither a corpus nor a folder without texts."""
    if not path.is_dir():
        return True
    if is_corpus(path):
        return False
    return detect_source(path) != "latex" or next(files_below(path, TEX_SUFFIXES), None) is not None


def stored_index(path: Path) -> Index:
    """The index of a project as it lies in the cache."""
    project, files, changes = index_status(path)
    if changes is None:
        return Index(project, "no index yet, or one of another version; it is made when it is needed", False)
    return Index(project, _described(changes) or f"up to date, {files:,} files", True, changes)


def updated_index(
    project: Path, work: Work, statements: int, seconds: float, account: tuple[FileAccount, ...] = ()
) -> Index:
    """The index of a project that was just opened."""
    parts = [f"{statements:,} statements ({seconds:.1f} s)"]
    if work.read or work.changes or work.fresh:
        documents = f"{work.documents:,} document{'' if work.documents == 1 else 's'}"
        parts[:0] = filter(None, (f"read {len(work.read):,} of {documents}", _described(work.changes)))
    else:
        parts.insert(0, "up to date")
    about = (work, statements, seconds, account)
    return Index(project, "; ".join(parts), work.cached, None, *about)


def _described(changes: Changes) -> str:
    """How a project differs from its index."""
    parts = [
        f"{word} {', '.join(names[:_SHOWN])}{f' and {len(names) - _SHOWN:,} more' if len(names) > _SHOWN else ''}"
        for word, names in (("changed:", changes.changed), ("new:", changes.added), ("removed:", changes.removed))
        if names
    ]
    if changes.other and not parts:
        parts.append("settings, numbers or included files changed")
    return "; ".join(parts)


def _extras() -> Iterator[Extra]:
    needs: dict[str, list[tuple[str, str]]] = {}
    for requirement in distribution("naturalproofs").requires or ():
        if found := _REQUIREMENT.match(requirement):
            package, inner, extra = found.groups()
            needs.setdefault(extra, []).append((package, inner or ""))

    def packages(extra: str) -> Iterator[str]:
        for package, inner in needs.get(extra, ()):
            if package == "naturalproofs":
                for name in inner.split(","):
                    yield from packages(name)
            else:
                yield package

    for name, gives in EXTRAS.items():
        missing = tuple(package for package in packages(name) if not _is_installed(package))
        yield Extra(name, gives, not missing, missing)


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def _caches(cache: Path) -> Iterator[CacheSize]:
    for name, holds in CACHES.items():
        folder = cache / name
        if folder.is_dir():
            yield CacheSize(name, holds, len(list(folder.iterdir())), size_on_disk(folder))


def _leftovers(cache: Path, folders: Sequence[Path]) -> Iterator[Leftover]:
    inside = (Path(parent) for parent, _, _ in os.walk(cache))
    for folder in dict.fromkeys((*inside, *folders)):
        if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK):
            yield from leftovers(folder)


def _leftover_problem(leftover: Leftover) -> str:
    what = f"the only copy of {leftover.target.name}, " if leftover.only_copy else ""
    does = "moves it back" if leftover.only_copy else "removes it"
    return f"{leftover.path}: {what}left by a killed command; doctor --clean {does}"


def _problems(cache: Path) -> Iterator[str]:
    """Problems of the package, its libraries and the cache folder."""
    changed = sorted(_changed_files())
    if changed:
        more = f" and {len(changed) - 1:,} more" if len(changed) > 1 else ""
        yield f"{changed[0]}{more}: not as installed; install the package again"
    yield from _library_problems()
    yield from _primer_problems()
    existing = next(folder for folder in (cache, *cache.parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        yield f"{existing}: the cache cannot be written here; set NATURALPROOFS_CACHE to another folder"
    elif free_space(existing) < _LEAST_FREE:
        yield f"{existing}: the disk of the cache is full; free space or set NATURALPROOFS_CACHE to another folder"


def _changed_files() -> Iterator[str]:
    """Installed files that differ from the list in the installed package; an editable install lists none."""
    for file in distribution("naturalproofs").files or ():
        if file.hash is not None and file.hash.mode == "sha256" and file.parts[0] == "naturalproofs":
            try:
                found = hashlib.sha256(Path(str(file.locate())).read_bytes()).digest()
            except OSError:
                yield str(file)
                continue
            if base64.urlsafe_b64encode(found).rstrip(b"=").decode() != file.hash.value:
                yield str(file)


def _library_problems() -> Iterator[str]:
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE VIRTUAL TABLE word USING fts5 (text)")
    except sqlite3.Error as error:
        yield f"SQLite {sqlite3.sqlite_version}: no full-text search ({error}); use a Python whose SQLite has FTS5"
    try:
        from naturalproofs.ranking.hybrid.ranker import shipped_boosters

        boosters = shipped_boosters()
        _ = boosters.placed.trees, boosters.unplaced.trees
    except ModuleNotFoundError:
        return  # Without the extra 'hybrid' nothing uses the ranker.
    except (NaturalProofsError, OSError, ValueError, ImportError) as error:
        yield f"the shipped ranker cannot be used ({error}); install the package again"


def _primer_problems() -> Iterator[str]:
    from naturalproofs.corpus.load import load_corpus
    from naturalproofs.data import primer_folder

    try:
        loaded = load_corpus(primer_folder())
    except TooLarge:
        raise  # Memory ended: the package may be as it should.
    except (NaturalProofsError, OSError) as error:
        yield f"the bundled corpus cannot be read ({error}); install the package again"
        return
    undefined = [mention for mention in loaded.unresolved if mention.reason == "undefined"]
    if undefined or loaded.diagnostics:
        yield f"{primer_folder()}: damaged ({len(undefined):,} references are undefined); install the package again"
