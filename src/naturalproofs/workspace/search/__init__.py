"""Search for concepts: words, formulas and meaning over titles and contents.

Apart from suggesting on purpose: someone who looks a notion up wants what is *about* it, someone who writes a proof
wants what it will *cite*, and a ranking that is good for the one is worse for the other.
"""

from naturalproofs.workspace.search.found import Card, Found, Hit, Mark, marked
from naturalproofs.workspace.search.index import SearchIndex
from naturalproofs.workspace.search.several import search

__all__ = ["Card", "Found", "Hit", "Mark", "SearchIndex", "marked", "search"]
