r"""ProofWiki's own LaTeX commands, expanded to standard LaTeX.

The wiki defines them for its own pages; ``\map f x`` is undefined elsewhere.
"""

import re
from importlib import resources

import msgspec


class Conventions(msgspec.Struct, frozen=True):
    """ProofWiki's own commands and templates, the latter named in lower case: ``data/proofwiki.json``."""

    macros: dict[str, tuple[int, str]]
    """For every command, the number of its arguments and its expansion, with ``#1`` for the first one."""
    citations: dict[str, tuple[str, ...]]
    """For every citing template, the titles it may link to."""
    formulas: dict[str, str]
    """For every row of a tableau proof, the argument with its formula."""
    shown: dict[str, tuple[str, ...]]
    """Formatting templates: the first given one of these arguments is displayed."""
    symbols: dict[str, str]
    """Templates that stand for a fixed text: characters, common phrases, and the ends of a display of equations."""
    interwiki: str
    """Prefixes of other sites; an export does not contain the wiki's own table."""


_FILE = resources.files("naturalproofs.data") / "proofwiki.json"
CONVENTIONS = msgspec.json.decode(_FILE.read_bytes(), type=Conventions)
MACROS = CONVENTIONS.macros

MAX_DEPTH = 24
"""Maximal nesting of commands in arguments."""
MAX_BARE = 3
"""Maximal chain of commands as arguments without braces, as in ``\\map \\cl S``."""

# Grouped by the first letter, so that other commands are rejected after a few comparisons.
_BY_LETTER = {name[0]: [n[1:] for n in sorted(MACROS) if n[0] == name[0]] for name in MACROS}
_COMMAND = re.compile(
    r"\\(" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in _BY_LETTER.items()) + r")(?![A-Za-z])"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_TOKEN = re.compile(r"\s*(\\[A-Za-z]+|\\.|[^\s{}$])", re.DOTALL)
_SPACE = re.compile(r"\s*")
_PARAMETER = re.compile(r"#([1-3])")
_IN_PARTS = re.compile(r"(?:\\, )?\\(?:math[a-z]+|boldsymbol|operatorname)\b")
"""Expansions of more than one token."""
_ARGUMENT = re.compile(
    r"\\(?:[dt]?frac(?:\s*[^\s\\{}]|\s*\\[A-Za-z]+|\s*\{[^{}]*\})?|over(?:line|set|brace)|under(?:line|set|brace)|"
    r"wide(?:hat|tilde)|hat|tilde|bar|vec|d?dot|sqrt|math(?:op|rel|bin|ord)|stackrel)\s*\Z"
)
"""Standard commands before an argument that is written without braces."""
_STACKED = re.compile(r"\{([^{}]*)\\(brace|brack)(?![A-Za-z])([^{}]*)\}")
"""Numbers above one another in braces or brackets, as in ``{n \\brace m}``."""


def expand_macros(text: str) -> str:
    """Expand ProofWiki's own commands; a command with missing arguments stays as it is."""
    if "\\brac" in text:
        text = _STACKED.sub(_stacked, text)
    if "\\" not in text or _COMMAND.search(text) is None:
        return text
    return _Expander(text).expand(0, len(text), 0)


class _Expander:
    """Expands commands of one text, whose braces are matched once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._groups: dict[int, int] = {}
        opened: list[int] = []
        for match in _BRACE.finditer(text):
            if match[0] == "{":
                opened.append(match.start())
            elif match[0] == "}" and opened:
                self._groups[opened.pop()] = match.end()

    def expand(self, start: int, end: int, depth: int) -> str:
        """A span with its commands expanded."""
        pieces: list[str] = []
        while depth < MAX_DEPTH and (match := _COMMAND.search(self._text, start, end)):
            count, expansion = MACROS[match[1]]
            read = self._arguments(match.end(), end, count, 0)
            pieces.append(self._text[start : match.start()])
            if read is None:
                pieces.append(match[0])
                start = match.end()
                continue
            spans, start = read
            values = [self.expand(*span, depth + 1).strip() for span in spans]
            expanded = _filled(expansion, values)
            if (
                not count
                and _IN_PARTS.match(expanded)
                and _ARGUMENT.search(self._text[max(0, match.start() - 40) : match.start()])
            ):
                # As the argument of another command, several tokens need braces.
                expanded = f"{{{expanded}}}"
            # A command that ends in a letter must be separated from a following letter.
            glued = expanded[-1].isalpha() and self._text[start : start + 1].isalpha()
            pieces.append(expanded + " " if glued else expanded)
        pieces.append(self._text[start:end])
        return "".join(pieces)

    def _arguments(self, position: int, end: int, count: int, bare: int) -> tuple[list[tuple[int, int]], int] | None:
        """Find arguments as TeX does: a group in braces, or the next single token."""
        found: list[tuple[int, int]] = []
        for _ in range(count):
            space = _SPACE.match(self._text, position, end)
            position = space.end() if space is not None else position
            after = self._groups.get(position)
            if after is not None and after <= end:
                found.append((position + 1, after - 1))
                position = after
                continue
            token = _TOKEN.match(self._text, position, end)
            if token is None or bare > MAX_BARE:
                return None
            position = token.end()
            if token[1][:1] == "\\" and token[1][1:] in MACROS:
                # One of our commands includes its own arguments.
                inner = self._arguments(position, end, MACROS[token[1][1:]][0], bare + 1)
                if inner is None:
                    return None
                position = inner[1]
            found.append((token.start(1), position))
        return found, position


def _stacked(match: re.Match[str]) -> str:
    left, right = (r"\{", r"\}") if match[2] == "brace" else "[]"
    return rf"{{\left{left}\begin{{matrix}} {match[1].strip()} \\ {match[3].strip()} \end{{matrix}}\right{right}}}"


def _filled(expansion: str, values: list[str]) -> str:
    return _PARAMETER.sub(lambda hit: values[int(hit[1]) - 1], expansion) if values else expansion
