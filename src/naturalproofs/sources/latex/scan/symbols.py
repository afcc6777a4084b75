"""Symbols and mathematical alphabets by their LaTeX names; the tables are in ``data/latex_symbols.json``."""

import re
from collections.abc import Iterator, Mapping
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
DRAWN: Mapping[str, str] = _table("drawn")
"""What the style sheet draws, as wide as what stands below it: no character for it grows in every font."""
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


def _alphabets() -> Iterator[tuple[str, Alphabet]]:
    """The alphabets by command: where capitals, small letters and digits begin, what is elsewhere, and commands."""
    for row in _DATA["alphabets"]:
        capitals, smalls, digits, letters, characters, *names = row.split()
        elsewhere = dict(zip(letters, characters, strict=True))
        one = Alphabet(int(capitals, 16), int(smalls, 16), int(digits, 16), elsewhere)
        yield from ((name, one) for name in names)


_UPRIGHT = words("mathrm mathup mathit mathnormal symup symrm symit")
ALPHABETS: Mapping[str, Alphabet | None] = {**dict(_alphabets()), **dict.fromkeys(_UPRIGHT)}
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
    "mscr": "mathscr", "mfrak": "mathfrak", "Bbb": "mathbb", "mbf": "mathbf", "msans": "mathsf", "mtt": "mathtt",
    "mup": "mathup", "mit": "mathit",
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
    for prefix, command in _NAMED.items():
        letter, alphabet = name.removeprefix(prefix), ALPHABETS[command]
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
