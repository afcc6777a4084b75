"""The folder of a written site: only changed files are written, and only files of the site are removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.files import Directory, check_free, open_directory

MANIFEST = "site.json"
"""The files of the site; a folder without it is not ours. It is written first for a new folder, and last."""


class Manifest(msgspec.Struct, frozen=True):
    """What a site folder says about itself."""

    schema: int
    name: str
    """The name of the corpus."""
    files: list[str]
    """The paths of all files, sorted."""


SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to the folder."""

    files: int
    changed: int
    removed: int


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder; None if it has none that can be read."""
    try:
        found = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return found if found.schema == SCHEMA else None


def check_folder(folder: Path) -> None:
    """Refuse a folder that is neither empty nor a site."""
    check_free(folder, lambda path: read_manifest(path) is not None)


def write_site(
    folder: Path, name: str, files: Iterable[tuple[str, bytes]], report: Callable[[int], None] | None = None
) -> Written:
    """Write the files of a site.

    Each file is replaced in one step, and only if its contents differ. Files of the last time that are not among the
    new ones are removed; other files, such as those of a web host, stay.

    Args:
        folder: The folder; it is made if it is missing.
        name: The name of the corpus.
        files: Paths with `/`, and contents; no path occurs twice.
        report: Called with the number of files done.
    """
    check_folder(folder)
    before = read_manifest(folder) or Manifest(SCHEMA, name, [])
    with open_directory(folder, folder, create=True) as root:
        root.write(MANIFEST, msgspec.json.encode(before), sync=True)
    written, changed = set[str](), 0
    for path, data in files:
        changed += _write(folder, path, data)
        written.add(path)
        if report is not None:
            report(len(written))
    removed = sorted(set(before.files) - written)
    for path in removed:
        _remove(folder, path)
    manifest = msgspec.json.format(msgspec.json.encode(Manifest(SCHEMA, name, sorted(written))), indent=1)
    with open_directory(folder, folder) as root:
        root.write(MANIFEST, manifest, sync=True)
    return Written(len(written), changed, len(removed))


def _write(root: Path, path: str, data: bytes) -> bool:
    """Write a file unless it has this content already; whether it was written."""
    place = _inside(root, path)
    try:
        with open_directory(root, place.parent, create=True) as directory:
            if _same(directory, place.name, data):
                return False
            directory.write(place.name, data)
    except OSError as error:
        if error.errno is not None and error.filename is not None:
            error.filename, error.filename2 = str(place), None
        raise
    return True


def _same(directory: Directory, name: str, data: bytes) -> bool:
    try:
        return directory.read(name) == data
    except OSError:
        return False


def _remove(root: Path, path: str) -> None:
    """Remove a file that the manifest names; the manifest is not trusted."""
    try:
        place = _inside(root, path)
        with open_directory(root, place.parent) as directory:
            directory.remove(place.name)
    except (OSError, OutputInTheWay):
        return


def _inside(root: Path, path: str) -> Path:
    """The place of a file below the root."""
    parts = PurePosixPath(path).parts
    if not parts or ".." in parts or path.startswith("/") or "\0" in path:
        raise OutputInTheWay(f"{path!r}: not a path inside the site")
    return root.joinpath(*parts)
