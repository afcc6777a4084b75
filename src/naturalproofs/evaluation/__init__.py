"""Evaluation: measures, gold ranks, breakdowns, confidence intervals and significance tests."""

from importlib.util import find_spec

from naturalproofs.errors import MissingExtra

if find_spec("numpy") is None:
    raise MissingExtra("evaluation", "rank")
