"""Exports of a corpus and its splits to other formats."""
