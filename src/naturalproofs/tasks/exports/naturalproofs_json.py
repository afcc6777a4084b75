"""Writes the paper's JSON schema, so that code written for the original reads our corpora unchanged."""

from __future__ import annotations

import re

import msgspec
from msgspec import UNSET

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.naturalproofs_json import (
    JsonDataset,
    JsonFile,
    JsonProof,
    JsonSplit,
    JsonStatement,
    ProofExtra,
    StatementExtra,
)
from naturalproofs.io.files import replace_file
from naturalproofs.records import Kind, Mention, Proof, Split, Statement, StatementId
from naturalproofs.tasks.exports.formats import Request
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

_OURS = re.compile(rb'\s*\{\s*"dataset"')


def write(request: Request) -> str:
    """Write the file."""
    data = to_naturalproofs_json(request.corpus, request.splits, extras=request.extras)
    replace_file(request.output, data, _OURS)
    return f"{len(data):,} bytes"


def to_naturalproofs_json(corpus: Corpus, splits: Splits, *, extras: bool = True) -> bytes:
    """The corpus and its splits as one file.

    Args:
        corpus: The statements.
        splits: Their splits.
        extras: Add fields that the schema does not have under the key ``extra``; the file then holds everything.
    """
    writer = _Writer(corpus, extras)
    content = JsonFile(
        JsonDataset(
            theorems=writer.statements("theorem"),
            definitions=writer.statements("definition"),
            others=writer.statements("other"),
            retrieval_examples=list(dict.fromkeys(writer.numbers[e.theorem] for e in corpus.examples)),
        ),
        {name: writer.split(splits.part(name)) for name in SPLIT_NAMES},
    )
    return msgspec.json.encode(content) + b"\n"


class _Writer:
    """Converts records to items of the schema."""

    def __init__(self, corpus: Corpus, extras: bool) -> None:
        self.corpus = corpus
        self.extras = extras
        self.numbers = corpus.published_numbers()
        # The ProofWiki file gives every statement a list of proofs; the LaTeX files give it to theorems only.
        self.proofs_everywhere = any(s.toplevel_categories is not None for s in corpus.statements)

    def statements(self, kind: Kind) -> list[JsonStatement]:
        return [self._statement(statement) for statement in self.corpus.of_kind(kind)]

    def split(self, split: Split) -> JsonSplit:
        absent = set(split.absent)
        return JsonSplit(
            sorted(number for key, number in self.numbers.items() if key not in absent),
            [(self.numbers[theorem], proof) for theorem, proof in split.examples],
        )

    def _statement(self, statement: Statement) -> JsonStatement:
        has_proofs = statement.kind == "theorem" or statement.proofs or self.proofs_everywhere
        toplevel, recursive = statement.toplevel_categories, statement.recursive_categories
        extra = self._statement_extra(statement)
        return JsonStatement(
            id=self.numbers[statement.id],
            type=statement.kind,
            label=statement.label,
            categories=statement.categories,
            toplevel_categories=UNSET if toplevel is None else toplevel,
            recursive_categories=UNSET if recursive is None else recursive,
            title=statement.title,
            contents=statement.lines,
            refs=self._labels(statement.references),
            ref_ids=[self.numbers[key] for key in statement.references],
            proofs=[self._proof(proof) for proof in statement.proofs] if has_proofs else UNSET,
            extra=extra if self.extras and extra != StatementExtra() else UNSET,
        )

    def _proof(self, proof: Proof) -> JsonProof:
        extra = ProofExtra(proof.origin, self._own_mentions(proof.mentions), proof.position)
        return JsonProof(
            contents=proof.lines,
            refs=self._labels(proof.references),
            ref_ids=[self.numbers[key] for key in proof.references],
            extra=extra if self.extras and extra != ProofExtra() else UNSET,
        )

    def _labels(self, references: tuple[StatementId, ...]) -> list[str]:
        return [self.corpus.by_id[key].label for key in references]

    def _statement_extra(self, statement: Statement) -> StatementExtra:
        default_id = f"{self.corpus.name}:{statement.label}"
        return StatementExtra(
            id="" if statement.id == default_id else statement.id,
            form=statement.form,
            number=statement.number,
            tag=statement.tag,
            origin=statement.origin,
            place=statement.place,
            notes=statement.notes,
            mentions=self._own_mentions(statement.mentions),
        )

    def _own_mentions(self, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """Mentions that say more than refs and ref_ids do; those read from a published file do not."""
        plain = all(m.reference is not None and m.surface == m.target and m.line == 0 for m in mentions)
        return () if plain else mentions
