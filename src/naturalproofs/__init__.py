"""Find the results a proof needs: corpora and reference graphs of mathematics in natural language."""

__version__ = "0.1.0"
