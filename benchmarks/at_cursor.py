r"""The protocol ``at-cursor``: how well completion in an editor ranks what an author cites next in a proof.

    python benchmarks/at_cursor.py FOLDER ... [--held-out FOLDS] [--project NAME ...] [--sites N] [--seed N]

FOLDER holds archives or folders of projects; those of the list below are measured, a folder ``stacks`` included. A site
is a citation in a proof, of an earlier statement, a part of one, or an equation. The text is cut before its key: known
are the theorem, the proof up to there, the words and the command before the cursor, and what stands before the theorem.
The ranks are those of the labels that the language server's own function returns while nothing of the key is typed.
Baselines order the same labels: statements first or, after ``\eqref``, equations and items first. Of each project
at most N sites are drawn under the seed. Citations of what comes later are counted apart. Processor time is
that of one warm completion. The shipped trees were trained on these projects; with --held-out every project is asked
with the trees that ``ship_ranker.py --folds`` trained without its author.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from naturalproofs.apps.editor.completion import completions
from naturalproofs.apps.editor.positions import Typing, typing_at
from naturalproofs.benchmark.suite import held_out_trees, load_suite
from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.archives import given_source
from naturalproofs.ranking.lexical import BM25
from naturalproofs.ranking.registry import ranker_spec
from naturalproofs.records import Passage
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.citations import wanted_at
from naturalproofs.workspace.labels import Occurrence
from naturalproofs.workspace.locate import Location, at_cursor

PROJECTS = (
    "agfa ca catlog clowder dynsys hott-book joe1221 leitert openlogic ra scv sleepymalc stein trench wwu "
    "ymohanty-prob aljabr-1 aljabr-2 cring cyrus evan-phd hott-intro iblech infdesc jfinkels symmetry v-notebook"
).split()
STACKS = "stacks"
CITED = ("statement", "item", "equation")
SITES, SEED = 60, 0
MOST = 100
"""The longest list; what is not in it has reciprocal rank 0."""


@dataclass(frozen=True)
class Site:
    """A citation, and the place where its key is to be completed."""

    at: Occurrence
    label: str
    here: Location
    typing: Typing


class Project:
    """An open project, and what the baselines need of it."""

    def __init__(self, path: Path, method: str | None) -> None:
        """Open it."""
        self.workspace = Workspace.open([given_source(path)], method=method)
        self.home = self.workspace.home
        self.later = 0

    def sites(self, most: int, seed: int) -> Iterator[Site]:
        """Citations in proofs, in random order."""
        found = [one for one in self.home.labels.occurrences if not one.is_label and one.is_certain and one.stop]
        random.Random(seed).shuffle(found)
        while most and found:
            site = self._site(found.pop())
            if site is not None:
                most -= 1
                yield site

    def _site(self, one: Occurrence) -> Site | None:
        home = self.home
        label = home.labels.label_of(one.path, one.key, one.before, one.after)
        anchor = home.anchors.get(label)
        if anchor is None or anchor.kind not in CITED or one.command == "uses":
            return None
        try:
            here = self.workspace.locate(f"{one.path}:{one.line}")
        except NaturalProofsError:
            return None
        typing = typing_at(home.texts[one.path], one.start, one.path, home.labels.syntax)
        if here.proof is None or typing is None or typing.typed or here.statement.label == label:
            return None
        if self.order[label] > self._here(one, here):
            self.later += 1
            return None
        return Site(one, label, here, typing)

    def _here(self, one: Occurrence, here: Location) -> tuple[int, int]:
        place = here.statement.place
        return (max(place.position, self._position(one.path, one.line)) if place else -1, one.line)

    @cached_property
    def _lines(self) -> dict[str, list[tuple[int, int]]]:
        """By file, the lines of statements and their positions."""
        found: dict[str, list[tuple[int, int]]] = {}
        for one in self.home.statements:
            if one.origin is not None and one.place is not None:
                found.setdefault(one.origin.path, []).append((one.origin.line, one.place.position))
        return found

    def _position(self, path: str, line: int) -> int:
        return max((position for at, position in self._lines.get(path, ()) if at <= line), default=-1)

    @cached_property
    def order(self) -> dict[str, tuple[int, int]]:
        """The place of each label in reading order."""
        found = {}
        for label, anchor in self.home.anchors.items():
            if anchor.kind in CITED:
                owner = self.home.by_id.get(anchor.owner or "")
                own = owner.place.position if owner is not None and owner.place is not None else None
                line = anchor.origin.line
                found[label] = (self._position(anchor.origin.path, line) if own is None else own, line)
        return found

    def is_whole(self, label: str) -> bool:
        """Whether a label is that of a statement, not of a part of it."""
        found = self.home.labelled(label)
        return found is not None and found.label == label

    # Rankings: labels, the best first.

    def completion(self, site: Site) -> list[str]:
        """What the editor offers."""
        one = site.at
        text = self.home.texts[one.path]
        text = text[: one.start] + text[one.end :]
        return [found.label for found in completions(self.workspace, one.path, text, one.start, site.typing)]

    def suggest(self, site: Site) -> list[str]:
        """What ``suggest`` answers to the command line and to agents at the same place: whole statements alone."""
        one, home = site.at, self.home
        text = home.texts[one.path]
        here = at_cursor(home, one.path, text, one.start, wanted_at(text[: one.start], home.labels.syntax))
        found = self.workspace.suggest(here, k=MOST, explained=0) if here is not None else ()
        return [item.statement.label for item in found]

    def _earlier(self, site: Site) -> list[str]:
        """The labels before the cursor, the nearest first; those that the command does not mean stand last."""
        here, anchors = self._here(site.at, site.here), self.home.anchors
        equations = site.typing.command == "eqref"
        known = [label for label, at in self.order.items() if at <= here and label != site.here.statement.label]
        known = [label for label in known if label not in site.typing.keys]
        known.sort(key=lambda label: self.order[label], reverse=True)
        return sorted(known, key=lambda label: (anchors[label].kind == "statement") == equations)

    def nearest(self, site: Site) -> list[str]:
        """What stands nearest before."""
        return self._earlier(site)

    def recent(self, site: Site) -> list[str]:
        """What was cited last, in this proof or in those before."""
        proof, theorem = site.here.proof, site.here.statement
        position = theorem.place.position if theorem.place else -1
        last = {
            target: time
            for time, (target, by, line) in enumerate(self._cited)
            if by < position or (by == position and proof is not None and line < site.at.line)
        }
        return sorted(self._earlier(site), key=lambda label: -last.get(label, -1))

    @cached_property
    def _cited(self) -> list[tuple[str, int, int]]:
        """All citations in reading order: the label, the position of the statement, the line."""
        return [
            (mention.target, one.place.position if one.place else -1, mention.line)
            for one in self.home.statements
            for mentions in (one.mentions, *(proof.mentions for proof in one.proofs))
            for mention in mentions
        ]

    @cached_property
    def _bm25(self) -> Callable[[Passage], Sequence[float]]:
        scorer = BM25().index(self.home.candidates)
        return lambda passage: scorer.score([passage])[0]

    def bm25(self, site: Site) -> list[str]:
        """By the words of the theorem and of the proof so far; a label of a part has the score of its statement."""
        text = self.home.texts[site.at.path]
        start = site.here.proof.origin.line if site.here.proof and site.here.proof.origin else site.at.line
        lines = text[: site.at.begin].split("\n")[start - 1 :] if site.here.proof else []
        theorem = self.home.candidates[self.home.positions[site.here.statement.id]]
        passage = Passage("", theorem.kind, theorem.title, "\n".join([theorem.text, *lines]))
        scores, positions, anchors = self._bm25(passage), self.home.positions, self.home.anchors

        def score(label: str) -> float:
            owner = anchors[label].owner
            return -float(scores[positions[owner]]) if owner in positions else 0.0

        equations = site.typing.command == "eqref"
        known = sorted(self._earlier(site), key=score)
        return sorted(known, key=lambda label: (anchors[label].kind == "statement") == equations)


METHODS = ("nearest", "recent", "bm25", "suggest", "completion")


@dataclass(frozen=True)
class Measured:
    """The ranks of one project."""

    name: str
    ranks: dict[str, list[int]]
    """By method; 0 if the label is not in the list."""
    whole: list[bool]
    """Whether each site cites a whole statement, not a part of one or an equation."""
    seconds: list[float]
    later: int
    """Citations of what comes later, which are left out."""

    def share(self, method: str, depth: int, *, whole: bool = False) -> float:
        """In percent: how many are among the first."""
        return 100 * statistics.fmean(0 < rank <= depth for rank in self._of(method, whole))

    def mrr(self, method: str, *, whole: bool = False) -> float:
        """The mean reciprocal rank, in percent."""
        return 100 * statistics.fmean(1 / rank if rank else 0 for rank in self._of(method, whole))

    def _of(self, method: str, whole: bool) -> list[int]:
        found = [rank for rank, one in zip(self.ranks[method], self.whole, strict=True) if one or not whole]
        return found or [0]


def without_author(name: str, folds: Path | None) -> str | None:
    """The method with the trees that were trained without the author of a project; None for the usual one."""
    book = next((one for one in load_suite("books").books if one.path == name), None)
    return ranker_spec(held_out_trees(folds)(book)) if folds is not None and book is not None else None


def measure(name: str, path: Path, most: int, seed: int, ranker: str | None) -> Measured | None:
    """Measure one project; None if no site is found."""
    project = Project(path, ranker)
    sites = list(project.sites(most, seed))
    if not sites:
        return None
    project.completion(sites[0])
    ranks: dict[str, list[int]] = {method: [] for method in METHODS}
    seconds = []
    for site in sites:
        for method in METHODS:
            started = time.process_time()
            found = getattr(project, method)(site)[:MOST]
            if method == "completion":
                seconds.append(time.process_time() - started)
            ranks[method].append(found.index(site.label) + 1 if site.label in found else 0)
    whole = [project.is_whole(site.label) for site in sites]
    return Measured(name, ranks, whole, seconds, project.later)


def table(measured: Sequence[Measured]) -> Iterator[str]:
    """A row for each project, and means of groups of projects."""
    yield f"| project | sites | {' | '.join(METHODS)} | hit@1 | hit@5 | ms | p90 |"
    yield "| --- |" + " ---: |" * (len(METHODS) + 5)
    for one in measured:
        cells = [f"{one.mrr(method):.1f}" for method in METHODS]
        hits = [f"{one.share('completion', depth):.1f}" for depth in (1, 5)]
        times = sorted(one.seconds)
        spent = [f"{1000 * times[int(share * (len(times) - 1))]:.0f}" for share in (0.5, 0.9)]
        yield f"| {' | '.join([one.name, str(len(one.seconds)), *cells, *hits, *spent])} |"
    yield ""
    yield "| mean of | projects | method | hit@1 | hit@5 | MRR | whole statements: hit@1 | hit@5 | MRR |"
    yield "| --- | ---: | --- |" + " ---: |" * 6
    groups = {"books": PROJECTS, "Stacks": [STACKS]}
    for title, names in groups.items():
        group = [one for one in measured if one.name in names]
        for method in METHODS if group else ():
            means = []
            for whole in (False, True):
                some = [one for one in group if any(one.whole) or not whole]
                means += [statistics.fmean(one.share(method, n, whole=whole) for one in some) for n in (1, 5)]
                means.append(statistics.fmean(one.mrr(method, whole=whole) for one in some))
            yield f"| {title} | {len(group)} | {method} | {' | '.join(f'{mean:.1f}' for mean in means)} |"
    sites, later = sum(len(one.seconds) for one in measured), sum(one.later for one in measured)
    yield f"\n{sites} sites; {later} citations of what comes later were left out."


def find(folders: Iterable[Path], name: str) -> Path | None:
    """The folder or the archive of a project."""
    for folder in folders:
        for path in (folder / name, folder / f"{name}.tar.xz"):
            if path.exists():
                return path
    return None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--held-out", type=Path, metavar="FOLDS", help="trees trained without each author")
    parser.add_argument("--project", action="append", help="only this one; may be repeated")
    parser.add_argument("--sites", type=int, default=SITES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--json", type=Path, help="write the ranks of all sites to this file")
    options = parser.parse_args()
    measured = []
    for name in options.project or [*PROJECTS, STACKS]:
        path = find(options.folders, name)
        most = options.sites if name != STACKS else 3 * options.sites
        ranker = without_author(name, options.held_out)
        one = measure(name, path, most, options.seed, ranker) if path is not None else None
        found = "no site" if one is None else f"MRR {one.mrr('completion'):.1f}"
        print(f"{name}: {found if path is not None else 'not found'}", flush=True)
        measured += [one] if one is not None else []
    if options.json is not None:
        options.json.write_text(json.dumps({one.name: {**one.ranks, "whole": one.whole} for one in measured}), "utf-8")
    print("\n".join(table(measured)))


if __name__ == "__main__":
    main()
