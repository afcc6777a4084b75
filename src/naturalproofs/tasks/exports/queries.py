"""Examples as retrieval sees them: a theorem's text is the query, the set of what one of its proofs cites the gold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import BadSchema
from naturalproofs.records import Split, Statement, StatementId
from naturalproofs.tasks.passages import passage_text
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

_UNSAFE = re.compile(r"[\s%\"\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Query:
    """One example; it holds nothing of the proof but what that cites."""

    theorem: Statement
    proof: int
    sequence: tuple[StatementId, ...]
    """What the proof cites, in order and with repeats."""

    @property
    def id(self) -> str:
        """The theorem's id and the index of the proof, for two proofs of one theorem have different golds."""
        return f"{self.theorem.id}#{self.proof}"

    @property
    def text(self) -> str:
        """The theorem's title and contents, never its proof."""
        return passage_text(self.theorem)

    @property
    def gold(self) -> tuple[StatementId, ...]:
        """What the proof cites, each once, in order of first mention."""
        return tuple(dict.fromkeys(self.sequence))


def queries(corpus: Corpus, split: Split) -> Iterator[Query]:
    """The queries of one part."""
    for theorem, proof in dict.fromkeys(split.examples):
        statement = corpus.by_id.get(theorem)
        if statement is None or not 0 <= proof < len(statement.proofs):
            raise BadSchema(f"{corpus.name}: a split names proof {proof} of {theorem}, which does not exist")
        yield Query(statement, proof, statement.proofs[proof].references)


def absences(splits: Splits) -> dict[StatementId, list[str]]:
    """By statement: the parts in which it may not be ranked. Most statements are in none."""
    found: dict[StatementId, list[str]] = {}
    for name in SPLIT_NAMES:
        for statement in splits.part(name).absent:
            found.setdefault(statement, []).append(name)
    return found


def plain_id(key: str) -> str:
    """An id for files whose fields end at white space: white space, quotes and ``%`` become ``%`` and their codes.

    Titles of wiki pages hold blanks. Tools such as trec_eval would cut them there, and csv readers trip over a quote.
    ``urllib.parse.unquote`` gives the id back.
    """
    return _UNSAFE.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), key)
