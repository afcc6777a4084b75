"""The messages of an editor: every request gets an answer, whatever is in it."""

from __future__ import annotations

from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, default_converter

_LARGEST = 2**31 - 1
"""The largest number of a line or a character."""


class AnsweringProtocol(LanguageServerProtocol):
    """Answers a request that cannot be read by an error, where the library answers nothing."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise


def position(line: int, character: int) -> types.Position:
    """A position, or the nearest one that there may be."""
    return types.Position(*(min(max(int(number), 0), _LARGEST) for number in (line, character)))


def make_converter() -> Converter:
    """The library's reader of messages, with positions in range."""
    converter: Converter = default_converter()
    converter.register_structure_hook(types.Position, lambda data, _: position(data["line"], data["character"]))
    return converter
