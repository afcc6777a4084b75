"""From the autoregressive network to rankings and sequences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.neural.beam import Search, beam_search, greedy
from naturalproofs.ranking.neural.losses import FAR
from naturalproofs.ranking.neural.picking import Worth, pick
from naturalproofs.ranking.neural.prefixes import Prefixes
from naturalproofs.ranking.neural.reading import evaluating
from naturalproofs.ranking.neural.references import Rows
from naturalproofs.ranking.neural.sampling import draw
from naturalproofs.ranking.neural.sequencer import Sequencer
from naturalproofs.ranking.neural.steps import Asked, Choices, choices_of, hidden, keys_of, places_of
from naturalproofs.records import Passage

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.autoregressive import FittedAutoregressive

BLOCK = 64
"""Theorems that are decoded side by side."""
FIRST = 1e4
"""What is decoded stands above everything else by this much."""
POOL = 600
"""References that a sequence is made from: those that are most likely at the first step."""


class Decoding:
    """A model, and the candidates that it chooses from."""

    def __init__(self, fitted: FittedAutoregressive, rows: Rows) -> None:
        self.fitted = fitted
        self.sequencer: Sequencer = fitted.sequencer
        self.choices = choices_of(fitted.chooser.network, rows, fitted.settings.memory_share)
        self.keys = keys_of(fitted.chooser.network)

    def rank(self, queries: Sequence[Passage], own: Sequence[int]) -> Scores:
        """First-step scores, with what greedy decoding gives, in order, before all others.

        Args:
            queries: The theorems.
            own: Where each stands among the candidates, −1 for one that does not: it takes no probability from others.
        """
        count, longest = len(self.choices.bias), self.fitted.settings.decoded
        scores = np.zeros((len(queries), count), dtype=np.float32)
        with torch.inference_mode(), evaluating(self.sequencer):
            for first in range(0, len(queries), BLOCK):
                block = slice(first, first + BLOCK)
                following = stepper(self.sequencer, self._asked(queries[block]), self.choices, own[block])
                start = following(np.zeros((len(queries[block]), 0), dtype=np.intp))
                scores[block] = start[:, :count]
                for row, tokens in enumerate(greedy(following, len(start), count, longest)):
                    for place, token in enumerate(tokens):
                        scores[first + row, token] = FIRST - place
        return scores

    def generate(
        self, queries: Sequence[Passage], own: Sequence[int], excluded: Sequence[Collection[int]]
    ) -> list[tuple[int, ...]]:
        """A sequence for each theorem."""
        found: list[tuple[int, ...]] = []
        with torch.inference_mode(), evaluating(self.sequencer):
            for first in range(0, len(queries), BLOCK):
                block = slice(first, first + BLOCK)
                asked = self._asked(queries[block])
                start = stepper(self.sequencer, asked, self.choices, own[block])(np.zeros((len(asked), 0), np.intp))
                found.extend(
                    self._sequence(asked.one(row), start[row], {*excluded[first + row], own[first + row]} - {-1})
                    for row in range(len(start))
                )
        return found

    def _sequence(self, theorem: Asked, start: NDArray[np.float32], excluded: Collection[int]) -> tuple[int, ...]:
        settings = self.fitted.settings
        likely = start[:-1].copy()
        likely[list(excluded)] = -np.inf
        pool = np.argsort(-likely, kind="stable")[: min(POOL, int(np.isfinite(likely).sum()))]
        following = stepper(self.sequencer, theorem, self.choices.only(torch.from_numpy(pool)), [-1])
        if settings.choose == "beam":
            search = Search(beam=settings.beam, longest=settings.longest, shortest=1, power=settings.length_power)
            tokens = beam_search(following, len(pool), search)[0].tokens
        else:
            generator = np.random.default_rng(0)
            tokens = pick(draw(following, len(pool), settings.samples, settings.longest, generator), Worth())
        return tuple(int(pool[token]) for token in tokens)

    def _asked(self, queries: Sequence[Passage]) -> Asked:
        chooser = self.fitted.chooser
        device = self.choices.bias.device
        batch = chooser.core.reader.read(queries).batch(np.arange(len(queries))).to(device)
        own = places_of(chooser.network, [query.id for query in queries]).to(device)
        return self.sequencer.asked(chooser.network.read(batch), own, self.keys)


def stepper(
    sequencer: Sequencer, asked: Asked, choices: Choices, own: Sequence[int]
) -> Callable[[NDArray[np.intp]], NDArray[np.float32]]:
    """What gives the probabilities of the next reference; one theorem may have any number of continuations.

    Args:
        sequencer: The network.
        asked: Theorems.
        choices: References.
        own: The column of each theorem, which it may not cite; −1 for none.
    """
    device = choices.bias.device
    itself = torch.tensor(own, dtype=torch.long, device=device)

    def following(prefixes: NDArray[np.intp]) -> NDArray[np.float32]:
        count, length = prefixes.shape
        each = torch.arange(count) if count == len(asked) else torch.zeros(count, dtype=torch.long)
        tokens = torch.from_numpy(prefixes).to(device)
        states, entered = sequencer.states(asked, choices.matrix[tokens])
        known = Prefixes.of(tokens, torch.full((count,), length, device=device))
        banned = hidden(itself[each], len(choices.bias))
        next_one = sequencer.following(asked.sought.rows(each), states[:, -1], entered, known, choices, banned)
        found: Tensor = next_one.joined(known).clamp(min=FAR)
        return found.float().cpu().numpy()

    return following
