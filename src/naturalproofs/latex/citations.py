r"""Labels and citations of a text with their positions: ``\label{a}``, ``\cref{a,b}``, ``\hyperref[a]{…}``.

Built on the scanner, so commands in comments, verbatim text and ``\iffalse`` are not reported.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from naturalproofs.latex.arguments import read_group
from naturalproofs.latex.scanner import KEY_PATTERNS, Token, TokenKind, scan
from naturalproofs.latex.vocabulary import REFERENCES, KeyStyle, Vocabulary, either

PAGE_REFERENCES: Mapping[str, KeyStyle] = {"pageref": "one", "cpageref": "list", "Cpageref": "list"}
"""Commands that print a page number: they name a label but do not cite a statement."""

_KEY = re.compile(r"(?:[^,%]|%[^\n]*+\n)++")
_WHOLE_KEY = re.compile(r"(?:[^%]|%[^\n]*+\n)++")
_COMMENT = re.compile(r"%[^\n]*+\n")
_REF_COMMAND = re.compile(r"\\([a-zA-Z]*[rR]ef)(?![a-zA-Z@])")


class Key(NamedTuple):
    """One key, and the span of the text that holds it."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Citation:
    """A command with its keys; the span covers the command up to the end of its keys."""

    command: str
    keys: tuple[Key, ...]
    start: int
    end: int
    repeated: bool = False
    r"""Inside the text of a ``\hyperref`` with the same key: the reader counts the two as one citation."""

    @property
    def is_label(self) -> bool:
        r"""Whether this is a ``\label``."""
        return self.command == "label"


def find_citations(
    text: str, references: Mapping[str, KeyStyle] = REFERENCES, *, guess: bool = False
) -> list[Citation]:
    r"""The citations of a text, in order.

    Args:
        text: LaTeX source; it may be a fragment.
        references: The citing commands and where each keeps its keys.
        guess: Also take unlisted commands whose name ends in ``ref``, such as ``\lemref``, with a list of keys.
    """
    return [one for one in _find(text, references, guess=guess, labels=False) if not one.is_label]


def find_labels(text: str) -> list[Key]:
    r"""The keys of all ``\label`` commands of a text, in order."""
    return [key for one in _find(text, {}) for key in one.keys]


def find_keys(text: str, references: Mapping[str, KeyStyle] = REFERENCES, *, guess: bool = False) -> list[Citation]:
    """The labels and the citations of a text, in order; arguments as for `find_citations`."""
    return _find(text, references, guess=guess)


def _find(text: str, references: Mapping[str, KeyStyle], *, guess: bool = False, labels: bool = True) -> list[Citation]:
    if guess:
        references = {**dict.fromkeys(_REF_COMMAND.findall(text), "list"), **references}
    vocabulary, commands = _vocabulary(tuple(references.items()), labels)
    if not commands.search(text):
        return []
    found: list[Citation] = []
    linked: Citation | None = None
    linked_end = 0
    for token in scan(text, vocabulary).tokens:
        if token.kind is TokenKind.LABEL:
            found.append(_citation(text, token, "one"))
        elif token.kind is TokenKind.REFERENCE:
            style = references[token.name]
            inside = linked is not None and token.start < linked_end
            citation = _citation(text, token, style, linked if inside else None)
            found.append(citation)
            if style == "bracket" and (group := read_group(text, token.end)):
                linked, linked_end = citation, group.end
    return found


@lru_cache(maxsize=64)
def _vocabulary(references: tuple[tuple[str, KeyStyle], ...], labels: bool) -> tuple[Vocabulary, re.Pattern[str]]:
    """What to scan for, and a pattern that tells cheaply whether there is anything to find."""
    names = sorted({*dict(references), *(("label",) if labels else ())}) or ["label"]
    commands = re.compile(rf"\\(?:{either(tuple(names))})(?![a-zA-Z@])")
    return Vocabulary(references=dict(references), sections={}, inputs=frozenset()), commands


def _citation(text: str, token: Token, style: KeyStyle, linked: Citation | None = None) -> Citation:
    """The keys of a token: the scanner's own pattern is matched again, for the spans of its groups."""
    match = KEY_PATTERNS[style].match(text, token.start + 1 + len(token.name))
    if match is None:
        raise AssertionError("a token of this kind matches the pattern of its style")
    one_key = _KEY if style in ("list", "range") else _WHOLE_KEY
    parts = (part for group in range(1, match.re.groups + 1) for part in one_key.finditer(text, *match.span(group)))
    keys = tuple(filter(None, map(_key, parts)))
    repeated = linked is not None and {key.key for key in keys} == {key.key for key in linked.keys}
    return Citation(token.name, keys, token.start, token.end, repeated)


def _key(part: re.Match[str]) -> Key | None:
    """A key without the white space and the comments around it."""
    source = bare = part.group()
    if "%" in source:
        bare = _COMMENT.sub(lambda comment: " " * len(comment.group()), source)
        # A comment joins what stands before and after it.
        source = _COMMENT.sub("", source)
    stripped = bare.strip()
    if not stripped:
        return None
    start = part.start() + len(bare) - len(bare.lstrip())
    # White space inside a key is one space.
    return Key(" ".join(source.split()), start, start + len(stripped))
