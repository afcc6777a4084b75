"""Corpora: statements with resolved references, stored in folders with a manifest."""
