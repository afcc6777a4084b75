"""The long form: ``make chaos``. The counts are printed, and each failure with the seed that repeats it."""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from chaos.cases import Failed, kill, mutate, tamper
from chaos.clients import agents, editor, page
from chaos.material import make_template
from naturalproofs.io import files

KINDS = {"kill": kill, "tamper": tamper, "mutate": mutate, "agents": agents, "editor": editor, "page": page}
NUMBERS = {"kill": 1100, "tamper": 1500, "mutate": 4900, "agents": 1000, "editor": 1000, "page": 1500}
"""How many cases of each kind; about half of the first are kills, the others failing writes."""


def main() -> int:
    """Run all cases; exit with 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first case; the others follow")
    parser.add_argument(
        "--state", type=Path, metavar="FILE", help="where the counts are kept; another run goes on there"
    )
    for name, number in NUMBERS.items():
        parser.add_argument(f"--{name}", type=int, default=number, metavar="CASES")
    options = vars(parser.parse_args())
    files._JUST_MADE = -1
    state = State.read(options["state"])
    began = time.monotonic()
    # Mutated inputs of failed cases stay in this folder.
    home = Path(tempfile.mkdtemp(prefix="naturalproofs-chaos-"))
    os.environ["NATURALPROOFS_CACHE"] = str(home / "cache")
    template = make_template(home / "template")
    for name, run in KINDS.items():
        counts = state.counts.setdefault(name, Counter())
        while counts.total() < options[name]:
            seed = options["seed"] + state.cases.get(name, 0)
            try:
                counts.update(run(template, home / "case", random.Random(seed)))
            except Failed as failure:
                counts["failed"] += 1
                print(f"FAILED {name}, --seed {seed} --{name} 1: {str(failure)[-2000:]}\n", flush=True)
            state.cases[name] = state.cases.get(name, 0) + 1
            state.write(options["state"])
        print(f"{name}: {counts.total():,} cases, {time.monotonic() - began:.0f} s", flush=True)
    total = sum(state.counts.values(), Counter())
    failures = total["failed"]
    listed = ", ".join(f"{number:,} {kind}" for kind, number in total.items())
    print(f"{total.total():,} cases ({listed}), {failures:,} failures")
    if not failures:
        shutil.rmtree(home)
    if options["state"] is not None:
        options["state"].unlink(missing_ok=True)
    return 1 if failures else 0


@dataclass
class State:
    """How far the cases have come."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    """By kind: the cases by outcome."""
    cases: dict[str, int] = field(default_factory=dict)
    """By kind: how many seeds were used."""

    @classmethod
    def read(cls, file: Path | None) -> "State":
        """The state of an earlier run, if there is one."""
        if file is None or not file.is_file():
            return cls()
        found = json.loads(file.read_text())
        return cls({kind: Counter(counts) for kind, counts in found["counts"].items()}, found["cases"])

    def write(self, file: Path | None) -> None:
        """Keep it for another run."""
        if file is not None:
            file.write_text(json.dumps({"counts": self.counts, "cases": self.cases}))


if __name__ == "__main__":
    sys.exit(main())
