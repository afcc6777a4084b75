"""Runs the package from outside for `attack.py`: commands with limits, a server, projects and dumps to read."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

SECONDS = 40
MEMORY = 6 << 30
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}
Case = tuple[bool, str]


class Done(NamedTuple):
    """How a process ended."""

    code: int
    out: str
    seconds: float
    """Of the processor."""

    @property
    def crashed(self) -> bool:
        """Whether a signal or a traceback ended it."""
        return self.code < 0 or "Traceback" in self.out

    def __str__(self) -> str:
        ended = signal.Signals(-self.code).name if self.code < 0 else f"exit {self.code}"
        last = next((line for line in reversed(self.out.strip().splitlines()) if line.strip()), "")
        return f"{ended}, {self.seconds:.1f} s: {'TRACEBACK ' if 'Traceback' in self.out else ''}{last.strip()[:110]}"


def run(*words: object, module: bool = True, given: bytes = b"", files: int = 0, strace: str = "") -> Done:
    """Run a command of the package, or Python code, with limits."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if files:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (files, files))

    line = [sys.executable, *(["-m", "naturalproofs"] if module else ["-c"]), *map(str, words)]
    if strace:
        line = ["strace", "-f", "-qq", "-o", "/dev/null", *strace.split(), *line]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(line, input=given, capture_output=True, env=ENVIRONMENT, preexec_fn=limit, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Done(process.returncode, (process.stdout + process.stderr).decode("utf-8", "replace"), seconds)


def project(folder: Path, title: str = "Name", body: str = "") -> Path:
    """A small LaTeX project."""
    folder.mkdir(parents=True)
    items = "".join(
        f"\\begin{{theorem}}[{title} {n}]\\label{{t{n}}} Every group of order ${n}$ is finite. \\end{{theorem}}\n"
        f"\\begin{{proof}} By \\ref{{t{n // 2}}}. \\end{{proof}}\n"
        for n in range(30)
    )
    (folder / "main.tex").write_text(
        f"\\documentclass{{article}}\\newtheorem{{theorem}}{{Theorem}}\n\\begin{{document}}\n{items}{body}\n\\end{{document}}\n"
    )
    return folder


def corpus(home: Path) -> Path:
    """A small corpus."""
    run("build", "latex", project(home / "source"), "-o", home / "corpus", "-q")
    return home / "corpus"


def wiki_dump(path: Path, pages: dict[str, str]) -> Path:
    """A MediaWiki export with pages by title."""
    body = "".join(
        f"<page><title>{title}</title><ns>0</ns><id>{n}</id><revision><id>{n}</id><text>{text}</text></revision></page>\n"
        for n, (title, text) in enumerate(pages.items(), start=1)
    )
    path.write_text(f"<mediawiki><siteinfo><sitename>W</sitename></siteinfo>\n{body}</mediawiki>\n")
    return path


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Serving:
    """A running server."""

    def __init__(self, *words: object) -> None:
        self.port = _free_port()
        line = [sys.executable, "-m", "naturalproofs", "serve", *map(str, words), "--port", str(self.port)]
        self.process = subprocess.Popen(
            line, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def __enter__(self) -> "Serving":
        for _ in range(800):
            try:
                if self.ask("/").startswith(b"HTTP"):
                    return self
            except OSError:
                time.sleep(0.25)
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)

    def send(self, data: bytes, timeout: float = 60) -> bytes:
        """What the server answers; nothing if it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as connection:
            try:
                connection.sendall(data)
                return b"".join(iter(lambda: connection.recv(1 << 16), b""))
            except (ConnectionError, TimeoutError):
                return b""

    def ask(self, path: str, host: str = "127.0.0.1") -> bytes:
        """The answer for a page."""
        return self.send(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())

    def workers(self) -> set[int]:
        """Python processes below the first one that answer requests: they hold the listening socket."""
        found = subprocess.run(["pgrep", "-g", str(self.process.pid)], capture_output=True, text=True, check=False)
        return {int(one) for one in found.stdout.split()} - {self.process.pid}


def rpc_message(method: str, number: int | None = None, **parameters: object) -> bytes:
    """A message of the language server protocol."""
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters} | ({"id": number} if number else {}))
    return f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
