"""Text into tokens, with an eye for mathematics."""
