"""A reader that follows inputs and expands macros: another text is read in the middle of a file."""

from collections.abc import Callable

from naturalproofs.latex import Token, TokenKind
from naturalproofs.latex.builders import Frame, Reading
from naturalproofs.latex.dialect import Dialect, as_environments
from naturalproofs.latex.expansion import Expansion, expand, expand_ending
from naturalproofs.latex.files import TexFile, scan_text
from naturalproofs.latex.macros import Macro, read_definition
from naturalproofs.latex.reader import Reader
from naturalproofs.latex.tree import Refused, Tree, wanted
from naturalproofs.records import Diagnostic, Severity

MAX_DEPTH = 40
"""How deep files and macros may lie inside one another."""
MAX_EXPANDED = 20_000_000
"""How many characters all macros of a document may stand for together, a hundred more counted for every call."""
MAX_INPUTS = 20_000
"""How many times a document may read a file, the same one again and again included."""
_CACHED = 200


class FollowingReader(Reader):
    """Reads a file, the files it includes, and what its macros stand for."""

    def __init__(self, dialect: Dialect, reading: Reading, tree: Tree) -> None:
        """Bind the language of the document and the files of the project."""
        super().__init__(dialect.profile, reading)
        self.dialect = dialect
        self.tree = tree
        self.many_keys = {name for name, style in dialect.vocabulary.references.items() if style in ("list", "range")}
        self.macros: dict[str, Macro] = dict(dialect.commands)
        self.wrappers: dict[str, Macro] = dict(dialect.wrappers)
        self.handlers[TokenKind.INPUT] = self._input
        self.all_handlers = self.handlers
        # Before the document begins, only definitions count; whatever else stands there is part of one.
        kinds = (TokenKind.COMMAND, TokenKind.INPUT, TokenKind.BEGIN)
        self.preamble_handlers: dict[TokenKind, Callable[[Token], None]] = {kind: self.handlers[kind] for kind in kinds}
        self.skip_to = self.counted_to = 0
        self.stopped = False
        self.depth = self.expanded = self.inputs = 0
        self.open_paths: list[str] = []
        self.open_macros: list[str] = []
        self.folder = tree.root
        self._scans: dict[str, TexFile] = {}

    def read_document(self, main: TexFile, scope: str) -> None:
        """Read a document from its main file."""
        self.folder = (self.tree.root / main.path).parent
        self.open_paths = [main.path]
        self._preamble(begins=self.tree.facts(main).has_document)
        self.read(self.tree.scanned(main, self.dialect.vocabulary, self.dialect.news), scope)

    def _preamble(self, *, begins: bool) -> None:
        self.in_preamble = begins
        self.handlers = self.preamble_handlers if begins else self.all_handlers

    def _walk(self, file: TexFile) -> None:
        self.file, self.mark, self.skip_to, self.stopped = file, 0, 0, False
        self.counted_to = 0
        for token in file.tokens:
            if token.start >= self.skip_to and (handle := self.handlers.get(token.kind)):
                handle(token)
                if self.stopped:
                    break
        else:
            self._keep_until(len(file.text))

    def _inside(self, file: TexFile, start: int, end: int) -> None:
        """Read another text in place of what stands from `start` up to `end`."""
        outer = self.file
        self._keep_until(start)
        self.depth += 1
        self._walk(file)
        self.depth -= 1
        self.file, self.mark, self.skip_to, self.stopped = outer, end, end, False
        self.counted_to = 0

    # Files.

    def _input(self, token: Token) -> None:
        want = wanted(self.file.text, token, self.folder, self.tree.root, self.dialect.gathered.commands)
        if want is None:
            return
        only = self.dialect.gathered.only
        if token.name == "include" and only is not None and want.name not in only:
            self._tell(token, "not-included", f"\\include{{{want.name}}} is left out by \\includeonly", severity="note")
            return
        found = self.tree.follow(self.file, token.name, want)
        if isinstance(found, Refused):
            self._tell(token, found.rule, f"\\{token.name}{{{want.name}}}: {found.message}")
        elif found is not None and self._may_enter(token, found):
            folder, self.folder = self.folder, self.tree.inner_folder(found, token.name, want)
            before = self.in_preamble
            own = self.tree.facts(found).has_document and not before
            if own:
                self._preamble(begins=True)
            self.open_paths.append(found.path)
            self._inside(self.tree.scanned(found, self.dialect.vocabulary, self.dialect.news), token.start, want.end)
            self.open_paths.pop()
            self.folder = folder
            if own:
                self._preamble(begins=False)

    def _may_enter(self, token: Token, found: TexFile) -> bool:
        self.inputs += 1
        if found.path in self.open_paths:
            self._tell(token, "recursive-input", f"{found.path} includes itself; it is read once")
            return False
        if self.depth >= MAX_DEPTH:
            self._tell(token, "too-deep", f"{found.path} is included {MAX_DEPTH} files deep and was not read")
            return False
        if self.inputs > MAX_INPUTS:
            if self.inputs == MAX_INPUTS + 1:
                self._tell(
                    token, "too-many-inputs", f"files are included more than {MAX_INPUTS} times; the rest was not read"
                )
            return False
        return True

    def _tell(self, token: Token, rule: str, message: str, *, severity: Severity = "warning") -> None:
        line, column = self.file.positions.line_column(token.start)
        self.reading.diagnostics.append(Diagnostic(self.file.path, line, column, severity, rule, message))

    # Macros.

    def _define(self, token: Token) -> Macro | None:
        """Pass over a definition, and keep what it changes."""
        macro, end = read_definition(self.file.text, token.name, token.end)
        self.skip_to = max(self.skip_to, end)
        if macro is None:
            return None
        known = self.macros if macro.ending is None else self.wrappers
        if macro.name in known and not token.name.startswith(("provide", "Provide")):
            known[macro.name] = as_environments(macro, self.dialect.statements) if macro.ending is not None else macro
        return macro

    def _call(self, token: Token) -> None:
        macro = self.macros[token.name]
        after_name = token.start + 1 + len(token.name)
        expansion = expand(macro, self.file.text, token.start, after_name, self.file.positions)
        if expansion is not None:
            self._expand(token, expansion)

    def _begin_wrapper(self, token: Token) -> None:
        self._push(Frame(token.name, "plain", self.file, token.start))
        expansion = expand(self.wrappers[token.name], self.file.text, token.start, token.end, self.file.positions)
        if expansion is not None:
            self._expand(token, expansion)

    def _end_wrapper(self, token: Token) -> None:
        expansion = expand_ending(self.wrappers[token.name], self.file.positions, token.start, token.start)
        self._expand(token, expansion)
        self.skip_to = token.end

    def _expand(self, token: Token, expansion: Expansion) -> None:
        self.expanded += len(expansion.text) + 100
        if token.name in self.open_macros or self.depth >= MAX_DEPTH or self.expanded > MAX_EXPANDED:
            message = f"\\{token.name} stands for too much, or for itself; it was not followed"
            self._complain(token.start, "endless-macro", message)
            return
        text = expansion.text
        scanned = self._scans.get(text)
        if scanned is None:
            scanned = scan_text(self.file, text, expansion.positions, self.dialect.vocabulary)
            if len(text) < _CACHED and len(self._scans) < 10_000:
                self._scans[text] = scanned
        file = TexFile(self.file.path, text, scanned.tokens, expansion.positions, self.file.input)
        self.open_macros.append(token.name)
        self._inside(file, token.start, expansion.end)
        self.open_macros.pop()
