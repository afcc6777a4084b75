r"""How well statements, proofs and references are extracted, against places labelled by reading.

    python benchmarks/extraction.py PROJECTS [NAME ...] [--details]

``PROJECTS`` is a folder with an archive of each project, named in its ``INDEX.json``. ``data/extraction.json`` holds
the labels of each excerpt: the statements (line, kind, label), the proofs (line, and the statement they prove), and
the references (the line of the statement or proof that cites, the key, and the statement that it means). It names
places only. A reference to an equation or a part means the statement that contains it, or whose proof does. References
to sections and figures have no target: to resolve them to a statement is wrong. The solution of an
exercise is its proof; hints and comments are excluded.

Each project is opened as cloned, without options. A statement is right if it begins at the labelled line and has the
labelled kind; a proof, if it belongs to the labelled statement; a reference, if the labelled unit cites the labelled
statement by this key. References of a statement and its proof to itself do not count.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Origin, StatementId
from naturalproofs.workspace import Workspace

LABELS = Path(__file__).parent / "data" / "extraction.json"
Place = tuple[str, int]
"""A file and a line."""


@dataclass
class Score:
    """Labelled and extracted items, and those that are the same."""

    labelled: int = 0
    extracted: int = 0
    right: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def compare(self, labelled: set[Any], extracted: set[Any]) -> None:
        """Count two sets."""
        self.labelled += len(labelled)
        self.extracted += len(extracted)
        self.right += len(labelled & extracted)
        self.missed += [str(one) for one in sorted(labelled - extracted, key=str)]
        self.wrong += [str(one) for one in sorted(extracted - labelled, key=str)]

    def row(self) -> str:
        """Precision, recall and the count, as cells of a table."""
        return (
            f"{self.right / max(1, self.extracted):.3f} | {self.right / max(1, self.labelled):.3f} | {self.labelled:,}"
        )


def main() -> None:
    """Compare every excerpt and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--details", action="store_true", help="list what is missed and what is wrong")
    arguments = parser.parse_args()
    index = {one["name"]: one for one in json.loads((arguments.projects / "INDEX.json").read_text("utf-8"))}
    total = [Score(), Score(), Score()]
    print(
        "| project | statements: precision | recall | n | proofs: precision | recall | n "
        "| references: precision | recall | n |"
    )
    print("| --- |" + " ---: |" * 9)
    for excerpt in json.loads(LABELS.read_text("utf-8")):
        if arguments.names and excerpt["project"] not in arguments.names:
            continue
        archive = arguments.projects / index[excerpt["project"]]["archive"]
        scores = compare(excerpt, Workspace.open(archive).home)
        print(f"| {excerpt['project']} | " + " | ".join(score.row() for score in scores) + " |")
        for whole, score in zip(total, scores, strict=True):
            whole.labelled, whole.extracted, whole.right = (
                whole.labelled + score.labelled,
                whole.extracted + score.extracted,
                whole.right + score.right,
            )
            if arguments.details:
                for line in score.missed:
                    print("    missed", line)
                for line in score.wrong:
                    print("    wrong ", line)
    print("| all | " + " | ".join(score.row() for score in total) + " |")


def compare(excerpt: dict[str, Any], corpus: Corpus) -> tuple[Score, Score, Score]:
    """Statements, attached proofs and references of one excerpt."""
    first, last = excerpt["lines"]
    folder = _main_folder(corpus, excerpt["file"])
    places = {one.id: _place(one.origin, folder) for one in corpus.statements}
    here = [one for one in corpus.statements if _inside(places[one.id], excerpt["file"], first, last)]
    scores = Score(), Score(), Score()
    scores[0].compare(
        {(one["line"], one["kind"]) for one in excerpt["statements"]},
        {(places[one.id][1], one.kind) for one in here},
    )
    attached = {
        (_place(proof.origin, folder)[1], *places[one.id])
        for one in corpus.statements
        for proof in one.proofs
        if _inside(_place(proof.origin, folder), excerpt["file"], first, last)
    }
    scores[1].compare({(one["line"], *one["of"]) for one in excerpt["proofs"] if one["of"]}, attached)
    excluded = {(unit, key) for unit, key in excerpt["excluded"]}
    own = {one["line"]: tuple(one["of"]) for one in excerpt["proofs"] if one["of"]}
    labelled = {
        (one["unit"], one["key"], *one["target"])
        for one in excerpt["references"]
        if one["target"] and tuple(one["target"]) not in ((excerpt["file"], one["unit"]), own.get(one["unit"]))
    }
    extracted = set()
    for unit, mine, key, target in _citations(corpus, folder):
        found = (unit[1], key, *places[target])
        counted = found in labelled or (unit[1], key) not in excluded
        if counted and target != mine and _inside(unit, excerpt["file"], first, last):
            extracted.add(found)
    scores[2].compare(labelled, extracted)
    return scores


def _citations(corpus: Corpus, folder: str) -> Iterator[tuple[Place, StatementId, str, StatementId]]:
    """Each resolved citation: the place of its statement or proof, the statement, the key, what it means."""
    for one in corpus.statements:
        for mention in one.mentions:
            if mention.reference is not None:
                yield _place(one.origin, folder), one.id, mention.target, mention.reference
        for proof in one.proofs:
            for mention in proof.mentions:
                if mention.reference is not None:
                    yield _place(proof.origin, folder), one.id, mention.target, mention.reference


def _place(origin: Origin | None, folder: str) -> Place:
    return (folder + origin.path, origin.line) if origin is not None else ("", 0)


def _main_folder(corpus: Corpus, file: str) -> str:
    """The folder that paths are relative to: where the main file stands in the repository."""
    found = (one.origin.path for one in corpus.statements if one.origin is not None)
    return next((file.removesuffix(path) for path in found if file == path or file.endswith("/" + path)), "")


def _inside(place: Place, file: str, first: int, last: int) -> bool:
    return place[0] == file and first <= place[1] <= last


if __name__ == "__main__":
    main()
