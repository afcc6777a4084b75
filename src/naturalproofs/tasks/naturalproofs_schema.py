"""The schema of the published NaturalProofs files, and what we add to it under the key ``extra``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from naturalproofs.records import AnchorKind, BibliographyEntry, Mention, Note, Origin, Place


class StatementExtra(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fields of our records that the published schema does not have; readers of the original ignore them."""

    id: str = ""
    form: str = ""
    number: str = ""
    tag: str = ""
    origin: Origin | None = None
    place: Place | None = None
    notes: tuple[Note, ...] = ()
    mentions: tuple[Mention, ...] = ()


SAME_FIELDS = ("form", "number", "tag", "origin", "place", "notes")
"""Fields that a statement and its extra have in common."""


class ProofExtra(msgspec.Struct, frozen=True, omit_defaults=True):
    """The same for a proof."""

    origin: Origin | None = None
    mentions: tuple[Mention, ...] = ()
    position: int | None = None


class LabelExtra(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a cited label stands for that is not a reference: a section, a float, or the citing statement itself."""

    kind: AnchorKind
    owner: int | None = None
    """The published integer of the statement that has the label, if it is the citing one."""


class FileExtra(msgspec.Struct, frozen=True, omit_defaults=True):
    """The same for a whole file: what a corpus folder stores beside its statements."""

    about: dict[str, str] = {}
    """Title, authors, licence and what else is known of the source."""
    labels: dict[str, LabelExtra] = {}
    macros: str = ""
    bibliography: tuple[BibliographyEntry, ...] = ()


class JsonProof(msgspec.Struct, kw_only=True):
    """A proof as published."""

    contents: Sequence[str]
    refs: Sequence[str] = ()
    ref_ids: Sequence[int] = ()
    extra: ProofExtra | UnsetType | None = UNSET


class JsonStatement(msgspec.Struct, kw_only=True):
    """A statement as published, its keys in the original order; keys that some files leave out have a default."""

    id: int
    type: str
    label: str
    categories: Sequence[str] = ()
    toplevel_categories: Sequence[str] | UnsetType | None = UNSET
    recursive_categories: Sequence[str] | UnsetType | None = UNSET
    title: str | None = None
    contents: Sequence[str]
    refs: Sequence[str] = ()
    ref_ids: Sequence[int] = ()
    proofs: Sequence[JsonProof] | UnsetType = UNSET
    extra: StatementExtra | UnsetType | None = UNSET


class JsonDataset(msgspec.Struct):
    """The statements of a file."""

    theorems: Sequence[JsonStatement]
    definitions: Sequence[JsonStatement] = ()
    others: Sequence[JsonStatement] = ()
    retrieval_examples: Sequence[Any] = ()


class JsonSplit(msgspec.Struct):
    """One part of a file's split."""

    ref_ids: Sequence[int] = ()
    examples: Sequence[tuple[int, int]] = ()


class JsonFile(msgspec.Struct):
    """A whole file."""

    dataset: JsonDataset
    splits: dict[str, JsonSplit] = {}
    extra: FileExtra | UnsetType | None = UNSET


class RawDataset(msgspec.Struct):
    """The statements of a file that is read, each as its bytes: a big file is decoded one statement at a time."""

    theorems: list[msgspec.Raw]
    definitions: list[msgspec.Raw] = []
    others: list[msgspec.Raw] = []


class RawFile(msgspec.Struct):
    """A whole file that is read."""

    dataset: RawDataset
    splits: dict[str, JsonSplit] = {}
    extra: FileExtra | UnsetType | None = UNSET
