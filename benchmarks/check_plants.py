"""How many defects ``check`` finds that are planted in real projects.

    python benchmarks/check_plants.py FOLDER [--project NAME ...] [--seed S]

FOLDER holds projects as folders. About twenty kinds of defects are planted at random places of each of five projects in
four languages, all of which prove most of what they state; then the project is checked before and after. Each proof is
deleted alone, since a text that leaves many theorems unproved is not asked for proofs. A plant is found if a finding of
its rule that was not there before stands within a few lines of it, or names its label.
"""

import argparse
import random
import re
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from naturalproofs.records import Proof, Statement
from naturalproofs.workspace import OpenCorpus, Workspace
from naturalproofs.workspace.check import Finding, Selection

PROJECTS = {
    "ca": ("ca/ca.tex", "Theorem", "by Theorem"),
    "garmier": ("garmier/main.tex", "Theorem", "by Theorem"),
    "neron": ("neron/neron_models.tex", "Satz", "nach Satz"),
    "edoars-galois": ("edoars-galois/main.tex", "Teorema", "per il Teorema"),
    "lanzuisi": ("lanzuisi/main.tex", "Teorema", "por el Teorema"),
    "iblech": ("iblech/notes.tex", "Theorem", "by Theorem"),
}
"""The main file, a word for theorems, and how a proof uses one."""
ON_REQUEST = ("near-duplicate", "unused-statement", "duplicate-title", "unused-label", "unlabelled-theorem")
PROOFS_EACH = 4
"""Missing proofs that are planted in each project, one at a time."""
NEAR = 6
"""Lines between a plant and what is found of it."""
FAR = 30
"""Lines that a statement may have before its proof."""
_BEGIN_PROOF = re.compile(r"\\begin\{(proof|dimo|dem|bew|Proof|prf)\}(?:\[[^]]*\])?")


class Edit(NamedTuple):
    """A part of a file that is replaced: offsets, and what stands there then."""

    path: str
    start: int
    end: int
    text: str


ROUGH = frozenset(
    {
        "missing input",
        "open environment",
        "end without a beginning",
        "open brace",
        "statement twice",
        "proof of nothing",
    }
)
"""Defects that change how the rest of a file is read; they are planted apart from the others."""
BATCHES = ("fine", "rough")
"""What is planted together; each missing proof is planted alone."""


class Plant(NamedTuple):
    """A defect."""

    kind: str
    rule: str
    edit: Edit
    names: str = ""
    """What a finding elsewhere may name instead."""


class Place:
    """A project in which to plant: its texts, and places that are not taken yet."""

    def __init__(self, corpus: OpenCorpus, word: str, using: str, generator: random.Random) -> None:
        self.corpus, self.word, self.using, self.random = corpus, word, using, generator
        self.texts = {path: text for path, text in corpus.texts.items() if path.endswith(".tex")}
        self.taken: defaultdict[str, list[int]] = defaultdict(list)

    def free(self, path: str, offset: int) -> bool:
        """Whether nothing is planted near a place; takes it if so."""
        line = self.texts[path].count("\n", 0, offset)
        if any(abs(line - other) < 2 * NEAR for other in self.taken[path]):
            return False
        self.taken[path].append(line)
        return True

    def shuffled(self, items: list) -> list:
        """The items in a random order."""
        return self.random.sample(items, len(items))

    def statements(self, *, proved: bool = False, labelled: bool = True) -> list[Statement]:
        """Theorems that are written in a file, in a random order."""
        found = [
            one
            for one in self.corpus.of_kind("theorem")
            if one.origin
            and one.origin.path in self.texts
            and (not labelled or self.label(one))
            and "\\" not in one.label
        ]
        return self.shuffled([one for one in found if not proved or (one.proofs and self.proof(one))])

    def label(self, one: Statement) -> re.Match[str] | None:
        """Where the label of a statement is written."""
        return (
            re.search(rf"\\label\s*\{{{re.escape(one.label)}\}}", self.texts[one.origin.path]) if one.origin else None
        )

    def offset(self, path: str, line: int) -> int:
        """Where a line begins."""
        return sum(map(len, self.texts[path].splitlines(keepends=True)[: line - 1]))

    def proof(self, one: Statement) -> tuple[Proof, int, int] | None:
        """The first proof of a statement, where its text begins, and where it ends."""
        proof = one.proofs[0]
        if proof.origin is None or proof.origin.path not in self.texts or one.origin.path != proof.origin.path:
            return None
        text, start = self.texts[proof.origin.path], self.offset(proof.origin.path, proof.origin.line)
        begin = _BEGIN_PROOF.search(text, start, start + 200)
        if begin is None:
            return None
        end = text.find(f"\\end{{{begin[1]}}}", begin.end())
        return (proof, begin.end(), end) if end >= 0 else None

    def paragraphs(self) -> list[tuple[str, int]]:
        """Ends of paragraphs of running text in the body, in a random order."""
        found = []
        for path, text in self.texts.items():
            body = text.find("\\begin{document}")
            for match in re.finditer(r"[a-zà-ü]\.\n\s*\n", text):
                line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
                if match.start() > body and "%" not in line and "\\end{document}" not in text[: match.start()]:
                    depth = text.count("\\begin{", 0, match.start()) - text.count("\\end{", 0, match.start())
                    if depth == ("\\begin{document}" in text):
                        found.append((path, match.start() + 2))
        return self.shuffled(found)

    def in_text(self, kind: str, rule: str, written: str, names: str = "") -> Plant | None:
        """A plant that is written at the end of a paragraph."""
        for path, offset in self.paragraphs():
            if self.free(path, offset):
                return Plant(kind, rule, Edit(path, offset, offset, written), names)
        return None

    def in_proof(self, kind: str, rule: str, written: Callable[[Statement], str | None]) -> Plant | None:
        """A plant that is written at the beginning of a proof."""
        for one in self.statements(proved=True):
            found, text = self.proof(one), written(one)
            if found and text and self.free(one.origin.path, found[1]):
                return Plant(kind, rule, Edit(one.origin.path, found[1], found[1], text), one.label)
        return None


