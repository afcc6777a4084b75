"""The texts of candidates, prepared for comparison: their terms in several views, counted and weighted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from naturalproofs.io.cache import CACHE_VERSION
from naturalproofs.ranking.term_vectors import (
    Floats,
    Sparse,
    TermCounts,
    Vocabulary,
    bm25_matrix,
    inverted,
)
from naturalproofs.records import KINDS, Kind, Passage, StatementId
from naturalproofs.tokens import FORMULA, STOP_WORDS, maths, singular

EXCLUDED = np.float32(-1e9)
"""The score of what is no candidate; finite, so that a query without any other has no undefined values."""
Terms: TypeAlias = Mapping[str, tuple[str, ...]]
"""The terms of a passage by view."""
VIEWS = ("tokens", "title", "prose", "pairs", "signs", "shapes", "opening")
"""The views in which texts are compared:

* tokens: words, commands and signs of title (twice) and text, as in TF-IDF and BM25;
* title: words of the title; prose: words of the title and of the text outside formulas; pairs: neighbouring words;
* signs: names in formulas, that is commands, and letters with their alphabet; shapes: two and three neighbouring signs;
* opening: the first word of the title, the first two, the first three, which may name a chapter.
"""
COUNTED = (*VIEWS, "words", "defined")
"""The views that are counted; words are the words outside formulas, without the title; defined are emphasised words."""
OPENING = 3
FORMS = ("rem", "ex", "def", "ax", "lem", "prop", "th", "cor")
"""Prefixes of environment names, in the order of their codes."""
PLAIN: dict[Kind, str] = {"theorem": "th", "definition": "def", "other": "rem"}

_LABELS = re.compile(r"\\begin\{[^}]*\}(?:\s*+\[[^\[\]]*\])?|\\(?:end|label)\{[^}]*\}")
"""Markup whose words are no words of the text; the options of a list are ``[label=(\\roman*)]``."""
_DEFINED = re.compile(
    r"\\(?:emph|textbf|textit|textsl|defn?|dfn|define|term|newterm|defi|defined|strong)\s*\{([^{}]*)\}"
)
"""Emphasised words, which a definition defines."""
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_SIGN = re.compile(
    r"\\(?:math(?:cal|frak|bf|bb|scr|rm|it)|text(?:it|rm|bf)?|operatorname\*?|overline|widehat|widetilde|underline)"
    r"\s*\{?\s*[A-Za-z]+\s*\}?|\\[a-zA-Z]+|[A-Za-z]+|[^\s\w]"
)
_INVISIBLE = frozenset("{}$&~") | frozenset(
    r"\begin \end \item \label \ref \left \right \big \Big \text \emph \quad \ldots \dots \cdots \par \mbox".split()
)


def passage_terms(passage: Passage) -> Terms:
    """The terms of a passage; recent results are cached."""
    return _cached_terms(passage.title, passage.text)


def extract_terms(title: str, text: str) -> Terms:
    """The terms of a text."""
    prose = FORMULA.sub(" ", _LABELS.sub(" ", text))
    named, words = _words(title), _words(prose)
    signs: list[str] = []
    shapes: list[str] = []
    for groups in FORMULA.findall(text):
        found = ["".join(sign.split()) for sign in _SIGN.findall("".join(groups)) if sign not in _INVISIBLE]
        signs.extend(sign for sign in found if len(sign) > 1)
        for size in (2, 3):
            shapes.extend(" ".join(found[i : i + size]) for i in range(len(found) - size + 1))
    return {
        "tokens": tuple(maths(title)) * 2 + tuple(maths(text)),
        "title": named,
        "prose": named + words,
        "pairs": tuple(f"{a} {b}" for part in (named, words) for a, b in pairwise(part)),
        "signs": tuple(signs),
        "shapes": tuple(shapes),
        "opening": tuple(" ".join(named[:n]) for n in range(1, min(OPENING, len(named)) + 1)),
        "words": words,
        "defined": _words(" ".join(_DEFINED.findall(text))),
    }


@lru_cache(maxsize=1 << 12)
def _cached_terms(title: str, text: str) -> Terms:
    return extract_terms(title, text)


def written_words(text: str) -> dict[str, set[str]]:
    """The words of a text outside formulas, by their singular: the forms in which each stands there."""
    found: dict[str, set[str]] = {}
    for written in _WORD.findall(FORMULA.sub(" ", _LABELS.sub(" ", text))):
        word = written.casefold()
        if word not in STOP_WORDS:
            found.setdefault(singular(word), set()).add(written.lower())
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(singular(word) for found in _WORD.findall(text) if (word := found.casefold()) not in STOP_WORDS)


@dataclass(frozen=True, slots=True)
class PassageCounts:
    """Term counts of some passages by view, each passage identified by its hash, so that an edit costs what changed."""

    keys: tuple[bytes, ...]
    """The hash of each text."""
    views: dict[str, TermCounts]

    @classmethod
    def of(cls, passages: Sequence[Passage], before: PassageCounts | None = None) -> PassageCounts:
        """Count texts, except those that were counted before."""
        keys = tuple(_key(passage) for passage in passages)
        known = {key: row for row, key in enumerate(before.keys)} if before is not None else {}
        new = [position for position, key in enumerate(keys) if key not in known]
        terms = [extract_terms(passages[position].title, passages[position].text) for position in new]
        views = {view: TermCounts.of([one[view] for one in terms]) for view in COUNTED}
        if before is not None:
            # Old texts first, then new ones; then all in the order of the passages.
            at = {position: len(before.keys) + row for row, position in enumerate(new)}
            order = [at[position] if position in at else known[key] for position, key in enumerate(keys)]
            for view in COUNTED:
                both = before.views[view].followed_by(views[view]).rows(np.array(order, dtype=np.int64))
                views[view] = both.only(both.document_frequency > 0)
        return cls(keys, views)


def _key(passage: Passage) -> bytes:
    text = f"{CACHE_VERSION}\0{passage.title}\0{passage.text}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates as term matrices, one per view, and their citation links, kinds, lengths and places."""

    passages: tuple[Passage, ...]
    column: dict[StatementId, int]
    vocabularies: dict[str, Vocabulary]
    rows: dict[str, Sparse]
    """TF-IDF weights by view, a row of length one per candidate."""
    tokens_by_term: Sparse
    titles_by_term: Sparse
    bm25_by_term: Sparse
    names: Sparse
    """Presence of prose words in titles."""
    names_by_term: Sparse
    bodies: Sparse
    """Presence of prose words in texts."""
    bodies_by_term: Sparse
    defined: Sparse
    """Presence of prose words among emphasised words."""
    defined_mass: Floats
    name_mass: Floats
    """The summed rarity of a title's words."""
    body_mass: Floats
    notation: Sparse
    notation_by_term: Sparse
    notation_mass: Floats
    stated: Sparse
    """Citations between the candidates' statements."""
    kind: Floats
    length: Floats
    title_length: Floats
    place: Floats | None
    """Position in reading order, if all places are known."""
    chapter: NDArray[np.object_]
    section: NDArray[np.object_]
    form: Floats
    """See `form_of`."""
    labelled: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        passages: Sequence[Passage],
        counts: PassageCounts | None = None,
        rarity: Callable[[str, Any], Floats] | None = None,
    ) -> Candidates:
        """Weigh the terms of the candidates.

        Args:
            passages: The candidates.
            counts: Their term counts, if they are known.
            rarity: How rare the terms of a view are, as they are in the counts, if the candidates are only a few of a
                larger collection.
        """
        from scipy.sparse import csr_matrix

        views = (counts or PassageCounts.of(passages)).views
        # A shape that only one text has cannot match anything.
        seen = {**views, "shapes": views["shapes"].only(views["shapes"].document_frequency > 1)}
        vocabularies = {
            view: Vocabulary.of(seen[view], rarity(view, seen[view].terms) if rarity is not None else None)
            for view in VIEWS
        }
        rows = {view: vocabularies[view].matrix(seen[view]) for view in VIEWS}
        prose, signs = vocabularies["prose"], vocabularies["signs"]
        names, bodies, defined = (
            prose.presence(views[view].within(prose.index)) for view in ("title", "words", "defined")
        )
        notation = signs.presence(views["signs"])
        known = derived_fields(tuple(passages))
        column = known["column"]
        links = [
            (i, column[key]) for i, one in enumerate(passages) for key in dict.fromkeys(one.cites) if key in column
        ]
        stated = csr_matrix(
            (np.ones(len(links), dtype=np.float32), ([a for a, _ in links], [b for _, b in links])),
            shape=(len(passages), len(passages)),
        )
        return cls(
            **known,
            vocabularies=vocabularies,
            rows=rows,
            tokens_by_term=inverted(rows["tokens"]),
            titles_by_term=inverted(rows["title"]),
            bm25_by_term=inverted(
                bm25_matrix(views["tokens"], vocabularies["tokens"].rarity if rarity is not None else None)
            ),
            names=names,
            names_by_term=inverted(names),
            bodies=bodies,
            bodies_by_term=inverted(bodies),
            defined=defined,
            defined_mass=_mass(defined, prose),
            name_mass=_mass(names, prose),
            body_mass=_mass(bodies, prose),
            notation=notation,
            notation_by_term=inverted(notation),
            notation_mass=_mass(notation, signs),
            stated=stated,
            kind=np.array([KINDS.index(one.kind) for one in passages], dtype=np.float32),
            length=views["tokens"].lengths.astype(np.float32),
            title_length=views["title"].lengths.astype(np.float32),
        )

    def __len__(self) -> int:
        """The number of candidates."""
        return len(self.passages)


