"""Theorem environments of document classes and packages whose files are not in the project."""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from naturalproofs.latex.macros.declarations import Declaration


def class_theorems(name: str, options: Collection[str]) -> tuple[Declaration, ...]:
    """The environments that a document class declares when it is loaded with these options."""
    if name in _SPRINGER_CLASSES:
        return _springer(options, "chapter" if name in _SPRINGER_BOOKS else "")
    if _SIAM_CLASS.fullmatch(name):
        return _SIAM
    if _DAGSTUHL_CLASS.fullmatch(name):
        return _with_theorem(_DAGSTUHL, within="section" if "numberwithinsect" in options else "")
    return _CLASSES.get(name, ())


def is_known_class(path: str) -> bool:
    """Whether the environments of a class are listed here: what its file does to declare them is not read."""
    return path.endswith(".cls") and bool(class_theorems(Path(path).stem, ()))


def package_theorems(name: str, options: Collection[str]) -> tuple[Declaration, ...]:
    """The environments that a package declares when it is loaded with these options."""
    if name in _ALGORITHMS:
        within = next((one.removeprefix("algo") for one in options if one in _ALGORITHM_COUNTERS), "")
        return (algorithms(within),)
    if name == "ntheorem":
        return _NTHEOREM if "standard" in options else ()
    return _PACKAGES.get(name, ())


def algorithms(within: str = "") -> Declaration:
    """The float of algorithms."""
    return Declaration("algorithm", "Algorithm", within=within, is_float=True)


def _environments(names: str, *, like: str = "", within: str = "", numbered: bool = True) -> tuple[Declaration, ...]:
    return tuple(
        Declaration(name, name.capitalize(), like=like, within=within, numbered=numbered) for name in names.split()
    )


def _with_theorem(names: str, *, within: str = "", first: str = "theorem") -> tuple[Declaration, ...]:
    """The environment of theorems, and others that share its counter."""
    return (*_environments(first, within=within), *_environments(names, like=first))


_ALGORITHMS = frozenset({"algorithm", "algorithm2e"})
_ALGORITHM_COUNTERS = frozenset(
    f"{prefix}{counter}" for prefix in ("", "algo") for counter in ("section", "chapter", "part")
)
_SPRINGER_CLASSES = frozenset({"llncs", "svjour", "svjour3", "svmono", "svmult"})
_SPRINGER_BOOKS = frozenset({"svmono", "svmult"})
_SPRINGER = (
    "case conjecture corollary definition example exercise lemma note problem property proposition question solution "
    "remark"
)


def _springer(options: Collection[str], outer: str) -> tuple[Declaration, ...]:
    """Each environment has its own counter, unless ``envcountsame`` says otherwise; books count within chapters."""
    within = "section" if "envcountsect" in options else outer
    same = "theorem" if "envcountsame" in options else ""
    return (
        *_environments("theorem", within=within),
        *_environments(_SPRINGER, like=same, within="" if same else within),
        *_environments("claim", numbered=False),
    )


_SIAM_CLASS = re.compile(r"siam(?:art|online|ltex)\w*")
_SIAM = _with_theorem("lemma corollary proposition definition", within="section")
_DAGSTUHL_CLASS = re.compile(r"(?:lipics|oasics)-v20\d\d(?:\.\d+)?")
_DAGSTUHL = "lemma corollary proposition exercise definition conjecture observation example note remark claim"
_CLASSES: Mapping[str, tuple[Declaration, ...]] = {
    "mcmthesis": _with_theorem("Lemma Corollary Proposition Definition Example", within="section", first="Theorem"),
    "spie": _with_theorem("lemma definition", within="section"),
    "thuthesis": _environments(
        "assumption definition proposition lemma theorem axiom corollary exercise example remark problem conjecture",
        within="chapter",
    ),
    "acmart": _with_theorem("conjecture proposition lemma corollary example definition", within="section"),
    "beamer": _with_theorem("corollary fact lemma problem solution definition definitions example examples"),
    "ejpecp": _with_theorem(
        "assumptions assumption claim condition conjecture corollary definitions definition facts fact heuristics "
        "hypothesis hypotheses lemma notations notation proposition example exercise problem question remark",
        within="section",
    ),
    "jmlr": (
        *_environments("example"),
        *_with_theorem("lemma proposition remark corollary definition conjecture axiom"),
    ),
}

_NTHEOREM = (
    *_environments(
        "Theorem theorem Satz satz Proposition proposition Lemma lemma Korollar korollar Corollary corollary Example "
        "example Beispiel beispiel Bemerkung bemerkung Anmerkung anmerkung Remark remark Definition definition"
    ),
    *_environments("Proof proof Beweis beweis", numbered=False),
)
_SMF = {
    "theo": "Theorem", "prop": "Proposition", "conj": "Conjecture", "coro": "Corollary", "lemm": "Lemma",
    "defi": "Definition", "rema": "Remark", "exem": "Example",
}  # fmt: skip
_PACKAGES: Mapping[str, tuple[Declaration, ...]] = {
    "smfthm": tuple(
        Declaration(name, printed, like="" if name == "theo" else "theo", within="section" if name == "theo" else "")
        for name, printed in _SMF.items()
    )
}
DEFERRED: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("xsim", "exsheets"), ("solution",)),
    "apxproof": ("appendixproof", "toappendix"),
    "proof-at-the-end": ("proofEnd", "proofE", "textAtEnd"),
}
"""Environments of packages whose text is printed elsewhere."""
