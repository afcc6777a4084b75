"""The records of an index on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from naturalproofs import __version__
from naturalproofs.assist.index.snapshot import Snapshot
from naturalproofs.corpus.corpus import Provenance
from naturalproofs.corpus.resolve import Resolution, Unresolved
from naturalproofs.io.collector import collector_paused
from naturalproofs.markup.latex.display import Macro
from naturalproofs.records import Anchor, Diagnostic, InputFile, Statement

SCHEMA = 2
MADE_BY = f"naturalproofs {__version__}"
MANIFEST = "index.json"
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index holds, by the names of its objects."""

    schema: int
    made_by: str
    snapshot: Snapshot
    documents: dict[str, str]
    corpus: str
    terms: str
    made: float = 0.0


@dataclass(frozen=True, slots=True)
class KeptCorpus:
    """A corpus as it was built, and the macros for showing it."""

    name: str
    statements: tuple[Statement, ...]
    provenance: Provenance
    resolution: Resolution | None
    inputs: tuple[InputFile, ...]
    unresolved: tuple[Unresolved, ...]
    diagnostics: tuple[Diagnostic, ...]
    anchors: dict[str, Anchor]
    macros: dict[str, Macro]


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
