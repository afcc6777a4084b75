"""Templates (Jinja2, autoescaped) with the functions that they use, and the URLs of pages and static files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from naturalproofs import __version__
from naturalproofs.data import font_files
from naturalproofs.io.files import sha256_bytes
from naturalproofs.records import KINDS, Statement

API = "/api/v1"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


def url(*path: str, **query: str | int | None) -> str:
    """The address of a page, such as ``url("corpus", name, chapter=chapter)``; parts of the query may be empty."""
    given = {name: value for name, value in query.items() if value not in (None, "")}
    address = "/" + "/".join(quote(part, safe=":") for part in path)
    return f"{address}?{urlencode(given, safe=':')}" if given else address


def static_url(name: str) -> str:
    """A static file; the URL names its version, so that browsers may cache it for ever."""
    return f"/static/{name}?v={static_files()[name].version}"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A style sheet, script or image of the pages."""

    content: bytes
    media_type: str
    version: str


@cache
def static_files() -> dict[str, StaticFile]:
    """All static files by name, read once; no URL leads to any other file."""
    found: dict[str, StaticFile] = {}
    own = {entry.name: entry for entry in files("naturalproofs.apps.web").joinpath("static").iterdir()}
    contents = {name: entry.read_bytes() for name, entry in own.items() if entry.is_file()} | font_files()
    shared = files("naturalproofs.apps.report").joinpath("graph")
    contents["layout.js"] = shared.joinpath("layout.js").read_bytes()
    contents["style.css"] += shared.joinpath("formulas.css").read_bytes()
    for name, content in contents.items():
        suffix = name[name.rfind(".") :]
        if suffix in MEDIA_TYPES:
            found[name] = StaticFile(content, MEDIA_TYPES[suffix], sha256_bytes(content)[:12])
    return found


def render(template: str, **values: Any) -> str:
    """A page, or a part of one, from a template; values are escaped unless they are `Markup`."""
    return environment().get_template(template).render(values)


@cache
def environment(*packages: str) -> Environment:
    """The templates of the served pages, and those of other packages, which may use them."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in ("naturalproofs.apps.web", *packages)]),
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
    }
    made.globals |= {"static_url": static_url, "url": url, "version": __version__}
    return made


def plural(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def kind_class(statement: Statement) -> str:
    """The CSS class that gives a statement the colour of its kind."""
    return f"k{KINDS.index(statement.kind)}"
