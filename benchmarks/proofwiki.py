"""How fast a MediaWiki dump is read, and in how much memory, beside BeautifulSoup over the whole text.

    python benchmarks/proofwiki.py DUMP [--copies 20 --copies 60]

A dump is made ``--copies`` times as long in a temporary folder: every copy's titles and links get a mark of their own,
so that no page repeats another. Both readers run in processes of their own; the rival gets one copy, and only has to
take the pages' text.

Throughput is bytes of unpacked XML by processor seconds of one core, user and system, from opening the file to the
finished draft: XML, wikitext, citations, redirects, categories, the hash of the file. Importing the package, unpacking,
resolving and writing a corpus are not in it. The peak is that of the whole process, which holds the draft at the end.
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

from naturalproofs.markup.mediawiki.compressed import read_chunks

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


def ours(path: Path) -> dict[str, float]:
    """Read the dump into a draft."""
    from naturalproofs.sources.proofwiki import read_proofwiki

    draft = read_proofwiki(path)
    return {"statements": len(draft.statements), "proofs": sum(len(s.proofs) for s in draft.statements)}


def soup(path: Path) -> dict[str, float]:
    """Read the dump as a tree and take every page's text, as the published notebook did."""
    from bs4 import BeautifulSoup

    tree = BeautifulSoup(path.read_text(encoding="utf-8"), "xml")
    texts = [page.text for page in tree.find_all("page")]
    return {"pages": len(texts)}


READERS = {"ours": ours, "soup": soup}
MODULES = {"ours": "naturalproofs.sources.proofwiki", "soup": "bs4"}
"""Imported before the clock starts."""


def measured(reader: str, path: Path) -> dict[str, float]:
    """Run a reader in a process of its own."""
    command = [sys.executable, __file__, str(path), "--reader", reader]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def run_reader(reader: str, path: Path) -> None:
    """Read, and print what it took."""
    importlib.import_module(MODULES[reader])
    begin = time.process_time()
    found = READERS[reader](path)
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({**found, "seconds": seconds, "megabytes": path.stat().st_size / 1e6, "peak_mb": peak / 1e6}))


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
        for reader, count in [("soup", 1), ("ours", 1), *(("ours", count) for count in options.copies or [20])]:
            path = Path(folder) / "dump.xml"
            with path.open("wb") as stream:
                stream.writelines(copies(options.dump, count))
            rows.append((reader, count, measured(reader, path)))
        rival = rows[0][2]
        titles = f"{'MB':>7} {'s':>7} {'MB/s':>6} {'peak MB':>8} {'peak/size':>9} {'times as fast':>13}"
        print(f"{'reader':8} {'copies':>6} {titles}")
        for reader, count, row in rows:
            speed = row["megabytes"] / row["seconds"]
            ratio = speed / (rival["megabytes"] / rival["seconds"])
            size = f"{row['megabytes']:7.1f} {row['seconds']:7.2f} {speed:6.1f} {row['peak_mb']:8.0f}"
            print(f"{reader:8} {count:6} {size} {row['peak_mb'] / row['megabytes']:9.2f} {ratio:13.2f}")


if __name__ == "__main__":
    main()
