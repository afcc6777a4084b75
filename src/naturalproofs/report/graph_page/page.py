"""One file that holds the whole page: data, script and style, and a policy that lets nothing else in."""

import base64
import hashlib
from dataclasses import dataclass
from html import escape
from importlib.resources import files

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.graph.drawing import Edges, Level
from naturalproofs.latex.display import Macro
from naturalproofs.report.graph_page.data import grouping, page_data
from naturalproofs.report.graph_page.texts import Texts

SCRIPTS = ("model.js", "place.js", "camera.js", "paint.js", "address.js", "panel.js", "keys.js", "main.js")
"""In the order in which they are joined into one script."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What the page shows first; a fragment in its address says otherwise."""

    focus: str = ""
    up: int = 2
    down: int = 1
    edges: Edges = "both"
    reduce: bool = False
    level: Level = "statement"


def graph_page(corpus: Corpus, macros: dict[str, Macro] | None = None, opening: Opening | None = None) -> str:
    """The page of a corpus.

    Args:
        corpus: The statements; all of them are in the page.
        macros: The author's macros, for formulas.
        opening: What to show first.
    """
    macros = macros or {}
    opening = opening or Opening()
    graph = ReferenceGraph.of(corpus)
    groups = grouping(corpus, graph, opening.level)
    data = page_data(corpus, graph, groups, macros)
    data["opening"] = opening
    texts = Texts(corpus.statements, macros)
    packed = [texts.packed([corpus.statements[node] for node in members]) for members in groups.members]
    script = f"(() => {{\n'use strict';\n{''.join(_asset(name) for name in SCRIPTS)}}})();\n"
    style = _asset("graph.css")
    return _asset("page.html").format_map(
        {
            "policy": f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
            "base-uri 'none'; form-action 'none'",
            "title": escape(str(data["title"])),
            "style": style,
            "script": script,
            "data": _json(data),
            "texts": "\n".join(
                f'<script type="text/plain" id="text-{n}">{one}</script>' for n, one in enumerate(packed)
            ),
        }
    )


def _asset(name: str) -> str:
    return files("naturalproofs.report.graph_page").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(value: object) -> str:
    """JSON that no HTML parser mistakes for markup."""
    text = msgspec.json.encode(value).decode()
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
