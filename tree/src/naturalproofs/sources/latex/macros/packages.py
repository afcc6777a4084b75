r"""What packages define, for texts that load them: ``\div`` is a division, but with physics a divergence.

Only commands that mean something else without the package, or nothing, are listed. The author's definitions win. With
them are the theorems that classes and packages declare, and the labels of lists, which enumitem sets.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from naturalproofs.sources.latex.macros.declarations import Declaration
from naturalproofs.sources.latex.scan.arguments import (
    GERMAN_IN_WORD,
    german_letters,
    plain_letters,
    read_group,
    read_groups,
    read_option,
    split_outside,
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


def written_letters(source: str, macros: Collection[str] = ()) -> str:
    """A text with accents, special letters and the shorthands of a German document as letters.

    Args:
        source: In LaTeX.
        macros: The names of the document's macros, which tell that it is German; a shorthand inside of a word does too.
    """
    plain = plain_letters(source)
    return german_letters(plain) if GERMAN_SHORTHANDS in macros or GERMAN_IN_WORD.search(plain) else plain


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


LEVELS = ("i", "ii", "iii", "iv")
"""How LaTeX names the levels of lists."""
_DOCUMENT = "\\begin{document}"
_LIST = re.compile(r"\\begin\s*\{enumerate\}|\\item(?![a-zA-Z])")
_SETTING = re.compile(
    r"%[^\n]*+|\\(?P<set>setlist|setenumerate)\*?+(?![a-zA-Z@])"
    r"|\\(?:renewcommand\*?\s*+\{?\s*+|def\s*+)\\(?P<part>label|the)enum(?P<level>i{1,3}|iv)(?![a-zA-Z@])\s*+\}?+"
)
_LABEL = re.compile(r"\s*label\s*=\s*")
_THE = re.compile(r"\\theenum(i{1,3}|iv)(?![a-zA-Z@])")
_COUNTER = re.compile(r"\\usecounter\s*+\{\s*+([a-zA-Z@]++)\s*+\}")
_UNNUMBERED = frozenset({"itemize", "description", "itemize*", "description*"})


def label_macro(name: str, level: int) -> str:
    """The name of the macro that holds the label of a list at a level, from 1."""
    return f"label@{re.sub('[^a-zA-Z]', '@', name)}@{LEVELS[level - 1]}"


def split_options(options: str) -> list[str]:
    """Options at their commas; commas in groups do not count."""
    return split_outside(options, ",")


def given_label(options: str) -> str | None:
    """The label among the options of a list, without the braces around it."""
    for part in split_options(options):
        if match := _LABEL.match(part):
            label = part[match.end() :].strip()
            group = read_group(label, 0)
            return group.text if group and group.end == len(label) else label
    return None


def list_settings(text: str) -> Iterator[tuple[str, str]]:
    """The macros for the labels that the preamble in a text sets, and the labels."""
    preamble, document, _ = text.partition(_DOCUMENT)
    if "enum" not in preamble and "\\setlist" not in preamble:
        return
    # A change between lists holds for some of them only.
    if document or not _LIST.search(preamble):
        yield from settings(preamble)


def without_list_settings(text: str) -> str:
    """The text of a document without the labels that it sets for its lists; any other text as it is."""
    return _SETTING.sub("", text) if _DOCUMENT in text else text


def settings(preamble: str) -> Iterator[tuple[str, str]]:
    """The macros for the labels that a text sets for its lists, and the labels."""
    numbers: dict[str, str] = {}
    for match in _SETTING.finditer(preamble):
        if match["part"]:
            body = read_group(preamble, match.end())
            if body is None:
                continue
            level = match["level"]
            own = body.text.replace(f"{{enum{level}}}", "*")
            if match["part"] == "the":
                numbers[level] = own
                own = f"({own})"
            else:
                own = _THE.sub(lambda found: numbers.get(found[1], "\\arabic*"), own)
            yield label_macro("enumerate", LEVELS.index(level) + 1), own
        elif match["set"]:
            names = read_option(preamble, match.end())
            options = read_group(preamble, names.end if names else match.end())
            label = given_label(options.text) if options else None
            if label is None or (names is None and match["set"] == "setlist"):
                continue
            yield from _set(match["set"], names.text if names else "", label)


def _set(command: str, names: str, label: str) -> Iterator[tuple[str, str]]:
    words = [word.strip() for word in names.split(",") if word.strip()]
    levels = [int(word) for word in words if word in ("1", "2", "3", "4")] or range(1, len(LEVELS) + 1)
    lists = ["enumerate"] if command == "setenumerate" else [word for word in words if not word.isdigit()]
    for name in lists:
        if name not in _UNNUMBERED:
            yield from ((label_macro(name, level), label) for level in levels)


def with_own_label(body: str) -> tuple[str, str]:
    r"""The list that ``\begin{list}{(\roman{c})}{\usecounter{c}}`` is, and its body with the label as an option."""
    groups = read_groups(body, 0, 2)
    if len(groups) < 2:
        return "list", body
    counter, label = _COUNTER.search(groups[1].text), groups[0].text
    label = label.replace(f"{{{counter[1]}}}", "*") if counter else label
    return "enumerate" if counter else "list", f"[label={{{label}}}]{body[groups[1].end :]}"
