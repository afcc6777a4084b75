"""The paper's JSON schema, so that code written for the original reads our corpora unchanged."""

import re
from typing import Any

import msgspec

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.naturalproofs_json import ProofExtra, StatementExtra
from naturalproofs.io.files import replace_file
from naturalproofs.records import KINDS, Mention, Proof, Split, Statement
from naturalproofs.tasks.exports.formats import Request
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

_OURS = re.compile(rb'\s*\{\s*"dataset"')


def write(request: Request) -> str:
    """Write the file."""
    data = to_naturalproofs_json(request.corpus, request.splits, extras=request.extras)
    replace_file(request.output, data, _OURS)
    return f"{len(data):,} bytes"


def to_naturalproofs_json(corpus: Corpus, splits: Splits, *, extras: bool = True) -> bytes:
    """One file with everything.

    Args:
        corpus: The statements.
        splits: Their splits.
        extras: Add what the schema has no field for under the key ``extra``; reading it back then loses nothing.
    """
    writer = _Writer(corpus, extras)
    by_kind = {kind: [writer.statement(s) for s in corpus.statements if s.kind == kind] for kind in KINDS}
    content = {
        "dataset": {
            "theorems": by_kind["theorem"],
            "definitions": by_kind["definition"],
            "others": by_kind["other"],
            "retrieval_examples": list(dict.fromkeys(writer.numbers[e.theorem] for e in corpus.examples)),
        },
        "splits": {name: writer.split(splits.part(name)) for name in SPLIT_NAMES},
    }
    return msgspec.json.encode(content) + b"\n"


class _Writer:
    """Turns records into the dictionaries of the schema, in its order of keys."""

    def __init__(self, corpus: Corpus, extras: bool) -> None:
        self.corpus = corpus
        self.extras = extras
        self.numbers = corpus.published_numbers()
        # The ProofWiki file gives every statement a list of proofs; the LaTeX ones give it to theorems only.
        self.proofs_everywhere = any(s.toplevel_categories is not None for s in corpus.statements)

    def statement(self, statement: Statement) -> dict[str, Any]:
        item: dict[str, Any] = {
            "id": self.numbers[statement.id],
            "type": statement.kind,
            "label": statement.label,
            "categories": statement.categories,
        }
        if statement.toplevel_categories is not None:
            item["toplevel_categories"] = statement.toplevel_categories
        if statement.recursive_categories is not None:
            item["recursive_categories"] = statement.recursive_categories
        item |= {"title": statement.title, "contents": statement.lines, **self._references(statement)}
        if statement.kind == "theorem" or statement.proofs or self.proofs_everywhere:
            item["proofs"] = [self._proof(proof) for proof in statement.proofs]
        if self.extras and (extra := self._statement_extra(statement)):
            item["extra"] = extra
        return item

    def split(self, split: Split) -> dict[str, Any]:
        absent = set(split.absent)
        return {
            "ref_ids": sorted(number for key, number in self.numbers.items() if key not in absent),
            "examples": [(self.numbers[theorem], proof) for theorem, proof in split.examples],
        }

    def _proof(self, proof: Proof) -> dict[str, Any]:
        item: dict[str, Any] = {"contents": proof.lines, **self._references(proof)}
        extra = ProofExtra(proof.origin, self._own_mentions(proof.mentions), proof.position)
        if self.extras and extra != ProofExtra():
            item["extra"] = msgspec.to_builtins(extra)
        return item

    def _references(self, cited: Statement | Proof) -> dict[str, Any]:
        references = cited.references
        return {
            "refs": [self.corpus.by_id[key].label for key in references],
            "ref_ids": [self.numbers[key] for key in references],
        }

    def _statement_extra(self, statement: Statement) -> dict[str, Any]:
        plain = f"{self.corpus.name}:{statement.label}"
        extra = StatementExtra(
            id="" if statement.id == plain else statement.id,
            form=statement.form,
            number=statement.number,
            tag=statement.tag,
            origin=statement.origin,
            place=statement.place,
            notes=statement.notes,
            mentions=self._own_mentions(statement.mentions),
        )
        found: dict[str, Any] = msgspec.to_builtins(extra)
        return found

    def _own_mentions(self, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """Mentions that say more than refs and ref_ids do; those read from a published file do not."""
        plain = all(m.reference is not None and m.surface == m.target and m.line == 0 for m in mentions)
        return () if plain else mentions
