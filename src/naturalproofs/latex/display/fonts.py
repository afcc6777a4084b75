"""Mathematical alphabets: a letter in blackboard bold, script, fraktur … is a character of its own in Unicode."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Alphabet:
    """Where an alphabet starts in Unicode, and the letters that had a place before it came."""

    capitals: int
    smalls: int
    digits: int = 0
    exceptions: Mapping[str, str] = field(default_factory=dict)

    def letter(self, sign: str) -> str:
        """The sign in this alphabet, or as it is."""
        if sign in self.exceptions:
            return self.exceptions[sign]
        for first, last, start in (("A", "Z", self.capitals), ("a", "z", self.smalls), ("0", "9", self.digits)):
            if start and first <= sign <= last:
                return chr(start + ord(sign) - ord(first))
        return sign


def _exceptions(letters: str, signs: str) -> dict[str, str]:
    return dict(zip(letters, signs, strict=True))


_SCRIPT = Alphabet(0x1D49C, 0x1D4B6, exceptions=_exceptions("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ"))
_FRAKTUR = Alphabet(0x1D504, 0x1D51E, exceptions=_exceptions("CHIRZ", "ℭℌℑℜℨ"))
_DOUBLE = Alphabet(0x1D538, 0x1D552, 0x1D7D8, _exceptions("CHNPQRZ", "ℂℍℕℙℚℝℤ"))
_BOLD = Alphabet(0x1D400, 0x1D41A, 0x1D7CE)
_BOLD_ITALIC = Alphabet(0x1D468, 0x1D482, 0x1D7CE)
_SANS = Alphabet(0x1D5A0, 0x1D5BA, 0x1D7E2)
_MONO = Alphabet(0x1D670, 0x1D68A, 0x1D7F6)

ALPHABETS: Mapping[str, Alphabet | None] = {
    "mathbb": _DOUBLE,
    "Bbb": _DOUBLE,
    "mathds": _DOUBLE,
    "mathbbm": _DOUBLE,
    "mathcal": _SCRIPT,
    "mathscr": _SCRIPT,
    "mathfrak": _FRAKTUR,
    "frak": _FRAKTUR,
    "mathbf": _BOLD,
    "boldsymbol": _BOLD_ITALIC,
    "bm": _BOLD_ITALIC,
    "pmb": _BOLD,
    "mathsf": _SANS,
    "mathtt": _MONO,
    "mathrm": None,
    "mathup": None,
    "mathit": None,
    "mathnormal": None,
}
"""By command; None for the letters of the text, upright or slanted."""

UPRIGHT_COMMANDS = frozenset({"mathrm", "mathup"})
SWITCHES: Mapping[str, str] = {
    "rm": "mathrm",
    "bf": "mathbf",
    "it": "mathit",
    "cal": "mathcal",
    "sf": "mathsf",
    "tt": "mathtt",
    "bold": "mathbf",
    "em": "mathit",
    "mit": "mathnormal",
}
"""Old commands that hold to the end of their group."""
