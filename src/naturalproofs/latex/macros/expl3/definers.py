r"""Functions of expl3 that define functions: ``\cs_new:Npn``, ``\cs_set_eq:NN``, ``\prg_new_conditional:Npnn``."""

from collections.abc import Mapping, Sequence

from naturalproofs.latex.macros.expl3.machine import Function, Handler, Machine, NotUnderstood, Tokens, text_of
from naturalproofs.latex.macros.expl3.numbers import evaluate
from naturalproofs.latex.macros.expl3.tokens import comma_items
from naturalproofs.latex.macros.expl3.values import simple

_VERBS = ("new", "set", "gset")
_MOST_PARAMETERS = 9


def parameter_count(tokens: Sequence[str]) -> int:
    """How many parameters ``#1#2`` are, if there is nothing between them."""
    if list(tokens) != [f"#{place}" for place in range(1, len(tokens) + 1)] or len(tokens) > _MOST_PARAMETERS:
        raise NotUnderstood("arguments that end at a given text")
    return len(tokens)


def _parameters(letters: str, given: Sequence[Tokens]) -> int:
    """The number of parameters: as they are written, or by the signature of the function that is defined."""
    if "p" in letters:
        return parameter_count([token for token in given[1] if token != " "])
    return len(given[0][0].partition(":")[2])


def _define(machine: Machine, letters: str, given: list[Tokens]) -> None:
    machine.define(given[0][0][1:], Function(_parameters(letters, given), given[-1]))


def _equal(machine: Machine, _letters: str, given: list[Tokens]) -> None:
    name, other = given[0][0][1:], given[1][0][1:]
    machine.define(name, machine.state.function(other) or Function(0, given[1]))


def _from_count(machine: Machine, given: list[Tokens]) -> None:
    machine.define(given[0][0][1:], Function(evaluate(machine, given[2]), given[3]))


def _conditional(machine: Machine, letters: str, given: list[Tokens]) -> None:
    r"""Define the forms ``TF``, ``T`` and ``F`` of a test, whose code ends with ``\prg_return_true:`` or false."""
    count = _parameters(letters, given)
    name = given[0][0][1:]
    for form in (text_of(item) for item in comma_items(given[-2])):
        if not form or set(form) - set("TF"):
            continue
        chosen = {
            f"\\prg_return_{word}:": [f"#{count + 1 + form.index(letter)}"] if letter in form else []
            for word, letter in (("true", "T"), ("false", "F"))
        }
        body = [made for token in given[-1] for made in chosen.get(token, [token])]
        machine.define(name + form, Function(count + len(form), body))


DEFINERS: Mapping[str, Handler] = {
    **{f"cs_{verb}{way}": _define for verb in _VERBS for way in ("", "_protected", "_nopar", "_protected_nopar")},
    **{f"cs_{verb}_eq": _equal for verb in _VERBS},
    "cs_generate_from_arg_count": simple(_from_count),
    **{f"prg_{verb}{way}_conditional": _conditional for verb in _VERBS for way in ("", "_protected")},
    **dict.fromkeys(
        ("cs_generate_variant", "prg_generate_conditional_variant", "cs_undefine", "msg_new"), simple(lambda *_: None)
    ),
}
