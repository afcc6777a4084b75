"""``project.ptx``: the documents of a project, and the publication file that says how they are numbered."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from naturalproofs.pretext.numbering import Levels
from naturalproofs.pretext.xml_files import Element, XmlFiles

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
