"""The index of the search in the browser: BM25 weights by term, in parts small enough to be loaded one by one.

The parts are scripts and not JSON, since a page that is opened as a file may load scripts but no data.
`site-search.js` folds and stems the words of a query in the same way.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

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


TERMS_SIZE = 48_000
"""About how many bytes of terms a part holds."""
AT_ONCE = 32
"""Statements whose summaries are in one part."""
POSTINGS = 1_500
"""Statements listed for a term: those with the highest weights. More tell nothing about which one is meant."""
TITLE, NAME = 5, 4
"""How many times a word of the title, or of the label, counts."""
SCALE = 8
EXACT = 400
"""The weight of a statement whose whole title, label, number or tag is the query; far more than words can reach."""
_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement in the index."""

    page: str
    """The name of its page, without the suffix."""
    kind: int
    name: str
    summary: str
    """Safe HTML."""
    where: str
    title: str
    label: str
    text: str
    """As plain text."""
    names: tuple[str, ...]
    """What it is found by as a whole: title, label, number, tag."""


def search_files(entries: Sequence[Entry]) -> Iterator[tuple[str, bytes]]:
    """The scripts of the index, with their paths."""
    terms = sorted(_weights(entries).items())
    parts = _split(terms)
    for number, part in enumerate(parts):
        yield f"search/terms-{number}.js", _script("terms", number, [value for pair in part for value in pair])
    for number, start in enumerate(range(0, len(entries), AT_ONCE)):
        shown = [[one.page, one.kind, one.name, one.summary, one.where] for one in entries[start : start + AT_ONCE]]
        yield f"search/statements-{number}.js", _script("statements", number, shown)
    head = {"terms": [part[0][0] for part in parts], "atOnce": AT_ONCE, "count": len(entries), "exact": EXACT}
    yield "search/index.js", f"naturalproofsIndex = {msgspec.json.encode(head).decode()};\n".encode()


def graph_file(data: object) -> tuple[str, bytes]:
    """The script with the graph, and its path."""
    return "search/graph-0.js", _script("graph", 0, data)


def _script(kind: str, number: int, data: object) -> bytes:
    return f"naturalproofsPart('{kind}', {number}, ".encode() + msgspec.json.encode(data) + b");\n"


def _weights(entries: Sequence[Entry]) -> dict[str, list[int]]:
    """By term: the difference to the statement before, and the weight, in turn."""
    counts = [_counts(entry) for entry in entries]
    lengths = [sum(count.values()) for count in counts]
    average = sum(lengths) / max(1, len(lengths)) or 1.0
    found: dict[str, list[tuple[int, int]]] = {}
    frequency = Counter(term for count in counts for term in count)
    rarity = {term: math.log(1 + (len(entries) - n + 0.5) / (n + 0.5)) for term, n in frequency.items()}
    for number, (entry, count, length) in enumerate(zip(entries, counts, lengths, strict=True)):
        norm = _K1 * (1 - _B + _B * length / average)
        for term, times in count.items():
            weight = round(SCALE * rarity[term] * times * (_K1 + 1) / (times + norm))
            if weight:
                found.setdefault(term, []).append((number, weight))
        for name in dict.fromkeys(map(exact, filter(None, entry.names))):
            found.setdefault(name, []).append((number, EXACT))
    return {term: _encoded(pairs) for term, pairs in found.items()}


def _counts(entry: Entry) -> Counter[str]:
    count = Counter(words(entry.text))
    for text, times in ((entry.title, TITLE), (entry.label, NAME), (entry.name, 1)):
        for word in words(text):
            count[word] += times
    return count


def _encoded(pairs: list[tuple[int, int]]) -> list[int]:
    if len(pairs) > POSTINGS:
        pairs = sorted(sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:POSTINGS])
    encoded, last = [], 0
    for number, weight in pairs:
        encoded += [number - last, weight]
        last = number
    return encoded


def _split(terms: list[tuple[str, list[int]]]) -> list[list[tuple[str, list[int]]]]:
    parts: list[list[tuple[str, list[int]]]] = []
    size = TERMS_SIZE
    for term, postings in terms:
        if size >= TERMS_SIZE:
            parts.append([])
            size = 0
        parts[-1].append((term, postings))
        size += len(term) + 3 * len(postings) + 6
    return parts
