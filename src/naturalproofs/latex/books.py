"""The books of the data set: the Stacks project, Trench and Stein, each with its dialect."""

import re
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.latex.builders import Reading
from naturalproofs.latex.dialect import ANCHOR_KINDS, Dialect
from naturalproofs.latex.files import load, read_text
from naturalproofs.latex.paper_rules import STACKS_2021, STEIN_2021, TRENCH_2021, PaperRules, read_as_paper
from naturalproofs.latex.reader import Reader
from naturalproofs.latex.resolve_labels import resolve_labels
from naturalproofs.latex.vocabulary import HEADINGS, Heading
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Draft, Rules
from naturalproofs.source import SourceInfo


@dataclass(frozen=True)
class Textbook:
    """A book in one file, with its dialect and the rules the paper read it by."""

    info: SourceInfo
    file: str
    dialect: Dialect
    paper: PaperRules

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read the book's file, or the folder that holds it."""
        file = path / self.file if path.is_dir() else path
        if not file.is_file():
            raise SourceNotFound(f"{file}: no such file; give the folder that holds {self.file}, or the file itself")
        if rules == "paper":
            return read_as_paper([file], file.parent, self.paper, name, progress)
        progress(0, 1)
        reading = Reading()
        loaded = load(file, file.parent, self.dialect.vocabulary)
        reading.diagnostics.extend(loaded.diagnostics)
        if loaded.file is None:
            raise SourceNotFound(str(loaded.diagnostics[0]))
        Reader(self.dialect, reading).read(loaded.file)
        progress(1, 1)
        return resolve_labels(reading, corpus=name, document=name, inputs=[loaded.file.input])


STACKS_DIALECT = Dialect(
    kinds=STACKS_2021.kinds,
    neighbours=frozenset({"exercise"}),
    notes=frozenset({"slogan", "reference", "history"}),
    headings={**HEADINGS, "title": Heading(0)},
)

_LIST = re.compile(r"^LIJST\s*=((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)


_STACKS_INFO = SourceInfo(
    name="stacks",
    title="The Stacks project",
    authors="The Stacks project authors",
    licence="GFDL-1.2",
    url="https://stacks.math.columbia.edu",
    citation="The Stacks project authors. The Stacks project, 2021.",
)


@dataclass(frozen=True, slots=True)
class Stacks:
    """A checkout of the Stacks project."""

    info: SourceInfo = _STACKS_INFO

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read all chapters."""
        files = chapters(path)
        if rules == "paper":
            return read_as_paper(
                [file for file in files if "coding.tex" not in file.name], path, STACKS_2021, name, progress
            )
        reading = Reading()
        inputs = []
        for done, file in enumerate(files):
            progress(done, len(files))
            loaded = load(file, path, STACKS_DIALECT.vocabulary)
            reading.diagnostics.extend(loaded.diagnostics)
            if loaded.file is not None:
                inputs.append(loaded.file.input)
                Reader(STACKS_DIALECT, reading, file.stem).read(loaded.file)
        progress(len(files), len(files))
        return resolve_labels(
            reading,
            corpus=name,
            document=name,
            inputs=inputs,
            categories=lambda statement: (statement.scope,),
            tags=read_tags(path / "tags" / "tags"),
        )


def chapters(root: Path) -> list[Path]:
    """The LaTeX files in reading order: as the Makefile lists them, the others after them by name."""
    if not root.is_dir():
        raise SourceNotFound(f"{root}: not a folder; give the folder of a checkout of the Stacks project")
    files = {file.stem: file for file in sorted(root.glob("*.tex"))}
    if not files:
        raise SourceNotFound(f"{root}: no .tex files here; give the folder of a checkout of the Stacks project")
    makefile = root / "Makefile"
    match = _LIST.search(read_text(makefile)) if makefile.is_file() else None
    order = match[1].replace("\\\n", " ").split() if match else []
    listed = [stem for stem in order if stem in files]
    return [files[stem] for stem in [*listed, *(stem for stem in files if stem not in set(listed))]]


def read_tags(path: Path) -> dict[str, str]:
    """Tags by absolute label, from lines ``tag,label``."""
    if not path.is_file():
        return {}
    rows = (line.strip().split(",", 1) for line in read_text(path).split("\n") if line and not line.startswith("#"))
    return {row[1]: row[0] for row in rows if len(row) == 2}


STACKS = Stacks()


_TRENCH_DIALECT = Dialect(
    kinds=TRENCH_2021.kinds,
    proofs=frozenset(),
    proof_commands={"proof": "bbox"},
    headings={"chaptertitle": Heading(0), "newsection": Heading(1, argument=2)},
    anchors={**ANCHOR_KINDS, "alist": "item", "Alist": "item", "rmlist": "item", "exerciselist": "item"},
)

TRENCH = Textbook(
    info=SourceInfo(
        name="trench",
        title="Introduction to Real Analysis",
        authors="William F. Trench",
        licence="CC-BY-NC-SA-3.0",
        url="https://digitalcommons.trinity.edu/mono/7/",
        citation="W. F. Trench. Introduction to Real Analysis. Free edition, 2013.",
        split="test-only",
    ),
    file="TRENCH_REAL_ANALYSIS.tex",
    dialect=_TRENCH_DIALECT,
    paper=TRENCH_2021,
)


_STEIN_DIALECT = Dialect(
    kinds=STEIN_2021.kinds,
    neighbours=frozenset({"algorithm", "conjecture", "problem", "openproblem", "question"}),
)

STEIN = Textbook(
    info=SourceInfo(
        name="stein",
        title="Elementary Number Theory: Primes, Congruences, and Secrets",
        authors="William Stein",
        licence="none stated",
        url="https://wstein.org/ent/",
        citation="W. Stein. Elementary Number Theory: Primes, Congruences, and Secrets. Springer, 2008.",
        revision="ed95075",
        split="test-only",
    ),
    file="body.tex",
    dialect=_STEIN_DIALECT,
    paper=STEIN_2021,
)
