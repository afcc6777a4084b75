"""Real projects, opened as they were cloned: time, counts beside those of an index, and what was not resolved.

    python benchmarks/projects.py [--inside] FOLDER [NAME ...] > table.md

FOLDER holds ``INDEX.json``, a list with ``name``, ``archive``, ``main`` and the expected counts of each project, and
the archives or, beside them, folders of the same name. Nothing but the path is given to the reader. Seconds are those
of the processor, without unpacking. A number in parentheses is the expected one, where it differs. With ``--inside``
the folder of the main file is opened alone, such as that of one course. The last column is the number of statements in
files that were not read, which the account of the folder names; copies and other versions are left out.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.archives import given_source
from naturalproofs.records import Statement
from naturalproofs.sources.registry import detect_source, source

COUNTS = ("statements", "theorems", "definitions", "proofs", "examples", "proof_references")
LEAST_STATEMENTS, LEAST_REFERENCES, MOST_EXAMPLES = 0.97, 0.95, 1.03
"""Parts of the expected counts by which a project counts as read."""


def main() -> None:
    """Read all projects, or those that are named, and print the table."""
    given = [one for one in sys.argv[1:] if one != "--inside"]
    folder, names, inside = Path(given[0]), given[1:], len(given) < len(sys.argv) - 1
    index = json.loads((folder / "INDEX.json").read_text("utf-8"))
    chosen = [entry for entry in index if not names or entry["name"] in names]
    print(
        f"| project | document | s | {' | '.join(name.replace('_', ' ') for name in COUNTS)} | undefined | warnings "
        "| not read |"
    )
    print("| --- | --- |" + " ---: |" * (len(COUNTS) + 4))
    read = sum(_row(folder, entry, inside=inside) for entry in chosen)
    expected = sum("statements" in entry for entry in chosen)
    print(
        f"\n{read} of {expected} documents are read with at least {LEAST_STATEMENTS:.0%} of the statements, "
        f"{LEAST_REFERENCES:.0%} of the references in proofs, and at most {MOST_EXAMPLES:.0%} of the examples."
    )


def _row(folder: Path, entry: dict[str, Any], *, inside: bool) -> bool:
    """Print the row of a project; returns whether it was read as expected."""
    unpacked = folder / entry["archive"].split(".")[0]
    path = given_source(unpacked if unpacked.is_dir() else folder / entry["archive"])
    if inside and (path / entry.get("main", "")).parent.is_dir():
        path = (path / entry["main"]).parent
    started = time.process_time()
    try:
        loaded = build(source(detect_source(path)), path, name=entry["name"])
    except NaturalProofsError as error:
        print(f"| {entry['name']} | {str(error).splitlines()[0].split(': ', 1)[-1]} |" + " |" * (len(COUNTS) + 4))
        return False
    seconds = time.process_time() - started
    statements, document = _of_document(loaded, entry.get("main", ""))
    found = _counts(loaded, statements)
    ids = {one.id for one in statements}
    undefined = sum(one.reason == "undefined" and one.statement in ids for one in loaded.unresolved)
    warnings = sum(one.severity != "note" for one in loaded.diagnostics)
    lost = sum(one.statements for one in loaded.account if one.note == "no document reads it" and not one.document)
    cells = [_cell(found[name], entry.get(name)) for name in COUNTS]
    row = " | ".join(
        [entry["name"], document, f"{seconds:.1f}", *cells, f"{undefined:,}", f"{warnings:,}", f"{lost:,}"]
    )
    print(f"| {row} |", flush=True)
    return "statements" in entry and (
        found["statements"] >= LEAST_STATEMENTS * entry["statements"]
        and found["proof_references"] >= LEAST_REFERENCES * entry["proof_references"]
        and found["examples"] <= MOST_EXAMPLES * entry["examples"]
    )


def _of_document(loaded: Corpus, main: str) -> tuple[list[Statement], str]:
    """The statements of the document that is meant, where several were read, and the name of the document."""
    statements = list(loaded.statements)
    documents = dict.fromkeys(one.place.document for one in statements if one.place is not None)
    if len(documents) > 1 and main in documents:
        own = [one for one in statements if one.place is not None and one.place.document == main]
        return own, f"{main}, one of {len(documents)}"
    words = loaded.summary.removeprefix("reading ").split(";")[0].split(", ")
    return statements, words[0]


def _counts(corpus: Corpus, statements: list[Statement]) -> Counter[str]:
    ids = {one.id for one in statements}
    return Counter(
        statements=len(statements),
        theorems=sum(one.kind == "theorem" for one in statements),
        definitions=sum(one.kind == "definition" for one in statements),
        proofs=sum(len(one.proofs) for one in statements),
        examples=sum(example.theorem in ids for example in corpus.examples),
        proof_references=sum(
            mention.reference is not None for one in statements for proof in one.proofs for mention in proof.mentions
        ),
    )


def _cell(found: int, expected: int | None) -> str:
    return f"{found:,}" if expected in (None, found) else f"{found:,} ({expected:,})"


if __name__ == "__main__":
    main()
