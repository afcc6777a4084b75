"""LaTeX for people: prose and formulas are parsed once and written as HTML with MathML or as Unicode text."""

from naturalproofs.latex.display.html import Formulas, Prose
from naturalproofs.latex.display.text import plain_text, plain_unicode
from naturalproofs.latex.macros import Macro, read_macros

__all__ = ["Formulas", "Macro", "Prose", "plain_text", "plain_unicode", "read_macros"]
