r"""Documents that use one another's labels by ``\externaldocument``: their order, their prefixes, what they borrow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.latex.discover import Discovery
from naturalproofs.latex.files import TexFile
from naturalproofs.latex.gathered import Gathered
from naturalproofs.latex.kept import KeptDocument, Other
from naturalproofs.latex.names import Borrowed
from naturalproofs.latex.tree import Refused, Trail, Tree
from naturalproofs.records import Origin

_LABEL = re.compile(r"^[^%\n]*?\\label\s*\{([^{}]*)\}", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """A main file and the other documents it names; and all that is known about it, or what was kept of it."""

    path: str
    length: int
    others: tuple[Other, ...]
    language: Language | None = None
    kept: KeptDocument | None = None

    @property
    def scope(self) -> str:
        """What its labels are local to."""
        return Path(self.path).with_suffix("").as_posix()


@dataclass(frozen=True, slots=True)
class Language:
    """A main file that was opened, what was gathered about its language, and the files that this took."""

    file: TexFile
    gathered: Gathered
    trail: Trail


def open_document(tree: Tree, file: TexFile) -> Document:
    """Discover a document."""
    trail = tree.trail = Trail({(tree.root / file.path): None})
    gathered = Discovery(tree).run(file)
    folder = (tree.root / file.path).parent
    others = []
    for where, external in gathered.externals:
        found = tree.find(external.file, (folder, tree.root), (".tex", ""))
        path = None if isinstance(found, Refused) else found.relative_to(tree.root).as_posix()
        others.append((external.prefix, path, Origin(where, 1)))
    tree.trail = Trail()  # What is looked for from now on has nothing to do with this document.
    return Document(file.path, len(file.text), tuple(others), Language(file, gathered, trail))


def are_linked(documents: Sequence[Document]) -> bool:
    """Whether every document is tied to every other one, directly or through others."""
    paths = {document.path for document in documents}
    links = {document.path: {path for _, path, _ in document.others if path in paths} for document in documents}
    reached, pending = set[str](), [documents[0].path]
    while pending:
        one = pending.pop()
        if one not in reached:
            reached.add(one)
            pending.extend(links[one])
            pending.extend(other for other, linked in links.items() if one in linked)
    return reached == paths


def in_order(documents: Sequence[Document]) -> list[Document]:
    """Reading order: as the longest list of documents has it, with those that nobody lists first."""
    longest = max(documents, key=lambda document: (len(document.others), document.length))
    listed: dict[str, int] = {}
    for _, path, _ in longest.others:
        if path is not None:
            listed.setdefault(path, len(listed))
    return sorted(documents, key=lambda document: listed.get(document.path, -1))


def prefixes(documents: Sequence[Document]) -> dict[str, str]:
    """What is put before the labels of each document: what the others put before them."""
    by_path = {document.path: document.scope for document in documents}
    found = dict.fromkeys(by_path.values(), "")
    for document in documents:
        for prefix, path, _ in document.others:
            if path in by_path and not found[by_path[path]]:
                found[by_path[path]] = prefix
    return found


def borrowed(tree: Tree, documents: Sequence[Document], *, scoped: bool) -> dict[str, tuple[Borrowed, ...]]:
    """The labels that each document may use from others, by scope."""
    by_path = {document.path: document.scope for document in documents}
    found = {}
    for document in documents:
        names = tuple(
            Borrowed(prefix, by_path[path], origin)
            if path in by_path
            else Borrowed(prefix, None, origin, None if prefix else _labels(tree, path))
            for prefix, path, origin in document.others
        )
        if names:
            found[document.scope if scoped else ""] = names
    return found


def _labels(tree: Tree, path: str | None) -> frozenset[str]:
    """The labels of a document that lies in the project but is not read."""
    file = tree.open(tree.root / path) if path else None
    if file is None:
        return frozenset()
    discovery = Discovery(tree)
    discovery.run(file)
    return frozenset(label for one in discovery.files for label in _LABEL.findall(one.text))
