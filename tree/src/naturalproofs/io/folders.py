"""Folders of JSON lines with a manifest, which is written last: the schema version and the hash of each file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Generic, Protocol, TypeVar

import msgspec

from naturalproofs.errors import BadSchema, NaturalProofsError, OutputInTheWay
from naturalproofs.io.cache import BESIDE
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import recover_folder, sha256_file

Record = TypeVar("Record")

AT_ONCE = 256
"""Number of records that are encoded at once."""


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
            found = read_json(path, self.record)
        except ValueError as error:
            raise self.error(f"{path}: damaged ({error}); {self.again}") from error
        if found.schema != self.schema:
            raise self.error(f"{path}: schema {found.schema}, this version reads {self.schema}; {self.again}")
        return found

    def is_one(self, folder: Path) -> bool:
        """Whether a folder is of this kind, of any version: other programs have files with the manifest's name too."""
        return self._decoded(folder) is not None

    def may_replace(self, folder: Path) -> bool:
        """Whether a folder is of this kind, and can be replaced.

        Raises:
            OutputInTheWay: It holds something that was not written with it.
        """
        manifest = self._decoded(folder)
        if manifest is None:
            return False
        check_only_ours(folder, self.manifest, manifest.files)
        return True

    def _decoded(self, folder: Path) -> Manifest | None:
        path = folder / self.manifest
        try:
            return read_json(path, self.record) if path.is_file() else None
        except (OSError, ValueError):
            return None

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


def check_only_ours(folder: Path, manifest: str, files: Mapping[str, str]) -> None:
    """Refuse to replace a folder that holds a file which was added, or changed after it was written.

    Args:
        folder: The folder, whose own cache is left out.
        manifest: The name of its manifest.
        files: The hashes of the other files, as the manifest has them.
    """
    for name in file_names(folder):
        if name == manifest or name.startswith(f"{BESIDE}/"):
            continue
        if name not in files or hash_of_file(folder / name) != files[name]:
            raise OutputInTheWay(
                f"{folder / name}: added or changed since {folder} was made; "
                "move it away, choose another output, or remove the folder"
            )


def file_names(folder: Path) -> Iterator[str]:
    """The paths of everything below a folder that is not a folder itself, with `/`; a link is not followed."""
    for parent, folders, names in os.walk(folder, onerror=_raise):
        here = Path(parent)
        for name in [*names, *(one for one in folders if (here / one).is_symlink())]:
            yield (here / name).relative_to(folder).as_posix()


def _raise(error: OSError) -> None:
    raise error


def hash_of_file(path: Path) -> str:
    """The hash of a file; a link or a device has none."""
    return sha256_file(path) if path.is_file() and not path.is_symlink() else ""


def pretty(value: object) -> bytes:
    """JSON with indentation and a final newline."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def json_lines(records: Iterable[object]) -> Iterator[bytes]:
    """Each record as one line of JSON, some lines at a time."""
    encoder, remaining = msgspec.json.Encoder(), iter(records)
    while some := list(islice(remaining, AT_ONCE)):
        yield encoder.encode_lines(some)


def hash_of_lines(records: Iterable[object]) -> str:
    """The hash of the records as they are written."""
    found = sha256()
    for lines in json_lines(records):
        found.update(lines)
    return found.hexdigest()


def write_jsonl(path: Path, records: Iterable[object]) -> None:
    """Write each record as one line of JSON."""
    with path.open("wb") as stream:
        stream.writelines(json_lines(records))


def read_jsonl(path: Path, record: type[Record]) -> list[Record]:
    """Read a file of records; an error names the line."""
    decoder = msgspec.json.Decoder(record)
    data = path.read_bytes()
    try:
        return decoder.decode_lines(data)
    except (ValueError, RecursionError) as error:
        raise BadSchema(_locate(path, data, decoder, error)) from error


def _locate(path: Path, data: bytes, decoder: msgspec.json.Decoder[Record], error: Exception) -> str:
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            if line.strip():
                decoder.decode(line)
        except (ValueError, RecursionError) as found:
            return f"{path}:{number}: not a valid record: {found}; rebuild the corpus"
    return f"{path}: not valid: {error}; rebuild the corpus"
