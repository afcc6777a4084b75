"""The server that agents talk to over stdin and stdout: its tools take what an agent sends and give short results."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Annotated, Any, Literal

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, CallToolResult, ErrorData, JSONRPCError, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from naturalproofs import __version__
from naturalproofs.apps.report.exercises import exercise_view, grade_text
from naturalproofs.apps.report.listings import path_warning
from naturalproofs.errors import NaturalProofsError, UnknownName, valid_text
from naturalproofs.records import Statement
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.check.run import Selection
from naturalproofs.workspace.exercises import Form, make_exercise
from naturalproofs.workspace.locate import Location, is_line
from naturalproofs.workspace.paths import impact_by_chapter
from naturalproofs.workspace.render import full_name, one_line, preview
from naturalproofs.workspace.workspace import Match

# Results for agents: a few fields for each statement, and the same as lines of text.


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


INSTRUCTIONS = (
    "Corpora of mathematical statements and the references between them. Use suggest to find what a proof should "
    "cite, search to look a notion up, statement to read one in full, path for prerequisites, impact for what depends "
    "on it, graph for what is around it, check for broken and circular references, render to read LaTeX, "
    "notation for symbols, outside for results of other works, exercise for questions about a proof. "
    "Every answer is made from the files as they are now. "
    "Lists have one line for each statement: id | name | how it begins | why. Ids go into the other tools."
)
PREVIEW = 140
CHAPTERS = 30
"""Chapters that are counted in one note."""
TEXT, PROOF = 4_000, 6_000
"""Characters of a statement and of a proof before they are truncated."""

Name = Annotated[str, Field(min_length=1, max_length=300, description="An id, label, tag or unique title.")]
SomeCorpora = Annotated[list[str] | None, Field(max_length=50, description="Names of corpora; all if left out.")]
Few = Annotated[int, Field(ge=1, le=50, description="How many results.")]
Many = Annotated[int, Field(ge=1, le=300, description="The longest list.")]


TOOLS = (
    *("corpora", "suggest", "search", "statement", "path", "impact", "check", "graph", "render"),
    *("notation", "outside", "exercise"),
)


def create_server(workspace: Workspace) -> Server:
    """The server with all tools."""
    live, described = _Live(workspace), Tools(workspace)
    server = Server("naturalproofs", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    for name in TOOLS:
        server.add_tool(_tool(live, getattr(described, name)), annotations=hints)
    return server


class Server(MCPServer[Any]):
    """A server that answers malformed messages with an error; the library only drops them."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; what is wrong with its arguments is said in one line."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.__cause__.errors())
            raise ToolError(f"{name}: {'; '.join(wrong)}") from error

    async def run_stdio_async(self) -> None:
        """Serve over stdin and stdout."""
        async with stdio_server() as (received, answers), received, answers:
            forward, valid = anyio.create_memory_object_stream[SessionMessage | Exception](0)

            async def check() -> None:
                async with forward:
                    async for message in received:
                        if isinstance(message, Exception):
                            await answers.send(SessionMessage(_malformed(message)))
                        else:
                            await forward.send(message)

            lowlevel = self._lowlevel_server
            async with valid, anyio.create_task_group() as tasks:
                tasks.start_soon(check)
                await lowlevel.run(valid, answers, lowlevel.create_initialization_options())


def _malformed(error: Exception) -> JSONRPCError:
    """The answer to a message that cannot be read, with its id if that can be."""
    given = error.errors()[0]["input"] if isinstance(error, ValidationError) else None
    try:
        # Python's parser accepts lone surrogates, which the protocol's parser refuses.
        message = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        message = None
    key = message.get("id") if isinstance(message, dict) else None
    key = key if isinstance(key, str | int) and str(key) == valid_text(str(key)) else None
    data = ErrorData(code=PARSE_ERROR, message="the message is not valid JSON-RPC in UTF-8")
    return JSONRPCError(jsonrpc="2.0", id=key, error=data)


