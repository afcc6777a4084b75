"""The records of an index on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from naturalproofs import __version__
from naturalproofs.corpus.corpus import Provenance
from naturalproofs.corpus.resolve import Resolution
from naturalproofs.io.collector import collector_paused
from naturalproofs.latex.cache import VERSION
from naturalproofs.latex.display import Macro
from naturalproofs.records import Diagnostic, InputFile
from naturalproofs.workspace.index.outlines import KeptOutlines
from naturalproofs.workspace.index.parts import KeptPart
from naturalproofs.workspace.index.snapshot import Snapshot

SCHEMA = 3
MADE_BY = f"naturalproofs {__version__}, reader {VERSION}"
MANIFEST = "index.json"
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index holds, by the names of its objects."""

    schema: int
    made_by: str
    snapshot: Snapshot
    documents: dict[str, str]
    """The documents as they were read, by main file."""
    parts: dict[str, str]
    """What each gave to the corpus, in reading order; nothing if that is kept in one with the corpus."""
    corpus: str
    terms: str
    made: float = 0.0


@dataclass(frozen=True, slots=True)
class KeptCorpus:
    """A corpus as it was built, without the parts that its documents gave."""

    name: str
    provenance: Provenance
    resolution: Resolution | None
    inputs: tuple[InputFile, ...]
    diagnostics: tuple[Diagnostic, ...]
    macros: dict[str, dict[str, Macro]]
    """The macros for showing it, by the file that defines them."""
    looks: dict[str, str]
    """What the files of the folder say about which of them is the main one, as hashes."""
    outlines: KeptOutlines
    """Of all documents, by path."""
    whole: KeptPart | None
    """All statements, where they are not kept by document."""


def encoded(record: object) -> bytes:
    """The bytes of a record."""
    return msgspec.msgpack.encode(record)


def decoded(data: bytes | None, kind: type[Kind]) -> Kind | None:
    """A record from its bytes; None for what is missing or of another make."""
    if data is None:
        return None
    try:
        with collector_paused():
            return msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def load_manifest(folder: Path) -> Manifest | None:
    """The manifest of an index; None when there is none, or another version made it."""
    try:
        found = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return found if (found.schema, found.made_by) == (SCHEMA, MADE_BY) else None
