"""The table of macros: what a macro makes, by itself or by others."""

from itertools import permutations

import pytest

from naturalproofs.sources.latex.macros.macro import Macro
from naturalproofs.sources.latex.macros.table import MacroTable

MACROS = {
    "a": "\\b", "b": "\\a\\c", "c": "\\b\\d\\unknown", "d": "\\newtheorem{x}{X}",
    "e": "\\f", "f": "\\e\\g", "g": "text", "h": "\\f\\c",
}  # fmt: skip
MAKING = {"a", "b", "c", "d", "h"}


@pytest.mark.parametrize("asked", list(permutations("abeh")))
def test_macros_that_lead_to_one_another_make_something_in_whatever_order_they_are_asked(asked):
    table = MacroTable()
    table.commands.update((name, Macro(name, (), body)) for name, body in MACROS.items())
    assert {name for name in (*asked, *MACROS) if table.makes(table.commands[name])} == MAKING


def test_long_chains_are_followed():
    table = MacroTable()
    chain = [Macro(f"m{'a' * number}", (), f"\\m{'a' * (number + 1)}") for number in range(2_000)]
    table.commands.update((one.name, one) for one in (*chain, Macro(f"m{'a' * 2_000}", (), "\\newcommand{\\x}{y}")))
    assert all(map(table.makes, chain))
