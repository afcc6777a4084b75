"""What ``check`` finds in real projects, and how much of it is true and worth acting on.

    python benchmarks/check_projects.py FOLDER [--project NAME ...] [--sample N] [--seed S] [--context LINES]

FOLDER holds ``INDEX.json``, a list with the ``name``, the ``archive`` and the ``main`` file of each project, and the
archives or, beside them, folders of the same name. The command prints the findings of each project by severity, and
all findings by rule. With ``--sample`` it prints findings to be read, with their source: up to five errors of each
project, and N warnings and notes, drawn from the projects in turn.

``benchmarks/data/check.json`` lists findings that were read: project, file, line and rule, whether what the finding
says is true, and whether the author should act on it. The command prints the shares of those that are still reported.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.archives import given_source
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check import RULES, Finding, Selection

LABELS = Path(__file__).parent / "data" / "check.json"
ERRORS = 5
"""Errors of each project that are read."""


class Found(NamedTuple):
    """A finding in a project, and the folder that its path is relative to."""

    project: str
    finding: Finding
    root: Path

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What a label names."""
        return self.project, self.finding.path, self.finding.line, self.finding.rule


def main() -> None:
    """Check all projects, or those that are named, and print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--project", action="append", default=[])
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--context", type=int, default=0)
    options = parser.parse_args()
    index = json.loads((options.folder / "INDEX.json").read_text("utf-8"))
    chosen = [entry for entry in index if not options.project or entry["name"] in options.project]
    found = {entry["name"]: list(_check(options.folder, entry)) for entry in chosen}
    _print_projects(found)
    _print_rules(found)
    _print_precision(found)
    if options.sample:
        for one in _sample(found, options.sample, random.Random(options.seed)):
            _print_source(one, options.context)


def _check(folder: Path, entry: dict[str, Any]) -> Iterator[Found]:
    name = entry["archive"].split(".")[0]
    path = given_source(folder / name if (folder / name).is_dir() else folder / entry["archive"])
    inner = path / name if (path / name).is_dir() else path
    main = inner / entry["main"] if entry.get("main") else inner
    try:
        workspace = Workspace.open(main if main.exists() else main.parent)
    except NaturalProofsError as error:
        print(f"{entry['name']}: {str(error).splitlines()[0].split(': ', 1)[-1]}")
        return
    for finding in workspace.check(Selection(notes=True)).findings:
        yield Found(entry["name"], finding, workspace.home.root or main)


def _print_projects(found: dict[str, list[Found]]) -> None:
    print("\n| project | errors | warnings | notes |\n| --- | ---: | ---: | ---: |")
    total: Counter[str] = Counter()
    for name, findings in found.items():
        counts = Counter(one.finding.severity for one in findings)
        total += counts
        print(f"| {name} | {counts['error']:,} | {counts['warning']:,} | {counts['note']:,} |")
    print(f"| together | {total['error']:,} | {total['warning']:,} | {total['note']:,} |")


def _print_rules(found: dict[str, list[Found]]) -> None:
    print("\n| rule | severity | findings | projects |\n| --- | --- | ---: | ---: |")
    rows: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for findings in found.values():
        for one in findings:
            rows[one.finding.rule, one.finding.severity].append(one.project)
    order = list(RULES)
    for (rule, severity), projects in sorted(
        rows.items(), key=lambda row: order.index(row[0][0]) if row[0][0] in order else len(order)
    ):
        print(f"| {rule} | {severity} | {len(projects):,} | {len(set(projects))} |")


def _print_precision(found: dict[str, list[Found]]) -> None:
    """The shares of true findings and of those worth acting on, among the findings that were read."""
    labels = {
        (row["project"], row["file"], row["line"], row["rule"]): row
        for row in (json.loads(LABELS.read_text("utf-8")) if LABELS.exists() else [])
    }
    severities = {one.key: one.finding.severity for findings in found.values() for one in findings}
    read: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for key, row in labels.items():
        if key in severities:
            severity = "errors" if severities[key] == "error" else "warnings and notes"
            for group in (severity, f"– {row['rule']} ({severities[key]})"):
                read[group].append(row)
    print("\n| findings that were read | number | true | worth acting on |\n| --- | ---: | ---: | ---: |")
    for group in sorted(read, key=lambda name: (name.startswith("–"), name)):
        rows = read[group]
        true, worth = (sum(row[name] for row in rows) for name in ("true", "worth"))
        print(f"| {group} | {len(rows)} | {true / len(rows):.0%} | {worth / len(rows):.0%} |")
    gone = sum(key[0] in found and key not in severities for key in labels)
    print(f"\n{gone} of {len(labels)} findings that were read are not reported any more.")


def _sample(found: dict[str, list[Found]], size: int, generator: random.Random) -> Iterator[Found]:
    """Errors of each project, then warnings and notes of the projects in turn."""
    others = []
    for findings in found.values():
        errors = [one for one in findings if one.finding.severity == "error"]
        yield from generator.sample(errors, min(ERRORS, len(errors)))
        rest = [one for one in findings if one.finding.severity != "error"]
        others.append(generator.sample(rest, len(rest)))
    drawn = [one for row in zip_longest(*others) for one in row if one is not None]
    yield from drawn[:size]


def _print_source(one: Found, context: int) -> None:
    finding = one.finding
    print(f"\n{one.project} {finding}")
    lines = (one.root / finding.path).read_text("utf-8", "replace").split("\n")
    for number in range(max(1, finding.line - context), min(len(lines), finding.line + 2 * context) + 1):
        print(f"    {number}: {lines[number - 1][:240]}")


if __name__ == "__main__":
    main()
