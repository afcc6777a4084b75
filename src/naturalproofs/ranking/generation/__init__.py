"""Sequences of references: what a proof will cite, in order and with repeats."""