def plants(place: Place) -> Iterator[Plant | None]:
    """One plant of each kind but missing proofs; None where a project has no place for one."""
    theorems = place.statements()
    cited = [one for one in theorems if place.corpus.labels.citations.get(one.label)]
    theorems = [one for one in theorems if one not in cited[:1]]
    if not theorems:
        return
    first = theorems[0]
    for one in cited[:1]:
        match = place.label(one)
        if match and place.free(one.origin.path, match.start()):
            yield Plant("label deleted", "undefined-reference", Edit(one.origin.path, *match.span(), ""), one.label)
    wrong = first.label[:-1] + ("q" if first.label[-1] != "q" else "z")
    yield place.in_text("key misspelt", "undefined-reference", f" {place.word}~\\ref{{{wrong}}}.")
    yield place.in_proof("key misspelt in a proof", "undefined-reference", lambda _: " \\ref{nowhere-at-all}.")
    twice = f"\n\\begin{{equation}}\\label{{{theorems[-1].label}}} x\\end{{equation}}\n"
    yield place.in_text("label twice", "duplicate-label", twice, theorems[-1].label)
    if place.corpus.bibliography:
        yield place.in_text("work misspelt", "undefined-citation", " \\cite{nobody-wrote-this}.")
    yield place.in_proof("own theorem", "own-theorem", lambda one: f" {place.using}~\\ref{{{one.label}}}.")
    yield place.in_proof("later theorem", "forward-reference", lambda one: _later(place, one))
    yield place.in_text("wrong word", "wrong-word", _wrong_word(place))
    yield place.in_text("TODO", "unfinished-text", " TODO: write this.")
    yield place.in_text("open number", "unfinished-text", f" {place.word} ??.")
    yield place.in_text("three question marks", "unfinished-text", " ??? ")
    yield place.in_text("todo command", "unfinished-text", " \\todo{more}")
    numbered = next((one for one in theorems if one.number), None)
    if numbered:
        yield place.in_text("number by hand", "fixed-number", f" {numbered.form.capitalize()} {numbered.number}.")
    yield place.in_text("missing input", "missing-file", "\n\\input{nowhere/to-be-found}\n")
    yield place.in_text("open environment", "unclosed-environment", "\n\\begin{itemize}\n\\item x\n")
    yield place.in_text("end without a beginning", "unmatched-end", "\n\\end{enumerate}\n")
    yield place.in_text("open brace", "unbalanced-brace", " \\emph{never closed")
    text = " ".join(first.lines)
    if len(text.split()) > 12 and "\\begin" not in text:
        name = re.match(
            r"\\begin\{([^{}]*)\}",
            place.texts[first.origin.path][place.offset(first.origin.path, first.origin.line) :].lstrip(),
        )
        if name:
            copy = f"\n\\begin{{{name[1]}}}\n{text}\n\\end{{{name[1]}}}\n"
            yield place.in_text(
                "statement twice", "near-duplicate", re.sub(r"\\label\{[^{}]*\}", "", copy), first.label
            )
    yield place.in_text(
        "label never cited", "unused-label", "\n\\begin{equation}\\label{eq:planted} x\\end{equation}\n"
    )
    yield place.in_text(
        "proof of nothing", "proof-without-statement", "\n\\section*{X}\n\\begin{proof} Text. \\end{proof}\n"
    )
    pair = [one for one in place.statements(proved=True) if place.free(one.origin.path, place.proof(one)[1])][:2]
    if len(pair) == 2:
        for one, other in (pair, pair[::-1]):
            at = place.proof(one)[1]
            yield Plant(
                "circle",
                "circular-argument",
                Edit(one.origin.path, at, at, f" {place.using}~\\ref{{{other.label}}}."),
                one.label,
            )


