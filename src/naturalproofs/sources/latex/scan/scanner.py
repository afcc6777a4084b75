"""A single pass over LaTeX source: tokens that cover the text exactly, and located problems.

Malformed text is no error: the scanner yields what it can and reports what is wrong. Time is linear in the text.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import msgspec

from naturalproofs.sources.latex.scan.arguments import COMMENT
from naturalproofs.sources.latex.scan.conditionals import NO_FACTS, Facts, dead_spans, find_all
from naturalproofs.sources.reading.settings import Heading, KeyStyle
from naturalproofs.sources.reading.text_files import Problem

Action: TypeAlias = Literal["command", "verbatim", "input", "section", "label"] | Literal["begin", "end"] | KeyStyle
"""How the scanner reads a command."""

REFERENCES: Mapping[str, KeyStyle] = {
    **dict.fromkeys("ref eqref autoref nameref vref fullref prettyref fref Fref zref".split(), "one"),
    **dict.fromkeys(
        "thref cref Cref labelcref labelcpageref namecref nameCref lcnamecref vcref Vref zcref zvref".split(),
        "list",
    ),
    **dict.fromkeys(("crefrange", "Crefrange", "vrefrange"), "range"),
    "hyperref": "bracket",
}

USUAL_REFERENCES: Mapping[str, KeyStyle] = dict.fromkeys(
    "Ref Nameref titleref thmref lemref propref corref defref remref exref secref eqnref".split(), "list"
)
"""Commands that cite by usual names where a missing package defines them."""
CITING: Mapping[str, KeyStyle] = {**REFERENCES, **USUAL_REFERENCES}

LABELS = frozenset({"label", "zlabel", "thlabel", "inputleannode"})
"""Commands that give a label; the last one inputs a statement, made from Lean, that has it."""

SECTIONS: Mapping[str, int] = {
    "part": -1,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}


HEADINGS: Mapping[str, Heading] = {name: Heading(level) for name, level in SECTIONS.items()}

AT_APPENDIX = "AtAppendix"
"""The command of apptools whose argument is carried out where the appendix begins."""
COUNTER_COMMANDS = frozenset(
    {
        AT_APPENDIX,
        "numberwithin", "counterwithin", "counterwithout", "setcounter", "addtocounter", "stepcounter",
        "refstepcounter", "newcounter", "newaliascnt", "@addtoreset", "appendix", "appendices", "frontmatter",
        "mainmatter", "backmatter", "setsecnumdepth", "maxsecnumdepth", "captionof",
    }
)  # fmt: skip
"""Commands that change what is printed as number."""
IN_TEXT = frozenset({"captionof", "appendix", "appendices", "frontmatter", "mainmatter", "backmatter"})
"""Those that count in the text of a document only; in a preamble, others change what they do."""

OPTIONAL_INPUTS = frozenset({"InputIfFileExists", "@input"})
"""Commands that read a file if it is there."""

FROM_FOLDER = frozenset({"import", "inputfrom", "includefrom", "subimport", "subinputfrom", "subincludefrom"})
"""Commands that name a folder and a file in it."""

INPUTS = OPTIONAL_INPUTS.union({"input", "include", "subfile", "subfileinclude", "includestandalone"}, FROM_FOLDER)

VERBATIM_ENVIRONMENTS = frozenset(
    {"verbatim", "verbatim*", "Verbatim", "BVerbatim", "LVerbatim", "lstlisting", "minted", "alltt", "comment",
     "filecontents", "filecontents*", "sagesilent"}
)  # fmt: skip

VERBATIM_COMMANDS = frozenset({"verb", "lstinline", "mintinline", "url", "path"})


@dataclass(frozen=True)
class Vocabulary:
    """The commands and environments that a scan reports."""

    references: Mapping[str, KeyStyle] = field(default_factory=lambda: REFERENCES)
    labels: frozenset[str] = LABELS
    sections: Mapping[str, int] = field(default_factory=lambda: SECTIONS)
    inputs: frozenset[str] = INPUTS
    verbatim_environments: frozenset[str] = VERBATIM_ENVIRONMENTS
    verbatim_commands: frozenset[str] = VERBATIM_COMMANDS
    commands: frozenset[str] = frozenset()
    """Further commands to report by name, such as ``\\proof`` or ``\\newtheorem``."""
    facts: Facts = NO_FACTS
    """What conditionals may ask for."""
    mathematics: bool = False
    """Report ``$``, ``$$``, ``\\(``, ``\\)``, ``\\[`` and ``\\]``."""
    groups: bool = False
    """Report braces."""
    proof_headings: bool = False
    r"""Report headings within a line that begin with a word for "proof", such as ``{\bf Proof.}``."""
    lines: bool = False
    """Report the first word of each line, which may be a heading without a font."""

    @cached_property
    def actions(self) -> Mapping[str, Action]:
        """How each command is read; the later entries win."""
        return {
            **dict.fromkeys(self.commands, "command"),
            **dict.fromkeys(self.verbatim_commands, "verbatim"),
            **dict.fromkeys(self.inputs, "input"),
            **dict.fromkeys(self.sections, "section"),
            **self.references,
            **dict.fromkeys(self.labels, "label"),
            "begin": "begin",
            "end": "end",
        }

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Where the scanner stops."""
        return _compile(tuple(sorted(self.actions)), self.mathematics, self.groups, self.proof_headings, self.lines)


