"""The server that agents talk to over stdin and stdout."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, ParamSpec, Protocol

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from naturalproofs import __version__
from naturalproofs.agents.desk import Desk
from naturalproofs.agents.results import Listing, Shelves, Whole
from naturalproofs.errors import NaturalProofsError

INSTRUCTIONS = (
    "Corpora of mathematical statements and what rests on what. Use suggest to find what a proof should cite, search "
    "to look a notion up, statement to read one in full, path for prerequisites, impact for what depends on it. Lists "
    "give one line a statement: id | name | how it begins | why. Ids go into the other tools."
)

P = ParamSpec("P")
Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Name = Annotated[str, Field(min_length=1, max_length=300, description="An id, label, tag or unique title.")]
Names = Annotated[list[str], Field(max_length=50)]
Few = Annotated[int, Field(ge=1, le=50)]
Many = Annotated[int, Field(ge=1, le=300)]


class _Answer(Protocol):
    def text(self) -> str: ...

    def model_dump(self, *, mode: str, exclude_defaults: bool) -> dict[str, Any]: ...


def _told(answer: _Answer) -> CallToolResult:
    """The answer as text for reading and as data; what says nothing is left out of the data."""
    data = answer.model_dump(mode="json", exclude_defaults=True)
    return CallToolResult(content=[TextContent(type="text", text=answer.text())], structured_content=data)


def _anticipated(verb: Callable[P, CallToolResult]) -> Callable[P, CallToolResult]:
    """Our own errors are told to the agent in their one line."""

    @wraps(verb)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return verb(*args, **kwargs)
        except NaturalProofsError as error:
            raise ToolError(str(error)) from error

    return guarded


def create_server(desk: Desk) -> MCPServer[Any]:
    """The server with all verbs."""
    server: MCPServer[Any] = MCPServer(
        "naturalproofs", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

    @server.tool(annotations=hints)
    @_anticipated
    def corpora() -> Annotated[CallToolResult, Shelves]:
        """List the corpora that can be asked about."""
        return _told(desk.corpora())

    @server.tool(annotations=hints)
    @_anticipated
    def suggest(
        theorem: Text, k: Few = 8, corpora: Names | None = None, cited: Names | None = None
    ) -> Annotated[CallToolResult, Listing]:
        """Suggest what the proof of a theorem should cite, best first.

        Args:
            theorem: The theorem in LaTeX, or the id of a statement.
            k: How many.
            corpora: Names of corpora to suggest from; all if left out.
            cited: Ids of what the proof cites already.
        """
        return _told(desk.suggest(theorem, k, corpora or (), cited or ()))

    @server.tool(annotations=hints)
    @_anticipated
    def search(
        query: Annotated[str, Field(max_length=500)],
        k: Few = 8,
        corpora: Names | None = None,
        kinds: Names | None = None,
    ) -> Annotated[CallToolResult, Listing]:
        """Look up statements by words, $formula$, label, tag or number.

        Args:
            query: What to look for.
            k: How many.
            corpora: Names of corpora to search; all if left out.
            kinds: Only theorem, definition or other.
        """
        return _told(desk.search(query, k, corpora or (), kinds or ()))

    @server.tool(annotations=hints)
    @_anticipated
    def statement(name: Name, proofs: bool = False) -> Annotated[CallToolResult, Whole]:
        """Read one statement in full, with its proofs if asked for."""
        return _told(desk.statement(name, proofs))

    @server.tool(annotations=hints)
    @_anticipated
    def path(name: Name, known: Names | None = None, most: Many = 40) -> Annotated[CallToolResult, Listing]:
        """List what to read before a statement, in an order in which each rests on what stands before it.

        Args:
            name: What is to be understood.
            known: Ids of what need not be read.
            most: The longest list.
        """
        return _told(desk.path(name, known or (), most))

    @server.tool(annotations=hints)
    @_anticipated
    def impact(name: Name, most: Many = 30) -> Annotated[CallToolResult, Listing]:
        """List what falls if a statement is wrong, nearest first."""
        return _told(desk.impact(name, most))

    return server
