"""Results for agents: a few fields for each statement, and the same as lines of text."""

from __future__ import annotations

from pydantic import BaseModel


class Item(BaseModel):
    """A statement in a list."""

    id: str
    name: str
    """As printed: ``Lemma 2.1``; with its title, if it has one."""
    says: str
    """How it begins, in plain characters."""
    note: str = ""
    """Why it is here: a probability and reasons, a distance, a layer."""

    def line(self) -> str:
        """On one line."""
        return " | ".join(part for part in (self.id, self.name, self.says, self.note) if part)


class Listing(BaseModel):
    """A list of statements."""

    items: list[Item]
    more: int = 0
    """How many more there are."""
    note: str = ""
    """A note about the whole list."""

    def text(self) -> str:
        """One line for each statement."""
        return _lines([item.line() for item in self.items] or ["nothing"], self.more, self.note)


def _lines(lines: list[str], more: int, note: str) -> str:
    return "\n".join([*lines, *([f"({more} more)"] if more else []), *filter(None, [note])])


class Whole(BaseModel):
    """A statement in full."""

    id: str
    name: str
    latex: str
    cites: list[str]
    """What the statement and its proofs cite."""
    used_by: int
    citation: str
    """What to paste to cite it."""
    where: str
    proofs: list[str] = []
    """The LaTeX of its proofs, if they were asked for."""

    def text(self) -> str:
        """For reading."""
        facts = [f"cite as: {self.citation}", f"used by: {self.used_by}"]
        facts += [f"cites: {', '.join(self.cites)}"] if self.cites else []
        facts += [f"where: {self.where}"] if self.where else []
        proofs = [f"Proof. {proof}" for proof in self.proofs]
        return "\n".join([f"{self.id} | {self.name}", self.latex, *proofs, *facts])


class FoundProblem(BaseModel):
    """A finding of check."""

    where: str
    """File and line."""
    severity: str
    rule: str
    message: str

    def line(self) -> str:
        """On one line."""
        return f"{self.where}: {self.severity}: {self.message} [{self.rule}]"


class Problems(BaseModel):
    """What check finds in the first corpus."""

    findings: list[FoundProblem]
    more: int = 0
    """How many more there are."""
    note: str = ""

    def text(self) -> str:
        """One line for each finding."""
        return _lines([one.line() for one in self.findings] or ["no findings"], self.more, self.note)


class Link(BaseModel):
    """A statement, and one that cites it."""

    source: str
    target: str
    cited_in: str
    """In the statement or in the proof."""


class Graph(BaseModel):
    """A part of the reference graph."""

    nodes: list[Item]
    edges: list[Link]
    more: int = 0
    """How many more statements are within reach."""

    def text(self) -> str:
        """Statements, then edges from what is cited to what cites it."""
        edges = [f"{edge.source} -> {edge.target} ({edge.cited_in})" for edge in self.edges]
        more = [f"({self.more} more within reach)"] if self.more else []
        return "\n".join([*(node.line() for node in self.nodes), *more, "", *(edges or ["no edges"])])


class Rendered(BaseModel):
    """LaTeX as people read it."""

    result: str

    def text(self) -> str:
        """The result itself."""
        return self.result


class CorpusSummary(BaseModel):
    """A corpus."""

    name: str
    title: str
    statements: int
    licence: str


class Corpora(BaseModel):
    """The open corpora."""

    corpora: list[CorpusSummary]

    def text(self) -> str:
        """One line for each corpus."""
        return "\n".join(f"{c.name} | {c.title} | {c.statements} statements | {c.licence}" for c in self.corpora)


def truncate(text: str, limit: int) -> str:
    """A text, with a mark if it is truncated."""
    return text if len(text) <= limit else text[:limit] + f" … ({len(text) - limit} characters more)"
