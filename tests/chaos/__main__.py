"""The long form: ``make chaos``. The counts are printed, and each failure with the seed that repeats it."""

import argparse
import gc
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

os.environ.setdefault("OMP_NUM_THREADS", "1")

from chaos.cases import PROBLEMS, Failed, kill, mutate, save, tamper
from chaos.clients import AT_ONCE, REQUESTS, agents, editor, page, rename
from chaos.material import make_template
from naturalproofs.io import files

KINDS = {
    "kill": kill, "rename": rename, "save": save, "tamper": tamper, "mutate": mutate, "agents": agents,
    "editor": editor, "page": page,
}  # fmt: skip
NUMBERS = {
    "kill": 1600, "rename": 100, "save": 100, "tamper": 1500, "mutate": 5200, "agents": 1000, "editor": 1000,
    "page": 1500,
}  # fmt: skip
"""How many cases of each kind; of the first two, 600 or more are kills. A quarter of all have little memory."""
AT_A_TIME = {"agents": AT_ONCE, "editor": AT_ONCE, "page": REQUESTS}
"""Cases of one seed; one for all other kinds."""


def main() -> int:
    """Run all cases; exit with 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first case; the others follow")
    parser.add_argument("--processes", type=int, default=2, help="cases that run at once")
    parser.add_argument(
        "--state", type=Path, metavar="FILE", help="where the counts are kept; another run goes on there"
    )
    for name, number in NUMBERS.items():
        parser.add_argument(f"--{name}", type=int, default=number, metavar="CASES")
    options = vars(parser.parse_args())
    files._JUST_MADE = -1
    state = State.read(options["state"])
    began = time.monotonic()
    # In memory if possible: kills of processes do not depend on the disk, but syncing takes most of the time there.
    # Mutated inputs of failed cases stay in this folder.
    memory = Path("/dev/shm")
    where = memory if "TMPDIR" not in os.environ and os.access(memory, os.W_OK) else None
    home = Path(tempfile.mkdtemp(prefix="naturalproofs-chaos-", dir=where))
    os.environ["NATURALPROOFS_CACHE"] = str(home / "cache")
    template = make_template(home / "template")
    for name in KINDS:
        counts = state.counts.setdefault(name, Counter())
        used = state.cases.get(name, 0)
        remaining = -(-(options[name] - counts.total()) // AT_A_TIME.get(name, 1))
        seeds = range(options["seed"] + used, options["seed"] + used + remaining)
        for found, message, peak in _run(partial(_case, name, template, home), seeds, options["processes"]):
            if message:
                print(message, flush=True)
            counts.update(found)
            state.peak = max(state.peak, peak)
            state.cases[name] = state.cases.get(name, 0) + 1
            state.write(options["state"])
        print(f"{name}: {counts.total():,} cases, {time.monotonic() - began:.0f} s", flush=True)
    total = sum(state.counts.values(), Counter())
    failures = sum(total[problem] for problem in PROBLEMS)
    print(", ".join(f"{number:,} {kind}" for kind, number in total.items() if kind not in PROBLEMS))
    print(f"{total.total():,} cases, {total['killed']:,} kills, peak memory {state.peak >> 10:,} MB: ", end="")
    print(", ".join(f"{total[problem]:,} {words}" for problem, words in PROBLEMS.items()))
    if not failures:
        shutil.rmtree(home)
    if options["state"] is not None:
        options["state"].unlink(missing_ok=True)
    return 1 if failures else 0


def _run(case: partial, seeds: range, processes: int) -> Iterator[tuple[Counter[str], str, int]]:
    """The results of the cases, in order; processes are forked, so that what is imported is there."""
    gc.collect()
    gc.freeze()
    with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
        yield from pool.map(case, seeds)


def _case(name: str, template: Path, home: Path, seed: int) -> tuple[Counter[str], str, int]:
    """Counts of one case, the message if it failed, and the most kilobytes of a process so far."""
    folder = home / f"process-{os.getpid()}" / "case"
    folder.parent.mkdir(exist_ok=True)
    try:
        counts, message = KINDS[name](template, folder, random.Random(seed)), ""
    except Failed as failure:
        counts = Counter([failure.problem])
        message = f"FAILED {name}, --seed {seed} --{name} 1: {str(failure)[-2000:]}\n"
    return counts, message, max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


@dataclass
class State:
    """How far the cases have come."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    """By kind: the cases by outcome."""
    cases: dict[str, int] = field(default_factory=dict)
    """By kind: how many seeds were used."""
    peak: int = 0
    """The most kilobytes of memory of a process."""

    @classmethod
    def read(cls, file: Path | None) -> "State":
        """The state of an earlier run, if there is one."""
        if file is None or not file.is_file():
            return cls()
        found = json.loads(file.read_text())
        return cls({kind: Counter(counts) for kind, counts in found["counts"].items()}, found["cases"], found["peak"])

    def write(self, file: Path | None) -> None:
        """Keep it for another run."""
        if file is not None:
            file.write_text(json.dumps(vars(self)))


if __name__ == "__main__":
    sys.exit(main())
