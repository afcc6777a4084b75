"""Functions of expl3 that set variables: token lists, strings, sequences, property lists, integers, truth values.

Lengths and boxes say nothing about what a formula means, so what sets them is passed over.
"""

from collections.abc import Callable, Mapping

from naturalproofs.latex.macros.expl3.machine import (
    Handler,
    Items,
    Machine,
    NotUnderstood,
    Tokens,
    Value,
    as_tokens,
    check_known,
    text_of,
)
from naturalproofs.latex.macros.expl3.numbers import evaluate
from naturalproofs.latex.macros.expl3.tokens import comma_items, is_internal, pairs, split, substituted, trimmed
from naturalproofs.latex.macros.expl3.values import is_variable, joined, listed, number, properties, simple

_EMPTY: Mapping[str, Value] = {"tl": [], "str": [], "clist": (), "seq": (), "prop": {}, "int": 0, "bool": False}
"""What a new variable of each type holds."""


def _setter(make: Callable[[Machine, list[Tokens]], Value]) -> Handler:
    """A handler that sets the variable which is its first argument."""

    def run(machine: Machine, _letters: str, given: list[Tokens]) -> None:
        if not is_variable(given[0]):
            raise NotUnderstood("not a variable")
        check_known(given)
        machine.state.variables[given[0][0][1:]] = make(machine, given)

    return run


def _tokens(machine: Machine, name: Tokens) -> Tokens:
    return as_tokens(machine.variable(name))


def _items(machine: Machine, given: Tokens) -> Items:
    """The items of a list with commas, given as a variable or as it is written."""
    return listed(machine, "clist", "N", given) if is_variable(given) else tuple(comma_items(given))


def _replaced(machine: Machine, given: list[Tokens]) -> Tokens:
    if not given[1]:
        raise NotUnderstood("nothing to replace")
    return joined(split(_tokens(machine, given[0]), given[1]), given[2])


def _mapped(machine: Machine, given: list[Tokens]) -> Items:
    return tuple(machine.expanded(substituted(given[2], [item])) for item in _items(machine, given[1]))


def _keys(machine: Machine, given: list[Tokens]) -> None:
    r"""``\keys_define:nn``: options may set all that it names, and which are given is not known."""
    for name in (token[1:] for token in given[1] if is_internal(token)):
        machine.state.variables.pop(name, None)
        machine.state.functions.pop(name, None)


def _named(functions: Mapping[str, Callable[[Machine, list[Tokens]], Value]]) -> dict[str, Handler]:
    """Handlers by all names: several in one key are separated by spaces."""
    return {name: _setter(make) for names, make in functions.items() for name in names.split()}


_SETTERS: Mapping[str, Handler] = {
    **{
        f"{kind}_{verb}": _setter(lambda *_, value=value: value)
        for kind, value in _EMPTY.items()
        for verb in ("new", "clear", "clear_new", "zero", "zero_new")
    },
    **{f"{kind}_set_eq": _setter(lambda machine, given: machine.variable(given[1])) for kind in _EMPTY},
    **_named(
        {
            "tl_set tl_const str_set str_const": lambda _, given: given[1],
            "tl_put_right str_put_right": lambda machine, given: _tokens(machine, given[0]) + given[1],
            "tl_put_left str_put_left": lambda machine, given: given[1] + _tokens(machine, given[0]),
            "tl_replace_all str_replace_all": _replaced,
            "clist_set clist_const seq_set_from_clist seq_const_from_clist": lambda machine, given: _items(
                machine, given[1]
            ),
            "seq_set_split": lambda _, given: tuple(map(trimmed, split(given[2], given[1]))),
            "clist_put_right seq_put_right": lambda machine, given: (*_items(machine, given[0]), given[1]),
            "clist_put_left seq_put_left": lambda machine, given: (given[1], *_items(machine, given[0])),
            "clist_reverse seq_reverse": lambda machine, given: _items(machine, given[0])[::-1],
            "seq_set_map seq_set_map_x seq_set_map_e": _mapped,
            "prop_put": lambda machine, given: {**properties(machine, given[0]), text_of(given[1]): given[2]},
            "prop_set_from_keyval prop_const_from_keyval": lambda _, given: {
                text_of(key): value for key, value in pairs(given[1])
            },
            "int_set int_const": lambda machine, given: evaluate(machine, given[1]),
            "int_incr": lambda machine, given: number(machine, given[0]) + 1,
            "int_decr": lambda machine, given: number(machine, given[0]) - 1,
            "int_add": lambda machine, given: number(machine, given[0]) + evaluate(machine, given[1]),
            "int_sub": lambda machine, given: number(machine, given[0]) - evaluate(machine, given[1]),
            "bool_set_true": lambda *_: True,
            "bool_set_false": lambda *_: False,
        }
    ),
}
_LAYOUT = [
    *(f"{kind}_{verb}" for kind in ("dim", "skip", "muskip", "box") for verb in ("new", "set", "const", "zero", "add")),
    *("hbox_set", "vbox_set", "dim_max", "skip_horizontal", "skip_vertical"),
]
VARIABLES: Mapping[str, Handler] = {
    **_SETTERS,
    **{name.replace("_", "_g", 1): handler for name, handler in _SETTERS.items()},
    **dict.fromkeys(_LAYOUT, simple(lambda *_: None)),
    "keys_define": simple(_keys),
}
"""Each setter also with the ``g`` of what is set for the whole document: ``\\tl_gset:Nn``."""
