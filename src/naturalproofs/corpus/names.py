"""What statements are called: ids, labels, tags, printed numbers and titles. The one finder of statements by name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from difflib import get_close_matches

from naturalproofs.errors import UnknownName
from naturalproofs.records import Statement

_NUMBERED = re.compile(r"(?:(?P<form>[^\W\d_]+)\.?[\s~]*)?(?P<number>[A-Z0-9]+(?:\.[A-Z0-9]+)*)\.?", re.IGNORECASE)

_GENERATED_LABEL = re.compile(r".+-[0-9a-f]{10}")


class Names:
    """The names of the statements of one corpus, in lower case where the case does not matter."""

    def __init__(self, corpus: str, statements: Iterable[Statement]) -> None:
        """Index the statements.

        Args:
            corpus: The name of the corpus; it may be left out of an id.
            statements: In reading order.
        """
        self.corpus = corpus
        self._ids: dict[str, Statement] = {}
        self._others: defaultdict[str, defaultdict[str, list[Statement]]] = defaultdict(lambda: defaultdict(list))
        for one in statements:
            self._ids.setdefault(one.id, one)
            for kind, name in (("label", one.label), ("tag", one.tag), ("title", one.title), ("number", one.number)):
                if name:
                    self._others[kind][name if kind == "label" else name.casefold()].append(one)

    def matches(self, name: str) -> list[Statement]:
        """All statements with this name, of the first kind of name that matches; a repeated label means its first."""
        name = name.strip()
        found = self._ids.get(name) or self._ids.get(f"{self.corpus}:{name}")
        if found is not None:
            return [found]
        if labelled := self._others["label"].get(name):
            return labelled[:1]
        folded = name.casefold().removeprefix("tag ")
        for kind in ("tag", "title"):
            if matching := self._others[kind].get(folded):
                return matching
        match = _NUMBERED.fullmatch(folded)
        numbered = self._others["number"].get(match["number"], []) if match else []
        form = match["form"] if match else ""
        return [one for one in numbered if not form or (one.form or one.kind).casefold().startswith(form)]

    def find(self, name: str) -> Statement:
        """The one statement with this name."""
        found = self.matches(name)
        if len(found) == 1:
            return found[0]
        if found:
            which = ", ".join(one.label for one in found[:5])
            raise UnknownName(f"{len(found)} statements are called {name!r} in {self.corpus}; give a label: {which}")
        near = self.nearest(name)
        hint = f"; perhaps {', '.join(near)}" if near else ""
        raise UnknownName(f"no statement is called {name!r} in {self.corpus}{hint}")

    def nearest(self, name: str, count: int = 5) -> list[str]:
        """The labels that a wrong name may have meant."""
        labels = [label for label, (one, *_) in self._others["label"].items() if not has_generated_label(one)]
        folded = name.casefold()
        holding = sorted(label for label in labels if folded in label.casefold())[:count] if folded else []
        return holding or get_close_matches(name, labels, n=min(count, 3), cutoff=0.5)


def has_generated_label(statement: Statement) -> bool:
    """Whether a statement's label was generated from its text because the author gave none."""
    return _GENERATED_LABEL.fullmatch(statement.label) is not None
