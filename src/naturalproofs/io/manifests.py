"""Folders with a manifest: a JSON file, written last, that names the schema version and the hash of each file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Generic, Protocol, TypeVar

import msgspec

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.files import recover_folder
from naturalproofs.io.hashing import sha256_file


class Describing(Protocol):
    """The fields that every manifest has."""

    @property
    def schema(self) -> int:
        """Version of the file format; incremented when older readers would misread the files."""
        ...

    @property
    def files(self) -> dict[str, str]:
        """Hashes of the folder's own files."""
        ...


Manifest = TypeVar("Manifest", bound=Describing)


@dataclass(frozen=True, slots=True)
class FolderKind(Generic[Manifest]):
    """A kind of folder, and the error for a folder that is not one or is not complete."""

    what: str
    manifest: str
    """Name of the manifest file."""
    record: type[Manifest]
    schema: int
    make: str
    """The command that makes such a folder."""
    again: str
    """Advice for a damaged folder."""
    error: type[NaturalProofsError]

    def read(self, folder: Path) -> Manifest:
        """The manifest of a folder."""
        recover_folder(folder)
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
        """The path of a file of the folder, after comparing its hash with the manifest."""
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise self.error(f"{folder / self.manifest}: names {name!r}, a file outside its folder; {self.again}")
        path = folder / name
        if not path.is_file():
            raise self.error(f"{path}: missing; {self.again}")
        if sha256_file(path) != manifest.files.get(name):
            raise self.error(f"{path}: changed since it was written; {self.again}")
        return path


def pretty(value: object) -> bytes:
    """JSON with indentation and a final newline."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
