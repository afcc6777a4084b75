r"""ProofWiki's own LaTeX commands, expanded to standard LaTeX.

The wiki defines them for its own pages; ``\map f x`` is undefined elsewhere. The table gives the number of arguments
and the expansion of each command.
"""

import re
from string import ascii_uppercase

_FENCED: dict[tuple[str, str], str] = {
    ("(", ")"): "paren tuple struct bigparen ideal",
    (r"\{", r"\}"): "set multiset fractpart",
    ("[", "]"): "sqbrk bigsqbrk",
    (r"\lvert", r"\rvert"): "size card cmod order bigsize",
    (r"\lVert", r"\rVert"): "norm",
    (r"\lfloor", r"\rfloor"): "floor",
    (r"\lceil", r"\rceil"): "ceiling",
    (r"\langle", r"\rangle"): "sequence family gen polar",
}
"""By delimiters, the commands that put them around their one argument."""

_INTERVALS: dict[str, tuple[str, str]] = {
    "closedint": ("[", "]"),
    "openint": ("(", ")"),
    "hointl": ("(", "]"),
    "hointr": ("[", ")"),
    "closedrect": ("[[", "]]"),
    "openrect": ("((", "))"),
}

_WORDS = """
    Add Ai Area Arg Aut Bei Ber Card Cdm Char Ci Dic Dom Ei Ext Fix Frob Gal Hom Img Inn Int Ker Li Ln Log Mult
    Nil Orb Out PV Preimg Rng SO SU Si Spec Stab Syl Var adj am arccot arccsc arcosh arcoth arcsch arcsec arsech
    arsinh artanh cis cl cont cosec cov csch curl diam div erf erfc grad hav inj len li opname ord pr proj rank
    GL PGL SL hcf lcm rem sech sgn sn span supp tr var vers
""".split()
"""Commands that print their own name as an operator."""

_NAMES: dict[str, str] = {
    **{letter: rf"\mathbb {letter}" for letter in "CFHNPQRZ"},
    **{f"{letter}{letter}": rf"\mathcal {letter}" for letter in ascii_uppercase},
    "GF": r"\mathbb F",
    "d": r"\mathrm d",
    "rd": r"\, \mathrm d",
    "e": r"\mathrm e",
    "divides": r"\mathrel \backslash",
    "ds": r"\displaystyle",
    "ts": r"\textstyle",
    "symdif": r"\mathbin \triangle",
    "leadstoandfrom": r"\leftrightsquigarrow",
    "O": r"\varnothing",
    "T": r"\mathsf T",
    "hash": r"\#",
    "ii": r"\mathrm i",
    "bszero": r"\boldsymbol 0",
    "bsone": r"\boldsymbol 1",
    "EE": r"\mathcal E",
    "lt": "<",
    "gt": ">",
    "degrees": r"^\circ",
    "radians": r"\, \mathrm{rad}",
    "fahr": r"^\circ \mathrm F",
    "cels": r"^\circ \mathrm C",
    "leftset": r"\lbrace",
    "rightset": r"\rbrace",
    "leftparen": "(",
    "rightparen": ")",
    "bsx": r"\boldsymbol x",
    "bsv": r"\boldsymbol v",
}

_TEMPLATES: dict[str, tuple[int, str]] = {
    "map": (2, r"#1 \left( #2 \right)"),
    "inv": (2, r"#1^{-1} \left( #2 \right)"),
    "powerset": (1, r"\mathcal P \left( #1 \right)"),
    "relcomp": (2, r"\complement_{#1} \left( #2 \right)"),
    "eqclass": (2, r"\left[\!\left[ #1 \right]\!\right]_{#2}"),
    "expect": (1, r"\mathsf E \left( #1 \right)"),
    "condprob": (2, r"\Pr \left( #1 \mid #2 \right)"),
    "conjclass": (1, r"\mathrm C_{#1}"),
    "index": (2, r"\left[ #1 : #2 \right]"),
    "laptrans": (1, r"\mathcal L \left\{ #1 \right\}"),
    "invlaptrans": (1, r"\mathcal L^{-1} \left\{ #1 \right\}"),
    "valueat": (2, r"\left. #1 \right\rvert_{#2}"),
    "bigvalueat": (2, r"\left. #1 \right\rvert_{#2}"),
    "intlimits": (3, r"\left[ #1 \right]_{#2}^{#3}"),
    "bigintlimits": (3, r"\left[ #1 \right]_{#2}^{#3}"),
    "innerprod": (2, r"\left\langle #1, #2 \right\rangle"),
    "braket": (2, r"\left\langle #1 \mid #2 \right\rangle"),
    "dbinom": (2, r"{\displaystyle \binom{#1}{#2}}"),
    "Res": (2, r"\operatorname{Res} \left( #1, #2 \right)"),
    "Binomial": (2, r"\operatorname{B} \left( #1, #2 \right)"),
    "Bernoulli": (1, r"\operatorname{Bernoulli} \left( #1 \right)"),
    "Poisson": (1, r"\operatorname{Poisson} \left( #1 \right)"),
    "Exponential": (1, r"\operatorname{Exponential} \left( #1 \right)"),
    "Gaussian": (2, r"N \left( #1, #2 \right)"),
}

