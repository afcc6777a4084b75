"""What all pages have: head, header, search, footer."""

from __future__ import annotations

from collections.abc import Sequence

from naturalproofs import __version__
from naturalproofs.web.assets import asset_address
from naturalproofs.web.html import Child, Html, h

NAVIGATION = (("/", "Search"), ("/ask", "Ask"), ("/corpora", "Corpora"), ("/results", "Results"))


def page(
    title: str,
    *main: Child,
    here: str = "",
    scripts: Sequence[str] = (),
    description: str = "",
    searchable: bool = True,
    wide: bool = False,
) -> Html:
    """A whole page.

    Args:
        title: What its tab is called.
        main: What it says.
        here: The address of the entry of the navigation it belongs to.
        scripts: Files that add to it; it works without them.
        description: One line for search engines and link previews.
        searchable: Whether the header has a search field; a page that has its own needs none.
        wide: Whether it needs more room than text does.
    """
    name = title if title == "naturalproofs" else f"{title} · naturalproofs"
    head = h(
        "head",
        h("meta", charset="utf-8"),
        h("meta", name="viewport", content="width=device-width, initial-scale=1"),
        h("meta", name="color-scheme", content="light dark"),
        h("meta", name="description", content=description) if description else None,
        h("title", name),
        h("link", rel="icon", href=asset_address("icon.svg"), type="image/svg+xml"),
        h("link", rel="stylesheet", href=asset_address("style.css")),
        h("script", "", src=asset_address("theme.js")),
        [h("script", "", src=asset_address(script), defer=True) for script in ("common.js", *scripts)],
    )
    body = h(
        "body",
        h("a", "Skip to the content", href="#main", class_="skip"),
        _header(here, searchable),
        h("main", *main, id="main", class_="wide" if wide else None, tabindex=-1),
        _footer(),
    )
    return Html("<!doctype html>\n" + h("html", head, body, lang="en"))


def _header(here: str, searchable: bool) -> Html:
    links = [
        h("a", text, href=address, aria_current="page" if address == here else None) for address, text in NAVIGATION
    ]
    field = h(
        "form",
        h("input", type="search", name="q", placeholder="Search", aria_label="Search all corpora", maxlength=500),
        action="/",
        method="get",
        role="search",
        class_="finder",
    )
    return h(
        "header",
        h("a", "natural", h("b", "proofs"), href="/", class_="brand", aria_label="naturalproofs, home"),
        h("nav", links, aria_label="Pages"),
        field if searchable else None,
        h("button", h("span", "Dark or light", class_="unseen"), id="theme", type="button", hidden=True),
        class_="top",
    )


def _footer() -> Html:
    keys = h("span", " · press ", h("kbd", "/"), " to search", class_="keys")
    return h(
        "footer",
        h("p", "naturalproofs ", __version__, " · ", h("a", "JSON interface", href="/api"), keys),
        class_="bottom",
    )


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
