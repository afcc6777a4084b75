r"""Documents of a project: how they are linked by ``\externaldocument``, and the numbers in ``.aux`` files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from naturalproofs.io.listing import name_of
from naturalproofs.records import Origin
from naturalproofs.sources.latex.project.cached_document import CachedDocument, OtherDocument
from naturalproofs.sources.latex.project.outline import STYLES, connected, outline_of
from naturalproofs.sources.latex.project.tree import TexFile, Tree
from naturalproofs.sources.latex.read.citations import find_labels
from naturalproofs.sources.latex.read.discovery import Discovery, DocumentDefinitions
from naturalproofs.sources.latex.scan.arguments import plain_title, read_group, read_groups, read_option
from naturalproofs.sources.reading.project_folder import AccessLog, Refused
from naturalproofs.sources.reading.resolve_labels import ExternalLabels
from naturalproofs.sources.reading.text_files import decode, first_encoding, read_bytes

_NEW_LABEL = re.compile(r"\\newlabel\s*(?=\{)|\\@input\s*\{([^{}]*)\}")
_AUX_MARKUP = re.compile(r"\\[a-zA-Z@]+\s*|[{}$\s]")
_MAX_AUX_FILES = 1_000
_MAX_PREAMBLE_FILES = 200
_PREAMBLE_ENDINGS = ("", ".tex", *STYLES)
_TITLE = re.compile(r"^[^%\n]*?\\title(?![a-zA-Z])", re.MULTILINE)
_TITLE_FILES = 20
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Document:
    """A main file and the other documents it names; it was opened, or it comes from the cache."""

    path: str
    length: int
    others: tuple[OtherDocument, ...]
    source: Opened | CachedDocument

    @property
    def scope(self) -> str:
        """What its labels are local to."""
        return Path(self.path).with_suffix("").as_posix()


@dataclass(frozen=True, slots=True)
class Opened:
    """A main file that was opened: what its files define, and the files that were needed to find out."""

    definitions: DocumentDefinitions
    log: AccessLog


def open_document(tree: Tree, file: TexFile) -> Document:
    """Discover what a document defines and which other documents it names."""
    log = tree.log = AccessLog({tree.path(file.path): None})
    definitions = Discovery(tree).run(file)
    folder = tree.path(file.path).parent
    others = []
    for where, external in definitions.externals:
        found = tree.find(external.file, (folder, tree.root), (".tex", ""))
        path = None if isinstance(found, Refused) else tree.name(found)
        others.append(OtherDocument(external.prefix, path, Origin(where, 1)))
    tree.log = AccessLog()  # Later accesses have nothing to do with this document.
    return Document(file.path, len(file.text), tuple(others), Opened(definitions, log))


def project_encoding(tree: Tree, mains: Iterable[Path]) -> str:
    """The encoding that a main file or a file of its preamble declares: it holds for all files that declare none."""
    for main in mains:
        outline = outline_of((read_bytes(main) or b"").partition(b"\\begin{document}")[0], main.name)
        names = [name for name in (outline.document_class, *outline.packages, *outline.inputs) if name]
        folders = tuple(dict.fromkeys((main.resolve().parent, tree.root)))
        found = (tree.find(name, folders, _PREAMBLE_ENDINGS) for name in names[:_MAX_PREAMBLE_FILES])
        encoding = first_encoding(chain([main], (path for path in found if not isinstance(path, Refused))))
        if encoding:
            return encoding
    return ""


def document_title(tree: Tree, files: Iterable[str]) -> str:
    r"""The ``\title`` of a document, from the first of its files that has one; empty if it cannot be read as text."""
    for name in islice(files, _TITLE_FILES):
        text = decode(read_bytes(tree.path(name)) or b"", tree.encoding).text or ""
        if (match := _TITLE.search(text)) is None:
            continue
        option = read_option(text, match.end())
        group = read_group(text, option.end if option else match.end())
        title = " ".join(plain_title(group.text).split()) if group else ""
        if title and "\\" not in title and "#" not in title and len(title) <= _LONGEST_TITLE:
            return title
    return ""


def are_linked(documents: Sequence[Document]) -> bool:
    """Whether all documents are connected, directly or through others."""
    paths = {document.path for document in documents}
    pairs = ((one.path, other.path) for one in documents for other in one.others if other.path in paths)
    return paths == {*connected(documents[0].path, pairs)}


def in_order(documents: Sequence[Document]) -> list[Document]:
    """Reading order: as the longest list of documents has it, with those that are not listed first."""
    longest = max(documents, key=lambda document: (len(document.others), document.length))
    listed: dict[str, int] = {}
    for other in longest.others:
        if other.path is not None:
            listed.setdefault(other.path, len(listed))
    return sorted(documents, key=lambda document: listed.get(document.path, -1))


def prefixes(documents: Sequence[Document]) -> dict[str, str]:
    """The prefix of each document's labels: the one that other documents use."""
    by_path = {document.path: document.scope for document in documents}
    found = dict.fromkeys(by_path.values(), "")
    for document in documents:
        for prefix, path, _ in document.others:
            if path in by_path and not found[by_path[path]]:
                found[by_path[path]] = prefix
    return found


def external_labels(
    tree: Tree, documents: Sequence[Document], *, scoped: bool
) -> dict[str, tuple[ExternalLabels, ...]]:
    """The labels that each document may use from others, by scope."""
    by_path = {document.path: document.scope for document in documents}
    found = {}
    for document in documents:
        names = tuple(
            ExternalLabels(prefix, by_path[path], origin)
            if path in by_path
            else ExternalLabels(prefix, None, origin, None if prefix else labels_of(tree, path))
            for prefix, path, origin in document.others
        )
        if names:
            found[document.scope if scoped else ""] = names
    return found


def labels_of(tree: Tree, path: str | None) -> frozenset[str]:
    """The labels of a document that lies in the project but is not read."""
    file = tree.open(tree.path(path)) if path else None
    if file is None:
        return frozenset()
    discovery = Discovery(tree)
    discovery.run(file)
    return frozenset(label.key for one in discovery.files() for label in find_labels(one.text))


def printed_numbers(tree: Tree, main: Path, files: Iterable[str]) -> dict[str, str]:
    """Numbers by label from the ``.aux`` file beside the main file; none if a file of the document is newer."""
    start = tree.find(name_of(main.with_suffix(".aux").name), (main.parent,), ("",))
    if isinstance(start, Refused) or not _is_newer(tree, start, files):
        return {}
    numbers: dict[str, str] = {}
    pending, seen = [start], {start}
    while pending and len(seen) < _MAX_AUX_FILES:
        text = (read_bytes(pending.pop()) or b"").decode("utf-8", "replace")
        for match in _NEW_LABEL.finditer(text):
            if match[1] is None:
                numbers.update(_number(text, match.end()))
                continue
            path = tree.find(match[1], (start.parent,), ("",))
            if not isinstance(path, Refused) and path not in seen and path.suffix == ".aux":
                seen.add(path)
                pending.append(path)
    return numbers


def _is_newer(tree: Tree, aux: Path, files: Iterable[str]) -> bool:
    try:
        made = aux.stat().st_mtime
        return all(tree.path(file).stat().st_mtime <= made for file in files)
    except OSError:
        return False


def _number(text: str, at: int) -> dict[str, str]:
    """The label and the number in the groups after a command."""
    groups = read_groups(text, at, 2)
    number = read_group(groups[1].text, 0) if len(groups) == 2 else None
    if number is None or groups[0].text.endswith("@cref"):
        return {}
    return {groups[0].text: _AUX_MARKUP.sub("", number.text)}
