"""LaTeX for people: parsed once, and written as HTML with MathML or as Unicode text."""

from naturalproofs.sources.latex.display.html import CITED, Formulas, Image, Link, Prose
from naturalproofs.sources.latex.display.prose import is_text_environment
from naturalproofs.sources.latex.display.unicode import plain_text, plain_unicode

__all__ = ["CITED", "Formulas", "Image", "Link", "Prose", "is_text_environment", "plain_text", "plain_unicode"]