class _Live:
    """The workspace as its files are now. Tools run in threads, and only one of them reads changed files."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._lock = workspace, Lock()

    def tools(self) -> Tools:
        """The tools on the files as they are now; one answer sees one state."""
        with self._lock:
            self._workspace = self._workspace.refresh()
            return Tools(self._workspace)


def _tool(live: _Live, tool: Callable[..., CallToolResult]) -> Callable[..., CallToolResult]:
    """A tool that answers from the files as they are now, and sends our own errors to the agent as one line."""

    @wraps(tool)
    def answer(*args: Any, **kwargs: Any) -> CallToolResult:
        try:
            result: CallToolResult = getattr(live.tools(), tool.__name__)(*args, **kwargs)
        except NaturalProofsError as error:
            raise ToolError(str(error)) from error
        return result

    return answer


class Tools:
    """Answers from a workspace. Agents read the docstrings of the methods."""

    def __init__(self, workspace: Workspace) -> None:
        """Bind the workspace."""
        self.workspace = workspace

    def corpora(self) -> Annotated[CallToolResult, Corpora]:
        """List the corpora that can be asked about."""
        shown = [
            CorpusSummary(
                name=one.name,
                title=one.title,
                statements=len(one.statements),
                licence=one.provenance.licence or "licence not stated",
            )
            for one in self.workspace.corpora
        ]
        return _result(Corpora(corpora=shown))

    def suggest(
        self,
        theorem: Annotated[
            str,
            Field(
                description="The theorem in LaTeX, or an id, or FILE:LINE in its proof.",
                min_length=1,
                max_length=20_000,
            ),
        ],
        k: Few = 8,
        corpora: SomeCorpora = None,
        cited: Annotated[
            list[str] | None, Field(description="Ids of what the proof cites already.", max_length=50)
        ] = None,
    ) -> Annotated[CallToolResult, Listing]:
        """Suggest what the proof of a theorem should cite, best first."""
        known = [self._find(name).statement.id for name in cited or ()]
        asked = self._located(theorem) or self._named(theorem) or theorem
        found = self.workspace.suggest(asked, k=k, corpora=corpora or None, cited=known)
        items = []
        for one in found:
            probability = f"{100 * one.probability:.0f} %" if one.probability is not None else ""
            note = "; ".join([probability, *one.why[:2]]).strip("; ")
            items.append(_item(self.workspace.corpus(one.corpus), one.statement, note))
        return _result(Listing(items=items, note=found.verdict if found.enough is not None or found.finished else ""))

    def search(
        self,
        query: Annotated[
            str, Field(description="Words, a $formula$, a label, a tag or a number.", min_length=1, max_length=500)
        ],
        k: Few = 8,
        corpora: SomeCorpora = None,
        kinds: Annotated[
            list[str] | None, Field(description="Only these: theorem, definition, other.", max_length=3)
        ] = None,
    ) -> Annotated[CallToolResult, Listing]:
        """Look up statements by words, $formula$, label, tag or number."""
        if not query.strip():
            raise ToolError("search: the query is empty; give words, a formula or a label")
        found = self.workspace.search(query, k=k, corpora=corpora or None, kinds=kinds or ())
        items = [_item(self.workspace.corpus(hit.corpus), hit.statement) for hit in found.items]
        instead = ", ".join(found.suggestions) if not found.total else ""
        note = f"nothing matches word for word; perhaps: {instead}" if instead else ""
        return _result(Listing(items=items, more=max(0, found.total - len(items)), note=note))

    def statement(
        self, name: Name, proofs: Annotated[bool, Field(description="Whether to include its proofs.")] = False
    ) -> Annotated[CallToolResult, Whole]:
        """Read one statement in full, with its proofs if asked for."""
        corpus, found = self._find(name)
        whole = Whole(
            id=found.id,
            name=full_name(found, corpus.macros),
            latex=truncate(found.text, TEXT),
            cites=list(corpus.graph.uses.get(found.id, ())),
            used_by=len(corpus.graph.used_by.get(found.id, ())),
            citation=self.workspace.citation(found),
            where=str(found.origin) if found.origin else "",
            proofs=[truncate(proof.text, PROOF) for proof in found.proofs] if proofs else [],
        )
        return _result(whole)

    def path(
        self,
        name: Name,
        known: Annotated[
            list[str] | None,
            Field(description='What need not be read: ids, or chapters such as "chapter Groups".', max_length=50),
        ] = None,
        limit: Many = 40,
        inferred: Annotated[
            bool | None,
            Field(description="Whether definitions whose terms are used uncited are listed too; yes if left out."),
        ] = None,
    ) -> Annotated[CallToolResult, Listing]:
        """List what to read before a statement, in order."""
        corpus, statement = self._find(name)
        found = self.workspace.path(statement.id, known=known or (), limit=limit, inferred=inferred)
        items = [
            _item(
                corpus,
                corpus.by_id[step.id],
                f"layer {step.layer}" + (f"; {step.inferred}" if step.inferred else ""),
            )
            for step in found.steps
        ]
        notes = [f"cut at distance {found.cut_at}: there is more before"] if found.cut_at is not None else []
        notes += [warning] if (warning := path_warning(found)) else []
        return _result(Listing(items=items, note=" ".join(notes)))

    def impact(self, name: Name, limit: Many = 30) -> Annotated[CallToolResult, Listing]:
        """List what depends on a statement, nearest first, and how many statements of each chapter do."""
        corpus, statement = self._find(name)
        found = self.workspace.impact(statement.id)
        items = [_item(corpus, corpus.by_id[key], f"distance {far}") for key, far in found[:limit]]
        chapters = impact_by_chapter(corpus, found)
        counted = ", ".join(f"{one.chapter} {one.statements}" for one in chapters[:CHAPTERS])
        note = f"by chapter: {counted}" if len(chapters) > 1 else ""
        return _result(Listing(items=items, more=max(0, len(found) - limit), note=note))

    def check(
        self,
        rules: Annotated[
            list[str] | None,
            Field(
                description="Only these, such as undefined-reference or circular-argument; the usual if left out.",
                max_length=50,
            ),
        ] = None,
        limit: Many = 40,
    ) -> Annotated[CallToolResult, Problems]:
        """Check the first corpus for broken, missing and circular references."""
        report = self.workspace.check(Selection(tuple(rules or ())))
        findings = [
            FoundProblem(where=f"{one.path}:{one.line}", severity=one.severity, rule=one.rule, message=one.message)
            for one in report.findings[:limit]
        ]
        note = f"{report.hidden} notes are not shown; name their rules to see them" if report.hidden else ""
        return _result(Problems(findings=findings, more=max(0, len(report.findings) - limit), note=note))

    def graph(
        self,
        name: Name,
        up: Annotated[int, Field(description="Steps towards what it uses.", ge=0, le=5)] = 1,
        down: Annotated[int, Field(description="Steps towards what uses it.", ge=0, le=5)] = 1,
        limit: Many = 40,
    ) -> Annotated[CallToolResult, Graph]:
        """Show the statements around one and which cites which; the nearest, if there are too many."""
        corpus, statement = self._find(name)
        found = self.workspace.neighbourhood(statement.id, up=up, down=down, limit=limit)
        by_id = corpus.by_id
        nodes = [
            _item(corpus, by_id[key], f"{abs(far)} {'below' if far > 0 else 'above'}" if far else "")
            for key, far in found.distances.items()
        ]
        edges = [
            Link(source=one.source, target=one.target, cited_in="proof" if one.proof else "statement")
            for one in found.links
        ]
        return _result(Graph(nodes=nodes, edges=edges, more=found.left_out))

    def render(
        self,
        source: Annotated[str, Field(description="LaTeX, or the id of a statement.", min_length=1, max_length=20_000)],
        to: Annotated[
            Literal["text", "line", "html"],
            Field(description="Text with Unicode formulas, one line of it, or HTML with MathML."),
        ] = "text",
    ) -> Annotated[CallToolResult, Rendered]:
        """Show LaTeX, or a statement by its name, as people read it, with the macros of the project."""
        return _result(Rendered(result=self.workspace.render(self._named(source) or source, to)))

    def notation(self, limit: Many = 100) -> Annotated[CallToolResult, Listing]:
        """List the symbols of the first corpus: the statement that introduces each, the symbol, its meaning."""
        home, found = self.workspace.home, self.workspace.notation()
        items = [Item(id=one.statement, name=one.symbol, says=one_line(one.meaning, home.macros)) for one in found]
        return _result(Listing(items=items[:limit], more=max(0, len(items) - limit)))

    def outside(
        self,
        name: Annotated[
            str, Field(description="Only what this statement uses; all statements if left out.", max_length=300)
        ] = "",
        limit: Many = 40,
    ) -> Annotated[CallToolResult, Listing]:
        """List the results of other works that the first corpus, or one statement, uses; the most used first."""
        items = [
            Item(
                id=work.entry.key, name=one.place, says=str(work.entry), note=f"used by {', '.join(one.statements[:5])}"
            )
            for work in self.workspace.outside(self._find(name).statement.id if name else "")
            for one in work.results
        ]
        return _result(Listing(items=items[:limit], more=max(0, len(items) - limit)))

    def exercise(
        self,
        name: Name,
        form: Annotated[
            Form, Field(description="Choose what the proof uses, put it in order, or fill its blanks.")
        ] = "choose",
        seed: Annotated[int, Field(description="Another number gives another exercise.", ge=0, le=1_000_000)] = 0,
        answer: Annotated[
            list[str] | None, Field(description="Letters of the options, to be graded.", max_length=50)
        ] = None,
    ) -> Annotated[CallToolResult, Listing]:
        """Make an exercise on the proof of a theorem, or grade an answer to it; the note has the task or the grade."""
        made = make_exercise(self.workspace, self._find(name).statement, form=form, seed=seed)
        view = exercise_view(self.workspace, made, answer or ())
        home = self.workspace.find(made.theorem).corpus
        items = [
            _item(home, one, ": ".join(filter(None, (letter, view.verdict(letter)[1])))) for letter, one in view.options
        ]
        graded = grade_text(view.grade) if view.grade else view.problem
        return _result(Listing(items=items, note=graded or "\n".join(filter(None, (view.task, made.text)))))

    def _located(self, text: str) -> Location | None:
        """The place in a proof that a text points at; None for a name or a theorem."""
        if not is_line(text) or self.workspace.find_id(text.strip()) is not None:
            return None
        return self.workspace.locate(text)

    def _named(self, text: str) -> Statement | None:
        """The statement whose name a text is; a name that does not exist is an error, not a text."""
        try:
            return self.workspace.named(text)
        except UnknownName:
            return self._find(text.strip()).statement  # Its error names the nearest ones.

    def _find(self, name: str) -> Match:
        """The statement with this name; if there is none, the error names the nearest ones."""
        try:
            return self.workspace.find(name)
        except UnknownName as error:
            said, _, near = str(error).partition("; perhaps ")
            if "statements are called" in said or (near and not any(map(str.isspace, name))):
                raise
            # Words rather than a label: what a search for them finds is nearer than a similar label.
            hits = self.workspace.search(name, k=3).items
            found = ", ".join(f"{hit.statement.id} ({full_name(hit.statement, {})})" for hit in hits) or near
            raise UnknownName(f"{said}; perhaps {found}" if found else said) from error


def _item(corpus: OpenCorpus, statement: Statement, note: str = "") -> Item:
    says = preview(statement, corpus.macros, PREVIEW, corpus)
    return Item(id=statement.id, name=full_name(statement, corpus.macros), says=says, note=note)


def _result(answer: Corpora | Graph | Listing | Problems | Rendered | Whole) -> CallToolResult:
    """The answer as text and as data; defaults are left out of the data."""
    data = answer.model_dump(mode="json", exclude_defaults=True)
    return CallToolResult(content=[TextContent(type="text", text=answer.text())], structured_content=data)
