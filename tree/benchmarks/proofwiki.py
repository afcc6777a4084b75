"""How fast a MediaWiki dump is read, and in how much memory, beside BeautifulSoup over the whole text.

    python benchmarks/proofwiki.py DUMP [--copies 20 --copies 60]

A dump is made ``--copies`` times as long in a temporary folder: every copy's titles and links get a mark of their own,
so that no page repeats another. All run in processes of their own; the rival gets one copy, and only has to take the
pages' text.

``draft``: throughput is bytes of unpacked XML by processor seconds of one core, user and system, from opening the file
to the finished draft: XML, wikitext, citations, redirects, categories, the hash of the file, and writing the
statements down in a temporary file. Importing the package and unpacking are not in it.

``build``: the same, and all the rest of ``naturalproofs build proofwiki``: resolving, the graph, the split, the leak
check, the corpus folder. Peaks are those of whole processes; the last line tells how they grow with the dump.
"""

import argparse
import importlib
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from naturalproofs.sources.wiki.dump import read_chunks

MARKED = re.compile(rb'(\[\[:?|\{\{:|<title>|<redirect title=")((?:[A-Z][a-z]+:)?)(?=[^#\]}/<"])')


def copies(dump: Path, count: int) -> Iterator[bytes]:
    """Give the bytes of a dump that is a number of times as long."""
    whole = b"".join(chunk for chunk, _ in read_chunks(dump))
    head, _, rest = whole.partition(b"<page>")
    pages = b"<page>" + rest.rpartition(b"</mediawiki>")[0]
    yield head
    for copy in range(count):
        yield MARKED.sub(rb"\1\2" + (f"V{copy} ".encode() if copy else b""), pages)
    yield b"</mediawiki>\n"


def draft(path: Path) -> dict[str, float]:
    """Read the dump into a draft."""
    from naturalproofs.sources.wiki.source import read_proofwiki

    return {"statements": len(read_proofwiki(path).statements)}


def build(path: Path) -> dict[str, float]:
    """Make a corpus folder of the dump."""
    from naturalproofs.benchmark.make import make_corpus
    from naturalproofs.sources.registry import source

    with tempfile.TemporaryDirectory() as folder:
        _, manifest = make_corpus(source("proofwiki"), path, Path(folder) / "corpus", name="proofwiki")
    return dict(manifest.counts)


def soup(path: Path) -> dict[str, float]:
    """Read the dump as a tree and take every page's text, as the published notebook did."""
    from bs4 import BeautifulSoup

    tree = BeautifulSoup(path.read_text(encoding="utf-8"), "xml")
    texts = [page.text for page in tree.find_all("page")]
    return {"pages": len(texts)}


READERS = {"draft": draft, "build": build, "soup": soup}
MODULES = {"draft": "naturalproofs.sources.wiki", "build": "naturalproofs.benchmark.make", "soup": "bs4"}
"""Imported before the clock starts."""


def measured(reader: str, path: Path) -> dict[str, float]:
    """Run a reader in a process of its own."""
    command = [sys.executable, __file__, str(path), "--reader", reader]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def peak() -> int:
    """The most memory that this process has held, in bytes."""
    status = Path("/proc/self/status")
    if status.is_file():
        # What the system counts for a process otherwise begins with the memory of the one that started it.
        return 1024 * int(status.read_text().partition("VmHWM:")[2].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run_reader(reader: str, path: Path) -> None:
    """Read, and print what it took."""
    importlib.import_module(MODULES[reader])
    begin = time.process_time()
    found = READERS[reader](path)
    seconds = time.process_time() - begin
    print(json.dumps({**found, "seconds": seconds, "megabytes": path.stat().st_size / 1e6, "peak_mb": peak() / 1e6}))


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--copies", type=int, action="append", help="how many times as long; may be repeated")
    parser.add_argument("--reader", choices=READERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.reader:
        run_reader(options.reader, options.dump)
        return
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        path = Path(folder) / "dump.xml"
        for count in [1, *(options.copies or [20])]:
            with path.open("wb") as stream:
                stream.writelines(copies(options.dump, count))
            rows += [(reader, count, measured(reader, path)) for reader in (["soup"] if count == 1 else [])]
            rows += [(reader, count, measured(reader, path)) for reader in ("draft", "build")]
        rival = rows[0][2]
        titles = f"{'MB':>7} {'s':>7} {'MB/s':>6} {'peak MB':>8} {'peak/size':>9} {'times as fast':>13}"
        print(f"{'reader':8} {'copies':>6} {titles}")
        for reader, count, row in rows:
            speed = row["megabytes"] / row["seconds"]
            ratio = speed / (rival["megabytes"] / rival["seconds"])
            size = f"{row['megabytes']:7.1f} {row['seconds']:7.2f} {speed:6.1f} {row['peak_mb']:8.0f}"
            print(f"{reader:8} {count:6} {size} {row['peak_mb'] / row['megabytes']:9.2f} {ratio:13.2f}")
        first, last = rows[2][2], rows[-1][2]
        growth = (last["peak_mb"] - first["peak_mb"]) / (last["megabytes"] - first["megabytes"])
        print(f"every further MB of XML takes the whole build {growth:.2f} MB more")


if __name__ == "__main__":
    main()
