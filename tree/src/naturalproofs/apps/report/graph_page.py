"""The reference graph as one HTML file with data, texts, script and style, and a policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape
from importlib.resources import files
from itertools import chain
from math import sqrt

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.drawing import Drawing, Edges, Level, group_name, grouped
from naturalproofs.corpus.graph import ReferenceGraph, components, transitive_reduction
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.data import font_files
from naturalproofs.records import KINDS, Statement, StatementId, formal_names
from naturalproofs.sources.latex import Formulas, Macro, Prose, plain_unicode
from naturalproofs.workspace.render import citation_targets, citation_text

# A layered drawing: layers, few crossings, and places that keep neighbours close.

Pair = tuple[int, int]
"""From a used node to one that uses it, as positions in reading order."""
SWEEPS = 10
ASPECT = 1.6
"""The wanted width of a drawing divided by its height."""


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Upper left corners by node, and the size of the whole."""

    places: list[tuple[int, int]]
    size: Size


def layered(sizes: Sequence[Size], pairs: Sequence[Pair], gap: Size) -> Layout:
    """Lay out nodes, given in reading order; nodes without edges stand in rows below the rest."""
    joined = sorted({node for pair in pairs for node in pair})
    index = {node: position for position, node in enumerate(joined)}
    inner = [(index[a], index[b]) for a, b in downward(len(sizes), pairs)]
    limit = _limit(sizes, gap)
    widths = [sizes[node].width for node in joined]
    rows = _assign_layers(widths, inner, limit, gap.width)
    neighbours: list[list[int]] = [[] for _ in joined]
    for used, user in inner:
        neighbours[used].append(user)
        neighbours[user].append(used)
    centres = _centres(rows, widths, neighbours, gap.width)
    named = [[joined[position] for position in row] for row in rows]
    return _placed(sizes, named, {joined[p]: x for p, x in enumerate(centres)}, gap, limit)


def flowed(sizes: Sequence[Size], gap: Size) -> Layout:
    """Lay out nodes like words in lines, in reading order."""
    return _placed(sizes, [], {}, gap, _limit(sizes, gap))


