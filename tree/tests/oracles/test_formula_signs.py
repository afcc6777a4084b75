"""Our table of signs against an independent converter's, sign by sign."""

import re
from html import unescape

import pytest

from naturalproofs.sources.latex.scan.symbols import INTEGRALS, LARGE, LETTERS, OPERATORS

latex2mathml = pytest.importorskip("latex2mathml.converter", reason="needs latex2mathml as an oracle")
NoAvailableTokensError = pytest.importorskip("latex2mathml.exceptions").NoAvailableTokensError

TABLES = {**LETTERS, **OPERATORS, **LARGE, **INTEGRALS}
LOOK_ALIKES = set("□◻■∎∗*⋅·⬝∖⧵◃◁▹▷⊲⊳∼~⇝⤳•⚫○⚪⦶⌽")
"""Characters for the same printed sign; which of them fits is a matter of fonts."""

REDEFINED = {"eqcolon", "upepsilon", "upvarepsilon"}
"""Signs that packages print otherwise: ours are those of mathtools at present, and of upgreek."""


def theirs(name: str) -> str:
    """The sign that the other converter gives; empty where it takes the command for one with arguments."""
    try:
        converted = latex2mathml.convert(f"\\{name}")
    except NoAvailableTokensError:
        return ""
    return unescape(re.sub(r"<[^>]*>", "", converted))


def test_signs_agree_with_an_independent_converter() -> None:
    known = {name: theirs(name) for name in TABLES}
    compared = {name: sign for name, sign in known.items() if "\\" not in sign and len(sign) == 1}
    different = {
        name: (TABLES[name], sign)
        for name, sign in compared.items()
        if TABLES[name] != sign and name not in REDEFINED and not {TABLES[name], sign} <= LOOK_ALIKES
    }
    assert len(compared) > 250
    assert different == {}
