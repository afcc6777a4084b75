"""The text of a project as it is citations.typeset, and the words around a citation or a statement.

Comments, verbatim text, skipped branches, what macros leave out and the preamble are blanked: offsets and lines stay
those of the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from pathlib import PurePosixPath

from naturalproofs.io.listing import TEX_SUFFIXES
from naturalproofs.records import Origin, Statement
from naturalproofs.sources.latex import Macro, citations
from naturalproofs.sources.reading.kinds import by_environment_name
from naturalproofs.workspace.open_corpus import OpenCorpus

_SENTENCE_END = re.compile(
    r"[.!?]['’”)}\]]*(?:\s|$)|\n[ \t]*\n|\\(?:begin|end)\s*\{[^{}\n]*\}(?:\[[^][\n]*\])?|\\item(?![a-zA-Z])|[。！？]"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:cf|e\.g|i\.e|resp|Thm|Lem|Prop|Cor|Def|Rem|Sec|Eq|Ex|vgl|siehe|bzw|см)|\b[A-Z])\.$"
)
_BEGIN = re.compile(r"\\begin\s*\{([^{}\n]+)\}")
_HEADING = re.compile(r"\\(?:(?:sub)*section|chapter)\b")
_SENTENCE = 600
"""The longest sentence that is looked at."""
_ELEMENT = re.compile(r"<([a-z]++)[\s>]")
_LONGEST_ELEMENT = 200
"""How many lines an XML element of a statement may have."""
_AROUND = 500
"""Characters of the text before and after a statement that are looked at."""
_NEAR = 8
"""How many lines of a file in another format than LaTeX stand near a statement."""


@dataclass(frozen=True)
class SourceText:
    """One file, with what is not citations.typeset blanked."""

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.text.split("\n")), initial=0))

    def offset(self, line: int, column: int = 1) -> int:
        """The offset of a line and column, both counted from 1."""
        return min(self._starts[min(line, len(self._starts)) - 1] + column - 1, len(self.text))

    def line(self, offset: int) -> int:
        """The line of an offset, counted from 1."""
        return bisect_right(self._starts, offset)

    def find(self, pattern: re.Pattern[str]) -> Iterator[tuple[Origin, re.Match[str]]]:
        """All matches with their places."""
        for match in pattern.finditer(self.text):
            yield Origin(self.path, self.line(match.start())), match

    def lines(self, first: int, count: int) -> str:
        """Some lines of the text, from one that is counted from 1."""
        return self.text[self.offset(first) : self.offset(first + count)]

    def sentence(self, offset: int) -> tuple[str, str]:
        """The part of a sentence before an offset, and the part from there on."""
        before = self.text[max(0, offset - _SENTENCE) : offset]
        after = self.text[offset : offset + _SENTENCE]
        start = max((end for _, end in _sentence_ends(before)), default=0)
        return before[start:], after[: next((begin for begin, _ in _sentence_ends(after)), len(after))]


def _sentence_ends(text: str) -> Iterator[tuple[int, int]]:
    for match in _SENTENCE_END.finditer(text):
        if not _ABBREVIATION.search(text, 0, match.start() + 1):
            yield match.span()


def sentences(text: str) -> list[str]:
    """The sentences of a text, those without a word left out."""
    found, start = [], 0
    for begin, end in (*_sentence_ends(text), (len(text), len(text))):
        found.append(text[start:begin].strip())
        start = end
    return [one for one in found if any(map(str.isalpha, one))]


@lru_cache(maxsize=512)
def _typeset(path: str, text: str, unread: tuple[Macro, ...]) -> SourceText:
    return SourceText(path, citations.typeset(text, unread))


@lru_cache(maxsize=16)
def raw_lines(text: str) -> list[str]:
    """The lines of a file as it is written."""
    return text.split("\n")


def sources(project: OpenCorpus) -> dict[str, SourceText]:
    """The LaTeX files of a project by path, as they are citations.typeset; none of a stored corpus."""
    return {
        path: _typeset(path, text, project.labels.syntax.unread)
        for path, text in project.texts.items()
        if _is_latex(path)
    }


def source_text(project: OpenCorpus, path: str) -> SourceText | None:
    """One LaTeX file as it is citations.typeset."""
    if path not in project.texts or not _is_latex(path):
        return None
    return _typeset(path, project.texts[path], project.labels.syntax.unread)


def _is_latex(path: str) -> bool:
    return PurePosixPath(path).suffix in (*TEX_SUFFIXES, "")


def around_citation(project: OpenCorpus, path: str, line: int, key: str) -> tuple[str, str] | None:
    """The sentence around a citation, before and after the command; None if the command is not found in the file.

    Of several citations of a key on one line the last one counts: a heading names what is proved before the proof.
    """
    found, source = project.labels.cited_at.get((path, line, key)), source_text(project, path)
    return source.sentence(found.begin) if source is not None and found is not None else None


def around_statement(project: OpenCorpus, statement: Statement) -> tuple[str, str, str]:
    """The text before a statement, its own source with the heading, and the text after it up to the next statement."""
    own = statement.text
    if statement.origin is None or statement.origin.path not in project.texts:
        return "", own, ""
    source = source_text(project, statement.origin.path)
    if source is None:
        lines, at = raw_lines(project.texts[statement.origin.path]), statement.origin.line
        before, end = "\n".join(lines[max(0, at - _NEAR) : at - 1]), _end_of_element(lines, at)
        after = "\n".join(lines[end or at : (end or at) + 3 * _NEAR])
        return before, own, after[: _next_statement(after, _ELEMENT)] if end else after
    start = source.offset(statement.origin.line)
    opening = _BEGIN.search(source.text, start)
    if opening is None:
        return "", own, ""
    closing = source.text.find(f"\\end{{{opening[1]}}}", opening.end())
    end = closing + len(opening[1]) + 6 if closing >= 0 else opening.end()
    before = source.text[max(0, opening.start() - _AROUND) : opening.start()]
    after = source.text[end : end + _AROUND]
    return _HEADING.split(before)[-1], source.text[start:end], after[: _next_statement(after)]


def _end_of_element(lines: Sequence[str], at: int) -> int | None:
    """The line, counted from 1, on which the XML element ends that begins on a line."""
    element = _ELEMENT.search(lines[at - 1]) if at <= len(lines) else None
    last = min(at + _LONGEST_ELEMENT, len(lines)) if element else 0
    return next((line for line in range(at, last + 1) if element and f"</{element[1]}>" in lines[line - 1]), None)


def _next_statement(text: str, begin: re.Pattern[str] = _BEGIN) -> int:
    """Where the next theorem, definition or section begins."""
    ends = [match.start() for match in _HEADING.finditer(text)]
    for match in begin.finditer(text):
        sense = by_environment_name(match[1])
        if sense is not None and sense.role in ("theorem", "definition"):
            ends.append(match.start())
            break
    return min(ends, default=len(text))
