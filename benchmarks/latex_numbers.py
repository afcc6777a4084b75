r"""Printed numbers against LaTeX: compiles real projects and compares what each label prints.

    python benchmarks/latex_numbers.py [NAME ...] [--show N] [--tex FOLDER] > table.md

Every document that an ``INDEX.json`` in the folder of corpora names by its main file is copied and compiled twice by
pdflatex, without output and past errors; of a blueprint that is the file for print. A package or a file that is missing
is replaced by an empty one, at most `STUBS` times, so that the figures depend on the TeX installation only where a
package declares theorems or counters. The numbers are those of ``\newlabel`` in the ``.aux`` files. ``--tex`` keeps the
copies, and compiles none again.

A label is compared if we read what it is and LaTeX knows it: statements, equations, and all others (sections, figures,
tables, items) are counted apart. A label after an unnumbered formula prints the number of something else in LaTeX, so
that a label for which we have no number counts as different too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from naturalproofs.corpus.load import build
from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.archives import given_source
from naturalproofs.sources.latex.project.outline import read_outline
from naturalproofs.sources.registry import source

ROOT = Path(__file__).resolve().parent.parent
PDFLATEX = "pdflatex"
STUBS = 40
"""How many missing files of a document are replaced."""
SECONDS = 300
"""How long one run of LaTeX may take."""
_LABEL = re.compile(r"\\newlabel\{([^{}]*)\}\{\{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}")
_MISSING = re.compile(r"File [`']([^'\s]+)' not found")
_TITLED = re.compile(r"\\[a-zA-Z@]+ ?\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\{.*\}", re.DOTALL)
"""A number with the title of its section, as memoir writes it."""
_FONT = re.compile(r"\\[a-zA-Z@]+ ?|[{}$]")
_STUB = "\\DeclareOption*{}\\ProcessOptions\\relax\n%s\\endinput\n"
_PICTURES = (".pdf", ".png", ".jpg", ".jpeg", ".eps", ".svg", ".cls", "")
"""Endings of files that no empty file stands for."""


KINDS = ("statements", "equations", "others")


class Compared(NamedTuple):
    """The labels of one kind that LaTeX knows, and those whose number is another one: label, ours, LaTeX's."""

    labels: int
    different: list[tuple[str, str, str]]


def compiled(main: Path) -> dict[str, str]:
    """Compile a document where it lies, and give the number of each label."""
    for _ in range(STUBS):
        output = _run(main)
        missing = [name for name in _MISSING.findall(output) if _write_stub(main.parent, name)]
        if not missing:
            break
    _run(main)
    numbers: dict[str, str] = {}
    for path in sorted(main.parent.rglob("*.aux")):
        found = _LABEL.findall(path.read_text("utf-8", "replace"))
        numbers.update((label, _printed(number)) for label, number in found if not label.endswith("@cref"))
    return {label: number for label, number in numbers.items() if number}


def _printed(number: str) -> str:
    return _FONT.sub("", _TITLED.sub(r"\1", number)).strip()


