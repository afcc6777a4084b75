"""Time to read LaTeX, compared with one regular expression over the same text, pylatexenc and TexSoup.

    python benchmarks/latex.py [STACKS_FOLDER]

All figures are measured in the same run on one core; compare their ratios.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

SLICE = 60_000
"""Characters that the tree-building libraries are given; the whole text would take them many minutes."""
LIMIT = 5.0
MEMORY = 600


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """The best of a few runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def whole_build(folder: Path) -> tuple[float, float]:
    """Time and peak memory of a cold process that builds the corpus with graph and splits."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "naturalproofs", "build", "stacks", str(folder), "-o", f"{out}/stacks", "-q"]
        start = time.perf_counter()
        subprocess.run(command, check=True)
        elapsed = time.perf_counter() - start
    return elapsed, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def one_regex_pass(folder: Path) -> int:
    """Read every file and stop at the commands that matter, as a lower bound of any reader."""
    pattern = re.compile(r"\\begin|\\end|\\label|\\ref")
    return sum(1 for file in folder.glob("*.tex") for _ in pattern.finditer(file.read_text("utf-8")))


def peers(text: str) -> dict[str, float]:
    """Seconds for the same slice: our scanner, then the libraries that build a tree."""
    from pylatexenc.latexwalker import LatexWalker
    from TexSoup import TexSoup

    from naturalproofs.sources.latex.scan.scanner import FULL, STRUCTURE, scan

    return {
        "our scanner, structure": seconds(lambda: scan(text, STRUCTURE), 5),
        "our scanner, all of it": seconds(lambda: scan(text, FULL), 5),
        "pylatexenc": seconds(lambda: LatexWalker(text).get_latex_nodes(), 1),
        "TexSoup": seconds(lambda: TexSoup(text, tolerance=1), 1),
    }


def main() -> int:
    """Print the figures; fail when time or memory is over its limit."""
    default = Path(os.environ.get("NATURALPROOFS_CORPORA", "../shared/corpora")) / "stacks"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    if not (folder / "algebra.tex").is_file():
        print(f"skipped: no Stacks project at {folder}; give its folder, or set NATURALPROOFS_CORPORA")
        return 0
    size = sum(file.stat().st_size for file in folder.glob("*.tex")) / 1e6
    bound = seconds(lambda: one_regex_pass(folder))
    elapsed, memory = min(whole_build(folder) for _ in range(3))
    limit = max(LIMIT, 3 * bound)
    print(f"Stacks project, {size:.1f} MB of LaTeX")
    print(f"  read and one regular expression    {bound:6.2f} s")
    print(f"  naturalproofs build, cold process  {elapsed:6.2f} s  ({elapsed / bound:.1f} times; limit {limit:.1f} s)")
    print(f"  peak memory                        {memory:6.0f} MB (limit {MEMORY} MB)")
    text = (folder / "algebra.tex").read_text("utf-8")[:SLICE]
    text = text[: text.rindex("\\end{proof}") + len("\\end{proof}")]
    print(f"\nA slice of {len(text) / 1e3:.0f} kB of algebra.tex")
    found = peers(text)
    base = found["our scanner, structure"]
    for name, value in found.items():
        print(f"  {name:<24} {value * 1e3:9.1f} ms  {value / base:9.0f} times")
    return 0 if elapsed <= limit and memory <= MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
