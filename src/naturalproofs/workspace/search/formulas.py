r"""Formulas as searched: written in one way whatever the source and its macros, and cut into n-grams of symbols.

``\frac{1}{n}``, ``1/n`` and ``\tfrac 1n`` are the same symbols; so are ``\mathbb{Z}``, ``\ZZ``, ``ℤ`` and ``Z``. Limits
of sums and integrals are set apart, so that ``\sum 1/n`` is found in ``\sum_{n=1}^\infty \frac1n``.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from naturalproofs.sources.latex import Macro
from naturalproofs.sources.latex import symbols as latex_symbols

LONGEST = 4000
"""Characters of a formula that are read, and of what its macros expand to."""
EXPANSIONS = 200
"""Macros that are expanded in one formula."""
FENCE = re.compile(r"^(?:\$\$?|\\\(|\\\[|\\begin\s*\{[^{}]*\})|(?:\$\$?|\\\)|\\\]|\\end\s*\{[^{}]*\})$")
SYMBOL = re.compile(r"\\[a-zA-Z]+|\\.|[^\W\d_]|\d+|[^\s\w]|_")
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
NAMED_OPERATORS = (
    "arccos arcsin arctan cosh coth cos deg det dim exp gcd hom inf ker lcm lim liminf limsup ln log max min mod sgn "
    "sinh sin sup tanh tan sqrt rank span Aut End Ext Gal Hom Im Ker Pic Proj Re Spec Tor"
).split()
"""Operators that people also type, or write in text type, without a backslash."""
NAMED = re.compile(
    r"\\(?:operatorname|mathrm|mathop|text|mathsf|textnormal)\s*\*?\{\s*(?:\\rm\s+)?([A-Za-z]{2,8})\s*\}"
    rf"|(?<![A-Za-z\\])({'|'.join(sorted(NAMED_OPERATORS, key=len, reverse=True))})(?![A-Za-z])"
)
_IGNORED = r"""
    $ & ~ . \ \, \; \: \! \left \right \big \Big \bigl \bigr \bigg \Bigl \Bigr \quad \qquad \label \nonumber
    \displaystyle \textstyle \limits \nolimits \text \mathrm \mbox \begin \end \notag \hskip \mathbb \mathbf \mathcal
    \mathfrak \mathscr \mathsf \mathit \boldsymbol \bm \operatorname \mathop \mathbin \mathrel \underline \rm \bf \it
    \ensuremath \kern \mspace
