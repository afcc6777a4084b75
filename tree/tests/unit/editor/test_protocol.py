"""Messages that cannot be read as they are."""

import json

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from naturalproofs.apps.editor.server import Server, make_server, position

LARGEST = 2**31 - 1


class Written:
    """A writer that keeps what it is given."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self) -> None:
        pass


def read(server: Server, **message: object) -> object:
    """Read a message as the server does."""
    return json.loads(json.dumps({"jsonrpc": "2.0", **message}), object_hook=server.protocol.structure_message)


@pytest.mark.parametrize(
    ("line", "character", "found"),
    [
        (3, 4, (3, 4)),
        (-1, 0, (0, 0)),
        (0, -1, (0, 0)),
        (2**31, 2**40, (LARGEST, LARGEST)),
        (10**30, -(10**30), (LARGEST, 0)),
        (1.5, 2, (1, 2)),
    ],
)
def test_positions_out_of_range_are_moved_to_the_nearest_one(line, character, found):
    assert position(line, character) == types.Position(*found)
    place = {"line": line, "character": character}
    params = {"textDocument": {"uri": "file:///a.tex"}, "position": place}
    message = read(make_server(), id=1, method="textDocument/hover", params=params)
    assert message.params.position == types.Position(*found)
    params = {"textDocument": {"uri": "file:///a.tex"}, "range": {"start": place, "end": place}}
    message = read(make_server(), id=1, method="textDocument/inlayHint", params=params)
    assert message.params.range.end == types.Position(*found)


@pytest.mark.parametrize("place", [{}, {"line": "a", "character": 0}, {"line": None, "character": 0}, 3])
def test_a_request_that_cannot_be_read_is_answered(place):
    server, written = make_server(), Written()
    server.protocol.set_writer(written)
    params = {"textDocument": {"uri": "file:///a.tex"}, "position": place}
    with pytest.raises(JsonRpcException):
        read(server, id="seven", method="textDocument/hover", params=params)
    answer = json.loads(written.data.partition(b"\r\n\r\n")[2])
    assert answer["id"] == "seven"
    assert answer["error"]["code"] in (-32602, -32603)


def test_a_notification_that_cannot_be_read_has_no_answer():
    server, written = make_server(), Written()
    server.protocol.set_writer(written)
    with pytest.raises(JsonRpcException):
        read(server, method="textDocument/didOpen", params={"textDocument": 3})
    assert not written.data
