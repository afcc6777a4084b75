"""The integers by which published files know their statements."""

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import KINDS, StatementId


def published_numbers(corpus: Corpus) -> dict[StatementId, int]:
    """The integers of a file: as published where known, else theorems first, then definitions, then the others."""
    published = [statement.published_id for statement in corpus.statements]
    if None not in published and len(set(published)) == len(published):
        return {s.id: s.published_id for s in corpus.statements if s.published_id is not None}
    ordered = (statement for kind in KINDS for statement in corpus.of_kind(kind))
    return {statement.id: number for number, statement in enumerate(ordered)}
