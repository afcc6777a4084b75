"""The Stacks project: chapters in the order of its Makefile, labels local to their chapter, tags for ever."""

import re
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.latex.files import load, read_text
from naturalproofs.latex.finish import finish
from naturalproofs.latex.paper_rules import STACKS_2021, read_as_paper
from naturalproofs.latex.profile import HEADINGS, Heading, Profile
from naturalproofs.latex.reader import Reader, Reading
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Draft, Rules
from naturalproofs.source import SourceInfo

PROFILE = Profile(
    kinds={
        "theorem": "theorem",
        "lemma": "theorem",
        "proposition": "theorem",
        "definition": "definition",
        "remark": "other",
        "remarks": "other",
    },
    neighbours=frozenset({"exercise"}),
    notes=frozenset({"slogan", "reference", "history"}),
    headings={**HEADINGS, "title": Heading(0)},
)

_LIST = re.compile(r"^LIJST\s*=((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)


INFO = SourceInfo(
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

    info: SourceInfo = INFO

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read all chapters."""
        files = chapters(path)
        if rules == "paper":
            return read_as_paper(
                [file for file in files if "coding.tex" not in file.name], path, STACKS_2021, name, progress
            )
        reading = Reading()
        reader = Reader(PROFILE, reading)
        inputs = []
        for done, file in enumerate(files):
            progress(done, len(files))
            loaded = load(file, path, PROFILE.vocabulary)
            reading.diagnostics.extend(loaded.diagnostics)
            if loaded.file is not None:
                inputs.append(loaded.file.input)
                reader.read(loaded.file, file.stem)
        progress(len(files), len(files))
        return finish(
            reading,
            corpus=name,
            document=name,
            inputs=inputs,
            categories=lambda draft: (draft.scope,),
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
