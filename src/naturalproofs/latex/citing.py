"""Citations by number and ranges of labels, turned into one mention for each statement that is meant."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from naturalproofs.latex.drafts import Printed, StatementDraft
from naturalproofs.latex.names import Names
from naturalproofs.latex.text_references import RANGE
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Anchor, Mention, StatementId

CITED = "cite:"
"""Put before the keys of the bibliography, so that they are no labels."""
TEXT = "text"
"""How a citation by number alone is marked."""

RANGES = frozenset(name for name, style in REFERENCES.items() if style == "range")
"""Commands that cite all statements between two."""
_LAST = re.compile(r"(.*?)(\d+)$")
_LONGEST_RANGE = 200


class Numbers:
    """Statements by what is printed before them, and the mentions that mean them."""

    def __init__(self, statements: Sequence[StatementDraft], names: Names, ids: Mapping[int, StatementId]) -> None:
        """Index the numbered statements of all documents."""
        self._names = names
        self._ids = ids
        self._by_number: defaultdict[tuple[str, str, str], list[StatementDraft]] = defaultdict(list)
        self._by_title: defaultdict[tuple[str, str], list[StatementDraft]] = defaultdict(list)
        self._by_target: dict[str, StatementDraft] = {}
        for draft in statements:
            if draft.number:
                self._by_number[draft.scope, draft.family, draft.number].append(draft)
            for title in {draft.title.casefold(), draft.form} - {""}:
                self._by_title[draft.scope, title].append(draft)

    def printed(self, printed: Printed, scope: str) -> StatementDraft | None:
        """The one statement of this document that is printed so."""
        found = self._by_number.get((scope, printed.family, printed.number), [])
        return found[0] if len(found) == 1 else None

    def titled(self, title: str, scope: str) -> StatementDraft | None:
        """The one statement that has this title, or is the only one of its kind."""
        found = self._by_title.get((scope, title.casefold()), [])
        return found[0] if len(found) == 1 else None

    def expand(self, mentions: Iterable[Mention], scope: str) -> list[Mention]:
        """Replace citations by number by what they mean, if it is clear; fill ranges; note the bibliography's keys."""
        result: list[Mention] = []
        for mention in mentions:
            if mention.surface == TEXT:
                result.extend(self._text(mention, scope))
                continue
            if mention.target.startswith(CITED):
                result.append(mention)
                continue
            target = self._names.resolve(mention.target, scope)
            result.append(mention if target == mention.target else Mention(target, mention.surface, mention.line))
            if mention.surface in RANGES and len(result) > 1:
                first, last = result[-2:]
                if first.surface == last.surface and first.line == last.line:
                    result[-1:] = [*self._between(first, last), last]
        return result

    def _text(self, mention: Mention, scope: str) -> list[Mention]:
        family, number = mention.target.rsplit(" ", 1)
        first, _, last = number.partition(RANGE)
        ends = [first, last] if last else [first]
        inner = _numbers_between(first, last) if last else []
        wanted = [ends[0], *inner, *ends[1:]]
        found = [self.printed(Printed(family, one), scope) for one in wanted]
        return [replace(mention, target=self._target(draft)) for draft in found if draft is not None]

    def _between(self, first: Mention, last: Mention) -> list[Mention]:
        """The statements of the same kind whose numbers lie between those of two labels."""
        one, other = (self._by_id(mention.target) for mention in (first, last))
        if one is None or other is None or (one.family, one.scope) != (other.family, other.scope):
            return []
        numbers = _numbers_between(one.number, other.number)
        found = [self.printed(Printed(one.family, number), one.scope) for number in numbers]
        return [replace(first, target=self._target(draft)) for draft in found if draft is not None]

    def _by_id(self, target: str) -> StatementDraft | None:
        if not self._by_target:
            drafts = (draft for group in self._by_number.values() for draft in group)
            self._by_target = {
                self._names.absolute(label, draft.scope): draft for draft in drafts for label in draft.labels
            }
        return self._by_target.get(target)

    def _target(self, draft: StatementDraft) -> str:
        """A label for a statement, made up where the author gave none."""
        if draft.labels:
            return self._names.absolute(draft.labels[0], draft.scope)
        identifier = self._ids[id(draft)]
        label = identifier.removeprefix(f"{self._names.corpus}:")
        self._names.anchors.setdefault(label, Anchor("statement", identifier, draft.origin))
        return label


def _numbers_between(first: str, last: str) -> list[str]:
    """The numbers between 2.1 and 2.4, if both count in the same place."""
    one, other = _LAST.fullmatch(first), _LAST.fullmatch(last)
    if not one or not other or one[1] != other[1] or len(other[2]) > 6:
        return []
    start, end = int(one[2]), int(other[2])
    return [f"{one[1]}{number}" for number in range(start + 1, end)] if end - start <= _LONGEST_RANGE else []
