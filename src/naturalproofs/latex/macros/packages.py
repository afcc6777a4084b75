r"""What packages define, for texts that load them: ``\div`` is a sign of division, but with physics a divergence.

Only commands that mean something else without the package, or nothing, are listed. The author's definitions win.
"""

import re
from collections.abc import Collection, Iterable, Mapping

_LOAD = re.compile(
    r"%[^\n]*+|\\(?:usepackage|RequirePackage|(?P<class>documentclass))\s*+(?:\[(?P<options>[^\]]{0,5000}+)\]\s*+)?+"
    r"\{(?P<names>[^{}]{0,5000}+)\}"
)
_GERMAN = frozenset("german ngerman austrian naustrian swissgerman nswissgerman germanb".split())
_RUSSIAN = frozenset("russian ukrainian bulgarian belarusian".split())
GERMAN_SHORTHANDS, RUSSIAN_SHORTHANDS = "babel@german", "babel@russian"
"""Macros that stand for the shorthands of babel in texts that load it with such a language."""
QUOTE_LIGATURES = "fontenc@quotes"
"""A macro that stands for fonts in which ``<<``, ``>>`` and ``,,`` are quotation marks."""
_WITH_QUOTES = frozenset(
    {"T1", "T2A", "T2B", "T2C", "OT4", "french", "frenchb", "francais", "polish", "czech", "slovak"}
)
_ASKED = re.compile(r"\\(?:@ifpackageloaded|IfPackageLoadedTF)\s*+\{([^{}]*+)\}")

