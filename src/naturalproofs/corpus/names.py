"""What statements are called: ids, labels, tags, printed numbers, titles, other names. The one finder by name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from naturalproofs.errors import UnknownName
from naturalproofs.records import NAMES, Statement
from naturalproofs.sources.reading.kinds import by_abbreviation, by_word

_NUMBERED = re.compile(r"(?:(?P<form>[^\W\d_]+)\.?[\s~]*)?(?P<number>[A-Z0-9]+(?:\.[A-Z0-9]+)*)\.?", re.IGNORECASE)

MOST_NAMED = 5
"""Labels that an error lists."""
_GENERATED_LABEL = re.compile(r".+-[0-9a-f]{10}")


class Names:
    """The names of the statements of one corpus, in lower case where the case does not matter."""

    def __init__(self, corpus: str, statements: Sequence[Statement]) -> None:
        """Index the statements.

        Args:
            corpus: The name of the corpus; it may be left out of an id.
            statements: In reading order.
        """
        self.corpus = corpus
        self._statements = statements
        self._first: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """By kind of name and name: the position of the first statement that has it."""
        self._more: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        """The positions of all others; most names belong to one statement only."""
        for position, one in enumerate(statements):
            for kind, name in (("id", one.id), ("label", one.label), *_folded_names(one)):
                if name and self._first[kind].setdefault(name, position) != position:
                    self._more[kind, name].append(position)

    def matches(self, name: str) -> list[Statement]:
        """All statements with this name, of the first kind of name that matches; a repeated label means its first."""
        name = name.strip()
        for kind, given in (("id", name), ("id", f"{self.corpus}:{name}"), ("label", name)):
            if given in self._first[kind]:
                return [self._statements[self._first[kind][given]]]
        folded = name.casefold().removeprefix("tag ")
        match = _NUMBERED.fullmatch(folded)
        numbered = self._all("number", match["number"]) if match else []
        if match and match["form"]:
            numbered = [one for one in numbered if _is_a(one, match["form"])]
        # "Theorem 3.1" is a number first: as a title it names a theorem of another work.
        found = (self._all("tag", folded), numbered if match and match["form"] else [], self._all("title", folded))
        return next((one for one in (*found, self._all("other name", folded)) if one), numbered)

    def _all(self, kind: str, name: str) -> list[Statement]:
        first = self._first[kind].get(name)
        positions = [] if first is None else [first, *self._more.get((kind, name), ())]
        return [self._statements[position] for position in positions]

    def find(self, name: str) -> Statement:
        """The one statement with this name."""
        found = self.matches(name)
        if len(found) == 1:
            return found[0]
        if found:
            which = ", ".join(one.label for one in found[:MOST_NAMED])
            raise UnknownName(f"{len(found)} statements are called {name!r} in {self.corpus}; give a label: {which}")
        near = self.nearest(name)
        hint = f"; perhaps {', '.join(near)}" if near else ""
        raise UnknownName(f"no statement is called {name!r} in {self.corpus}{hint}")

    def nearest(self, name: str) -> list[str]:
        """The labels that a wrong name may have meant."""
        labels = [label for label in self._first["label"] if not _GENERATED_LABEL.fullmatch(label)]
        folded = name.casefold()
        holding = sorted(label for label in labels if folded in label.casefold())[:MOST_NAMED] if folded else []
        return holding or get_close_matches(name, labels, n=3, cutoff=0.5)


def _is_a(one: Statement, word: str) -> bool:
    """Whether a statement is what a word says, in any of the languages that are read: "thm", "Теорема"."""
    form = (one.form or one.kind).casefold()
    said, held = by_word(word) or by_abbreviation(word), by_word(form)
    return form.startswith(word) or (said is not None and said.family == (held.family if held else form))


def _folded_names(one: Statement) -> Iterator[tuple[str, str]]:
    names = (("tag", one.tag), ("title", one.title), ("number", one.number))
    others = (("other name", name) for note in one.notes if note.kind == NAMES for name in note.lines)
    return ((kind, name.casefold()) for kind, name in (*names, *others))


def has_generated_label(statement: Statement) -> bool:
    """Whether a statement's label was generated from its text because the author gave none."""
    return _GENERATED_LABEL.fullmatch(statement.label) is not None
