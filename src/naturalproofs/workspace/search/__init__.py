"""Search for statements by words, formulas and meaning over titles and contents.

This is not `suggest`: search finds what is about a notion, `suggest` ranks what a proof will cite.
"""

from naturalproofs.workspace.search.engine import search
from naturalproofs.workspace.search.index import SearchIndex
from naturalproofs.workspace.search.results import Card, Field, Found, Hit, Mark, marked

__all__ = ["Card", "Field", "Found", "Hit", "Mark", "SearchIndex", "marked", "search"]
