"""A server at saturation whose workers are killed: ``python benchmarks/soak.py [CORPUS] [--minutes 10]``.

More clients than workers ask without a pause. At the end of each minute one worker is killed (SIGKILL). Counted are
answers by status, connections that the killed worker dropped, the seconds until its successor answers, and the memory
of the workers. Exits with 1 if there was a status of 500 and more other than 503, a worker that came back too late, or
memory that grew.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from naturalproofs.corpus.load import load_corpus
from naturalproofs.data import primer_folder

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
BACK_WITHIN = 15.0
"""Seconds after which the successor of a killed worker must answer."""
GROWTH = 0.10
"""How far the memory of the workers may be from its median, once they are warm."""
WARM_UP = 2
"""Minutes that are left out of the comparison."""


def main() -> int:
    """Run it, print what was counted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("corpus", nargs="?", type=Path, default=primer_folder())
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--clients", type=int, default=16)
    options = parser.parse_args()
    command = ["serve", options.corpus, "--port", 0, "--workers", options.workers]
    process = subprocess.Popen(
        [sys.executable, "-m", "naturalproofs", *map(str, command)], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    lines: list[str] = []
    found = None
    while found is None:
        line = process.stderr.readline()
        if not line:
            raise SystemExit("the server did not start")
        found = ADDRESS.search(line)
    threading.Thread(target=lambda: lines.extend(process.stderr or ()), daemon=True).start()
    try:
        return soak(process.pid, int(found[1]), requests_for(options.corpus), options)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        print(f"server: {len(lines)} lines, the last {lines[-1:]}")


def requests_for(path: Path) -> list[tuple[str, str, bytes | None]]:
    """Requests of every kind about a corpus: method, path and body."""
    statements = [one for one in load_corpus(path).statements if one.kind == "theorem"][:500]
    found: list[tuple[str, str, bytes | None]] = [("GET", "/", None), ("GET", "/health", None)]
    for one in statements:
        word = re.sub(r"[^\w ]", "", one.title or " ".join(one.lines))[:30].replace(" ", "+") or "group"
        body = json.dumps({"text": one.text[:2000], "k": 5}).encode()
        found.append(("POST", "/api/v1/suggest", body))
        found += [("GET", f"/api/v1/search?q={word}", None), ("GET", f"/?q={word}", None)]
    return [(method, path.encode("ascii", "ignore").decode(), body) for method, path, body in found]


class Clients:
    """Threads that ask without a pause, each request on a connection of its own."""

    def __init__(self, port: int, asked: Sequence[tuple[str, str, bytes | None]], count: int) -> None:
        """Start them."""
        self.port, self.asked, self.counts, self.stopped = port, asked, Counter[str](), False
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._ask, args=(number,), daemon=True) for number in range(count)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop and wait for them."""
        self.stopped = True
        for thread in self._threads:
            thread.join(120)

    def _ask(self, number: int) -> None:
        chance = random.Random(number)
        while not self.stopped:
            method, path, body = chance.choice(self.asked)
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            try:
                headers = {"Content-Type": "application/json", "Connection": "close"}
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                answer.read()
                outcome = str(answer.status)
            except (OSError, http.client.HTTPException) as error:
                outcome = type(error).__name__
            finally:
                connection.close()
            with self._lock:
                self.counts[outcome] += 1


def soak(server: int, port: int, asked: Sequence[tuple[str, str, bytes | None]], options: argparse.Namespace) -> int:
    """Ask, kill and count; 0 if all is well."""
    clients = Clients(port, asked, options.clients)
    wait_for(lambda: len(answering(server, port, ())) >= options.workers, 120)
    chance = random.Random(0)
    back: list[float] = []
    memory: list[float] = []
    for minute in range(1, options.minutes + 1):
        time.sleep(60)
        alive = workers(server, port)
        memory.append(sum(map(resident, alive)))
        victim = chance.choice(alive)
        os.kill(victim, signal.SIGKILL)
        killed = time.monotonic()
        wait_for(lambda known=alive: bool(answering(server, port, known)), 120)
        back.append(time.monotonic() - killed)
        total = sum(clients.counts.values())
        print(
            f"minute {minute:>2}: {total:>8,} answers, {memory[-1]:7,.0f} MB, back after {back[-1]:.1f} s", flush=True
        )
    clients.stop()
    counts = clients.counts
    bad = {status: number for status, number in counts.items() if status.startswith("5") and status != "503"}
    steady = memory[WARM_UP:] or memory
    spread = max(abs(one / statistics.median(steady) - 1) for one in steady)
    print(f"answers: {dict(sorted(counts.items()))}; other than 503 from 500 on: {bad or 'none'}")
    print(f"workers back: {len(back)} of {options.minutes}, at most {max(back):.1f} s (aim {BACK_WITHIN:.0f} s)")
    print(f"memory after {WARM_UP} minutes: within {spread:.1%} of its median (aim {GROWTH:.0%})")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    return int(bool(bad) or max(back) > BACK_WITHIN or spread > GROWTH)


def wait_for(condition: object, seconds: float) -> None:
    """Wait until something holds, at most so long."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:  # type: ignore[operator]
        time.sleep(0.1)


def children(server: int) -> list[int]:
    """The processes that a process has started, and those that they have started."""
    try:
        found = [int(one) for one in Path(f"/proc/{server}/task/{server}/children").read_text().split()]
    except OSError:
        return []
    return [*found, *(below for one in found for below in children(one))]


def workers(server: int, port: int) -> list[int]:
    """The processes that answer; each has accepted a connection at some moment of a short while."""
    found: set[int] = set()
    end = time.monotonic() + 2
    while time.monotonic() < end:
        found.update(answering(server, port, ()))
        time.sleep(0.1)
    return sorted(found)


def answering(server: int, port: int, known: Sequence[int]) -> list[int]:
    """New workers that have accepted a connection."""
    accepted = sockets(port, "01")
    return [child for child in children(server) if child not in known and accepted & open_sockets(child)]


def sockets(port: int, state: str) -> set[str]:
    """The inodes of this machine's sockets at a port that are in a state."""
    lines = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return {line[9] for line in lines if line[1].endswith(f":{port:04X}") and line[3] == state}


def open_sockets(process: int) -> set[str]:
    """The inodes of the sockets that a process holds."""
    found = set()
    try:
        for link in Path(f"/proc/{process}/fd").iterdir():
            try:
                found.add(str(link.readlink()).removeprefix("socket:[").removesuffix("]"))
            except OSError:
                continue
    except OSError:
        return set()
    return found


def resident(process: int) -> float:
    """The memory of a process in MB; what it shares with others is divided among them."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


if __name__ == "__main__":
    sys.exit(main())
