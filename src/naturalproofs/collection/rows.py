"""Rows of the table of statements, and the record that holds all of a row that answers need.

Lance stores each column by itself. To read hundreds of rows from all over a large table, one column with everything
in it takes a quarter of the time of twenty columns. The other columns are for filters and for other programs.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pyarrow as pa

from naturalproofs.ranking.candidate_index import Entry
from naturalproofs.records import Kind, Mention, Origin, Passage, Place, Proof, Statement

RECORD = "record"


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement as it is stored; the names are those of the columns."""

    id: str
    project: str
    kind: Kind
    form: str
    labelled: bool
    heading: str
    text: str
    licence: str
    references: list[str]
    cited: list[str]
    fingerprint: int
    terms: bytes
    """See `naturalproofs.ranking.hybrid.packed_terms`."""
    document: str | None = None
    chapter: str | None = None
    section: str | None = None
    position: int | None = None
    label: str | None = None
    number: str | None = None
    title: str | None = None
    file: str | None = None
    line: int | None = None
    proofs: int = 0

    def columns(self) -> dict[str, Any]:
        """The row for the table, without what is indexed: the columns that have names of their own, and the record."""
        found = {name: getattr(self, name) for name in self.__struct_fields__ if name != "terms"}
        return found | {RECORD: msgspec.msgpack.encode(self)}

    def entry(self) -> Entry:
        """What the first stage and the ranker need."""
        passage = Passage(
            self.id, self.kind, self.heading, self.text, tuple(self.references), self._place, self.form, self.labelled
        )
        return Entry(passage, self.project, self.licence, tuple(self.cited), self.terms)

    def statement(self) -> Statement:
        """The statement; its proofs have references, but no text."""
        return Statement(
            id=self.id,
            kind=self.kind,
            label=self.label or self.id,
            title=self.title or "",
            lines=tuple(self.text.split("\n")),
            mentions=_mentions(self.references),
            proofs=(Proof((), _mentions(self.cited)),) if self.proofs else (),
            form=self.form,
            number=self.number or "",
            origin=Origin(self.file, self.line or 1) if self.file else None,
            place=self._place,
        )

    @property
    def _place(self) -> Place | None:
        if self.position is None:
            return None
        return Place(self.document or "", self.chapter or "", self.section or "", self.position)


_decoder = msgspec.msgpack.Decoder(Row)


def rows_of(table: pa.Table) -> list[Row]:
    """The rows of a table that has the column of records."""
    return [_decoder.decode(record) for record in table[RECORD].to_pylist()]


def _mentions(references: list[str]) -> tuple[Mention, ...]:
    return tuple(Mention(key, "", 0, key) for key in references)
