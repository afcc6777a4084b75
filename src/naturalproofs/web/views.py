"""What the served pages and a written site show alike of a corpus and of a statement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import counts
from naturalproofs.records import Statement
from naturalproofs.web.render import Renderer
from naturalproofs.workspace import OpenCorpus

LISTED = 12
"""Longer lists of a statement's page are folded after so many entries."""


def corpus_figures(opened: OpenCorpus) -> list[tuple[str, int]]:
    """How many theorems, definitions, proofs and references there are."""
    number = counts(opened.corpus)
    kinds = [(name, number[name]) for name in ("theorems", "definitions", "others", "proofs")]
    return [*kinds, ("references", opened.graph.edge_count)]


def published_url(corpus: Corpus, statement: Statement) -> str:
    """The page of the statement in the work itself, if it is known."""
    provenance = corpus.provenance
    known = provenance.source == "stacks" and provenance.url and statement.tag
    return f"{provenance.url}/tag/{statement.tag}" if known else ""


def by_section(statements: Iterable[Statement]) -> dict[str, list[Statement]]:
    """The statements of each section, in order."""
    sections: dict[str, list[Statement]] = {}
    for statement in statements:
        sections.setdefault(statement.section, []).append(statement)
    return sections


def statement_values(opened: OpenCorpus, renderer: Renderer, statement: Statement) -> dict[str, Any]:
    """A statement with its proofs, its neighbours in reading order and in the graph, for a template."""
    statements, by_id, graph = opened.corpus.statements, opened.corpus.by_id, opened.graph
    at = opened.positions[statement.id]
    return {
        "title": renderer.full_title(statement),
        "statement": statement,
        "proofs": [
            (number, proof, len(set(proof.references)))
            for number, proof in enumerate(statement.proofs, start=1)
            if any(line.strip() for line in proof.lines) or proof.references
        ],
        "previous": statements[at - 1] if at else None,
        "next": statements[at + 1] if at + 1 < len(statements) else None,
        "uses": [by_id[key] for key in graph.uses.get(statement.id, ())],
        "used_by": [by_id[key] for key in graph.used_by.get(statement.id, ())],
        "listed": LISTED,
    }
