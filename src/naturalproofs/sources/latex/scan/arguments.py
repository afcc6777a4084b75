"""Arguments of a command, read where they stand and properly nested, and the plain text of titles and headings."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

_STOP = re.compile(r"\\.|[{}\[\]]|%[^\n]*+|\n[ \t]*+\n", re.DOTALL)
SPACE = re.compile(r"(?:\s|%[^\n]*+\n)*+")
ONE_TOKEN = re.compile(r"(?:\s|%[^\n]*+\n)*+(\\[lgc]_[a-zA-Z_]++|\\[a-zA-Z@]++|\\[^a-zA-Z]|[^\s\\{}%])", re.DOTALL)
"""A command, a variable of expl3 or a character, which needs no braces as an argument."""
COMMAND = re.compile(r"\\([a-zA-Z@]++)\s*+")
"""A command with a name of letters, and the space behind it, which TeX skips."""
COMMENT = re.compile(r"(?<!\\)%[^\n]*+\n")
_ENDS_WITH_COMMAND = re.compile(r"\\[a-zA-Z@]++$")
_LONGEST_NAME = 60
REACH = 20_000
"""The longest argument; a longer one counts as unclosed."""
_DEEPEST = 40
"""The deepest nesting inside an argument; keeps time linear in a file of open groups."""


NO_VALUE = "-NoValue-"
"""The value of an optional argument without default that is not given."""


class Argument(NamedTuple):
    """The inside of an argument, and where the text goes on after it."""

    text: str
    start: int
    end: int


def read_group(text: str, at: int) -> Argument | None:
    """The group in braces that starts here, after white space and comments."""
    return _read(text, at, "{", "}", blank_ends=False)


def read_option(text: str, at: int) -> Argument | None:
    """The option in brackets that starts here; it holds no blank line."""
    return _read(text, at, "[", "]", blank_ends=True)


def read_token(text: str, at: int) -> Argument | None:
    """The group that starts here, or the command or character that needs no braces."""
    group = read_group(text, at)
    token = None if group else ONE_TOKEN.match(text, at)
    return Argument(token[1], token.start(1), token.end()) if token else group


def read_groups(
    text: str, at: int, count: int, read: Callable[[str, int], Argument | None] = read_group
) -> list[Argument]:
    """Up to `count` groups, or what else is to be read, that follow one another."""
    groups: list[Argument] = []
    while len(groups) < count and (group := read(text, at)):
        groups.append(group)
        at = group.end
    return groups


Piece: TypeAlias = Callable[[str, int], tuple[Any, int] | None]
"""Reads a piece of a definition or declaration: its value, and where it ends; None where it is missing."""


def _group_piece(text: str, at: int) -> tuple[str, int] | None:
    group = read_group(text, at)
    return (group.text, group.end) if group else None


def _option_piece(text: str, at: int) -> tuple[str, int]:
    option = read_option(text, at)
    return (option.text, option.end) if option else ("", at)


PIECES: Mapping[str, Piece] = {"g": _group_piece, "o": _option_piece}
"""A group, and an option, which may be left out."""


def read_pieces(text: str, at: int, letters: str, pieces: Mapping[str, Piece] = PIECES) -> tuple[list[Any] | None, int]:
    """The pieces that follow one another here, a letter for each; None if one is missing; and where they end."""
    found: list[Any] = []
    for letter in letters:
        piece = pieces[letter](text, at)
        if piece is None:
            return None, at
        found.append(piece[0])
        at = piece[1]
    return found, at


def joint(before: str, after: str) -> str:
    """What must stand between two pieces of code: a letter is no part of the name of the command before it."""
    return " " if after[:1].isalpha() and _ENDS_WITH_COMMAND.search(before[-_LONGEST_NAME:]) else ""


def split_argument(text: str, splits: int, separator: str) -> str:
    r"""An argument as ``\SplitArgument`` leaves it: so many groups and one more, split outside of groups."""
    parts = [part.strip() for part in split_outside(text, separator, splits)]
    return "".join(f"{{{part}}}" for part in [*parts, *[NO_VALUE] * (splits + 1 - len(parts))])


def split_outside(text: str, separator: str, most: int = -1) -> list[str]:
    """A text split at a separator outside of groups, at `most` so often."""
    parts, depth, start = list[str](), 0, 0
    for match in re.finditer(rf"\\.|[{{}}]|{re.escape(separator)}", text, re.DOTALL):
        found = match.group()
        depth += (found == "{") - (found == "}")
        if found == separator and depth == 0 and len(parts) != most:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _read(text: str, at: int, opening: str, closing: str, *, blank_ends: bool) -> Argument | None:
    space = SPACE.match(text, at)
    begin = space.end() if space else at
    if not text.startswith(opening, begin) or (blank_ends and "\n\n" in COMMENT.sub("", text[at:begin])):
        return None
    # A cheap search for the closing character first: keeps time linear in hostile files.
    if text.find(closing, begin, begin + REACH) < 0:
        return None
    braces = depth = 0
    for match in _STOP.finditer(text, begin, begin + REACH):
        token = match.group()
        if depth + braces > _DEEPEST:
            return None
        if token == opening and braces == 0:
            depth += 1
        elif token == closing and braces == 0:
            depth -= 1
            if depth == 0:
                return Argument(text[begin + 1 : match.start()], begin + 1, match.end())
        elif opening == "[" and token == "{":
            braces += 1
        elif opening == "[" and token == "}":
            braces -= 1
            if braces < 0:
                return None
        elif blank_ends and token[0] == "\n":
            return None
    return None


# Plain text: no links, labels or font commands, and accents as letters.

ACCENT_MARKS: Mapping[str, str] = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "c": "\u0327", "k": "\u0328", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
"""Combining characters by the accent command."""
SPECIAL_LETTERS: Mapping[str, str] = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å",
    "i": "i", "j": "j",
}  # fmt: skip
_ACCENT = re.compile(r"\\(?:([`'^~=.\"])\s*+|([uvHckdr])(?:\s++|(?=\{)))(?:\{\s*+\\?([a-zA-Z])\s*+\}|\\?([a-zA-Z]))")
_GROUPED = re.compile(r"(\\[a-zA-Z]++\*?+\s*+|[_^}\]])?+\{([^\W\d_a-zA-Z])\}")
"""A letter in braces, which are kept if it is the argument of a command."""
_LETTER = re.compile(r"\\(ss|ae|AE|oe|OE|o|O|l|L|aa|AA|i|j)(?![a-zA-Z])(?:\{\}|\s++)?+")


def plain_letters(source: str) -> str:
    """Replace accents and special letters; everything else stays as it is."""
    if "\\" not in source:
        return source
    accented = _ACCENT.sub(lambda match: _combined(match[3] or match[4], match[1] or match[2]), source)
    if accented != source:
        accented = _GROUPED.sub(lambda match: match[0] if match[1] else match[2], accented)
    return _LETTER.sub(lambda match: SPECIAL_LETTERS[match[1]], accented)


def _combined(letter: str, mark: str) -> str:
    return unicodedata.normalize("NFC", letter + ACCENT_MARKS[mark])


GERMAN: Mapping[str, str] = {
    **{f'"{letter}': shown for letter, shown in zip("aouAOUsSz", "äöüÄÖÜßßß", strict=True)},
    '"`': "„", "\"'": "“", '"<': "«", '">': "»", '"-': "", '""': "", '"|': "", '"=': "-", '"~': "-",
}  # fmt: skip
"""The shorthands of babel in German."""
GERMAN_IN_WORD = re.compile(r'(?<=[^\W\d_])"[aouAOUs](?=[^\W\d_])')
"""A shorthand inside of a word, which shows that a text is German."""
_GERMAN = re.compile(r"(?<!\\)\"[aouAOUsSz`'<>|=~\"-]")


def german_letters(source: str) -> str:
    """Replace the shorthands of a German text; everything else stays as it is."""
    return _GERMAN.sub(lambda match: GERMAN[match[0]], source) if '"' in source else source


_MARKUP = re.compile(r"[\\%~{}]")
_SECOND = re.compile(r"\\(?:href|hyperlink|textcolor|colorbox|foreignlanguage)\s*+(?:\[[^]]*+\]\s*+)?+(?=\{)")
"""A command that prints its second argument."""
_DROPPED = re.compile(
    r"\\(?:label|index|cite[a-z]*+|footnote|thanks)\*?+\s*+(?:\[[^]]*+\]\s*+)*+\{[^{}]*+\}|(?<!\\)%[^\n]*+\n?+"
)
_SHORT = re.compile(r"\\texorpdfstring\s*+\{((?:[^{}]|\{[^{}]*+\})*+)\}\s*+\{[^{}]*+\}")
_FONT = re.compile(r"\\(?:emph|text(?:[a-z]{2}|normal)|mbox|uppercase)\s*+\{([^{}]*+)\}")
_NESTED_FONTS = 3
_SWITCH = re.compile(
    r"\\(?:bf|it|em|rm|sc|sf|sl|tt|bfseries|mdseries|(?:it|sc|sl|up)shape|(?:rm|sf|tt)family|normalfont|normalsize|small"
    r"|footnotesize|Large|large|LARGE|huge|Huge|boldmath|protect|noindent|smallskip|medskip|bigskip)(?![a-zA-Z])\s*+"
)

_SWITCHED = re.compile(rf"\{{\s*+{_SWITCH.pattern}([^{{}}]*+)\}}")


def without_switches(source: str) -> str:
    r"""A title without groups that are there for a font only: ``{\bf unit} matrix``."""
    return _SWITCHED.sub(r"\1", source)


def plain_title(source: str) -> str:
    """One line of text and formulas from the source of a title."""
    if not _MARKUP.search(source):
        return " ".join(source.split())
    text = _SHORT.sub(r"\1", _DROPPED.sub("", _second_arguments(source)))
    for _ in range(_NESTED_FONTS):
        text = _FONT.sub(r"\1", text)
    text = _SWITCH.sub("", text)
    text = plain_letters(text).replace("\\\\", " ").replace("~", " ").replace("{}", "")
    return " ".join(text.split())


def _second_arguments(source: str) -> str:
    r"""Replace \href{address}{text}, \textcolor{red}{text} and their like by their texts."""
    parts: list[str] = []
    at = 0
    while match := _SECOND.search(source, at):
        address = read_group(source, match.end())
        text = read_group(source, address.end) if address else None
        parts.append(source[at : match.start()])
        if text is None:
            at = match.end()
            continue
        parts.append(text.text)
        at = text.end
    return "".join(parts) + source[at:]
