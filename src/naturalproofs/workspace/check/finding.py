"""What rules find."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import Origin, Proof, Severity, Statement
from naturalproofs.sources.latex import plain_text

AUXILIARY = frozenset({"lemma", "sublemma", "claim", "lem"})
"""Forms that exist to be used; a theorem may be an end in itself."""
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding with its location."""

    path: str
    line: int
    column: int
    severity: Severity
    rule: str
    message: str
    subject: str
    """What it is about, without line numbers: a label, an id, a cycle."""
    fingerprint: str = ""
    """Stays the same when the finding moves within its file."""
    quoted: str = ""
    """The words of the text that the message quotes."""

    def __str__(self) -> str:
        """Print in the form that editors parse."""
        return f"{self.path}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.rule}]"


class Problem(NamedTuple):
    """What one rule reports, before it becomes a finding."""

    at: Statement | Origin
    message: str
    subject: str
    key: str = ""
    """The key whose column is shown; the subject if empty."""
    severity: Severity | None = None
    """The rule's own severity if None."""
    quoted: str = ""
    """The words of the text that the message quotes."""


def name_of(statement: Statement) -> str:
    """The name of a statement in a message."""
    word = statement.form or statement.kind
    if statement.number:
        word = f"{word} {statement.number}"
    if not has_generated_label(statement):
        return f"{word} ({statement.label})"
    if statement.title:
        title = _COMMAND.sub(r"\1", plain_text(statement.title, {}))
        return f"{word} ({title})"
    return word if statement.number else f"this {word}"


def comes_later(cited: Statement, statement: Statement, proof: Proof) -> bool:
    """Whether a statement stands after the proof of another; a deferred proof counts where it stands."""
    if cited.place is None or statement.place is None:
        return False
    return cited.place.position > max(statement.place.position, (proof.position or 0) - 1)
