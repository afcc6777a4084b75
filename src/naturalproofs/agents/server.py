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
from naturalproofs.agents.results import Corpora, Listing, Whole
from naturalproofs.agents.tools import Tools
from naturalproofs.errors import NaturalProofsError
from naturalproofs.workspace import Workspace

INSTRUCTIONS = (
    "Corpora of mathematical statements and the references between them. Use suggest to find what a proof should "
    "cite, search to look a notion up, statement to read one in full, path for prerequisites, impact for what depends "
    "on it. Lists have one line for each statement: id | name | how it begins | why. Ids go into the other tools."
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


def _result(answer: _Answer) -> CallToolResult:
    """The answer as text and as data; defaults are left out of the data."""
    data = answer.model_dump(mode="json", exclude_defaults=True)
    return CallToolResult(content=[TextContent(type="text", text=answer.text())], structured_content=data)


def _with_errors(verb: Callable[P, CallToolResult]) -> Callable[P, CallToolResult]:
    """Send our own errors to the agent as one line."""

    @wraps(verb)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return verb(*args, **kwargs)
        except NaturalProofsError as error:
            raise ToolError(str(error)) from error

    return guarded


def create_server(workspace: Workspace) -> MCPServer[Any]:
    """The server with all tools."""
    tools = Tools(workspace)
    server: MCPServer[Any] = MCPServer(
        "naturalproofs", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

    @server.tool(annotations=hints)
    @_with_errors
    def corpora() -> Annotated[CallToolResult, Corpora]:
        """List the corpora that can be asked about."""
        return _result(tools.corpora())

    @server.tool(annotations=hints)
    @_with_errors
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
        return _result(tools.suggest(theorem, k, corpora or (), cited or ()))

    @server.tool(annotations=hints)
    @_with_errors
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
        return _result(tools.search(query, k, corpora or (), kinds or ()))

    @server.tool(annotations=hints)
    @_with_errors
    def statement(name: Name, proofs: bool = False) -> Annotated[CallToolResult, Whole]:
        """Read one statement in full, with its proofs if asked for."""
        return _result(tools.statement(name, proofs))

    @server.tool(annotations=hints)
    @_with_errors
    def path(name: Name, known: Names | None = None, limit: Many = 40) -> Annotated[CallToolResult, Listing]:
        """List what to read before a statement, in order.

        Args:
            name: What is to be understood.
            known: Ids of what need not be read.
            limit: The longest list.
        """
        return _result(tools.path(name, known or (), limit))

    @server.tool(annotations=hints)
    @_with_errors
    def impact(name: Name, limit: Many = 30) -> Annotated[CallToolResult, Listing]:
        """List what depends on a statement, nearest first."""
        return _result(tools.impact(name, limit))

    return server
