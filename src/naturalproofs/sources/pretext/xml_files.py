"""XML files as trees of elements with their lines. Inclusions are followed inside the project only.

Entities are refused unless they are short, nothing is fetched, and files, inclusions and nesting are limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from xml.parsers import expat

from naturalproofs.records import Diagnostic, Severity
from naturalproofs.sources.reading.project_folder import ProjectFolder, Refused
from naturalproofs.sources.reading.text_files import decode

MAX_DEPTH = 120
"""Elements inside one another, inclusions counted."""
MAX_SIZE = 64 << 20
"""Bytes of a document, each file counted as often as it is included."""

_LONGEST_ENTITY = 16
"""An entity may stand for a character or a word; it cannot make a document much longer."""
Node: TypeAlias = "Element | str"


@dataclass(slots=True, eq=False)
class Element:
    """An element with what it holds, in order."""

    tag: str
    attributes: dict[str, str]
    path: str
    line: int
    children: list[Node] = field(default_factory=list)

    def elements(self) -> Iterator[Element]:
        """The elements directly inside."""
        return (child for child in self.children if isinstance(child, Element))

    def find(self, tag: str) -> Element | None:
        """The first element of this name directly inside."""
        return next((child for child in self.elements() if child.tag == tag), None)

    def descendants(self) -> Iterator[Element]:
        """All elements inside, in document order, and this one."""
        pending = [self]
        while pending:
            element = pending.pop()
            yield element
            pending.extend(reversed(list(element.elements())))

    def text(self) -> str:
        """The characters directly and indirectly inside."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    @property
    def id(self) -> str:
        """The name by which it is cited."""
        return self.attributes.get("xml:id", "") or self.attributes.get("label", "")


@dataclass(frozen=True, slots=True)
class _File:
    """A parsed file, and with its inclusions: its size, and how deep its elements nest."""

    root: Element
    size: int
    height: int


class _Malformed(Exception):
    """Why a file is not read: the rule, the line and the column."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


class XmlFiles:
    """Opens the XML files of one project, each once."""

    def __init__(self, root: Path) -> None:
        """Bind the folder outside of which nothing is read."""
        self.tree = ProjectFolder(root)
        self.diagnostics: list[Diagnostic] = []
        self._files: dict[Path, _File | None] = {}
        self._open: list[Path] = []

    def document(self, path: Path) -> Element | None:
        """The root element of a document with all inclusions; None if it is not well-formed, with a diagnostic."""
        file = self._load(path)
        return file.root if file is not None else None

    def _load(self, path: Path) -> _File | None:
        if path in self._files:
            return self._files[path]
        name = self.tree.name(path)
        data = self.tree.read(path)
        file = None
        if data is None:
            self._report(name, 1, "error", "unreadable", "cannot be read; it was left out")
        else:
            try:
                root, height = _parse(data, name)
            except _Malformed as problem:
                self._report(name, problem.line, "error", "malformed-xml", str(problem), problem.column)
            else:
                self._open.append(path)
                file = self._with_inclusions(_File(root, len(data), height), path.parent)
                self._open.pop()
        self._files[path] = file
        return file

    def _with_inclusions(self, file: _File, folder: Path) -> _File:
        """Replace all inclusions of a file by what they name."""
        size, height = file.size, file.height
        pending = [(file.root, 1)]
        while pending:
            element, depth = pending.pop()
            children: list[Node] = []
            for child in element.children:
                if isinstance(child, str):
                    children.append(child)
                elif not child.tag.endswith(":include"):
                    children.append(child)
                    pending.append((child, depth + 1))
                elif isinstance(found := self._included(child, folder, size, depth), _File):
                    children.append(found.root)
                    size, height = size + found.size, max(height, depth + found.height)
                else:
                    children.extend(found)
            element.children = children
        return _File(file.root, size, height)

    def _included(self, element: Element, folder: Path, size: int, depth: int) -> _File | list[Node]:
        """What stands in place of an inclusion: a file, a text, or else the fallback."""
        name = element.attributes.get("href", "")
        found = self.tree.find(name, (folder,), ("",)) if name else Refused("missing-file", "names no file")
        if not isinstance(found, Refused) and found in self._open:
            found = Refused("recursive-input", "includes itself")
        if not isinstance(found, Refused):
            if element.attributes.get("parse") == "text":
                return [self._plain(found)]
            file = self._load(found)
            if file is None:
                return []
            if size + file.size <= MAX_SIZE and depth + file.height <= MAX_DEPTH:
                return file
            limit = f"larger than {MAX_SIZE >> 20} MB or more than {MAX_DEPTH} elements inside one another"
            found = Refused("too-large", f"with this file the document is {limit}; it was left out")
        fallback = next((child for child in element.elements() if child.tag.endswith(":fallback")), None)
        if fallback is not None:
            return [child for child in fallback.children if isinstance(child, str) or ":" not in child.tag]
        self._report(element.path, element.line, "warning", found.rule, f"{name}: {found.message}")
        return []

    def _plain(self, path: Path) -> str:
        return decode(self.tree.read(path) or b"").text or ""

    def _report(self, path: str, line: int, severity: Severity, rule: str, message: str, column: int = 1) -> None:
        self.diagnostics.append(Diagnostic(path, line, column, severity, rule, message))


def _parse(data: bytes, path: str) -> tuple[Element, int]:
    """The root element of a file, and how deep its elements nest."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    top = Element("", {}, path, 1)
    stack = [top]
    height = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal height
        height = max(height, len(stack))
        if height > MAX_DEPTH:
            raise _Malformed(f"elements nest deeper than {MAX_DEPTH}", parser.CurrentLineNumber)
        element = Element(tag, attributes, path, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def characters(text: str) -> None:
        stack[-1].children.append(text)

    def check_entity(name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if value is not None and not is_parameter and "&" not in value and len(value) <= _LONGEST_ENTITY:
            return
        message = f"declares the entity {name[:40]}; only short names for characters are allowed"
        raise _Malformed(message, parser.CurrentLineNumber)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: stack.pop()
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = check_entity
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        what = _bad_encoding(data) or f"not well-formed XML ({expat.ErrorString(error.code)})"
        raise _Malformed(what, error.lineno, error.offset + 1) from error
    except (LookupError, ValueError) as error:
        raise _Malformed(f"not readable in the encoding that it declares ({error})") from error
    return next(top.elements()), height


def _bad_encoding(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        declared = b"encoding" in data[:200] and b"utf-8" not in data[:200].lower()
        return "" if declared else f"not valid UTF-8 at byte {error.start}; save the file as UTF-8"
    return ""
