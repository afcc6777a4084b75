"""How others speak of a statement: the words around the places that cite it.

"Since *f* is proper by Lemma 3" says what Lemma 3 is about, in words that its own text may never use; a page of the web
is found by the text of links to it for the same reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Mention, StatementId
from naturalproofs.workspace.spots import cited_spots

BEFORE, AFTER = 200, 100
"""Characters around a citation that are taken, within its sentence."""
MOST = 20
"""Citations of one statement that are listened to."""
_END = re.compile(r"\.\s|\n\s*\n")


def cited_as(corpus: Corpus) -> dict[StatementId, str]:
    """For each statement that is cited, what stands around the citations; the link's own words in a wiki."""
    heard: dict[StatementId, list[str]] = {}
    for statement in corpus.statements:
        pieces = [(statement.lines, statement.mentions), *((p.lines, p.mentions) for p in statement.proofs)]
        for lines, mentions in pieces:
            for key, context in _contexts("\n".join(lines), mentions) if mentions else ():
                said = heard.setdefault(key, [])
                if len(said) < MOST:
                    said.append(context)
    return {key: "\n\n".join(said) for key, said in heard.items()}


def _contexts(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[StatementId, str]]:
    linked = [mention for mention in mentions if mention.surface not in REFERENCES]
    yield from ((m.reference, m.surface) for m in linked if m.reference is not None)
    for spot in cited_spots(text, mentions):
        for mention in spot.mentions:
            if mention.reference is not None:
                yield mention.reference, _around(text, spot.start, spot.end)


def _around(text: str, start: int, end: int) -> str:
    low = max(0, start - BEFORE)
    for stop in _END.finditer(text, low, start):
        low = stop.end()
    if text.count("$", 0, low) % 2:
        # The cut is inside a formula, and its end would be taken for a beginning.
        low = text.find("$", low) + 1
    following = _END.search(text, end, end + AFTER)
    return text[low : following.start() if following else end + AFTER]
