"""Integer expressions of expl3: digits, character codes, the four operations and parentheses."""

import re

from naturalproofs.latex.macros.expl3.machine import Machine, NotUnderstood, Tokens, text_of

_LONGEST = 100
_LARGEST = 2**31 - 1
_CODE = re.compile(r"`\\?(.)")
_SIGNS = re.compile(r"\d++|[-+*/()]")


def evaluate(machine: Machine, tokens: Tokens) -> int:
    """The value of an integer expression."""
    values = machine.state.variables
    known = [
        f"({values[token[1:]]})" if isinstance(values.get(token[1:]), int) else token
        for token in machine.expanded(tokens)
    ]
    source = _CODE.sub(lambda match: str(ord(match[1])), text_of(known)).replace(" ", "")
    if len(source) > _LONGEST or _SIGNS.sub("", source):
        raise NotUnderstood(f"the number {source[:_LONGEST]}")
    signs = _SIGNS.findall(source)[::-1]
    value = _sum(signs)
    if signs or abs(value) > _LARGEST:
        raise NotUnderstood(f"the number {source}")
    return value


def _sum(signs: list[str]) -> int:
    value = _product(signs)
    while signs and signs[-1] in "+-":
        value += _product(signs) if signs.pop() == "+" else -_product(signs)
    return value


def _product(signs: list[str]) -> int:
    value = _factor(signs)
    while signs and signs[-1] in "*/":
        if signs.pop() == "*":
            value *= _factor(signs)
        else:
            value = _rounded(value, _factor(signs))
    return value


def _rounded(value: int, divisor: int) -> int:
    """A quotient as TeX rounds it: halves away from zero."""
    if divisor == 0:
        raise NotUnderstood("division by zero")
    quotient = (2 * abs(value) + abs(divisor)) // (2 * abs(divisor))
    return quotient if (value < 0) == (divisor < 0) else -quotient


def _factor(signs: list[str]) -> int:
    if not signs:
        raise NotUnderstood("a number is missing")
    sign = signs.pop()
    if sign in "+-":
        return _factor(signs) if sign == "+" else -_factor(signs)
    if sign == "(":
        value = _sum(signs)
        if not signs or signs.pop() != ")":
            raise NotUnderstood("a parenthesis is missing")
        return value
    if not sign.isdecimal():
        raise NotUnderstood(f"{sign} where a number was expected")
    return int(sign)
