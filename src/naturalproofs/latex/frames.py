"""What is open while a file is read, and all that was read so far."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from naturalproofs.latex.drafts import AnchorDraft, Cited, ProofDraft, StatementDraft
from naturalproofs.latex.files import TexFile
from naturalproofs.records import Diagnostic

Role: TypeAlias = Literal["statement", "neighbour", "proof", "note", "plain"]


@dataclass(slots=True, eq=False)
class Frame:
    """An open environment and what it collects."""

    name: str
    role: Role
    file: TexFile
    start: int
    cited: Cited | None = None
    before: StatementDraft | None = None
    """For a proof: the statement that was last before it, restored when it closes."""
    had_before: bool = False
    implied: bool = False
    """Opened by a command: it closes by itself where something new begins."""
    level: int | None = None
    """For a section headed as a proof: the level of its heading."""


@dataclass(slots=True, eq=False)
class Reading:
    """All that was read so far, over all files of a project."""

    statements: list[StatementDraft] = field(default_factory=list)
    anchors: list[AnchorDraft] = field(default_factory=list)
    orphans: list[ProofDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
