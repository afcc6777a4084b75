"""The walk over the tokens of a document: which text is read, up to where, and who collects it.

Included files and expansions of macros are texts inside of texts, read in place of a command. What stands between two
cuts goes to the innermost open statement, proof or note.
"""

import re
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from naturalproofs.records import BY_NUMBER, Diagnostic, Mention, Origin, Severity, TextPart
from naturalproofs.sources.latex.macros.engine import CannotRun
from naturalproofs.sources.latex.macros.entries import Defined, Flag
from naturalproofs.sources.latex.macros.expansion import (
    Copy,
    ExpandedPositions,
    Expansion,
    expand,
    expand_all,
    expand_ending,
    read_arguments,
    read_loop,
)
from naturalproofs.sources.latex.macros.macro import Macro, has_internals, read_definition
from naturalproofs.sources.latex.project.tree import TexFile, Tree, follow_inputs, scan_text
from naturalproofs.sources.latex.read.citations import Found, TextReferences
from naturalproofs.sources.latex.read.dialect import Dialect, as_environments
from naturalproofs.sources.latex.scan.scanner import Token, TokenKind
from naturalproofs.sources.reading.builders import Reading, TextBuilder
from naturalproofs.sources.reading.project_folder import Refused

Handler: TypeAlias = Callable[[Token], None]
_WARNINGS_PER_RULE = 100
MAX_DEPTH = 40
"""How deep files and macros may be nested."""
MAX_EXPANDED = 20_000_000
"""Total length of all expansions of a document, with 100 characters added for every call."""
MAX_REFUSED = 2_000
"""How many inputs that are not followed are reported."""
MAX_INPUTS = 100_000
"""How many times a document may name a file: this ends loops inside of loops, and files that name one another."""
_EXPL3 = re.compile(r"\\(?:tl|clist|seq|str|int|bool|cs|prop|exp|keys|token|use|prg|msg|peek|regex)_[a-z_]++:")
"""Commands of expl3, the programming language of LaTeX."""
_AT_ONCE = frozenset({"edef", "xdef"})
_MATTERS = re.compile(r"\\(?:begin|[a-zA-Z]*[iI]nput|[a-zA-Z]*[iI]nclude|label|item)(?![a-zA-Z])")
"""What makes a loop in the text worth unrolling."""
_MADE = re.compile(r"\.(?:bbl|aux|ind|idx|gl[sog]|acr|nl[so]|toc|lo[ftlax]|[pm]tc|maf)$")
"""Files that LaTeX and its programs make."""
_FIGURE = re.compile(
    r"\.(?:pdf_t|pdf_tex|pdftex_t|pstex_t|eps_tex|pstricks|ps_tex|pgf|tikz|tkz|svg|eepic|epic|fig|latex|table|png|jpe?g)$"
    r"|(?:^|/)(?:fig|figs|figures?|images?|img|pics?|pictures?|plots?|tikz|diagrams?|graphics?)/",
    re.IGNORECASE,
)
"""Names of figures: one that is missing is no loss for the text."""
_MAX_CACHED_LENGTH = 200
_MAX_CACHED_SCANS = 10_000


