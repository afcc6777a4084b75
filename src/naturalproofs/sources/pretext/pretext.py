"""The documents of a PreTeXt project, and reading them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.io.listing import files_below, folders_above, highest_folder, shown_folder
from naturalproofs.progress import Progress, silent
from naturalproofs.records import KINDS, Draft, Kind, Rules
from naturalproofs.sources.pretext.reader import DIVISIONS, DOCUMENTS, ROOTS, STATEMENTS, Levels, Reader, keys_of
from naturalproofs.sources.pretext.xml_files import Element, XmlFiles
from naturalproofs.sources.reading.builders import Reading
from naturalproofs.sources.reading.resolve_labels import (
    by_chapter_or_section,
    resolve_labels,
    with_documents,
)
from naturalproofs.sources.reading.settings import read_settings
from naturalproofs.sources.reading.text_files import read_bytes
from naturalproofs.sources.registry import SourceInfo, source_info

# ``project.ptx``: the documents of a project, and the publication file that says how they are numbered.

MANIFEST = "project.ptx"


class Manifest(NamedTuple):
    """The main files that exist, in order and without repeats, and the numbering of the first publication."""

    sources: tuple[Path, ...] = ()
    levels: Levels = Levels()


def read_manifest(files: XmlFiles, path: Path) -> Manifest:
    """Read a ``project.ptx``, of the first or the second version; one that is malformed names nothing."""
    project = files.document(path)
    if project is None:
        return Manifest()
    targets = [element for element in project.descendants() if element.tag == "target"]
    version_2 = "ptx-version" in project.attributes
    found: dict[str, list[Path]] = {}
    for name, folder, usual in (("source", "source", "main.ptx"), ("publication", "publication", "publication.ptx")):
        base = path.parent / project.attributes.get(name, folder) if version_2 else path.parent
        written = [_value(target, name) or (usual if version_2 else "") for target in targets]
        inside = (_existing(base / value, files.tree.root) for value in dict.fromkeys(written) if value)
        found[name] = [file for file in inside if file is not None]
    levels = _levels(files, found["publication"][0]) if found["publication"] else Levels()
    return Manifest(tuple(dict.fromkeys(found["source"])), levels)


def _value(target: Element, name: str) -> str:
    """The value of a setting, which is an attribute in newer files and an element in older ones."""
    child = target.find(name)
    return target.attributes.get(name, "") or (child.text().strip() if child is not None else "")


def _existing(path: Path, root: Path) -> Path | None:
    try:
        resolved = path.resolve()
        return resolved if resolved.is_relative_to(root) and resolved.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _levels(files: XmlFiles, publication: Path) -> Levels:
    root = files.document(publication)
    elements = list(root.descendants()) if root is not None else []

    def number(tag: str, attribute: str = "level") -> int | None:
        values = [element.attributes.get(attribute, "") for element in elements if element.tag == tag]
        return next((int(value) for value in values if value.isascii() and value.isdigit() and len(value) < 4), None)

    first = number("divisions", "chapter-start")
    return Levels(number("blocks"), number("projects"), number("figures"), 1 if first is None else first)


SUFFIXES = (".xml", ".ptx", ".mbx")
_GENERATED = frozenset({"output", "published", "generated-assets", "generated", "node_modules"})
_UP = 4
"""How many folders above a file are searched for the document that includes it."""
_BESIDE = 2
"""How many folders above a file that was given files are read from, outside of a repository."""
_SAME = 0.5
"""A document that shares this part of its labels with those before it is another version of them."""
_HEAD = 20_000
_PROLOGUE = re.compile(rb"\s*+(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*>)", re.DOTALL)
_PARTS = ROOTS | DOCUMENTS | DIVISIONS | {"project", *STATEMENTS}
_BLOCK = re.compile(rf"<(?:{'|'.join(STATEMENTS)})(?=[\s>])".encode())
_TAG = re.compile(rb"\s*+<([a-zA-Z]++)(?![:a-zA-Z-])")


@dataclass(frozen=True)
class Project:
    """A PreTeXt project: its folder, its ``project.ptx``, or the file of a document."""

    info: SourceInfo
    mains: tuple[str, ...] = ()
    """The main files of a folder; chosen by the project's settings, or by what the folder holds, if none are given."""

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read all documents: those of ``project.ptx`` first, then others in the folder."""
        given, path = path, path.resolve()
        folder = path if path.is_dir() else path.parent
        root = folder if path.is_dir() else _boundary(path)
        settings = read_settings(folder)
        kinds = {tag: role for tag, role in settings.environments.items() if role in KINDS}
        documents = _Documents(XmlFiles(root), kinds)
        manifests = _manifests(documents.files, path)
        chosen = [(folder / main).resolve() for main in self.mains or settings.main] if path.is_dir() else []
        mains = chosen or _mains(path, manifests)
        for done, main in enumerate(mains):
            progress(done, len(mains))
            documents.read(main, next((one for one in manifests if main in one.sources), Manifest()))
        progress(len(mains), len(mains))
        if not documents.mains:
            raise BadSchema(f"{given}: no document could be read: {documents.files.diagnostics[0]}")
        draft = resolve_labels(
            documents.reading,
            corpus=name,
            document=name,
            inputs=documents.files.tree.files_read.values(),
            categories=by_chapter_or_section,
            about={**documents.about, **settings.about},
            prefixes=dict.fromkeys(documents.mains, ""),
        )
        if len(documents.mains) > 1:
            statements = with_documents(draft.statements, documents.reading, documents.mains)
            draft = replace(draft, statements=statements)
        labels = {anchor.label for anchor in documents.reading.anchors}
        found = sum(key in labels for key in documents.references)
        counted = f"{found:,} of {len(documents.references):,} cross-references lead to an element"
        return replace(
            draft,
            diagnostics=(*documents.files.diagnostics, *draft.diagnostics),
            root=shown_folder(given, root),
            notes=documents.notes,
            summary=f"reading {', '.join(documents.mains.values())}; {counted}",
        )


class _Documents:
    """Reads documents one after the other; a file belongs to the first document that includes it."""

    def __init__(self, files: XmlFiles, kinds: Mapping[str, Kind]) -> None:
        self.files, self.kinds = files, kinds
        self.reading = Reading()
        self.about: dict[str, str] = {}
        self.mains: dict[str, str] = {}
        """The main files that were read, by scope."""
        self.references: list[str] = []
        """The key of each cross-reference, those of running text included."""
        self.notes: dict[str, str] = {}
        """Why files were not read."""
        self._taken: frozenset[str] = frozenset()

    def read(self, main: Path, manifest: Manifest) -> None:
        """Read a document; a malformed one is reported and left out."""
        if not main.is_relative_to(self.files.tree.root):
            raise SourceNotFound(f"{main}: lies outside of the project's folder")
        path = PurePosixPath(self.files.tree.name(main))
        document = self.files.document(main) if str(path) not in self._taken else None
        if document is None:
            return
        body = next((child for child in document.elements() if child.tag in DOCUMENTS), document)
        scope = str(path.with_suffix(""))
        scope = scope if scope not in self.mains else str(path)
        own = Reading()
        escaped = document.tag in ROOTS
        Reader(own, scope, manifest.levels, self.kinds, self._taken, escaped=escaped).read(body)
        labels = {anchor.label for anchor in own.anchors}
        known = {anchor.label for anchor in self.reading.anchors}
        if labels and len(labels & known) >= _SAME * len(labels):
            files = self.files.tree.files_read.keys() - self._taken
            self.notes |= dict.fromkeys(files, f"{path} is a version of {', '.join(self.mains.values())}")
            return
        self.reading.extend(own)
        self.mains[scope] = str(path)
        self.about = self.about or _about(body)
        self._taken = frozenset(self.files.tree.files_read)
        cited = (element for element in body.descendants() if element.tag == "xref")
        self.references.extend(key for element in cited for key in keys_of(element))


def count_statements(path: Path) -> dict[str, int]:
    """How many statements each file of a PreTeXt project has, by the names of elements; nothing if there is none."""
    if path.is_dir():
        files = list(files_below(path, SUFFIXES, _GENERATED))
        if not any(_root_tag(file) in ROOTS for file in files):
            return {}
        return {file.relative_to(path).as_posix(): _count(file) for file in files}
    is_part = path.name.endswith(SUFFIXES) and _root_tag(path) in _PARTS
    return {path.name: _count(path)} if is_part else {}


def _count(file: Path) -> int:
    return sum(1 for _ in _BLOCK.finditer(read_bytes(file) or b""))


def project_of(path: Path) -> Path:
    """The folder of the project that a file belongs to, or else the file itself."""
    here = path.resolve()
    if path.is_dir() or here.name == MANIFEST or _root_tag(here) in ROOTS:
        return path
    above = sorted(folders_above(here, _UP), key=lambda folder: not (folder / MANIFEST).is_file())
    for folder in above:
        if any(_includes(folder, main, here) for main in files_below(folder, SUFFIXES, _GENERATED, levels=2)):
            return folder
    return path


def _includes(folder: Path, main: Path, file: Path) -> bool:
    """Whether a file of a folder is a document that includes another file."""
    if _root_tag(main) not in ROOTS:
        return False
    files = XmlFiles(folder)
    files.document(main)
    return files.tree.name(file) in files.tree.files_read


def xml_files(folder: Path) -> Iterator[Path]:
    """The files of a folder that may belong to its documents."""
    return files_below(folder, SUFFIXES, _GENERATED)


def _boundary(path: Path) -> Path:
    """The nearest folder that holds a file that was given and all that it reads, in its repository or just above."""
    limit = highest_folder(path, _BESIDE)
    files = XmlFiles(limit)
    for main in _mains(path, _manifests(files, path)):
        files.document(main)
    return Path(os.path.commonpath([path.parent, *((limit / name).parent for name in files.tree.files_read)]))


def _manifests(files: XmlFiles, path: Path) -> list[Manifest]:
    if path.is_dir():
        return [read_manifest(files, file) for file in xml_files(path) if file.name == MANIFEST]
    beside = path if path.name == MANIFEST else path.parent / MANIFEST
    return [read_manifest(files, beside)] if beside.is_file() else []


def _mains(path: Path, manifests: list[Manifest]) -> list[Path]:
    """The documents to read."""
    if path.is_file() and path.name != MANIFEST:
        return [path]
    declared = [source for manifest in manifests for source in manifest.sources]
    found = [(file, _root_tag(file)) for file in (xml_files(path) if path.is_dir() else ())]
    roots = [file for file, tag in found if tag in ROOTS]
    if not declared and not roots:
        raise SourceNotFound(f"{path}: no PreTeXt document here; give the file that begins with <pretext>")
    return list(dict.fromkeys([*declared, *roots, *(file for file, tag in found if tag in DOCUMENTS)]))


def _root_tag(file: Path) -> str:
    """The name of a file's root element, as far as its beginning shows."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return ""
    at = 0
    while (skipped := _PROLOGUE.match(head, at)) is not None:
        at = skipped.end()
    found = _TAG.match(head, at)
    return found[1].decode("ascii") if found else ""


def _about(document: Element) -> dict[str, str]:
    """The title and the authors."""
    title = document.find("title")
    authors = [
        name.text()
        for front in document.descendants()
        if front.tag in ("titlepage", "bibinfo")
        for author in front.descendants()
        if author.tag == "author" and (name := author.find("personname")) is not None
    ]
    found = {"title": title.text() if title is not None else "", "authors": ", ".join(dict.fromkeys(authors))}
    return {key: " ".join(value.split()) for key, value in found.items() if value.strip()}


PRETEXT = Project(source_info("pretext"))
