"""Conditionals of expl3 that can be decided: on the text of arguments, on numbers, and on variables."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from naturalproofs.latex.macros.expl3.machine import (
    Handler,
    Machine,
    NotUnderstood,
    Tokens,
    as_tokens,
    check_known,
    text_of,
)
from naturalproofs.latex.macros.expl3.numbers import evaluate
from naturalproofs.latex.macros.expl3.tokens import comma_items, is_internal, items, trimmed
from naturalproofs.latex.scan.arguments import NO_VALUE

Test: TypeAlias = Callable[[Machine, Sequence[Tokens]], bool]
_RELATION = re.compile(r"(<=|>=|!=|==|=|<|>)")
_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "=": lambda one, other: one == other,
    "==": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
}
_OTHER_ENGINES = ("sys_if_engine_luatex", "sys_if_engine_xetex", "sys_if_engine_ptex", "sys_if_engine_uptex")
"""Programs that ask for the engine are run as pdfTeX runs them."""
_LAYOUT = frozenset({"\\delimsize"})
"""Commands that are known in some formulas only, and say nothing but a size."""


def _blank(tokens: Sequence[str]) -> bool:
    return not text_of(tokens).strip()


def _value(machine: Machine, tokens: Tokens) -> Tokens:
    """The value of a variable, or a list as it is written."""
    return as_tokens(machine.variable(tokens)) if len(tokens) == 1 and is_internal(tokens[0]) else tokens


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return text_of(one).strip() == text_of(other).strip()


def _contains(machine: Machine, given: Sequence[Tokens]) -> bool:
    return text_of(given[1]) in text_of(_value(machine, given[0]))


def _has_item(machine: Machine, given: Sequence[Tokens]) -> bool:
    value = machine.variable(given[0]) if len(given[0]) == 1 and is_internal(given[0][0]) else given[0]
    if isinstance(value, dict):
        return text_of(given[1]) in value
    found = value if isinstance(value, tuple) else comma_items(as_tokens(value))
    return any(_same(item, given[1]) for item in found)


def _compared(machine: Machine, given: Sequence[Tokens]) -> bool:
    if len(given) == 3:
        return _COMPARE[text_of(given[1])](evaluate(machine, given[0]), evaluate(machine, given[2]))
    parts = _RELATION.split(text_of(machine.expanded(given[0])))
    if len(parts) != 3:
        raise NotUnderstood("a comparison of more than two numbers")
    return _COMPARE[parts[1]](evaluate(machine, list(parts[0])), evaluate(machine, list(parts[2])))


def _truth(machine: Machine, given: Sequence[Tokens]) -> bool:
    """A variable, a predicate, or the negation of either."""
    tokens = [token for token in given[0] if token != " "]
    if tokens[:1] == ["!"]:
        return not _truth(machine, [tokens[1:]])
    name = tokens[0][1:] if tokens else ""
    base, colon, letters = name.partition(":")
    if not colon and len(tokens) == 1:
        return bool(machine.variable(tokens))
    test = TESTS.get(base.removesuffix("_p"))
    if test is None or not base.endswith("_p"):
        raise NotUnderstood("a test")
    return test(machine, _predicate_arguments(tokens[1:], letters))


def _predicate_arguments(tokens: Tokens, letters: str) -> list[Tokens]:
    found = items(tokens)
    if len(found) != len(letters):
        raise NotUnderstood("a test with several parts")
    return found


def _exists(machine: Machine, given: Sequence[Tokens]) -> bool:
    name = given[0][0][1:]
    if machine.state.function(name) or name in machine.state.variables:
        return True
    if given[0][0] in _LAYOUT:
        return False
    raise NotUnderstood(f"whether \\{name} is defined")


def _is_empty(machine: Machine, given: Sequence[Tokens]) -> bool:
    value = machine.variable(given[0]) if len(given[0]) == 1 and is_internal(given[0][0]) else given[0]
    return not value


TESTS: Mapping[str, Test] = {
    **dict.fromkeys(("tl_if_empty", "str_if_empty", "clist_if_empty", "seq_if_empty", "prop_if_empty"), _is_empty),
    "tl_if_blank": lambda _, given: _blank(given[0]),
    "tl_if_novalue": lambda _, given: text_of(given[0]) == NO_VALUE,
    "tl_if_single": lambda _, given: len(items(given[0])) == 1,
    **dict.fromkeys(
        ("tl_if_eq", "str_if_eq"),
        lambda machine, given: _same(_value(machine, given[0]), _value(machine, given[1])),
    ),
    **dict.fromkeys(("tl_if_in", "str_if_in"), _contains),
    **dict.fromkeys(("seq_if_in", "clist_if_in", "prop_if_in"), _has_item),
    "int_compare": _compared,
    "int_if_odd": lambda machine, given: evaluate(machine, given[0]) % 2 == 1,
    "int_if_even": lambda machine, given: evaluate(machine, given[0]) % 2 == 0,
    "bool_if": _truth,
    "cs_if_exist": _exists,
    "cs_if_free": lambda machine, given: not _exists(machine, given),
    "sys_if_engine_pdftex": lambda *_: True,
    **dict.fromkeys(_OTHER_ENGINES, lambda *_: False),
}


def _conditional(test: Test) -> Handler:
    def choose(machine: Machine, letters: str, arguments: list[Tokens]) -> Tokens:
        asked = len(letters.rstrip("TF"))
        branches = dict(zip(letters[asked:], arguments[asked:], strict=True))
        if not branches:
            raise NotUnderstood("a test without branches")
        try:
            check_known(arguments[:asked])
            holds = test(machine, arguments[:asked])
        except NotUnderstood:
            return machine.undecided([branches.get("T", []), branches.get("F", [])])
        return branches.get("T" if holds else "F", [])

    return choose


def _case(same: Callable[[Machine, Tokens, Tokens], bool]) -> Handler:
    r"""``\str_case:nnTF {text} {{one}{code}{two}{code}} {code if found} {code if not}``."""

    def choose(machine: Machine, letters: str, arguments: list[Tokens]) -> Tokens:
        cases = items(arguments[1])
        endings = dict(zip(letters[2:], arguments[2:], strict=True))
        codes = [code + endings.get("T", []) for code in cases[1::2]]
        try:
            check_known(arguments[:1])
            for case, code in zip(cases[::2], codes, strict=False):
                if same(machine, arguments[0], case):
                    return code
        except NotUnderstood:
            return machine.undecided([*codes, endings.get("F", [])])
        return endings.get("F", [])

    return choose


CONDITIONALS: Mapping[str, Handler] = {
    **{name: _conditional(test) for name, test in TESTS.items()},
    **dict.fromkeys(
        ("str_case", "tl_case"),
        _case(lambda machine, one, other: _same(_value(machine, one), trimmed(_value(machine, other)))),
    ),
    "int_case": _case(lambda machine, one, other: evaluate(machine, one) == evaluate(machine, other)),
}
