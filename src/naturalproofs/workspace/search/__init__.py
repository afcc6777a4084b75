"""Search for statements by words, formulas and meaning over titles and contents.

This is not `suggest`: search finds what is about a notion, `suggest` ranks what a proof will cite.
"""

from naturalproofs.workspace.search.documents import defined_phrases
from naturalproofs.workspace.search.engine import Field, Found, Hit, Mark, Twin, alike_key, marked, search
from naturalproofs.workspace.search.index import SearchIndex
from naturalproofs.workspace.search.query import rewritten

__all__ = [
    "Field",
    "Found",
    "Hit",
    "Mark",
    "SearchIndex",
    "Twin",
    "alike_key",
    "defined_phrases",
    "marked",
    "rewritten",
    "search",
]
