"""Collections of entries, which have no source, for tests and benchmarks; `collect` makes them of projects."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from naturalproofs.apps.collections.answers import LanceIndex
from naturalproofs.apps.collections.indexing import update_indexes, word_counts
from naturalproofs.apps.collections.read import entry_row
from naturalproofs.apps.collections.tables import STATEMENTS, Collection, writing
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.ranking.candidate_index import Entry
from naturalproofs.records import Place, Proof, Statement
from naturalproofs.workspace.search.documents import documents


def entry_rows(entries: Sequence[Entry]) -> pa.Table:
    """Rows of entries as statements."""
    statements = tuple(_statement(one) for one in entries)
    made = documents(Corpus("", statements, Provenance("", "fixed")))
    found = [entry_row(*each) for each in zip(entries, statements, made, strict=True)]
    return pa.Table.from_pylist(found, STATEMENTS)


def _statement(entry: Entry) -> Statement:
    one = entry.passage
    proofs = (Proof((), ()),) if entry.cited else ()
    return Statement(one.id, one.kind, one.id, one.title, (one.text,), proofs=proofs, form=one.form,
                     place=one.place or Place("", "", "", 0))  # fmt: skip


def lance_index(address: Path, entries: Sequence[Entry]) -> LanceIndex:
    """A new collection of entries, as the first stage."""
    with writing(address) as writer:
        rows = entry_rows(entries)
        writer.append("statements", rows)
        writer.append("words", word_counts(rows))
        update_indexes(writer)
        writer.commit()
    return LanceIndex(Collection.open(address))
