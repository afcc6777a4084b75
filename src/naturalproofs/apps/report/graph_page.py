"""The reference graph as one HTML file with data, texts, script and style, and a policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache, cached_property
from html import escape
from importlib.resources import files
from itertools import chain

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.drawing import Drawing, Edges, Level, group_name, grouped
from naturalproofs.corpus.graph import ReferenceGraph, transitive_reduction
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.data import font_files
from naturalproofs.io.files import current_bytes
from naturalproofs.io.listing import path_of
from naturalproofs.records import KINDS, Origin, Statement, StatementId, formal_names
from naturalproofs.sources.latex import Formulas, Macro, Prose, plain_unicode
from naturalproofs.workspace.render import citation_targets, citation_text, cited_name, preview
from naturalproofs.workspace.terms import TermUses

SCRIPTS = ("layout.js", "model.js", "place.js", "camera.js", "paint.js", "address.js", "panel.js", "keys.js", "main.js")
"""In the order in which they are joined into one script."""
FLUID = 3000
"""The largest number of statements that can be shown at once."""
CALM = 400
"""The largest number of statements that a page opens with; a larger one opens with chapters."""

_EXCERPT = 60
"""Characters of the beginning of a statement without title and label."""
_DATA = '<script type="application/json" id="data">'
"""Where the second part of the page begins."""
_FONT = re.compile(r'url\("([^"]+)"\)')
_LINKS_A_CHAPTER = 1.5
"""Edges for each chapter in the first view; the slider shows more."""


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
    pages: Mapping[StatementId, str] = field(default_factory=dict)
    """What stands there in place of the id, where pages have other names."""
    texts: str = ""
    """What stands before the number of a node in the URL of its text; texts are in the page if it is empty."""
    fonts: str = ""
    """What stands before the names of fonts; they are in the page if it is empty."""


def graph_page(
    corpus: Corpus,
    macros: Mapping[str, Macro] | None = None,
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
    page = GraphPage(corpus, macros or {}, opening or Opening(), site)
    return page.start + page.rest()


@dataclass(frozen=True)
class GraphPage:
    """The page in two parts: what can be shown at once, and the data with the script, which take longer to make."""

    corpus: Corpus
    macros: Mapping[str, Macro]
    opening: Opening = field(default_factory=Opening)
    site: SiteLinks | None = None

    @property
    def _fonts(self) -> str:
        return self.site.fonts if self.site is not None else ""

    @cached_property
    def policy(self) -> str:
        """The content security policy."""
        connection = "connect-src 'self'; " if self.site is not None and self.site.texts else ""
        own = "'self'" if self._fonts else ""
        return (
            f"default-src 'none'; script-src '{_hash(_script())}'; style-src '{_hash(_style(self._fonts))}'; "
            f"font-src {own or 'data:'}; {connection}base-uri 'none'; form-action 'none'"
        )

    @cached_property
    def start(self) -> str:
        """The page up to its data, with a note that the graph is being drawn."""
        values = {"policy": self.policy, "title": escape(self.corpus.title), "style": _style(self._fonts)}
        return _asset("page.html").partition(_DATA)[0].format_map(values)

    def rest(self) -> str:
        """The data, the texts if they are in the page, and the script."""
        graph = ReferenceGraph.of(self.corpus)
        groups = grouping(self.corpus, graph, self.opening.level)
        data = page_data(self.corpus, graph, groups, self.macros)
        data["opening"] = self.opening
        statements, site = self.corpus.statements, self.site
        if site is not None:
            names = [site.pages.get(statement.id, statement.id) for statement in statements]
            # Most ids are the label after the name of the corpus.
            usual = [f"{self.corpus.name}:{one.label}" for one in statements]
            other = {number: name for number, name in enumerate(names) if name != usual[number]}
            data |= {"site": {"corpus": site.corpus, "statement": site.statement, "texts": site.texts}, "id": other}
        packed: list[str] = []
        if site is None or not site.texts:
            texts = Texts(statements, self.macros)
            packed = [texts.packed([statements[node] for node in members]) for members in groups.members]
        sources = [f'<script type="text/plain" id="text-{number}">{one}</script>' for number, one in enumerate(packed)]
        values = {"data": _json(data), "texts": "\n".join(sources), "script": _script()}
        return _DATA + _asset("page.html").partition(_DATA)[2].format_map(values)


def _script() -> str:
    return f"(() => {{\n'use strict';\n{''.join(_asset(name) for name in SCRIPTS)}}})();\n"


@cache
def _style(folder: str) -> str:
    """The style, with fonts from a folder of the site; without one, those of Latin letters and formulas are in it."""
    files = font_files()
    rules = files["fonts.css"].decode().splitlines(keepends=True)
    used = "".join(rule for rule in rules if folder or "latin." in rule or "math." in rule)

    def address(url: re.Match[str]) -> str:
        data = base64.b64encode(files[url[1]]).decode()
        return f'url("{folder}{url[1]}")' if folder else f'url("data:font/woff2;base64,{data}")'

    return _FONT.sub(address, used) + _asset("formulas.css") + _asset("graph.css")


@cache
def _asset(name: str) -> str:
    return files("naturalproofs.apps.report").joinpath("graph", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(value: object) -> str:
    """JSON that no HTML parser mistakes for markup."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


