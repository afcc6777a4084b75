"""The walk over the tokens of a document: which text is read, up to where, and who collects it.

Included files and macro expansions are texts inside of texts. What stands between two cuts goes to the innermost open
statement, proof or note.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeAlias

from naturalproofs.latex.builders import Reading, TextBuilder
from naturalproofs.latex.files import TexFile
from naturalproofs.latex.labels import BY_NUMBER
from naturalproofs.latex.scanner import Token, TokenKind
from naturalproofs.latex.text_references import Found, TextReferences
from naturalproofs.records import Diagnostic, Mention, Origin, Severity

Handler: TypeAlias = Callable[[Token], None]
_WARNINGS_PER_RULE = 100


class Walker:
    """The position in a document while it is read."""

    def __init__(self, reading: Reading, texts: TextReferences | None) -> None:
        """Bind where results go, and what finds citations by number, if they are to be found."""
        self.reading = reading
        self._texts = texts
        self.collectors: list[TextBuilder] = []
        self.depth = 0
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
        """Read another text in place of what stands from `start` up to `end`."""
        outer = self.file
        self.keep_until(start)
        self.depth += 1
        self.walk(file)
        self.depth -= 1
        self.file, self.mark, self.skip_to, self.counted_to, self.stopped = outer, end, end, 0, False

    def skip(self, end: int) -> None:
        """Ignore the tokens before `end`."""
        self.skip_to = max(self.skip_to, end)

    # Text.

    def keep_until(self, offset: int) -> None:
        """Give the text from the last cut up to `offset` to the innermost builder."""
        if self.collectors and offset > self.mark:
            text, builder = self.file.text, self.collectors[-1]
            if self._texts is not None and (found := list(self._texts.find(text, self.mark, offset))):
                self._insert(found, builder.mentions)
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

    # Places.

    def origin(self, token: Token) -> Origin:
        """Where a token stands."""
        return Origin(self.file.path, self.file.positions.line(token.start))

    def warn(self, offset: int, rule: str, message: str, file: TexFile | None = None) -> None:
        """Report something malformed; a rule that fires all the time is reported a limited number of times."""
        self._warned[rule] += 1
        if self._warned[rule] <= _WARNINGS_PER_RULE:
            self.report(offset, rule, message, file=file)

    def report(
        self, offset: int, rule: str, message: str, *, severity: Severity = "warning", file: TexFile | None = None
    ) -> None:
        """Add a diagnostic."""
        where = file or self.file
        line, column = where.positions.line_column(offset)
        self.reading.diagnostics.append(Diagnostic(where.path, line, column, severity, rule, message))
