"""LaTeX for people: parsed once, and written as HTML with MathML, as Unicode text, or as LaTeX without macros."""

from naturalproofs.latex.display.html import Formulas, Prose
from naturalproofs.latex.display.latex import clean_latex
from naturalproofs.latex.display.prose import is_text_environment
from naturalproofs.latex.display.text import plain_text, plain_unicode
from naturalproofs.latex.macros.macro import Macro
from naturalproofs.latex.macros.table import macros_of

__all__ = [
    "Formulas",
    "Macro",
    "Prose",
    "clean_latex",
    "is_text_environment",
    "macros_of",
    "plain_text",
    "plain_unicode",
]
