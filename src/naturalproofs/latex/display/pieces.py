"""The elements a formula is made of, each written in one place."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_LOOKS = {"-": "−", "*": "∗", "`": "‘"}
_ATTRIBUTES = {
    ":": ' lspace="0.22em" rspace="0.22em"',
    "/": ' lspace="0" rspace="0"',
    "|": ' lspace="0" rspace="0"',
    "!": ' lspace="0" rspace="0"',
    ".": ' lspace="0" rspace="0"',
    "?": ' lspace="0" rspace="0"',
}
"""Where the browser's idea of space around a sign is not TeX's."""


class Piece(NamedTuple):
    """An element of a formula, and how its neighbours and scripts stand to it."""

    markup: str
    operand: bool = False
    """A letter, a number or the like: a function's name keeps its distance from it."""
    function: bool = False
    """The name of a function, such as sin."""
    limits: bool = False
    """Scripts stand above and below."""
    fixed: bool = False
    """They do so in running text too."""


def row(pieces: Sequence[Piece]) -> str:
    """One element from several."""
    parts = spaced(pieces)
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def spaced(pieces: Sequence[Piece]) -> list[str]:
    """The elements in order, with thin spaces around the names of functions."""
    shown = [piece for piece in pieces if piece.markup]
    parts: list[str] = []
    for index, piece in enumerate(shown):
        before = shown[index - 1] if index else None
        after = shown[index + 1] if index + 1 < len(shown) else None
        thin = space("0.17em").markup
        lead = thin if piece.function and before and before.operand else ""
        tail = thin if piece.function and after and (after.operand or after.function) else ""
        parts.extend(filter(None, (lead, piece.markup, tail)))
    return parts


def scripts(base: Piece, below: str, above: str, primes: str) -> Piece:
    """A base with what stands below and above it."""
    upper = f"<mo>{primes}</mo>" if primes else ""
    if upper and above:
        upper = f"<mrow>{upper}{above}</mrow>"
    upper = upper or above
    if not below and not upper:
        return base
    core = base.markup or "<mrow></mrow>"
    if base.limits and base.fixed:
        core = core.replace(' movablelimits="true"', "")
    under, over, both = ("munder", "mover", "munderover") if base.limits else ("msub", "msup", "msubsup")
    if below and upper:
        markup = f"<{both}>{core}{below}{upper}</{both}>"
    elif below:
        markup = f"<{under}>{core}{below}</{under}>"
    else:
        markup = f"<{over}>{core}{upper}</{over}>"
    return Piece(markup, base.operand, base.function)


def operator(sign: str) -> Piece:
    """An operator or a relation."""
    return Piece(f"<mo{_ATTRIBUTES.get(sign, '')}>{escape(_LOOKS.get(sign, sign))}</mo>")


def bracket(sign: str) -> Piece:
    """A bracket that keeps its size."""
    return Piece(f'<mo stretchy="false"{_ATTRIBUTES.get(sign, "")}>{escape(sign)}</mo>')


def fence(sign: str, form: str) -> str:
    """A bracket that grows with what it holds."""
    return f'<mo fence="true" form="{form}" stretchy="true">{escape(sign)}</mo>' if sign else ""


def space(width: str) -> Piece:
    """Room of some width."""
    return Piece(f'<mspace width="{width}"></mspace>')


def fraction(top: str, bottom: str, style: str = "") -> Piece:
    """A fraction, or the same without its line, or a binomial coefficient."""
    line = ' linethickness="0"' if style else ""
    markup = f"<mfrac{line}>{top}{bottom}</mfrac>"
    if style == "choose":
        markup = f"<mrow>{fence('(', 'prefix')}{markup}{fence(')', 'postfix')}</mrow>"
    return Piece(markup, operand=True)


def accent(base: str, sign: str, *, stretchy: bool) -> Piece:
    """Something with a sign above it."""
    grows = "true" if stretchy else "false"
    return Piece(f'<mover accent="true">{base}<mo stretchy="{grows}">{escape(sign)}</mo></mover>', operand=True)


def under(base: str, sign: str) -> Piece:
    """Something with a sign that grows below it."""
    return Piece(f'<munder accentunder="true">{base}<mo stretchy="true">{escape(sign)}</mo></munder>', operand=True)
