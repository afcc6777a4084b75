"""Plain Unicode text of short sources such as titles, and text inside formulas."""

import re
from unicodedata import normalize

from naturalproofs.latex.arguments import ACCENT_MARKS, SPECIAL_LETTERS
from naturalproofs.latex.display.cursor import CannotRender, Cursor
from naturalproofs.latex.display.symbols import ALPHABETS, BRACKETS, FUNCTIONS, LARGE, LETTERS, LIMITS, OPERATORS
from naturalproofs.latex.macros import Macros
from naturalproofs.latex.vocabulary import REFERENCES

_PLAIN = {"~": "\u00a0", "\\ ": "\u00a0", "``": "“", "''": "”", "---": "—", "--": "–", "\\ldots": "…", "\\dots": "…"}
_REPLACED = re.compile("|".join(map(re.escape, sorted(_PLAIN, key=len, reverse=True))))
_ESCAPED = re.compile(r"\\([%&#_{}$])|[{}]")
_COMMAND = re.compile(r"\\(?![%&#_{}$])")
_REFERENCE = re.compile(r"\\[a-zA-Z]*ref\*?\{([^{}\\]*)\}")
_LETTERS = {
    **SPECIAL_LETTERS,
    "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "copyright": "©",
    "TeX": "TeX", "LaTeX": "LaTeX", "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–",
    "textemdash": "—", "textquotedblleft": "“", "textquotedblright": "”", "textquoteleft": "‘", "textquoteright": "’",
    "textbackslash": "\\", "textless": "<", "textgreater": ">", "textbar": "|", "qed": "□", "slash": "/",
    "and": " and ",
    "guillemotleft": "«", "guillemotright": "»", "textasciitilde": "~", "textdegree": "°", "pounds": "£", "euro": "€",
}  # fmt: skip


def formula_words(source: str) -> str:
    """Text inside a formula; the browser would drop spaces at its ends, TeX keeps them."""
    text = _REPLACED.sub(lambda m: _PLAIN[m.group()], _REFERENCE.sub(r"\1", source))
    if _COMMAND.search(text):
        raise CannotRender("a command in a text")
    text = _ESCAPED.sub(lambda m: m[1] or "", text)
    core = text.strip(" \n\t")
    if not core:
        return "\u00a0" if text else ""
    return ("\u00a0" if text[0].isspace() else "") + core + ("\u00a0" if text[-1].isspace() else "")


def accented(mark: str, letter: str) -> str | None:
    """A letter under an accent, as one sign where there is one."""
    if mark not in ACCENT_MARKS:
        return None
    base = {"\\i": "i", "\\j": "j"}.get(letter.strip(), letter.strip())
    return normalize("NFC", base[:1] + ACCENT_MARKS[mark] + base[1:]) if base else ""


def named_letter(name: str) -> str | None:
    """A letter or sign of text that has a name."""
    return _LETTERS.get(name)


_TOKEN = re.compile(r"\\(?:[a-zA-Z@]+\s*|.)|.", re.DOTALL)
_SUPERS = dict(zip("0123456789+-=()nit*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵗ*", strict=True))
_SUBS = dict(zip("0123456789+-=()aeoxijkn", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓᵢⱼₖₙ", strict=True))
_SIGNS = {**{f"\\{k}": v for k, v in {**LETTERS, **OPERATORS, **LARGE, **LIMITS}.items()}, **BRACKETS}
_SIZES = frozenset({"Big", "Bigl", "Bigr", "Bigm", "Bigg", "Biggl", "Biggr", "Large", "LARGE", "Huge"})
_WRITTEN = {"colim": "colim", "mid": "|", "quad": " ", "qquad": " ", "xrightarrow": "→"}
_OVER = {
    **dict.fromkeys(("tilde", "widetilde"), "\u0303"),
    **dict.fromkeys(("hat", "widehat"), "\u0302"),
    **dict.fromkeys(("bar", "overline"), "\u0304"),
    "acute": "\u0301",
    "grave": "\u0300",
    "check": "\u030c",
    "breve": "\u0306",
    "dot": "\u0307",
    "ddot": "\u0308",
    "vec": "\u20d7",
}
"""What is put over one letter; over several it would be over the last alone."""
_LOOSE = re.compile(r"[^\W]\s*[-+/=,⊕⊗×·∈≤≥<>:→]|[-+/=,⊕⊗×·∈≤≥<>:→]\s*\w")
"""A script of several signs, which must be seen to belong together."""
_TYPOGRAPHY = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"), ("'", "’"))


def plain_unicode(source: str, macros: Macros) -> str:
    """One line without markup; formulas become the nearest signs."""
    try:
        text = _plain(Cursor(source, macros), "")
    except (CannotRender, RecursionError):
        text = source
    for written, printed in _TYPOGRAPHY:
        text = text.replace(written, printed)
    return " ".join(text.replace("$", "").split())


def _plain(cursor: Cursor, font: str) -> str:
    parts: list[str] = []
    while cursor.at < len(cursor.text):
        here = cursor.text[cursor.at]
        if here.isspace() or here == "~":
            parts.append(" ")
            cursor.at += 1
            continue
        token = cursor.peek()
        if token == "{":
            parts.append(_plain(Cursor(cursor.group(), cursor.macros, cursor.budget), font))
            continue
        cursor.next()
        if token in ("^", "_"):
            script = cursor.argument()
            if script[1:].strip() in ALPHABETS:
                # As authors write it, \Mor_\mathcal{C}: the command brings its argument along.
                script += f"{{{cursor.argument()}}}"
            inner = _plain(Cursor(script, cursor.macros, cursor.budget), font)
            table = _SUPERS if token == "^" else _SUBS
            if all(s in table for s in inner):
                parts.append("".join(table[s] for s in inner))
            else:
                # a^{n/d} is not a^n/d.
                parts.append(f"{token}({inner})" if _LOOSE.search(inner) else f"{token}{inner}")
        elif token[:1] == "\\":
            parts.append(_command(token, cursor))
        elif token != "}":
            alphabet = ALPHABETS.get(font)
            parts.append("".join(map(alphabet.letter, token)) if alphabet else token)
    return "".join(parts)


def _command(token: str, cursor: Cursor) -> str:
    name = token[1:]
    if name in ALPHABETS:
        return _plain(Cursor(cursor.argument(), cursor.macros, cursor.budget), name)
    if token in _SIGNS and token != "\\.":
        return _SIGNS[token]
    if name in _OVER:
        inner = _plain(Cursor(cursor.argument(), cursor.macros, cursor.budget), "")
        return f"{inner}{_OVER[name]}" if len(inner) == 1 else inner
    if name in FUNCTIONS:
        return name
    if name in REFERENCES:
        cursor.option() if REFERENCES[name] == "bracket" else cursor.argument()
        return "" if REFERENCES[name] == "bracket" else "…"
    if (letter := named_letter(name)) is not None:
        return letter
    if not name[:1].isalpha() or (len(name) == 1 and name in "cvuHkrdb"):
        made = accented(name, cursor.argument()) if name in "'`^\"~=.cvuHkrdb" else None
        return made if made is not None else name if name in "%&#_$" else " "
    # An undefined command with a capital letter, such as \Spec, mostly prints its name.
    return name if name[:1].isupper() and name not in _SIZES else _WRITTEN.get(name, "")
