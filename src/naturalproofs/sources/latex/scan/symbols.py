"""Symbols and mathematical alphabets by their LaTeX names; the tables are in ``data/latex_symbols.json``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

import msgspec

_FILE = resources.files("naturalproofs.data") / "latex_symbols.json"
_DATA: Mapping[str, list[str]] = msgspec.json.decode(_FILE.read_bytes())


def words(names: str) -> list[str]:
    """Names written side by side."""
    return names.split()


def _listed(name: str) -> list[str]:
    return " ".join(_DATA[name]).split()


def _table(name: str) -> dict[str, str]:
    cells = _listed(name)
    return dict(zip(cells[::2], cells[1::2], strict=True))


LETTERS: Mapping[str, str] = _table("letters")
"""Letters and other symbols that stand for something."""
UPRIGHT = frozenset("ΓΔΘΛΞΠΣΥΦΨΩ∞∅∀∃∄⊤⊥…⋯⋮⋱□■△◇★∂∇ℵ†‡§¶✓")
"""Those that are never slanted."""
OPERATORS: Mapping[str, str] = _table("operators")
"""Binary operators, relations and arrows; their spacing is the browser's."""
BRACKETS: Mapping[str, str] = {**_table("brackets"), ".": ""}
r"""What may follow \left and \right; all but the symbols of comparison are brackets elsewhere too."""
LARGE: Mapping[str, str] = _table("large")
"""Large operators whose limits stand above and below in displays."""
INTEGRALS: Mapping[str, str] = _table("integrals")
FUNCTIONS = frozenset(_listed("functions"))
"""Names of functions; some are used by custom, in texts that do not define them."""
LIMITS: Mapping[str, str] = {
    **{name: name for name in words("colim det gcd inf lim max min Pr sup")},
    "limsup": "lim sup", "liminf": "lim inf", "injlim": "inj lim", "projlim": "proj lim", "varinjlim": "lim→",
    "varprojlim": "lim←", "varlimsup": "lim sup", "varliminf": "lim inf", "argmax": "arg max", "argmin": "arg min",
}  # fmt: skip
"""Names of operators whose limits stand below in displays."""

ACCENTS: Mapping[str, str] = _table("accents")
"""What goes above."""
UNDER: Mapping[str, str] = _table("under")
ARROWS: Mapping[str, str] = _table("arrows")
"""Arrows that grow with what stands above them."""
SYMBOLS_WITHOUT_CHARACTER = frozenset(_listed("without_character"))
"""Symbols of packages that are written with a capital letter: no names of operators."""
DIAGRAMS = frozenset(_listed("diagrams"))
"""Environments and commands that draw."""
SPACES: Mapping[str, str] = {
    ",": "0.17em", ":": "0.22em", ">": "0.22em", ";": "0.28em", "!": "-0.17em", " ": "0.25em", "\n": "0.25em",
    "quad": "1em", "qquad": "2em", "enspace": "0.5em", "enskip": "0.5em", "thinspace": "0.17em", "medspace": "0.22em",
    "thickspace": "0.28em", "negthinspace": "-0.17em", "space": "0.25em", "hfill": "1em",
}  # fmt: skip

NEGATED: Mapping[str, str] = _table("negated")


@dataclass(frozen=True)
class Alphabet:
    """Where an alphabet starts in Unicode, and the letters that had a place before it came."""

    capitals: int
    smalls: int
    digits: int = 0
    exceptions: Mapping[str, str] = field(default_factory=dict)

    def letter(self, symbol: str) -> str:
        """The symbol in this alphabet, or as it is."""
        if symbol in self.exceptions:
            return self.exceptions[symbol]
        for first, last, start in (("A", "Z", self.capitals), ("a", "z", self.smalls), ("0", "9", self.digits)):
            if start and first <= symbol <= last:
                return chr(start + ord(symbol) - ord(first))
        return symbol


def _exceptions(letters: str, characters: str) -> dict[str, str]:
    return dict(zip(letters, characters, strict=True))


