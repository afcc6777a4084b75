"""The graph page: one HTML file with data, texts, script and style, and a policy that allows nothing else."""

import base64
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.drawing import Edges, Level, statement_node
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.latex.display import Formulas, Macro, Prose
from naturalproofs.records import Mention, Statement, StatementId
from naturalproofs.report.graph_page.data import grouping, page_data

SCRIPTS = ("model.js", "place.js", "camera.js", "paint.js", "address.js", "panel.js", "keys.js", "main.js")
"""In the order in which they are joined into one script."""
NUMBER_ONLY = frozenset({"ref", "eqref", "labelcref"})
"""Commands that print the number alone."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What the page shows first; a fragment in its address says otherwise."""

    focus: str = ""
    up: int = 2
    down: int = 1
    edges: Edges = "both"
    reduce: bool = False
    level: Level = "statement"


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """URLs of the site that serves the page: of the corpus, and what stands before the id of a statement."""

    corpus: str
    statement: str


def graph_page(
    corpus: Corpus,
    macros: dict[str, Macro] | None = None,
    opening: Opening | None = None,
    site: SiteLinks | None = None,
) -> str:
    """The page of a corpus.

    Args:
        corpus: The statements; all of them are in the page.
        macros: The author's macros, for formulas.
        opening: What to show first.
        site: Where the statements have pages of their own; a page that stands alone has no such links.
    """
    macros = macros or {}
    opening = opening or Opening()
    graph = ReferenceGraph.of(corpus)
    groups = grouping(corpus, graph, opening.level)
    data = page_data(corpus, graph, groups, macros)
    data["opening"] = opening
    if site is not None:
        data |= {"site": site, "id": [statement.id for statement in corpus.statements]}
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


def citation_targets(mentions: Sequence[Mention]) -> dict[str, StatementId]:
    """The statements that a text cites, by the key of the citation."""
    return {mention.target: mention.reference for mention in mentions if mention.reference is not None}


def find_target(targets: Mapping[str, StatementId], key: str) -> StatementId | None:
    """The statement that a key cites; in projects of several documents a key may lack the prefix of its document."""
    return targets.get(key) or next((targets[name] for name in targets if name.endswith(f"-{key}")), None)


class Texts:
    """Statements as HTML whose references lead to other nodes of the page."""

    def __init__(self, statements: Sequence[Statement], macros: dict[str, Macro]) -> None:
        """Bind the statements that can be linked to, in the order of the page's nodes."""
        self._index = {statement.id: index for index, statement in enumerate(statements)}
        self._statements = statements
        self._formulas = Formulas(macros)

    def html(self, statement: Statement) -> str:
        """One statement."""
        targets = citation_targets(statement.mentions)

        def link(key: str, command: str, shown: str | None) -> str | None:
            target = find_target(targets, key)
            return self._link(target, command, shown) if target is not None else None

        return Prose(self._formulas, link).render("\n".join(statement.lines))

    def packed(self, statements: Sequence[Statement]) -> str:
        """Several statements as compressed JSON in base64; packed by chapter, so that a large page opens at once."""
        texts = msgspec.json.encode([self.html(statement) for statement in statements])
        return base64.b64encode(zlib.compress(texts, 9)).decode()

    def _link(self, target: StatementId, command: str, shown: str | None) -> str | None:
        index = self._index.get(target)
        if index is None:
            return None
        statement = self._statements[index]
        name = statement.number if command in NUMBER_ONLY and statement.number else statement_node(statement).short
        return f'<a href="#" data-node="{index}">{shown or escape(name)}</a>'
