"""Suggestions: what a proof may want to cite, how likely, why, and what to paste."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from naturalproofs.ranking.contract import Reason
from naturalproofs.records import Statement, StatementId
from naturalproofs.workspace.citing import Citing, preview, printed_name

_NAMED = 2
"""Statements that a reason names; there may be more."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One statement that the proof may want to cite."""

    statement: Statement
    corpus: str
    """The name of the corpus it comes from."""
    score: float
    probability: float | None
    """That the proof cites it, where the method is calibrated."""
    reasons: tuple[Reason, ...]
    citing: Citing = field(default_factory=Citing)
    names: Mapping[StatementId, str] = field(default_factory=dict, repr=False)
    """What the statements are called that reasons speak of."""

    @property
    def name(self) -> str:
        """As printed: ``Lemma 3.2.5``, or the word alone where there is no number."""
        return printed_name(self.statement)

    @property
    def title(self) -> str:
        """Its title as plain text."""
        return self.citing.plain(self.statement.title)

    @property
    def preview(self) -> str:
        """What it says, on one line, in plain signs."""
        return preview(self.statement, self.citing.macros)

    @property
    def citation(self) -> str:
        r"""What to paste: ``\cref{lem:a}``, or words where it stands in another work or has no label."""
        return self.citing.citation(self.statement)

    @property
    def why(self) -> tuple[str, ...]:
        """Its reasons in words, with the names of what they speak of."""
        return tuple(_said(reason, self.names) for reason in self.reasons)

    @property
    def where(self) -> str:
        """File and line, if they are known."""
        return self.citing.where(self.statement)


def _said(reason: Reason, names: Mapping[StatementId, str]) -> str:
    found = [names[key] for key in reason.statements if key in names]
    more = ", …" if len(found) > _NAMED else ""
    return f"{reason.text} ({', '.join(found[:_NAMED])}{more})" if found else reason.text


@dataclass(frozen=True, slots=True)
class Suggestions:
    """A ranked list, best first, and how far down it one has to read."""

    items: tuple[Suggestion, ...]
    expected: float | None = None
    """How many statements the proof is expected to cite, from calibrated probabilities."""
    enough: int | None = None
    """How many of the list are expected to cover the proof; None when the method is not calibrated, or when the list
    is too short for that."""
    covered: float | None = None
    """The share of the expected citations that the list holds."""
    query: str = ""
    """What was asked, in a few words."""
    about: StatementId | None = None
    """The theorem that was asked about, if it stands in a corpus."""
    cited: tuple[StatementId, ...] = ()
    """What the proof cites already."""

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.items)

    def __getitem__(self, position: int) -> Suggestion:
        return self.items[position]

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from naturalproofs.workspace.notebook import suggestions_html

        return suggestions_html(self)
