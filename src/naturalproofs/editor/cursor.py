r"""What stands at the cursor: a ``\cref{`` that is being typed, or a key that is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from naturalproofs.latex.vocabulary import REFERENCES

_COMMAND = rf"(?P<command>{'|'.join(sorted(REFERENCES, key=len, reverse=True))}|[a-zA-Z]*[rR]ef)"
_TYPING = re.compile(
    rf"\\{_COMMAND}\*?\s*(?:(?:\[[^\[\]]*\]\s*)*(?:\{{[^{{}}]*\}}\s*)?\{{(?P<keys>[^{{}}\\]*)|\[(?P<bracket>[^\[\]{{}}\\]*))$"
)
_WRITTEN = re.compile(rf"\\(?:{_COMMAND}|label)\*?\s*(?:\[(?P<option>[^\[\]{{}}]*)\]\s*)?(?:\{{(?P<keys>[^{{}}]*)\}})?")
_KEY = re.compile(r"[^,\s]+")
WINDOW = 2_000
"""Characters before the cursor in which a command may have begun."""


@dataclass(frozen=True, slots=True)
class Typing:
    """A key that is being typed."""

    command: str
    typed: str
    """The part of the key before the cursor."""
    start: int
    """Where the key begins in the text."""
    keys: tuple[str, ...] = ()
    """Keys of the same command that are complete."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key that is written, and where."""

    key: str
    start: int
    end: int


def typing_at(text: str, offset: int) -> Typing | None:
    """The key that is being typed at an offset, if the cursor stands where a key may stand."""
    match = _TYPING.search(text, max(0, offset - WINDOW), offset)
    if match is None:
        return None
    group = "keys" if match["keys"] is not None else "bracket"
    if group == "bracket" and match["command"] != "hyperref":
        return None
    *complete, typed = match[group].split(",")
    bare = typed.lstrip()
    keys = tuple(filter(None, (key.strip() for key in complete)))
    return Typing(match["command"], bare, offset - len(bare), keys)


def keys_in(text: str) -> list[str]:
    """The keys that a text cites, in order."""
    cited = (match["option" if match["command"] == "hyperref" else "keys"] for match in _WRITTEN.finditer(text))
    return [key for keys in cited for key in _KEY.findall(keys or "")]


def key_at(text: str, offset: int) -> Key | None:
    """The key of a reference or a label under the cursor."""
    start = text.rfind("\n", 0, max(0, offset - 400)) + 1
    end = text.find("\n", min(len(text), offset + 400))
    for match in _WRITTEN.finditer(text, start, len(text) if end < 0 else end):
        if not match.start() <= offset <= match.end():
            continue
        group = "option" if match["command"] == "hyperref" else "keys"
        keys = [Key(one[0], one.start(), one.end()) for one in _KEY.finditer(text, *match.span(group))]
        under = [key for key in keys if key.start <= offset <= key.end]
        # On the command itself, its first key is meant.
        if not under and offset < match.start(group):
            under = keys
        return under[0] if under else None
    return None
