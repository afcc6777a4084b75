r"""What is at the cursor: a ``\cref{`` that is being typed, or a key that is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from naturalproofs.latex.citations import PAGE_REFERENCES, Key, find_keys
from naturalproofs.latex.vocabulary import REFERENCES

_COMMAND = rf"(?P<command>{'|'.join(sorted(REFERENCES, key=len, reverse=True))}|[a-zA-Z]*[rR]ef)"
_TYPING = re.compile(
    rf"\\{_COMMAND}\*?\s*(?:(?:\[[^\[\]]*\]\s*)*(?:\{{[^{{}}]*\}}\s*)?\{{(?P<keys>[^{{}}\\]*)|\[(?P<bracket>[^\[\]{{}}\\]*))$"
)
_WINDOW = 2_000
"""Characters before the cursor in which a command may begin."""
_LINE = 400
"""Characters around the cursor that are searched for a key."""


@dataclass(frozen=True, slots=True)
class Typing:
    """A key that is being typed."""

    command: str
    typed: str
    """The part of the key before the cursor."""
    start: int
    """Where the key begins in the text."""
    keys: tuple[str, ...] = ()
    """The other keys of the same command."""


def typing_at(text: str, offset: int) -> Typing | None:
    """The key that is being typed at an offset, if a key may be there."""
    match = _TYPING.search(text, max(0, offset - _WINDOW), offset)
    if match is None:
        return None
    group = "keys" if match["keys"] is not None else "bracket"
    if group == "bracket" and match["command"] != "hyperref":
        return None
    *complete, typed = match[group].split(",")
    bare = typed.lstrip()
    keys = tuple(filter(None, (key.strip() for key in complete)))
    return Typing(match["command"], bare, offset - len(bare), keys)


def key_at(text: str, offset: int) -> Key | None:
    """The key of a reference or a label under the cursor; on the command itself, its first key."""
    start = text.rfind("\n", 0, max(0, offset - _LINE)) + 1
    end = text.find("\n", min(len(text), offset + _LINE))
    part = text[start : len(text) if end < 0 else end]
    for one in find_keys(part, {**REFERENCES, **PAGE_REFERENCES}, guess=True):
        if not one.keys or not one.start <= offset - start <= max(one.end, one.keys[-1].end):
            continue
        under = [key for key in one.keys if key.start <= offset - start <= key.end]
        if not under and offset - start < one.keys[0].start:
            under = [one.keys[0]]
        return Key(under[0].key, under[0].start + start, under[0].end + start) if under else None
    return None
