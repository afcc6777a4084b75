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
from naturalproofs.assist.library import Library
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
    prepared = Library.open([folder])
    _timed("prepare the ranker, the first time", lambda: prepared.shelves[0].advisor, whole)
    file.write_text(text[:at] + LEMMA + text[at:], "utf-8")
    edited: list[Library] = []
    _timed(f"open, a lemma added to {chapter}", lambda: edited.append(Library.open([folder])), whole)
    _timed("prepare the ranker again", lambda: edited[0].shelves[0].advisor, whole)
    found = edited[0].suggest("Every zebra that is purple is a flat module.", k=3)
    print(f"  the new lemma is number {1 + [i.statement.label for i in found].index(label_of(edited[0]))}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "naturalproofs", "suggest", str(folder), "--at", label]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"  {'suggest, a cold process':<45} {used:6.2f} s  ({time.perf_counter() - start:.2f} s by the clock)")


def label_of(library: Library) -> str:
    """The label of the new lemma in the whole project."""
    labels = [statement.label for statement in library.shelves[0].corpus.statements]
    return next(label for label in labels if label.endswith("lemma-zebra"))


def _timed(what: str, work: Callable[[], object], whole: float | None = None) -> float:
    start = time.process_time()
    work()
    used = time.process_time() - start
    print(f"  {what:<45} {used:6.2f} s" + (f"  1/{whole / used:.1f} of reading" if whole else ""))
    return used


if __name__ == "__main__":
    main()
