"""How fast a project opens through its index, beside reading it again.

    python benchmarks/index.py [STACKS_SOURCE]

Takes a copy of the Primer, and of the Stacks project if its source is given or at hand. Times are of the processor, so
that they do not depend on what else runs; what counts is their ratio to reading everything. Of whole processes the
time by the clock is told as well: that is what a person waits for.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from naturalproofs.corpus.load import load_corpus
from naturalproofs.data import primer_folder
from naturalproofs.io.cache import project_cache
from naturalproofs.workspace import Workspace

CORPORA = "NATURALPROOFS_CORPORA"
LEMMA = "\n\\begin{lemma}\n\\label{lemma-zebra}\nEvery purple zebra module is flat.\n\\end{lemma}\n\n"
ANOTHER = LEMMA.replace("zebra", "okapi")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast a project opens through its index.")
    parser.add_argument(
        "stacks",
        nargs="?",
        type=Path,
        default=Path(os.environ.get(CORPORA, "../shared/corpora"), "stacks"),
        help=f"the source of the Stacks project (default: stacks in the folder that {CORPORA} names), if it is there",
    )
    given: Path = parser.parse_args().stacks
    with tempfile.TemporaryDirectory() as scratch:
        primer = Path(scratch, "primer")
        shutil.copytree(primer_folder(), primer)
        _measure(primer, "chapters/groups.tex", "thm:lagrange")
        if given.is_dir():
            stacks = Path(scratch, "stacks")
            stacks.mkdir()
            for file in given.glob("*.tex"):
                shutil.copy(file, stacks)
            _measure(stacks, "algebra.tex", "algebra-lemma-NAK")


def _measure(folder: Path, chapter: str, label: str) -> None:
    print(f"{folder.name}:")
    whole = _timed("read, no index", lambda: load_corpus(folder))
    _timed("read and index", lambda: Workspace.open(folder), whole)
    _timed("open, unchanged", lambda: Workspace.open(folder), whole)
    file = folder / chapter
    text = file.read_text("utf-8")
    at = text.index("\\begin{lemma}", len(text) // 2)
    prepared = Workspace.open(folder)
    _timed("prepare the ranker, the first time", lambda: prepared.home.suggester, whole)
    file.write_text(text[:at] + LEMMA + text[at:], "utf-8")
    edited: list[Workspace] = []
    _timed(f"open, a lemma added to {chapter}", lambda: edited.append(Workspace.open(folder)), whole)
    _timed("prepare the ranker again", lambda: edited[0].home.suggester, whole)
    found = edited[0].suggest("Every zebra that is purple is a flat module.", k=3)
    print(f"  the new lemma is number {1 + [i.statement.label for i in found].index(label_of(edited[0]))}")
    _process("suggest, a cold process", "suggest", str(folder), "--at", label)
    shutil.rmtree(project_cache(folder))
    _process("index, a cold process, nothing kept", "doctor", str(folder), "--index")
    _process("index, a cold process, unchanged", "doctor", str(folder), "--index")
    for lemma in (ANOTHER, LEMMA, ANOTHER):
        file.write_text(text[:at] + lemma + text[at:], "utf-8")
        _process(f"index, a cold process, {chapter} edited", "doctor", str(folder), "--index")


def label_of(workspace: Workspace) -> str:
    """The label of the new lemma in the whole project."""
    labels = [statement.label for statement in workspace.home.statements]
    return next(label for label in labels if label.endswith("lemma-zebra"))


def _timed(what: str, work: Callable[[], object], whole: float | None = None) -> float:
    start = time.process_time()
    work()
    used = time.process_time() - start
    print(f"  {what:<53} {used:6.2f} s" + (f"  1/{whole / used:.1f} of reading" if whole else ""))
    return used


def _process(what: str, *arguments: str) -> None:
    """Run a command by itself, from the start of the interpreter to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "naturalproofs", *arguments], check=True, capture_output=True)
    waited = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"  {what:<53} {used:6.2f} s  ({waited:.2f} s by the clock)")


if __name__ == "__main__":
    main()
