"""The search page."""

from __future__ import annotations

from dataclasses import dataclass

from naturalproofs.records import KINDS
from naturalproofs.web.site import Site
from naturalproofs.web.templating import render
from naturalproofs.web.urls import search_url

SHOWN = 20
MOST_PAGES = 5


@dataclass(frozen=True, slots=True)
class SearchForm:
    """A query with its filters."""

    q: str = ""
    corpus: str = ""
    kind: str = ""
    chapter: str = ""
    more: int = 1
    """How many times as many results as usual."""


def search_page(site: Site, search: SearchForm, *, part: bool = False) -> str:
    """The form with the results, or the results alone for the script that searches while one types."""
    found, hits, more_url = None, [], ""
    if search.q.strip():
        limit = SHOWN * search.more
        found = site.workspace.search(
            search.q,
            k=limit,
            corpora=[search.corpus] if search.corpus else None,
            kinds=[search.kind] if search.kind in KINDS else (),
            chapters=[search.chapter] if search.chapter else (),
        )
        for hit in found.items:
            corpus = site.corpus(hit.corpus)
            hits.append((hit, corpus, corpus.corpus.by_id[hit.id]))
        if len(hits) == limit < found.total and search.more < MOST_PAGES:
            more_url = search_url(
                q=search.q, corpus=search.corpus, kind=search.kind, chapter=search.chapter, more=search.more + 1
            )
    template = "_search_results.html" if part else "search.html"
    return render(template, search=search, corpora=site.corpora, found=found, hits=hits, more_url=more_url)
