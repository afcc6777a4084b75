"""The long form: ``make chaos``. The counts are printed, and each failure with the seed that repeats it."""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from chaos.cases import Failed, kill, mutate, tamper
from chaos.clients import agents, editor, page
from chaos.material import make_template
from naturalproofs.io import files

KINDS = {"kill": kill, "tamper": tamper, "mutate": mutate, "agents": agents, "editor": editor, "page": page}
NUMBERS = {"kill": 1000, "tamper": 1500, "mutate": 5000, "agents": 1000, "editor": 1000, "page": 1500}
"""How many cases of each kind; about half of the first are kills, the others failing writes."""


def main() -> int:
    """Run all cases; exit with 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first case; the others follow")
    for name, number in NUMBERS.items():
        parser.add_argument(f"--{name}", type=int, default=number, metavar="CASES")
    options = vars(parser.parse_args())
    files._JUST_MADE = -1
    counts: Counter[str] = Counter()
    failures, began = 0, time.monotonic()
    # Mutated inputs of failed cases stay in this folder.
    home = Path(tempfile.mkdtemp(prefix="naturalproofs-chaos-"))
    os.environ["NATURALPROOFS_CACHE"] = str(home / "cache")
    template = make_template(home / "template")
    for name, run in KINDS.items():
        seed = options["seed"]
        before = counts.total()
        while counts.total() - before < options[name]:
            try:
                counts.update(run(template, home / "case", random.Random(seed)))
            except Failed as failure:
                failures += 1
                counts["failed"] += 1
                print(f"FAILED {name}, --seed {seed} --{name} 1: {str(failure)[-2000:]}\n", flush=True)
            seed += 1
        print(f"{name}: {counts.total() - before:,} cases, {time.monotonic() - began:.0f} s", flush=True)
    print(
        f"{counts.total():,} cases ({', '.join(f'{n:,} {kind}' for kind, n in counts.items())}), {failures:,} failures"
    )
    if not failures:
        shutil.rmtree(home)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
