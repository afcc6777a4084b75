"""The words of a text as the search in the browser sees them. `site-search.js` does the same with a query."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon "
    "phi chi psi omega"
).split()
_NAMES = {
    **{chr(0x3B1 + place): f" {name} " for place, name in enumerate(_GREEK)},
    "∑": " sum ", "∏": " prod ", "∫": " int ", "∞": " infty ", "∀": " forall ", "∃": " exists ", "∂": " partial ",
    "⊗": " otimes ", "⊕": " oplus ", "√": " sqrt ", "∅": " emptyset ", "∪": " cup ", "∩": " cap ", "⊂": " subset ",
    "→": " to ", "≅": " cong ", "≤": " leq ", "≥": " geq ",
}  # fmt: skip
_TABLE = str.maketrans(_NAMES)


def fold(text: str) -> str:
    """Lower case, without accents; superscripts as digits; signs and Greek letters by the names LaTeX gives them."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).lower().translate(_TABLE)


def stem(word: str) -> str:
    """The singular of a regular English plural."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") and len(word) > 4 else word[:-1]


def words(text: str) -> list[str]:
    """The words of a text; single letters are no words."""
    return [stem(word) for word in _WORD.findall(fold(text)) if len(word) > 1]


def exact(name: str) -> str:
    """A whole title, label, number or tag as one word of the index."""
    return "=" + " ".join(fold(name).split())
