"""From the name of a measure to the measure."""

import re
from typing import Any, NoReturn

from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.generation_measures import GENERATION, GenerationMeasure
from naturalproofs.evaluation.measure import Measure
from naturalproofs.evaluation.ranking_measures import PLAIN, WITH_CUTOFF, RankingMeasure

_CUTOFF = re.compile(r"(?P<name>.+)@(?P<k>[1-9][0-9]{0,8})", re.ASCII)

RANKING_NAMES = (*PLAIN, *(f"{name}@k" for name in WITH_CUTOFF))
GENERATION_NAMES = tuple(GENERATION)


def parse_measure(name: str) -> Measure[Any]:
    """The measure of any task with that name: ``parse_measure("R@10")``."""
    found = _ranking(name) or GENERATION.get(name)
    return found or _unknown(name, (*RANKING_NAMES, *GENERATION_NAMES))


def parse_ranking_measure(name: str) -> RankingMeasure:
    """The measure of a ranking with that name."""
    return _ranking(name) or _unknown(name, RANKING_NAMES)


def parse_generation_measure(name: str) -> GenerationMeasure:
    """The measure of generated sequences with that name."""
    return GENERATION.get(name) or _unknown(name, GENERATION_NAMES)


def _ranking(name: str) -> RankingMeasure | None:
    if name in PLAIN:
        return PLAIN[name]
    parsed = _CUTOFF.fullmatch(name)
    if parsed and (make := WITH_CUTOFF.get(parsed["name"])):
        return make(int(parsed["k"]))
    return None


def _unknown(name: str, known: tuple[str, ...]) -> NoReturn:
    hint = f" ({name} needs a cut-off, such as {name}@10)" if name in WITH_CUTOFF else ""
    raise UnknownName(f"no measure is called {name!r}{hint}; there are: {', '.join(known)}")