_QUAD_WORDS = "if then else otherwise unless given using assume since let for all even odd integer and or as in"
_FUNCTIONS = "sin cos tan csc sec cot arcsin arccos arctan arccsc arcsec arccot sinh cosh tanh csch sech coth log ln"
_PHYSICS = r"""
\newcommand{\dv}{\physicsderivative{dv}}\newcommand{\derivative}{\physicsderivative{derivative}}
\newcommand{\partialderivative}{\pdv}\newcommand{\pderivative}{\pdv}\newcommand{\fdv}{\functionalderivative{fdv}}
\newcommand{\fderivative}{\functionalderivative{fderivative}}
\NewDocumentCommand{\dd}{o}{\,\mathrm{d}\IfNoValueF{#1}{^{#1}}}\newcommand{\differential}{\dd}
\NewDocumentCommand{\var}{o}{\delta\IfNoValueF{#1}{^{#1}}}\newcommand{\variation}{\var}
\newcommand{\qty}{\physicsquantity}\newcommand{\quantity}{\physicsquantity}
\NewDocumentCommand{\pqty}{sm}{\left(#2\right)}\NewDocumentCommand{\bqty}{sm}{\left[#2\right]}
\NewDocumentCommand{\Bqty}{sm}{\left\{#2\right\}}\NewDocumentCommand{\vqty}{sm}{\left|#2\right|}
\NewDocumentCommand{\absolutevalue}{sm}{\left|#2\right|}
\newcommand{\grad}{\nabla}\newcommand{\gradient}{\nabla}\newcommand{\div}{\nabla\cdot}
\newcommand{\divergence}{\nabla\cdot}
\newcommand{\curl}{\nabla\times}\newcommand{\laplacian}{\nabla^2}
\newcommand{\vdot}{\cdot}\newcommand{\dotproduct}{\cdot}\newcommand{\cross}{\times}\newcommand{\cp}{\times}
\newcommand{\crossproduct}{\times}
\NewDocumentCommand{\vb}{sm}{\IfBooleanTF{#1}{\boldsymbol{#2}}{\mathbf{#2}}}\newcommand{\vectorbold}{\vb}
\NewDocumentCommand{\va}{sm}{\vec{\IfBooleanTF{#1}{\boldsymbol{#2}}{\mathbf{#2}}}}\newcommand{\vectorarrow}{\va}
\NewDocumentCommand{\vu}{sm}{\hat{\IfBooleanTF{#1}{\boldsymbol{#2}}{\mathbf{#2}}}}\newcommand{\vectorunit}{\vu}
\newcommand{\bra}{\physicsbra}\NewDocumentCommand{\ket}{sm}{|#2\rangle}
\newcommand{\braket}{\physicsbraket{braket}}\newcommand{\ip}{\physicsbraket{ip}}
\newcommand{\innerproduct}{\physicsbraket{innerproduct}}
\newcommand{\ketbra}{\physicsketbra{ketbra}}\newcommand{\op}{\physicsketbra{op}}
\newcommand{\dyad}{\physicsketbra{dyad}}
\newcommand{\outerproduct}{\physicsketbra{outerproduct}}\newcommand{\expval}{\physicsexpectation{expval}}
\newcommand{\ev}{\physicsexpectation{ev}}\newcommand{\vev}[1]{\langle 0|#1|0\rangle}
\newcommand{\expectationvalue}{\physicsexpectation{expectationvalue}}
\NewDocumentCommand{\mel}{ssmmm}{\langle #3|#4|#5\rangle}\newcommand{\matrixel}{\mel}\newcommand{\matrixelement}{\mel}
\NewDocumentCommand{\comm}{smm}{\left[#2,#3\right]}\newcommand{\commutator}{\comm}
\NewDocumentCommand{\acomm}{smm}{\left\{#2,#3\right\}}\newcommand{\anticommutator}{\acomm}
\newcommand{\acommutator}{\acomm}\newcommand{\pb}{\acomm}\newcommand{\poissonbracket}{\acomm}
\NewDocumentCommand{\order}{sm}{\mathcal{O}\left(#2\right)}
\newcommand{\eval}{\physicsevaluated{eval}}\newcommand{\evaluated}{\physicsevaluated{evaluated}}
\newcommand{\pmqty}[1]{\begin{pmatrix}#1\end{pmatrix}}\newcommand{\Pmqty}[1]{\begin{pmatrix}#1\end{pmatrix}}
\newcommand{\bmqty}[1]{\begin{bmatrix}#1\end{bmatrix}}\newcommand{\vmqty}[1]{\begin{vmatrix}#1\end{vmatrix}}
\newcommand{\spmqty}[1]{\begin{pmatrix}#1\end{pmatrix}}\newcommand{\sbmqty}[1]{\begin{bmatrix}#1\end{bmatrix}}
\newcommand{\svmqty}[1]{\begin{vmatrix}#1\end{vmatrix}}\newcommand{\mdet}[1]{\begin{vmatrix}#1\end{vmatrix}}
\newcommand{\smdet}[1]{\begin{vmatrix}#1\end{vmatrix}}\newcommand{\matrixdeterminant}[1]{\begin{vmatrix}#1\end{vmatrix}}
\newcommand{\mqty}{\physicsmatrix{mqty}}\newcommand{\matrixquantity}{\physicsmatrix{matrixquantity}}
\newcommand{\smqty}{\physicsmatrix{smqty}}\newcommand{\smallmatrixquantity}{\physicsmatrix{smallmatrixquantity}}
\newcommand{\principalvalue}{\mathcal{P}}\newcommand{\pv}{\mathcal{P}}\newcommand{\PV}{\mathrm{P.V.}}
\DeclareMathOperator{\tr}{tr}\DeclareMathOperator{\Tr}{Tr}\DeclareMathOperator{\rank}{rank}
\DeclareMathOperator{\erf}{erf}\DeclareMathOperator{\Res}{Res}
\newcommand{\Re}{\physicspart{Re}}\newcommand{\Im}{\physicspart{Im}}
\NewDocumentCommand{\qq}{sm}{\IfBooleanF{#1}{\quad}\text{#2}\quad}\newcommand{\qqtext}{\qq}
\newcommand{\qcomma}{,\quad}\newcommand{\qc}{,\quad}
\NewDocumentCommand{\qcc}{s}{\IfBooleanF{#1}{\quad}\text{c.c.}\quad}
"""
_PHYSICS += "".join(
    rf"\NewDocumentCommand{{\q{word}}}{{s}}{{\IfBooleanF{{#1}}{{\quad}}\text{{{word}}}\quad}}"
    for word in _QUAD_WORDS.split()
)
_PHYSICS += "".join(rf"\newcommand{{\{name}}}{{\physicsfunction{{{name}}}}}" for name in _FUNCTIONS.split())
PACKAGES: Mapping[str, str] = {
    "physics": _PHYSICS,
    "braket": r"\newcommand{\braket}[1]{\langle #1\rangle}\newcommand{\Braket}[1]{\left\langle #1\right\rangle}"
    r"\newcommand{\Bra}[1]{\left\langle #1\right|}\newcommand{\Ket}[1]{\left|#1\right\rangle}",
    "commath": r"\newcommand{\dif}{\mathrm{d}}\newcommand{\Dif}{\mathrm{D}}\newcommand{\od}{\physicsderivative{od}}"
    r"\newcommand{\pd}[3][]{\pdv[#1]{#2}{#3}}\newcommand{\del}[2][]{\left(#2\right)}"
    r"\newcommand{\sbr}[2][]{\left[#2\right]}\newcommand{\cbr}[2][]{\left\{#2\right\}}",
    "diffcoeff": r"\newcommand{\diff}{\physicsderivative{diff}}\newcommand{\diffp}{\pdv}\newcommand{\dl}{\mathrm{d}}",
    "tensor": r"\newcommand{\tensor}{\packagetensor{tensor}}\newcommand{\indices}{\packagetensor{indices}}",
    "siunitx": r"\newcommand{\num}{\packagenumber{num}}\newcommand{\ang}{\packageangle{ang}}",
    "mathpartir": r"\newcommand{\and}{\qquad}\NewDocumentCommand{\inferrule}{somm}{\IfBooleanTF{#1}"
    r"{\undecided{inferrule*}\IfValueT{#2}{[#2]}{#3}{#4}}{\IfValueT{#2}{\text{#2}\;}"
    r"\frac{\begin{gathered}#3\end{gathered}}{\begin{gathered}#4\end{gathered}}}}",
    "proof": r"\NewDocumentCommand{\infer}{st=omm}{\IfBooleanTF{#1}{\undecided{infer*}\IfValueT{#3}{[#3]}{#4}{#5}}"
    r"{\frac{\begin{matrix}#5\end{matrix}}{#4}\IfValueT{#3}{\;#3}}}",
    "complexity": r"\newcommand{\P}{\mathsf{P}}\newcommand{\L}{\mathsf{L}}\newcommand{\E}{\mathsf{E}}"
    r"\newcommand{\R}{\undecided{R}}",
    "esvect": r"\newcommand{\vv}[1]{\overrightarrow{#1}}",
    **{name: rf"\def\{name}{{}}" for name in (GERMAN_SHORTHANDS, RUSSIAN_SHORTHANDS, QUOTE_LIGATURES)},
}
"""LaTeX that defines the commands of each package."""


