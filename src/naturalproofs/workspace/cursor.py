"""What a cursor is likely to cite: what the proof says and cites so far, the words before it, what is near.

A label has a sum of a few signals, and a suggested statement that of its label. The weights were chosen on citations
of real projects and tested on those of other authors (``benchmarks/at_cursor.py``, docs/log/at-the-cursor.md).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum, log, sqrt
from typing import NamedTuple
from weakref import WeakKeyDictionary

from naturalproofs.records import Anchor, Origin, Statement, StatementId
from naturalproofs.workspace.check.prose import sentences
from naturalproofs.workspace.citations import is_wanted
from naturalproofs.workspace.locate import Location
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.suggest import Suggestion, with_proof


class Weights(NamedTuple):
    """What each signal counts."""

    cited: float = 0.45
    """The logarithm of the probability that the proof cites the statement that the label belongs to."""
    said: float = 0.6
    """How much of the last sentence before the cursor that statement has; see `said_by`."""
    near: float = 0.1
    """Minus the logarithm of the number of labels between a statement and the cursor; the probability knows it too."""
    near_part: float = 0.65
    """The same for a part of a statement, and for an equation."""
    wanted: float = 4.0
    """It is what the words or the command before the cursor ask for."""
    habit: float = 0.5
    """How often the author cites labels of its class by this command, beside how many labels there are: a logarithm."""
    own: float = 3.2
    """It belongs to the theorem that is being proved: an item or an equation of it."""
    following: float = 1.4
    """It is the next label after the one that was cited last: item (b) after item (a)."""
    part: float = 0.3
    """It belongs to a part of a statement, or to none."""
    other: float = -0.6
    """It is neither a statement nor an item nor an equation."""
    after: float = -0.5
    """It stands after the cursor."""


WEIGHTS = Weights()
_LEAST = 1e-3
"""The probability of what is not among the suggestions."""
_ELSEWHERE = 80
"""Labels that stand between the cursor and what is in another file."""
_PRIOR = 10
"""Citations that count as spread evenly over all labels."""
_AFTER = 20
"""The same for what stands after the cursor."""
_READ = 1500
"""Characters before the cursor in which the last sentence is looked for."""
_UNFINISHED = re.compile(r"\\[a-zA-Z]+\*?(?:\[[^\[\]]*\])*\{[^{}]*$")
"""The citation that is being written."""
_COMPARED = ("prose", "pairs", "signs")
"""The views in which the last sentence and statements are compared."""


def label_scores(
    corpus: OpenCorpus,
    file: str,
    line: int,
    here: Location | None,
    suggested: Sequence[Suggestion],
    wanted: str,
    command: str,
    weights: Weights = WEIGHTS,
) -> Callable[[str, Anchor], float]:
    """A function that scores a label of the project; more is likelier.

    Args:
        corpus: The project.
        file: The file of the cursor.
        line: Its line.
        here: The statement or proof at the cursor, if there is one.
        suggested: What the proof may cite.
        wanted: What the words before the cursor ask for; see `wanted_at`.
        command: The command that is being written.
        weights: Other weights than those of the package.
    """
    known = {one.statement.id: one for one in suggested}
    # Of a method that is not calibrated only its order is known.
    ranked = enumerate(sorted(suggested, key=lambda one: -one.score))
    likely = {one.statement.id: 1 / (rank + 2) if (p := one.probability) is None else p for rank, one in ranked}
    lines = corpus.labels.by_file.get(file, [])
    places = {label: at for at, (_, label) in enumerate(lines)}
    cursor = bisect_right(lines, (line, "\U0010ffff"))
    last = places.get(here.labels[-1], -2) if here is not None and here.labels else -2
    own = here.statement.id if here is not None else None
    habits = CitedClasses.of(corpus).lifts(command, file, line)
    rest = weights.cited * log(_LEAST) - weights.near_part * log(_ELSEWHERE)

    def score(label: str, anchor: Anchor) -> float:
        place = places.get(label)
        if place is None and anchor.owner not in likely:
            return rest  # Most labels of a large project: nothing speaks for one of them more than for another.
        item = known.get(anchor.owner or "")
        statement = corpus.by_id.get(anchor.owner or "") if item is None else item.statement
        part = statement is None or statement.label != label
        away = _ELSEWHERE if place is None else cursor - place if place < cursor else _AFTER
        return (
            weights.cited * log(likely.get(anchor.owner or "", 0.0) + _LEAST)
            + weights.said * (item.said if item is not None else 0.0)
            - (weights.near_part if part else weights.near) * log(away)
            + weights.wanted * is_wanted(wanted, anchor, statement)
            + weights.habit * habits.get(class_of(label, anchor, statement), 0.0)
            + weights.own * (anchor.owner is not None and anchor.owner == own)
            + weights.following * (place == last + 1)
            + weights.part * part
            + weights.other * (anchor.kind not in ("statement", "item", "equation"))
            + weights.after * (place is not None and place >= cursor)
        )

    return score


def in_order(corpus: OpenCorpus, here: Location, suggested: Sequence[Suggestion]) -> list[Suggestion]:
    """Suggestions as the cursor is likely to cite them, the likeliest first, whatever else the proof cites."""
    said = said_by(corpus, here.written, suggested)
    suggested = [replace(one, said=said.get(one.statement.id, 0.0)) for one in suggested]
    score = label_scores(corpus, here.file, here.line, here, suggested, here.wanted, "")
    anchor = Anchor("statement", None, Origin("", 0))
    return sorted(suggested, key=lambda one: -score(one.statement.label, replace(anchor, owner=one.statement.id)))


def said_by(corpus: OpenCorpus, written: str, suggested: Sequence[Suggestion]) -> dict[StatementId, float]:
    """How much of the last sentence each suggestion has: the words, pairs of words and symbols that both have.

    Each counts the more the fewer of the suggestions have it; many of them in a long statement count less.
    """
    from naturalproofs.ranking.hybrid.candidates import extract_terms, passage_terms

    text = sentences(with_proof("", _UNFINISHED.sub("", written[-_READ:])))
    keys = [one.statement.id for one in suggested if one.statement.id in corpus.positions]
    asked = extract_terms("", text[-1] if text else "")
    terms = [passage_terms(corpus.candidates[corpus.positions[key]]) for key in keys]
    found = dict.fromkeys(keys, 0.0)
    for view in _COMPARED:
        sentence, own = set(asked[view]), [set(one[view]) for one in terms]
        common = [sentence & one for one in own]
        counts = Counter(term for shared in common for term in shared)
        for key, one, shared in zip(keys, own, common, strict=True):
            rarity = fsum(log((len(keys) + 1) / (counts[term] + 0.5)) for term in shared)
            found[key] += rarity / (1 + sqrt(len(one)))
    return found


def class_of(label: str, anchor: Anchor, statement: Statement | None) -> str:
    """The class of a label: the form of its statement, or what else it stands for."""
    return statement.form if statement is not None and statement.label == label else anchor.kind


class CitedClasses:
    """By which commands a project cites labels of which classes."""

    def __init__(self, corpus: OpenCorpus) -> None:
        """Count the labels, and the citations by file."""
        owners = {label: corpus.by_id.get(anchor.owner or "") for label, anchor in corpus.anchors.items()}
        classes = {label: class_of(label, anchor, owners[label]) for label, anchor in corpus.anchors.items()}
        self.labels = Counter(classes.values())
        self.citations: dict[str, list[tuple[int, str, str]]] = {}
        """By file, the line, the command and the class of each citation."""
        for one in corpus.labels.occurrences:
            found = classes.get(corpus.labels.absolute(one.path, one.key)) if not one.is_label else None
            if found is not None:
                self.citations.setdefault(one.path, []).append((one.line, one.command, found))
        self.counts = Counter((command, found) for rows in self.citations.values() for _, command, found in rows)

    @classmethod
    def of(cls, corpus: OpenCorpus) -> CitedClasses:
        """The classes of an open corpus, counted once."""
        if corpus not in _KNOWN:
            _KNOWN[corpus] = cls(corpus)
        return _KNOWN[corpus]

    def lifts(self, command: str, file: str, line: int) -> dict[str, float]:
        """By class, the logarithm of its share of the citations by a command over its share of the labels.

        What stands from the line on is not counted.
        """
        later = Counter(found for at, by, found in self.citations.get(file, ()) if at >= line and by == command)
        cited = {found: self.counts[command, found] - later[found] for found in self.labels}
        total, labels = sum(cited.values()) + _PRIOR, sum(self.labels.values())
        shares = {found: count / labels for found, count in self.labels.items()}
        return {found: log((cited[found] + _PRIOR * share) / total / share) for found, share in shares.items()}


_KNOWN: WeakKeyDictionary[OpenCorpus, CitedClasses] = WeakKeyDictionary()
"""Of open corpora, which do not change; an editor asks at every keystroke."""
