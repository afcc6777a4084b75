"""Hostile clients of the page, the language server and the server for agents."""

import json
import random
import re
import shutil
import signal
import socket
from collections import Counter
from pathlib import Path

from chaos.cases import Failed, counted, little_memory, others, refused_for_memory, require, sound
from chaos.material import mutated
from chaos.sandbox import Fault, Outcome, fresh, run_command
from naturalproofs.apps.web.site import Site
from naturalproofs.workspace import Workspace
from support.web_server import listening

AT_ONCE = 25
"""Messages to one process."""
REQUESTS = 100
"""Requests to one server."""
LAST = 999
"""The id of the valid request that follows the hostile ones; it must be answered."""
JSON_TOKENS = rb"""
    { } [ ] " : , null true false -1 1e999 99999999999999999999 \u0000 \ud800 "id" "method" "params" "jsonrpc" {} [] ""
    "2.0" "uri" "file:///etc/passwd" "file:///dev/zero" "http://x" "arguments" "name"
""".split()
HTTP_TOKENS = rb"""
    GET POST HEAD / /../ %00 %2e%2e/ ? & = HTTP/1.1 HTTP/9 Host: Content-Length: 99999 -1 chunked Transfer-Encoding: : ;
    %ff Cookie: Expect:100-continue Connection:close Upgrade:h2c Range:bytes=0- Content-Type:text/xml null {} []
""".split()


def _call(method: str, params: object, number: int | None = None) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message if number is None else {**message, "id": number}).encode()


def agents(template: Path, folder: Path, random_: random.Random) -> Counter[str]:
    """One process of ``naturalproofs mcp``."""
    fresh(template, folder)
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    calls = [
        _call("initialize", client, 1),
        _call("notifications/initialized", {}),
        _call("tools/list", {}, 2),
        _call("tools/call", {"name": "suggest", "arguments": {"theorem": "Every ring.", "k": 3}}, 3),
        _call("tools/call", {"name": "search", "arguments": {"query": "group", "k": 3}}, 4),
        _call("tools/call", {"name": "statement", "arguments": {"name": "l7"}}, 5),
        _call("tools/call", {"name": "path", "arguments": {"name": "l30"}}, 6),
    ]
    lines = [mutated(random_.choice(calls), random_, JSON_TOKENS).replace(b"\n", b" ") for _ in range(AT_ONCE)]
    given = b"".join(line + b"\n" for line in [*calls[:2], *lines, _call("ping", {}, LAST)])
    last = f'"id":{LAST}'
    fault = little_memory(random_)
    ended = run_command(
        ["mcp", "corpus"], folder=folder, writable=(), standard_input=given, until=last.encode(), fault=fault
    )
    sound(ended, f"mcp {fault} {given!r}", fault)
    answered = last in ended.out or refused_for_memory(ended, fault)
    require(answered, f"mcp {fault} does not answer after {given!r}: {ended.err}")
    return counted("agent messages", fault, ended, AT_ONCE)


