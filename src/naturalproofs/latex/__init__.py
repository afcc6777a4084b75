"""LaTeX: a scanner that reads structure in one pass, never fails and never runs TeX."""

from naturalproofs.latex.scanner import Scan, Token, TokenKind, scan
from naturalproofs.latex.vocabulary import FULL, STRUCTURE, Vocabulary

__all__ = ["FULL", "STRUCTURE", "Scan", "Token", "TokenKind", "Vocabulary", "scan"]
