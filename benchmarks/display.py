r"""How much of the mathematics is rendered: formulas left as source, by project, and previews to be read.

    python benchmarks/display.py PROJECTS [NAME ...] [--also PATH] [--statements 200] [--previews 10] [--unknown 8]

``PROJECTS`` is a folder with an archive of each project, named in its ``INDEX.json``; ``--also`` adds a project or a
corpus that is not in it, such as Stacks. Formulas of a sample of the statements are counted as raw if any part of them
is shown as source. The columns after it say how: *source* counts those shown wholly as source, *inside* those that are
set with an unknown command inside. Figures and diagrams that are not drawn are counted apart. ``--unknown`` lists
the commands that are not understood most often, with the number of formulas that have them; ``--previews`` prints that
many one-line previews beside their places.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

from naturalproofs.errors import NaturalProofsError
from naturalproofs.sources.latex import Macro
from naturalproofs.sources.latex.display import Formulas, Prose
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.document_macros import ProjectMacros
from naturalproofs.workspace.render import preview

_FORMULA = re.compile(
    r'<details class="source">.*?</details>|<math[ >].*?</math>|<(code|pre) class="tex">.*?</\1>', re.DOTALL
)
_RAW = re.compile(r'<(?:mtext|code|pre) class="tex">([^<]*)')
_SET = re.compile(r'<(?:mi|mn|mo|mtext(?! class="tex"))[ >]')
"""An element of a formula that is set."""
_COMMAND = re.compile(r"\\(?:begin\{[^{}]*\}|[a-zA-Z@]+)")


def main() -> None:
    """Render a sample of each project and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--also", type=Path, action="append", default=[])
    parser.add_argument("--statements", type=int, default=200)
    parser.add_argument("--previews", type=int, default=0)
    parser.add_argument("--unknown", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print("| project | statements | formulas | raw | % | source | inside | not drawn |\n| --- |" + " ---: |" * 7)
    index = json.loads((arguments.projects / "INDEX.json").read_text("utf-8"))
    paths = {one["name"]: arguments.projects / one["archive"] for one in index}
    chosen_paths = {name: path for name, path in paths.items() if name in (arguments.names or paths)}
    for name, path in {**chosen_paths, **{path.name: path for path in arguments.also}}.items():
        try:
            home = Workspace.open(path).home
        except NaturalProofsError as error:
            print(f"| {name} | {str(error).splitlines()[0].rpartition(': ')[2]} |")
            continue
        chosen = list(home.statements)
        random.Random(arguments.seed).shuffle(chosen)
        formulas_of = cache(partial(_formulas, home.macros))
        formulas = raw = whole = diagrams = 0
        unknown: Counter[str] = Counter()
        for statement in chosen[: arguments.statements]:
            prose = Prose(formulas_of(statement.place.document if statement.place else ""), _key)
            for match in _FORMULA.finditer(prose.render(statement.text)):
                formulas += 1
                if "<details" in match.group():
                    diagrams += 1
                elif sources := _RAW.findall(match.group()):
                    raw += 1
                    whole += _SET.search(match.group()) is None
                    unknown.update({found for source in sources for found in _COMMAND.findall(source)[:1]} or sources)
        share = 100 * raw / max(1, formulas)
        shown = len(chosen[: arguments.statements])
        figures = f"{formulas:,} | {raw} | {share:.1f} | {whole} | {raw - whole} | {diagrams}"
        print(f"| {name} | {shown} | {figures} |", flush=True)
        for command, count in unknown.most_common(arguments.unknown):
            print(f"    {count} {command[:80]}")
        for statement in chosen[: arguments.previews]:
            place = f"{statement.origin.path}:{statement.origin.line}" if statement.origin else ""
            print(f"    {place}  {preview(statement, home.macros, 160)}")


def _formulas(macros: Mapping[str, Macro], document: str) -> Formulas:
    return Formulas(macros.of(document) if isinstance(macros, ProjectMacros) else macros)


def _key(key: str, _command: str, shown: str | None) -> str:
    return shown or key


if __name__ == "__main__":
    main()
