"""Definitions that are made by programs in expl3, the programming language of LaTeX3."""