_SCRIPT = Alphabet(0x1D49C, 0x1D4B6, exceptions=_exceptions("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ"))
_FRAKTUR = Alphabet(0x1D504, 0x1D51E, exceptions=_exceptions("CHIRZ", "ℭℌℑℜℨ"))
_DOUBLE = Alphabet(0x1D538, 0x1D552, 0x1D7D8, _exceptions("CHNPQRZ", "ℂℍℕℙℚℝℤ"))
_BOLD = Alphabet(0x1D400, 0x1D41A, 0x1D7CE)
_BOLD_ITALIC = Alphabet(0x1D468, 0x1D482, 0x1D7CE)
_SANS = Alphabet(0x1D5A0, 0x1D5BA, 0x1D7E2)
_BOLD_SANS = Alphabet(0x1D5D4, 0x1D5EE, 0x1D7EC)
_SANS_ITALIC = Alphabet(0x1D608, 0x1D622, 0x1D7E2)
_BOLD_SANS_ITALIC = Alphabet(0x1D63C, 0x1D656, 0x1D7EC)
_BOLD_SCRIPT = Alphabet(0x1D4D0, 0x1D4EA)
_BOLD_FRAKTUR = Alphabet(0x1D56C, 0x1D586)
_MONO = Alphabet(0x1D670, 0x1D68A, 0x1D7F6)

ALPHABETS: Mapping[str, Alphabet | None] = {
    **dict.fromkeys(words("mathbb Bbb mathds mathbbm mathbbmss mathbbold symbb"), _DOUBLE),
    **dict.fromkeys(words("mathcal mathscr EuScript symcal symscr"), _SCRIPT),
    **dict.fromkeys(words("mathfrak frak symfrak"), _FRAKTUR),
    **dict.fromkeys(words("mathbf pmb symbf"), _BOLD),
    **dict.fromkeys(words("mathbfcal mathbfscr symbfcal symbfscr"), _BOLD_SCRIPT),
    **dict.fromkeys(words("mathbffrak symbffrak"), _BOLD_FRAKTUR),
    **dict.fromkeys(words("mathbfit symbfit boldsymbol bm"), _BOLD_ITALIC),
    **dict.fromkeys(words("mathsf symsf"), _SANS),
    **dict.fromkeys(words("mathbfsf symbfsf"), _BOLD_SANS),
    **dict.fromkeys(words("mathsfit symsfit"), _SANS_ITALIC),
    **dict.fromkeys(words("mathbfsfit symbfsfit mathsfbfit"), _BOLD_SANS_ITALIC),
    **dict.fromkeys(words("mathtt symtt"), _MONO),
    **dict.fromkeys(words("mathrm mathup mathit mathnormal symup symrm symit"), None),
}
"""By command; None for the letters of the text, upright or slanted."""

_FAMILIES = re.compile(
    r"(?P<mathscr>pzc|.*(?:scr|eus|rsfs|cal|zapf|boondox|dutchcal).*|.*mathx)|(?P<mathfrak>.*(?:frak|euf|goth|ygot|swab).*)"
    r"|(?P<mathbb>bbm(?:ss)?|bbold|msb|U?fplm|dsrom|dsss|.*bb.*)|(?P<mathtt>cmtt|lmtt|pcr|.*tt(?:default)?)"
    r"|(?P<mathsf>cmss|lmss|phv|iwona|.*(?:sf|ss)(?:default)?|\\sfdefault)"
    r"|(?P<mathrm>cmr|lmr|ptm|ppl|pbk|pnc|.*rm(?:default)?|\\rmdefault|cmm|zplm|txr|pxr)"
)
"""The alphabets by the names of families of fonts."""
_BOLD_OF = {"mathscr": "mathbfscr", "mathfrak": "mathbffrak", "mathsf": "mathbfsf", "mathrm": "mathbf"}
_SLANTED_OF = {"mathsf": "mathsfit", "mathrm": "mathit", "mathbfsf": "mathbfsfit", "mathbf": "mathbfit"}


def alphabet_of(family: str, series: str, shape: str) -> str:
    """The command for the alphabet that a font is like; empty if nobody knows."""
    match = _FAMILIES.fullmatch(family.lower())
    name = (match.lastgroup or "") if match else ""
    if series.lower().startswith(("b", "eb", "\\bf")):
        name = _BOLD_OF.get(name, name)
    return _SLANTED_OF.get(name, name) if shape.lower() in ("it", "sl", "\\itdefault", "\\sldefault") else name


