"""From the autoregressive network to rankings and sequences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from naturalproofs.neural.batching import Texts
from naturalproofs.neural.beam import Search, beam_search, greedy
from naturalproofs.neural.choosing_scoring import first_scores, read_theorems
from naturalproofs.neural.network import Network, Theorems
from naturalproofs.neural.reading import device_of, evaluating
from naturalproofs.neural.references import Rows
from naturalproofs.ranking.contract import Scores
from naturalproofs.records import Passage

if TYPE_CHECKING:
    from naturalproofs.neural.autoregressive import Autoregressive
    from naturalproofs.neural.choosing_training import Chooser

BLOCK = 64
"""Theorems that are decoded side by side."""
FIRST = 1e4
"""What is decoded stands above everything else by this much."""


def ranked_scores(
    chooser: Chooser, rows: Rows, queries: Sequence[Passage], own: Sequence[Collection[int]], longest: int
) -> Scores:
    """Scores of theorems against candidates."""
    return rank(chooser.network, read_theorems(chooser, queries), rows, own, longest)


def rank(network: Network, texts: Texts, rows: Rows, own: Sequence[Collection[int]], longest: int) -> Scores:
    """First-step scores, with what greedy decoding gives, in order, before all others."""
    scores = first_scores(network, texts, rows, [""] * len(texts))
    for first in range(0, len(texts) if longest else 0, BLOCK):
        block = np.arange(first, min(first + BLOCK, len(texts)))
        with torch.inference_mode(), evaluating(network):
            theorems = network.read(texts.batch(block).to(device_of(network)))
            following = stepper(network, theorems, rows)
            without = [tuple(own[row]) for row in block.tolist()]
            found = greedy(following, len(block), len(rows.bias), longest, without)
        for row, tokens in zip(block, found, strict=True):
            for place, token in enumerate(tokens):
                scores[row, token] = FIRST - place
    return scores


def generated(
    chooser: Chooser,
    rows: Rows,
    queries: Sequence[Passage],
    excluded: Sequence[Collection[int]],
    settings: Autoregressive,
) -> list[tuple[int, ...]]:
    """The best sequence that a beam finds for each theorem."""
    network = chooser.network
    texts = read_theorems(chooser, queries)
    search = Search(beam=settings.beam, longest=settings.longest, shortest=1, power=settings.length_power)
    found = []
    with torch.inference_mode(), evaluating(network):
        for row in range(len(texts)):
            theorem = network.read(texts.batch([row]).to(device_of(network)))
            following = stepper(network, theorem, rows)
            found.append(beam_search(following, len(rows.bias), search, tuple(excluded[row]))[0].tokens)
    return found


def stepper(network: Network, theorems: Theorems, rows: Rows) -> Callable[[NDArray[np.intp]], NDArray[np.float32]]:
    """What gives the probabilities of the next reference; one theorem may have any number of continuations."""
    device = device_of(network)
    matrix, bias = torch.from_numpy(rows.matrix).to(device), torch.from_numpy(rows.bias).to(device)

    def following(prefixes: NDArray[np.intp]) -> NDArray[np.float32]:
        each = theorems if len(prefixes) == len(theorems.vectors) else theorems.repeated(len(prefixes))
        given = matrix[torch.from_numpy(prefixes).to(device)] if prefixes.shape[1] else None
        last = network.queries(each, given)[:, -1]
        scores = torch.cat([network.scores(last, matrix, bias), network.end_scores(last)[:, None]], dim=1)
        found: NDArray[np.float32] = scores.float().log_softmax(dim=1).cpu().numpy()
        return found

    return following
