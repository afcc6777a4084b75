"""What a generator is: like a ranker it is fitted on training only and bound to candidates; it answers in sequences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from naturalproofs.records import Passage, StatementId

Sequences: TypeAlias = Sequence[tuple[StatementId, ...]]
"""For each query the references of its proof, in order and with repeats."""


@runtime_checkable
class Generator(Protocol):
    """A method bound to candidates, ready to be asked for sequences."""

    def generate(self, queries: Sequence[Passage], excluded: Sequence[Collection[int]] = ()) -> Sequences:
        """A sequence for each query.

        Args:
            queries: The theorems.
            excluded: By query, the positions of candidates that it may not cite; empty for no restriction.
        """
        ...
