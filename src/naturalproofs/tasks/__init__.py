"""Tasks: examples, splits that do not leak, and what a method may see."""
