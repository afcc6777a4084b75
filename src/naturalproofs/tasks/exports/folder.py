"""Folders that an export writes: whole or not at all, with a note on what they hold and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from naturalproofs import __version__
from naturalproofs.corpus.corpus import Provenance
from naturalproofs.corpus.store import content_hash, counts
from naturalproofs.io.files import replaced_folder
from naturalproofs.io.hashing import sha256_file
from naturalproofs.io.manifests import pretty
from naturalproofs.tasks.exports.formats import Request

ABOUT = "export.json"


@dataclass(frozen=True, slots=True)
class About:
    """What an exported folder holds."""

    format: str
    corpus: str
    fingerprint: str
    """Names exactly these statements, as the manifest of the corpus does."""
    split: str
    """The recipe of the splits."""
    counts: dict[str, int]
    provenance: Provenance
    made_by: str
    files: dict[str, str]
    """Hashes of the other files."""


@contextmanager
def export_folder(request: Request, name: str) -> Iterator[Path]:
    """Give a scratch folder to fill; it takes the output's place when the block ends without an error."""
    with replaced_folder(request.output, partial(is_untouched, name=name)) as scratch:
        yield scratch
        about = About(
            format=name,
            corpus=request.corpus.name,
            fingerprint=content_hash(request.corpus)[:12],
            split=request.splits.recipe,
            counts=counts(request.corpus),
            provenance=request.corpus.provenance,
            made_by=f"naturalproofs {__version__}",
            files=_hashes(scratch),
        )
        (scratch / ABOUT).write_bytes(pretty(about))


def is_untouched(folder: Path, name: str) -> bool:
    """Whether a folder is an export of that format in which nobody has changed or added anything."""
    try:
        about = msgspec.json.decode((folder / ABOUT).read_bytes(), type=About)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return False
    found = _hashes(folder)
    found.pop(ABOUT)
    return about.format == name and found == about.files


def _hashes(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if not path.is_dir())
    return {path.relative_to(folder).as_posix(): sha256_file(path) if path.is_file() else "" for path in files}