STRUCTURE = Vocabulary()
"""Environments, labels, references, headings, inputs: enough to find statements and proofs."""

FULL = Vocabulary(mathematics=True, groups=True)
"""Structure, mathematics and groups."""

_Tree: TypeAlias = dict[str, "_Tree"]


PROOF_WORD = (
    r"(?:(?:Sketch|Idea|Outline) of (?:the )?+)?+(?:[Pp]roof|PROOF|Beweis|Preuve|D(?:é|e|\\'\{?+e\}?+)monstration"
    r"|Demostraci|Prueba|Dimostrazion|Prova|Demonstra(?:ç|\\c)|Dow(?:ó|o|\\'\{?+o\}?+)d|Доказательств|Доведення|Bewijs|Bevis"
    r"|证明|證明|証明|증명|D[ůô]kaz|Dokaz|Доказ|Bizonyítás|Todistus|Απόδειξη|İspat|Kanıt|Demonstrați|Demonstraţi"
    r"|(?:Dim|D(?:é|e|\\'\{?+e\}?+)m|Bew|Док-во|Д-во)\.)"
)
"""How a heading of a proof begins: where the scanner stops. What the heading says is decided when it is read."""
FONTS = "textbf|textit|textsc|textsl|emph|underline"
SWITCHES = "bf|it|em|sc|sl|bfseries|itshape|scshape|slshape"
PROCLAIMING = "proclaim|definition|example|remark"
r"""Commands of plain TeX and AMS-TeX that take the heading of a statement, which ends at ``\endproclaim`` and so on."""
HEADING_FONTS = frozenset(
    "section subsection subsubsection paragraph subparagraph textsf textgt heiti gt gtfamily".split()
).union(*(names.split("|") for names in (FONTS, SWITCHES, PROCLAIMING)))
"""Commands that may begin a heading within a line."""
_INNER_FONTS = rf"(?:\{{?+\s*+\\(?:{FONTS}|{SWITCHES})(?![a-zA-Z])\s*+){{0,3}}+\{{?+\s*+"
_PROOF_IN_FONT = rf"(?:{FONTS})\s*+(?=\{{\s*+{_INNER_FONTS}{PROOF_WORD})"
_PROOF_AFTER_SWITCH = rf"(?:{SWITCHES})(?![a-zA-Z])\s*+(?={_INNER_FONTS}{PROOF_WORD})"
PROOF_HEADING = re.compile(rf"\\(?:{_PROOF_IN_FONT}|{_PROOF_AFTER_SWITCH})")
"""The font with which the heading of a proof begins."""


FIRST_WORD = (
    r"(?m:^)[ \t]*+(?:\\(?:noindent|indent|par|(?:small|med|big)skip)(?![a-zA-Z@])\s*+)*+"
    r"(?:\d++(?:\.\d++)*+\.?+[ ~]++)?+[^\W\d_a-z][^\W\d_]*+"
)
"""The first word of a line, a capital where there are capitals, and a number before it."""


@lru_cache(maxsize=64)
def _compile(
    names: tuple[str, ...], mathematics: bool, groups: bool, proof_headings: bool, lines: bool
) -> re.Pattern[str]:
    after_backslash = [rf"(?P<command>{either(names)})(?![a-zA-Z@])"]
    singles = [r"(?P<comment>%[^\n]*+\n?+)"]
    if proof_headings:
        after_backslash.append(rf"(?P<heading>{_PROOF_IN_FONT}|{_PROOF_AFTER_SWITCH})")
    if lines:
        singles.append(rf"(?P<line>{FIRST_WORD})")
    # An escape hides the character that follows it; only characters that would start a token are worth a stop.
    escaped = r"\\%"
    if mathematics:
        escaped += "$"
        after_backslash.append(r"(?P<delimiter>[()\[\]])")
        singles.append(r"(?P<dollar>\$\$?+)")
    if groups:
        escaped += "{}"
        singles.append(r"(?P<brace>\{++|\}++)")
    after_backslash.append(f"(?P<escape>[{escaped}])")
    return re.compile(r"\\(?:" + "|".join(after_backslash) + ")|" + "|".join(singles))


def either(words: tuple[str, ...]) -> str:
    """An alternation as a tree of shared prefixes: one comparison a letter instead of one a word."""
    tree: _Tree = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _branch(tree)


def _branch(tree: _Tree) -> str:
    options = [re.escape(letter) + _branch(rest) for letter, rest in sorted(tree.items()) if letter]
    if not options:
        return ""
    joined = options[0] if len(options) == 1 else "(?:" + "|".join(options) + ")"
    return f"(?:{joined})?" if "" in tree else joined


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


