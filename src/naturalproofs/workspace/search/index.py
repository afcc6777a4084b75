"""The search index of one corpus: made from it, kept in a folder, opened again as memory-mapped files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.io.collector import collector_paused
from naturalproofs.latex.display import Macro
from naturalproofs.workspace.search import store
from naturalproofs.workspace.search.advice import suggestions
from naturalproofs.workspace.search.filters import Filters
from naturalproofs.workspace.search.found import Card, Field, Found, Hit
from naturalproofs.workspace.search.making import Made, make
from naturalproofs.workspace.search.meaning import Meaning
from naturalproofs.workspace.search.names import Names
from naturalproofs.workspace.search.query import parse_query
from naturalproofs.workspace.search.scoring import Scores, score
from naturalproofs.workspace.search.settings import DEFAULT, Settings
from naturalproofs.workspace.search.snippets import Highlighter
from naturalproofs.workspace.search.words import words

LEAST = 0.05
"""A score that is lower is chance."""


@dataclass(frozen=True)
class SearchIndex:
    """A corpus that can be searched. Reading it from several threads is safe."""

    name: str
    fingerprint: str
    """The hash of the corpus it was made from."""
    made: Made
    meaning: Meaning
    settings: Settings = DEFAULT
    macros: Mapping[str, Macro] = field(default_factory=dict, compare=False, repr=False)
    """The author's own commands, for showing what is found."""

    @classmethod
    def of(cls, corpus: Corpus, settings: Settings = DEFAULT) -> SearchIndex:
        """Make the index of a corpus."""
        with collector_paused():
            made = make(corpus, settings)
        meaning = Meaning.of(made.words, dimensions=settings.dimensions)
        return cls(corpus.name, content_hash(corpus), made, meaning, settings)

    @classmethod
    def open(cls, folder: Path) -> SearchIndex:
        """Open what `keep` wrote, without reading it: arrays are mapped into memory."""
        kept = store.open_index(folder)
        return cls(kept.about.name, kept.about.fingerprint, kept.made, kept.meaning)

    def keep(self, folder: Path) -> None:
        """Write the index into a folder, replacing an older one there."""
        about = store.about_index(self.name, self.fingerprint, self.settings)
        store.keep_index(folder, about, self.made, self.meaning)

    @cached_property
    def names(self) -> Names:
        """Statements by what they are called."""
        return Names.of(self.cards)

    @cached_property
    def filters(self) -> Filters:
        """What statements are filtered by."""
        return Filters.of(self.cards)

    @property
    def cards(self) -> tuple[Card, ...]:
        """What is shown of each statement."""
        return self.made.cards

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        start: int = 0,
        kinds: Collection[str] = (),
        chapters: Collection[str] = (),
        categories: Collection[str] = (),
    ) -> Found:
        """Find statements; nothing that is asked is an error.

        Args:
            query: Words, "phrases", -not, $formulas$, kind:definition, chapter:sets, category:groups; or a label, a
                tag or a number, which comes first.
            k: How many to give at most.
            start: How many to pass over, for the next page.
            kinds: Only these kinds or forms, such as ``definition`` or ``lemma``; all if empty.
            chapters: Only chapters whose name holds one of these.
            categories: Only categories whose name holds one of these.
        """
        asked = parse_query(query)
        allowed = self.filters.allowed(
            kinds=[*asked.kinds, *kinds],
            chapters=[*asked.chapters, *chapters],
            categories=[*asked.categories, *categories],
        )
        called = [(p, field) for p, field in self.names.called(query) if allowed[p]]
        scores = score(self.made, self.meaning, asked, self.settings)
        scores.total[~allowed] = 0
        scores.matches &= allowed
        # What matches comes before what is only near.
        scores.total[~scores.matches] *= np.float32(0.5)
        for place, (position, _) in enumerate(called):
            scores.total[position] = 10 - place * 0.01
            scores.matches[position] = True
        positions = self._best(scores, start + k)[start:]
        fields = dict(called)
        highlighter = Highlighter(scores.looked_for, asked.formulas)
        hits = tuple(self._hit(int(p), scores, fields.get(int(p)), highlighter) for p in positions)
        total = int(scores.matches.sum())
        advice = suggestions(self, asked, scores) if total == 0 or scores.corrections else ()
        return Found(hits, total, query, tuple(scores.corrections), advice)

    def _best(self, scores: Scores, count: int) -> list[int]:
        """The best positions, in reading order where scores are equal."""
        totals = scores.total
        candidates = np.flatnonzero(totals >= LEAST)
        if len(candidates) > count > 0:
            limit = np.partition(totals[candidates], -count)[-count]
            candidates = candidates[totals[candidates] >= limit]
        order = np.lexsort((candidates, -totals[candidates]))
        return [int(p) for p in candidates[order][: max(count, 0)]]

    def _hit(self, position: int, scores: Scores, field: Field | None, highlighter: Highlighter) -> Hit:
        card = self.cards[position]
        title = highlighter.snippet(card.title, length=len(card.title))
        body = highlighter.snippet(self.made.texts[position])
        note = highlighter.snippet(self.made.notes[position])
        # What is known by its title is shown by what it says.
        shown = note if not title.marks and len(set(note.marks)) > len(set(body.marks)) else body
        if field is None:
            if title.marks:
                field = "title"
            elif shown.marks:
                field = "note" if shown is note else "formula" if shown.formulas == len(shown.marks) else "text"
            elif any(word.term in scores.looked_for for word in words(card.label.replace(":", " "))):
                field = "name"
            else:
                field = "meaning" if not scores.matches[position] else "place"
        return Hit(card, float(scores.total[position]), field, shown.text, shown.marks, title.marks, self.name)
