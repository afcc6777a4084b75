"""Experiments: from a method and a corpus to a run folder that says exactly what was done."""
