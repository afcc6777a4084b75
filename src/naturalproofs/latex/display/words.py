"""Words inside formulas, and accents: text that is set as text."""

import re
from unicodedata import normalize

from naturalproofs.latex.display.cursor import NotShown

_PLAIN = {"~": "\u00a0", "\\ ": "\u00a0", "``": "“", "''": "”", "---": "—", "--": "–", "\\ldots": "…", "\\dots": "…"}
_REPLACED = re.compile("|".join(map(re.escape, sorted(_PLAIN, key=len, reverse=True))))
_ESCAPED = re.compile(r"\\([%&#_{}$])|[{}]")
_COMMAND = re.compile(r"\\(?![%&#_{}$])")
_MARKS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "l": "ł", "L": "Ł",
    "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "copyright": "©",
    "TeX": "TeX", "LaTeX": "LaTeX", "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–",
    "textemdash": "—", "textquotedblleft": "“", "textquotedblright": "”", "textquoteleft": "‘", "textquoteright": "’",
    "textbackslash": "\\", "textless": "<", "textgreater": ">", "textbar": "|", "qed": "□", "slash": "/",
    "and": " and ",
    "guillemotleft": "«", "guillemotright": "»", "textasciitilde": "~", "textdegree": "°", "pounds": "£", "euro": "€",
}  # fmt: skip


def formula_words(source: str) -> str:
    """Text inside a formula; the browser would drop spaces at its ends, TeX keeps them."""
    text = _REPLACED.sub(lambda m: _PLAIN[m.group()], source)
    if _COMMAND.search(text):
        raise NotShown("a command in a text")
    text = _ESCAPED.sub(lambda m: m[1] or "", text)
    core = text.strip(" \n\t")
    if not core:
        return "\u00a0" if text else ""
    return ("\u00a0" if text[0].isspace() else "") + core + ("\u00a0" if text[-1].isspace() else "")


def accented(mark: str, letter: str) -> str | None:
    """A letter under an accent, as one sign where there is one."""
    if mark not in _MARKS:
        return None
    base = {"\\i": "i", "\\j": "j"}.get(letter.strip(), letter.strip())
    return normalize("NFC", base[:1] + _MARKS[mark] + base[1:]) if base else ""


def named_letter(name: str) -> str | None:
    """A letter or sign of text that has a name."""
    return _LETTERS.get(name)
