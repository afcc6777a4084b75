"""Measures of rankings and sequences: gold ranks, breakdowns, confidence intervals, significance, calibration."""

from importlib.util import find_spec

from naturalproofs.errors import MissingExtra

if find_spec("numpy") is None:
    raise MissingExtra("evaluation", "rank")
