r"""What the reader makes of every real project, as counts and hashes, and how that differs from what is pinned.

    python benchmarks/pin_projects.py [NAME ...] --compare [--no-display] [--jobs 2] [--show-changed N]
    python benchmarks/pin_projects.py [NAME ...] --write [--no-display] [--jobs 2]
    python benchmarks/pin_projects.py [NAME ...] --dump FOLDER
    python benchmarks/pin_projects.py [NAME ...] --compare --show-changed 5 --against FOLDER

Every archive of ``projects`` and ``more-projects`` in the folder of corpora is read as a user opens it; a document that
their ``INDEX.json`` names apart from its archive is read by its main file as well. Stacks, Trench and Stein are read by
their own sources, by ``latex``, and by the paper's rules, which are read only. The Primer is always there.

``tests/pinned/projects.json`` holds counts, a hash of each part of the result, and short hashes of each statement in
order, by which a comparison names the statements that differ. Nothing of the sources is in it. ``--compare`` exits with
1 if there are differences; ``--no-display`` leaves out previews, HTML and formulas, which take most of the time. A
project that was pinned without them is compared without them.
``--dump`` writes what was read and shown, one JSON line a statement; with ``--against`` that folder, ``--show-changed``
prints what changed in the texts themselves.

Seconds on the stream of errors are those of the processor, without unpacking.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

# All names of the package that are used here; none of them is of ``naturalproofs.sources.latex``.
from naturalproofs import Workspace
from naturalproofs.apps.web.site import CorpusPages
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.data import primer_folder
from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.archives import given_source
from naturalproofs.records import Mention, Statement
from naturalproofs.sources.registry import source as source_named
from naturalproofs.workspace.render import preview

Pin: TypeAlias = dict[str, Any]

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "tests" / "pinned" / "projects.json"
WIDTH = 120
"""Characters of a preview."""
BOOKS = ("stacks", "trench", "stein")
"""Folders that have a source of their own, of the same name."""
LISTED = 5
"""Statements that a difference names."""
DIGITS = {"ids": 3, "heads": 2, "texts": 2, "proofs": 2, "display": 2}
"""Characters of the short hash of each part of a statement; each has six bits. Statements are aligned by their ids."""
CHUNK = 40
"""Statements whose short hashes are on one line of the file."""
PARTS = {
    "ids": "id",
    "heads": "kind, form, number, title, label or tag",
    "texts": "text, place or notes",
    "proofs": "proofs, citations or their targets",
    "display": "preview or HTML",
}
"""The short hashes of each statement, and what they are of."""
DISPLAY = ("formulas", "raw_formulas", "not_drawn")
DISPLAY_HASHES = ("previews", "html")
_FORMULA = re.compile(
    r'<details class="source">.*?</details>|<math[ >].*?</math>|<(code|pre) class="tex">.*?</\1>', re.DOTALL
)
_RAW = re.compile(r'<(?:mtext|code|pre) class="tex">')
_COMMAND = re.compile(r"[a-zA-Z@*]{1,40}")
_TOKEN = re.compile(r"<[^<>]*>|\w+|\s+|[^\w\s<]")


# Projects


@dataclass(frozen=True, slots=True)
class Project:
    """One thing to read."""

    name: str
    path: Path
    """In the folder of corpora; that of the Primer is elsewhere."""
    main: str = ""
    """The main file to read, if not the whole archive."""
    source: str | None = None
    """The name of the source; detected if None."""
    paper: bool = False
    """Whether to read by the rules of the paper; nothing is shown then."""


def corpora_folder() -> Path:
    """The folder of real sources."""
    return Path(os.environ.get("NATURALPROOFS_CORPORA", ROOT.parent / "shared" / "corpora"))


def projects(corpora: Path) -> dict[str, Project]:
    """Everything that is pinned and can be read here, by name."""
    found = [Project("primer", primer_folder())]
    for folder in ("projects", "more-projects"):
        index = corpora / folder / "INDEX.json"
        for entry in json.loads(index.read_text("utf-8")) if index.is_file() else ():
            archive, stem = corpora / folder / entry["archive"], entry["archive"].split(".")[0]
            found.append(Project(stem, archive))
            if entry["name"] != stem:
                found.append(Project(entry["name"], archive, entry["main"]))
    for name in BOOKS:
        if (corpora / name).is_dir():
            found += [
                Project(name, corpora / name, source=name),
                Project(f"{name}-latex", corpora / name, source="latex"),
                Project(f"{name}-paper", corpora / name, source=name, paper=True),
            ]
    return {project.name: project for project in found}


# Reading


@dataclass(frozen=True, slots=True)
class Reading:
    """A project as it was read."""

    loaded: Corpus
    bibliography: Sequence[object] = ()
    pages: CorpusPages | None = None
    """What its pages are made with."""

    @property
    def statements(self) -> Sequence[Statement]:
        """The statements, in order."""
        return self.loaded.statements

    def shown(self, statement: Statement) -> dict[str, Any]:
        """Its preview, and the HTML of its title, its text, its notes and its proofs as on its page."""
        assert self.pages is not None
        renderer = self.pages.renderer
        return {
            "preview": preview(statement, renderer.macros, WIDTH),
            "title": str(renderer.title(statement)),
            "html": str(renderer.statement(statement)),
            "notes": [str(renderer.note(statement, note.lines)) for note in statement.notes],
            "proofs": [str(renderer.proof(statement, proof)) for proof in statement.proofs],
        }


def read(project: Project) -> Reading:
    """Read a project as the commands and the pages do, without the cache."""
    path = project.path
    if project.paper:
        assert project.source is not None
        return Reading(build(source_named(project.source), path, name=project.source, rules="paper"))
    if project.main:
        path = _main_file(given_source(path), project.main)
    home = Workspace.open(path, source=project.source, cache=False).home
    return Reading(home, home.bibliography, CorpusPages(home, {}))


def _main_file(folder: Path, main: str) -> Path:
    """A main file; the index names some by a flattened copy, which is not in the archive."""
    path = folder / main
    return path if path.is_file() else path.with_name(path.name.replace("_np.tex", ".tex"))


# Pins


@dataclass(slots=True)
class _Display:
    """What is counted and hashed of what is shown."""

    counts: Counter[str] = field(default_factory=Counter)
    previews: Any = field(default_factory=sha256)
    html: Any = field(default_factory=sha256)

    def add(self, shown: Mapping[str, Any]) -> None:
        """Count the formulas of one statement, and hash what is shown of it."""
        self.previews.update(_bytes(shown["preview"]))
        self.html.update(_bytes([shown["title"], shown["html"], shown["notes"], shown["proofs"]]))
        for text in (shown["html"], *shown["proofs"]):
            for match in _FORMULA.finditer(text):
                drawn = not match.group().startswith("<details")
                self.counts["formulas"] += 1
                self.counts["not_drawn"] += not drawn
                self.counts["raw_formulas"] += drawn and _RAW.search(match.group()) is not None


def pin(reading: Reading, *, display: bool = True, dump: Path | None = None) -> Pin:
    """Counts and hashes of a project.

    Args:
        reading: The project.
        display: Whether to render it.
        dump: A file to which everything that is hashed is written as text.
    """
    loaded, statements = reading.loaded, reading.statements
    shows = display and reading.pages is not None
    seen = _Display()
    short: dict[str, list[str]] = {part: [] for part in PARTS if shows or part != "display"}
    records = []
    for statement in statements:
        parts = _parts(statement)
        if shows:
            parts["display"] = reading.shown(statement)
            seen.add(parts["display"])
        for part, value in parts.items():
            short[part].append(_short(value)[: DIGITS[part]])
        if dump is not None:
            records.append(json.dumps(_record(statement, parts), ensure_ascii=False))
    if dump is not None:
        dump.write_text("".join(f"{record}\n" for record in records), "utf-8", "backslashreplace")
    result = {**_counts(loaded), "works": len(reading.bibliography), "hashes": _hashes(reading), "each": short}
    if shows:
        result |= {name: seen.counts[name] for name in DISPLAY}
        result["hashes"] |= {"previews": seen.previews.hexdigest()[:16], "html": seen.html.hexdigest()[:16]}
    return result


def _counts(loaded: Corpus) -> Pin:
    statements, anchors = loaded.statements, loaded.anchors or {}
    proofs = [proof for one in statements for proof in one.proofs]
    commands = (mention.surface for one in statements for mention in _mentions(one))
    return {
        "statements": len(statements),
        "kinds": _tally(one.kind for one in statements),
        # A form or the surface of a citation may be words of the author.
        "forms": _tally(one.form if len(one.form.split()) <= 3 else "words" for one in statements),
        "numbered": sum(bool(one.number) for one in statements),
        "titled": sum(bool(one.title) for one in statements),
        "proofs": len(proofs),
        "proof_references": sum(len(proof.references) for proof in proofs),
        "statement_references": sum(len(one.references) for one in statements),
        "unresolved": _tally(one.reason for one in loaded.unresolved),
        "citations": _tally(name if _COMMAND.fullmatch(name) else "words" for name in commands),
        "labels": _tally(anchor.kind for anchor in anchors.values()),
        "diagnostics": _tally(f"{one.severity} {one.rule}" for one in loaded.diagnostics),
        "files": len(loaded.inputs),
    }


def _hashes(reading: Reading) -> dict[str, str]:
    loaded, statements = reading.loaded, reading.statements
    about = loaded.provenance
    parts: dict[str, Iterable[object]] = {
        "numbers": ([one.id, one.number] for one in statements if one.number),
        "titles": ([one.id, one.title] for one in statements if one.title),
        "kinds": ([one.id, one.kind, one.form, one.label, one.tag] for one in statements),
        "texts": ([one.id, one.lines] for one in statements),
        "places": ([one.id, _origin(one.origin), _place(one)] for one in statements),
        "notes": ([one.id, one.categories, [[note.kind, note.lines] for note in one.notes]] for one in statements),
        "proofs": ([one.id, [_proof(proof) for proof in one.proofs]] for one in statements),
        "mentions": ([one.id, *map(_mention, _mentions(one))] for one in statements),
        "edges": ([one.id, one.references, [proof.references for proof in one.proofs]] for one in statements),
        "labels": sorted(
            [label, anchor.kind, anchor.owner or "", _origin(anchor.origin)]
            for label, anchor in (loaded.anchors or {}).items()
        ),
        "unresolved": ([one.statement, one.target, one.path, one.line, one.reason] for one in loaded.unresolved),
        "diagnostics": (str(one) for one in loaded.diagnostics),
        "files": ([one.path, one.sha256] for one in loaded.inputs),
        "works": (str(one) for one in reading.bibliography),
        "about": [about.source, about.title, about.authors, about.licence, about.url, loaded.summary],
    }
    return {name: _hash(values) for name, values in parts.items()}


def _parts(statement: Statement) -> dict[str, Any]:
    """What is hashed of one statement, by the name of the part; without what is shown."""
    one = statement
    notes = [[note.kind, *note.lines] for note in one.notes]
    return {
        "ids": one.id,
        "heads": [one.kind, one.form, one.number, one.title, one.label, one.tag],
        "texts": [_origin(one.origin), _place(one), one.categories, notes, *one.lines],
        "proofs": [[_proof(proof) for proof in one.proofs], *map(_mention, _mentions(one))],
    }


def _record(statement: Statement, parts: Mapping[str, Any]) -> dict[str, Any]:
    """One line of a dump."""
    return {
        "id": statement.id,
        "origin": _origin(statement.origin),
        "head": parts["heads"],
        "place": _place(statement),
        "notes": [[note.kind, *note.lines] for note in statement.notes],
        "text": statement.text,
        "proofs": [_proof(proof) for proof in statement.proofs],
        "mentions": [_mention(mention) for mention in _mentions(statement)],
        "shown": parts.get("display"),
    }


def _mentions(statement: Statement) -> Iterator[Mention]:
    yield from statement.mentions
    for proof in statement.proofs:
        yield from proof.mentions


def _mention(mention: Mention) -> list[Any]:
    return [mention.surface, mention.target, mention.line, mention.reference]


def _proof(proof: Any) -> list[Any]:
    return [_origin(proof.origin), proof.position, len(proof.mentions), *proof.lines]


def _origin(origin: object) -> str:
    return str(origin or "")


def _place(statement: Statement) -> list[Any]:
    place = statement.place
    return [] if place is None else [place.document, place.chapter, place.section, place.position]


def _tally(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _bytes(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _hash(values: Iterable[object]) -> str:
    found = sha256()
    for value in values:
        found.update(_bytes(value))
    return found.hexdigest()[:16]


def _short(value: object) -> str:
    return urlsafe_b64encode(sha256(_bytes(value)).digest()).decode()


# Differences


@dataclass(frozen=True, slots=True)
class Changes:
    """How a project differs from its pin."""

    lines: list[str]
    """For a person."""
    changed: list[int]
    """The statements as read now that differ, what is shown of them first."""


def differences(old: Pin | None, new: Pin, statements: Sequence[Statement] = ()) -> Changes:
    """How a pin differs from an older one.

    Args:
        old: The older one, if there is any.
        new: The present one; without what is shown, only the rest is compared.
        statements: The statements that the present one is of, for their names.
    """
    if old is None:
        return Changes(["not pinned yet"], [])
    if "error" in old or "error" in new:
        problem = f"{old.get('error', 'was read')} → {new.get('error', 'is read')}"
        return Changes([] if old == new else [problem], [])
    shown = "display" in new["each"] and "display" in old["each"]
    lines = []
    for name, after in new.items():
        if name not in ("hashes", "each", *(() if shown else DISPLAY)) and old.get(name) != after:
            lines.append(f"{name}: {_counted(old.get(name), after)}")
    per_statement, changed = _statements_that_differ(old["each"], new["each"], statements)
    lines += per_statement
    names = [*new["hashes"], *(name for name in old["hashes"] if name not in new["hashes"])]
    hashes = [
        name
        for name in names
        if (shown or name not in DISPLAY_HASHES) and old["hashes"].get(name) != new["hashes"].get(name)
    ]
    if hashes:
        lines.append(f"hashes that differ: {', '.join(hashes)}")
    return Changes(lines, changed)


def _counted(old: Any, new: Any) -> str:
    if not isinstance(new, dict):
        return f"{old} → {new}"
    before = old or {}
    names = [name for name in {**before, **new} if before.get(name, 0) != new.get(name, 0)]
    return ", ".join(f"{name or '(none)'} {before.get(name, 0)} → {new.get(name, 0)}" for name in names)


def _statements_that_differ(
    old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]], statements: Sequence[Statement]
) -> tuple[list[str], list[int]]:
    pairs, gone, added = _aligned(old["ids"], new["ids"])
    lines = []
    if gone:
        lines.append(f"statements gone: {len(gone)}, of the pinned ones #{_some(str(at + 1) for at in gone)}")
    if added:
        lines.append(f"statements new: {len(added)}: {_some(_named(statements, at) for at in added)}")
    changed: dict[int, None] = {}
    for part in reversed(new):
        differing = [after for before, after in pairs if old[part][before] != new[part][after]] if part in old else []
        changed |= dict.fromkeys(differing)
        if differing:
            named = _some(_named(statements, at) for at in differing)
            lines.append(f"{part}: {len(differing)} of {len(pairs)} statements differ in {PARTS[part]}: {named}")
    return lines, [*changed, *added]


def _aligned(old: Sequence[str], new: Sequence[str]) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pairs of positions of the same statement, and the positions of those that are gone and of those that are new.

    Statements stay together by their ids, and others by their order where as many stand between the same two.
    """
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest = min(len(old), len(new)) - start
    end = next((at for at in range(rest) if old[len(old) - 1 - at] != new[len(new) - 1 - at]), rest)
    pairs, gone, added = [(at, at) for at in range(start)], [], []
    middle = SequenceMatcher(None, old[start : len(old) - end], new[start : len(new) - end], autojunk=False)
    for _, a, a_end, b, b_end in middle.get_opcodes():
        before, after = range(start + a, start + a_end), range(start + b, start + b_end)
        if len(before) == len(after):
            pairs += zip(before, after, strict=True)
        else:
            gone += before
            added += after
    pairs += [(len(old) - at, len(new) - at) for at in range(end, 0, -1)]
    return pairs, gone, added


