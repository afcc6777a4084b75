"""LaTeX: read without running TeX, in linear time, and without failing on malformed text.

Its parts are `scan` (tokens, arguments, conditionals), `macros` (definitions, the one table of a document, the engine,
expansion), `read` (statements, proofs, labels and citations), `project` (files, choice of documents, cache) and
`display` (HTML with MathML, Unicode text, plain LaTeX). ``docs/reference/reading-latex.md`` says how they work together
and where to add a construct.
"""

from naturalproofs.latex.scan.scanner import Scan, Token, TokenKind, scan
from naturalproofs.latex.scan.vocabulary import FULL, STRUCTURE, Vocabulary

__all__ = ["FULL", "STRUCTURE", "Scan", "Token", "TokenKind", "Vocabulary", "scan"]