def asked_packages(texts: Iterable[str]) -> dict[str, bool]:
    r"""The packages that texts ask for by ``\@ifpackageloaded``, and whether a document among them loads them."""
    asked, loaded, has_document = set[str](), set[str](), False
    for text in texts:
        has_document = has_document or "\\documentclass" in text
        asked.update(match[1].strip() for match in _ASKED.finditer(text))
        for is_class, names, _ in _loads(text):
            loaded.update(() if is_class else names)
    return {name: name in loaded for name in asked} if has_document else {}


def loaded_packages(texts: Iterable[str]) -> list[str]:
    """The packages of the table that texts load, in order."""
    found: dict[str, None] = {}
    of_class: set[str] = set()
    has_babel = False
    for loads in map(_loads, texts):
        for is_class, names, given in loads:
            if is_class:
                of_class.update(given)
                continue
            found.update((name, None) for name in names if name in PACKAGES)
            found.update((name, None) for name in typography(dict.fromkeys(names, given), ()))
            has_babel = has_babel or "babel" in names
    if has_babel:
        found.update((name, None) for name in typography({"babel": ()}, of_class))
    return list(found)


def typography(packages: Mapping[str, Collection[str]], of_class: Collection[str]) -> list[str]:
    """What packages of languages and fonts, with their options, and options of the class change in the text."""
    languages = {*packages["babel"], *of_class} if "babel" in packages else set[str]()
    languages |= _GERMAN & packages.keys()
    fonts = {*packages.get("fontenc", ()), *languages, *(("T1",) if "polski" in packages else ())}
    is_given = {
        GERMAN_SHORTHANDS: languages & _GERMAN,
        RUSSIAN_SHORTHANDS: languages & _RUSSIAN,
        QUOTE_LIGATURES: fonts & (_WITH_QUOTES | _RUSSIAN),
    }
    return [name for name, given in is_given.items() if given]


def _loads(text: str) -> list[tuple[bool, list[str], list[str]]]:
    """Whether each command loads a class, what it loads, and with which options; nothing of the text is held."""
    if "package" not in text.lower() and "\\documentclass" not in text:
        return []
    found = _LOAD.finditer(text)
    return [(bool(one["class"]), _listed(one["names"]), _listed(one["options"])) for one in found if one["names"]]


def _listed(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",")]
