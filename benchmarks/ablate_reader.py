r"""What each mechanism of the LaTeX reader buys: real projects are read with one mechanism at a time switched off.

    python benchmarks/ablate_reader.py [PATH ...] [--only MECHANISM ...] [--details FILE] > table.md

Without paths, all archives of the folder of corpora are read, and Stacks, Trench and Stein by their own sources. A path
is an archive, a folder or a file. A mechanism is one line of `MECHANISMS`: its name, the attribute that is replaced,
and what that gives instead. A project in which the attribute gives nothing else anyway is not read again.

The table counts projects that change, and in them statements that are lost, found or read otherwise (kind, number,
title, text), statements whose proofs differ, and edges that are lost or found. Its column of lines counts what could be
deleted with the mechanism: the definitions of the package that nothing refers to, by name, once its own is gone.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from inspect import isgeneratorfunction
from pathlib import Path
from typing import Any, NamedTuple

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.archives import given_source
from naturalproofs.sources.registry import detect_source, source

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "naturalproofs.sources.latex"
BOOKS = ("stacks", "trench", "stein")


@dataclass(frozen=True)
class Mechanism:
    """Something that the reader does beyond environments, labels and references."""

    name: str
    attribute: str
    """The function, method, property or value that is replaced: ``module:Class.method``."""
    off: Any = None
    """What it gives, or is, when it is switched off."""

    def _owner(self) -> tuple[Any, str]:
        module, _, path = self.attribute.partition(":")
        *outer, name = path.split(".")
        owner = import_module(f"{PACKAGE}.{module}")
        for one in outer:
            owner = getattr(owner, one)
        return owner, name

    @contextmanager
    def watched(self, effective: set[str]) -> Iterator[None]:
        """Note in `effective` that the mechanism did something, while it is in force."""
        owner, name = self._owner()
        original = owner.__dict__[name]
        if not callable(original):
            effective.add(self.name)
            yield
            return

        # A method that gives nothing works by what it does.
        acts = self.off is None and isinstance(owner, type)

        def watch(*args: Any, **keywords: Any) -> Any:
            result = original(*args, **keywords)
            if acts or result != self.off:
                effective.add(self.name)
            return result

        setattr(owner, name, watch)
        try:
            yield
        finally:
            setattr(owner, name, original)

    @contextmanager
    def switched_off(self) -> Iterator[None]:
        """Read without it."""
        owner, name = self._owner()
        original = owner.__dict__[name]
        is_property = isinstance(original, property | cached_property)
        off = (lambda: iter(self.off)) if isgeneratorfunction(original) else lambda: self.off
        instead = property(lambda _: off()) if is_property else lambda *_, **__: off()
        setattr(owner, name, instead if is_property or callable(original) else self.off)
        try:
            yield
        finally:
            setattr(owner, name, original)


MECHANISMS = (
    Mechanism("expansion of macros with structure", "read.dialect:_structural", frozenset()),
    Mechanism("engine", "macros.table:MacroTable._names_to_run", ("not@a@name",)),
    Mechanism("conditionals in the text", "scan.scanner:dead_spans", []),
    Mechanism("conditionals of macros", "macros.expansion:dead_spans", []),
    Mechanism("conditionals around definitions", "macros.entries:find_conditionals", []),
    Mechanism("arguments that are left out", "read.dialect:discards", False),
    Mechanism("loops over lists", "macros.expansion:read_loop"),
    Mechanism("functions of strings", "macros.expansion:read_string"),
    Mechanism("environments by usual name", "read.discovery:by_environment_name"),
    Mechanism("theorems of classes and packages", "read.discovery:class_theorems", ()),
    Mechanism("macros in names of files", "project.tree:expand_name", ""),
    Mechanism("files found by their name alone", "project.tree:shared_file"),
    Mechanism("citations by number", "read.citations:TextReferences.find", ()),
    Mechanism("statements headed in the text", "read.dialect:_has_no_statements", False),
    Mechanism("headings without a font", "read.headings:_read_plain"),
    Mechanism("headings that macros print", "read.dialect:_heading_macros", frozenset()),
    Mechanism("headings in a font in an environment's code", "read.discovery:headings_in", ()),
    Mechanism("titled blocks of slides and boxes", "read.proofs:statement_words"),
    Mechanism("environments that print a number alone", "read.dialect:Dialect.prints_number_alone", False),
    Mechanism("names given in the text", "read.reader:Reader._named_here"),
    Mechanism("words before a number in an environment's code", "read.discovery:by_numbered_word"),
    Mechanism("formats that hold in a group", "read.frames:LocalFormats.leave"),
    Mechanism("solutions by name", "read.discovery:is_solution", False),
    Mechanism("sections headed as proofs", "read.proofs:Proofs.open_section"),
    Mechanism("headings of proofs by macros", "read.dialect:PROOF_HEADING", re.compile(r"(?!)")),
    Mechanism("headings of proofs within a line", "read.proofs:Proofs.open_by_heading"),
    Mechanism("environments of proofs headed otherwise", "read.proofs:is_headed_otherwise", False),
    Mechanism("headings within the text of a proof", "read.proofs:leading_target", ""),
    Mechanism("announced proofs", "read.proofs:announces", False),
    Mechanism("end marks", "read.proofs:Proofs.end_mark"),
    Mechanism("proof of a number", "read.proofs:named_in"),
    Mechanism("proof of a title", "read.proofs:named_title", ""),
    Mechanism("proof of a title, by heading", "read.proofs:Proofs._titled"),
    Mechanism("proof of the theorem", "read.proofs:Proofs._of_kind"),
    Mechanism("phrases about a statement", "read.headings:_is_about", False),
    Mechanism("what is used or stands elsewhere", "read.headings:_NOT_PROVED", re.compile(r"(?!)")),
    Mechanism("further proofs", "read.proofs:AGAIN", re.compile(r"(?!)")),
    Mechanism("proofs inside of proofs", "read.proofs:Proofs._is_part_of_another", False),
    Mechanism("solutions", "read.proofs:Proofs.open_solution", False),
    Mechanism("boxes with unknown declarations", "read.reader:read_box"),
    Mechanism("exercise lists", "read.dialect:find_exercise_lists", {}),
)


# What could be deleted.


def lines_with_it() -> dict[str, int]:
    """For each mechanism, the lines that nothing refers to once its own definition is gone."""
    folder, package = ROOT / "src" / "naturalproofs", ROOT / "src" / "naturalproofs" / "sources" / "latex"
    outside = {path for path in folder.rglob("*.py") if package not in path.parents}
    roots = {
        name for path in (*outside, package / "__init__.pyi") for name in _names(ast.parse(path.read_text("utf-8")))
    }
    defined = [one for path in package.rglob("*.py") for one in _definitions(ast.parse(path.read_text("utf-8")))]
    all_live = _live(defined, roots, "")
    gone = {}
    for mechanism in MECHANISMS:
        name = mechanism.attribute.rpartition(".")[2].rpartition(":")[2]
        gone[mechanism.name] = sum(one.lines for one in all_live - _live(defined, roots, name))
    return gone


@dataclass(frozen=True, eq=False)
class _Definition:
    """A function, a method, a constant, or a class without its methods."""

    name: str
    lines: int
    used: frozenset[str]


def _definitions(tree: ast.AST) -> Iterator[_Definition]:
    for node in ast.iter_child_nodes(tree):
        size = (getattr(node, "end_lineno", 0) or 0) - getattr(node, "lineno", 0) + 1
        if isinstance(node, ast.ClassDef):
            inner = list(_definitions(node))
            size -= sum(one.lines for one in inner)
            fields = (one for one in node.body if not isinstance(one, ast.FunctionDef))
            yield _Definition(node.name, size, frozenset(name for one in fields for name in _names(one)))
            yield from inner
        elif isinstance(node, ast.FunctionDef):
            yield _Definition(node.name, size + len(node.decorator_list), frozenset(_names(node)))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(tree, ast.Module):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            used = frozenset(_names(node.value)) if node.value else frozenset[str]()
            yield _Definition(getattr(target, "id", ""), size, used)


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (one.name for one in node.names)


def _live(defined: list[_Definition], roots: set[str], without: str) -> set[_Definition]:
    """The definitions that are used; a method that Python itself calls is used with its class."""
    by_name: dict[str, list[_Definition]] = {}
    for one in defined:
        by_name.setdefault(one.name, []).append(one)
    pending = [name for name in {*roots, *(name for name in by_name if name.startswith("__"))} if name != without]
    seen, found = set(pending), set[_Definition]()
    while pending:
        for one in by_name.get(pending.pop(), ()):
            found.add(one)
            new = one.used - seen - {without}
            seen |= new
            pending.extend(new)
    return found


class Read(NamedTuple):
    """What is compared of a project."""

    statements: dict[str, str]
    proofs: dict[str, str]
    edges: set[tuple[str, str]]


class Change(NamedTuple):
    """How much of a project a mechanism changes."""

    statements: int
    proofs: int
    edges: int


def read(path: Path, name: str) -> Read:
    """Read a project without the cache; by its own source if its name is one. One without statements is empty."""
    reader = source(name if name in BOOKS else detect_source(path))
    try:
        return _compared(build(reader, path, name=name))
    except NaturalProofsError:
        return Read({}, {}, set())


def _compared(loaded: Corpus) -> Read:
    statements, proofs = dict[str, str](), dict[str, str]()
    edges = set[tuple[str, str]]()
    seen = Counter[str]()
    for one in loaded.statements:
        place = str(one.origin)
        seen[place] += 1
        key = f"{place} {seen[place]}"
        statements[key] = json.dumps([one.kind, one.form, one.number, one.title, *one.lines])
        proofs[key] = json.dumps([proof.lines for proof in one.proofs])
        targets = [*one.references, *(target for proof in one.proofs for target in proof.references)]
        edges.update((key, str(loaded.by_id[target].origin)) for target in targets)
    return Read(statements, proofs, edges)


def difference(one: Read, other: Read) -> Change:
    """What differs between two readings of a project."""
    keys = one.statements.keys() | other.statements.keys()
    statements = sum(one.statements.get(key) != other.statements.get(key) for key in keys)
    proofs = sum(one.proofs.get(key, "[]") != other.proofs.get(key, "[]") for key in keys)
    return Change(statements, proofs, len(one.edges ^ other.edges))


def projects() -> dict[str, Path]:
    """The archives and books of the folder of corpora."""
    corpora = Path(os.environ.get("NATURALPROOFS_CORPORA", ROOT.parent / "shared" / "corpora"))
    archives = [path for folder in ("projects", "more-projects") for path in sorted((corpora / folder).glob("*.tar.*"))]
    books = [corpora / name for name in BOOKS]
    return {path.name.split(".")[0]: path for path in (*archives, *books) if path.exists()}


def main() -> None:
    """Read all projects and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--only", nargs="+", metavar="MECHANISM", default=[one.name for one in MECHANISMS])
    parser.add_argument("--details", type=Path, metavar="FILE", help="write one JSON line a project and mechanism")
    options = parser.parse_args()
    chosen = [one for one in MECHANISMS if one.name in options.only]
    changes: dict[str, dict[str, Change]] = {one.name: {} for one in chosen}
    given = {path.name.split(".")[0]: path for path in options.paths} or projects()
    for name, path in given.items():
        started = time.process_time()
        for mechanism, change in _changes(name, path, chosen):
            changes[mechanism][name] = change
            if options.details:
                with options.details.open("a") as out:
                    out.write(json.dumps([mechanism, name, *change]) + "\n")
        print(f"{name}: {time.process_time() - started:.1f} s", file=sys.stderr, flush=True)
    lines = lines_with_it()
    print("| mechanism | lines | projects | statements | proofs | edges | where |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for mechanism, found in changes.items():
        totals = [sum(column) for column in zip(*found.values(), strict=True)] or [0, 0, 0]
        most = sorted(found, key=lambda name: -sum(found[name]))
        shown = f"{', '.join(most[:6])}{', …' if len(most) > 6 else ''}"
        print(f"| {mechanism} | {lines[mechanism]} | {len(found)} | {' | '.join(map(str, totals))} | {shown} |")


def _changes(name: str, path: Path, chosen: list[Mechanism]) -> Iterator[tuple[str, Change]]:
    folder = given_source(path)
    effective: set[str] = set()
    with _all_watched(chosen, effective):
        whole = read(folder, name)
    for one in chosen:
        if one.name in effective:
            with one.switched_off():
                change = difference(whole, read(folder, name))
            if any(change):
                yield one.name, change


@contextmanager
def _all_watched(mechanisms: list[Mechanism], effective: set[str]) -> Iterator[None]:
    if not mechanisms:
        yield
        return
    with mechanisms[0].watched(effective), _all_watched(mechanisms[1:], effective):
        yield


if __name__ == "__main__":
    main()
