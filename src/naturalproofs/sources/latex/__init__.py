"""LaTeX sources: one reader, and profiles that say what a given project calls things."""
