"""A text as it is typeset: what is not is blanked, so that offsets and lines stay those of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from naturalproofs.sources.latex.macros.declarations import DECLARING
from naturalproofs.sources.latex.macros.expansion import discarded
from naturalproofs.sources.latex.macros.macro import DEFINITIONS, Macro, read_definition
from naturalproofs.sources.latex.scan.scanner import TokenKind, scan
from naturalproofs.sources.latex.scan.vocabulary import Vocabulary, either

_NOT_TYPESET = frozenset({TokenKind.COMMENT, TokenKind.SKIPPED, TokenKind.VERBATIM})
_NOT_NEWLINE = re.compile(r"[^\n]")
_BEGIN_DOCUMENT = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}|\\endinput(?![a-zA-Z@])")
_DECLARATION = re.compile(rf"\\({either(tuple(sorted({*DEFINITIONS, *DECLARING})))})(?![a-zA-Z@])\*?+")
_STRUCTURE = Vocabulary()


def typeset(text: str, unread: Sequence[Macro] = ()) -> str:
    r"""A LaTeX text with blanks in place of what is not typeset.

    That is: comments, verbatim text, branches that are skipped, the preamble, definitions and declarations, what
    follows ``\end{document}``, and the arguments that some macros leave out.

    >>> typeset("a % note\n\\iffalse b \\fi c").split()
    ['a', 'c']

    Args:
        text: The text of a file.
        unread: The macros that leave arguments out.
    """
    tokens = scan(text, _STRUCTURE).tokens
    shown = _blanked(text, [(one.start, one.end) for one in tokens if one.kind in _NOT_TYPESET])
    begin = _BEGIN_DOCUMENT.search(shown)
    start = begin.end() if begin else 0
    end = _END.search(shown, start)
    spans = [(0, start), *discarded(text, unread), *_declared(shown, start)]
    return _blanked(shown, [*spans, (end.start(), len(text))] if end else spans)


def _declared(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Where definitions stand, and the rest of the lines on which something is declared."""
    while match := _DECLARATION.search(text, at):
        at = match.end()
        if match[1] in DEFINITIONS:
            at = max(at, read_definition(text, match[1], match.end()).end)
        else:
            at = max(at, text.find("\n", at))
        yield match.start(), at


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            parts += [text[at : max(start, at)], _NOT_NEWLINE.sub(" ", text[max(start, at) : end])]
            at = end
    return "".join([*parts, text[at:]])
