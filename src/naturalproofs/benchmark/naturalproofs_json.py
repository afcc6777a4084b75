"""The published NaturalProofs files: the paper's JSON schema, its reader and its writer.

Code written for the original reads what we write unchanged.
"""

from __future__ import annotations

import lzma
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from naturalproofs.benchmark.exports import Request
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import BadSchema, SourceNotFound
from naturalproofs.io.decoding import decode_json
from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.listing import name_of
from naturalproofs.io.memory import DiskBytes, DiskList
from naturalproofs.io.outputs import write_output
from naturalproofs.progress import Progress, silent
from naturalproofs.records import (
    KINDS,
    Anchor,
    AnchorKind,
    BibliographyEntry,
    Diagnostic,
    Draft,
    InputFile,
    Kind,
    Mention,
    Note,
    Origin,
    Place,
    Proof,
    Rules,
    Split,
    Statement,
    StatementId,
)
from naturalproofs.sources.registry import SourceInfo
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits

# The schema of the published NaturalProofs files, and what we add to it under the key ``extra``.


class StatementExtra(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fields of our records that the published schema does not have; readers of the original ignore them."""

    id: str = ""
    form: str = ""
    number: str = ""
    tag: str = ""
    origin: Origin | None = None
    place: Place | None = None
    notes: tuple[Note, ...] = ()
    mentions: tuple[Mention, ...] = ()


SAME_FIELDS = ("form", "number", "tag", "origin", "place", "notes")
"""Fields that a statement and its extra have in common."""


class ProofExtra(msgspec.Struct, frozen=True, omit_defaults=True):
    """The same for a proof."""

    origin: Origin | None = None
    mentions: tuple[Mention, ...] = ()
    position: int | None = None


class LabelExtra(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a cited label stands for that is not a reference: a section, a float, or the citing statement itself."""

    kind: AnchorKind
    owner: int | None = None
    """The published integer of the statement that has the label, if it is the citing one."""


class FileExtra(msgspec.Struct, frozen=True, omit_defaults=True):
    """The same for a whole file: what a corpus folder stores beside its statements."""

    about: dict[str, str] = {}
    """Title, authors, licence and what else is known of the source."""
    labels: dict[str, LabelExtra] = {}
    macros: str = ""
    bibliography: tuple[BibliographyEntry, ...] = ()


class JsonProof(msgspec.Struct, kw_only=True):
    """A proof as published."""

    contents: Sequence[str]
    refs: Sequence[str] = ()
    ref_ids: Sequence[int] = ()
    extra: ProofExtra | UnsetType | None = UNSET


class JsonStatement(msgspec.Struct, kw_only=True):
    """A statement as published, its keys in the original order; keys that some files leave out have a default."""

    id: int
    type: str
    label: str
    categories: Sequence[str] = ()
    toplevel_categories: Sequence[str] | UnsetType | None = UNSET
    recursive_categories: Sequence[str] | UnsetType | None = UNSET
    title: str | None = None
    contents: Sequence[str]
    refs: Sequence[str] = ()
    ref_ids: Sequence[int] = ()
    proofs: Sequence[JsonProof] | UnsetType = UNSET
    extra: StatementExtra | UnsetType | None = UNSET


Item = TypeVar("Item")


class JsonDataset(msgspec.Struct, Generic[Item]):
    """The statements of a file; those of one that is read are bytes, and a big one is decoded a statement at a time."""

    theorems: list[Item]
    definitions: list[Item] = []
    others: list[Item] = []
    retrieval_examples: Sequence[Any] = ()


class JsonSplit(msgspec.Struct):
    """One part of a file's split."""

    ref_ids: Sequence[int] = ()
    examples: Sequence[tuple[int, int]] = ()


class JsonFile(msgspec.Struct, Generic[Item]):
    """A whole file."""

    dataset: JsonDataset[Item]
    splits: dict[str, JsonSplit] = {}
    extra: FileExtra | UnsetType | None = UNSET


class Content(NamedTuple):
    """What a file holds; its statements are decoded one at a time."""

    items: dict[Kind, list[msgspec.Raw] | DiskBytes]
    """The statements of each kind as bytes; those of a big file are on disk."""
    splits: dict[str, JsonSplit]
    input: InputFile
    extra: FileExtra

    @property
    def is_big(self) -> bool:
        """Whether it is not held in memory."""
        return self.input.bytes > store.LARGE

    def statements(self) -> Iterator[tuple[Kind, JsonStatement]]:
        """Decode all statements, in the order of the lists."""
        decode = msgspec.json.Decoder(JsonStatement).decode
        for kind, items in self.items.items():
            for number in range(len(items)):
                try:
                    yield kind, decode(items[number])
                except msgspec.DecodeError as error:
                    raise msgspec.ValidationError(f"{kind} {number}: {error}") from error


INFO = SourceInfo(
    name="naturalproofs-json",
    title="A file in the NaturalProofs schema",
    authors="",
    licence="",
    url="https://github.com/wellecks/naturalproofs",
    split="own",
    paper=True,
)

PROOFWIKI = {
    "title": "ProofWiki, published with NaturalProofs",
    "authors": "ProofWiki contributors",
    "licence": "CC BY-SA 4.0",
    "revision": "2020-11-12",
}
"""The provenance of the published file of ProofWiki, which does not state it."""

ABOUT = ("title", "authors", "licence", "url", "citation", "revision")
"""Fields of the provenance that a file may state."""


@dataclass(frozen=True, slots=True)
class NaturalProofsJson:
    """A file in the paper's schema, plain or compressed with xz."""

    info: SourceInfo = INFO

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read every statement; references are those of the file."""
        progress(0, 1)
        content = _decoded(path)
        try:
            reading = _Reading(path, name, content)
        except ValueError as error:
            raise BadSchema(f"{path}: not in the NaturalProofs schema: {error}") from error
        found = (reading.statement(kind, item) for kind, item in content.statements())
        statements = DiskList(Statement, found) if content.is_big else tuple(found)
        splits = {part: reading.split(value) for part, value in content.splits.items()}
        progress(1, 1)
        # Only the published file of ProofWiki has top-level categories.
        about = {**(PROOFWIKI if reading.has_toplevel_categories else {}), **content.extra.about}
        return Draft(
            statements,
            reading.anchors(content.extra.labels),
            tuple(reading.diagnostics),
            (content.input,),
            about,
            splits,
            macros=content.extra.macros,
            bibliography=content.extra.bibliography,
        )


def _decoded(path: Path) -> Content:
    """What a file holds; it is unpacked first when it is an xz archive."""
    if not path.is_file():
        raise SourceNotFound(f"{path}: no such file; give a .json or .json.xz file in the NaturalProofs schema")
    try:
        data = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
        found = decode_json(data, JsonFile[msgspec.Raw])
    except (OSError, lzma.LZMAError) as error:
        raise BadSchema(f"{path}: cannot be read ({error})") from error
    except ValueError as error:
        raise BadSchema(f"{path}: not in the NaturalProofs schema: {error}") from error
    about = InputFile(name_of(path.name), len(data), sha256_bytes(data))
    lists = zip(KINDS, (found.dataset.theorems, found.dataset.definitions, found.dataset.others), strict=True)
    # The pieces are views of the whole file, which is freed once they are copied.
    items = {kind: DiskBytes(map(bytes, pieces)) if about.bytes > store.LARGE else pieces for kind, pieces in lists}
    return Content(items, found.splits, about, found.extra or FileExtra())


class _Reading:
    """Converts published items to records and reports contradictions."""

    def __init__(self, path: Path, name: str, content: Content) -> None:
        """Check all items, and number them."""
        self.file = name_of(path.name)
        self.ids: dict[int, tuple[StatementId, str]] = {}
        """By published integer: our id and the label. Labels may repeat, integers may not."""
        self.proofs: dict[int, int] = {}
        """By published integer: the number of proofs."""
        self.has_toplevel_categories = False
        self.diagnostics: list[Diagnostic] = []
        used: Counter[str] = Counter()
        for _, item in content.statements():
            if item.id in self.ids:
                raise BadSchema(f"{path}: two statements have the id {item.id}")
            used[item.label] += 1
            unique = item.label if used[item.label] == 1 else f"{item.label}~{used[item.label]}"
            own = item.extra.id if item.extra else ""
            self.ids[item.id] = own or f"{name}:{unique}", item.label
            self.proofs[item.id] = len(item.proofs or ())
            self.has_toplevel_categories |= bool(_optional(item.toplevel_categories))

    def statement(self, kind: Kind, item: JsonStatement) -> Statement:
        if item.type != kind:
            self._report(item.label, "wrong-type", f"listed as {kind} but typed {item.type!r}; the list counts")
        extra = item.extra or StatementExtra()
        mentions = self._mentions(item.refs, item.ref_ids, item.label, extra.mentions)
        return Statement(
            id=self.ids[item.id][0],
            kind=kind,
            label=item.label,
            title=item.title or "",
            lines=tuple(item.contents),
            mentions=mentions,
            proofs=tuple(self._proof(proof, item.label) for proof in item.proofs or ()),
            categories=tuple(item.categories),
            toplevel_categories=_optional(item.toplevel_categories),
            recursive_categories=_optional(item.recursive_categories),
            published_id=item.id,
            **{name: getattr(extra, name) for name in SAME_FIELDS},
        )

    def anchors(self, labels: Mapping[str, LabelExtra]) -> dict[str, Anchor]:
        """The labels that are cited without being references; all other citations of a file are resolved."""
        anchors = {}
        for key, label in labels.items():
            owner = None if label.owner is None else self.ids.get(label.owner)
            anchors[key] = Anchor(label.kind, owner[0] if owner else None, Origin(self.file, 0))
        return anchors

    def split(self, split: JsonSplit) -> Split:
        named = set(split.ref_ids)
        absent = tuple(own for number, (own, _) in self.ids.items() if number not in named)
        examples = []
        for theorem, proof in split.examples:
            if 0 <= proof < self.proofs.get(theorem, 0):
                examples.append((self.ids[theorem][0], proof))
            else:
                what = f"proof {proof} of it" if theorem in self.ids else "a theorem"
                self._report(str(theorem), "unknown-example", f"a split names {what}, which the file does not have")
        return Split(tuple(examples), absent)

    def _proof(self, proof: JsonProof, label: str) -> Proof:
        extra = proof.extra or ProofExtra()
        mentions = self._mentions(proof.refs, proof.ref_ids, label, extra.mentions)
        return Proof(tuple(proof.contents), mentions, extra.origin, extra.position)

    def _mentions(
        self, refs: Sequence[str], ref_ids: Sequence[int], label: str, own: tuple[Mention, ...]
    ) -> tuple[Mention, ...]:
        """The citations of one text; `own` are those of an extra, whose ids may have the name of another corpus."""
        if len(refs) != len(ref_ids):
            self._report(label, "uneven-references", f"{len(refs)} refs but {len(ref_ids)} ref_ids; the ids count")
            refs = ()
        found = []
        for position, number in enumerate(ref_ids):
            if number not in self.ids:
                self._report(label, "unknown-reference", f"ref_ids names {number}, which the file does not have")
                continue
            cited, target = self.ids[number]
            if refs and refs[position] != target:
                self._report(label, "contradicting-reference", f"{refs[position]!r} has the id of {target!r}")
            found.append(Mention(target, refs[position] if refs else target, 0, cited))
        if not own:
            return tuple(found)
        cited_ids = (mention.reference for mention in found)
        return tuple(m if m.reference is None else replace(m, reference=next(cited_ids, m.reference)) for m in own)

    def _report(self, label: str, rule: str, message: str) -> None:
        self.diagnostics.append(Diagnostic(self.file, 0, 0, "warning", rule, f"{label}: {message}"))


def _optional(values: Sequence[str] | UnsetType | None) -> tuple[str, ...] | None:
    return None if values is None or values is UNSET else tuple(values)


NATURALPROOFS_JSON = NaturalProofsJson()


def write(request: Request) -> str:
    """Write the file."""
    extra = file_extra(request) if request.extras else None
    data = to_naturalproofs_json(request.corpus, request.splits, extras=request.extras, extra=extra)
    write_output(request.output, data)
    return f"{len(data):,} bytes"


def file_extra(request: Request) -> FileExtra:
    """What the corpus brings beside its statements."""
    provenance, numbers = request.corpus.provenance, request.corpus.published_numbers()
    is_wiki = any(statement.toplevel_categories for statement in request.corpus.statements)
    known = {name: getattr(INFO, name) for name in ABOUT} | (PROOFWIKI if is_wiki else {})
    labels: dict[str, LabelExtra] = {}
    for one in request.corpus.unresolved:
        if one.reason == "self":
            labels[one.target] = LabelExtra("statement", numbers.get(one.statement))
        elif one.reason != "undefined":
            labels[one.target] = LabelExtra(one.reason)
    about = {name: getattr(provenance, name) for name in ABOUT if getattr(provenance, name) != known[name]}
    return FileExtra(about, labels, request.corpus.definitions, request.corpus.works)


def to_naturalproofs_json(
    corpus: Corpus, splits: Splits, *, extras: bool = True, extra: FileExtra | None = None
) -> bytes:
    """The corpus and its splits as one file.

    Args:
        corpus: The statements.
        splits: Their splits.
        extras: Add fields that the schema does not have under the key ``extra``; the file then holds everything
            about the statements.
        extra: What there is beside the statements, for the same key of the whole file.
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
        extra if extra and extra != FileExtra() else UNSET,
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
            mentions=self._own_mentions(statement.mentions),
            **{name: getattr(statement, name) for name in SAME_FIELDS},
        )

    def _own_mentions(self, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """Mentions that say more than refs and ref_ids do; those read from a published file do not."""
        plain = all(m.reference is not None and m.surface == m.target and m.line == 0 for m in mentions)
        return () if plain else mentions
