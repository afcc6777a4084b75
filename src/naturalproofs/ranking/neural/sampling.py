"""Sequences drawn at random, each as often as a model thinks it likely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalproofs.ranking.neural.beam import Next


@dataclass(frozen=True, slots=True)
class Drawn:
    """A sequence that was drawn."""

    tokens: tuple[int, ...]
    times: int
    score: float
    """The logarithm of its probability."""


def draw(following: Next, tokens: int, count: int, longest: int, generator: np.random.Generator) -> list[Drawn]:
    """Draw sequences; what several have in common is computed once.

    Args:
        following: Gives the probabilities.
        tokens: How many tokens there are, the end not counted.
        count: How many are drawn.
        longest: Tokens of a sequence at most: a longer one is cut off.
        generator: Decides.
    """
    live: dict[tuple[int, ...], tuple[int, float]] = {(): (count, 0.0)}
    done: list[Drawn] = []
    for length in range(longest + 1):
        if length == longest or not tokens:
            break
        prefixes = np.array(list(live), dtype=np.intp).reshape(len(live), length)
        scores = np.asarray(following(prefixes), dtype=np.float64)
        scores -= np.logaddexp.reduce(scores, axis=1, keepdims=True)
        going: dict[tuple[int, ...], tuple[int, float]] = {}
        for row, (prefix, (times, total)) in enumerate(live.items()):
            drawn = generator.multinomial(times, np.exp(scores[row]))
            for token in np.flatnonzero(drawn).tolist():
                score = total + float(scores[row, token])
                if token == tokens:
                    done.append(Drawn(prefix, int(drawn[token]), score))
                else:
                    going[*prefix, token] = (int(drawn[token]), score)
        live = going
        if not live:
            break
    return done + [Drawn(prefix, times, score) for prefix, (times, score) in live.items()]
