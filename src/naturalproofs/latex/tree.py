"""The files of a project: found inside its folder only, read once each, with limits that end every loop."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.latex.arguments import read_group, read_groups, read_option
from naturalproofs.latex.definitions import BASE, FileDefinitions, read_file_definitions
from naturalproofs.latex.files import Loaded, TexFile, load, read_bytes
from naturalproofs.latex.macros import Macro
from naturalproofs.latex.scanner import Token, scan
from naturalproofs.latex.vocabulary import Vocabulary
from naturalproofs.records import Diagnostic, InputFile

MAX_FILES = 5_000
"""Further files of a project are not read, with a diagnostic."""
_OF_COMMANDS = frozenset({"malformed-key", "malformed-environment"})
_LONGEST_NAME = 1_000
_PLAIN_NAME = re.compile(r"[ \t]*+\"?+([^\s{}\\%\"]++)\"?+")
_MACRO = re.compile(r"\\([a-zA-Z]++)\s*+")


class InputPath(NamedTuple):
    """A file that a command names: its name, where to look it up, and where the text goes on after the command."""

    name: str
    folder: Path
    """Where files that it names are looked up first."""
    end: int


class Refused(NamedTuple):
    """Why a file is not read."""

    rule: str
    message: str


Lookup: TypeAlias = tuple[str, tuple[Path, ...], tuple[str, ...]]
"""A name, the folders where it is looked up, and the endings it may have."""


@dataclass(slots=True)
class AccessLog:
    """The files that reading a document opened, and the names that it looked up, in order."""

    opened: dict[Path, None] = field(default_factory=dict)
    lookups: dict[Lookup, None] = field(default_factory=dict)


class Tree:
    """Opens the files of one project."""

    def __init__(self, root: Path, diagnostics: list[Diagnostic]) -> None:
        """Bind the folder, outside of which nothing is read, and where diagnostics go."""
        self.root = root.resolve()
        self.inputs: list[InputFile] = []
        self.diagnostics = diagnostics
        self.diagnostics_of: dict[Path, list[Diagnostic]] = {}
        """The diagnostics of each file that was opened."""
        self._files: dict[Path, TexFile | None] = {}
        self._found: dict[Lookup, Path | Refused] = {}
        self._definitions: dict[str, FileDefinitions] = {}
        self._scanned: dict[str, tuple[Vocabulary, TexFile]] = {}
        self._digests: dict[Path, str] = {}
        self.log = AccessLog()
        """All accesses since the log was last replaced, cached ones included."""

    def open(self, path: Path) -> TexFile | None:
        """The file of a resolved path, scanned for structure and definitions; None when it cannot be read."""
        self.log.opened[path] = None
        if path not in self._files:
            loaded = load(path, self.root, BASE)
            self._files[path] = loaded.file
            if loaded.file is not None:
                self.inputs.append(loaded.file.input)
            self.diagnostics_of[path] = self._outside_definitions(loaded)
            self.diagnostics.extend(self.diagnostics_of[path])
        return self._files[path]

    def digest(self, path: Path) -> str:
        """The hash of a file's bytes; empty if it cannot be read."""
        if path not in self._digests:
            data = read_bytes(path)
            self._digests[path] = "" if data is None else sha256_bytes(data)
        return self._digests[path]

    def _outside_definitions(self, loaded: Loaded) -> list[Diagnostic]:
        r"""Diagnostics, without those about a ``\ref`` whose key is an argument of the macro that is being defined."""
        if loaded.file is None or not any(one.rule in _OF_COMMANDS for one in loaded.diagnostics):
            return loaded.diagnostics
        place = loaded.file.positions.line_column
        spans = [(place(start), place(end)) for start, end in self.definitions(loaded.file).spans]
        return [
            one
            for one in loaded.diagnostics
            if one.rule not in _OF_COMMANDS or not any(start <= (one.line, one.column) < end for start, end in spans)
        ]

    def definitions(self, file: TexFile) -> FileDefinitions:
        """What a file defines."""
        if file.path not in self._definitions:
            self._definitions[file.path] = read_file_definitions(file)
        return self._definitions[file.path]

    def scanned(self, file: TexFile, vocabulary: Vocabulary, own_words: re.Pattern[str] | None) -> TexFile:
        """The file scanned with a dialect's vocabulary, if any of the dialect's own words stands in it."""
        if own_words is None or not own_words.search(file.text):
            return file
        known = self._scanned.get(file.path)
        if known is None or known[0] != vocabulary:
            known = (vocabulary, replace(file, tokens=scan(file.text, vocabulary).tokens))
            self._scanned[file.path] = known
        return known[1]

    def find(self, name: str, folders: Sequence[Path], endings: Sequence[str]) -> Path | Refused:
        """Look for a file in folders, with endings; what lies outside of the project is refused."""
        key = (name, tuple(folders), tuple(endings))
        self.log.lookups[key] = None
        if key not in self._found:
            self._found[key] = self._find(name, folders, endings)
        return self._found[key]

    def _find(self, name: str, folders: Sequence[Path], endings: Sequence[str]) -> Path | Refused:
        outside = False
        for folder in folders:
            for ending in endings:
                path = _existing(folder, name + ending)
                if path is None:
                    continue
                if path.is_relative_to(self.root):
                    return self._counted(path)
                outside = True
        if outside:
            return Refused("outside-project", "lies outside of the project's folder and was not read")
        return Refused("missing-file", "no such file in the project")

    def follow(self, file: TexFile, command: str, want: InputPath) -> TexFile | Refused | None:
        """The file that a command in another file names; None when it exists but cannot be read."""
        named = want.name.endswith((".tex", ".ltx"))
        endings = (
            (".tex",)
            if command in ("include", "subfileinclude") and not named
            else ("", ".tex")
            if named
            else (".tex", "")
        )
        found = self.find(want.name, (want.folder, self.root, self.root / Path(file.path).parent), endings)
        return found if isinstance(found, Refused) else self.open(found)

    def inner_folder(self, found: TexFile, command: str, want: InputPath) -> Path:
        """Where files that a file names are looked up first."""
        own = command in ("subfile", "subfileinclude", "includestandalone")
        return (self.root / found.path).parent if own else want.folder

    def _counted(self, path: Path) -> Path | Refused:
        if path not in self._files and len(self._files) >= MAX_FILES:
            return Refused(
                "too-many-files", f"a project may have {MAX_FILES} files; this one and later ones were not read"
            )
        return path


