"""LaTeX for a browser: prose as HTML, formulas as MathML, both made of escaped text and known elements only."""

from naturalproofs.latex.display.mathml import Formulas
from naturalproofs.latex.display.prose import Prose
from naturalproofs.latex.display.text import plain_unicode
from naturalproofs.latex.macros import Macro, read_macros

__all__ = ["Formulas", "Macro", "Prose", "plain_unicode", "read_macros"]
