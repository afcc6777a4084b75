"""The files of a project: found inside its folder only, read once each, with limits that end every loop."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.listing import TEX_SUFFIXES, name_of
from naturalproofs.records import Diagnostic, InputFile, Severity
from naturalproofs.sources.latex.macros.entries import BASE, Alias, Defined, FileEntries, read_entries
from naturalproofs.sources.latex.macros.expansion import expand
from naturalproofs.sources.latex.macros.macro import Macro
from naturalproofs.sources.latex.project.outline import (
    MAX_PATTERNS,
    STYLES,
    NameIndex,
    fitting_paths,
    listed_files,
    natural_order,
    shared_file,
)
from naturalproofs.sources.latex.scan.arguments import COMMAND, read_group, read_groups, read_option
from naturalproofs.sources.latex.scan.conditionals import may_ask
from naturalproofs.sources.latex.scan.scanner import (
    FROM_FOLDER,
    FULL,
    INPUTS,
    OPTIONAL_INPUTS,
    Token,
    TokenKind,
    Vocabulary,
    scan,
)
from naturalproofs.sources.reading.project_folder import ProjectFolder, Refused, existing_file
from naturalproofs.sources.reading.text_files import Positions, Problem, decode, read_bytes, read_limited

INPUT_PATH = "input@path"
"""The macro that lists folders where inputs are looked up."""
_LONGEST_NAME = 1_000
_MAX_EXPANSIONS = 20
_REACH = 2_000
"""How far before an input a loop around it may begin."""
_PLAIN_NAME = re.compile(r"[ \t]*+\"?+([^\s{}%\"]++)\"?+")
_EXPAND_AFTER = re.compile(r"(?:\s*+\\expandafter(?![a-zA-Z@]))*+")
_LOOP = re.compile(r"\\(?:foreach|forcsvlist|multido|forloop|whiledo|loop)(?![a-zA-Z])")
_LIKE_INPUT = re.compile(r"input|include|import|subfile", re.IGNORECASE)
_NO_INPUT = re.compile(
    r"graphic|only|pdf|svg|enc|listing|verbatim|code|pgf|tikz|figure|picture|image|standalone|movie|media|comment|minted"
    r"|envir|table|csv|bib|important|glossar|addto|chemfig",
    re.IGNORECASE,
)


class InputPath(NamedTuple):
    """A file that a command names: its name, where to look it up, and where the text goes on after the command."""

    name: str
    folder: Path
    """Where files that it names are looked up first."""
    end: int
    is_optional: bool = False
    """Whether the command may mean something else, so that a missing file is no problem."""


def read_input(text: str, token: Token, folder: Path, home: Path, macros: Mapping[str, Macro]) -> InputPath | None:
    r"""The file that an \input, \include, \import … names, if it names one.

    Args:
        text: The text in which the command stands.
        token: The command.
        folder: Where names are looked up at this place.
        home: The folder of the main file, where TeX runs.
        macros: The macros as they are defined at this place.
    """
    name = token.name
    if name in FROM_FOLDER:
        groups = read_groups(text, token.end, 2)
        if len(groups) < 2:
            return None
        inner = (folder if name.startswith("sub") else home) / expand_name(groups[0].text, macros)
        return InputPath(expand_name(groups[1].text, macros), inner, groups[1].end)
    option = read_option(text, token.end) if name == "includestandalone" or name not in INPUTS else None
    skipped = _EXPAND_AFTER.match(text, token.end)
    group = read_group(text, option.end if option else skipped.end() if skipped else token.end)
    if group is not None:
        if name not in INPUTS:
            # As in \olimport[folder]{file}.
            before = f"{expand_name(option.text, macros)}/" if option and option.text.strip() else ""
            return InputPath(before + expand_name(group.text, macros), folder, group.end, is_optional=True)
        return InputPath(expand_name(group.text, macros), folder, group.end, is_optional=name in OPTIONAL_INPUTS)
    bare = _PLAIN_NAME.match(text, token.end) if name == "input" else None
    plain = expand_name(bare[1], macros) if bare else ""
    return InputPath(plain, folder, bare.end()) if bare and "\\" not in plain else None


def search_folders(macros: Mapping[str, Macro], home: Path) -> tuple[Path, ...]:
    r"""The folders of ``\input@path``."""
    macro = macros.get(INPUT_PATH)
    if macro is None:
        return ()
    return tuple(home / expand_name(group.text, macros) for group in read_groups(macro.body, 0, 50))


def is_like_input(name: str) -> bool:
    r"""Whether a command reads a file by its name, such as ``\olimport``."""
    return name.isalpha() and name not in INPUTS and bool(_LIKE_INPUT.search(name)) and not _NO_INPUT.search(name)


def expand_name(source: str, macros: Mapping[str, Macro]) -> str:
    r"""A file name whose macros, such as ``\chapters/sets``, are replaced by their texts."""
    at = 0
    for _ in range(_MAX_EXPANSIONS):
        match = COMMAND.search(source, at)
        if match is None or len(source) > _LONGEST_NAME:
            break
        macro = macros.get(match[1])
        found = expand(macro, source, match.start(), match.end(), Positions(source)) if macro is not None else None
        if found is None:
            at = match.end()
        else:
            source = source[: match.start()] + found.text + source[found.end :]
    return source[:_LONGEST_NAME].strip().strip('"')


def in_loop(text: str, at: int) -> bool:
    """Whether a loop may be open at this place."""
    return _LOOP.search(text, max(0, at - _REACH), at) is not None


# LaTeX files: decoded, scanned, with located diagnostics.

_ERRORS = frozenset({"not-text", "unreadable", "too-large"})


def check_balance(text: str) -> list[Problem]:
    """Find the first brace without partner, and the first formula that runs over a blank line."""
    braces = text.count("{") - text.count("}")
    if braces:
        braces -= text.count("\\{") - text.count("\\}")
    dollars = text.count("$")
    if dollars % 2:
        dollars -= text.count("\\$")
    if braces == 0 and dollars % 2 == 0:
        return []
    tokens = scan(text, FULL).tokens
    return _brace(tokens) + _dollar(text, tokens)


def _brace(tokens: list[Token]) -> list[Problem]:
    opened: list[tuple[int, int]] = []
    """Runs of open braces, from and up to."""
    for token in tokens:
        if token.kind is TokenKind.OPEN:
            opened.append((token.start, token.end))
        elif token.kind is TokenKind.CLOSE:
            for offset in range(token.start, token.end):
                if not opened:
                    return [Problem(offset, "unbalanced-brace", "} without a { before it")]
                start, end = opened.pop()
                if end - start > 1:
                    opened.append((start, end - 1))
    return [Problem(opened[-1][1] - 1, "unbalanced-brace", "{ is never closed")] if opened else []


def _dollar(text: str, tokens: list[Token]) -> list[Problem]:
    started: int | None = None
    for token in tokens:
        if token.kind is TokenKind.MATH and token.name == "$":
            if started is None:
                started = token.start
            elif "\n\n" in text[started : token.start]:
                break
            else:
                started = None
    return [] if started is None else [Problem(started, "unbalanced-dollar", "$ is not closed in its paragraph")]


@dataclass(frozen=True, slots=True)
class TexFile:
    """A LaTeX file: its text, its tokens, and its line starts."""

    path: str
    text: str
    tokens: list[Token]
    positions: Positions
    input: InputFile


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file, unless it could not be read, and its diagnostics."""

    file: TexFile | None
    diagnostics: list[Diagnostic]


