"""Textbooks that are one LaTeX file: found, read and frozen by a profile."""

from dataclasses import dataclass
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.latex.files import load
from naturalproofs.latex.finish import finish
from naturalproofs.latex.paper_rules import PaperRules, read_as_paper
from naturalproofs.latex.profile import Profile
from naturalproofs.latex.reader import Reader, Reading
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Draft, Rules
from naturalproofs.source import SourceInfo


@dataclass(frozen=True)
class Textbook:
    """A book in one file, with its profile and the rules the paper read it by."""

    info: SourceInfo
    file: str
    profile: Profile
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
        loaded = load(file, file.parent, self.profile.vocabulary)
        reading.diagnostics.extend(loaded.diagnostics)
        if loaded.file is None:
            raise SourceNotFound(str(loaded.diagnostics[0]))
        Reader(self.profile, reading).read(loaded.file)
        progress(1, 1)
        return finish(reading, corpus=name, document=name, inputs=[loaded.file.input])