def missing_proofs(place: Place) -> Iterator[Plant]:
    """Proofs that are deleted."""
    count = 0
    for one in place.statements(proved=True, labelled=False):
        found = place.proof(one)
        if count < PROOFS_EACH and len(one.proofs) == 1 and place.free(one.origin.path, found[1]):
            text = place.texts[one.origin.path]
            start = text.rfind("\\begin{", 0, found[1] - 1)
            end = text.find("}", found[2]) + 1
            count += 1
            yield Plant("missing proof", "statement-without-proof", Edit(one.origin.path, start, end, ""), one.label)


def _later(place: Place, one: Statement) -> str | None:
    last = [other for other in place.corpus.of_kind("theorem") if place.label(other)] if one.place else []
    return f" {place.using}~\\ref{{{last[-1].label}}}." if last and last[-1].id != one.id else None


def _wrong_word(place: Place) -> str:
    lemma = next((one for one in place.statements() if "lem" in one.form.lower()), None)
    other = lemma or place.statements()[0]
    return f" {place.word if lemma else 'Lemma'}~\\ref{{{other.label}}}."


def check(main: Path) -> dict[tuple[str, str, str], Finding]:
    """All findings, those on request included, by what does not change when lines move."""
    opened = Workspace.open(main, cache=False)
    found = [*opened.check(Selection(notes=True)).everything, *opened.check(Selection(select=ON_REQUEST)).everything]
    return {(one.rule, one.path, one.fingerprint): one for one in found}


def is_found(plant: Plant, line: int, fresh: list[Finding]) -> bool:
    """Whether one of the new findings is about a plant."""
    for one in fresh:
        before = FAR if plant.kind == "missing proof" else NEAR
        near = one.path == plant.edit.path and -before <= one.line - line <= NEAR
        if one.rule in (plant.rule, "cited-unproved" if plant.kind == "missing proof" else "") and (
            near or (plant.names and plant.names in f"{one.subject} {one.message}")
        ):
            return True
    return False


def _found(
    source: Path, main_file: str, word: str, using: str, seed: int, batch: str
) -> Iterator[tuple[Plant, bool, int]]:
    """The plants of a project, whether each is found, and its line."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = main_file.split("/", 1)[0]
        shutil.copytree(source / folder, Path(scratch) / folder)
        main = Path(scratch) / main_file
        corpus = Workspace.open(main, cache=False).home
        before = check(main)
        place = Place(corpus, word, using, random.Random(seed))
        if batch in BATCHES:
            planted = [one for one in plants(place) if one is not None and (one.kind in ROUGH) == (batch == "rough")]
        else:
            planted = list(missing_proofs(place))[int(batch) :][:1]
        by_file: defaultdict[str, list[Plant]] = defaultdict(list)
        for one in planted:
            by_file[one.edit.path].append(one)
        lines: dict[Plant, int] = {}
        for path, ones in by_file.items():
            text, moved = place.texts[path], 0
            for one in sorted(ones, key=lambda one: one.edit.start):
                start, end = one.edit.start + moved, one.edit.end + moved
                text = text[:start] + one.edit.text + text[end:]
                moved += len(one.edit.text) - (one.edit.end - one.edit.start)
                lines[one] = text.count("\n", 0, start) + 1
            (corpus.root / path).write_text(text, "utf-8")
        fresh = [one for key, one in check(main).items() if key not in before]
        for one in planted:
            yield one, is_found(one, lines[one], fresh), lines[one]


def main() -> None:
    """Plant, check and count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--project", action="append", default=[])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    total: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, (main_file, word, using) in PROJECTS.items():
        if options.project and name not in options.project:
            continue
        source = next((folder for folder in options.folder if (folder / main_file).exists()), None)
        if source is None:
            print(f"{name}: not found")
            continue
        for batch in (*BATCHES, *map(str, range(PROOFS_EACH))):
            for one, hit, line in _found(source, main_file, word, using, options.seed, batch):
                total[one.kind]["planted"] += 1
                total[one.kind]["found"] += hit
                if not hit:
                    where = f"{name}, {one.edit.path}:{line}"
                    print(f"not found: {one.kind}, {where} {one.edit.text.strip()[:60]!r} {one.names}", flush=True)
    print("\n| defect | planted | found |\n| --- | ---: | ---: |")
    for kind, counts in total.items():
        print(f"| {kind} | {counts['planted']} | {counts['found']} |")
    planted, found = (sum(counts[name] for counts in total.values()) for name in ("planted", "found"))
    print(f"| all | {planted} | {found} |")


if __name__ == "__main__":
    main()