""".split()
_SAME: Mapping[str, str] = {
    rf"\{name}": rf"\{other}"
    for other, names in {
        "leq": "le leqslant leqq",
        "geq": "ge geqslant geqq",
        "neq": "ne",
        "to": "rightarrow longrightarrow xrightarrow",
        "mapsto": "longmapsto",
        "subseteq": "subset subseteqq",
        "supseteq": "supset",
        "cong": "simeq approx",
        "phi": "varphi",
        "epsilon": "varepsilon eps",
        "theta": "vartheta",
        "emptyset": "varnothing",
        "frac": "dfrac tfrac cfrac",
        "binom": "dbinom tbinom",
        "dots": "ldots cdots dotsc dotsb dotsm",
        "setminus": "backslash smallsetminus",
        "mod": "pmod bmod",
        "cdot": "ast",
        "wedge": "land",
        "vee": "lor",
        "sqrt": "surd",
        "implies": "Rightarrow Longrightarrow",
        "iff": "Leftrightarrow Longleftrightarrow",
    }.items()
    for name in names.split()
} | {
    r"\lvert": "|", r"\rvert": "|", r"\vert": "|", r"\mid": "|", r"\lVert": "‖", r"\rVert": "‖", r"\Vert": "‖",
    r"\|": "‖", r"\colon": ":", r"\prime": "'", r"\{": "(", r"\}": ")", r"\lbrace": "(", r"\rbrace": ")",
    "*": r"\cdot", "⋅": r"\cdot", "·": r"\cdot", "−": "-", "ℤ": "Z", "ℝ": "R", "ℚ": "Q", "ℕ": "N", "ℂ": "C",
    "′": "'", "’": "'", "…": r"\dots", "∥": "‖",
}  # fmt: skip
_BY_LOOK = {
    look: f"\\{name}"
    for table in (latex_symbols.OPERATORS, latex_symbols.LETTERS)
    for name, look in reversed(list(table.items()))
}
WRITTEN = {
    **{look: _SAME.get(name, name) for look, name in _BY_LOOK.items() if len(look) == 1},
    **{"∑": r"\sum", "∏": r"\prod", "∫": r"\int", "⋃": r"\bigcup", "⋂": r"\bigcap"},
    **_SAME,
    **dict.fromkeys(_IGNORED, ""),
}
"""The symbol that another one stands for; empty for one that only lays out."""
SCRIPTS = str.maketrans(
    {
        **{symbol: f"^{digit}" for digit, symbol in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        **{symbol: f"_{digit}" for digit, symbol in enumerate("₀₁₂₃₄₅₆₇₈₉")},
        **{"ⁿ": "^n", "ⁱ": "^i", "⁻": "^-"},
    }
)
LARGE = frozenset(
    r"\sum \prod \int \lim \limsup \liminf \sup \inf \max \min \bigcup \bigcap \bigoplus \coprod \oint \iint".split()
)
"""Operators whose limits are set apart."""
_RELATIONS = frozenset(
    r"= < > \leq \geq \neq \equiv \cong \sim \in \notin \subseteq \to \mapsto \implies \iff , ; : |".split()
)
CUTS = _RELATIONS - {"|"}
"""Symbols between the parts of a formula."""
BREAK = ""


NOTATION: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\b[A-Z]\[[a-zA-Z](?:_\{?1\}?[^\]]*)?\]", "polynomial ring"),
        (r"\\?pi_\{?1\}?\s*\([^()]*\)", "fundamental group"),
        (r"\\?gcd\s*\([^()]*\)", "greatest common divisor"),
        (r"\\otimes(?:_\w)?|⊗(?:_\w)?", "tensor product"),
        (r"\\mathcal\{?\s*P\}?\s*\([^()]*\)|\bP\([A-Z]\)", "power set"),
    )
)
"""What a notation is called."""
_SPOKEN = (
    *NOTATION,
    *((re.compile(pattern), words) for pattern, words in (
        (r"\\i*int(?![a-z])|∫", "integral"), (r"\\lim(?![a-z])", "limit"), (r"\\times(?![a-z])|×", "product"),
        (r"\\sum(?![a-z])|∑", "series"), (r"[a-zA-Z](?:'|\^\{?\\prime\}?)\s*\(", "derivative"),
    )),
)  # fmt: skip
"""What is said of a formula in words, which a query may use where the text has only the formula."""


def symbols(formula: str) -> list[str]:
    """The symbols of a formula in order, without braces, fonts and layout; the limits of large operators at the end."""
    text = FENCE.sub("", formula[:LONGEST].strip()).translate(SCRIPTS)
    text = NAMED.sub(lambda match: f"\\{match[1] or match[2]} ", text)
    found = [symbol for one in SYMBOL.findall(text) if (symbol := WRITTEN.get(one, one))]
    apart: list[str] = []
    main, _ = _linear(found, 0, len(found), apart, 0)
    return main + apart


def _linear(found: Sequence[str], at: int, end: int, apart: list[str], depth: int) -> tuple[list[str], int]:
    """Symbols from a position to the end of their group, with fractions on one line; and where they end."""
    made: list[str] = []
    while at < end:
        symbol = found[at]
        at += 1
        if symbol == "}":
            return made, at
        if symbol == "{":
            inner, at = _group(found, at, end, apart, depth)
            made += inner
        elif symbol == r"\frac":
            above, at = _argument(found, at, end, apart, depth)
            below, at = _argument(found, at, end, apart, depth)
            made += [*above, "/", *below]
        elif symbol in LARGE:
            made.append(symbol)
            while at < end and found[at] in "^_":
                limit, at = _argument(found, at + 1, end, apart, depth)
                apart += [BREAK, *limit]
        elif symbol != "_":
            made.append(symbol)
    return made, at


def _group(found: Sequence[str], at: int, end: int, apart: list[str], depth: int) -> tuple[list[str], int]:
    if depth < 50:
        return _linear(found, at, end, apart, depth + 1)
    # Braces as deep as this are no formula; they are read as if they were not there.
    return [], at


def _argument(found: Sequence[str], at: int, end: int, apart: list[str], depth: int) -> tuple[list[str], int]:
    if at >= end:
        return [], at
    if found[at] == "{":
        return _group(found, at + 1, end, apart, depth)
    return [found[at]], at + 1


def expanded(formula: str, macros: Mapping[str, Macro]) -> str:
    """A formula with the author's macros replaced by what they stand for."""
    budget = EXPANSIONS
    at = 0
    while budget and (match := _COMMAND.search(formula, at)) is not None and len(formula) <= LONGEST:
        macro = macros.get(match[1])
        if macro is None or macro.ending is not None:
            at = match.end()
            continue
        budget -= 1
        end, body = match.end(), macro.body
        for number, parameter in enumerate(macro.parameters, start=1):
            if parameter.kind == "group":
                value, end = _written(formula, end)
            else:
                value = "" if parameter.kind == "star" else parameter.default
                if parameter.kind == "option" and (option := _OPTION.match(formula, end)) is not None:
                    value, end = option[1], option.end()
            body = body.replace(f"#{number}", f"{{{value}}}")
        if f"\\{match[1]}" in macro.body:
            # A macro that is made from its old meaning: one step is enough.
            at = match.start() + len(body) + 2
        formula = f"{formula[: match.start()]}{{{body}}}{formula[end:]}"
    return formula


