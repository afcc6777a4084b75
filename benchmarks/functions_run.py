"""How many authors' projects run each function of the readers: what the lines of ``sources`` are there for.

    python benchmarks/functions_run.py [ROOM] [NAME ...] [--show N]

Every project of the folder of corpora is read and shown as ``benchmarks/pin_projects.py`` does it, while the functions
that are called are noted. ROOM is a folder of the package, ``sources/latex`` without one. The table counts the lines of
functions, docstrings included, by the number of authors whose projects call them; with ``--show`` the functions that at
most N authors call follow. A function that caches is called for those who come first; what only the cache of a project,
``check``, renaming and the editor call is called by nobody here.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import naturalproofs
import pin_projects
from naturalproofs.errors import NaturalProofsError

PACKAGE = Path(naturalproofs.__file__).parent
MANY = 6
_AUTHOR = re.compile(r"(?:aljabr|cyrus|edoars|garmier|hott|iblech|jfinkels|joe|sleepy|stacks|stein|trench|wwu)|.*")
"""The beginning of a name that several projects of one author share, or the whole name."""


def functions(folder: Path) -> Iterator[tuple[str, int, str, int]]:
    """The file, the first line, the name and the number of lines of each function."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                yield str(path), first, node.name, (node.end_lineno or first) - first + 1


def calls(names: list[str]) -> dict[tuple[str, int], set[str]]:
    """The authors whose projects call the function that begins on a line of a file."""
    found: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call":
            seen.add(frame.f_code)

    for name, project in pin_projects.projects(pin_projects.corpora_folder()).items():
        if names and name not in names:
            continue
        sys.setprofile(note)
        try:
            pin_projects.pin(pin_projects.read(project))
        except NaturalProofsError as error:
            print(f"{name}: {error}", file=sys.stderr)
        finally:
            sys.setprofile(None)
        author = _AUTHOR.match(name)
        for code in seen:
            found[code.co_filename, code.co_firstlineno].add(author[0] if author else name)
        seen.clear()
        print(name, file=sys.stderr, flush=True)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", nargs="?", default="sources/latex", metavar="ROOM")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--show", type=int, default=-1, metavar="N", help="name functions that at most N authors call")
    options = parser.parse_args()
    known, lines = list(functions(PACKAGE / options.room)), Counter[int]()
    called, rare = calls(options.names), list[tuple[int, int, str]]()
    for path, first, name, count in known:
        authors = called.get((path, first), set())
        lines[min(len(authors), MANY)] += count
        if len(authors) <= options.show:
            rare.append((len(authors), count, f"{Path(path).relative_to(PACKAGE)} {name} {' '.join(sorted(authors))}"))
    print("| authors | lines of functions | share |\n| --- | ---: | ---: |")
    for number in range(MANY + 1):
        shown = f"{number} or more" if number == MANY else str(number)
        print(f"| {shown} | {lines[number]:,} | {100 * lines[number] / max(lines.total(), 1):.1f} % |")
    for number, count, where in sorted(rare, key=lambda one: (one[0], -one[1])):
        print(f"{number} authors, {count} lines: {where}")


if __name__ == "__main__":
    main()
