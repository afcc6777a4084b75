"""What divs, chunks and directives mean, and how labels and references are written."""

from __future__ import annotations

from collections.abc import Mapping

PREFIXES: Mapping[str, str] = {
    "thm": "theorem", "lem": "lemma", "cor": "corollary", "prp": "proposition", "cnj": "conjecture",
    "def": "definition", "exm": "example", "exr": "exercise", "rem": "remark", "alg": "algorithm", "hyp": "hypothesis",
}  # fmt: skip
"""What the first part of a label says about a statement, in Quarto (``thm-x``) and bookdown (``thm:x``)."""
SHORT: Mapping[str, str] = {word: prefix for prefix, word in PREFIXES.items()}
OTHER_PREFIXES = frozenset({"sec", "fig", "tbl", "tab", "eq", "lst", "apx", "sol"})
"""Prefixes of labels of other things: sections, figures, tables, equations."""
ROLES = frozenset({"prf:ref", "ref", "numref", "eq", "exercise:ref", "proof:ref"})
"""MyST roles that cite a label."""


def is_cross_reference(key: str) -> bool:
    """Whether ``@key`` is a reference by its prefix; it may also be a citation of the literature."""
    prefix = key.split("-", 1)[0].lower()
    return "-" in key and (prefix in PREFIXES or prefix in OTHER_PREFIXES)
