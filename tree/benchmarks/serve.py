"""How fast the page answers with a large corpus loaded: ``python benchmarks/serve.py --source ../stacks``.

Starts the server as a user does, on a port of this machine only, and asks it as programs do: suggestions for theorems
of the corpus and searches for words of it, one after the other with one worker, then from several connections at once
with two workers for a minute. Then requests arrive at a fixed rate, whether earlier ones are answered or not: half of
them suggestions, a quarter searches, a quarter pages of statements; the time of an answer counts from when its request
was due. Prints what was measured beside what is aimed at. ``--load`` runs this last part alone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from naturalproofs.benchmark.make import make_corpus
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.sources.registry import source

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
CONNECTIONS = 64
"""Requests that may be under way at once."""
SMALLEST = 40
"""Megabytes; the processes that only start or watch others are smaller."""
PATIENCE = 600
"""Seconds that a server may take to start, the making of its index included."""


@dataclass(frozen=True)
class Row:
    """One figure, and what it should be."""

    name: str
    value: float
    unit: str
    target: str
    met: bool


class Server:
    """A server process and how to ask it."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        """Bind the process and its port."""
        self.process = process
        self.base = f"http://127.0.0.1:{port}/api/v1"

    def suggest(self, text: str) -> None:
        """Ask for ten suggestions."""
        body = json.dumps({"text": text, "k": 10}).encode()
        request = urllib.request.Request(f"{self.base}/suggest", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["items"]

    def search(self, query: str) -> None:
        """Search for ten statements."""
        words = urllib.parse.urlencode({"q": query, "k": 10})
        with urllib.request.urlopen(f"{self.base}/search?{words}", timeout=60) as answer:
            assert "items" in json.load(answer)

    def page(self, statement: str) -> None:
        """Get the page of a statement."""
        address = f"{self.base.removesuffix('/api/v1')}/statement/{urllib.parse.quote(statement)}"
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert b"</html>" in answer.read()

    def processes(self) -> list[Path]:
        """The folders under /proc of the processes that answer: the workers, or the server itself if it has none."""
        parents = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                parents[int(folder.name)] = int(fields[1])
        below = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in below} - below:
            below |= more
        # Workers are children of the process that they are forked from, which is a child of the server.
        inner = [pid for pid in below if pid not in parents.values() and pid != self.process.pid]
        workers = [pid for pid in inner if _memory(Path(f"/proc/{pid}")) > SMALLEST]
        return [Path(f"/proc/{pid}") for pid in workers or [self.process.pid]]

    def processor(self) -> float:
        """Seconds of processor time that the server has used; other work on the machine does not change it."""
        total = 0
        for folder in self.processes():
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def memory(self) -> list[float]:
        """Megabytes of each process that answers: what it holds alone, and its part of what it shares."""
        return [_memory(folder) for folder in self.processes()]


def _memory(folder: Path) -> float:
    with suppress(OSError):
        if found := re.search(r"Pss:\s+(\d+)", (folder / "smaps_rollup").read_text()):
            return int(found[1]) / 1024
    return 0.0


@contextmanager
def started(corpus: Path, cache: Path, workers: int, cores: str) -> Iterator[tuple[Server, float]]:
    """A server that answers, and how many seconds its first answer took from the start."""
    command = [sys.executable, "-m", "naturalproofs", "serve", str(corpus), "--port", "0", "--workers", str(workers)]
    bound = ["taskset", "-c", cores, *command] if cores else command
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    begin = time.perf_counter()
    process = subprocess.Popen(bound, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        lines = []
        while (port := ADDRESS.search(lines[-1]) if lines else None) is None:
            lines.append(process.stderr.readline() if process.stderr else "")
            if not lines[-1]:
                raise SystemExit(f"the server did not start: {''.join(lines).strip()}")
        server = Server(process, int(port[1]))
        while True:
            try:
                server.suggest("Every finite module over a Noetherian ring is finitely presented.")
                break
            except OSError:
                if process.poll() is not None or time.perf_counter() - begin > PATIENCE:
                    raise SystemExit("the server did not start") from None
                time.sleep(0.02)
        yield server, time.perf_counter() - begin
    finally:
        process.terminate()
        process.wait(30)


def timed(ask: Callable[[str], None], questions: Sequence[str]) -> tuple[float, float]:
    """The median and the 95th percentile of a question, in milliseconds."""
    times = []
    for question in questions:
        begin = time.perf_counter()
        ask(question)
        times.append(1000 * (time.perf_counter() - begin))
    return percentile(times, 0.5), percentile(times, 0.95)


def sustained(server: Server, questions: Sequence[str], seconds: float, connections: int) -> tuple[float, int]:
    """Suggestions a second from several connections at once, and how many failed."""
    end = time.perf_counter() + seconds
    done, failed = [0] * connections, [0] * connections

    def ask(number: int) -> None:
        mixed = random.Random(number)
        while time.perf_counter() < end:
            try:
                server.suggest(mixed.choice(questions))
                done[number] += 1
            except (OSError, AssertionError):
                failed[number] += 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / seconds, sum(failed)


def at_rate(server: Server, corpus: Corpus, rate: float, seconds: float) -> list[Row]:
    """Requests that arrive at a fixed rate: how many were answered, and how fast."""
    theorems, searches = questions(corpus, 200, seed=1)
    mixed = random.Random(2)
    pages = [one.id for one in mixed.sample(corpus.statements, 200)]
    turns = [(server.suggest, theorems), (server.search, searches), (server.suggest, theorems), (server.page, pages)]
    planned = []
    for number in range(int(rate * seconds)):
        ask, asked = turns[number % len(turns)]
        planned.append((number / rate, ask, mixed.choice(asked)))
    waited: dict[str, list[float]] = {}
    failed: Counter[str] = Counter()
    used, begin = server.processor(), time.perf_counter() + 0.5

    def send(due: float, ask: Callable[[str], None], about: str) -> None:
        time.sleep(max(0.0, begin + due - time.perf_counter()))
        try:
            ask(about)
            waited.setdefault(ask.__name__, []).append(1000 * (time.perf_counter() - begin - due))
        except urllib.error.HTTPError as error:
            failed[str(error.code)] += 1
        except (OSError, AssertionError) as error:
            failed[type(error).__name__] += 1

    with ThreadPoolExecutor(max_workers=CONNECTIONS) as pool:
        for _ in pool.map(lambda one: send(*one), planned):
            pass
    answered = sum(map(len, waited.values()))
    used = 1000 * (server.processor() - used) / max(answered, 1)
    every = sorted(chain.from_iterable(waited.values()))
    print(f"failures by status: {dict(failed) or 'none'}", file=sys.stderr)
    rows = [
        Row(f"{rate:g} requests a second for {seconds:g} s: sent", len(planned), "", "", True),
        Row("answered", answered, "", f"{len(planned)}", answered == len(planned)),
        Row("failed", sum(failed.values()), "", "0", not failed),
        Row("processor time of the workers a request", used, "ms", f"≤ {2000 / rate:.0f}", used <= 2000 / rate),
    ]
    for name, times in [*sorted(waited.items()), ("all", every)]:
        row = Row(f"{name}, {len(times)} answers, 95th percentile", percentile(times, 0.95), "ms", "", True)
        rows += [replace(row, name=f"{name}, median", value=percentile(times, 0.5)), row]
    return rows


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of all values is."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def questions(corpus: Corpus, count: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """Theorems to ask about, and words to search for."""
    mixed = random.Random(seed)
    theorems = [s.text[:8000] for s in mixed.sample(list(corpus.of_kind("theorem")), count)]
    words = sorted({word for text in theorems for word in re.findall(r"\b[a-z]{5,}\b", text)})
    searches = [" ".join(mixed.sample(words, mixed.choice((1, 2, 3)))) for _ in range(count)]
    return theorems, searches


def measured(corpus: Path, cache: Path, options: argparse.Namespace) -> list[Row]:
    """All figures."""
    loaded = store.load(corpus)
    if options.load:
        with started(corpus, cache, 2, "") as (server, _):
            return at_rate(server, loaded, options.rate, options.seconds)
    theorems, searches = questions(loaded, options.questions)
    with started(corpus, cache, 1, options.core) as (_, first):
        print(f"first start, the search index made: {first:.1f} s", file=sys.stderr)
    with started(corpus, cache, 1, options.core) as (server, first):
        marks = [server.processor()]
        timed(server.suggest, theorems[:10])
        timed(server.search, searches[:10])
        marks.append(server.processor())
        middle, high = timed(server.suggest, theorems)
        marks.append(server.processor())
        _, found = timed(server.search, searches)
        marks.append(server.processor())
        alone = max(server.memory())
    with started(corpus, cache, 2, "") as (server, _):
        rate, failed = sustained(server, theorems, options.seconds, options.connections)
        shared = max(server.memory())
        arriving = at_rate(server, loaded, options.rate, options.seconds)
    each = 1000 / options.questions
    return [
        Row("start, processor time", marks[0], "s", "", True),
        Row("suggest, processor time", each * (marks[2] - marks[1]), "ms", "", True),
        Row("search, processor time", each * (marks[3] - marks[2]), "ms", "", True),
        Row("suggest, median", middle, "ms", "≤ 60", middle <= 60),
        Row("suggest, 95th percentile", high, "ms", "≤ 150", high <= 150),
        Row("search, 95th percentile", found, "ms", "≤ 30", found <= 30),
        Row("start to first answer", first, "s", "≤ 5", first <= 5),
        Row(f"suggestions a second, 2 workers, {options.seconds:g} s", rate, "/s", "≥ 20", rate >= 20),
        Row("failed meanwhile", failed, "", "0", failed == 0),
        Row("memory of the one worker", alone, "MB", "≤ 1500", alone <= 1500),
        Row("memory of each of two workers", shared, "MB", "≤ 1500", shared <= 1500),
        *arriving,
    ]


def main() -> int:
    """Measure and print; 1 if something was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="a corpus folder that is built already")
    parser.add_argument("--source", type=Path, help="the source of the Stacks project, to be built")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--rate", type=float, default=20, help="requests that arrive in a second")
    parser.add_argument("--load", action="store_true", help="only what arrives at that rate")
    parser.add_argument("--cache", type=Path, help="where the search index is kept from one benchmark to the next")
    parser.add_argument("--core", default="0", help="the core that the one worker is bound to; empty for any")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.corpus
        if folder is None:
            if options.source is None:
                parser.error("give --corpus or --source")
            folder = Path(scratch) / "stacks"
            make_corpus(source("stacks"), options.source, folder, name="stacks")
        rows = measured(folder, options.cache or Path(scratch) / "cache", options)
    for row in rows:
        print(f"{row.name:48} {row.value:10.1f} {row.unit:3} {row.target:>7}  {'met' if row.met else 'MISSED'}")
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
