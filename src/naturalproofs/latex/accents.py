r"""Letters that TeX writes with commands, ``\'e`` or ``\ss``, as the letters they are."""

import re
import unicodedata

_MARKS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "c": "\u0327", "k": "\u0328", "d": "\u0323",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å",
    "i": "i", "j": "j",
}  # fmt: skip
_ACCENT = re.compile(r"\\(?:([`'^~=.\"])\s*+|([uvHckdr])(?:\s++|(?=\{)))(?:\{\s*+\\?([a-zA-Z])\s*+\}|\\?([a-zA-Z]))")
_LETTER = re.compile(r"\\(ss|ae|AE|oe|OE|o|O|l|L|aa|AA|i|j)(?![a-zA-Z])(?:\{\}|\s++)?+")


def plain_letters(source: str) -> str:
    """Replace accents and special letters; everything else stays as it is."""
    if "\\" not in source:
        return source
    accented = _ACCENT.sub(lambda match: _combined(match[3] or match[4], match[1] or match[2]), source)
    return _LETTER.sub(lambda match: _LETTERS[match[1]], accented)


def _combined(letter: str, mark: str) -> str:
    return unicodedata.normalize("NFC", letter + _MARKS[mark])
