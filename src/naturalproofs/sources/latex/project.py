"""Any LaTeX project: from a main file, through what it includes, to statements by their usual names."""

import re
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.markup.latex import Token
from naturalproofs.markup.latex.arguments import read_group
from naturalproofs.records import Diagnostic, Draft, InputFile, Kind, Rules
from naturalproofs.sources.latex.files import TexFile, load
from naturalproofs.sources.latex.finish import finish
from naturalproofs.sources.latex.profile import Profile
from naturalproofs.sources.latex.reader import Reader, Reading
from naturalproofs.sources.source import Progress, SourceInfo, silent

USUAL: dict[str, Kind] = {
    "theorem": "theorem",
    "lemma": "theorem",
    "proposition": "theorem",
    "corollary": "theorem",
    "definition": "definition",
    "axiom": "definition",
    "remark": "other",
    "example": "other",
}
"""Environments by their usual names."""

_MAIN = re.compile(r"^[^%\n]*\\documentclass", re.MULTILINE)
_DEPTH = 20
"""How deep files may include one another."""


@dataclass(frozen=True, slots=True)
class Project:
    """A LaTeX project: a main file or the folder that holds it."""

    info: SourceInfo = SourceInfo(
        name="latex", title="A LaTeX project", authors="", licence="", url="", split="leaf"
    )

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read the main file and all it includes."""
        main = find_main(path)
        progress(0, 1)
        reading = Reading()
        walk = _Walk(main.parent, Profile(kinds=USUAL), reading)
        file = walk.open(main)
        if file is None:
            raise SourceNotFound(str(reading.diagnostics[0]))
        Reader(walk.profile, reading, walk.include).read(file)
        progress(1, 1)
        return finish(reading, corpus=name, document=name, inputs=walk.inputs)


class _Walk:
    """Opens included files, inside the project's folder only and never one inside itself."""

    def __init__(self, root: Path, profile: Profile, reading: Reading) -> None:
        self.root = root.resolve()
        self.profile = profile
        self.reading = reading
        self.inputs: list[InputFile] = []
        self.open_files: list[str] = []

    def open(self, path: Path) -> TexFile | None:
        loaded = load(path.resolve(), self.root, self.profile.vocabulary)
        self.reading.diagnostics.extend(loaded.diagnostics)
        if loaded.file is not None:
            self.inputs.append(loaded.file.input)
        return loaded.file

    def include(self, file: TexFile, token: Token) -> TexFile | None:
        group = read_group(file.text, token.end)
        if group is None:
            return None
        path = (self.root / group.text.strip()).resolve()
        if path.suffix != ".tex":
            path = path.with_name(path.name + ".tex")
        if not path.is_relative_to(self.root) or not path.is_file():
            line, column = file.positions.line_column(token.start)
            message = f"\\{token.name}{{{group.text}}}: no such file in the project"
            self.reading.diagnostics.append(Diagnostic(file.path, line, column, "warning", "missing-file", message))
            return None
        return self.open(path)


def find_main(path: Path) -> Path:
    r"""The main file: the path itself, or the one file of the folder that has a \documentclass."""
    if path.is_file():
        return path
    found = [file for file in sorted(path.glob("*.tex")) if _MAIN.search(file.read_text("utf-8", "replace"))]
    if not found:
        raise SourceNotFound(f"{path}: no .tex file with \\documentclass here; give the main file")
    return found[0]


LATEX = Project()