class Walker:
    """The position in a document while it is read."""

    def __init__(self, reading: Reading, texts: TextReferences | None) -> None:
        """Bind where results go, and what finds citations by number, if they are to be found."""
        self.reading = reading
        self._texts = texts
        self.collectors: list[TextBuilder] = []
        self.holding = 0
        """How many of them keep their text for themselves; a section headed as a proof is text of the document, too."""
        self.heading = ("", "")
        """The chapter and the section."""
        self._pieces: list[str] = []
        """The last part of the text in reading order, if that is text."""
        self.numbers: list[str] = []
        """The numbers of equations in the last part."""
        self.macros: dict[str, Macro] = {}
        """The commands of the document as they are defined at the place that is read."""
        self.depth = 0
        self.is_code = False
        """Whether code is read for what it labels and cites: it is not text."""
        self._warned: Counter[str] = Counter()
        self._recent: list[tuple[int, int]] = []
        """Where the mentions since the last cut stand, and how many each place has."""
        self.set_handlers({}, {})

    @property
    def collector(self) -> TextBuilder | None:
        """The innermost open statement, proof or note."""
        return self.collectors[-1] if self.collectors else None

    def set_handlers(self, body: dict[TokenKind, Handler], preamble: dict[TokenKind, Handler]) -> None:
        """Say what each kind of token does, in the text of the document and before it; start in the text."""
        self._body, self._preamble = body, preamble
        self.set_preamble(False)

    def set_preamble(self, inside: bool) -> None:
        """Say whether the preamble is read: only definitions and inputs count there."""
        self.in_preamble = inside
        self._handlers = self._preamble if inside else self._body

    def walk(self, file: TexFile) -> None:
        """Read a file from its start up to its end, or until something stops it."""
        self.file, self.mark, self.skip_to, self.counted_to, self.stopped = file, 0, 0, 0, False
        for token in file.tokens:
            if token.start >= self.skip_to and (handle := self._handlers.get(token.kind)):
                handle(token)
                if self.stopped:
                    break
        else:
            self.keep_until(len(file.text))

    def read_inside(self, file: TexFile, start: int, end: int) -> None:
        """Read another text in place of what stands from `start` up to `end`; where that is left out, so is this."""
        outer, mark, is_code = self.file, self.mark, self.is_code
        self.keep_until(start)
        self.is_code = is_code or start < mark
        self.depth += 1
        self.walk(file)
        self.depth -= 1
        self.is_code = is_code
        self.file, self.mark, self.skip_to, self.counted_to, self.stopped = outer, max(mark, end), end, 0, False

    def skip(self, end: int) -> None:
        """Ignore the tokens before `end`."""
        self.skip_to = max(self.skip_to, end)

    # Text.

    def keep_until(self, offset: int) -> None:
        """Give the text from the last cut up to `offset` to the innermost builder, or to the text between them."""
        if not self.holding and not self.in_preamble and not self.is_code and offset > self.mark:
            self.add_part("text", self.file.text[self.mark : offset])
        if self.collectors and offset > self.mark:
            text, builder = self.file.text, self.collectors[-1]
            if self._texts is not None and (found := list(self._texts.find(text, self.mark, offset))):
                self._insert(found, builder.mentions)
            if not self.is_code:
                builder.pieces.append(text[self.mark : offset])
        self._recent.clear()
        self.mark = max(self.mark, offset)

    def cut(self, start: int, end: int) -> None:
        """Leave out what stands from `start` up to `end`."""
        self.keep_until(start)
        self.mark = max(self.mark, end)

    def drop(self, token: Token) -> None:
        """Leave out a comment or skipped text; a comment hides the rest of its line, but not the line break."""
        self.cut(token.start, token.end - 1 if token.kind is TokenKind.COMMENT else token.end)

    def cite(self, token: Token, targets: Iterable[str]) -> None:
        """Add mentions to the innermost builder."""
        line = self.file.positions.line(token.start)
        mentions = [Mention(target, token.name, line) for target in targets]
        self.collectors[-1].mentions.extend(mentions)
        self._recent.append((token.start, len(mentions)))

    def _insert(self, found: list[Found], mentions: list[Mention]) -> None:
        """Put citations by number between the mentions that were read since the last cut, in order."""
        index = len(mentions) - sum(count for _, count in self._recent)
        later = mentions[index:]
        del mentions[index:]
        placed = [(offset, count) for offset, count in self._recent if count]
        for citation in found:
            while placed and placed[0][0] < citation.offset:
                _, count = placed.pop(0)
                mentions.extend(later[:count])
                later = later[count:]
            line = self.file.positions.line(citation.offset)
            mentions.extend(Mention(f"{one.family} {one.number}", BY_NUMBER, line) for one in citation.cited)
        mentions.extend(later)

    def add_part(self, kind: Literal["text", "heading", "statement", "proof"], text: str = "", **about: Any) -> None:
        """Add to the text in reading order; text and headings in a statement or a proof are theirs."""
        if self.holding and kind in ("text", "heading"):
            return
        parts = self.reading.parts
        if kind == "text" and parts and parts[-1].kind == "text":
            self._pieces.append(text)
        elif kind != "text" or text.strip():
            self.join_text()
            self._pieces = [text]
            parts.append(TextPart(kind, *self.heading, text, **about))

    def join_text(self) -> None:
        """Put the pieces and the numbers of the last part together."""
        parts = self.reading.parts
        if parts and (self.numbers or len(self._pieces) > 1):
            text = "".join(self._pieces) if parts[-1].kind == "text" else parts[-1].text
            parts[-1] = replace(parts[-1], text=text, equations=tuple(self.numbers))
        self._pieces, self.numbers = self._pieces[:1], []

    def state(self) -> tuple[list[int], list[str], list[str]]:
        """How much was found so far."""
        return list(map(len, self._found)), list(self._pieces), list(self.numbers)

    def go_back(self, state: tuple[list[int], list[str], list[str]]) -> None:
        """Forget what was found since then."""
        lengths, self._pieces, self.numbers = state
        for found, length in zip(self._found, lengths, strict=True):
            del found[length:]

    @property
    def _found(self) -> tuple[list[Any], ...]:
        reading = self.reading
        return reading.statements, reading.anchors, reading.orphans, reading.diagnostics, reading.parts

    # Places.

    def origin(self, token: Token) -> Origin:
        """Where a token stands."""
        return Origin(self.file.path, self.file.positions.line(token.start))

    def warn(self, offset: int, rule: str, message: str, file: TexFile | None = None, about: str = "") -> None:
        """Report something malformed; a rule that fires all the time is reported a limited number of times."""
        self._warned[rule] += 1
        if self._warned[rule] <= _WARNINGS_PER_RULE:
            self.report(offset, rule, message, file=file, about=about)

    def report(
        self,
        offset: int,
        rule: str,
        message: str,
        *,
        severity: Severity = "warning",
        file: TexFile | None = None,
        about: str = "",
    ) -> None:
        """Add a diagnostic, which may be about a file or an environment."""
        where = file or self.file
        line, column = where.positions.line_column(offset)
        self.reading.diagnostics.append(Diagnostic(where.path, line, column, severity, rule, message, about))


