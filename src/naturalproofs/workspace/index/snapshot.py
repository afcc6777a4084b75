"""What a project looked like when it was read: every file by content, and every name that was sought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.latex.cache import CachedLookup, look_up
from naturalproofs.latex.documents import printed_numbers
from naturalproofs.latex.main_file import look as look_into
from naturalproofs.latex.main_file import tex_files
from naturalproofs.latex.settings import FILE
from naturalproofs.latex.tree import Tree
from naturalproofs.records import InputFile
from naturalproofs.workspace.index.outlines import Outline


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A project by content; equal contents are read to equal corpora."""

    files: dict[str, str]
    """Hashes of all files that were read, or looked at to find the main one; empty for those that cannot be read."""
    listed: tuple[str, ...]
    """The LaTeX files of the folder, where the main one had to be found."""
    settings: str
    """The hash of ``naturalproofs.toml``, if there is one."""
    lookups: tuple[CachedLookup, ...]
    mains: dict[str, tuple[str, ...]]
    """Main files, and the files each document consists of."""
    numbers: str
    """The hash of the numbers that LaTeX left in ``.aux`` files."""


@dataclass(frozen=True, slots=True)
class Changes:
    """How a project differs from a snapshot."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    otherwise: bool = False
    """Settings, numbers or what a name leads to."""

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.gone or self.otherwise)


def take(path: Path, documents: Sequence[Outline], inputs: Iterable[InputFile]) -> Snapshot:
    """The snapshot of a project that was just read; a file that changed meanwhile counts as it was read."""
    tree = _tree(path)
    listed = _listed(path, tree)
    files = {file.path: file.sha256 for document in documents for file in document.files}
    files.update({file.path: file.sha256 for file in inputs})
    files.update({name: tree.digest(tree.root / name) for name in listed if name not in files})
    mains = {document.main: tuple(file.path for file in document.files) for document in documents}
    # Most documents have the very same list.
    lists = {id(document.lookups): document.lookups for document in documents}
    lookups = dict.fromkeys(lookup for one in lists.values() for lookup in one)
    return Snapshot(files, listed, _settings(tree), tuple(lookups), mains, _numbers(tree, mains))


def compare(path: Path, old: Snapshot) -> Changes:
    """What changed since a snapshot was taken."""
    tree = _tree(path)
    listed = _listed(path, tree)
    changed: list[str] = []
    gone: list[str] = []
    for name, digest in old.files.items():
        now = tree.digest(tree.root / name)
        if now != digest:
            (changed if now else gone).append(name)
    otherwise = (
        _settings(tree) != old.settings
        or any(look_up(tree, lookup) != lookup.found for lookup in old.lookups)
        or _numbers(tree, old.mains) != old.numbers
    )
    added = tuple(name for name in listed if name not in old.files)
    return Changes(tuple(changed), added, tuple(gone), otherwise or set(listed) != set(old.listed))


def looks_of(root: Path, names: Iterable[str]) -> dict[str, str]:
    """What files say about which of them is the main one, as hashes."""
    found = {}
    for name in names:
        _, document_class, has_document, included = look_into(root / name)
        found[name] = sha256_bytes(repr((document_class, has_document, sorted(included))).encode())
    return found


def _tree(path: Path) -> Tree:
    path = path.resolve()
    return Tree(path if path.is_dir() else path.parent, [])


def _listed(path: Path, tree: Tree) -> tuple[str, ...]:
    if not path.is_dir():
        return ()
    # Nothing but a link can lead elsewhere: the folder is resolved, and linked folders are not entered.
    found = (file.resolve() if file.is_symlink() else file for file in tex_files(tree.root))
    return tuple(file.relative_to(tree.root).as_posix() for file in found if file.is_relative_to(tree.root))


def _settings(tree: Tree) -> str:
    return tree.digest(tree.root / FILE)


def _numbers(tree: Tree, mains: dict[str, tuple[str, ...]]) -> str:
    found = [sorted(printed_numbers(tree, tree.root / main, files).items()) for main, files in mains.items()]
    return sha256_bytes(repr(found).encode("utf-8", "replace")) if any(found) else ""
