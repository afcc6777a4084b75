"""The scanner beside pylatexenc, which builds a full tree: the same environments, labels and references in order."""

import pytest
from pylatexenc.latexwalker import LatexEnvironmentNode, LatexMacroNode, LatexWalker, get_default_latex_context_db
from pylatexenc.macrospec import MacroSpec

from naturalproofs.data import primer_folder
from naturalproofs.sources.latex.scan.scanner import TokenKind, scan

CHAPTERS = ["groups", "calculus", "sets"]
KEYED = ("label", "ref", "cref", "Cref", "eqref", "autoref")


def found_by_pylatexenc(text):
    """Environments and keyed commands in the order of the text."""
    context = get_default_latex_context_db()
    context.add_context_category("keyed", macros=[MacroSpec(name, "{") for name in KEYED], prepend=True)
    found = []

    def walk(nodes):
        for node in nodes or []:
            if isinstance(node, LatexEnvironmentNode):
                found.append((node.pos, "begin", node.environmentname))
                if node.nodeargd is not None:
                    walk([argument for argument in node.nodeargd.argnlist or [] if argument is not None])
                walk(node.nodelist)
            elif isinstance(node, LatexMacroNode):
                if node.macroname in KEYED:
                    key = node.nodeargd.argnlist[0].latex_verbatim().strip("{}")
                    found.append((node.pos, node.macroname, " ".join(key.split())))
                elif node.nodeargd is not None:
                    walk([argument for argument in node.nodeargd.argnlist or [] if argument is not None])
            elif hasattr(node, "nodelist"):
                walk(node.nodelist)

    nodes, _, _ = LatexWalker(text, latex_context=context).get_latex_nodes()
    walk(nodes)
    return sorted(found)


def found_by_us(text):
    found = []
    for token in scan(text).tokens:
        if token.kind is TokenKind.BEGIN:
            found.append((token.start, "begin", token.name))
        elif token.kind in (TokenKind.LABEL, TokenKind.REFERENCE) and token.name in KEYED:
            found.append((token.start, token.name, token.argument))
    return found


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_same_structure(chapter):
    text = (primer_folder() / "chapters" / f"{chapter}.tex").read_text("utf-8")
    ours = found_by_us(text)
    assert len(ours) > 200
    assert ours == found_by_pylatexenc(text)
