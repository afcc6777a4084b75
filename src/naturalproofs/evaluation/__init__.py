"""Evaluation: measures as values, what they are computed from, breakdowns, intervals and tests."""

from importlib.util import find_spec

from naturalproofs.errors import MissingExtra

if find_spec("numpy") is None:
    raise MissingExtra("evaluation", "rank")
