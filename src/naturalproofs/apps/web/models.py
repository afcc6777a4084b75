"""Requests and responses of the JSON interface, as described in the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, StringConstraints

from naturalproofs.apps.web.requests import LIMITS
from naturalproofs.records import FileAccount, Statement

CLEAN = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"
"""Text without control characters except tabs and line ends."""

LongText = Annotated[str, StringConstraints(max_length=LIMITS.text, pattern=CLEAN)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=CLEAN)]
Names = Annotated[list[Name], Field(max_length=LIMITS.names)]
KindName = Literal["theorem", "definition", "other"]


def _given(name: str) -> dict[str, JsonValue]:
    """A schema that requires a field that is not blank."""
    return {"required": [name], "properties": {name: {"pattern": "\\S"}}}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True, from_attributes=True)

    @classmethod
    def of(cls, found: object, **more: Any) -> Self:
        """The answer about an object: its attributes of the same names, but for what is given here."""
        return cls(**{name: getattr(found, name) for name in cls.model_fields if name not in more}, **more)


class _Question(_Model):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class SuggestQuestion(_Question):
    """A theorem whose proof needs references: as text, or one of a corpus."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [_given("text"), _given("statement")]})

    text: LongText = ""
    title: Annotated[str, StringConstraints(max_length=500, pattern=CLEAN)] = ""
    statement: Annotated[str, StringConstraints(max_length=300, pattern=CLEAN)] = ""
    """The id of a statement of a corpus, instead of a text; only what may be used there is then suggested."""
    k: Annotated[int, Field(ge=1, le=LIMITS.k)] = 10
    corpora: Names | None = None
    """Which corpora to suggest from; all if it is left out."""
    cited: Names = []
    """Ids of what the proof cites already."""


class PreviewQuestion(_Question):
    """LaTeX to be rendered."""

    text: LongText
    corpus: Annotated[str, StringConstraints(max_length=300, pattern=CLEAN)] = ""
    """Whose macros to use; those of all corpora if it is left out."""


class Brief(_Model):
    """A statement in a list."""

    id: str
    corpus: str
    kind: KindName
    form: str
    number: str
    title: str
    label: str


def brief(statement: Statement, corpus: str, title: str) -> dict[str, Any]:
    """The fields of `Brief` for a statement.

    Args:
        statement: The statement.
        corpus: The name of its corpus.
        title: Its title as plain characters.
    """
    return Brief.of(statement, corpus=corpus, title=title).model_dump()


class ReasonOut(_Model):
    """Why something is suggested."""

    kind: str
    text: str
    statements: list[str]


class SuggestionOut(Brief):
    """Something the proof may want to cite."""

    text: str
    """How it begins, as plain characters."""
    citation: str
    """What to paste."""
    score: float
    probability: float | None
    reasons: list[ReasonOut]


class SuggestAnswer(_Model):
    """Suggestions, best first."""

    items: list[SuggestionOut]
    anything: float | None
    """The probability that the proof cites anything; null where a proof is begun."""
    verdict: str
    """What is said about the list."""
    expected: float | None
    """How many statements the proof is expected to cite, if it cites any."""
    enough: int | None
    """How many of the list are probably all that the proof cites."""
    enough_probability: float | None
    """That the proof cites nothing beyond these."""


class HitOut(Brief):
    """Something that was found."""

    score: float
    field: str
    """Where the best match is."""
    snippet: str
    marks: list[tuple[int, int]]
    """What to highlight in the snippet: start and end."""
    chapter: str
    twins: Annotated[list[str], BeforeValidator(lambda twins: [twin.statement.id for twin in twins])]
    """The ids of further statements that say the same word for word."""


class SearchAnswer(_Model):
    """What was found, best first."""

    items: list[HitOut]
    total: int
    exact: bool
    """Whether the total counts all statements with every word; if not, it is of the candidates with some."""
    suggestions: list[str]
    """Queries to try instead, when there is little."""


class ProofOut(_Model):
    """A proof."""

    text: str
    references: list[str]


class OutsideUseOut(_Model):
    """A statement that uses a result of another work."""

    statement: str
    part: Literal["title", "note", "statement", "proof"]
    """Where the citation stands."""
    before: str
    """What is written before it, such as ``see``."""


class OutsideResultOut(_Model):
    """A result of another work."""

    place: str
    """Such as Theorem 3; empty for the work as a whole."""
    meant: str
    """The id of the statement, if the work is open too; else empty."""
    uses: list[OutsideUseOut]


class OutsideWorkOut(_Model):
    """Another work with its results that are used, the most used first."""

    key: str
    title: str
    authors: str
    year: str
    url: str
    text: str
    """The entry of the bibliography, where it has no fields."""
    results: list[OutsideResultOut]


class OutsideAnswer(_Model):
    """The other works that a corpus uses, the most used first."""

    works: list[OutsideWorkOut]


class NotationOut(_Model):
    """A symbol and the definition that introduces it."""

    symbol: str
    """LaTeX."""
    text: str
    """The symbol as plain characters."""
    meaning: str
    statement: str
    name: str
    """What the definition is called."""


class NotationAnswer(_Model):
    """The notation of a corpus, in the order in which it is introduced."""

    symbols: list[NotationOut]


class StatementAnswer(Brief):
    """A statement with all that belongs to it."""

    tag: str
    chapter: str
    section: str
    text: str
    html: str
    """The text rendered: escaped, with MathML."""
    citation: str
    source: str
    """File and line."""
    licence: str
    references: list[str]
    """What its own text cites."""
    proofs: list[ProofOut]
    used_by: list[str]
    outside: list[OutsideWorkOut]
    """What it uses of other works."""


class NodeOut(Brief):
    """A statement near another."""

    distance: int
    """Steps from the centre; negative for what the centre depends on."""


class EdgeOut(_Model):
    """From what is used to what uses it."""

    source: str
    target: str
    proof: bool
    """Whether only a proof cites it."""


class GraphAnswer(_Model):
    """The surroundings of a statement."""

    centre: str
    nodes: list[NodeOut]
    edges: list[EdgeOut]
    left_out: int


class StepOut(Brief):
    """A step of a reading path."""

    layer: int
    uses: list[str]
    term: str
    """The term by which it was inferred, or the sentence that says so; empty if it is cited."""
    origin: Literal["", "term", "prose"]
    """How it was inferred."""


class PathAnswer(_Model):
    """What to read before a statement, in order; the statement is last."""

    steps: list[StepOut]
    known: list[str]
    cut_at: int | None
    """The distance at which the path was cut because it would get too long."""


class ImpactItem(Brief):
    """Something that depends on a statement."""

    distance: int


class ImpactAnswer(_Model):
    """What depends on a statement, nearest first."""

    total: int
    items: list[ImpactItem]


class CorpusOut(_Model):
    """A corpus."""

    name: str
    title: str
    authors: str
    licence: str
    url: str
    source: str
    theorems: int
    definitions: int
    others: int
    proofs: int
    references: int
    files: list[FileAccount]
    """What became of each file with statements."""


class CorporaAnswer(_Model):
    """What there is."""

    corpora: list[CorpusOut]


class PreviewAnswer(_Model):
    """Rendered LaTeX."""

    html: str


class Health(_Model):
    """Whether the server works."""

    status: Literal["ok"]
    version: str
    corpora: int


class ErrorBody(_Model):
    """What is wrong."""

    code: str
    message: str
    where: str
    """Which part of the request is meant."""


class ErrorAnswer(_Model):
    """Every error looks like this."""

    error: ErrorBody
