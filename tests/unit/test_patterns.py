"""Patterns that read untrusted text: with more than linear time these tests would not end."""

from importlib import import_module

import pytest

SIZE = 1_000_000
HOSTILE = [
    ("sources.textbooks", "_TITLE", "", "["),
    ("sources.latex.macros.entries", "_MARK", "\\label", " "),
    ("sources.latex.macros.engine", "_NEXT", "\\a", "_"),
    ("sources.latex.macros.expansion", "_RANGE", "1,", " "),
    ("sources.latex.macros.expansion", "_VARIABLE", "\\tl_use:N", " "),
    ("sources.latex.macros.table", "_CONSTANT_NAME", "\\csname", " "),
    ("sources.latex.scan.conditionals", "_LOCAL", "\\def", " "),
    ("sources.latex.scan.conditionals", "_TOKEN", "\\let\\a", " "),
    ("sources.latex.scan.conditionals", "_TOKEN", "", "\\unless "),
    ("sources.latex.read.proofs", "_LINE", "", "\n"),
    ("sources.latex.read.proofs", "_PARAGRAPH_MARK", "", "{"),
    ("sources.latex.read.proofs", "_PARAGRAPH_MARK", "\\begin", " "),
    ("sources.latex.read.headings", "_AROUND", "", "a"),
    ("sources.latex.read.headings", "_DECORATED", "", "\\emph{"),
    ("sources.latex.read.headings", "_FONT", "{", " "),
    ("sources.latex.read.headings", "_FONT", "", "{~"),
    ("sources.latex.read.headings", "_JOINED", "", "A"),
    ("sources.latex.read.headings", "_NEW_PARAGRAPH", "", "\n"),
    ("sources.latex.read.headings", "_NEW_PARAGRAPH", "", "\\label{"),
    ("sources.latex.read.headings", "_NOT_PROVED", "section", " "),
    ("sources.latex.read.works", "BIBITEM", "", "\\bibitem["),
    ("sources.latex.display.cursor", "_LENGTH", "", " "),
    ("sources.latex.display.cursor", "_LENGTH", "", "1"),
    ("sources.latex.display.cursor", "_AMOUNT", "", "1"),
    ("sources.latex.display.diagram", "_XY_LABEL", "^(", " "),
    ("sources.latex.display.formula", "_RULE", "", " "),
    ("sources.latex.display.formula", "_RULE", "\\cline", " "),
    ("sources.latex.display.prose", "_GRAPHICS", "", "\\includegraphics["),
    ("sources.latex.display.prose", "_GRAPHICS", "\\includegraphics", " "),
    ("sources.markdown.scanner", "_ATTRIBUTE", "", "1"),
    ("sources.markdown.inline", "_ROLE", "{a}`", " "),
    ("sources.markdown.markdown", "_TITLE", "", "\n"),
    ("sources.markdown.scanner", "_ADMONITION", '!!! a"', "a"),
    ("sources.markdown.scanner", "_BLOCK_ID", "", " ^"),
    ("sources.markdown.scanner", "_BOX", "a[", "]{"),
    ("sources.markdown.scanner", "_CALLOUT", "", "> "),
    ("sources.markdown.scanner", "_TITLED", "a", " "),
    ("sources.markdown.scanner", "_EQUATION", "$${#eq-a", "a"),
    ("sources.markdown.scanner", "_FLOAT", "](){", "#a"),
    ("sources.pretext.keys", "_ATTRIBUTE", "", "1"),
    ("tokens", "FORMULA", "", "\\("),
    ("tokens", "FORMULA", "", "\\(\\"),
    ("tokens", "FORMULA", "", "\\[\\"),
    ("apps.web.render", "_ENVIRONMENT", "", "\\begin{a}"),
    ("apps.web.render", "_IMAGE_OPTION", "", "1"),
    ("sources.wiki.wikitext", "_EXTERNAL", "[https://a", " "),
    ("sources.wiki.paper", "_HEADING", "==", " "),
    ("sources.wiki.paper", "_TRANSCLUSION", "{{:", " "),
    ("sources.wiki.templates", "_TEXT", "", "\\)"),
    ("sources.wiki.wiki", "_REDIRECT", "#a", " "),
    ("workspace.check.files", "_CLASS", "\\documentclass{", "/"),
    ("workspace.check.files", "_CLASS", "", "\\documentclass["),
    ("workspace.check.run", "_COMMENT", "", "%"),
    ("workspace.check.label_rules", "_REDEFINED", "\\renewcommand", " "),
    ("workspace.terms", "_BREAKS", "", "\\("),
    ("workspace.terms", "_BREAKS", "", "\\[\\"),
    ("workspace.search.documents", "_PARENTHESIS", "", " "),
]
"""The module, the pattern, how the text begins, and what is repeated."""


ANCHORED = frozenset(
    "_TITLE _KET _LENGTH _AMOUNT _RULE _XY_LABEL _STARRED _TEST _ROLE _IMAGE_OPTION _REDIRECT "
    "_ADMONITION _BOX _CALLOUT _TITLED".split()
)
"""Patterns that are asked at one place only."""


@pytest.mark.parametrize(("module", "name", "head", "piece"), HOSTILE)
def test_a_pattern_takes_linear_time(module, name, head, piece):
    pattern = getattr(import_module(f"naturalproofs.{module}"), name)
    text = head + piece * (SIZE // len(piece))
    text = text.encode() if isinstance(pattern.pattern, bytes) else text
    if name in ANCHORED and module != "markdown.project":
        assert (pattern.match(text) is None) or (pattern.fullmatch(text) is None)
    else:
        assert sum(1 for _ in pattern.finditer(text)) <= len(text)
