"""Pieces that several pages share: a statement in a list, where it stands, a line that says nothing was found."""

from __future__ import annotations

from collections.abc import Iterable

from naturalproofs.records import KINDS, Statement
from naturalproofs.web.addresses import corpus_address, statement_address
from naturalproofs.web.html import Child, Html, h
from naturalproofs.web.reading import Reading

_UNTITLED = ("A LaTeX project", "A file in the NaturalProofs schema")
"""What sources are called that do not say their title."""


def kind_class(statement: Statement) -> str:
    """The class that gives a statement the colour of its kind."""
    return f"k{KINDS.index(statement.kind)}"


def entry(reading: Reading, statement: Statement, *more: Child) -> Html:
    """A statement in one line: its name, and its title or how it begins."""
    return h(
        "li",
        h(
            "a",
            h("b", reading.name(statement)),
            " ",
            h("span", reading.gist(statement), class_="gist"),
            href=statement_address(statement.id),
        ),
        *more,
        class_=kind_class(statement),
    )


def entries(reading: Reading, statements: Iterable[Statement], *, ordered: bool = False) -> Html:
    """Statements, one a line."""
    return h("ol" if ordered else "ul", [entry(reading, one) for one in statements], class_="entries")


def crumbs(reading: Reading, statement: Statement) -> Html:
    """Where a statement stands: corpus, chapter, section."""
    corpus, place = reading.corpus, statement.place
    steps: list[Html] = [h("a", title_of(reading), href=corpus_address(corpus.name))]
    if place and place.chapter:
        steps.append(h("a", reading.words(place.chapter), href=corpus_address(corpus.name, chapter=place.chapter)))
    if place and place.section:
        steps.append(h("span", reading.words(place.section)))
    return h("nav", h("ol", [h("li", step) for step in steps]), class_="crumbs", aria_label="Where it stands")


def title_of(reading: Reading) -> str:
    """What a work is called, or what its folder is called if only the kind of source is known."""
    provenance = reading.corpus.provenance
    return reading.corpus.name if provenance.title in ("", *_UNTITLED) else provenance.title


def copyable(text: str, what: str) -> Html:
    """Text to paste somewhere else, with a button that copies it where scripts run."""
    return h(
        "span",
        h("code", text),
        h("button", "Copy", type="button", class_="copy", data_copy=text, aria_label=f"Copy {what}", hidden=True),
        class_="copyable",
    )
