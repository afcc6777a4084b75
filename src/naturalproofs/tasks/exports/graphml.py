"""The reference graph as GraphML: a node for every statement, an edge for every citing pair."""

import re

from naturalproofs.corpus.graph.drawing import drawing
from naturalproofs.corpus.graph.export import to_graphml
from naturalproofs.io.files import replace_file
from naturalproofs.tasks.exports.formats import Request

_OURS = re.compile(rb"\s*<\?xml[^>]*>\s*<graphml")


def write(request: Request) -> str:
    """Write the whole graph; ``naturalproofs graph`` writes parts of it."""
    drawn = drawing(request.corpus)
    replace_file(request.output, to_graphml(drawn).encode("utf-8", "replace"), _OURS)
    return f"{len(drawn.nodes):,} nodes, {len(drawn.edges):,} edges"
