"""Chapters and sections as nodes: what a Leitfaden shows."""

from collections import Counter
from typing import Literal

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph.drawing import Drawing, Edge, Level, Node
from naturalproofs.corpus.graph.graph import ReferenceGraph
from naturalproofs.records import Statement

UNNAMED = "(no heading)"


def group_name(statement: Statement, level: Level) -> str:
    """The chapter or section that a statement belongs to; in a wiki, its first category."""
    if statement.place is None:
        named = (statement.toplevel_categories or ()) + statement.categories
        return named[0] if named else UNNAMED
    chapter, section = statement.place.chapter, statement.place.section
    if level == "chapter":
        return chapter or UNNAMED
    return " / ".join(filter(None, (chapter, section))) or UNNAMED


def grouped(corpus: Corpus, graph: ReferenceGraph, level: Level) -> Drawing:
    """The graph of chapters or sections; an edge weighs as much as there are pairs of statements behind it."""
    home = {statement.id: group_name(statement, level) for statement in corpus.statements}
    counts = Counter(home.values())
    by_statement, by_proof, by_either = (
        Counter((home[used], home[user]) for user, cited in uses.items() for used in cited if home[used] != home[user])
        for uses in (graph.statement_uses, graph.proof_uses, graph.uses)
    )
    kind: Literal["section", "chapter"] = "section" if level == "section" else "chapter"
    chapters = {
        home[s.id]: (s.place.chapter, s.place.section if level == "section" else "")
        for s in corpus.statements
        if s.place is not None
    }
    nodes = tuple(
        Node(
            id=name, label=name, kind=kind, title=name, statements=count,
            chapter=chapters.get(name, ("", ""))[0], section=chapters.get(name, ("", ""))[1],
        )
        for name, count in counts.items()
    )  # fmt: skip
    edges = tuple(
        Edge(source, target, by_statement[source, target], by_proof[source, target], weight)
        for (source, target), weight in by_either.items()
    )
    return Drawing(corpus.name, level, nodes, edges)
