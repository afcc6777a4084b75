"""Fill the tables of docs/results: ``python benchmarks/results_page.py CORPORA [--only TEXT] [--dry]``.

A block of a page that begins with ``<!-- output -->`` and ends with ``<!-- end -->`` holds what the commands of the
console block before it print. CORPORA is the folder that these commands are run in; it holds the corpora that
protocols.md tells how to build, and gets the folders of runs, which make the next call quick.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGES = Path(__file__).parents[1] / "docs" / "results"
BLOCK = re.compile(
    r"(?P<head>```console\n(?P<commands>(?:\$ [^\n]*\n)+)```\n\n<!-- output -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)


def output(command: str, folder: Path) -> str:
    """What a command prints; its messages go to the terminal."""
    words = shlex.split(command.removeprefix("$ "))
    call = [sys.executable, "-m", "naturalproofs", *words[1:], "--format", "markdown"]
    return subprocess.run(call, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def filled(page: str, folder: Path, only: str) -> str:
    """The page with the outputs of those commands that contain a text."""

    def block(found: re.Match[str]) -> str:
        commands = found["commands"].splitlines()
        if only not in found["commands"]:
            return found[0]
        tables = "\n\n".join(output(command, folder) for command in commands)
        return f"{found['head']}\n{tables}\n\n{found['end']}"

    return BLOCK.sub(block, page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--only", default="", help="only blocks whose commands contain this text")
    parser.add_argument("--dry", action="store_true", help="print the commands")
    options = parser.parse_args()
    for path in sorted(PAGES.glob("*.md")):
        text = path.read_text("utf-8")
        if options.dry:
            print("".join(found["commands"] for found in BLOCK.finditer(text)), end="")
        elif (new := filled(text, options.corpora, options.only)) != text:
            path.write_text(new, "utf-8")