class Texts:
    """Statements as HTML whose references lead to other nodes of the page."""

    def __init__(self, statements: Sequence[Statement], macros: Mapping[str, Macro]) -> None:
        """Bind the statements that can be linked to, in the order of the page's nodes."""
        self._index = {statement.id: index for index, statement in enumerate(statements)}
        self._statements = statements
        self._formulas = Formulas(macros)

    def html(self, statement: Statement) -> str:
        """One statement."""
        targets = citation_targets(statement.mentions)

        def link(key: str, command: str, shown: str | None) -> str | None:
            target = targets.get(key)
            return self._link(target, key, command, shown) if target is not None else None

        return Prose(self._formulas, link).render(statement.text)

    def packed(self, statements: Sequence[Statement]) -> str:
        """Several statements as compressed JSON in base64; packed by chapter, so that a large page opens at once."""
        texts = msgspec.json.encode([self.html(statement) for statement in statements])
        return base64.b64encode(zlib.compress(texts, 9)).decode()

    def _link(self, target: StatementId, key: str, command: str, shown: str | None) -> str | None:
        index = self._index.get(target)
        if index is None:
            return None
        name = citation_text(self._statements[index], key, command) or cited_name(self._statements[index])
        return f'<a href="#" data-node="{index}">{shown or escape(name)}</a>'


@dataclass(frozen=True, slots=True)
class Grouping:
    """Statements by chapter, or by section where there are no chapters."""

    level: Level
    drawing: Drawing
    members: list[list[int]]


def grouping(corpus: Corpus, graph: ReferenceGraph, level: Level) -> Grouping:
    """The groups of a page: chapters, but sections when asked for or when there is only one chapter."""
    chosen: Level = "section" if level == "section" else "chapter"
    if chosen == "chapter" and len({group_name(s, "chapter") for s in corpus.statements}) == 1:
        chosen = "section"
    drawn = grouped(corpus, graph, chosen)
    members: dict[str, list[int]] = {node.id: [] for node in drawn.nodes}
    for index, statement in enumerate(corpus.statements):
        members[group_name(statement, chosen)].append(index)
    return Grouping(chosen, drawn, list(members.values()))


def page_data(
    corpus: Corpus, graph: ReferenceGraph, groups: Grouping, macros: Mapping[str, Macro]
) -> dict[str, object]:
    """The data of the page without the texts, in columns."""
    index = {statement.id: number for number, statement in enumerate(corpus.statements)}
    home = {node: number for number, members in enumerate(groups.members) for node in members}
    return {
        "name": corpus.name,
        "title": corpus.title,
        "word": groups.level,
        "kinds": KINDS,
        **_columns(corpus, macros),
        "stage": stages(corpus, graph),
        "group": [home[node] for node in range(len(corpus.statements))],
        **_edges(corpus, graph, index),
        **_chapters(groups, macros),
        "all": len(corpus.statements) <= FLUID,
        "calm": len(corpus.statements) <= CALM or len(groups.members) < 2,
    }


def _columns(corpus: Corpus, macros: Mapping[str, Macro]) -> dict[str, object]:
    statements = corpus.statements
    forms = list(dict.fromkeys(statement.form for statement in statements))
    form_index = {form: number for number, form in enumerate(forms)}
    return {
        "label": [statement.label for statement in statements],
        "title_of": [plain_unicode(statement.title, macros) for statement in statements],
        "excerpt": [
            "" if one.title or not has_generated_label(one) else preview(one, macros, _EXCERPT, corpus)
            for one in statements
        ],
        "number": [statement.number for statement in statements],
        "tag": [statement.tag for statement in statements],
        "kind": [KINDS.index(statement.kind) for statement in statements],
        "forms": forms,
        "form": [form_index[statement.form] for statement in statements],
        "section": [statement.section for statement in statements],
        "origin": [str(statement.origin) if statement.origin else "" for statement in statements],
        "proofs": [len(statement.proofs) for statement in statements],
    }


