"""The search index of a written site: what the index of the corpus holds, as scripts that a browser loads in parts.

``static/site-ranking.js`` ranks by it as `naturalproofs.workspace.search` does. A table is sorted by its keys and
written in parts; the first key of each part is known, so that a query loads only what its words and formulas need.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec

from naturalproofs.records import KINDS
from naturalproofs.workspace.search.documents import BREAK, FIELDS, PHRASE_FIELDS, field_counts
from naturalproofs.workspace.search.index import COLUMNS, COMMON_GRAM, SearchIndex
from naturalproofs.workspace.search.ranking import telling
from naturalproofs.workspace.search.rules import rules

PART_SIZE = 32_000
"""About how many bytes a part of a table has."""
AT_ONCE = 32
"""Statements that are shown by one part."""
SCALE = 1000
"""By what weighted counts are multiplied before they are rounded."""
_TEXT = list(FIELDS).index("text")


def search_files(index: SearchIndex, shown: Sequence[Any], names: Mapping[str, int]) -> Iterator[tuple[str, bytes]]:
    """The scripts of an index, with their paths.

    Args:
        index: The index of the corpus.
        shown: What the list of results shows of each statement, in order.
        names: Further names of statements, in lower case: the tags of the site.
    """
    tables: dict[str, Iterator[tuple[str, Any]]] = {
        "terms": _terms(index),
        "places": _places(index),
        "names": _names(index, names),
        "formulas": _formulas(index),
    }
    firsts: dict[str, list[str]] = {}
    for kind, rows in tables.items():
        firsts[kind] = []
        for number, part in enumerate(_parts(rows)):
            firsts[kind].append(next(iter(part)))
            yield script(kind, number, part)
    for number, start in enumerate(range(0, len(shown), AT_ONCE)):
        yield script("statements", number, shown[start : start + AT_ONCE])
    yield script("facets", 0, _facets(index))
    yield script("vectors", 0, _vectors(index))
    yield script("search", 0, {"name": index.name, "firsts": firsts, "rules": rules(), **_statistics(index)})


def script(kind: str, number: int, data: object) -> tuple[str, bytes]:
    """A part of the index with its path."""
    return f"search/{kind}-{number}.js", f"naturalproofsPart('{kind}',{number},".encode() + _JSON.encode(data) + b");\n"


_JSON = msgspec.json.Encoder()


def _parts(rows: Iterable[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows of a table in the order of their keys in JavaScript, a part at a time."""
    part: dict[str, Any] = {}
    size = 0
    for key, value in sorted(rows, key=lambda row: row[0].encode("utf-16-be", "surrogatepass")):
        part[key] = msgspec.Raw(_JSON.encode(value))
        size += len(key) + len(part[key])
        if size >= PART_SIZE:
            yield part
            part, size = {}, 0
    if part:
        yield part


def _terms(index: SearchIndex) -> Iterator[tuple[str, Any]]:
    """By term: for each statement its distance to the one before, the weighted count and the count in its text."""
    terms = dict.fromkeys(index.column("SELECT term FROM term"))
    postings: dict[str, list[int]] = {term: [] for term in terms}
    last = dict.fromkeys(terms, 0)
    for position, *values in index.rows(f"SELECT position - 1, {COLUMNS} FROM statement ORDER BY position"):
        text = Counter(telling(values[_TEXT]))
        for term, count in field_counts(values, index.lengths, terms.keys()).items():
            postings[term] += (position - last[term], round(SCALE * count), text[term])
            last[term] = position
    vectors = dict(index.rows("SELECT term, vector FROM term WHERE vector NOT NULL"))
    for term, posting in postings.items():
        yield term, [posting, *([_bytes(vectors[term])] if term in vectors else [])]


def _places(index: SearchIndex) -> Iterator[tuple[str, list[list[int]]]]:
    """By term: each statement that shows it, and the places of its tokens there, for phrases in quotes."""
    found: dict[str, list[list[int]]] = {}
    for position, *values in index.rows(f"SELECT position - 1, {', '.join(PHRASE_FIELDS)} FROM statement"):
        # No phrase goes on from one field to the next.
        for place, term in enumerate(f" {BREAK} ".join(values).split()):
            rows = found.setdefault(term, [])
            if not rows or rows[-1][0] != position:
                rows.append([position])
            rows[-1].append(place)
    found.pop(BREAK, None)
    yield from found.items()


def _names(index: SearchIndex, names: Mapping[str, int]) -> Iterator[tuple[str, list[int]]]:
    """By field and name the statements that have it, the most used first."""
    found: dict[str, list[int]] = {}
    columns = "field, name.name, name.position - 1"
    for field, name, position in index.rows(
        f"SELECT {columns} FROM name JOIN statement USING (position) ORDER BY used DESC, position"
    ):
        found.setdefault(f"{field}:{name}", []).append(position)
    for name, position in names.items():
        found[f"tag:{name}"] = [position]
    yield from found.items()


def _formulas(index: SearchIndex) -> Iterator[tuple[str, list[int]]]:
    """By n-gram of symbols the statements that have it, each by its distance to the one before."""
    for gram, rows in groupby(index.rows("SELECT term, doc - 1 FROM gram"), key=itemgetter(0)):
        positions = [position for _, position in rows][:COMMON_GRAM]
        yield gram.zfill(8), [one - before for before, one in zip([0, *positions], positions, strict=False)]


def _facets(index: SearchIndex) -> dict[str, dict[str, list[int]]]:
    """What filters ask for: by facet and value the statements."""
    found: dict[str, dict[str, list[int]]] = {}
    for facet, value, position in index.rows("SELECT facet, value, position - 1 FROM facet"):
        found.setdefault(facet, {}).setdefault(value, []).append(position)
    return found


def _statistics(index: SearchIndex) -> dict[str, Any]:
    """The terms with their frequencies, and what the ranking asks of every statement."""
    used, grams, lengths = [], [], []
    for number, count, text in index.rows("SELECT used, grams, text FROM statement ORDER BY position"):
        used.append(number)
        grams.append(count)
        lengths.append(len(telling(text)))
    statements = [index.statement(position) for position in range(1, index.size + 1)]
    return {
        "atOnce": AT_ONCE,
        "vocabulary": [value for row in index.rows("SELECT term, documents FROM term") for value in row],
        "kinds": [KINDS.index(one.kind) for one in statements],
        "forms": [(one.form or one.kind).casefold() for one in statements],
        "used": used,
        "grams": grams,
        "lengths": lengths,
    }


def _vectors(index: SearchIndex) -> list[tuple[float, str]]:
    """The vectors of meaning of the statements."""
    return [] if index.vectors is None else [_bytes(row.tobytes(), row.dtype.name) for row in index.vectors]


def _bytes(vector: bytes, kind: str = "float16") -> tuple[float, str]:
    """A vector as its scale and a byte for each number."""
    import numpy as np

    values = np.frombuffer(vector, kind).astype(np.float32)
    scale = float(np.abs(values).max(initial=0.0)) / 127 or 1.0
    return round(scale, 7), b64encode(np.round(values / scale).astype(np.int8).tobytes()).decode()
