"""The shape of the package: lines, modules, patterns, imports, and the modules that usual calls run through.

python benchmarks/structure.py            lines by kind and by room, modules and imports
python benchmarks/structure.py --flows    also the modules that usual calls load and run through
"""

from __future__ import annotations

import argparse
import ast
import re
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
PYPROJECT = ROOT.parents[1] / "pyproject.toml"
_NAMED = re.compile(r'"(naturalproofs(?:\.\w+)+)[:"]')
FLOWS = {
    "build latex": ["build", "latex", "PRIMER", "-o", "OUT"],
    "check": ["check", "PRIMER"],
    "suggest --at": ["suggest", "PRIMER", "--at", "thm:lagrange"],
    "evaluate bm25": ["evaluate", "bm25", "CORPUS"],
    "statement page": ["page", "PRIMER", "/statement/primer:thm:lagrange"],
    "--help": ["--help"],
}
"""Calls; those of projects are run twice, and the second one is counted."""
_RUN = """
import asyncio, contextlib, inspect, io, sys, threading, time
run, importing = set(), 0
def note(frame, event, argument):
    # What a module computes while it is imported is not what the call runs through.
    global importing
    if frame.f_code.co_name == "<module>":
        importing += {"call": 1, "return": -1}.get(event, 0)
    elif event == "call" and not importing and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        run.add(frame.f_globals.get("__name__", ""))
def page(project, address):
    import httpx
    from naturalproofs.apps.web.server import Serving, open_site
    from naturalproofs.apps.web.app import create_app
    from pathlib import Path
    app = create_app(open_site(Serving((Path(project),)), lambda *_: None))
    async def get():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            return await client.get(address)
    asyncio.run(get())
    run.clear()
    asyncio.run(get()).raise_for_status()
if sys.argv[1] == "page":
    threading.setprofile(note)
    command = lambda: page(*sys.argv[2:])
else:
    from naturalproofs.apps.cli.main import run as command
sys.setprofile(note)
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    command()
sys.setprofile(None)
run = {name for name in run if name.partition(".")[0] == "naturalproofs"}
loaded = sum(name.partition(".")[0] == "naturalproofs" for name in sys.modules)
print(len(run), loaded, time.process_time(), *sorted(run))
"""
_WRAPPERS = re.compile(
    r"class (?!Not)(\w*(?:Draft|LoadedCorpus|CachedCorpus|ProjectState|ServedCorpus|Corpus|Workspace))\b"
)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flows", action="store_true", help="run the usual calls")
    parser.add_argument("--names", action="store_true", help="with --flows: also name the modules")
    options = parser.parse_args()
    files = sorted(ROOT.rglob("*.py"))
    texts = {file: file.read_text("utf-8") for file in files}
    print(f"lines {sum(text.count(chr(10)) for text in texts.values()):,}, modules {len(files)}")
    rooms: dict[str, Counter[str]] = {}
    for file, text in texts.items():
        room = "/".join(file.relative_to(ROOT).parts[:-1][:2]) or "top"
        rooms.setdefault(room, Counter()).update(kinds_of_lines(text))
    print(f"  all of them: {shown(sum(rooms.values(), Counter()))}")
    for room, kinds in sorted(rooms.items(), key=lambda pair: -pair[1].total()):
        print(f"  {room}: {shown(kinds)}")
    wrappers = {found: file.name for file, text in texts.items() for found in _WRAPPERS.findall(text)}
    print(f"wrappers around a corpus: {', '.join(f'{name} ({file})' for name, file in wrappers.items())}")
    inner = sum(len(re.findall(r"(?<!naturalproofs)\.corpus\.corpus", text)) for text in texts.values())
    print(f".corpus.corpus: {inner} times")
    print(f"patterns {sum(text.count('re.compile(') for text in texts.values())}")
    names = Counter(file.name for file in files if file.name != "__init__.py")
    print(f"file names used more than twice: {', '.join(name for name, times in names.items() if times > 2) or 'none'}")
    graph = grimp.build_graph("naturalproofs", exclude_type_checking_imports=True, cache_dir=None)
    importers = {name: set(graph.find_modules_that_directly_import(name)) for name in sorted(graph.modules)}
    # Tables and entry points name modules too, which are imported when they are asked for.
    for file, text in {**texts, PYPROJECT: PYPROJECT.read_text("utf-8")}.items():
        for name in set(_NAMED.findall(text)) & {name for name, found in importers.items() if found}:
            importers[name].add(file.stem if file == PYPROJECT else f"{file.relative_to(ROOT)}")
    single = {name: found for name, found in importers.items() if len(found) == 1}
    print(f"modules with one importer: {len(single)}")
    for name, found in single.items():
        print(f"  {name} by {next(iter(found))}")
    chain = [name.removeprefix("naturalproofs.") for name in longest_chain(graph)]
    print(f"longest import chain: {len(chain)} modules")
    print(f"  {' > '.join(chain)}")
    if options.flows:
        for name, arguments in FLOWS.items():
            run, loaded, seconds, names = flow(arguments)
            print(f"{name}: runs through {run} modules, loads {loaded}, {seconds} s of processor time, profiled")
            if options.names:
                print(f"  {' '.join(name.removeprefix('naturalproofs.') for name in names)}")


def kinds_of_lines(text: str) -> Counter[str]:
    """How many lines are code, texts that stand alone (docstrings), imports, comments and blank."""
    kinds = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            kinds |= dict.fromkeys(range(node.lineno, (node.end_lineno or 0) + 1), "docstrings")
        elif isinstance(node, ast.Import | ast.ImportFrom):
            kinds |= dict.fromkeys(range(node.lineno, (node.end_lineno or 0) + 1), "imports")
    for number, line in enumerate(text.splitlines(), 1):
        other = "comments" if line.lstrip().startswith("#") else "code" if line.strip() else "blank"
        kinds.setdefault(number, other)
    return Counter(kinds.values())


def shown(kinds: Counter[str]) -> str:
    """Counts, the largest first."""
    return f"{kinds.total():,} lines: " + ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())


def longest_chain(graph: grimp.ImportGraph) -> list[str]:
    """The longest path of imports; there are no cycles."""

    @cache
    def below(name: str) -> tuple[str, ...]:
        found = (below(other) for other in sorted(graph.find_modules_directly_imported_by(name)))
        return (name, *max(found, key=len, default=()))

    return list(max(map(below, sorted(graph.modules)), key=len))


def flow(arguments: list[str]) -> tuple[str, str, str, list[str]]:
    """How many modules a call runs through and loads, its processor time, and their names; a cache is warm."""
    with tempfile.TemporaryDirectory() as folder:
        values = {"PRIMER": str(primer_folder()), "OUT": f"{folder}/out", "CORPUS": f"{folder}/primer"}
        if "CORPUS" in arguments:
            built = ["build", "latex", values["PRIMER"], "-o", values["CORPUS"]]
            subprocess.run([sys.executable, "-m", "naturalproofs", *built], capture_output=True, check=True)
        given = [values.get(one, one) for one in arguments]
        for _ in range(2):
            done = subprocess.run([sys.executable, "-c", _RUN, *given], capture_output=True, text=True, check=True)
    run, loaded, seconds, *names = done.stdout.splitlines()[-1].split()
    return run, loaded, f"{float(seconds):.2f}", names


if __name__ == "__main__":
    main()
