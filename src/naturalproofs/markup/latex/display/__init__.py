"""LaTeX for a browser: prose as HTML, formulas as MathML, both made of escaped text and known elements only."""

from naturalproofs.markup.latex.display.macros import Macro, read_macros
from naturalproofs.markup.latex.display.mathml import Formulas
from naturalproofs.markup.latex.display.prose import Prose
from naturalproofs.markup.latex.display.unicode import plain_unicode

__all__ = ["Formulas", "Macro", "Prose", "plain_unicode", "read_macros"]
