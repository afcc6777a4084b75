"""Which method suggests, and how it is bound to the statements and the proofs of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import check_no_links, make_folder, replaced_folder, sha256_bytes, sha256_file, write_file
from naturalproofs.ranking.contract import (
    CacheableScorer,
    CachingRanker,
    RankedCandidate,
    Ranker,
    Reason,
    Scorer,
    Scores,
    Suggester,
    how_far,
    preferred_first,
)
from naturalproofs.ranking.registry import FUSION, FUSION_RECENCY
from naturalproofs.records import Passage, StatementId
from naturalproofs.sources.latex import plain_unicode
from naturalproofs.tasks.dataset import TrainSet
from naturalproofs.tokens import maths
from naturalproofs.workspace.object_cache import KEY, Cache

SHIPPED = "shipped"
"""The default method: boosted trees that come with the package."""
REQUIRED = ("lightgbm", "scipy")
"""Packages that the shipped ranker needs beside the extra ``rank``."""
HINT = "suggestions are better with the shipped ranker"
_ARRAYS = "arrays"
_MANIFEST = "scorer.txt"
_CHECKSUMS, _STAMPS = "checksums.json", "stamps.json"


def default_method(*, placed: bool) -> str:
    """The method to use if none is named: the shipped ranker, or a classical fusion where it cannot run."""
    return SHIPPED if shipped_available() else FUSION_RECENCY if placed else FUSION


def shipped_available() -> bool:
    """Whether everything that the shipped ranker needs is installed and works."""
    if any(find_spec(package) is None for package in REQUIRED):
        return False
    from naturalproofs.ranking.hybrid.trees import trees_available

    return trees_available()


def bind(method: str, train: TrainSet, cache: Cache | None, previous: Scorer | Path | None = None) -> Suggester:
    """Bind a method to all statements of a corpus, with all its proofs as training examples.

    Args:
        method: The printed form of a method, or a model folder.
        train: The statements, which are the candidates, and the proofs.
        cache: Where prepared arrays are opened, or stored if they are new.
        previous: A scorer of the same method for an earlier state of the statements, or the folder of its arrays.
    """
    fitted = _ranker(method).fit(train, seed=0)
    if not isinstance(fitted, CachingRanker):
        scorer = fitted.index(train.passages)
    elif cache is None:
        scorer = fitted.index(train.passages) if previous is None else fitted.reindex(train.passages, previous)
    else:
        scorer = _cached(cache, method, fitted, train)
    return scorer if isinstance(scorer, Suggester) else PlainSuggester(scorer, train.passages)


def cached_arrays(cache: Cache, method: str) -> Path | None:
    """The folder of the cached arrays of a method; they may belong to an earlier state of the statements."""
    folder = _folder(cache, method)
    return folder / _ARRAYS if _stored_key(folder) and _intact(folder) else None


def _cached(cache: Cache, method: str, fitted: CachingRanker, train: TrainSet) -> Scorer:
    """The scorer with its arrays from the cache; they are computed and stored if they are not there or damaged."""
    folder, key = _folder(cache, method), _key(method, train)
    arrays = folder / _ARRAYS
    stored = _stored_key(folder) if _intact(folder) else ""
    if stored == key:
        with suppress(NaturalProofsError):
            return fitted.open_arrays(arrays, train.passages)
    scorer = fitted.reindex(train.passages, arrays) if stored else fitted.index(train.passages)
    if not isinstance(scorer, CacheableScorer):
        return scorer
    try:
        check_no_links(cache.trusted_root, folder)
        with replaced_folder(folder, lambda old: (old / _MANIFEST).is_file()) as scratch:
            make_folder(scratch / _ARRAYS)
            scorer.save_arrays(scratch / _ARRAYS)
            sums = {file.name: sha256_file(file) for file in (scratch / _ARRAYS).iterdir()}
            write_file(scratch / _CHECKSUMS, msgspec.json.encode(sums))
            write_file(scratch / _STAMPS, _stamps(scratch / _ARRAYS, sums))
            write_file(scratch / _MANIFEST, key.encode())
        # Mapped files are shared with other processes, and the memory for building them is released.
        return fitted.open_arrays(arrays, train.passages)
    except (OSError, NaturalProofsError):
        return scorer


def _intact(folder: Path) -> bool:
    """Whether the arrays are as they were written; those whose times have not changed are not read for it."""
    arrays = folder / _ARRAYS
    try:
        sums = read_json(folder / _CHECKSUMS, dict[str, str])
        stamps = _stamps(arrays, sums)
        if (folder / _STAMPS).read_bytes() == stamps:
            return True
        return all(sha256_file(arrays / Path(name).name) == found for name, found in sums.items())
    except (OSError, ValueError):
        return False


def _stamps(arrays: Path, names: Iterable[str]) -> bytes:
    """By name: the inode, the size and the times of a file, which a change of its contents changes."""
    found = ((name, (arrays / Path(name).name).lstat()) for name in sorted(names))
    return msgspec.json.encode(
        [(name, one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for name, one in found]
    )


def _folder(cache: Cache, method: str) -> Path:
    return cache.folder / "scorers" / sha256_bytes(method.encode())[:16]


def _key(method: str, train: TrainSet) -> str:
    """The version of the cache, and the hash of everything that a scorer depends on."""
    known = {passage.id: passage for passage in train.passages}
    # Most theorems are candidates too, and need not be hashed twice.
    examples = [
        (one.theorem.id if known.get(one.theorem.id) == one.theorem else one.theorem, one.references)
        for one in train.examples
    ]
    model = Path(method) / "model.json"
    model_hash = sha256_bytes(model.read_bytes()) if model.is_file() else ""
    return f"{KEY} {sha256_bytes(msgspec.msgpack.encode((method, model_hash, train.passages, examples)))}"


def _stored_key(folder: Path) -> str:
    """The key of the arrays in a folder; empty if there are none that this version made."""
    try:
        found = (folder / _MANIFEST).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return found if found.startswith(KEY) else ""


def _ranker(method: str) -> Ranker:
    if method == SHIPPED:
        from naturalproofs.ranking.hybrid.ranker import Shipped

        return Shipped()
    from naturalproofs.ranking.registry import method_named

    return method_named(method)


@dataclass(frozen=True)
class PlainSuggester:
    """Suggestions of a scorer that is not calibrated; the reasons are shared words and nearness."""

    scorer: Scorer
    candidates: tuple[Passage, ...] = field(repr=False)
    shown_words: int = 4

    def score(self, queries: Sequence[Passage]) -> Scores:
        """Score every candidate for every query."""
        return self.scorer.score(queries)

    def suggest(
        self,
        query: Passage,
        *,
        k: int,
        excluded: Collection[int] = (),
        cited: Sequence[StatementId] = (),
        again: bool = False,
        preferred: Collection[int] = (),
        explained: int | None = None,
    ) -> Sequence[RankedCandidate]:
        """The best k candidates with a score above zero, best first."""
        scores = np.array(self.scorer.score([query])[0], dtype=np.float32)
        known = () if again else cited
        left_out = [*excluded, *(self._positions[key] for key in known if key in self._positions)]
        scores[np.array(left_out, dtype=np.int64)] = -np.inf
        order = preferred_first(np.argsort(-scores, kind="stable"), np.arange(len(scores)), preferred)
        best = [int(row) for row in order[scores[order] > 0][:k]]
        reasons = len(best) if explained is None else explained
        words = set(maths(query.text))
        return [
            RankedCandidate(row, float(scores[row]), None, self._reasons(query, words, row) if rank < reasons else ())
            for rank, row in enumerate(best)
        ]

    @cached_property
    def _positions(self) -> dict[StatementId, int]:
        return {candidate.id: position for position, candidate in enumerate(self.candidates)}

    @cached_property
    def _words(self) -> list[set[str]]:
        return [set(maths(candidate.text)) for candidate in self.candidates]

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(word for words in self._words for word in words)

    def _reasons(self, query: Passage, words: set[str], row: int) -> tuple[Reason, ...]:
        found = []
        rarest = sorted(words & self._words[row], key=lambda word: (self._frequencies[word], word))
        telling = [word for word in rarest if 2 * self._frequencies[word] < len(self.candidates)][: self.shown_words]
        if telling:
            shown = ", ".join(plain_unicode(f"${one}$", {}) or one if one[0] == "\\" else one for one in telling)
            found.append(Reason("words", f"shares {shown}", (), 1.0))
        place, other = query.place, self.candidates[row].place
        if place is not None and other is not None:
            since = [
                one for one in self.candidates if one.place and other.position <= one.place.position < place.position
            ]
            results = sum(one.kind == "theorem" for one in since)
            if text := how_far(len(since), results, is_result=self.candidates[row].kind == "theorem"):
                found.append(Reason("place", text, (), 1.0 / len(since)))
        return tuple(found)
