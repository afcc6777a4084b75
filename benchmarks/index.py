"""How fast a project opens through its index, beside reading it anew.

    python benchmarks/index.py [STACKS_SOURCE]

Takes a copy of the Primer, and of the Stacks project if its source is given or at hand. Times are of the processor, so
that they do not depend on what else runs; what counts is their ratio to reading everything.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from naturalproofs.assist.index.project import open_project
from naturalproofs.corpus.opening import open_path
from naturalproofs.data import primer_folder

LEMMA = "\n\\begin{lemma}\n\\label{lemma-zebra}\nEvery purple zebra module is flat.\n\\end{lemma}\n\n"


def main() -> None:
    """Measure and print."""
    given = (
        sys.argv[1] if len(sys.argv) > 1 else os.environ.get("NATURALPROOFS_CORPORA", "../shared/corpora") + "/stacks"
    )
    with tempfile.TemporaryDirectory() as scratch:
        primer = Path(scratch, "primer")
        shutil.copytree(primer_folder(), primer)
        _measure(primer, "chapters/groups.tex", "thm:lagrange")
        if Path(given).is_dir():
            stacks = Path(scratch, "stacks")
            stacks.mkdir()
            for file in Path(given).glob("*.tex"):
                shutil.copy(file, stacks)
            _measure(stacks, "algebra.tex", "algebra-lemma-NAK")


def _measure(folder: Path, chapter: str, label: str) -> None:
    print(f"{folder.name}:")
    whole = _timed("read, no index", lambda: open_path(folder))
    _timed("read and index", lambda: open_project(folder), whole)
    _timed("open, unchanged", lambda: open_project(folder), whole)
    file = folder / chapter
    text = file.read_text("utf-8")
    at = text.index("\\begin{lemma}", len(text) // 2)
    file.write_text(text[:at] + LEMMA + text[at:], "utf-8")
    _timed(f"open, a lemma added to {chapter}", lambda: open_project(folder), whole)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "naturalproofs", "suggest", str(folder), "--at", label]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"  {'suggest, a cold process':<45} {used:6.2f} s  ({time.perf_counter() - start:.2f} s by the clock)")


def _timed(what: str, work: Callable[[], object], whole: float | None = None) -> float:
    start = time.process_time()
    work()
    used = time.process_time() - start
    print(f"  {what:<45} {used:6.2f} s" + (f"  1/{whole / used:.1f} of reading" if whole else ""))
    return used


if __name__ == "__main__":
    main()
