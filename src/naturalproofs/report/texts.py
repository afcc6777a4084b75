"""Texts that stand alone: citations replaced by what they print, Markdown without HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.latex.citations import find_citations
from naturalproofs.latex.display import Macro
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Mention, Proof, Statement
from naturalproofs.report.graph_page import citation_targets, find_target
from naturalproofs.workspace.render import citation_text, plain_text, wiki_as_latex

_ELEMENT = re.compile(r"<(?=[a-zA-Z/!?])")


def passage_text(corpus: Corpus, passage: Statement | Proof, macros: Mapping[str, Macro]) -> str:
    """A statement or a proof as plain text, one line for each paragraph and item; labels that are no statements too."""
    text = wiki_as_latex("\n".join(passage.lines))
    return plain_text(named_citations(corpus, text, passage.mentions, unknown=True), macros)


def named_citations(corpus: Corpus, text: str, mentions: Sequence[Mention], *, unknown: bool = False) -> str:
    """LaTeX with its citations replaced by what they print.

    Args:
        corpus: Holds what is cited.
        text: A statement or a proof, or its beginning.
        mentions: Its citations.
        unknown: Whether labels that are no statements are replaced by their keys in brackets.
    """
    targets = citation_targets(mentions)
    for one in reversed(find_citations(text)):
        if REFERENCES[one.command] == "bracket":
            continue  # A link with its own text.
        found = [(key.key, corpus.by_id.get(find_target(targets, key.key) or "")) for key in one.keys]
        names = [_name(cited, key, one.command) for key, cited in found if cited is not None or unknown]
        if names:
            text = text[: one.start] + ", ".join(names) + text[one.end :]
    return text


def _name(cited: Statement | None, key: str, command: str) -> str:
    name = citation_text(cited, key, command) if cited is not None else key
    return f"[{key}]" if name == key else name


def safe_markdown(text: str) -> str:
    """Escape what Markdown would read as an HTML element."""
    return _ELEMENT.sub(r"\\<", text)
