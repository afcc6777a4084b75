"""A single pass over LaTeX source: tokens that cover the text exactly, and located problems.

Malformed text is no error: the scanner yields what it can and reports what is wrong. Time is linear in the text.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate

import msgspec

from naturalproofs.latex.scan.arguments import read_groups, read_option
from naturalproofs.latex.scan.vocabulary import STRUCTURE, TOGGLE, Action, Vocabulary
from naturalproofs.reading.settings import KeyStyle
from naturalproofs.reading.text_files import Problem


class TokenKind(IntEnum):
    """What a token is; see `Token` for what its fields then mean."""

    TEXT = 0
    COMMENT = 1
    SKIPPED = 2
    VERBATIM = 3
    BEGIN = 4
    END = 5
    LABEL = 6
    REFERENCE = 7
    SECTION = 8
    INPUT = 9
    COMMAND = 10
    MATH = 11
    OPEN = 12
    CLOSE = 13


class Token(msgspec.Struct, frozen=True, gc=False):
    """A piece of the text, from `start` up to `end`.

    `name` is the command or environment; `argument` holds the label, or the keys of a reference as written.
    A run of equal braces is one token.
    """

    kind: TokenKind
    start: int
    end: int
    name: str = ""
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Scan:
    """The tokens of a text, and its problems."""

    tokens: list[Token]
    problems: list[Problem]


# Every repetition is possessive and over signs that cannot open another argument: matching stays linear.
_SPACE = r"(?:\s|%[^\n]*+\n)*+"
_KEY = r"\{((?:[^{}%]|%[^\n]*+\n)*+)\}"
_OPTION = rf"\*?+{_SPACE}(?:\[[^][{{}}%]*+\]{_SPACE})?+"
_BLANK = re.compile(_SPACE)
_NAME = re.compile(_SPACE + r"\{([^{}\\%\n]++)\}")
_KEYS = re.compile(_OPTION + _KEY)
_TWO_KEYS = re.compile(_OPTION + _KEY + _SPACE + _KEY)
_COMMENT = re.compile(r"%[^\n]*+\n")
_LISTING_OPTION = re.compile(r"\[[^][\n]*+\]")
_BRACKET = re.compile(r"\s*+\[([^][{}%]*+)\]")
KEY_PATTERNS: Mapping[KeyStyle, re.Pattern[str]] = {
    "one": _KEYS,
    "list": _KEYS,
    "range": _TWO_KEYS,
    "bracket": _BRACKET,
}
"""What follows the name of a reference command; each group holds keys."""
# \iff is a relation and \ifthenelse takes braces: neither is closed by \fi.
_WITHOUT_FI = (
    "f|thenelse|bool(?:exp[er])?+|toggle|(?:cs)?(?:un)?def|(?:def|cs)(?:empty|void|param|macro|string|equal|counter)"
    "|str(?:equal|empty)|blank|numcomp|num(?:equal|odd|less|greater)|dimcomp|inlist|oot"
)
CONDITIONAL = re.compile(
    rf"\\(?:(?P<open>if(?!(?:{_WITHOUT_FI})(?![a-zA-Z@]))[a-zA-Z@]*+)|(?P<close>fi|else)(?![a-zA-Z@])|[^a-zA-Z@])|%[^\n]*+"
)
_TEST = re.compile(
    r"(?P<not>\\not\s*+)?+(?:\\boolean\s*+\{\s*+(?P<flag>(?:[^{}\s]|\s++(?!\}))*+)\s*+\}"
    r"|\\equal\s*+\{\s*+(?P<same>(?:[^{}\s]|\s++(?!\}))*+)\s*+\}\s*+\{\s*+(?P<as>(?:[^{}\s]|\s++(?!\}))*+)\s*+\}"
    r"|(?P<left>\\[a-zA-Z]++|\d++)\s*+(?P<relation>[<=>])\s*+(?P<right>\\[a-zA-Z]++|\d++))",
    re.IGNORECASE,
)
r"""A test of ``\ifthenelse``."""
_SIGNS = re.compile(
    r"\s*+(?P<left>[a-zA-Z0-9]|\\[a-zA-Z]++(?!@)(?:\s++(?=[a-zA-Z0-9]))?+)(?P<right>\\[a-zA-Z]++(?!@)|[a-zA-Z0-9\s])"
)
r"""What ``\if`` compares: two signs, or the ones that a macro stands for."""
_NUMBERS = re.compile(
    r"\s*+(?P<left>\\[a-zA-Z]++|\d++)(?!@)\s*+(?P<relation>[<=>])\s*+(?P<right>\\[a-zA-Z]++|\d++)(?!@)[ \t]?+"
)
r"""What ``\ifnum`` compares."""
_IS_NAMED = re.compile(r"\\(?:(?:newif|ifdefined)\s*+|(?:let|ifx)\s*+(?:\\[a-zA-Z@]++\s*+=?+\s*+)?+)$")
"""What stands before a conditional that is only named, and asks nothing."""
_CONDITIONAL_OR_BRACE = re.compile(CONDITIONAL.pattern + r"|(?P<brace>[{}])")
_NAMING_REACH = 60
_LONGEST_NUMBERS = 18
"""Digits of two numbers that are compared."""
_ELSE, _FI = "\\else", "\\fi"
PROOF_HEADING = "proof heading"
"""The name of the token of a heading within a line, such as ``{\\bf Proof.}``: its font."""
PROBLEMS_PER_RULE = 100
"""Limits the diagnostics of a file that is not LaTeX at all."""

# A \verb ends on its own line; the bound keeps one endless line from being searched again and again.
_VERB_REACH = 10_000


def scan(text: str, vocabulary: Vocabulary = STRUCTURE) -> Scan:
    """Split a text into tokens whose spans follow one another without gap or overlap."""
    return _Scanner(text, vocabulary).run()


def without_dead_branches(text: str, flags: Mapping[str, bool]) -> str:
    """A piece of code without the branches that conditionals of a known value leave out."""
    tokens = scan(text, Vocabulary(flags=flags)).tokens if flags and "\\" in text else ()
    kept = "".join(text[token.start : token.end] for token in tokens if token.kind is not TokenKind.SKIPPED)
    return kept if tokens else text


def closings(text: str) -> Mapping[int, tuple[int | None, int]]:
    r"""Of every conditional, by its begin: where its ``\else`` begins, if it has one, and where its ``\fi`` ends.

    Those whose parts stand in different groups belong to the code of macros and are left out.
    """
    found: dict[int, tuple[int | None, int]] = {}
    pending: list[tuple[int, int | None, int | None]] = []
    """Begin, \\else, and depth of the group, unless the \\else stands in another one."""
    depth = 0
    for match in _CONDITIONAL_OR_BRACE.finditer(text):
        if match["brace"]:
            depth += 1 if match["brace"] == "{" else -1
        elif match["open"] and not _is_named(text, match.start()):
            pending.append((match.start(), None, depth))
        elif match["close"] and pending:
            begin, branch, outer = pending.pop()
            if match["close"] == "else":
                pending.append((begin, match.start(), outer if outer == depth else None))
            elif outer == depth:
                found[begin] = (branch, match.end())
    return found


def _is_named(text: str, start: int) -> bool:
    r"""Whether a conditional is only named at this place, as in ``\let\iflong\iftrue``."""
    return _IS_NAMED.search(text, max(0, start - _NAMING_REACH), start) is not None


class _Scanner:
    """The state of one pass; failed searches for a closing command are remembered and not repeated."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.vocabulary = vocabulary
        self.actions = vocabulary.actions
        self.tokens: list[Token] = []
        self.problems: list[Problem] = []
        self.reported: Counter[str] = Counter()
        self.unclosed: set[str] = set()
        self.dead: list[tuple[int, int]] = []
        """The branches, not yet reached, that a known conditional leaves out; a heap."""

    def run(self) -> Scan:
        text, search, tokens = self.text, self.vocabulary.pattern.search, self.tokens
        done = at = 0
        while (match := search(text, at)) or self.dead:
            token: Token | None
            if self.dead and (match is None or match.start() >= self.dead[0][0]):
                start, end = heappop(self.dead)
                if start < done:
                    continue
                token = Token(TokenKind.SKIPPED, start, end, "else")
            elif match is not None:
                token = self._token(match)
                if token is None:
                    at = match.end()
                    continue
            else:
                break
            if token.start > done:
                tokens.append(Token(TokenKind.TEXT, done, token.start))
            tokens.append(token)
            done = at = token.end
        if done < len(text):
            tokens.append(Token(TokenKind.TEXT, done, len(text)))
        return Scan(tokens, self.problems)

    def _token(self, match: re.Match[str]) -> Token | None:
        """The token of a match, or None when it is plain text after all."""
        group = match.lastgroup
        start, end = match.span()
        if group == "command":
            name = match["command"]
            return _HANDLERS[self.actions[name]](self, name, start, end)
        if group == "escape":
            return None
        if group == "comment":
            return Token(TokenKind.COMMENT, start, end)
        if group == "heading":
            return Token(TokenKind.COMMAND, start, end, PROOF_HEADING)
        if group == "brace":
            return Token(TokenKind.OPEN if self.text[start] == "{" else TokenKind.CLOSE, start, end)
        return Token(TokenKind.MATH, start, end, match.group())

    def _begin(self, command: str, start: int, end: int) -> Token | None:
        match = _NAME.match(self.text, end)
        if match is None:
            self._report(start, "malformed-environment", f"\\{command} without an environment name")
            return None
        name = match[1].strip()
        if name in self.vocabulary.verbatim_environments:
            return self._verbatim(name, start, match.end())
        return Token(TokenKind.BEGIN, start, match.end(), name)

    def _end(self, command: str, start: int, end: int) -> Token | None:
        match = _NAME.match(self.text, end)
        if match is None:
            self._report(start, "malformed-environment", f"\\{command} without an environment name")
            return None
        return Token(TokenKind.END, start, match.end(), match[1].strip())

    def _verbatim(self, name: str, start: int, end: int) -> Token:
        closing = f"\\end{{{name}}}"
        found = -1 if closing in self.unclosed else self.text.find(closing, end)
        if found < 0:
            self.unclosed.add(closing)
            self._report(start, "unclosed-verbatim", f"\\begin{{{name}}} is never closed")
            return Token(TokenKind.BEGIN, start, end, name)
        return Token(TokenKind.VERBATIM, start, found + len(closing), name)

    def _keyed(self, name: str, start: int, end: int) -> Token | None:
        action = self.actions[name]
        match = (_TWO_KEYS if action == "range" else _KEYS).match(self.text, end)
        if match is None:
            self._report(start, "malformed-key", f"\\{name} without a plain key in braces")
            return None
        found = match[1] if match.lastindex == 1 else f"{match[1]},{match[2]}"
        if "%" in found:
            found = _COMMENT.sub("", found)
        kind = TokenKind.LABEL if action == "label" else TokenKind.REFERENCE
        return Token(kind, start, match.end(), name, " ".join(found.split()))

    def _bracket(self, name: str, start: int, end: int) -> Token | None:
        match = _BRACKET.match(self.text, end)
        # \hyperref{url}{…}{…}{…} has no bracket and cites nothing here.
        return match and Token(TokenKind.REFERENCE, start, match.end(), name, match[1].strip())

    def _section(self, name: str, start: int, end: int) -> Token:
        return Token(TokenKind.SECTION, start, self._after_star(end), name)

    def _input(self, name: str, start: int, end: int) -> Token:
        return Token(TokenKind.INPUT, start, self._after_star(end), name)

    def _command(self, name: str, start: int, end: int) -> Token:
        return Token(TokenKind.COMMAND, start, self._after_star(end), name)

    def _after_star(self, end: int) -> int:
        return end + 1 if self.text.startswith("*", end) else end

    def _ifflag(self, name: str, start: int, end: int) -> Token | None:
        r"""Skip a conditional whose value is known, what it leaves out, and its ``\fi`` when it is reached."""
        return self._decided(name, start, end, self.vocabulary.flags.get(name, True))

    def _compare(self, name: str, start: int, end: int) -> Token | None:
        r"""Skip a comparison of constants, as ``\if0`` or ``\ifnum\full=1``, and what it leaves out."""
        match = (_NUMBERS if name == "ifnum" else _SIGNS).match(self.text, end)
        if match is None or _is_named(self.text, start):
            return None
        relation = match["relation"] if name == "ifnum" else ""
        value = self._holds(match["left"], relation, match["right"])
        return None if value is None else self._decided(name, start, match.end(), value)

    def _holds(self, left: str, relation: str, right: str) -> bool | None:
        """Whether two numbers are in a relation, or, without one, two texts are equal; None if that is not known."""
        known = self.vocabulary.constants
        one, other = (known.get(text[1:].rstrip()) if text.startswith("\\") else text for text in (left, right))
        if one is None or other is None:
            return None
        if not relation:
            return one == other
        if not (one.isdecimal() and other.isdecimal()) or len(one + other) > _LONGEST_NUMBERS:
            return None
        first, second = int(one), int(other)
        return first < second if relation == "<" else first > second if relation == ">" else first == second

    def _decided(self, name: str, start: int, end: int, value: bool) -> Token | None:
        """Skip the test of a conditional from `start` up to `end`, and the branch that its value leaves out."""
        closing = self.closings.get(start)
        if closing is None:
            return None
        branch, fi = closing
        dead = fi - len(_FI) if branch is None else branch
        if value:
            heappush(self.dead, (dead, fi))
            return Token(TokenKind.SKIPPED, start, end, name)
        if branch is None:
            return Token(TokenKind.SKIPPED, start, fi, name)
        heappush(self.dead, (fi - len(_FI), fi))
        return Token(TokenKind.SKIPPED, start, branch + len(_ELSE), name)

    @cached_property
    def closings(self) -> Mapping[int, tuple[int | None, int]]:
        """The conditionals of the text."""
        return closings(self.text)

    def _ifgroups(self, name: str, start: int, end: int) -> Token | None:
        r"""Skip the test of ``\iftoggle{…}`` and the branch that is left out."""
        groups = read_groups(self.text, end, 3)
        if len(groups) < 3:
            return None
        asked, negated = groups[0].text.strip(), name.startswith("not")
        test = _TEST.fullmatch(asked) if name == "ifthenelse" else None
        if name == "ifthenelse":
            asked, negated = (test["flag"] or "", bool(test["not"])) if test else ("", False)
        if test and not asked:
            value = self._holds(test["left"] or test["same"], test["relation"] or "", test["right"] or test["as"])
        else:
            value = self.vocabulary.flags.get(TOGGLE + asked if name.endswith("toggle") else f"if{asked}")
        if value is None:
            return None
        dead = groups[1] if value == negated else groups[2]
        heappush(self.dead, (dead.start - 1, dead.end))
        return Token(TokenKind.SKIPPED, start, groups[0].end, name)

    def _drop(self, name: str, begin: int, end: int) -> Token | None:
        r"""Leave out a call that prints nothing, as of ``\ignore``, or unused arguments if they hold environments."""
        unused = self.vocabulary.unused[name]
        for number, is_unused in enumerate(unused.arguments):
            if number == 0 and unused.has_option:
                option = read_option(self.text, end)
                end = option.end if option else end
                continue
            space = _BLANK.match(self.text, end)
            start = space.end() if space else end
            closing = self.groups.get(start)
            if closing is None:
                return None
            if is_unused and not unused.prints_nothing and self.text.find("\\begin", start, closing) >= 0:
                heappush(self.dead, (start, closing))
            end = closing
        return Token(TokenKind.SKIPPED, begin, end, name) if unused.prints_nothing else None

    @cached_property
    def groups(self) -> Mapping[int, int]:
        """Where each group of the text ends, by its begin."""
        found: dict[int, int] = {}
        pending: list[int] = []
        for match in _CONDITIONAL_OR_BRACE.finditer(self.text):
            if match["brace"] == "{":
                pending.append(match.start())
            elif match["brace"] and pending:
                found[pending.pop()] = match.end()
        return found

    def _iffalse(self, _name: str, start: int, end: int) -> Token | None:
        """Skip to the \\fi or \\else of this \\iffalse; what follows an \\else is alive."""
        if "iffalse" in self.unclosed or _is_named(self.text, start):
            return None
        depth = 1
        for match in CONDITIONAL.finditer(self.text, end):
            if match["open"]:
                depth += 1
            elif match["close"] == "fi" or (match["close"] == "else" and depth == 1):
                depth -= 1
                if depth == 0:
                    return Token(TokenKind.SKIPPED, start, match.end(), "iffalse")
        # Every later \iffalse would search to the end again, which takes quadratic time: give up on all.
        self.unclosed.add("iffalse")
        self._report(start, "unclosed-iffalse", "\\iffalse is never closed by \\fi")
        return None

    def _verb(self, name: str, start: int, end: int) -> Token | None:
        text = self.text
        if name == "verb" and text.startswith("*", end):
            end += 1
        elif name == "lstinline" and (option := _LISTING_OPTION.match(text, end)):
            end = option.end()
        delimiter = text[end : end + 1]
        if not delimiter or delimiter.isspace() or delimiter.isalnum():
            return None
        if delimiter == "{" or name not in ("verb", "lstinline"):
            # \url{…} and friends take an ordinary group; percent signs inside it are no comments.
            if delimiter != "{":
                return None
            delimiter = "}"
        stop = text.find("\n", end, end + _VERB_REACH)
        closing = text.find(delimiter, end + 1, stop if stop >= 0 else end + _VERB_REACH)
        if closing < 0:
            self._report(start, "unclosed-verb", f"\\{name}{text[end]} is not closed on its line")
            return None
        return Token(TokenKind.VERBATIM, start, closing + 1, name)

    def _report(self, offset: int, rule: str, message: str) -> None:
        self.reported[rule] += 1
        if self.reported[rule] <= PROBLEMS_PER_RULE:
            self.problems.append(Problem(offset, rule, message))


_HANDLERS: Mapping[Action, Callable[[_Scanner, str, int, int], Token | None]] = {
    "command": _Scanner._command,
    "verbatim": _Scanner._verb,
    "input": _Scanner._input,
    "section": _Scanner._section,
    "one": _Scanner._keyed,
    "list": _Scanner._keyed,
    "range": _Scanner._keyed,
    "bracket": _Scanner._bracket,
    "label": _Scanner._keyed,
    "iffalse": _Scanner._iffalse,
    "ifflag": _Scanner._ifflag,
    "ifgroups": _Scanner._ifgroups,
    "compare": _Scanner._compare,
    "drop": _Scanner._drop,
    "begin": _Scanner._begin,
    "end": _Scanner._end,
}
"""How each command is read, from its name and span."""


class Positions:
    """Line starts of a text, found once, so that any offset can be named."""

    def __init__(self, text: str) -> None:
        """Index the line starts of a text whose lines end with a line feed."""
        self._starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))

    def line(self, offset: int) -> int:
        """Number of the line that holds the offset, from 1."""
        return bisect_right(self._starts, offset)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of the offset, both from 1."""
        line = self.line(offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both from 1."""
        return self._starts[line - 1] + column - 1
