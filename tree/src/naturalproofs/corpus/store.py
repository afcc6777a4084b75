"""A corpus on disk: JSON lines, and a manifest, written last, with the hash of every file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from naturalproofs import __version__
from naturalproofs.corpus.corpus import Corpus, Provenance, Resolution, Unresolved, check_corpus
from naturalproofs.errors import BadSchema, NotACorpus
from naturalproofs.io.files import replaced_folder, sha256_file, write_file
from naturalproofs.io.folders import FolderKind, hash_of_lines, pretty, read_jsonl, write_jsonl
from naturalproofs.io.memory import StoredList
from naturalproofs.records import BibliographyEntry, Diagnostic, InputFile, Statement

Record = TypeVar("Record")

SCHEMA = 1
"""Version of the file format; incremented when older readers would misread the files."""

LARGE = 1 << 26
"""Bytes of statements above which a corpus is not held in memory: every access reads a statement from disk."""

MANIFEST = "manifest.json"
STATEMENTS = "statements.jsonl"
UNRESOLVED = "unresolved.jsonl"
DIAGNOSTICS = "diagnostics.jsonl"
SPLITS = "splits.json"
MACROS = "macros.tex"
"""Definitions of the macros that the statements use, for showing them; only a corpus of LaTeX has it."""
BIBLIOGRAPHY = "bibliography.jsonl"
"""The other works that the statements cite; only a corpus that cites some has it."""
_ALWAYS = (STATEMENTS, UNRESOLVED, DIAGNOSTICS, SPLITS)


@dataclass(frozen=True, slots=True)
class Manifest:
    """Contents and provenance of a corpus folder."""

    schema: int
    name: str
    provenance: Provenance
    counts: dict[str, int]
    files: dict[str, str]
    """Hashes of the folder's own files."""
    inputs: tuple[InputFile, ...]
    resolution: Resolution | None = None
    made_by: str = ""

    @property
    def fingerprint(self) -> str:
        """A short hash that identifies these statements."""
        return self.files[STATEMENTS][:12]


FOLDERS = FolderKind("corpus", MANIFEST, Manifest, SCHEMA, "naturalproofs build", "build the corpus again", NotACorpus)


def is_corpus(path: Path) -> bool:
    """Whether a folder is a corpus; one whose manifest is lost or damaged still has the files of one."""
    return FOLDERS.is_one(path) or all((path / name).is_file() for name in _ALWAYS)


def save(corpus: Corpus, folder: Path, *, splits: bytes) -> Manifest:
    """Write a corpus folder atomically; an older corpus at that path is replaced, unless somebody changed it."""
    with replaced_folder(folder, FOLDERS.may_replace) as scratch:
        write_jsonl(scratch / STATEMENTS, corpus.statements)
        write_jsonl(scratch / UNRESOLVED, corpus.unresolved)
        write_jsonl(scratch / DIAGNOSTICS, corpus.diagnostics)
        write_file(scratch / SPLITS, splits)
        names = [*_ALWAYS]
        if corpus.definitions:
            write_file(scratch / MACROS, corpus.definitions.encode())
            names.append(MACROS)
        if corpus.works:
            write_jsonl(scratch / BIBLIOGRAPHY, corpus.works)
            names.append(BIBLIOGRAPHY)
        manifest = Manifest(
            schema=SCHEMA,
            name=corpus.name,
            provenance=corpus.provenance,
            counts=counts(corpus),
            files={name: sha256_file(scratch / name) for name in names},
            inputs=corpus.inputs,
            resolution=corpus.resolution,
            made_by=f"naturalproofs {__version__}",
        )
        write_file(scratch / MANIFEST, pretty(manifest))
    return manifest


def load(folder: Path) -> Corpus:
    """Read a corpus folder and check it: hashes, unique ids, references that exist."""
    manifest = load_manifest(folder)

    def file(name: str) -> Path:
        return FOLDERS.checked(folder, manifest, name)

    corpus = Corpus(
        manifest.name,
        _records(file(STATEMENTS), Statement),
        manifest.provenance,
        manifest.resolution,
        manifest.inputs,
        _records(file(UNRESOLVED), Unresolved),
        tuple(read_jsonl(file(DIAGNOSTICS), Diagnostic)),
        definitions=file(MACROS).read_text("utf-8", "replace") if MACROS in manifest.files else "",
        works=tuple(read_jsonl(file(BIBLIOGRAPHY), BibliographyEntry)) if BIBLIOGRAPHY in manifest.files else (),
    )
    try:
        check_corpus(corpus)
    except BadSchema as error:
        raise NotACorpus(f"{folder / STATEMENTS}: invalid ({error}); build the corpus again") from error
    return corpus


def load_manifest(folder: Path) -> Manifest:
    """Read the manifest of a corpus folder."""
    return FOLDERS.read(folder)


def _records(file: Path, record: type[Record]) -> Sequence[Record]:
    """The records of a file; those of a large one stay on disk."""
    return StoredList(file, record) if file.stat().st_size > LARGE else tuple(read_jsonl(file, record))


def counts(corpus: Corpus) -> dict[str, int]:
    """Number of statements of each kind, of proofs and of examples."""
    kinds = [statement.kind for statement in corpus.links]
    return {
        "theorems": kinds.count("theorem"),
        "definitions": kinds.count("definition"),
        "others": kinds.count("other"),
        "proofs": sum(len(statement.proofs) for statement in corpus.links),
        "examples": len(corpus.examples),
    }


def content_hash(corpus: Corpus) -> str:
    """The hash of the statements as they are stored."""
    return hash_of_lines(corpus.statements)
