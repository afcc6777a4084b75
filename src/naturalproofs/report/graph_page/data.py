"""The data of the graph page: nodes, edges, chapters and their places."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.drawing import Drawing, Edges, Level, edge_kinds, group_name, grouped
from naturalproofs.corpus.graph import ReferenceGraph, transitive_reduction
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.latex.display import Macro, plain_unicode
from naturalproofs.records import KINDS, Statement, StatementId
from naturalproofs.report.graph_page.layout import Layout, Size, flowed, layered

FLUID = 3000
"""The largest number of statements shown at once; a larger page opens with chapters."""

NODE = Size(172, 48)
CHAPTER = Size(208, 66)
BLOCK_HEAD, BLOCK_PAD = 64, 28
_NODE_GAP, _CHAPTER_GAP, _BLOCK_GAP = Size(18, 46), Size(26, 64), Size(80, 140)
_EXCERPT, _EXCERPT_SOURCE = 44, 400
_UNTITLED = ("", "A LaTeX project", "A file in the NaturalProofs schema")
"""Titles of sources that do not state their own."""
_LINKS_A_CHAPTER = 1.5
"""Edges for each chapter in the first view; the slider shows more."""


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


def page_data(corpus: Corpus, graph: ReferenceGraph, groups: Grouping, macros: dict[str, Macro]) -> dict[str, object]:
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
        "title": work_title(corpus),
        "word": groups.level,
        "kinds": KINDS,
        "node": [NODE.width, NODE.height],
        "box": [CHAPTER.width, CHAPTER.height],
        "pad": [BLOCK_PAD, BLOCK_HEAD],
        **columns,
        "group": [home[node] for node in order],
        "x": [places[node][0] for node in order],
        "y": [places[node][1] for node in order],
        "edges": _edges(corpus, index),
        **_chapters(groups, blocks, macros),
        "all": len(corpus.statements) <= FLUID,
    }


def work_title(corpus: Corpus) -> str:
    """The title of the work, or the name of the corpus if the source states none."""
    title = corpus.provenance.title
    return corpus.name if title in _UNTITLED else title


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


def _columns(statements: Sequence[Statement], macros: dict[str, Macro]) -> dict[str, object]:
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
        "section": [statement.place.section if statement.place else "" for statement in statements],
        "origin": [str(statement.origin) if statement.origin else "" for statement in statements],
        "proofs": [len(statement.proofs) for statement in statements],
    }


def _excerpt(statement: Statement, macros: dict[str, Macro]) -> str:
    """The first words of a statement without title and label."""
    if statement.title or not has_generated_label(statement):
        return ""
    words = plain_unicode(" ".join(statement.lines)[:_EXCERPT_SOURCE], macros)
    return words if len(words) <= _EXCERPT else words[:_EXCERPT].rsplit(" ", 1)[0] + " …"


def _edges(corpus: Corpus, index: dict[StatementId, int]) -> list[int]:
    """From, to and a mask: 1 cited in the statement, 2 in a proof; 4, 8, 16 essential among both, those, these."""
    ways: tuple[Edges, ...] = ("both", "statement", "proof")
    masks: dict[tuple[int, int], int] = {}
    for bit, way in zip((4, 8, 16), ways, strict=True):
        graph = ReferenceGraph.of(corpus, edge_kinds(way))
        own = {"both": 0, "statement": 1, "proof": 2}[way]
        for found, value in ((graph.uses, own), (transitive_reduction(graph), bit)):
            for key in ((index[used], index[user]) for user, cited in found.items() for used in cited):
                masks[key] = masks.get(key, 0) | value
    return list(chain.from_iterable((used, user, mask) for (used, user), mask in masks.items()))


def _chapters(groups: Grouping, blocks: list[Size], macros: dict[str, Macro]) -> dict[str, object]:
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
