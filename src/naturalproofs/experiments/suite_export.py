"""A suite of books as a folder of BEIR datasets, one for each book, with the licence of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from naturalproofs import __version__
from naturalproofs.experiments.suite import Suite, SuiteBook, load_book
from naturalproofs.io.files import make_folder, replaced_folder, write_file
from naturalproofs.io.folders import pretty
from naturalproofs.progress import Progress, silent
from naturalproofs.tasks.exports import Request
from naturalproofs.tasks.exports.common import file_hashes, may_replace
from naturalproofs.tasks.exports.readme import RULES
from naturalproofs.tasks.exports.tools import write_beir
from naturalproofs.tasks.splits import zero_shot_split

ABOUT = "suite.json"
FORMAT = "beir-suite"
_INTRODUCTION = """\
Each folder is one book in BEIR's format: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`, and a README that says what
they hold. Given a theorem, find the statements that its proof cites. All queries are for testing. Measure each book by
itself and average over the books with at least 15 queries, so that every book counts the same; intervals and tests
resample books, not queries. A method that is trained on some of the books must leave out all books of the same group.

Every book has its own licence, which also holds for its folder.
"""


class _Exported(msgspec.Struct, frozen=True):
    """One book of the export."""

    book: SuiteBook
    statements: int
    queries: int


class _About(msgspec.Struct, frozen=True):
    """Description of the exported folder."""

    format: str
    suite: str
    books: tuple[_Exported, ...]
    missing: tuple[str, ...]
    made_by: str
    files: dict[str, str]


def export_suite(suite: Suite, folders: Sequence[Path], output: Path, progress: Progress = silent) -> str:
    """Write the books that are found, and a summary for the user."""
    paths, missing = suite.found(folders)
    chosen = [book for book in suite.books if book.name in paths]
    written: list[_Exported] = []
    with replaced_folder(output, partial(may_replace, name=FORMAT, about=ABOUT)) as scratch:
        make_folder(scratch)
        for done, book in enumerate(chosen):
            progress(done, len(chosen), book.name)
            corpus = load_book(book, paths[book.name])
            splits = zero_shot_split(corpus)
            if splits.test.examples:
                write_beir(Request(corpus, splits, scratch / book.name))
                written.append(_Exported(book, len(corpus.statements), len(splits.test.examples)))
        write_file(scratch / "README.md", _readme(suite, written))
        made_by = f"naturalproofs {__version__}"
        about = _About(FORMAT, suite.name, tuple(written), missing, made_by, file_hashes(scratch))
        write_file(scratch / ABOUT, pretty(about))
    without = f"; not found: {', '.join(missing)}" if missing else ""
    return f"{len(written)} books, {sum(one.queries for one in written):,} queries{without}"


def _readme(suite: Suite, books: Sequence[_Exported]) -> str:
    rows = [
        f"| {one.book.name} | {one.book.author_group} | {one.book.language} | {one.book.kind} | {one.statements:,} "
        f"| {one.queries:,} | {one.book.licence or 'not stated'} | {one.book.repository} {one.book.commit[:10]} |"
        for one in books
    ]
    head = "| book | group | language | kind | statements | queries | licence | source |"
    return "\n".join([f"# {suite.name}\n", _INTRODUCTION, head, "|---|---|---|---|--:|--:|---|---|", *rows, "", RULES])