def downward(count: int, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that can all point down: cycles are broken where they go against reading order."""
    uses: dict[str, tuple[str, ...]] = {}
    for used, user in pairs:
        uses[str(user)] = (*uses.get(str(user), ()), str(used))
    graph = ReferenceGraph(tuple(map(str, range(count))), uses, {})
    home = {int(node): index for index, component in enumerate(components(graph)) for node in component}
    return [(a, b) for a, b in pairs if (home[a], a) < (home[b], b)]


def _assign_layers(widths: Sequence[float], pairs: Sequence[Pair], limit: float, gap: float) -> list[list[int]]:
    """Put each node below all it uses, in the first layer with space for it (greedy Coffman-Graham)."""
    above: list[list[int]] = [[] for _ in widths]
    for used, user in pairs:
        above[user].append(used)
    layer = [0] * len(widths)
    taken: list[float] = []
    for node in _by_depth(above):
        place = max((layer[used] + 1 for used in above[node]), default=0)
        while True:
            if place == len(taken):
                taken.append(0.0)
            if not taken[place] or taken[place] + gap + widths[node] <= limit:
                break
            place += 1
        taken[place] += widths[node] + (gap if taken[place] else 0)
        layer[node] = place
    rows: list[list[int]] = [[] for _ in taken]
    for node, place in enumerate(layer):
        rows[place].append(node)
    return rows


def _by_depth(above: Sequence[Sequence[int]]) -> list[int]:
    """Nodes by the longest chain above them, then in reading order."""
    below: list[list[int]] = [[] for _ in above]
    for node, used in enumerate(above):
        for other in used:
            below[other].append(node)
    waiting = [len(used) for used in above]
    depth = [0] * len(above)
    ready = [node for node, count in enumerate(waiting) if count == 0]
    for node in ready:
        for user in below[node]:
            depth[user] = max(depth[user], depth[node] + 1)
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    return sorted(range(len(above)), key=lambda node: (depth[node], node))


def _limit(sizes: Sequence[Size], gap: Size) -> float:
    area = sum((size.width + gap.width) * (size.height + gap.height) for size in sizes)
    return max([sqrt(area * ASPECT), *(size.width for size in sizes)])


def _centres(rows: list[list[int]], widths: list[float], neighbours: list[list[int]], gap: float) -> list[float]:
    """Order each row by the places of its neighbours, then move nodes towards them."""
    centres = [0.0] * len(widths)
    layer = {node: number for number, row in enumerate(rows) for node in row}
    both = [[(other, 1 / abs(layer[node] - layer[other])) for other in near] for node, near in enumerate(neighbours)]
    above = [[pull for pull in pulls if layer[pull[0]] < layer[node]] for node, pulls in enumerate(both)]
    below = [[pull for pull in pulls if layer[pull[0]] > layer[node]] for node, pulls in enumerate(both)]
    for row in rows:
        _spread(row, widths, gap, centres, [0.0] * len(row))
    for sweep in range(2 * SWEEPS):
        down = sweep % 2 == 0
        pulls = both if sweep >= SWEEPS else above if down else below
        for row in rows if down else reversed(rows):
            preferred = [_preferred(pulls[node], centres, centres[node]) for node in row]
            if sweep < SWEEPS:
                order = sorted(range(len(row)), key=lambda i: (preferred[i], i))
                row[:], preferred = [row[i] for i in order], [preferred[i] for i in order]
            _spread(row, widths, gap, centres, preferred)
    return centres


def _preferred(pulls: list[tuple[int, float]], centres: list[float], own: float) -> float:
    """The preferred centre of a node: the mean of its neighbours, weighted by the inverse distance of layers."""
    total = weight = 0.0
    for other, share in pulls:
        total += centres[other] * share
        weight += share
    return total / weight if weight else own


def _spread(row: list[int], widths: list[float], gap: float, centres: list[float], preferred: list[float]) -> None:
    """Set the centres of a row as near to the preferred ones as order and widths allow (isotonic regression)."""
    offsets, offset = [], 0.0
    for position, node in enumerate(row):
        offset += widths[node] / 2 + ((widths[row[position - 1]] / 2 + gap) if position else 0)
        offsets.append(offset)
    pools: list[list[float]] = []
    for target, shift in zip(preferred, offsets, strict=True):
        pools.append([target - shift, 1])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            value, count = pools.pop()
            merged = pools[-1][1] + count
            pools[-1] = [(pools[-1][0] * pools[-1][1] + value * count) / merged, merged]
    starts = [value for value, count in pools for _ in range(int(count))]
    for node, start, shift in zip(row, starts, offsets, strict=True):
        centres[node] = start + shift


def _placed(sizes: Sequence[Size], rows: list[list[int]], centres: dict[int, float], gap: Size, limit: float) -> Layout:
    """Corners from rows and centres, with the nodes without edges in rows of their own below."""
    left = min((centres[node] - sizes[node].width / 2 for row in rows for node in row), default=0.0)
    right = max((centres[node] + sizes[node].width / 2 - left for row in rows for node in row), default=0.0)
    corners = {node: centre - sizes[node].width / 2 - left for node, centre in centres.items()}
    room, filled = max(right, limit if not rows else right), 0.0
    last: list[int] = []
    below: list[list[int]] = []
    for node in (node for node in range(len(sizes)) if node not in centres):
        if not last or filled + gap.width + sizes[node].width > max(room, sizes[node].width):
            last, filled = [], -gap.width
            below.append(last)
        corners[node] = filled + gap.width
        filled += gap.width + sizes[node].width
        last.append(node)
    places = [(0, 0)] * len(sizes)
    top = 0.0
    for row in [*rows, *below]:
        for node in row:
            places[node] = (round(corners[node]), round(top))
        top += max(sizes[node].height for node in row) + gap.height
    width = max((x + sizes[node].width for node, (x, _) in enumerate(places)), default=0.0)
    return Layout(places, Size(width, max(0.0, top - gap.height)))


SCRIPTS = ("model.js", "place.js", "camera.js", "paint.js", "address.js", "panel.js", "keys.js", "main.js")
"""In the order in which they are joined into one script."""
FLUID = 3000
"""The largest number of statements that can be shown at once."""
CALM = 400
"""The largest number of statements that a page opens with; a larger one opens with chapters."""

NODE = Size(172, 48)
CHAPTER = Size(208, 66)
BLOCK_HEAD, BLOCK_PAD = 64, 28
_NODE_GAP, _CHAPTER_GAP, _BLOCK_GAP = Size(18, 46), Size(26, 64), Size(80, 140)
_EXCERPT, _EXCERPT_SOURCE = 44, 400
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

    return _FONT.sub(address, used) + _asset("graph.css")


@cache
def _asset(name: str) -> str:
    return files("naturalproofs.apps.report").joinpath("graph", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(value: object) -> str:
    """JSON that no HTML parser mistakes for markup."""
    text = msgspec.json.encode(value).decode()
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
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
        name = citation_text(self._statements[index], key, command)
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
    insides = [_inside(corpus.statements, members, graph, index) for members in groups.members]
    blocks = [Size(one.size.width + 2 * BLOCK_PAD, one.size.height + BLOCK_HEAD + BLOCK_PAD) for one in insides]
    columns = _columns(corpus.statements, macros)
    places: dict[int, tuple[int, int]] = {}
    for members, one in zip(groups.members, insides, strict=True):
        places.update(zip(members, one.places, strict=True))
    home = {node: number for number, members in enumerate(groups.members) for node in members}
    order = range(len(corpus.statements))
    return {
        "name": corpus.name,
        "title": corpus.title,
        "word": groups.level,
        "kinds": KINDS,
        "node": [NODE.width, NODE.height],
        "box": [CHAPTER.width, CHAPTER.height],
        "pad": [BLOCK_PAD, BLOCK_HEAD],
        **columns,
        "group": [home[node] for node in order],
        "x": [places[node][0] for node in order],
        "y": [places[node][1] for node in order],
        "edges": _edges(graph, index),
        **_chapters(groups, blocks, macros),
        "all": len(corpus.statements) <= FLUID,
        "calm": len(corpus.statements) <= CALM or len(groups.members) < 2,
    }


def _inside(
    statements: Sequence[Statement], members: list[int], graph: ReferenceGraph, index: dict[StatementId, int]
) -> Layout:
    local = {node: position for position, node in enumerate(members)}
    pairs = [
        (local[index[used]], position)
        for position, node in enumerate(members)
        for used in graph.uses.get(statements[node].id, ())
        if index[used] in local
    ]
    return layered([NODE] * len(members), pairs, _NODE_GAP)


def _columns(statements: Sequence[Statement], macros: Mapping[str, Macro]) -> dict[str, object]:
    forms = list(dict.fromkeys(statement.form for statement in statements))
    form_index = {form: number for number, form in enumerate(forms)}
    return {
        "label": [statement.label for statement in statements],
        "title_of": [plain_unicode(statement.title, macros) for statement in statements],
        "excerpt": [_excerpt(statement, macros) for statement in statements],
        "number": [statement.number for statement in statements],
        "tag": [statement.tag for statement in statements],
        "kind": [KINDS.index(statement.kind) for statement in statements],
        "forms": forms,
        "form": [form_index[statement.form] for statement in statements],
        "section": [statement.section for statement in statements],
        "origin": [str(statement.origin) if statement.origin else "" for statement in statements],
        "proofs": [len(statement.proofs) for statement in statements],
        "lean": [int(bool(formal_names(statement))) for statement in statements],
    }


def _excerpt(statement: Statement, macros: Mapping[str, Macro]) -> str:
    """The first words of a statement without title and label."""
    if statement.title or not has_generated_label(statement):
        return ""
    words = plain_unicode(" ".join(statement.lines)[:_EXCERPT_SOURCE], macros)
    return words if len(words) <= _EXCERPT else words[:_EXCERPT].rsplit(" ", 1)[0] + " …"


def _edges(graph: ReferenceGraph, index: dict[StatementId, int]) -> list[int]:
    """From, to and a mask: 1 cited in the statement, 2 in a proof; 4, 8, 16 essential among both, those, these."""
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
    return list(chain.from_iterable((used, user, mask) for (used, user), mask in masks.items()))


def _chapters(groups: Grouping, blocks: list[Size], macros: Mapping[str, Macro]) -> dict[str, object]:
    nodes, edges = groups.drawing.nodes, groups.drawing.edges
    index = {node.id: number for number, node in enumerate(nodes)}
    weights = sorted((edge.weight for edge in edges), reverse=True)
    wanted = round(len(nodes) * _LINKS_A_CHAPTER)
    threshold = weights[wanted - 1] if len(weights) > wanted > 0 else 1
    heavy = [(index[edge.source], index[edge.target]) for edge in edges if edge.weight >= threshold]
    arranged = layered([CHAPTER] * len(nodes), heavy, _CHAPTER_GAP)
    flow = flowed(blocks, _BLOCK_GAP)
    return {
        "groups": [plain_unicode(node.title, macros) for node in nodes],
        "counts": [node.statements for node in nodes],
        "block": [[*place, size.width, size.height] for place, size in zip(flow.places, blocks, strict=True)],
        "chapter_at": arranged.places,
        "links": [[index[e.source], index[e.target], e.weight, e.statement, e.proof] for e in edges],
        "threshold": threshold,
    }
