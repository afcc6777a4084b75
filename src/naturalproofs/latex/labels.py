"""Labels of a corpus: made absolute where documents have labels of their own, and resolved across documents."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Anchor, Origin, StatementId

BIBLIOGRAPHY = "cite:"
"""Prefix of the keys of the bibliography, which tells them from labels."""
BY_NUMBER = "text"
"""The surface of a citation by number, without a command."""
RANGES = frozenset(name for name, style in REFERENCES.items() if style == "range")
"""Commands that cite all statements between two."""
_START = 4
"""Letters by which prefixes are indexed."""


class ExternalLabels(NamedTuple):
    """Labels of another document that may be used in this one, with a prefix."""

    prefix: str
    scope: str | None
    """The document they come from, if it is part of the corpus."""
    origin: Origin
    labels: frozenset[str] | None = None
    """The labels there are, if that is known although the document is not part of the corpus."""


class LabelTable:
    """Absolute labels and the anchors they lead to."""

    def __init__(
        self,
        corpus: str,
        prefixes: Mapping[str, str] | None = None,
        external: Mapping[str, tuple[ExternalLabels, ...]] | None = None,
    ) -> None:
        """The labels of one corpus; a scope's prefix is its name and a hyphen unless `prefixes` says otherwise."""
        self.corpus = corpus
        self.anchors: dict[str, Anchor] = {}
        self._used: Counter[str] = Counter()
        self._prefixes = prefixes or {}
        self._external = external or {}
        self._found: dict[tuple[str, str], str] = {}
        self._by_start: dict[str, dict[str, list[tuple[int, ExternalLabels]]]] = {}

    def absolute(self, label: str, scope: str) -> str:
        """A label with the prefix of its document."""
        if not scope:
            return label
        return self._prefixes.get(scope, f"{scope}-") + label

    def resolve(self, label: str, scope: str) -> str:
        """The absolute label that a key written in this scope means: local first, then those of other documents."""
        local = self.absolute(label, scope)
        if local in self.anchors or scope not in self._external:
            return local if local in self.anchors else label
        # Most keys occur many times; the documents are searched once for each.
        if (scope, label) not in self._found:
            self._found[scope, label] = self._resolve_external(label, scope)
        return self._found[scope, label]

    def _resolve_external(self, label: str, scope: str) -> str:
        for prefix, other, origin, labels in self._candidates(label, scope):
            bare = label[len(prefix) :]
            if other is not None:
                if (found := self.absolute(bare, other)) in self.anchors:
                    return found
            elif prefix or (labels is not None and bare in labels):
                self.anchors.setdefault(label, Anchor("external", None, origin))
                return label
        return label

    def _candidates(self, label: str, scope: str) -> list[ExternalLabels]:
        """The documents whose prefix the label has, in their order; the index matters where there are a hundred."""
        if scope not in self._by_start:
            known: dict[str, list[tuple[int, ExternalLabels]]] = {}
            for number, one in enumerate(self._external[scope]):
                known.setdefault(one.prefix[:_START], []).append((number, one))
            self._by_start[scope] = known
        starts = self._by_start[scope]
        # A prefix that is shorter than a start is a start itself.
        found = [
            pair
            for length in range(min(_START, len(label)) + 1)
            for pair in starts.get(label[:length], ())
            if label.startswith(pair[1].prefix)
        ]
        return [one for _, one in sorted(found, key=lambda pair: pair[0])]

    def unique_id(self, absolute: str) -> StatementId:
        """A unique id; a second use of a label gets a number."""
        self._used[absolute] += 1
        count = self._used[absolute]
        return f"{self.corpus}:{absolute}" if count == 1 else f"{self.corpus}:{absolute}~{count}"