def _framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def editor(template: Path, folder: Path, random_: random.Random) -> Counter[str]:
    """One process of ``naturalproofs lsp``."""
    fresh(template, folder)
    file = folder / "project" / "main.tex"
    document, position = {"uri": file.as_uri()}, {"line": 9, "character": 5}
    opened = {**document, "languageId": "latex", "version": 1, "text": file.read_text()}
    start = _call("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}, 1)
    calls = [
        _call("textDocument/didOpen", {"textDocument": opened}),
        _call("textDocument/completion", {"textDocument": document, "position": position}, 2),
        _call("textDocument/hover", {"textDocument": document, "position": position}, 3),
        _call("textDocument/definition", {"textDocument": document, "position": position}, 4),
        _call("textDocument/references", {"textDocument": document, "position": position, "context": {}}, 5),
        _call("textDocument/documentSymbol", {"textDocument": document}, 6),
        _call("workspace/symbol", {"query": "ring"}, 7),
        _call("textDocument/didChange", {"textDocument": {**document, "version": 2}, "contentChanges": [{"text": ""}]}),
    ]
    bodies = [mutated(random_.choice(calls), random_, JSON_TOKENS) for _ in range(AT_ONCE)]
    end = [_call("shutdown", None, LAST), _call("exit", None)]
    given = b"".join(map(_framed, [start, _call("initialized", {}), *calls[:1], *bodies, *end]))
    fault = little_memory(random_)
    ended = run_command(["lsp"], folder=folder, writable=(), standard_input=given, fault=fault)
    sound(ended, f"lsp {fault} {given!r}", fault)
    answered = re.search(rf'"id": ?{LAST}', ended.out) or refused_for_memory(ended, fault)
    require(answered, f"lsp {fault} does not answer after {given!r}: {ended.err}")
    return counted("editor messages", fault, ended, AT_ONCE)


def rename(template: Path, folder: Path, random_: random.Random) -> Counter[str]:
    """A language server is killed while it renames; the next one renames as if nothing had happened."""
    fresh(template, folder)
    kept = others(folder)
    file = folder / "project" / "main.tex"
    document, text = {"uri": file.as_uri()}, file.read_text()
    opened = {**document, "languageId": "latex", "version": 1, "text": text}
    line = next(number for number, one in enumerate(text.splitlines()) if "\\label{l3}" in one)
    position = {"line": line, "character": text.splitlines()[line].index("\\label{l3}") + 8}
    messages = [
        _call("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}, 1),
        _call("initialized", {}),
        _call("textDocument/didOpen", {"textDocument": opened}),
        _call("textDocument/rename", {"textDocument": document, "position": position, "newName": "renamed"}, LAST),
    ]
    given = b"".join(map(_framed, messages))

    def session(fault: Fault | None = None) -> tuple[Outcome, list[str]]:
        until = f'"id": {LAST}'.encode()
        ended = run_command(["lsp"], folder=folder, writable=(), standard_input=given, until=until, fault=fault)
        sound(ended, "a renaming")
        return ended, re.findall(r'"newText": ?"renamed', ended.out)

    shutil.rmtree(folder / "cache")
    whole, edits = session()
    require(len(edits) > 1, f"nothing is renamed: {whole.out} {whole.err}")
    shutil.rmtree(folder / "cache")
    ended, _ = session(Fault("kill", random_.randint(1, max(1, whole.events))))
    require(session()[1] == edits, "a renaming after a kill differs", "corrupt")
    require(others(folder) == kept, "a renaming changed files", "lost")
    return Counter(["killed" if ended.code == -signal.SIGKILL else "renamed"])


def page(template: Path, _folder: Path, random_: random.Random) -> Counter[str]:
    """Requests to one server; no answer is a fault of the server, and it answers afterwards."""
    body = json.dumps({"text": "Every ring.", "k": 3}).encode()
    head = b"Host: 127.0.0.1\r\nConnection: close\r\n"
    requests = [
        b"GET /search?q=group HTTP/1.1\r\n" + head + b"\r\n",
        b"GET /api/v1/search?q=group&k=3 HTTP/1.1\r\n" + head + b"\r\n",
        b"GET /api/v1/corpora HTTP/1.1\r\n" + head + b"\r\n",
        b"POST /api/v1/suggest HTTP/1.1\r\n%bContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
        % (head, len(body), body),
        b"POST /ask HTTP/1.1\r\n%bContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\ntext=a"
        % head,
    ]
    with listening(Site.of(Workspace.open(template / "project"))) as address:
        host, port = address.removeprefix("http://").split(":")
        for _ in range(REQUESTS):
            request = mutated(random_.choice(requests), random_, HTTP_TOKENS)
            for status in re.findall(rb"HTTP/1.1 (\d+)", _answer(host, int(port), request)):
                require(status[:1] != b"5" or status == b"503", f"{status!r} for {request!r}")
        last = _answer(host, int(port), b"GET /health HTTP/1.1\r\n" + head + b"\r\n")
        require(b" 200 " in last, f"the server does not answer at the end: {last!r}")
    return Counter({"requests": REQUESTS})


def _answer(host: str, port: int, request: bytes) -> bytes:
    with socket.create_connection((host, port), timeout=300) as one:
        try:
            one.sendall(request)
            one.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: one.recv(65536), b""))
        except ConnectionError:
            return b""
        except TimeoutError as error:
            raise Failed(f"no answer to {request!r}") from error