def _run(main: Path) -> str:
    # Figures and microtype are left out: what cannot be read, or a font that cannot be stretched, would end the run.
    code = (
        "\\expandafter\\def\\csname ver@microtype.sty\\endcsname{2100/01/01}\\def\\microtypesetup#1{}"
        f"\\PassOptionsToPackage{{draft}}{{graphicx}}\\input{{{main.name}}}"
    )
    command = [PDFLATEX, "-draftmode", "-interaction=nonstopmode", "-no-shell-escape", f"-jobname={main.stem}", code]
    environment = {**os.environ, "max_print_line": "1000"}
    try:
        done = subprocess.run(
            command, cwd=main.parent, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("utf-8", "replace")


def _write_stub(folder: Path, name: str) -> bool:
    path = (folder / name).resolve()
    if path.exists() or not path.is_relative_to(folder.resolve()) or path.suffix in _PICTURES:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    # Packages of fonts for mathematics load amsmath, which numbers equations.
    loaded = "\\RequirePackage{amsmath}\n" if "math" in path.stem else ""
    path.write_text(_STUB % loaded if path.suffix == ".sty" else "\\endinput\n", "utf-8")
    return True


def compare(main: Path, numbers: dict[str, str]) -> dict[str, Compared]:
    """Read a document and compare the numbers of its labels, by kind."""
    corpus = build(source("latex"), main, name=main.stem)
    ours: dict[str, dict[str, str]] = {kind: {} for kind in KINDS}
    ours["statements"] = {
        one.label: one.number or corpus.anchors[one.label].number for one in corpus.statements if one.label in numbers
    }
    for label, anchor in corpus.anchors.items():
        if label in numbers and anchor.kind in ("equation", "section", "float", "item"):
            ours["equations" if anchor.kind == "equation" else "others"][label] = anchor.number
    return {
        kind: Compared(
            len(known), [(label, own, numbers[label]) for label, own in known.items() if not same(own, numbers[label])]
        )
        for kind, known in ours.items()
    }


def same(ours: str, printed: str) -> bool:
    """Whether two numbers are the same, spaces and a last stop aside."""
    return "".join(ours.split()).rstrip(".") == "".join(printed.split()).rstrip(".")


def documents(names: Sequence[str]) -> Iterator[tuple[str, Path, str]]:
    """Names, archives and main files of what the folder of corpora holds."""
    corpora = Path(os.environ.get("NATURALPROOFS_CORPORA", ROOT.parent / "shared" / "corpora"))
    for folder in ("projects", "more-projects"):
        index = corpora / folder / "INDEX.json"
        for entry in json.loads(index.read_text("utf-8")) if index.is_file() else ():
            if str(entry.get("main")).endswith(".tex") and (not names or entry["name"] in names):
                yield entry["name"], corpora / folder / entry["archive"], entry["main"]


def _main_file(folder: Path, main: str) -> Path | None:
    """A main file; the index names some by a flattened copy, which is not in the archive, and some by a part."""
    tails = (main, main.replace("_np.tex", ".tex"))
    found = [path for tail in tails for path in (folder / tail, *sorted(folder.glob(f"*/{tail}"))) if path.is_file()]
    if not found:
        return None
    root = found[0].parent / read_outline(found[0], main).root
    return root if root.is_file() else found[0]


def main() -> None:
    """Compile and compare, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N numbers of each that differ")
    parser.add_argument("--tex", type=Path, metavar="FOLDER", help="keep the compiled copies here, and use them again")
    options = parser.parse_args()
    if shutil.which(PDFLATEX) is None:
        sys.exit(f"{PDFLATEX} is not there (Debian: texlive-latex-extra)")
    print(f"| document | {' | '.join(f'{kind} | equal' for kind in KINDS)} |\n| --- {'| ---: ' * 2 * len(KINDS)}|")
    total = dict.fromkeys(KINDS, (0, 0))
    with tempfile.TemporaryDirectory() as scratch:
        for name, archive, main_name in documents(options.names):
            try:
                compared = compare_document(name, archive, main_name, options.tex or Path(scratch))
            except NaturalProofsError as error:
                print(f"{name}: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            if not any(one.labels for one in compared.values()):
                print(f"{name}: LaTeX numbers none of its labels here", file=sys.stderr, flush=True)
                continue
            row = {kind: (one.labels, one.labels - len(one.different)) for kind, one in compared.items()}
            total = {kind: (total[kind][0] + row[kind][0], total[kind][1] + row[kind][1]) for kind in KINDS}
            print(f"| {name} | {_cells(row)} |", flush=True)
            for kind, one in compared.items():
                for label, ours, printed in one.different[: options.show]:
                    print(f"{name}: {kind}: {label}: ours {ours!r}, LaTeX {printed!r}", file=sys.stderr)
    print(f"| all | {_cells(total)} |")
    shares = (f"{kind} {100 * equal / max(labels, 1):.1f} %" for kind, (labels, equal) in total.items())
    print(f"\nEqual: {', '.join(shares)}.")


def _cells(row: dict[str, tuple[int, int]]) -> str:
    return " | ".join(f"{labels} | {equal}" for labels, equal in row.values())


def compare_document(name: str, archive: Path, main_name: str, scratch: Path) -> dict[str, Compared]:
    """Compile a document in a folder, and compare it."""
    original = given_source(archive)
    document = _main_file(original, main_name)
    if document is None:
        return {}
    # Of a blueprint web.tex is for plasTeX; it is taken where the file for print needs another engine.
    printed = document.with_name("print.tex") if document.name == "web.tex" else document
    for one in dict.fromkeys((printed, document)):
        copy, kept = scratch / name, scratch / f"{name}-{one.stem}.json"
        if not kept.is_file():
            shutil.copytree(original, copy, dirs_exist_ok=True, symlinks=True)
            known = compiled(copy / one.relative_to(original)) if one.is_file() else {}
            kept.write_text(json.dumps(known), "utf-8")
        if numbers := json.loads(kept.read_text("utf-8")):
            return compare(one, numbers)
    return {}


if __name__ == "__main__":
    main()
