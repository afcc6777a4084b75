"""Values of variables, as lists, property lists and numbers; a wrong type means that the program is not understood."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from naturalproofs.latex.macros.expl3.machine import Handler, Items, Machine, NotUnderstood, Tokens, as_tokens
from naturalproofs.latex.macros.expl3.tokens import comma_items, is_internal, items

KINDS: Mapping[str, Callable[[Sequence[str]], list[Tokens]]] = {
    "tl": items,
    "str": items,
    "clist": comma_items,
    "seq": items,
}
"""The kinds of lists, and how each is split up."""


def braced(tokens: Sequence[str]) -> Tokens:
    """Tokens as a group."""
    return ["{", *tokens, "}"]


def joined(parts: Iterable[Sequence[str]], separator: Sequence[str] = ()) -> Tokens:
    """Parts one after another."""
    found: Tokens = []
    for number, part in enumerate(parts):
        if number:
            found += separator
        found += part
    return found


def is_variable(tokens: Sequence[str]) -> bool:
    """Whether tokens are one name of expl3."""
    return len(tokens) == 1 and is_internal(tokens[0])


def listed(machine: Machine, kind: str, letter: str, given: Tokens) -> Items:
    """The items of a list that is written in an argument, or held by a variable if the letter says so."""
    if letter not in "Nc":
        return tuple(KINDS[kind](given))
    value = machine.variable(given)
    return value if isinstance(value, tuple) else tuple(KINDS[kind](as_tokens(value)))


def properties(machine: Machine, name: Tokens) -> dict[str, Tokens]:
    """The value of a property list."""
    value = machine.variable(name)
    if not isinstance(value, dict):
        raise NotUnderstood("not a property list")
    return value


def number(machine: Machine, name: Tokens) -> int:
    """The value of an integer variable."""
    value = machine.variable(name)
    if not isinstance(value, int):
        raise NotUnderstood("not a number")
    return value


def simple(give: Callable[[Machine, list[Tokens]], Tokens | None]) -> Handler:
    """A handler that does not look at the letters of the signature."""
    return lambda machine, _letters, arguments: give(machine, arguments)
