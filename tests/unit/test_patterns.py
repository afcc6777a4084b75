"""Patterns that read untrusted text: with more than linear time these tests would not end."""

from importlib import import_module

import pytest

SIZE = 1_000_000
HOSTILE = [
    ("textbooks", "_TITLE", "", "["),
    ("latex.macros.declarations", "_MARK", "\\label", " "),
    ("latex.read.discovery", "_NUMBERED_WORD", "", "1"),
    ("latex.macros.engine", "_NEXT", "\\a", "_"),
    ("latex.macros.expansion", "_RANGE", "1,", " "),
    ("latex.macros.expansion", "_VARIABLE", "\\tl_use:N", " "),
    ("latex.macros.table", "_CONSTANT_NAME", "\\csname", " "),
    ("latex.scan.conditionals", "_LOCAL", "\\def", " "),
    ("latex.scan.conditionals", "_TOKEN", "\\let\\a", " "),
    ("latex.scan.conditionals", "_TOKEN", "", "\\unless "),
    ("latex.read.headed", "_LINE_IN_FONT", "", "\n"),
    ("latex.read.headed", "_MARK", "", "{"),
    ("latex.read.headed", "_MARK", "\\begin", " "),
    ("latex.read.headings", "_AROUND", "", "a"),
    ("latex.read.headings", "_DECORATED", "", "\\emph{"),
    ("latex.read.headings", "_FONT", "{", " "),
    ("latex.read.headings", "_FONT", "", "{~"),
    ("latex.read.headings", "_JOINED", "", "A"),
    ("latex.read.headings", "_NOT_PROVED", "section", " "),
    ("latex.read.works", "BIBITEM", "", "\\bibitem["),
    ("latex.display.constructs", "_KET", "\\ket", " "),
    ("latex.display.cursor", "_LENGTH", "", " "),
    ("latex.display.cursor", "_LENGTH", "", "1"),
    ("latex.display.cursor", "_NUMBER_AND_UNIT", "", "1"),
    ("latex.display.cursor", "_ZERO", "", " "),
    ("latex.display.diagram", "_XY_LABEL", "^(", " "),
    ("latex.display.prose", "_GRAPHICS", "", "\\includegraphics["),
    ("latex.display.prose", "_GRAPHICS", "\\includegraphics", " "),
    ("markdown.blocks", "_ATTRIBUTE", "", "1"),
    ("markdown.inline", "_ROLE", "{a}`", " "),
    ("markdown.project", "_TITLE", "", "\n"),
    ("markdown.project", "_STATEMENT", "", "\n "),
    ("markdown.scanner", "_EQUATION", "$${#eq-a", "a"),
    ("markdown.scanner", "_FLOAT", "](){", "#a"),
    ("pretext.citations", "_ATTRIBUTE", "", "1"),
    ("tokens", "FORMULA", "", "\\("),
    ("tokens", "FORMULA", "", "\\(\\"),
    ("tokens", "FORMULA", "", "\\[\\"),
    ("web.render", "_ENVIRONMENT", "", "\\begin{a}"),
    ("web.render", "_IMAGE_OPTION", "", "1"),
    ("wiki.plain", "_EXTERNAL", "[https://a", " "),
    ("wiki.published_text", "_HEADING", "==", " "),
    ("wiki.published_text", "_TRANSCLUSION", "{{:", " "),
    ("wiki.templates", "_TEXT", "", "\\)"),
    ("wiki.wiki", "_REDIRECT", "#a", " "),
    ("workspace.check.files", "_CLASS", "\\documentclass{", "/"),
    ("workspace.check.files", "_CLASS", "", "\\documentclass["),
    ("workspace.check.ignores", "_COMMENT", "", "%"),
    ("workspace.check.labels", "_REDEFINED", "\\renewcommand", " "),
    ("workspace.extraction", "_COMMENT", "", "\\begin{comment}"),
    ("workspace.phrases", "_BREAKS", "", "\\("),
    ("workspace.phrases", "_BREAKS", "", "\\[\\"),
    ("workspace.search.documents", "_PARENTHESIS", "", " "),
]
"""The module, the pattern, how the text begins, and what is repeated."""


ANCHORED = frozenset(
    "_TITLE _KET _LENGTH _NUMBER_AND_UNIT _ZERO _XY_LABEL _STARRED _TEST _ROLE _IMAGE_OPTION _REDIRECT".split()
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
