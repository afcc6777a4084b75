"""Loops of expl3: over the items of lists, over numbers, over keys and values."""

from collections.abc import Mapping, Sequence

from naturalproofs.latex.macros.expl3.machine import Handler, Machine, NotUnderstood, Tokens
from naturalproofs.latex.macros.expl3.numbers import evaluate
from naturalproofs.latex.macros.expl3.tokens import pairs, substituted
from naturalproofs.latex.macros.expl3.values import KINDS, braced, joined, listed, properties

_MOST_TURNS = 2_000
_LONGEST = 200_000
"""The most turns of a loop, and the most tokens that it makes."""


def _rows(kind: str, machine: Machine, letter: str, given: Tokens) -> list[tuple[Tokens, ...]]:
    """The arguments of each turn."""
    if kind == "prop":
        return [(list(key), value) for key, value in properties(machine, given).items()]
    return [(item,) for item in listed(machine, kind, letter, given)]


def _repeated(rows: Sequence[Sequence[Tokens]], body: Sequence[str]) -> Tokens:
    if len(rows) > _MOST_TURNS or len(rows) * len(body) > _LONGEST:
        raise NotUnderstood("a loop with too many turns")
    return joined(substituted(body, row) for row in rows)


def _calls(function: Tokens, rows: Sequence[Sequence[Tokens]]) -> Tokens:
    if len(rows) > _MOST_TURNS:
        raise NotUnderstood("a loop with too many turns")
    return joined(joined((function, *map(braced, row))) for row in rows)


def _inline(kind: str) -> Handler:
    return lambda machine, letters, given: _repeated(_rows(kind, machine, letters[0], given[0]), given[1])


def _function(kind: str) -> Handler:
    return lambda machine, letters, given: _calls(given[1], _rows(kind, machine, letters[0], given[0]))


def _variable(kind: str) -> Handler:
    def run(machine: Machine, letters: str, given: list[Tokens]) -> Tokens:
        rows = _rows(kind, machine, letters[0], given[0])
        if len(rows) * len(given[2]) > _LONGEST:
            raise NotUnderstood("a loop with too many turns")
        return joined(["\\tl_set:Nn", *given[1], *braced(row[0]), *given[2]] for row in rows)

    return run


def _indexed(machine: Machine, letters: str, given: list[Tokens]) -> Tokens:
    found = listed(machine, "seq", letters[0], given[0])
    return _repeated([(list(str(place)), item) for place, item in enumerate(found, 1)], given[1])


def _steps(machine: Machine, given: Sequence[Tokens]) -> list[tuple[Tokens, ...]]:
    """The numbers from the first to the last one: last; first and last; first, step and last."""
    values = [evaluate(machine, one) for one in given]
    first = values[0] if len(values) > 1 else 1
    step = values[1] if len(values) > 2 else 1
    if step == 0 or abs((values[-1] - first) // step) > _MOST_TURNS:
        raise NotUnderstood("a loop without end")
    return [(list(str(value)),) for value in range(first, values[-1] + (1 if step > 0 else -1), step)]


def _keys(_machine: Machine, letters: str, given: list[Tokens]) -> Tokens:
    r"""``\keyval_parse:NNn \one \two {a, b = c}``: one function for keys alone, another for keys with values."""
    if letters != "NNn":
        raise NotUnderstood("keys with code")
    return joined(
        [*given[1], *braced(key), *braced(value)] if value else [*given[0], *braced(key)]
        for key, value in pairs(given[2])
    )


LOOPS: Mapping[str, Handler] = {
    **{f"{kind}_map_inline": _inline(kind) for kind in (*KINDS, "prop")},
    **{f"{kind}_map_function": _function(kind) for kind in (*KINDS, "prop")},
    **{f"{kind}_map_variable": _variable(kind) for kind in KINDS},
    "seq_map_indexed_inline": _indexed,
    "int_step_inline": lambda machine, _, given: _repeated(_steps(machine, given[:-1]), given[-1]),
    "int_step_function": lambda machine, _, given: _calls(given[-1], _steps(machine, given[:-1])),
    "prg_replicate": lambda machine, _, given: _repeated(
        [()] * min(evaluate(machine, given[0]), _MOST_TURNS), given[1]
    ),
    "keyval_parse": _keys,
}
INLINE = frozenset(name for name in LOOPS if name.endswith("_inline"))
"""Loops whose last argument has parameters of its own."""
