"""Corpora: statements with every reference resolved, stored with a manifest that proves what they are."""
