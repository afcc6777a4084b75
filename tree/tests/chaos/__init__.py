"""Chaos: commands that are killed or fail at any write, damaged files, mutated input, hostile clients.

``make chaos`` runs the long form; ``test_short.py`` is the short form in ``make test``. Every case is determined by a
seed and its number.
"""
