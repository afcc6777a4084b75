"""Reading projects with several workers against one process: ``python benchmarks/collect.py SOURCE... [--workers 2]``.

Both read the same projects into a new collection, one after the other, ``--rounds`` times. Printed are seconds of wall
and processor time of each, and the ratio of the wall times. The ratio says something only on a machine whose cores are
free; the processor time says what the workers cost. Needs the extra ``scale``.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from functools import partial
from pathlib import Path
from unittest.mock import patch

os.environ.setdefault("OMP_NUM_THREADS", "1")

from naturalproofs.apps.collections.collect import Runner, collect, read_locally
from naturalproofs.apps.collections.read import read_project


def processor_seconds() -> float:
    """Of this process and of the workers that have ended."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(name: str, sources: list[Path], run: Runner) -> float:
    """Collect once; the seconds of wall time."""
    with tempfile.TemporaryDirectory() as folder:
        before, began = processor_seconds(), time.monotonic()
        with patch("naturalproofs.apps.collections.collect.finish"):  # The indexes are not of interest.
            report = collect(sources, Path(folder) / "collection", run)
        wall, processor = time.monotonic() - began, processor_seconds() - before
    print(
        f"{name}: {wall:.1f} s, processor {processor:.1f} s, {report.read} projects, {report.statements:,} statements"
    )
    return wall


def main() -> None:
    """Measure both ways in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    several: Runner = partial(read_locally, workers=given.workers)
    alone = together = 0.0
    for _ in range(given.rounds):
        one = measure("one process", given.sources, lambda tasks: map(read_project, tasks))
        many = measure(f"{given.workers} workers", given.sources, several)
        alone, together = alone + one, together + many
        print(f"ratio {one / many:.2f}")
    print(f"ratio of all rounds {alone / together:.2f}")


if __name__ == "__main__":
    main()
