r"""How long `suggest` takes for a project, in processor time, which other work on the machine hardly changes.

    python benchmarks/suggest_speed.py texts/infdesc

Prints the size of the trees; a whole cold command (`naturalproofs suggest`), the first time and when the project is
cached; and a warm workspace, asked about theorems one after the other: ten suggestions with reasons.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

import numpy as np

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import Statement
from naturalproofs.workspace import Workspace


def command_time(project: Path, theorem: Statement, cache: str) -> float:
    """Processor seconds of one command, with all of its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = [sys.executable, "-m", "naturalproofs", "suggest", str(project), "--at", theorem.label]
    subprocess.run(line, env={**os.environ, "NATURALPROOFS_CACHE": cache}, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path)
    parser.add_argument("--theorems", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3, help="cold commands")
    given = parser.parse_args()
    trees = sum(len(one.read_bytes()) for one in (files("naturalproofs.data") / "ranker").iterdir())
    print(f"trees: {trees / 1e6:.2f} MB")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["NATURALPROOFS_CACHE"] = cache
        workspace = Workspace.open([given.project], cache=False)
        theorems = [one for one in workspace.home.of_kind("theorem") if one.proofs and not has_generated_label(one)]
        chosen = random.Random(0).sample(theorems, min(given.theorems, len(theorems)))
        print(f"{given.project.name}: {len(workspace.home.statements)} statements")
        times = [command_time(given.project, chosen[0], cache) for _ in range(1 + given.runs)]
        print(f"cold command: {times[0]:.2f} s the first time, then", *(f"{one:.2f}" for one in times[1:]), "s")
        warm = []
        for theorem in (*chosen[:3], *chosen):
            start = time.process_time()
            workspace.suggest(theorem, k=10)
            warm.append(1000 * (time.process_time() - start))
        median, high = np.percentile(warm[3:], [50, 95])
        print(f"warm: median {median:.1f} ms, 95th percentile {high:.1f} ms over {len(chosen)} theorems")


if __name__ == "__main__":
    main()
