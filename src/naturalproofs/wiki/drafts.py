"""The package's records as they are written down while a wiki is read.

Fields are called as in :mod:`naturalproofs.records`, which they are read back as. Made once and never looked at, they
need no more than to be made fast: this takes an eighth of the time.
"""

import msgspec

from naturalproofs.records import Kind


class MentionDraft(msgspec.Struct, gc=False):
    """A citation."""

    target: str
    surface: str
    line: int


class OriginDraft(msgspec.Struct, gc=False):
    """A page and a line."""

    path: str
    line: int


class ProofDraft(msgspec.Struct, gc=False):
    """A proof."""

    lines: tuple[str, ...]
    mentions: list[MentionDraft]
    origin: OriginDraft


class NoteDraft(msgspec.Struct, gc=False):
    """Text beside a statement."""

    kind: str
    lines: tuple[str, ...]


class StatementDraft(msgspec.Struct, gc=False):
    """A statement."""

    id: str
    kind: Kind
    label: str
    title: str
    lines: tuple[str, ...]
    mentions: list[MentionDraft]
    proofs: list[ProofDraft]
    categories: tuple[str, ...]
    form: str
    origin: OriginDraft
    notes: list[NoteDraft]
    toplevel_categories: tuple[str, ...] | None
    recursive_categories: tuple[str, ...] | None
