"""The Jinja2 environment of the pages: autoescaping, with the functions that all templates use."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from naturalproofs import __version__
from naturalproofs.records import KINDS, Statement
from naturalproofs.web import urls
from naturalproofs.web.render import work_title


def render(template: str, **values: Any) -> str:
    """A page, or a part of one, from a template; values are escaped unless they are `Markup`."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("naturalproofs.web"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.filters |= {
        "kind_class": kind_class,
        "number": "{:,}".format,
        "plural": plural,
        "tenths": "{:.1f}".format,
        "work_title": work_title,
    }
    made.globals |= {
        "ask_url": urls.ask_url,
        "comparison_url": urls.comparison_url,
        "corpus_url": urls.corpus_url,
        "graph_url": urls.graph_url,
        "search_url": urls.search_url,
        "statement_url": urls.statement_url,
        "static_url": urls.static_url,
        "version": __version__,
    }
    return made


def plural(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def kind_class(statement: Statement) -> str:
    """The CSS class that gives a statement the colour of its kind."""
    return f"k{KINDS.index(statement.kind)}"
