"""Exports: a corpus and its splits in other people's formats."""