UPRIGHT_COMMANDS = frozenset({"mathrm", "mathup", "symup", "symrm"})
SWITCHES: Mapping[str, str] = {
    "rm": "mathrm", "bf": "mathbf", "it": "mathit", "cal": "mathcal", "sf": "mathsf", "tt": "mathtt", "bold": "mathbf",
    "em": "mathit", "mit": "mathnormal",
}  # fmt: skip
"""Old commands that hold to the end of their group."""


_BOLD_COMMANDS = frozenset({"boldsymbol", "bm", "pmb"})
_BOLDENED = {
    **dict.fromkeys(("mathcal", "mathscr", "EuScript", "symcal", "symscr"), "mathbfscr"),
    **dict.fromkeys(("mathfrak", "frak", "symfrak"), "mathbffrak"),
    **dict.fromkeys(("mathsf", "symsf"), "mathbfsf"),
    **dict.fromkeys(("mathsfit", "symsfit"), "mathbfsfit"),
    **dict.fromkeys(("mathrm", "mathup", "symup", "symrm"), "mathbf"),
    **dict.fromkeys(("mathit", "mathnormal", "symit"), "mathbfit"),
}


def font_inside(font: str, outer: str) -> str:
    r"""The command for an alphabet inside of another: ``\bm{\mathcal{A}}`` is a bold letter of the script."""
    return _BOLDENED.get(font, font) if outer in _BOLD_COMMANDS else font


_NAMED = {
    "mscr": _SCRIPT, "mfrak": _FRAKTUR, "Bbb": _DOUBLE, "mbf": _BOLD, "msans": _SANS, "mtt": _MONO, "mup": None,
    "mit": None,
}  # fmt: skip


_GREEK_VARIANTS = "ϵϑϰϕϱϖ"
_BOLD_GREEK: Mapping[str, tuple[int, int, int, int]] = {
    **dict.fromkeys(("boldsymbol", "bm"), (0x1D6A8, 0x1D736, 0x1D74F, 0x1D735)),
    **dict.fromkeys(("pmb", "symbf"), (0x1D6A8, 0x1D6C2, 0x1D6DB, 0x1D6C1)),
    "mathbf": (0x1D6A8, 0, 0, 0),
}
"""Where the bold capitals, the bold small letters, ∂ (the variants follow it) and ∇ are, by the command for bold."""


def bold_greek(symbol: str, font: str) -> str:
    """A Greek letter in bold, if that is the font; any other symbol as it is."""
    if font not in _BOLD_GREEK or len(symbol) != 1:
        return symbol
    capitals, smalls, partial, nabla = _BOLD_GREEK[font]
    if "Α" <= symbol <= "Ω":
        return chr(capitals + ord(symbol) - ord("Α"))
    if smalls and "α" <= symbol <= "ω":
        return chr(smalls + ord(symbol) - ord("α"))
    if partial and symbol in "∂∇":
        return chr(partial if symbol == "∂" else nabla)
    return chr(partial + 1 + _GREEK_VARIANTS.index(symbol)) if partial and symbol in _GREEK_VARIANTS else symbol


def named_letter(name: str) -> str | None:
    r"""The letter that unicode-math calls so: ``\mscrA``, ``\muplambda``."""
    for prefix, alphabet in _NAMED.items():
        letter = name.removeprefix(prefix)
        if letter != name and (len(letter) == 1 or letter in LETTERS):
            symbol = LETTERS.get(letter, letter) if len(letter) > 1 else letter
            return alphabet.letter(symbol) if alphabet else symbol
    return None


def character(code: str) -> str | None:
    r"""The character of ``\symbol{"22A5}``, if it is a visible one."""
    digits = code.strip()
    if not re.fullmatch(r'"[0-9A-Fa-f]{2,6}', digits) or int(digits[1:], 16) > 0x10FFFF:
        return None
    symbol = chr(int(digits[1:], 16))
    return symbol if symbol.isprintable() else None


BUILT_IN = frozenset(_listed("built_in")).union(
    LETTERS, OPERATORS, LARGE, INTEGRALS, FUNCTIONS, LIMITS, ACCENTS, UNDER, ARROWS, ALPHABETS
)
"""Commands that print something without a definition of the author."""
