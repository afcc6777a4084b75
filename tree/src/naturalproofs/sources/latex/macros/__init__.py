"""Macros: how they are defined, what they stand for, and which branches of conditionals count."""
