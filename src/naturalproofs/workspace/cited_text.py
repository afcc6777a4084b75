"""Texts that stand alone: citations replaced by what they print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.latex.display import Macro, plain_text
from naturalproofs.latex.read.citations import find_citations
from naturalproofs.latex.scan.vocabulary import CITING
from naturalproofs.records import Mention, Proof, Statement, StatementId
from naturalproofs.workspace.document_macros import macros_for
from naturalproofs.workspace.render import own_name, short_name, wiki_as_latex, word_of

NUMBER_ONLY = frozenset({"ref", "eqref", "labelcref"})
"""Commands that print the number alone."""


def readable_text(corpus: Corpus, passage: Statement | Proof, macros: Mapping[str, Macro]) -> str:
    """A statement or a proof as plain text, one line for each paragraph and item; labels that are no statements too."""
    text = wiki_as_latex(passage.text)
    own = macros_for(macros, passage) if isinstance(passage, Statement) else macros
    return plain_text(named_citations(corpus, text, passage.mentions, unknown=True), own)


def named_citations(corpus: Corpus, text: str, mentions: Sequence[Mention], *, unknown: bool = False) -> str:
    """LaTeX with its citations replaced by what they print.

    Args:
        corpus: Holds what is cited.
        text: A statement or a proof, or its beginning.
        mentions: Its citations.
        unknown: Whether labels that are no statements are replaced by their keys in brackets.
    """
    targets = citation_targets(mentions)
    parts, at = [], 0
    for one in find_citations(text):
        if one.start < at or CITING[one.command] == "bracket":
            continue  # Inside another one, or a link with its own text.
        found = [(key.key, corpus.by_id.get(targets.get(key.key, ""))) for key in one.keys]
        names = [_name(cited, key, one.command) for key, cited in found if cited is not None or unknown]
        if names:
            parts += [text[at : one.start], ", ".join(names)]
            at = one.end
    return "".join([*parts, text[at:]])


def _name(cited: Statement | None, key: str, command: str) -> str:
    name = citation_text(cited, key, command) if cited is not None else key
    return f"[{key}]" if name == key else name


def citation_text(statement: Statement, key: str, command: str) -> str:
    """What a citation of a statement prints: its number alone if the author writes the word, else word and number.

    A key that is not the label of the statement is that of an equation or an item in it, whose number is not known:
    then it is the key.
    """
    if key != statement.label and not statement.label.endswith(f"-{key}"):
        return key
    return own_name(statement) or word_of(statement) if command in NUMBER_ONLY else short_name(statement)


def citation_targets(mentions: Sequence[Mention]) -> dict[str, StatementId]:
    """The statements that a text cites, by the key of the citation.

    In projects of several documents a key may lack the prefix of its document, so keys without prefixes are here too.
    """
    exact = {mention.target: mention.reference for mention in mentions if mention.reference is not None}
    shorter: dict[str, StatementId] = {}
    for key, target in exact.items():
        rest = key
        while "-" in rest:
            rest = rest.partition("-")[2]
            shorter.setdefault(rest, target)
    return shorter | exact
