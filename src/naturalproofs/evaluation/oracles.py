"""Predictions that know the answer in part: the upper rows of the generation table.

`set` knows which references occur, `multiset` also how often, neither in which order; `halfseq` knows the first half of
the sequence. A random order depends on the seed and the query's name alone, so a subset gives the same predictions.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import chain
from random import Random
from typing import TypeAlias

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.generated import GeneratedSequence

References: TypeAlias = tuple[Hashable, ...]
Guess: TypeAlias = Callable[[References, Random], References]

SPECIAL_SIGNS = 3
"""Padding, beginning and end take the first numbers in the original."""


def set_oracle(true: References, random: Random) -> References:
    """Each reference once, in random order."""
    return _shuffled(dict.fromkeys(true), random)


def multiset_oracle(true: References, random: Random) -> References:
    """All references as often as they occur, in random order."""
    return _shuffled(true, random)


def halfseq_oracle(true: References, _random: Random) -> References:
    """The first half of the sequence, rounded down: nothing where there is one reference only."""
    return true[: len(true) // 2]


def in_original_order(number: Mapping[Hashable, int]) -> Guess:
    """The oracle `set` as the original ran it: each reference once, in the order Python gives a set of numbers.

    That order follows the numbers for the most part, and they follow first use (`by_first_use`), so it is nearer to
    the truth than a random one.
    """

    def guess(true: References, _random: Random) -> References:
        back = {number[reference]: reference for reference in true}
        return tuple(back[item] for item in set(back))

    return guess


def by_first_use(sequences: Iterable[References]) -> dict[Hashable, int]:
    """Number references as the original did, in the order they first occur, after its three special signs."""
    return {item: place for place, item in enumerate(dict.fromkeys(chain.from_iterable(sequences)), SPECIAL_SIGNS)}


ORACLES: dict[str, Guess] = {"set": set_oracle, "multiset": multiset_oracle, "halfseq": halfseq_oracle}
"""In the order of the paper's table."""


def oracle(name: str) -> Guess:
    """The oracle of that name."""
    if name not in ORACLES:
        raise UnknownName(f"no oracle is called {name!r}; there are: {', '.join(ORACLES)}")
    return ORACLES[name]


def predict(
    guess: Guess, examples: Iterable[tuple[str, References]], *, seed: int = 0
) -> tuple[GeneratedSequence, ...]:
    """What an oracle says for queries given by name and true sequence."""
    return tuple(GeneratedSequence(query, guess(true, Random(f"{seed}/{query}")), true) for query, true in examples)


def _shuffled(items: Iterable[Hashable], random: Random) -> References:
    order = list(items)
    random.shuffle(order)
    return tuple(order)