class Inputs:
    r"""Follows ``\input`` and its variants."""

    def __init__(
        self, walker: Walker, dialect: Dialect, tree: Tree, again: Callable[[Callable[[], None]], None]
    ) -> None:
        """Bind the walk, the language of the document, the files of the project, and how one is read again."""
        self.walker, self.dialect, self.tree, self._again = walker, dialect, tree, again
        self._stated: set[str] = set()
        """The files in which something is stated."""
        self._count = self._refused = 0
        self._open_paths: list[str] = []
        self._folder = self._home = tree.root

    def scanned(self, file: TexFile) -> TexFile:
        """The file, scanned for the words of this document."""
        return self.tree.scanned(file, self.dialect.vocabulary, self.dialect.own_words)

    def start(self, main: TexFile) -> TexFile:
        """Begin with the main file, scanned for the words of this document."""
        self._folder = self._home = self.tree.path(main.path).parent
        self.walker.macros["jobname"] = Macro("jobname", (), Path(main.path).stem)
        self._open_paths = [main.path]
        has_document = self.tree.definitions(main).has_document
        self.walker.set_preamble(has_document or self.dialect.definitions.begins_in_input)
        return self.scanned(main)

    def follow(self, token: Token) -> None:
        """Read the files that a command names: one, or several inside of a loop."""
        walker, tree = self.walker, self.tree
        self._count += 1
        if self._count == MAX_INPUTS + 1:
            message = f"files are named more than {MAX_INPUTS:,} times; the rest was not read"
            walker.report(token.start, "too-many-inputs", message)
        if self._count > MAX_INPUTS:
            return
        file, text = walker.file, walker.file.text
        for want, found, inner in list(follow_inputs(tree, file, text, token, self._folder, self._home, walker.macros)):
            if isinstance(found, Refused):
                self._refuse(token, found, want.name)
            elif found is not None and self._may_enter(token, found):
                self._enter(found, inner, token.start, want.end)

    def _enter(self, found: TexFile, inner: Path, start: int, end: int) -> None:
        walker = self.walker
        folder, self._folder = self._folder, inner
        has_preamble = self.tree.definitions(found).has_document and not walker.in_preamble
        if has_preamble:
            walker.set_preamble(True)
        self._open_paths.append(found.path)
        count, read = len(walker.reading.statements), partial(walker.read_inside, self.scanned(found), start, end)
        self._again(read) if found.path in self._stated else read()
        if len(walker.reading.statements) > count:
            self._stated.add(found.path)
        self._open_paths.pop()
        self._folder = folder
        if has_preamble:
            walker.set_preamble(False)

    def _refuse(self, token: Token, refused: Refused, name: str) -> None:
        self._refused += 1
        if self._refused > MAX_REFUSED:
            return
        message = f"\\{token.name}{{{name}}}: {refused.message}"
        if refused.rule == "missing-file" and _MADE.search(name):
            return
        if refused.rule == "missing-file" and _FIGURE.search(name):
            self.walker.report(token.start, "missing-figure", message, severity="note", about=name)
        else:
            self.walker.report(token.start, refused.rule, message, about=name)

    def _may_enter(self, token: Token, found: TexFile) -> bool:
        if found.path in self._open_paths:
            self.walker.report(token.start, "recursive-input", f"{found.path} includes itself; it is read once")
        elif self.walker.depth >= MAX_DEPTH:
            message = f"{found.path} is included {MAX_DEPTH} files deep and was not read"
            self.walker.warn(token.start, "too-deep", message)
        else:
            return True
        return False


