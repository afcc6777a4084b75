"""Which projects a source holds: a project, an archive of one, a folder of them, or a bulk archive of archives."""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.corpus.store import is_corpus
from naturalproofs.errors import SourceNotFound
from naturalproofs.io.listing import TEX_SUFFIXES
from naturalproofs.io.names import name_of

ARCHIVES = (".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar", ".zip", ".gz", ".xz", ".bz2")
SOURCES = (*TEX_SUFFIXES, ".ptx", ".qmd", ".rmd", ".Rmd")
"""Endings of files that make a folder one project."""
_PRINTED = (".pdf", ".ps")
_BULK_SAMPLE = 3
"""Entries of a tar file that show whether it is an archive of archives."""
_UNUSUAL = re.compile(r"[\x00-\x20\x7f:'\"\\\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class ProjectSource:
    """One project and where it is."""

    name: str
    """Its name in the collection; ids of its statements begin with it."""
    path: str
    """The name of a folder, a file or an archive."""
    start: int = 0
    """Where its bytes begin in a bulk archive."""
    size: int = 0
    """How many bytes it has in a bulk archive; zero if the path is the project itself."""
    suffix: str = ""
    """How the name of the entry in a bulk archive ends."""


def find_projects(sources: Iterable[Path]) -> Iterator[ProjectSource]:
    """All projects of some sources, sorted by their paths in each source; their names are unique.

    A folder is one project if a source file stands in it, or if it is a corpus. Any other folder that is given, and any
    folder below it that holds archives, is searched: each of its folders and archives is a project.
    """
    taken: set[str] = set()
    for source in sources:
        if not source.exists():
            raise SourceNotFound(f"{source}: no such file or folder; give projects, archives, or folders of them")
        for found in _projects(source, "", top=True):
            name = found.name
            if name in taken:
                name = f"{_clean(source.resolve().name)}/{name}"
            number = 2
            while name in taken:
                name, number = f"{found.name}-{number}", number + 1
            taken.add(name)
            yield replace(found, name=name)


def _projects(path: Path, above: str, *, top: bool = False) -> Iterator[ProjectSource]:
    name = above + _clean(_without_suffix(path.resolve().name if top else path.name))
    if not path.is_dir():
        yield from _bulk(path, name) if path.name.endswith(".tar") else [ProjectSource(name, name_of(path))]
        return
    with os.scandir(path) as entries:
        inside = sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)
    files = [entry.name for entry in inside if entry.is_file()]
    archives = any(file.endswith(ARCHIVES) for file in files)
    if is_corpus(path) or any(file.endswith(SOURCES) for file in files) or not (top or archives):
        yield ProjectSource(name, name_of(path))
        return
    for entry in inside:
        if not entry.is_symlink() and (entry.is_dir() or entry.name.endswith(ARCHIVES)):
            yield from _projects(Path(entry.path), "" if top else f"{name}/")


def _bulk(archive: Path, name: str) -> Iterator[ProjectSource]:
    """The entries of a tar file of archives, as arXiv ships its papers; any other tar file is one project."""
    try:
        with tarfile.open(archive, "r:") as tar:
            first = [member.name for member in tar if member.isreg()][:_BULK_SAMPLE]
            if first and all(one.endswith((*ARCHIVES, *_PRINTED)) for one in first):
                for member in tar:
                    if member.isreg() and member.name.endswith(ARCHIVES):
                        inner = _clean(_without_suffix(Path(member.name).name))
                        suffix = Path(member.name).suffix
                        yield ProjectSource(inner, name_of(archive), member.offset_data, member.size, suffix)
                return
    except (tarfile.TarError, OSError, EOFError):
        pass  # The reader says what is wrong with it.
    yield ProjectSource(name, name_of(archive))


def _without_suffix(name: str) -> str:
    """The name of an archive without its endings."""
    for suffix in ARCHIVES:
        if name.endswith(suffix) and name != suffix:
            return name[: -len(suffix)]
    return name


def _clean(name: str) -> str:
    """A name without signs that mean something in ids, filters or a terminal."""
    return _UNUSUAL.sub("-", name) or "project"
