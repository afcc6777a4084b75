"""The first page: search, and what there is to search in."""

from __future__ import annotations

from dataclasses import dataclass

from naturalproofs.records import KINDS
from naturalproofs.web.addresses import corpus_address, search_address, statement_address
from naturalproofs.web.html import Child, Html, h
from naturalproofs.web.pages.pieces import entries, kind_class, title_of
from naturalproofs.web.pages.shell import count, page
from naturalproofs.web.site import Site
from naturalproofs.workspace.search import Found, Hit

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Search:
    """What someone searches for."""

    q: str = ""
    corpus: str = ""
    kind: str = ""
    chapter: str = ""
    more: int = 1
    """How many times as many as usual."""


def home_page(site: Site, search: Search) -> Html:
    """Search, with results once something is asked."""
    asked = bool(search.q.strip())
    return page(
        f"{search.q.strip()[:60]} – search" if asked else "naturalproofs",
        h("h1", "Find the results a proof needs", class_="unseen" if asked else "lead"),
        _form(site, search),
        h("div", found_part(site, search) if asked else _welcome(site), id="results", aria_live="polite"),
        here="/",
        scripts=("search.js",),
        description="Search theorems and definitions, see what rests on what, and ask what a proof will need.",
        searchable=False,
    )


def found_part(site: Site, search: Search) -> Html:
    """The results alone, for the script that searches while one types."""
    if not search.q.strip():
        return _welcome(site)
    found = site.search(
        search.q,
        k=SHOWN * search.more,
        corpora=[search.corpus] if search.corpus else None,
        kinds=[search.kind] if search.kind in KINDS else (),
        chapters=[search.chapter] if search.chapter else (),
    )
    if not found.items:
        return h("div", h("p", "Nothing was found.", class_="empty"), _instead(found, search))
    more = len(found.items) == SHOWN * search.more and found.total > len(found.items) and search.more < 5
    again = {"q": search.q, "corpus": search.corpus, "kind": search.kind, "chapter": search.chapter}
    return h(
        "div",
        h("p", count(found.total, "statement"), h("span", " · best first"), class_="told")
        if found.total
        else h("p", "Nothing matches word for word; these are near in meaning.", class_="told"),
        _instead(found, search),
        h("ol", [_hit(site, hit) for hit in found.items], class_="hits"),
        h("p", h("a", "Show more", href=search_address(**again, more=search.more + 1)), class_="more")
        if more
        else None,
    )


def _form(site: Site, search: Search) -> Html:
    corpora: list[Child] = [
        h("option", title_of(room.reading), value=room.name, selected=room.name == search.corpus) for room in site.rooms
    ]
    kinds = [
        h("option", f"{kind}s" if kind != "other" else "others", value=kind, selected=kind == search.kind)
        for kind in KINDS
    ]
    return h(
        "form",
        h(
            "div",
            h(
                "input",
                type="search",
                id="q",
                name="q",
                value=search.q,
                maxlength=500,
                autofocus=not search.q,
                placeholder="compact Hausdorff, $a^2 + b^2$, 2.1.13, lem:bound …",
                aria_label="Search for words, a formula, a label or a number",
            ),
            h("button", "Search", type="submit", class_="main"),
            class_="field",
        ),
        h(
            "div",
            h("select", h("option", "all corpora", value=""), corpora, name="corpus", aria_label="In which corpus")
            if len(site.rooms) > 1
            else None,
            h("select", h("option", "all kinds", value=""), kinds, name="kind", aria_label="Which kind of statement"),
            h("input", type="hidden", name="chapter", value=search.chapter) if search.chapter else None,
            h("span", "in ", h("b", search.chapter), class_="told") if search.chapter else None,
            class_="filters",
        ),
        action="/",
        method="get",
        role="search",
        class_="search",
        autocomplete="off",
    )


def _hit(site: Site, hit: Hit) -> Html:
    room = site.room(hit.corpus)
    statement = room.corpus.by_id[hit.id]
    reading = room.reading
    title = h("i", reading.excerpt(statement, hit.card.title, hit.title_marks)) if hit.card.title else None
    where = " › ".join(filter(None, (title_of(reading), reading.words(hit.card.chapter))))
    return h(
        "li",
        h("h2", h("a", h("b", reading.name(statement)), " ", title, href=statement_address(hit.id))),
        h("div", reading.excerpt(statement, hit.snippet, hit.marks), class_="tex-text"),
        h("p", where, class_="where"),
        class_=f"hit {kind_class(statement)}",
    )


def _instead(found: Found, search: Search) -> Html | None:
    words: list[Child] = [
        h("p", "Nothing has the word ", h("q", wrong), "; searched for ", h("q", right), " instead.", class_="told")
        for wrong, right in found.corrections
    ]
    if found.suggestions:
        links = [h("a", one, href=search_address(q=one, corpus=search.corpus)) for one in found.suggestions]
        words.append(h("p", "Perhaps: ", [[link, " "] for link in links], class_="told"))
    return h("div", words) if words else None


def _welcome(site: Site) -> Html:
    cards = [
        h(
            "li",
            h("a", h("b", title_of(room.reading)), href=corpus_address(room.name)),
            h("p", f"{count(len(room.corpus.statements), 'statement')}, {count(room.graph.edge_count, 'reference')}"),
        )
        for room in site.rooms
    ]
    ask = h(
        "section",
        h("h2", "Writing a proof?"),
        h(
            "p",
            "Paste a theorem, and see what its proof will probably cite, why, and what to write to cite it.",
        ),
        h("p", h("a", "Ask for references", href="/ask", class_="main button")),
        class_="card ask",
    )
    room = site.rooms[0]
    much = sorted(room.corpus.statements, key=lambda s: -len(room.graph.used_by.get(s.id, ())))[:6]
    used = h("section", h("h2", "Used most"), entries(room.reading, much, ordered=True), class_="card")
    shelf = h("section", h("h2", "Corpora"), h("ul", cards, class_="shelf"), class_="card")
    return h("div", ask, shelf, used, class_="welcome")