def load(path: Path, root: Path, vocabulary: Vocabulary, *, checked: bool = False, encoding: str = "") -> Loaded:
    """Read one file; its problems become diagnostics. One that was `checked` before is not checked for balance."""
    name = name_of(path.relative_to(root))
    data = read_limited(path)
    if isinstance(data, Problem):
        return Loaded(None, _diagnostics(name, [data], None))
    decoded = decode(data, encoding)
    if decoded.text is None:
        return Loaded(None, _diagnostics(name, decoded.problems, None))
    text = decoded.text
    result = scan(text, vocabulary)
    positions = Positions(text)
    problems = [*decoded.problems, *result.problems, *(() if checked else check_balance(text))]
    record = InputFile(name, len(data), sha256_bytes(data))
    return Loaded(TexFile(name, text, result.tokens, positions, record), _diagnostics(name, problems, positions))


def scan_text(file: TexFile, text: str, positions: Positions, vocabulary: Vocabulary) -> TexFile:
    """A text that stands for a piece of a file, as if it were a file of its own."""
    return TexFile(file.path, text, scan(text, vocabulary).tokens, positions, file.input)


def _diagnostics(name: str, problems: Iterable[Problem], positions: Positions | None) -> list[Diagnostic]:
    found = []
    for offset, rule, message in problems:
        line, column = positions.line_column(offset) if positions else (1, 1)
        severity: Severity = "error" if rule in _ERRORS else "warning"
        found.append(Diagnostic(name, line, column, severity, rule, message))
    return found


