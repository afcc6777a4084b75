"""Texts that stand alone: citations replaced by what they print, Markdown without HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence

from naturalproofs.records import Mention
from naturalproofs.report.graph_page import NUMBER_ONLY
from naturalproofs.workspace.citations import citation_sites
from naturalproofs.workspace.render import printed_name
from naturalproofs.workspace.workspace import Workspace

_ELEMENT = re.compile(r"<(?=[a-zA-Z/!?])")


def named_citations(workspace: Workspace, lines: Sequence[str], mentions: Sequence[Mention]) -> str:
    """A text with its citations replaced by what they print."""
    text = "\n".join(lines)
    for site in reversed(citation_sites(text, mentions)):
        text = text[: site.start] + ", ".join(_name(workspace, m) for m in site.mentions) + text[site.end :]
    return text


def _name(workspace: Workspace, mention: Mention) -> str:
    if mention.reference is None:
        return "(elsewhere)"
    cited = workspace.statement(mention.reference)
    if mention.surface in NUMBER_ONLY:
        return cited.number or cited.tag or (cited.form or cited.kind)
    return printed_name(cited)


def safe_markdown(text: str) -> str:
    """Escape what Markdown would read as an HTML element."""
    return _ELEMENT.sub(r"\\<", text)