def _existing(folder: Path, name: str) -> Path | None:
    """The file of this name, symbolic links followed, if there is one."""
    try:
        path = (folder / name).resolve()
        return path if path.exists() and not path.is_dir() else None
    except (OSError, RuntimeError, ValueError):
        return None  # A link that leads to itself, a folder that must not be entered, a name that no file can have.


def read_input(text: str, token: Token, folder: Path, root: Path, macros: Mapping[str, Macro]) -> InputPath | None:
    """The file that an \\input, \\include, \\import … names; None when it names none."""
    name = token.name
    if name in ("import", "subimport"):
        groups = read_groups(text, token.end, 2)
        if len(groups) < 2:
            return None
        base = root if name == "import" else folder
        inner = base / _plain(groups[0].text, macros)
        return InputPath(_plain(groups[1].text, macros), inner, groups[1].end)
    option = read_option(text, token.end) if name == "includestandalone" else None
    group = read_group(text, option.end if option else token.end)
    if group is not None:
        return InputPath(_plain(group.text, macros), folder, group.end)
    bare = _PLAIN_NAME.match(text, token.end) if name == "input" else None
    return bare and InputPath(bare[1], folder, bare.end())


def _plain(source: str, macros: Mapping[str, Macro]) -> str:
    r"""A file name whose macros, such as ``\chapters/sets``, are replaced by their texts."""
    for _ in range(3):
        if "\\" not in source:
            break
        source = _MACRO.sub(
            lambda match: macros[match[1]].body if match[1] in macros else match.group(), source[:_LONGEST_NAME]
        )
    return source.strip().strip('"')
