"""Tokens: a single pass over LaTeX source, and arguments read where they stand."""