def _edges(corpus: Corpus, graph: ReferenceGraph, index: dict[StatementId, int]) -> dict[str, object]:
    """From, to and a mask: 1 cited in the statement, 2 in a proof; 4, 8, 16 essential among both, those, these.

    What is inferred has the mask 32, and 64 times the number of the note that says why.
    """
    nothing: dict[StatementId, tuple[StatementId, ...]] = {}
    ways = (
        (0, 4, graph),
        (1, 8, ReferenceGraph(graph.nodes, graph.statement_uses, nothing)),
        (2, 16, ReferenceGraph(graph.nodes, nothing, graph.proof_uses)),
    )
    masks: dict[tuple[int, int], int] = {}
    for own, essential, part in ways:
        for found, value in ((part.uses, own), (transitive_reduction(part), essential)):
            for key in ((index[used], index[user]) for user, cited in found.items() for used in cited):
                masks[key] = masks.get(key, 0) | value
    notes: dict[str, int] = {}
    terms = TermUses(corpus)
    for user, number in index.items():
        for used, reason in terms.faint(user).items():
            masks.setdefault((index[used], number), 32 + 64 * notes.setdefault(reason.note, len(notes)))
    edges = list(chain.from_iterable((used, user, mask) for (used, user), mask in masks.items()))
    return {"edges": edges, "inferred": list(notes)}


def _chapters(groups: Grouping, macros: Mapping[str, Macro]) -> dict[str, object]:
    nodes, edges = groups.drawing.nodes, groups.drawing.edges
    index = {node.id: number for number, node in enumerate(nodes)}
    weights = sorted((edge.weight for edge in edges), reverse=True)
    wanted = round(len(nodes) * _LINKS_A_CHAPTER)
    threshold = weights[wanted - 1] if len(weights) > wanted > 0 else 1
    return {
        "groups": [plain_unicode(node.title, macros) for node in nodes],
        "counts": [node.statements for node in nodes],
        "links": [[index[e.source], index[e.target], e.weight, e.statement, e.proof] for e in edges],
        "threshold": threshold,
    }


# How far each statement of a blueprint is in Lean, from the marks ``\leanok``, ``\mathlibok`` and ``\notready``.

_BEGIN = re.compile(r"\\begin\s*\{([^{}]+)\}")
_MARK = re.compile(r"(?<!%)\\(leanok|mathlibok|notready)(?![a-zA-Z])")
_LONGEST = 400
"""Lines of a statement or proof that are looked at."""


class Stage(IntEnum):
    """How far a statement is; each stage includes those before it."""

    NOT_READY = 0
    WRITTEN = 1
    NEXT = 2
    """Not stated in Lean, but all that it uses is."""
    STATED = 3
    PROVED = 4
    ALL_BELOW = 5
    """Proved, and so is all that it rests on."""


def stages(corpus: Corpus, graph: ReferenceGraph) -> list[Stage]:
    """The stage of each statement in reading order; nothing if the work marks no statement."""
    marks = _Marks(corpus)
    if not any(formal_names(one) for one in corpus.statements):
        return []
    own = {one.id: marks.of(one) for one in corpus.statements}
    if not any("leanok" in found or "mathlibok" in found for found, _ in own.values()):
        return []
    found = {one.id: _stage(one, *own[one.id]) for one in corpus.statements}
    unsettled = [key for key, stage in found.items() if stage < Stage.PROVED]
    reached = set(unsettled)
    while unsettled:
        new = [user for user in graph.used_by.get(unsettled.pop(), ()) if user not in reached]
        reached.update(new)
        unsettled += new
    for key, stage in found.items():
        if stage is Stage.PROVED and key not in reached:
            found[key] = Stage.ALL_BELOW
    stated = {key for key, stage in found.items() if stage >= Stage.STATED}
    for key, stage in found.items():
        if stage is Stage.WRITTEN and stated.issuperset(graph.uses.get(key, ())):
            found[key] = Stage.NEXT
    return [found[one.id] for one in corpus.statements]


def _stage(statement: Statement, marks: frozenset[str], proof_marks: frozenset[str]) -> Stage:
    if "mathlibok" in marks or "leanok" in proof_marks:
        return Stage.PROVED
    if "leanok" in marks:
        return Stage.STATED if statement.kind == "theorem" else Stage.PROVED
    return Stage.NOT_READY if "notready" in marks else Stage.WRITTEN


class _Marks:
    """Reads the marks at the places of statements and proofs; the text of a statement has none of them."""

    def __init__(self, corpus: Corpus) -> None:
        self._root = corpus.root
        self._lines = cache(self._read)

    def of(self, statement: Statement) -> tuple[frozenset[str], frozenset[str]]:
        """The marks of a statement, and those of its proofs."""
        proofs = (self._at(proof.origin) for proof in statement.proofs)
        return self._at(statement.origin), frozenset[str]().union(*proofs)

    def _read(self, path: str) -> list[str]:
        file = self._root / path_of(path) if self._root is not None else None
        return current_bytes(file).decode("utf-8", "replace").splitlines() if file and file.is_file() else []

    def _at(self, origin: Origin | None) -> frozenset[str]:
        lines = self._lines(origin.path)[origin.line - 1 :][:_LONGEST] if origin is not None else []
        begin = _BEGIN.search(lines[0]) if lines else None
        if begin is None:
            return frozenset()
        text = "\n".join(lines)[begin.start() :].partition(f"\\end{{{begin[1]}}}")[0]
        return frozenset(mark[1] for mark in _MARK.finditer(text))
