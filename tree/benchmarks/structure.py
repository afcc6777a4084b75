"""The shape of the package: lines, modules, patterns, imports, and the modules that usual calls run through.

python benchmarks/structure.py            lines, modules and imports
python benchmarks/structure.py --flows    also the modules that usual calls load and run through
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import grimp

import naturalproofs
from naturalproofs.data import primer_folder

ROOT = Path(naturalproofs.__file__).parent
FLOWS = {
    "build latex": ["build", "latex", "PRIMER", "-o", "OUT"],
    "check": ["check", "PRIMER"],
    "suggest --at": ["suggest", "PRIMER", "--at", "thm:lagrange"],
    "evaluate bm25": ["evaluate", "bm25", "PRIMER"],
    "--help": ["--help"],
}
"""Calls; those of projects are run twice, and the second one is counted."""
_RUN = """
import contextlib, io, sys, time
run = set()
def note(frame, event, argument):
    name = frame.f_globals.get("__name__", "")
    if event == "call" and frame.f_code.co_name != "<module>" and name.startswith("naturalproofs"):
        run.add(name)
from naturalproofs.apps.cli.main import run as command
sys.setprofile(note)
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    command()
sys.setprofile(None)
loaded = sum(name.partition(".")[0] == "naturalproofs" for name in sys.modules)
print(len(run), loaded, time.process_time())
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flows", action="store_true", help="run the usual calls")
    options = parser.parse_args()
    files = sorted(ROOT.rglob("*.py"))
    texts = {file: file.read_text("utf-8") for file in files}
    print(f"lines {sum(text.count(chr(10)) for text in texts.values()):,}, modules {len(files)}")
    print(f"patterns {sum(text.count('re.compile(') for text in texts.values())}")
    names = Counter(file.name for file in files if file.name != "__init__.py")
    print(f"file names used more than twice: {', '.join(name for name, times in names.items() if times > 2) or 'none'}")
    graph = grimp.build_graph("naturalproofs", exclude_type_checking_imports=True, cache_dir=None)
    single = [name for name in sorted(graph.modules) if len(graph.find_modules_that_directly_import(name)) == 1]
    print(f"modules with one importer: {len(single)}")
    for name in single:
        print(f"  {name} by {next(iter(graph.find_modules_that_directly_import(name)))}")
    chain = [name.removeprefix("naturalproofs.") for name in longest_chain(graph)]
    print(f"longest import chain: {len(chain)} modules")
    print(f"  {' > '.join(chain)}")
    if options.flows:
        for name, arguments in FLOWS.items():
            run, loaded, seconds = flow(arguments)
            print(f"{name}: runs through {run} modules, loads {loaded}, {seconds} s of processor time, profiled")


def longest_chain(graph: grimp.ImportGraph) -> list[str]:
    """The longest path of imports; there are no cycles."""

    @cache
    def below(name: str) -> tuple[str, ...]:
        found = (below(other) for other in sorted(graph.find_modules_directly_imported_by(name)))
        return (name, *max(found, key=len, default=()))

    return list(max(map(below, sorted(graph.modules)), key=len))


def flow(arguments: list[str]) -> tuple[str, str, str]:
    """How many modules a call runs through and loads, and its processor time; a cache is warm."""
    with tempfile.TemporaryDirectory() as folder:
        values = {"PRIMER": str(primer_folder()), "OUT": f"{folder}/out"}
        given = [values.get(one, one) for one in arguments]
        for _ in range(2):
            done = subprocess.run([sys.executable, "-c", _RUN, *given], capture_output=True, text=True, check=True)
    run, loaded, seconds = done.stdout.split()[-3:]
    return run, loaded, f"{float(seconds):.2f}"


if __name__ == "__main__":
    main()