def derived_fields(passages: tuple[Passage, ...]) -> dict[str, Any]:
    """The fields that are cheap to derive from the passages, and therefore not cached."""
    places = [passage.place for passage in passages if passage.place is not None]
    placed = bool(places) and len(places) == len(passages)
    return {
        "passages": passages,
        "column": {passage.id: position for position, passage in enumerate(passages)},
        "place": np.array([place.position for place in places], dtype=np.float32) if placed else None,
        "chapter": np.array([place.chapter for place in places] if placed else [], dtype=np.object_),
        "section": np.array([place.section for place in places] if placed else [], dtype=np.object_),
        "form": np.array([form_of(passage) for passage in passages], dtype=np.float32),
        "labelled": np.array([passage.labelled for passage in passages], dtype=np.bool_),
    }


def form_of(passage: Passage) -> int:
    """The code of a statement's environment name."""
    return _form(passage.form, passage.kind)


@lru_cache(maxsize=1_000)
def _form(form: str, kind: Kind) -> int:
    name = form.casefold()
    return next((code for code, stem in enumerate(FORMS) if name.startswith(stem)), FORMS.index(PLAIN[kind]))


def _mass(presence: Sparse, vocabulary: Vocabulary) -> Floats:
    found: Floats = presence @ vocabulary.rarity
    return np.maximum(found, np.float32(1e-6))
