r"""Tokens of LaTeX source as strings: a command with its backslash, a brace, a parameter (``#1``, ``##1``) or a sign.

In a program spaces count for nothing, ``~`` is a space, and names of commands hold ``_`` and ``:``. Outside, such a
name is written as ``\expl{name}``, so that a body with parts of a program can be stored and read like any other.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

MARK = r"\expl{"
_IN_PROGRAM = re.compile(r"%[^\n]*+|\s++|(\\[a-zA-Z@_:]++|\\.|#++[1-9]|.)", re.DOTALL)
_OUTSIDE = re.compile(r"\\expl\{([^{}]*+)\}|(\\[a-zA-Z@]++)\s*+|%[^\n]*+\n?+[ \t]*+|(\s++)|(\\.|#++[1-9]|.)", re.DOTALL)
_PARAMETER = re.compile(r"(#++)([1-9])")
_WORD = re.compile(r"\\[a-zA-Z@]++")


def program_tokens(text: str) -> list[str]:
    """The tokens of a program."""
    return [" " if match[1] == "~" else match[1] for match in _IN_PROGRAM.finditer(text) if match[1]]


def text_tokens(text: str) -> list[str]:
    """The tokens of LaTeX outside of a program, with the marked names in it."""
    return list(_text_tokens(text))


def _text_tokens(text: str) -> Iterator[str]:
    for match in _OUTSIDE.finditer(text):
        if match[1] is not None:
            yield f"\\{match[1]}"
        elif match[3]:
            yield " "
        elif token := match[2] or match[4]:
            yield token


def is_internal(token: str) -> bool:
    """Whether a token is a function or a variable of expl3."""
    return len(token) > 2 and token[0] == "\\" and ("_" in token or ":" in token)


def write(tokens: Iterable[str]) -> str:
    """LaTeX that is read as these tokens outside of a program."""
    pieces: list[str] = []
    after_word = False
    for token in tokens:
        if is_internal(token):
            pieces.append(f"{MARK}{token[1:]}}}")
            after_word = False
            continue
        if after_word:
            pieces.append(" " if token[0].isalpha() or token[0] == "@" else "{}" if token == " " else "")
        pieces.append(token)
        after_word = _WORD.fullmatch(token) is not None
    return "".join(pieces)


def substituted(body: Sequence[str], arguments: Sequence[Sequence[str]], level: int | None = None) -> list[str]:
    """A body with arguments in the place of its parameters.

    Args:
        body: The tokens of a function or a loop.
        arguments: The tokens for ``#1``, ``#2`` and so on.
        level: None when the function is run: the parameters of loops in it lose half of their signs. A number when
            its body is put into another one, inside of so many loops: they get as many signs as they need there.
    """
    found: list[str] = []
    for token in body:
        match = _PARAMETER.fullmatch(token) if token[0] == "#" else None
        if match is None:
            found.append(token)
        elif len(match[1]) > 1:
            signs = len(match[1]) // 2 if level is None else len(match[1]) << level
            found.append("#" * signs + match[2])
        elif int(match[2]) <= len(arguments):
            found += arguments[int(match[2]) - 1]
    return found


def trimmed(tokens: Sequence[str]) -> list[str]:
    """Tokens without the spaces around them, and without braces around all of them."""
    first, last = 0, len(tokens)
    while first < last and tokens[first] == " ":
        first += 1
    while last > first and tokens[last - 1] == " ":
        last -= 1
    inner = list(tokens[first:last])
    if len(inner) > 1 and inner[0] == "{" and inner[-1] == "}" and _closes(inner):
        return inner[1:-1]
    return inner


def _closes(tokens: Sequence[str]) -> bool:
    """Whether the first brace is closed by the last one."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token == "{") - (token == "}")
        if depth == 0:
            return place == len(tokens) - 1
    return False


def split(tokens: Sequence[str], separator: Sequence[str]) -> list[list[str]]:
    """The parts between separators outside of braces; each sign is a part if the separator is empty."""
    parts: list[list[str]] = [[]]
    depth = place = 0
    size = len(separator)
    while place < len(tokens):
        token = tokens[place]
        if size and depth == 0 and list(tokens[place : place + size]) == list(separator):
            parts.append([])
            place += size
            continue
        depth += (token == "{") - (token == "}")
        parts[-1].append(token)
        if not size and depth == 0:
            parts.append([])
        place += 1
    return parts if size else parts[:-1]


def items(tokens: Sequence[str]) -> list[list[str]]:
    """The signs and groups of a token list, without spaces between them and without the braces of groups."""
    return [trimmed(part) for part in split(tokens, ()) if part != [" "]]


def comma_items(tokens: Sequence[str]) -> list[list[str]]:
    """The items of a list with commas; empty ones count for nothing."""
    return [item for part in split(tokens, (",",)) if (item := trimmed(part)) or part.count("{")]


def pairs(tokens: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Keys and values: ``a = 1, b = 2``; a key alone has an empty value."""
    found = []
    for part in split(tokens, (",",)):
        key, *rest = split(part, ("=",))
        if name := trimmed(key):
            value = [token for number, piece in enumerate(rest) for token in (["="] * (number > 0) + piece)]
            found.append((name, trimmed(value)))
    return found
