"""A language server for LaTeX: labels ranked by predicted use, statements on hover, definitions, and ``check`` live."""
