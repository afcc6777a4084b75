"""Folders that say what they hold: a manifest of a known schema, written last, that names each file by its hash."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.hashing import sha256_file


class Describing(Protocol):
    """What every manifest says."""

    @property
    def schema(self) -> int:
        """Grows when the files change in a way that old readers would misread."""
        ...

    @property
    def files(self) -> dict[str, str]:
        """Hashes of the folder's own files."""
        ...


Manifest = TypeVar("Manifest", bound=Describing)


@dataclass(frozen=True, slots=True)
class FolderKind(Generic[Manifest]):
    """A kind of folder, and what to tell someone whose folder is not one, or not whole."""

    what: str
    manifest: str
    """The file's name."""
    record: type[Manifest]
    schema: int
    make: str
    """The command that makes such a folder."""
    again: str
    """What to do about a damaged one."""
    error: type[NaturalProofsError]

    def read(self, folder: Path) -> Manifest:
        """The manifest of a folder."""
        path = folder / self.manifest
        if not path.is_file():
            raise self.error(f"{folder}: not a {self.what} folder (no {self.manifest}); make one with '{self.make}'")
        try:
            found = msgspec.json.decode(path.read_bytes(), type=self.record)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self.error(f"{path}: damaged ({error}); {self.again}") from error
        if found.schema != self.schema:
            raise self.error(f"{path}: schema {found.schema}, this version reads {self.schema}; {self.again}")
        return found

    def checked(self, folder: Path, manifest: Manifest, name: str) -> Path:
        """A file of the folder, if it is the one that the manifest names."""
        path = folder / name
        if not path.is_file():
            raise self.error(f"{path}: missing; {self.again}")
        if sha256_file(path) != manifest.files.get(name):
            raise self.error(f"{path}: changed since it was written; {self.again}")
        return path


def pretty(value: object) -> bytes:
    """JSON for people: indented, with a final newline."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