def _named(statements: Sequence[Statement], at: int) -> str:
    if at >= len(statements):
        return f"#{at + 1}"
    one = statements[at]
    return f"#{at + 1} {one.label or one.id} ({one.origin})"


def _some(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:LISTED]) + (f" and {len(found) - LISTED} more" if len(found) > LISTED else "")


# The file


def load_pins(file: Path = PINS) -> dict[str, Pin]:
    """The pins by project; none if there is no file."""
    if not file.is_file():
        return {}
    pins: dict[str, Pin] = json.loads(file.read_text("utf-8"))
    for one in pins.values():
        if "each" in one:
            one["each"] = {part: _split("".join(chunks), DIGITS[part]) for part, chunks in one["each"].items()}
    return pins


def _split(joined: str, digits: int) -> list[str]:
    return [joined[at : at + digits] for at in range(0, len(joined), digits)]


def save_pins(pins: Mapping[str, Pin], file: Path = PINS) -> None:
    """Write the pins, so that a change of one statement changes few lines."""
    file.write_text("{\n" + ",\n".join(_written(name, pins[name]) for name in sorted(pins)) + "\n}\n", "utf-8")


def _written(name: str, one: Pin) -> str:
    lines = [f" {_json(key)}: {_json(value)}" for key, value in one.items() if key != "each"]
    groups = []
    for part, found in one.get("each", {}).items():
        chunks = [_json("".join(found[at : at + CHUNK])) for at in range(0, len(found), CHUNK)]
        groups.append(f"  {_json(part)}: [\n" + ",\n".join(chunks) + "]")
    if groups:
        lines.append(' "each": {\n' + ",\n".join(groups) + "}")
    return f"{_json(name)}: {{\n" + ",\n".join(lines) + "}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# The command