_OPTION = re.compile(r"\s*\[([^\[\]]*)\]")
_SPACE = re.compile(r"\s*")


def _written(text: str, at: int) -> tuple[str, int]:
    """The argument of a macro as it is written, and where it ends."""
    blank = _SPACE.match(text, at)
    at = blank.end() if blank else at
    if text[at : at + 1] != "{":
        command = _COMMAND.match(text, at)
        return (command[0], command.end()) if command else (text[at : at + 1], at + 1)
    depth = 0
    for place in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[at + 1 : place], place + 1
    return text[at + 1 :], len(text)


@lru_cache(maxsize=1 << 14)
def _shape(symbol: str) -> str:
    """One symbol for all letters."""
    return "a" if is_letter(symbol) else symbol


@lru_cache(maxsize=1 << 14)
def is_letter(symbol: str) -> bool:
    """Whether a symbol is a Latin or Greek letter."""
    look = latex_symbols.LETTERS.get(symbol[1:], "") if symbol[:1] == "\\" else symbol
    return len(look) == 1 and look.isalpha()


@lru_cache(maxsize=1 << 14)
def grams(formula: str) -> frozenset[int]:
    """The n-grams of a formula as 32-bit hashes.

    They are: 2, 3 and 5 symbols side by side, 4 symbols with all letters alike, and the parts between relations with
    their letters renamed in order, so that ``x^2 + y^2 = z^2`` is found by ``a^2 + b^2 = c^2``.
    """
    found: set[int] = set()
    for written in _runs(symbols(formula)):
        exact = [_number(symbol) for symbol in written]
        pairs = _joined(exact, exact[1:])
        triples = _joined(pairs, exact[2:])
        shapes = [_number(_shape(symbol)) for symbol in written]
        shape_pairs = _joined(shapes, shapes[1:])
        found.update(pairs, triples, _joined(triples, pairs[3:]), _joined(shape_pairs, shape_pairs[2:]), parts(written))
    return frozenset(found)


def _runs(written: Iterable[str]) -> Iterator[list[str]]:
    run: list[str] = []
    for symbol in written:
        if symbol == BREAK:
            yield run
            run = []
        else:
            run.append(symbol)
    yield run


def parts(written: Sequence[str]) -> list[int]:
    """The parts of a formula between relations, alone and in pairs, with their letters renamed in order."""
    cuts = [at for at, symbol in enumerate(written) if symbol in CUTS]
    starts, ends = [0, *(at + 1 for at in cuts)], [*cuts, len(written)]
    made: list[int] = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if 3 <= end - start <= 40:
            made.append(_renamed(written[start:end]))
        if number and end > start and 4 <= end - starts[number - 1] <= 60:
            made.append(_renamed(written[starts[number - 1] : end]))
    return made


def _renamed(written: Sequence[str]) -> int:
    names: dict[str, int] = {}
    return _number(" ".join(f"v{names.setdefault(one, len(names))}" if is_letter(one) else one for one in written))


def _joined(first: list[int], second: list[int]) -> list[int]:
    """The hashes of what is side by side."""
    return [(one * 1_000_003 ^ two) & 0xFFFFFFFF for one, two in zip(first, second, strict=False)]


@lru_cache(maxsize=1 << 16)
def _number(symbol: str) -> int:
    return zlib.crc32(symbol.encode("utf-8", "replace"))


@lru_cache(maxsize=1 << 14)
def spoken(formula: str) -> tuple[str, ...]:
    """The words by which a reader may ask for a formula: its operators, and the names of its notation."""
    named = (name.lower() for name in operator_names(formula))
    return (*named, *(word for pattern, words in _SPOKEN if pattern.search(formula) for word in words.split()))


def operator_names(formula: str) -> tuple[str, ...]:
    """The operators of a formula that name a notion, as words: ``gcd``, ``ker``, ``sqrt``."""
    return tuple(symbol[1:] for symbol in symbols(formula) if symbol in NOTIONS)


NOTIONS = frozenset(r"\gcd \lcm \ker \Ker \sqrt \hom \Hom \Ext \Tor \Spec \Proj \Pic \det \dim \Gal \Aut".split())
