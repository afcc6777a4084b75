"""Links and templates of a page as a tree, found in one pass that never fails and never looks back."""

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

NodeKind: TypeAlias = Literal["link", "template", "parameter"]

MAX_BRACKETED = 1000
"""Longest link in which single brackets are counted; longer ones are no links that a person wrote."""

_SIMPLE = r"\[\[[^\[\]{}|\n]*(?:(\|)[^\[\]{}|]*)?\]\](?!\])"
"""A link without anything inside that needs thought; most are."""
_LINK = re.compile(_SIMPLE + r"|\[\[")
_BARE = re.compile(r"\{\{[^{}\[\]|]*\}\}(?!\})")
"""A template without arguments."""
_INSIDE = re.compile(_SIMPLE + r"|\{{2,}|\}{2,}|\[\[|\]\]|\|")


class Node(msgspec.Struct, gc=False):
    """Something between double brackets or braces."""

    kind: NodeKind
    start: int
    end: int
    bars: Sequence[int] = ()
    """Where the bars are that separate its own parts."""
    children: Sequence["Node"] = ()

    def parts(self) -> list[tuple[int, int]]:
        """Give where each part between the node's own bars begins and ends."""
        width = 3 if self.kind == "parameter" else 2
        starts = [self.start + width, *(bar + 1 for bar in self.bars)]
        return list(zip(starts, [*self.bars, self.end - width], strict=True))


class _Open(msgspec.Struct, gc=False):
    """An opening that waits for its end."""

    position: int
    braces: int
    """Opening braces not used up yet; 0 for a link."""
    bars: list[int] = []
    children: list[Node] = []


def scan(masked: str) -> list[Node]:
    """Match brackets and braces in masked text as MediaWiki's preprocessor does, forgivingly.

    Braces pair from the inside out, three before two; what is never closed stays plain text. Unlike the wiki, a
    template may be closed across an unclosed link, since formulas hold such brackets.
    """
    top: list[Node] = []
    position = 0
    braces = masked.find("{{")
    while position >= 0:
        if 0 <= braces < position:
            braces = masked.find("{{", position)
        position = _outside(masked, position, braces, top)
        bare = _BARE.match(masked, position) if position == braces >= 0 else None
        if bare is None:
            position = _inside(masked, position, top)
        else:
            top.append(Node("template", position, bare.end()))
            position = bare.end()
    return top


def _outside(masked: str, position: int, braces: int, top: list[Node]) -> int:
    """Collect simple links up to the first opening that needs a stack; give where that is, or -1."""
    # Formulas are full of single brackets and braces: the pattern begins with two, so that they are passed over fast.
    stop = len(masked) if braces < 0 else braces
    for match in _LINK.finditer(masked, position, stop):
        start, end = match.span()
        if end - start == 2:
            return start
        bar = match.start(1)
        top.append(Node("link", start, end, (bar,) if bar >= 0 else ()))
    return braces


def _inside(masked: str, position: int, top: list[Node]) -> int:
    """Match from an opening until everything is closed; give where that is, or -1 at the end of the text."""
    if position < 0:
        return -1
    stack: list[_Open] = []
    braces: list[int] = []  # Where on the stack the templates are.
    for match in _INSIDE.finditer(masked, position):
        start, end = match.span()
        first = masked[start]
        if first == "|":
            stack[-1].bars.append(start)
        elif first == "[":
            if end - start == 2:
                stack.append(_Open(start, 0))
            else:
                bar = match.start(1)
                stack[-1].children.append(Node("link", start, end, (bar,) if bar >= 0 else ()))
        elif first == "{":
            braces.append(len(stack))
            stack.append(_Open(start, end - start))
        else:
            if first == "]":
                end = _close_link(masked, end, stack, top)
            else:
                _close_braces(match, stack, braces, top)
            if not stack:
                return end
    for lost in stack:
        top += lost.children
    return -1


def _close_link(masked: str, end: int, stack: list[_Open], top: list[Node]) -> int:
    opened = stack[-1]
    if opened.braces:
        return end
    if masked[end : end + 1] == "]" and end - opened.position < MAX_BRACKETED:
        # In [[A|x[1]]] the first of three brackets belongs to the text.
        inside = masked[opened.position + 2 : end - 2]
        end += inside.count("[") > inside.count("]")
    stack.pop()
    (stack[-1].children if stack else top).append(Node("link", opened.position, end, opened.bars, opened.children))
    return end


def _close_braces(match: re.Match[str], stack: list[_Open], braces: list[int], top: list[Node]) -> None:
    position, left = match.start(), match.end() - match.start()
    while left >= 2 and braces:
        opened = stack[braces[-1]]
        for lost in stack[braces[-1] + 1 :]:
            # An unclosed link: what was found inside belongs to what surrounds it.
            opened.children += lost.children
            opened.bars += lost.bars
        del stack[braces[-1] + 1 :]
        used = min(3, left, opened.braces)
        start = opened.position + opened.braces - used
        position, left = position + used, left - used
        node = Node("parameter" if used == 3 else "template", start, position, opened.bars, opened.children)
        opened.braces -= used
        if opened.braces >= 2:
            opened.bars, opened.children = [], [node]
            continue
        braces.pop()
        stack.pop()
        (stack[-1].children if stack else top).append(node)