MAX_FILES = 5_000
"""Further files of a project are not read, with a diagnostic."""
_OF_COMMANDS = frozenset({"malformed-key", "malformed-environment"})
_PASSED = re.compile(r"(?<=\{)\\[a-zA-Z@]++\*?+\s*+\}")
"""A command that is the argument of another one."""
_STYLE = re.compile(r"\\newtheoremstyle\*?+")
_STYLE_ARGUMENTS = 9
_NEW_LABEL = re.compile(r"\\newlabel\s*(?=\{)|\\@input\s*\{([^{}]*)\}")
_AUX_MARKUP = re.compile(r"\\[a-zA-Z@]+\s*|[{}$\s]")
_MAX_AUX_FILES = 1_000
_MAX_MATCHES = 500
_MAX_LISTED = 20_000
"""In a folder with more entries, files are not searched by name alone."""
_MAX_HELD = 1 << 25
"""Characters of files that are held in memory; of a larger project files are read again when they are needed again."""


class Tree(ProjectFolder):
    """Opens the LaTeX files of one project."""

    def __init__(self, root: Path, diagnostics: list[Diagnostic]) -> None:
        """Bind the folder, outside of which nothing is read, and where diagnostics go."""
        super().__init__(root)
        self.inputs: list[InputFile] = []
        self.diagnostics = diagnostics
        self.diagnostics_of: dict[Path, list[Diagnostic]] = {}
        """The diagnostics of each file that was opened."""
        self._files: dict[Path, TexFile | None] = {}
        """The files that are held in memory, and those that cannot be read."""
        self._held = 0
        self._opened: set[Path] = set()
        self._definitions: dict[str, FileEntries] = {}
        self._scanned: dict[str, tuple[Vocabulary, TexFile]] = {}
        self._matches: dict[tuple[str, bool], list[str]] = {}

    def open(self, path: Path) -> TexFile | None:
        """The file of a resolved path, scanned for structure and definitions; None when it cannot be read."""
        self.log.opened[path] = None
        if path in self._files:
            return self._files[path]
        # The problems of a file that was read before are known.
        loaded = load(path, self.root, BASE, checked=path in self._opened, encoding=self.encoding)
        self._hold(path, loaded.file)
        if path not in self._opened:
            self._opened.add(path)
            if loaded.file is not None:
                self.inputs.append(loaded.file.input)
            self.diagnostics_of[path] = self._outside_definitions(loaded)
            self.diagnostics.extend(self.diagnostics_of[path])
        return loaded.file

    def _hold(self, path: Path, file: TexFile | None) -> None:
        """Keep a file in memory, in place of those that were read first."""
        self._held += len(file.text) if file is not None else 0
        for other in list(self._files) if self._held > _MAX_HELD else ():
            if (old := self._files[other]) is not None:
                self._held -= len(old.text)
                self._scanned.pop(old.path, None)
                del self._files[other]
            if self._held <= _MAX_HELD:
                break
        self._files[path] = file

    def _outside_definitions(self, loaded: Loaded) -> list[Diagnostic]:
        r"""Diagnostics, without those about a ``\ref`` in the code of a macro or a style, or passed to another command.

        The code of packages may hold braces and dollars in any way.
        """
        if loaded.file is not None and loaded.file.path.endswith(STYLES):
            return [one for one in loaded.diagnostics if one.severity == "error"]
        if loaded.file is None or not any(one.rule in _OF_COMMANDS for one in loaded.diagnostics):
            return loaded.diagnostics
        text, positions = loaded.file.text, loaded.file.positions
        entries = self.definitions(loaded.file).entries
        defined = ((one.start, one.end) for one in entries if isinstance(one.entry, Defined | Alias))
        spans = sorted((*defined, *_code(loaded.file)))
        starts, ends = [start for start, _ in spans], [0, *accumulate((end for _, end in spans), max)]

        def is_code(one: Diagnostic) -> bool:
            at = positions.offset(one.line, one.column)
            return _PASSED.match(text, at) is not None or ends[bisect_right(starts, at)] > at

        return [one for one in loaded.diagnostics if one.rule not in _OF_COMMANDS or not is_code(one)]

    def definitions(self, file: TexFile) -> FileEntries:
        """What a file defines."""
        if file.path not in self._definitions:
            self._definitions[file.path] = read_entries(file.text, file.tokens)
        return self._definitions[file.path]

    def scanned(self, file: TexFile, vocabulary: Vocabulary, own_words: re.Pattern[str] | None) -> TexFile:
        """The file scanned with a dialect's vocabulary, if any of the dialect's own words stands in it."""
        if not may_ask(file.text) and (own_words is None or not own_words.search(file.text)):
            return file
        known = self._scanned.get(file.path)
        if known is None or known[0] != vocabulary:
            known = (vocabulary, replace(file, tokens=scan(file.text, vocabulary).tokens))
            self._scanned[file.path] = known
        return known[1]

    def _find(self, name: str, folders: Sequence[Path], endings: Sequence[str]) -> Path | Refused:
        found = super()._find(name, folders, endings)
        if isinstance(found, Refused) and found.rule == "missing-file":
            # The only file whose path ends with the name: it is found by settings outside of the files.
            like = (existing_file(self.root, one, self.encoding) for one in self._names.ending_like(name, endings))
            only = shared_file([one for one in like if one is not None and one.is_relative_to(self.root)])
            found = only or found
        if isinstance(found, Path) and found not in self._opened and len(self._opened) >= MAX_FILES:
            return Refused(
                "too-many-files", f"a project may have {MAX_FILES} files; this one and later ones were not read"
            )
        return found

    def follow(
        self, file: TexFile, command: str, want: InputPath, search: Sequence[Path] = ()
    ) -> TexFile | Refused | None:
        """The file that a command in another file names; None when it exists but cannot be read.

        Args:
            file: The file in which the command stands.
            command: The command.
            want: What it names.
            search: Further folders to look in.
        """
        named = want.name.endswith(TEX_SUFFIXES)
        endings: tuple[str, ...] = (".tex", "")
        if named or want.name.endswith((".sty", ".cls")):
            endings = ("", ".tex")
        elif command in ("include", "subfileinclude"):
            endings = (".tex",)
        folders = (want.folder, *search, self.root, self.path(file.path).parent)
        found = self.find(want.name, tuple(dict.fromkeys(folders)), endings)
        return found if isinstance(found, Refused) else self.open(found)

    def matching(self, name: str, *, in_loop: bool) -> list[str]:
        """The files of the project whose paths fit a name in which some macros are not known.

        In a loop these are all whose paths have numbers in place of the macros; otherwise there must be only one.
        """
        if (name, in_loop) not in self._matches:
            paths = self.listed if len(self._matches) < MAX_PATTERNS else ()
            found = sorted(fitting_paths(name, paths, r"\d+" if in_loop else ".*"), key=natural_order)
            self._matches[name, in_loop] = found[:_MAX_MATCHES] if in_loop or len(found) == 1 else []
        return self._matches[name, in_loop]

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The LaTeX files, classes and packages below the root, by path; none if there are too many files."""
        try:
            found = listed_files(self.root, (*TEX_SUFFIXES, *STYLES), _MAX_LISTED)
            return tuple(map(self.name, found))
        except SourceNotFound:
            return ()

    @cached_property
    def _names(self) -> NameIndex:
        return NameIndex(self.listed)

    def inner_folder(self, found: TexFile, command: str, want: InputPath) -> Path:
        """Where files that a file names are looked up first."""
        own = command in ("subfile", "subfileinclude", "includestandalone") or want.is_optional
        return self.path(found.path).parent if own else want.folder

    def printed_numbers(self, main: Path, files: Iterable[str]) -> dict[str, str]:
        """Numbers by label from the ``.aux`` file beside the main file; none if a file of the document is newer."""
        start = self.find(name_of(main.with_suffix(".aux").name), (main.parent,), ("",))
        if isinstance(start, Refused) or not self._is_newer(start, files):
            return {}
        numbers: dict[str, str] = {}
        pending, seen = [start], {start}
        while pending and len(seen) < _MAX_AUX_FILES:
            text = (read_bytes(pending.pop()) or b"").decode("utf-8", "replace")
            for match in _NEW_LABEL.finditer(text):
                if match[1] is None:
                    numbers.update(_number(text, match.end()))
                    continue
                path = self.find(match[1], (start.parent,), ("",))
                if not isinstance(path, Refused) and path not in seen and path.suffix == ".aux":
                    seen.add(path)
                    pending.append(path)
        return numbers

    def _is_newer(self, aux: Path, files: Iterable[str]) -> bool:
        try:
            made = aux.stat().st_mtime
            return all(self.path(file).stat().st_mtime <= made for file in files)
        except OSError:
            return False


def _number(text: str, at: int) -> dict[str, str]:
    """The label and the number in the groups after a command."""
    groups = read_groups(text, at, 2)
    number = read_group(groups[1].text, 0) if len(groups) == 2 else None
    if number is None or groups[0].text.endswith("@cref"):
        return {}
    return {groups[0].text: _AUX_MARKUP.sub("", number.text)}


def _code(file: TexFile) -> Iterator[tuple[int, int]]:
    """Where a file is not typeset: its preamble, and the styles of theorems."""
    begin = next((one for one in file.tokens if one.kind is TokenKind.BEGIN and one.name == "document"), None)
    if begin is not None:
        yield 0, begin.start
    for match in _STYLE.finditer(file.text):
        if groups := read_groups(file.text, match.end(), _STYLE_ARGUMENTS):
            yield match.start(), groups[-1].end


def follow_inputs(
    tree: Tree, file: TexFile, text: str, token: Token, folder: Path, home: Path, macros: Mapping[str, Macro]
) -> Iterator[tuple[InputPath, TexFile | Refused | None, Path]]:
    """What an input command names, the files that are found, and where names in them are looked up.

    Args:
        tree: The files of the project.
        file: The file in which the command stands.
        text: Its text, or the expansion of a macro in it.
        token: The command.
        folder: Where names are looked up at this place.
        home: The folder of the main file.
        macros: The macros as they are defined at this place.
    """
    want = read_input(text, token, folder, home, macros)
    if want is None:
        return
    names = [want.name]
    if "\\" in want.name or "#" in want.name:
        names = tree.matching(want.name, in_loop=in_loop(text, token.start)) or names
    for name in names:
        found = tree.follow(file, token.name, want._replace(name=name), search_folders(macros, home))
        if not (want.is_optional and isinstance(found, Refused)):
            inner = tree.inner_folder(found, token.name, want) if isinstance(found, TexFile) else folder
            yield want._replace(name=name), found, inner
