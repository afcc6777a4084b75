"""LaTeX for people: parsed once, and written as HTML with MathML, as Unicode text, or as LaTeX without macros."""

from naturalproofs.sources.latex.display.html import Formulas, Image, Link, Prose
from naturalproofs.sources.latex.display.latex import clean_latex
from naturalproofs.sources.latex.display.prose import is_text_environment
from naturalproofs.sources.latex.display.unicode import plain_text, plain_unicode

__all__ = ["Formulas", "Image", "Link", "Prose", "clean_latex", "is_text_environment", "plain_text", "plain_unicode"]
