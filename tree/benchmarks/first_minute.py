"""How long the first minute takes, and how much it installs: ``make demo`` in a fresh clone with an empty pip cache.

    python benchmarks/first_minute.py [--keep FOLDER]

Run it on a machine that does nothing else: the time is that of a clock.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from naturalproofs.io.cache import size_on_disk

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Clone, run, print."""
    parser = argparse.ArgumentParser(description="Time and size of `make demo` in a fresh clone.")
    parser.add_argument("--keep", type=Path, help="where the clone is left")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        clone = (options.keep or Path(scratch)) / "clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        environment |= {"PIP_CACHE_DIR": f"{scratch}/pip", "NATURALPROOFS_CACHE": f"{scratch}/cache"}
        began = time.monotonic()
        done = subprocess.run(["make", "demo"], cwd=clone, env=environment, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - began
        if done.returncode:
            raise SystemExit(done.stderr[-2000:])
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        load = os.getloadavg()[0]
        print(done.stdout[done.stdout.rindex("\nNext") :])
        print(f"{seconds:.0f} s, of which {used.ru_utime + used.ru_stime:.0f} s of processor time; load {load:.1f}")
        installed, made = (size_on_disk(clone / name) / 1e6 for name in (".venv", "demo"))
        print(f"{installed:.0f} MB in .venv, {made:.1f} MB in demo")


if __name__ == "__main__":
    main()