# Every repetition is possessive and over characters that cannot open another argument: matching stays linear.
_SPACE = r"(?:\s|%[^\n]*+\n)*+"
_KEY = r"\{((?:[^{}%]|%[^\n]*+\n)*+)\}"
_OPTION = rf"\*?+{_SPACE}(?:\[[^][{{}}%]*+\]{_SPACE})?+"
_NAME = re.compile(_SPACE + r"\{([^{}\\%\n]++)\}")
_KEYS = re.compile(_OPTION + _KEY)
_TWO_KEYS = re.compile(_OPTION + _KEY + _SPACE + _KEY)
_LISTING_OPTION = re.compile(r"\[[^][\n]*+\]")
_BRACKET = re.compile(r"\s*+\[([^][{}%]*+)\]")
KEY_PATTERNS: Mapping[KeyStyle, re.Pattern[str]] = {
    "one": _KEYS,
    "list": _KEYS,
    "range": _TWO_KEYS,
    "bracket": _BRACKET,
}
"""What follows the name of a reference command; each group holds keys."""
HEADING_IN_LINE = "proof heading"
"""The name of the token of a heading within a line, such as ``{\\bf Proof.}``: its font."""
PROBLEMS_PER_RULE = 100
"""Limits the diagnostics of a file that is not LaTeX at all."""

# A \verb ends on its own line; the bound keeps one endless line from being searched again and again.
_VERB_REACH = 10_000


def scan(text: str, vocabulary: Vocabulary = STRUCTURE) -> Scan:
    """Split a text into tokens whose spans follow one another without gap or overlap."""
    return _Scanner(text, vocabulary).run()


def tokenize(text: str) -> list[Token]:
    """The tokens of a text that show its structure: environments, headings, labels, citations and inputs."""
    return scan(text).tokens


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
        self.dead = dead_spans(text, vocabulary.facts)[::-1]
        """What conditionals leave out, and is not reached; the next one is last."""
        for offset in find_all(text).unclosed:
            self._report(offset, "unclosed-iffalse", "\\iffalse is never closed by \\fi")

    def run(self) -> Scan:
        text, search, tokens = self.text, self.vocabulary.pattern.search, self.tokens
        done = 0
        match = search(text)
        while match or self.dead:
            token: Token | None
            if self.dead and (match is None or match.start() >= self.dead[-1][0]):
                start, end = self.dead.pop()
                if start < done:
                    continue
                token = Token(TokenKind.SKIPPED, start, end, "branch")
            elif match is not None:
                token = self._token(match)
                if token is None:
                    match = search(text, match.end())
                    continue
            else:
                break
            if token.start > done:
                tokens.append(Token(TokenKind.TEXT, done, token.start))
            tokens.append(token)
            done = token.end
            # A match behind a skipped branch stays the next one.
            if match is not None and match.start() < done:
                match = search(text, done)
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
        if group in ("heading", "line"):
            return Token(TokenKind.COMMAND, start, end, HEADING_IN_LINE)
        if group == "brace":
            return Token(TokenKind.OPEN if self.text[start] == "{" else TokenKind.CLOSE, start, end)
        return Token(TokenKind.MATH, start, end, match.group())

    def _environment(self, command: str, start: int, end: int) -> Token | None:
        match = _NAME.match(self.text, end)
        if match is None:
            self._report(start, "malformed-environment", f"\\{command} without an environment name")
            return None
        name = match[1].strip()
        if command == "end":
            return Token(TokenKind.END, start, match.end(), name)
        if name in self.vocabulary.verbatim_environments:
            return self._verbatim(name, start, match.end())
        return Token(TokenKind.BEGIN, start, match.end(), name)

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
            found = COMMENT.sub("", found)
        kind = TokenKind.LABEL if action == "label" else TokenKind.REFERENCE
        return Token(kind, start, match.end(), name, " ".join(found.split()))

    def _bracket(self, name: str, start: int, end: int) -> Token | None:
        match = _BRACKET.match(self.text, end)
        # \hyperref{url}{…}{…}{…} has no bracket and cites nothing here.
        return match and Token(TokenKind.REFERENCE, start, match.end(), name, match[1].strip())

    def _named(self, name: str, start: int, end: int) -> Token:
        """A command that its name alone tells, and a star behind it."""
        kind = _KINDS[self.actions[name]]
        return Token(kind, start, end + self.text.startswith("*", end), name)

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
            # \url{…} and friends take an ordinary group; a percent character inside it begins no comment.
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


_KINDS: Mapping[Action, TokenKind] = {
    "command": TokenKind.COMMAND,
    "input": TokenKind.INPUT,
    "section": TokenKind.SECTION,
}
_HANDLERS: Mapping[Action, Callable[[_Scanner, str, int, int], Token | None]] = {
    **dict.fromkeys(_KINDS, _Scanner._named),
    "verbatim": _Scanner._verb,
    "one": _Scanner._keyed,
    "list": _Scanner._keyed,
    "range": _Scanner._keyed,
    "bracket": _Scanner._bracket,
    "label": _Scanner._keyed,
    **dict.fromkeys(("begin", "end"), _Scanner._environment),
}
"""How each command is read, from its name and span."""
