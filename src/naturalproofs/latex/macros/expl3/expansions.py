"""Functions of expl3 that stand for text: items and counts of lists, numbers, letters, names that are put together."""

import string
from collections.abc import Callable, Mapping, Sequence

from naturalproofs.latex.macros.expl3.machine import Handler, Machine, NotUnderstood, Tokens, as_tokens, text_of
from naturalproofs.latex.macros.expl3.numbers import evaluate
from naturalproofs.latex.macros.expl3.tokens import is_internal, items, split, trimmed
from naturalproofs.latex.macros.expl3.values import KINDS, braced, joined, listed, number, properties, simple

_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_SPECIAL = "\\{}#%"


def _use(kind: str) -> Handler:
    """A variable, or its items with separators: between all, or between two, between more, and before the last."""

    def run(machine: Machine, letters: str, given: list[Tokens]) -> Tokens:
        if len(given) == 1:
            return as_tokens(machine.variable(given[0]))
        found = listed(machine, kind, letters[0], given[0])
        if len(given) == 2 or len(found) < 3:
            return joined(found, given[1])
        return [*joined(found[:-1], given[2]), *given[3], *found[-1]]

    return run


def _item(kind: str) -> Handler:
    def run(machine: Machine, letters: str, given: list[Tokens]) -> Tokens:
        found, place = listed(machine, kind, letters[0], given[0]), evaluate(machine, given[1])
        place = place - 1 if place > 0 else len(found) + place
        return found[place] if 0 <= place < len(found) else []

    return run


def _count(kind: str) -> Handler:
    return lambda machine, letters, given: list(str(len(listed(machine, kind, letters[0], given[0]))))


def _character(machine: Machine, given: list[Tokens]) -> Tokens:
    code = evaluate(machine, given[0])
    if not 32 < code < 0x110000 or chr(code) in _SPECIAL or not chr(code).isprintable():
        raise NotUnderstood(f"the character {code}")
    return [chr(code)]


def _alphabetic(letters: str) -> Handler:
    def run(machine: Machine, _letters: str, given: list[Tokens]) -> Tokens:
        value = evaluate(machine, given[0])
        if not 1 <= value <= len(letters):
            raise NotUnderstood(f"the letter {value}")
        return [letters[value - 1]]

    return run


def _roman(machine: Machine, given: list[Tokens]) -> Tokens:
    value, found = evaluate(machine, given[0]), ""
    if not 0 <= value < 40:
        raise NotUnderstood(f"the Roman number {value}")
    for worth, sign in _ROMAN:
        found += sign * (value // worth)
        value %= worth
    return list(found)


def _in_case(change: Callable[[str], str]) -> Handler:
    return simple(lambda _, given: [change(token) if len(token) == 1 else token for token in given[0]])


def _string(tokens: Sequence[str]) -> Tokens:
    """A token list as a string: the signs that it is written with."""
    if any(is_internal(token) for token in tokens):
        raise NotUnderstood("the name of a function")
    return [sign for token in tokens for sign in token]


def _exp_args(_machine: Machine, letters: str, given: list[Tokens]) -> Tokens:
    r"""Arguments that are expanded before a command gets them: ``\exp_args:Nc \newcommand {name}``."""
    return joined(
        argument if letter in "Nc" else braced(argument) for letter, argument in zip(letters, given, strict=True)
    )


EXPANSIONS: Mapping[str, Handler] = {
    **{f"{kind}_use": _use(kind) for kind in KINDS},
    **{f"{kind}_item": _item(kind) for kind in KINDS},
    **{f"{kind}_count": _count(kind) for kind in KINDS},
    "prop_item": simple(lambda machine, given: properties(machine, given[0]).get(text_of(given[1]), [])),
    "int_use": simple(lambda machine, given: list(str(number(machine, given[0])))),
    **dict.fromkeys(
        ("int_eval", "int_to_arabic"), simple(lambda machine, given: list(str(evaluate(machine, given[0]))))
    ),
    "int_to_alph": _alphabetic(string.ascii_lowercase),
    "int_to_Alph": _alphabetic(string.ascii_uppercase),
    "int_to_roman": simple(_roman),
    "char_generate": simple(_character),
    "tl_head": simple(lambda _, given: next(iter(items(given[0])), [])),
    "tl_tail": simple(lambda _, given: joined(split(trimmed(given[0]), ())[1:])),
    "tl_reverse": simple(lambda _, given: joined(split(given[0], ())[::-1])),
    "tl_trim_spaces": simple(lambda _, given: trimmed(given[0])),
    **dict.fromkeys(("tl_to_str", "token_to_str"), simple(lambda _, given: _string(given[0]))),
    "cs_to_str": simple(lambda _, given: list(given[0][0][1:])),
    **{f"{kind}_{name}": _in_case(str.upper) for kind in ("str", "text", "tl") for name in ("uppercase", "upper_case")},
    **{f"{kind}_{name}": _in_case(str.lower) for kind in ("str", "text", "tl") for name in ("lowercase", "lower_case")},
    **dict.fromkeys(("use", "exp_not"), simple(lambda _, given: joined(given))),
    "use_i": simple(lambda _, given: given[0]),
    "use_ii": simple(lambda _, given: given[1]),
    **dict.fromkeys(("use_none", "group_begin", "group_end", "prg_do_nothing", "scan_stop"), simple(lambda *_: None)),
    "exp_args": _exp_args,
    "c_space_tl": lambda *_: [" "],
    "c_empty_tl": lambda *_: None,
    "c_math_subscript_token": lambda *_: ["_"],
    "c_math_superscript_token": lambda *_: ["^"],
    "c_alignment_token": lambda *_: ["&"],
}
"""Constants are here too."""
