"""Two statements that say nearly the same: one of them may be a copy that was forgotten."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from naturalproofs.records import Statement
from naturalproofs.tokens import maths
from naturalproofs.workspace.lint.context import Context, name_of
from naturalproofs.workspace.lint.finding import Finding

ALIKE = 0.95
"""The share of their words, counted with repeats, that two statements must have in common."""
_SHORTEST = 12
"""Statements of fewer words are too short to be told apart by their words."""
_RAREST = 3
"""Two statements are compared if they share one of so many of their rarest words."""
_MOST = 60
"""A word that stands in more statements than this brings nobody together."""


def near_duplicate(context: Context) -> Iterator[Finding]:
    """Statements that repeat an earlier one of the same kind nearly word for word."""
    statements = context.corpus.statements
    for later, earlier, share in pairs(statements):
        first, second = statements[earlier], statements[later]
        message = (
            f"{name_of(second)} says nearly the same as {name_of(first)}"
            f"{f' at {first.origin}' if first.origin else ''} ({share:.0%} of the words)"
        )
        yield context.finding(
            "near-duplicate", "note", second, message, f"{second.label} = {first.label}", second.label
        )


def pairs(statements: Sequence[Statement]) -> Iterator[tuple[int, int, float]]:
    """Positions of a statement and of the earlier one it repeats most closely, and the share of common words."""
    bags = [Counter(maths("\n".join(statement.lines))) for statement in statements]
    sizes = [bag.total() for bag in bags]
    present = Counter(word for bag in bags for word in bag)
    meeting: defaultdict[str, list[int]] = defaultdict(list)
    for at, bag in enumerate(bags):
        if sizes[at] < _SHORTEST:
            continue
        rarest = sorted(bag, key=lambda word: (present[word], word))[:_RAREST]
        near = {other for word in rarest for other in meeting[word]}
        best = max(((_share(bags, sizes, at, other), -other) for other in near), default=(0.0, 0))
        if best[0] >= ALIKE:
            yield at, -best[1], best[0]
        for word in rarest:
            if present[word] <= _MOST:
                meeting[word].append(at)


def _share(bags: list[Counter[str]], sizes: list[int], one: int, other: int) -> float:
    if min(sizes[one], sizes[other]) < ALIKE * max(sizes[one], sizes[other]):
        return 0.0
    return 2 * (bags[one] & bags[other]).total() / (sizes[one] + sizes[other])
