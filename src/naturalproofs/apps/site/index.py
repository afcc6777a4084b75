"""The search index of a written site: what the index of the corpus holds, as scripts that a browser loads in parts.

``static/site-ranking.js`` ranks by it as `naturalproofs.workspace.search` does. A table is sorted by its keys and
written in parts; the first key of each part is known, so that a query loads only what its words and formulas need. The
rules of search are data as well: constants, tables and patterns, so that only the steps are written twice.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from operator import itemgetter
from types import ModuleType
from typing import Any

import msgspec

from naturalproofs import tokens
from naturalproofs.records import KINDS
from naturalproofs.sources.latex import symbols
from naturalproofs.workspace.search import formulas, query, ranking, text
from naturalproofs.workspace.search import index as search_index
from naturalproofs.workspace.search.documents import BREAK, FIELDS, PHRASE_FIELDS, field_counts
from naturalproofs.workspace.search.index import COLUMNS, COMMON_GRAM, SearchIndex
from naturalproofs.workspace.search.ranking import telling

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
    yield script("search", 0, {"name": index.name, "firsts": firsts, "rules": _rules(), **_statistics(index)})


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
    for number, count, shown in index.rows("SELECT used, grams, text FROM statement ORDER BY position"):
        used.append(number)
        grams.append(count)
        lengths.append(len(telling(shown)))
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


# The rules: what a query means, and how much each evidence counts.

_NAMES: dict[ModuleType, str] = {
    text: "PIECE ENDINGS SHORTEST STOP KINDS_OF_RESULT",
    query: "SAME NOTATION_ONLY MOST NAME OTHERS ALIKE LONGEST MOST_WORDS FILTERS PART GROUPED CITED MATHS LONG_WORD "
    "LETTERS OPERATOR MODIFIER DEFINITION CLAIM",
    formulas: "LONGEST FENCE SYMBOL NAMED NAMED_OPERATORS WRITTEN SCRIPTS LARGE CUTS NOTATION NOTIONS",
    symbols: "LETTERS",
    search_index: "COMMON_GRAM MAX_ALTERNATIVES SHORTEST_CORRECTED LONGEST_CORRECTED SHORTEST_TWICE_WRONG MAX_COMPARED "
    "MAX_NAMED MAX_DEFINING NUMBER",
    ranking: "CANDIDATES FEWER_CANDIDATES FIRST_STAGE_WORDS FIRST_STAGE_SHARE CHANCE PREFIX_SHARE CORRECTED_SHARE "
    "ALIKE_SHARE SELDOM OFTENER SHORTEST_SLIP ENOUGH FORMULA_WEIGHT FORMULA_LENGTH TEXT_WEIGHT LONG_TEXT TERM_WEIGHT "
    "USED_WEIGHT MOST_USED OTHER_KINDS KIND_OF_RESULT MEANING_WEIGHT NEAREST LEAST NAMED KEYED "
    "BEST_REWRITTEN NOT_CLAIMED MAX_PHRASE",
    tokens: "K1",
}
_SAME = ((r"[^\W\d_]", r"\p{L}"), (r"[^\W_]", r"[\p{L}\p{N}]"), ("(?P<", "(?<"))
_ATOM = re.compile(r"\\.|\[|\]|[+*?}]\+|.", re.DOTALL)
_ESCAPED = frozenset(r"^$\.*+?()[]{}|/")


def _rules() -> dict[str, Any]:
    """The constants, tables and patterns by module and name, as values for JSON."""
    return {
        module.__name__.rpartition(".")[2]: {name: _plain(vars(module)[name]) for name in names.split()}
        for module, names in _NAMES.items()
    }


def _plain(value: object) -> Any:
    if isinstance(value, re.Pattern):
        flags = {re.IGNORECASE: "i", re.DOTALL: "s"}
        return {
            "pattern": javascript(value.pattern),
            "flags": "u" + "".join(name for flag, name in flags.items() if value.flags & flag),
        }
    if isinstance(value, dict):
        return {(chr(key) if isinstance(key, int) else key): _plain(item) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return sorted(value)
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def javascript(pattern: str) -> str:
    """A regular expression in the notation of JavaScript (with its flag `u`); possessive repetitions become greedy."""
    made, inside = "", False
    for atom in _ATOM.findall(pattern):
        if atom in ("[", "]"):
            inside = atom == "["
        if len(atom) == 2 and atom[0] == "\\":
            made += atom if inside or atom[1].isalnum() or atom[1] in _ESCAPED else atom[1]
        else:
            made += atom if inside or len(atom) == 1 else atom[0]
    for ours, theirs in _SAME:
        made = made.replace(ours, theirs)
    parts = re.split(r"(\[(?:\\.|[^\\\]])*\])", made, flags=re.DOTALL)
    return "".join(
        part.replace(r"\w", r"\p{L}\p{N}_" if number % 2 else r"[\p{L}\p{N}_]").replace('\\"', '"').replace("\\'", "'")
        for number, part in enumerate(parts)
    )
