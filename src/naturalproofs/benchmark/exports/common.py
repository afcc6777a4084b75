"""Shared by the export formats: queries, ids for plain text files, READMEs, folders that describe their contents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

import msgspec

from naturalproofs import __version__
from naturalproofs.benchmark.exports import Request
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.store import content_hash, counts
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import replaced_folder, write_file
from naturalproofs.io.folders import check_only_ours, file_names, hash_of_file, pretty
from naturalproofs.records import StatementId
from naturalproofs.tasks.dataset import Query, make_queries
from naturalproofs.tasks.protocols import label_words
from naturalproofs.tasks.splits import SPLIT_NAMES, SplitName, Splits

ABOUT = "export.json"
_UNSAFE = re.compile(r"[\s%\"\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class About:
    """Description of an exported folder."""

    format: str
    corpus: str
    fingerprint: str
    """Identifies the statements, as in the manifest of the corpus."""
    split: str
    """The recipe of the splits."""
    counts: dict[str, int]
    provenance: Provenance
    made_by: str
    files: dict[str, str]
    """Hashes of the other files."""


def queries_by_split(corpus: Corpus, splits: Splits) -> dict[SplitName, tuple[Query, ...]]:
    """The queries of each split, without repeats, as methods see them where places are visible."""
    names = label_words(corpus.statements)
    return {
        name: make_queries(corpus, dict.fromkeys(splits.part(name).examples), place=True, names=names)
        for name in SPLIT_NAMES
    }


def absences(splits: Splits) -> dict[StatementId, list[str]]:
    """By statement: the splits in which it may not be ranked. Most statements are in none."""
    found: dict[StatementId, list[str]] = {}
    for name in SPLIT_NAMES:
        for statement in splits.part(name).absent:
            found.setdefault(statement, []).append(name)
    return found


def plain_id(key: str, corpus: str = "") -> str:
    """An id for files whose fields end at white space: white space, quotes and ``%`` are percent-encoded.

    Titles of wiki pages contain blanks. Tools such as trec_eval would end the field there, and csv readers fail on a
    quote. ``urllib.parse.unquote`` restores the id.

    Args:
        key: The id of a statement or a query.
        corpus: The name of the corpus, left out before the id: it is often that of a folder, and a run must not
            depend on it.
    """
    own = key.removeprefix(f"{corpus}:") if corpus else key
    return _UNSAFE.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), own)


@contextmanager
def export_folder(request: Request, name: str) -> Iterator[Path]:
    """Give a scratch folder to fill; it is moved to the output path when the block ends without an error."""
    with replaced_folder(request.output, partial(may_replace, name=name)) as scratch:
        yield scratch
        about = About(
            format=name,
            corpus=request.corpus.name,
            fingerprint=content_hash(request.corpus)[:12],
            split=request.splits.recipe,
            counts=counts(request.corpus),
            provenance=request.corpus.provenance,
            made_by=f"naturalproofs {__version__}",
            files=file_hashes(scratch),
        )
        write_file(scratch / ABOUT, pretty(about))


class _Contents(msgspec.Struct, frozen=True):
    """What any description of an exported folder says of its files."""

    format: str
    files: dict[str, str]


def may_replace(folder: Path, name: str, about: str = ABOUT) -> bool:
    """Whether a folder is an export of that format; one in which a file was changed or added is an error."""
    try:
        contents = read_json(folder / about, _Contents)
    except (OSError, ValueError):
        return False
    if contents.format != name:
        return False
    check_only_ours(folder, about, contents.files)
    return True


def file_hashes(folder: Path) -> dict[str, str]:
    """The hashes of all files of a folder; a link has none."""
    return {name: hash_of_file(folder / name) for name in sorted(file_names(folder))}


def page(name: str) -> str:
    """A part of a README: what files hold, what a method may see, and how results are measured."""
    return (files("naturalproofs.data") / "exports" / f"{name}.md").read_text("utf-8")


def configurations(tables: Sequence[tuple[str, str, str]]) -> str:
    """The part of a dataset card's YAML head that names files: configuration, split and path of each, in order."""
    lines = ["configs:"]
    for config in dict.fromkeys(name for name, _, _ in tables):
        lines.append(f"- config_name: {config}")
        if config == tables[0][0]:
            lines.append("  default: true")
        lines.append("  data_files:")
        lines += [f"  - split: {split}\n    path: {path}" for name, split, path in tables if name == config]
    return "\n".join(lines)


def readme(corpus: Corpus, splits: Splits, form: str, head: str = "") -> str:
    """The README of one exported corpus.

    Args:
        corpus: The corpus.
        splits: Its splits.
        form: The format.
        head: YAML for programs that read dataset cards.
    """
    source = corpus.provenance
    facts = {
        "Authors": source.authors,
        "Licence": source.licence or "not stated: ask the authors before you pass it on",
        "Home": source.url,
        "Revision": source.revision,
        "Splits": f"recipe `{splits.recipe}`",
    }
    about = "\n".join(f"- {name}: {' '.join(value.split())}" for name, value in facts.items() if value)
    title = " ".join((source.title or corpus.name).split())
    task = "Given a theorem, find the statements that its proof cites."
    card = f"---\n{head}\n---\n" if head else ""
    return f"{card}# {title}\n\n{task}\n\n{about}\n\n## Files\n\n{page(form)}\n{page('rules')}"