@dataclass(frozen=True, slots=True)
class Options:
    """What a process is to do with a project."""

    display: bool = True
    show_changed: int = 0
    dump: Path | None = None
    against: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a process found."""

    name: str
    pin: Pin
    differences: list[str]
    texts: list[str]
    """Changed statements, to be read."""
    seconds: float
    """Of the processor; of these the second for reading."""
    reading: float


def examine(project: Project, old: Pin | None, options: Options) -> Outcome:
    """Read a project, and compare it with its pin."""
    started = time.process_time()
    try:
        reading = read(project)
    except NaturalProofsError as error:
        seconds = time.process_time() - started
        new = {"error": type(error).__name__}
        return Outcome(project.name, new, differences(old, new).lines, [], seconds, seconds)
    read_in = time.process_time() - started
    dump = options.dump / f"{project.name}.jsonl" if options.dump is not None else None
    new = pin(reading, display=options.display, dump=dump)
    found = differences(old, new, reading.statements)
    texts = [
        text
        for at in found.changed[: options.show_changed]
        for text in _changed_text(reading, at, _dumped(project.name, options.against))
    ]
    return Outcome(project.name, new, found.lines, texts, time.process_time() - started, read_in)


def _dumped(name: str, folder: Path | None) -> dict[str, dict[str, Any]] | None:
    """The records of a dump by id; None if there is none."""
    file = folder / f"{name}.jsonl" if folder is not None else None
    if file is None or not file.is_file():
        return None
    with file.open(encoding="utf-8") as lines:
        return {record["id"]: record for record in map(json.loads, lines)}


def _changed_text(reading: Reading, at: int, dumped: Mapping[str, dict[str, Any]] | None) -> Iterator[str]:
    """A changed statement: what differs from a dump, or what is shown of it now."""
    statement = reading.statements[at]
    yield f"--- {_named(reading.statements, at)}"
    parts = _parts(statement)
    if reading.pages is not None:
        parts["display"] = reading.shown(statement)
    record = json.loads(json.dumps(_record(statement, parts)))
    before = (dumped or {}).get(statement.id)
    if before is not None:
        for name in record:
            if name == "shown" and before[name] and record[name]:
                for inside in record[name]:
                    yield from _text_difference(inside, before[name][inside], record[name][inside])
            else:
                yield from _text_difference(name, before[name], record[name])
        return
    yield f"head: {_flat(record['head'])}"
    for name, value in (record["shown"] or {"text": record["text"]}).items():
        yield f"{name}: {_flat(value)}"


def _text_difference(name: str, old: Any, new: Any) -> Iterator[str]:
    """What was removed and added in a text, with a few characters around it."""
    if old == new:
        return
    before, after = _TOKEN.findall(_flat(old)), _TOKEN.findall(_flat(new))
    yield f"{name}:"
    for kind, a, a_end, b, b_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            left, right = "".join(after[max(0, b - 12) : b]), "".join(after[b_end : b_end + 12])
            yield f"  …{left}[-{''.join(before[a:a_end])}-]{{+{''.join(after[b:b_end])}+}}{right}…"


def _flat(value: Any) -> str:
    return value if isinstance(value, str) else "\n".join(map(_flat, value)) if isinstance(value, list) else str(value)


def outcomes(
    chosen: Sequence[Project], pins: Mapping[str, Pin], options: Options, jobs: int
) -> Iterator[tuple[int, Outcome]]:
    """Every project examined, with its number, as they are done."""
    # Archives are unpacked here, one after the other: several processes would unpack the same one.
    archives = dict.fromkeys(project.path for project in chosen if project.path.is_file())
    print(f"unpacking those of {len(archives)} archives that are not in the cache yet", file=sys.stderr, flush=True)
    for path in archives:
        given_source(path)
    if jobs <= 1:
        for number, project in enumerate(chosen):
            yield number, examine(project, pins.get(project.name), options)
        return
    # The largest ones first, so that no process works alone at the end.
    order = sorted(range(len(chosen)), key=lambda number: -_weight(pins.get(chosen[number].name)))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = {
            pool.submit(examine, chosen[number], pins.get(chosen[number].name), options): number for number in order
        }
        for done in as_completed(running):
            yield running[done], done.result()


def _weight(one: Pin | None) -> int:
    return 10**9 if one is None else one.get("formulas", 0) + 10 * one.get("statements", 0)


def main() -> int:
    """Examine the projects, or those that are named."""
    arguments = _arguments()
    known = projects(arguments.corpora)
    if unknown := [name for name in arguments.names if name not in known]:
        print(f"no such project: {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    pins = load_pins(arguments.file)
    chosen = [project for name, project in known.items() if not arguments.names or name in arguments.names]
    if arguments.dump is not None:
        arguments.dump.mkdir(parents=True, exist_ok=True)
    options = Options(not arguments.no_display, arguments.show_changed, arguments.dump, arguments.against)
    found: dict[int, Outcome] = {}
    started = time.monotonic()
    for number, one in outcomes(chosen, pins, options, arguments.jobs):
        found[number] = one
        size = one.pin.get("error") or f"{one.pin['statements']:,} statements"
        state = "as pinned" if not one.differences else "differs" if one.name in pins else "new"
        times = f"{one.seconds:.1f} s, {one.reading:.1f} s of them reading"
        print(f"{len(found)}/{len(chosen)} {one.name}: {size}, {times}: {state}", file=sys.stderr, flush=True)
    total = sum(one.seconds for one in found.values())
    elapsed = time.monotonic() - started
    print(f"{len(found)} projects, {total:.0f} s of the processor, {elapsed:.0f} s elapsed", file=sys.stderr)
    in_order = [found[number] for number in range(len(chosen))]
    differing = _report(in_order, pins, known, complete=not arguments.names) if arguments.compare else 0
    if arguments.write:
        new = {one.name: one.pin for one in in_order}
        save_pins({**pins, **new} if arguments.names else new, arguments.file)
    return 1 if differing else 0


def _report(found: Sequence[Outcome], pins: Mapping[str, Pin], known: Mapping[str, Project], *, complete: bool) -> int:
    """Print the differences; returns in how many projects there are some."""
    differing = [one for one in found if one.differences]
    for one in differing:
        print("\n  ".join([one.name, *one.differences]))
        for text in one.texts:
            print(f"    {text}")
    missing = [name for name in pins if name not in known] if complete else []
    for name in missing:
        print(f"{name}\n  pinned, but not here to be read")
    print(f"{len(differing)} of {len(found)} projects differ from their pins.")
    return len(differing) + len(missing)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these projects")
    parser.add_argument("--compare", action="store_true", help="print how they differ from their pins")
    parser.add_argument("--write", action="store_true", help="pin them as they are read now")
    parser.add_argument("--no-display", action="store_true", help="compare only what is read, not how it is shown")
    parser.add_argument("--show-changed", type=int, default=0, metavar="N", help="print N changed statements of each")
    parser.add_argument("--dump", type=Path, metavar="FOLDER", help="write everything as text, one file a project")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="an earlier dump, for --show-changed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--corpora", type=Path, default=corpora_folder(), help="the folder of real sources")
    parser.add_argument("--file", type=Path, default=PINS, help="the file of pins")
    arguments = parser.parse_args()
    if not (arguments.compare or arguments.write or arguments.dump):
        parser.error("give --compare, --write or --dump")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
