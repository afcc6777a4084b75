"""Markdown with theorems: pandoc and Quarto divs, bookdown chunks, MyST directives, and LaTeX environments.

`blocks` finds statements, proofs, headings and labels in the lines of a file; `inline` writes their text as LaTeX;
`reader` makes statements and proofs of them; `project` finds the files and their order.
"""