class Expansions:
    """Reads what the document's own macros stand for, as they are defined at that point."""

    def __init__(self, walker: Walker, dialect: Dialect) -> None:
        """Bind the walk and the macros that matter."""
        self.walker, self.dialect = walker, dialect
        walker.macros.update(dialect.definitions.table.commands)
        self._commands: dict[str, Macro] = dict(dialect.commands)
        self._environments: dict[str, Macro] = dict(dialect.wrappers)
        self._facts = replace(dialect.vocabulary.facts, macros=walker.macros)
        self._flags = {**self._facts.flags, **dialect.definitions.table.first_flags}
        """What the flags are at the place that is read."""
        self._open: list[str] = []
        self._length = 0
        self._scans: dict[str, TexFile] = {}

    def define(self, token: Token) -> Macro | None:
        """Pass over a definition, and note what it changes."""
        macro, end = read_definition(self.walker.file.text, token.name, token.end)
        self.walker.skip(end)
        if macro is None or token.name.startswith(("provide", "Provide")):
            return macro
        if macro.ending is None:
            if token.name in _AT_ONCE and self._length <= MAX_EXPANDED:
                macro = replace(macro, body=expand_all(macro.body, self.walker.macros, self._facts))
                self._length += len(macro.body) + 100
            self.walker.macros[macro.name] = macro
            if macro.name in self._commands and not has_internals(macro.body):
                self._commands[macro.name] = macro
        elif macro.name in self._environments:
            self._environments[macro.name] = as_environments(macro, self.dialect.statements)
        return macro

    def key(self, source: str) -> str:
        """A key as LaTeX writes it: with the macros in it replaced by what they stand for at this place."""
        return expand_all(source, self.walker.macros, self._facts).strip() if "\\" in source else source

    def call(self, token: Token) -> None:
        """Read the expansion of a command."""
        name, end = token.name, token.start + 1 + len(token.name)
        if self.walker.file.text.startswith("*", end) and f"{name}*" in self._commands:
            name, end = f"{name}*", end + 1
        if name in self._commands and not (name in self.dialect.computing and self._compute(token, end)):
            self._enter(token, self._commands[name], end)

    def _compute(self, token: Token, at: int) -> bool:
        """Run a call, note what it changes, and read what it prints; False if it cannot be run."""
        walker, file = self.walker, self.walker.file
        facts = replace(self._facts, flags=self._flags)
        try:
            done = self.dialect.definitions.table.engine(ChainMap(walker.macros), facts).run(
                file.text, token.start, prints=True
            )
        except CannotRun:
            return False
        for entry in done.entries:
            if isinstance(entry, Flag) and entry.value is not None:
                self._flags[entry.name] = entry.value
            elif isinstance(entry, Defined) and entry.macro.ending is None:
                walker.macros[entry.macro.name] = entry.macro
        copies, begin = list[Copy](), 0
        arguments = read_arguments(self._commands[token.name], file.text, at)
        for argument in arguments[0] if arguments else ():
            found = done.printed.find(argument.text, begin) if argument.start >= 0 and argument.text.strip() else -1
            if found >= 0:
                copies.append(Copy(found, len(argument.text), argument.start))
                begin = found + len(argument.text)
        positions = ExpandedPositions(file.positions, token.start, copies)
        self._read(token, Expansion(done.printed, positions, done.end))
        return True

    def loop(self, token: Token) -> None:
        """Read the rounds of a loop, if they read files or hold statements."""
        file = self.walker.file
        found = read_loop(file.text, token.name, token.end, self.walker.macros)
        if found is not None and _MATTERS.search(found.text):
            self._read(token, Expansion(found.text, ExpandedPositions(file.positions, token.start, []), found.end))

    def begin(self, token: Token) -> None:
        """Read the code of an environment's begin."""
        self._enter(token, self._environments[token.name], token.end)

    def end(self, token: Token) -> None:
        """Read the code of an environment's end."""
        macro = self._environments[token.name]
        self._read(token, expand_ending(macro, self.walker.file.positions, token.start, self._facts))
        self.walker.skip_to = token.end

    def read_piece(self, token: Token, start: int, end: int) -> None:
        """Read a piece of the text by itself, in its place."""
        file = self.walker.file
        piece = file.text[start:end]
        positions = ExpandedPositions(file.positions, token.start, [Copy(0, len(piece), start)])
        self.walker.read_inside(scan_text(file, piece, positions, self.dialect.vocabulary), start, end)

    def printed(self, token: Token) -> Expansion | None:
        """What a call stands for, without reading it."""
        macro, end = self.walker.macros.get(token.name), token.start + 1 + len(token.name)
        found = self._expanded(token, macro, end) if macro and self._length <= MAX_EXPANDED else None
        self._length += len(found.text) + 100 if found else 100
        return found

    def _enter(self, token: Token, macro: Macro, arguments: int) -> None:
        if (expansion := self._expanded(token, macro, arguments)) is not None:
            self._read(token, expansion)

    def _expanded(self, token: Token, macro: Macro, arguments: int) -> Expansion | None:
        file = self.walker.file
        return expand(macro, file.text, token.start, arguments, file.positions, self._facts)

    def _read(self, token: Token, expansion: Expansion) -> None:
        walker, text = self.walker, expansion.text
        self._length += len(text) + 100
        outer = walker.file.positions
        # A call in a file, or in the argument of a call of the same macro, is written by the author, and ends.
        is_written = not isinstance(outer, ExpandedPositions) or outer.is_argument(token.start)
        reason = ""
        if token.name in self._open and not is_written:
            reason = "its definition uses it again"
        elif walker.depth >= MAX_DEPTH:
            reason = f"it is inside of {MAX_DEPTH} files and macros that use one another"
        elif self._length > MAX_EXPANDED:
            reason = f"the macros of this document stand for more than {MAX_EXPANDED // 10**6} million characters"
        if reason:
            walker.warn(token.start, "endless-macro", f"\\{token.name} was not expanded here: {reason}")
            return
        scanned = self._scans.get(text)
        if scanned is None:
            scanned = scan_text(walker.file, text, expansion.positions, self.dialect.vocabulary)
            if len(text) < _MAX_CACHED_LENGTH and len(self._scans) < _MAX_CACHED_SCANS:
                self._scans[text] = scanned
        file = TexFile(walker.file.path, text, scanned.tokens, expansion.positions, walker.file.input)
        self._open.append(token.name)
        walker.keep_until(token.start)
        is_code, walker.is_code = walker.is_code, walker.is_code or _EXPL3.search(text) is not None
        walker.read_inside(file, token.start, expansion.end)
        walker.is_code = is_code
        self._open.pop()