MACROS: dict[str, tuple[int, str]] = (
    {name: (1, rf"\left{left} #1 \right{right}") for (left, right), names in _FENCED.items() for name in names.split()}
    | {
        name: (2, rf"\left{left[0]} #1 \,.\,.\, #2 \right{right[0]}" if len(left) == 1 else rf"{left} #1, #2 {right}")
        for name, (left, right) in _INTERVALS.items()
    }
    | {name: (0, rf"\operatorname{{{name}}}") for name in _WORDS}
    | {name: (0, text) for name, text in _NAMES.items()}
    | _TEMPLATES
)
"""For every command, the number of its arguments and its expansion, with ``#1`` for the first one."""

MAX_DEPTH = 24
"""Maximal nesting of commands in arguments."""
MAX_BARE = 3
"""Maximal chain of commands as arguments without braces, as in ``\\map \\cl S``."""

# Grouped by the first letter, so that other commands are rejected after a few comparisons.
_BY_LETTER = {name[0]: [n[1:] for n in sorted(MACROS) if n[0] == name[0]] for name in MACROS}
_COMMAND = re.compile(
    r"\\(" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in _BY_LETTER.items()) + r")(?![A-Za-z])"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_TOKEN = re.compile(r"\s*(\\[A-Za-z]+|\\.|[^\s{}$])", re.DOTALL)
_SPACE = re.compile(r"\s*")
_PARAMETER = re.compile(r"#([1-3])")
_IN_PARTS = re.compile(r"(?:\\, )?\\(?:math[a-z]+|boldsymbol|operatorname)\b")
"""Expansions of more than one token."""
_ARGUMENT = re.compile(
    r"\\(?:[dt]?frac(?:\s*[^\s\\{}]|\s*\\[A-Za-z]+|\s*\{[^{}]*\})?|over(?:line|set|brace)|under(?:line|set|brace)|"
    r"wide(?:hat|tilde)|hat|tilde|bar|vec|d?dot|sqrt|math(?:op|rel|bin|ord)|stackrel)\s*\Z"
)
"""Standard commands before an argument that is written without braces."""
_STACKED = re.compile(r"\{([^{}]*)\\(brace|brack)(?![A-Za-z])([^{}]*)\}")
"""Numbers above one another in braces or brackets, as in ``{n \\brace m}``."""


def expand_macros(text: str) -> str:
    """Expand ProofWiki's own commands; a command with missing arguments stays as it is."""
    if "\\brac" in text:
        text = _STACKED.sub(_stacked, text)
    if "\\" not in text or _COMMAND.search(text) is None:
        return text
    return _Expander(text).expand(0, len(text), 0)


class _Expander:
    """Expands commands of one text, whose braces are matched once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._groups: dict[int, int] = {}
        opened: list[int] = []
        for match in _BRACE.finditer(text):
            if match[0] == "{":
                opened.append(match.start())
            elif match[0] == "}" and opened:
                self._groups[opened.pop()] = match.end()

    def expand(self, start: int, end: int, depth: int) -> str:
        """A span with its commands expanded."""
        pieces: list[str] = []
        while depth < MAX_DEPTH and (match := _COMMAND.search(self._text, start, end)):
            count, expansion = MACROS[match[1]]
            read = self._arguments(match.end(), end, count, 0)
            pieces.append(self._text[start : match.start()])
            if read is None:
                pieces.append(match[0])
                start = match.end()
                continue
            spans, start = read
            values = [self.expand(*span, depth + 1).strip() for span in spans]
            expanded = _filled(expansion, values)
            if (
                not count
                and _IN_PARTS.match(expanded)
                and _ARGUMENT.search(self._text[max(0, match.start() - 40) : match.start()])
            ):
                # As the argument of another command, several tokens need braces.
                expanded = f"{{{expanded}}}"
            # A command that ends in a letter must be separated from a following letter.
            glued = expanded[-1].isalpha() and self._text[start : start + 1].isalpha()
            pieces.append(expanded + " " if glued else expanded)
        pieces.append(self._text[start:end])
        return "".join(pieces)

    def _arguments(self, position: int, end: int, count: int, bare: int) -> tuple[list[tuple[int, int]], int] | None:
        """Find arguments as TeX does: a group in braces, or the next single token."""
        found: list[tuple[int, int]] = []
        for _ in range(count):
            space = _SPACE.match(self._text, position, end)
            position = space.end() if space is not None else position
            after = self._groups.get(position)
            if after is not None and after <= end:
                found.append((position + 1, after - 1))
                position = after
                continue
            token = _TOKEN.match(self._text, position, end)
            if token is None or bare > MAX_BARE:
                return None
            position = token.end()
            if token[1][:1] == "\\" and token[1][1:] in MACROS:
                # One of our commands includes its own arguments.
                inner = self._arguments(position, end, MACROS[token[1][1:]][0], bare + 1)
                if inner is None:
                    return None
                position = inner[1]
            found.append((token.start(1), position))
        return found, position


def _stacked(match: re.Match[str]) -> str:
    left, right = (r"\{", r"\}") if match[2] == "brace" else "[]"
    return rf"{{\left{left}\begin{{matrix}} {match[1].strip()} \\ {match[3].strip()} \end{{matrix}}\right{right}}}"


def _filled(expansion: str, values: list[str]) -> str:
    return _PARAMETER.sub(lambda hit: values[int(hit[1]) - 1], expansion) if values else expansion
