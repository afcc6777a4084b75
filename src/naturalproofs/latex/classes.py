"""Theorem environments that document classes bring with them, where the class file itself is not in the project."""

from collections.abc import Mapping

from naturalproofs.latex.declarations import Declaration


def _apart(names: str) -> tuple[Declaration, ...]:
    """Environments that count each for itself."""
    return tuple(Declaration(name, name.capitalize()) for name in names.split())


def _together(first: Declaration, names: str) -> tuple[Declaration, ...]:
    """Environments that share the counter of the first."""
    return (first, *(Declaration(name, name.capitalize(), like=first.name) for name in names.split()))


def _unnumbered(names: str) -> tuple[Declaration, ...]:
    return tuple(Declaration(name, name.capitalize(), numbered=False) for name in names.split())


_SPRINGER = (
    *_apart("theorem case conjecture corollary definition example exercise lemma note problem property proposition"),
    *_apart("question solution remark"),
    *_unnumbered("claim"),
)
_LIPICS = _together(
    Declaration("theorem", "Theorem"),
    "lemma corollary proposition exercise definition conjecture observation example note remark claim",
)

CLASS_THEOREMS: Mapping[str, tuple[Declaration, ...]] = {
    "llncs": _SPRINGER,
    "svjour3": _SPRINGER,
    "svjour": _SPRINGER,
    "lipics-v2019": _LIPICS,
    "lipics-v2021": _LIPICS,
    "acmart": _together(
        Declaration("theorem", "Theorem", within="section"),
        "conjecture proposition lemma corollary example definition",
    ),
    "beamer": _together(
        Declaration("theorem", "Theorem"),
        "corollary fact lemma problem solution definition definitions example examples",
    ),
}
"""What each class declares."""
