"""The kinds of cases. Each takes a folder and a random generator, and raises `Failed` if something must not happen."""

import itertools
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from chaos.material import damage, mutated
from chaos.sandbox import ERRORS, Fault, Outcome, fresh, run_command
from naturalproofs.apps.site.book import read_manifest
from naturalproofs.benchmark.evaluation import load_run
from naturalproofs.benchmark.exports import FORMATS
from naturalproofs.benchmark.exports.writers import ABOUT, file_hashes
from naturalproofs.benchmark.make import load_splits
from naturalproofs.corpus import store
from naturalproofs.io import cache, files
from naturalproofs.io.files import sha256_bytes
from naturalproofs.ranking.registry import load_model
from naturalproofs.workspace import object_cache

PROBLEMS = {
    "lost": "lost",
    "corrupt": "corrupt accepted",
    "traceback": "tracebacks",
    "crash": "segmentation faults",
    "outside": "writes or reads outside",
    "other": "other problems",
}
"""What must never happen, and how it is counted."""


class Failed(AssertionError):
    """A case in which something happened that must not; its problem is one of `PROBLEMS`."""

    def __init__(self, message: str, problem: str = "other") -> None:
        super().__init__(message)
        self.problem = problem


def require(holds: object, message: str, problem: str = "other") -> None:
    """Fail unless something holds."""
    if not holds:
        raise Failed(message, problem)


def sound(outcome: Outcome, what: object, fault: Fault | None = None) -> Outcome:
    """Fail if a command ended as none may.

    Without memory, a crash is not one of ours: the package is Python alone, and a library in C ended the process.
    """
    if outcome.problem is not None and not (outcome.problem[0] == "crash" and without_memory(fault)):
        raise Failed(f"{what}: {outcome.problem[1]}", outcome.problem[0])
    return outcome


def digest(path: Path) -> str:
    """A hash of a file or of a folder's files, names and links."""
    if path.is_symlink() or not path.exists():
        return f"link {path.readlink()}" if path.is_symlink() else "nothing"
    if path.is_file():
        return sha256_bytes(path.read_bytes())
    return sha256_bytes(repr(sorted((child.name, digest(child)) for child in path.iterdir())).encode())


def _corpus(path: Path) -> None:
    load_splits(path, store.load(path))


def _json(path: Path) -> None:
    msgspec.json.decode(path.read_bytes())


def _json_lines(path: Path) -> None:
    msgspec.json.Decoder().decode_lines(path.read_bytes())


def _text(path: Path, end: bytes = b"\n") -> None:
    require(path.read_bytes().endswith(end), f"{path}: cut short")


def _export(path: Path) -> None:
    listed = msgspec.json.decode((path / ABOUT).read_bytes())["files"]
    found = {name: one for name, one in file_hashes(path).items() if name != ABOUT}
    require(found == listed, f"{path}: not a complete export")


def _site(path: Path) -> None:
    require(not any(path.iterdir()) or read_manifest(path) is not None, f"{path}: not a site")
    for page in path.rglob("*.html"):
        require(page.name.startswith(".") or page.read_bytes().rstrip().endswith(b"</html>"), f"{page}: cut short")


def _files(path: Path) -> None:
    """Several files; each is whole, since it is replaced in one step."""
    require(path.is_dir(), f"{path}: not a folder")


EXPORTED = {"naturalproofs-json": _json, "graphml": partial(_text, end=b"</graphml>\n")}
"""Exports that are one file."""
DRAWN = {"html": b"</html>\n", "dot": b"}\n", "graphml": b"</graphml>\n", "json": b"}\n"}
"""Formats of graphs, and how they end."""


@dataclass(frozen=True)
class Writing:
    """A command that writes, its arguments for the older output, and the check of an output."""

    arguments: str
    older: str
    check: Callable[[Path], object] | None
    output: str = "out/it"
    weight: float = 1.0
    """How often it is chosen: less if it takes seconds, as those that start other processes."""


WRITING = (
    Writing("build latex project -o out/it", "build latex other -o out/it", _corpus),
    Writing("build pretext pretext -o out/it", "build latex other -o out/it", _corpus),
    Writing("split corpus --recipe layers --budget 6 -o out/it", "build latex other -o out/it", _corpus),
    Writing("merge corpus corpus2 -o out/it", "build latex other -o out/it", _corpus),
    *(
        Writing(f"export corpus --to {name} -o out/it", f"export corpus2 --to {name} -o out/it", check)
        for name, check in {**dict.fromkeys(FORMATS, _export), **EXPORTED}.items()
    ),
    *(
        Writing(f"graph corpus --format {name} -o out/it", f"graph corpus2 --format {name} -o out/it", check)
        for name, check in ((name, partial(_text, end=end)) for name, end in DRAWN.items())
    ),
    Writing("site project -o out/it", "site other -o out/it", _site),
    Writing("site project -o out/site --tags out/it", "site other -o out/site --tags out/it", _text),
    Writing("course project l30 -o out/it.md", "course other l20 -o out/it.md", _text, "out/it.md"),
    Writing("leaderboard run -o out/it", "leaderboard run --title Older -o out/it", _text),
    Writing("collect project -o out/it --workers 1", "collect other -o out/it --workers 1", _files, weight=0.1),
    Writing("demo -o out/it", "demo -o out/it", _files, weight=0.2),
    Writing("stats corpus --plots out/it", "stats corpus2 --plots out/it", _files),
    Writing("evaluate bm25 corpus --trec out/it", "evaluate tfidf corpus --trec out/it", _text),
    Writing("evaluate bm25 corpus -o out/it", "evaluate tfidf corpus -o out/it", load_run),
    Writing("train hybrid corpus -o out/it", "train hybrid corpus2 -o out/it", load_model),
    Writing("generate retrieve corpus -o out/it", "generate compose corpus -o out/it", _json_lines),
    Writing("tune bm25 corpus --try k1=1 -o out/it", "tune bm25 corpus --try k1=2 -o out/it", _json_lines),
    Writing("stats corpus --card out/it", "stats corpus2 --card out/it", _text),
    Writing("check project --write-baseline out/it", "check other --write-baseline out/it", _json),
    Writing("doctor project --index --clean", "doctor other --index --clean", None),
    Writing("search project group", "search other group", None),
    Writing("suggest project --at l7", "suggest other --at l7", None),
)


@dataclass(frozen=True)
class Start:
    """A folder with an older output or without one, and how the command ends if nothing happens to it."""

    folder: Path
    before: str
    """The digest of the older output."""
    kept: dict[str, str]
    """Digests of what the command may not change."""
    whole: Outcome


_STARTS: dict[tuple[Path, Writing, bool], Start] = {}


def _start(template: Path, folder: Path, writing: Writing, *, older: bool) -> Start:
    """Made once for each command, at the path of the cases, since caches are keyed by path; then a copy."""
    found = _STARTS.get((folder, writing, older))
    if found is not None:
        fresh(found.folder, folder)
        return found
    fresh(template, folder)
    if older:
        sound(run_command(writing.older.split(), folder=folder, writable=[folder / "out"]), writing.older)
    kept = folder.with_name(f"start-{WRITING.index(writing)}-{older}")
    fresh(folder, kept)
    whole = run_command(writing.arguments.split(), folder=folder, writable=[folder / "out"])
    sound(whole, writing.arguments)
    fresh(kept, folder)
    found = _STARTS[folder, writing, older] = Start(kept, digest(folder / writing.output), others(folder), whole)
    return found


_WARM: dict[tuple[Path, str], tuple[Path, str]] = {}


def warm(template: Path, folder: Path, command: str) -> str:
    """A copy of the template in which a command has filled the cache; what it printed. Run once for each command."""
    found = _WARM.get((folder, command))
    if found is None:
        printed = sound(run_command(command.split(), folder=fresh(template, folder), writable=()), command).out
        found = _WARM[folder, command] = fresh(folder, folder.with_name(f"warm-{len(_WARM)}")), printed
    fresh(found[0], folder)
    return found[1]


def kill(template: Path, folder: Path, random_: random.Random) -> Counter[str]:
    """Kill a command at one of its writes, or let that write fail; the old or the new output is there and whole."""
    (writing,) = random_.choices(WRITING, [one.weight for one in WRITING])
    start = _start(template, folder, writing, older=random_.random() < 0.7)
    output, before, kept, whole = folder / writing.output, start.before, start.kept, start.whole
    fault = random_fault(random_, whole.events)
    kind = fault.kind
    what = f"{writing.arguments} {fault} of {whole.events}"
    ended = run_command(writing.arguments.split(), folder=folder, writable=[folder / "out"], fault=fault)
    sound(ended, what, fault)
    require(kind == "kill" or ended.code != -signal.SIGKILL, f"{what}: killed by another")
    if writing.check is not None:
        files.recover_folder(output)
        require(before == "nothing" or output.exists(), f"{what}: the old output is lost", "lost")
        if output.exists() and digest(output) != before:
            _check(writing, output, what)
        require(ended.code != 0 or output.exists(), f"{what}: success without an output", "lost")
    _unchanged(folder, kept, what)
    change = changed_world(random_)
    again = run_command(writing.arguments.split(), folder=folder, writable=[folder / "out"], before=change)
    require(sound(again, what).code == 0, f"{what}: the next run fails: {again.err}")
    if writing.arguments.startswith(("search", "suggest")):
        require(again.out == whole.out, f"{what}: the next run differs", "corrupt")
    if writing.check is not None:
        _check(writing, output, what)
    for place in (folder / "out", *(path for path in (folder / "cache").rglob("*") if path.is_dir())):
        for leftover in list(files.leftovers(place)) if place.is_dir() else ():
            files.clean(leftover)
    beside = {path.name for path in (folder / "out").iterdir()} - {"it", "it.md", "site"}
    require(not beside, f"{what}: files beside the output: {beside}")
    _unchanged(folder, kept, what)
    return Counter(["killed"]) if ended.code == -signal.SIGKILL else counted("failed write", fault, ended)


def without_memory(fault: Fault | None) -> bool:
    """Whether a fault limits memory or lets an allocation fail."""
    return fault is not None and fault.kind in ("memory", "allocation")


def counted(what: str, fault: Fault | None, ended: Outcome, number: int = 1) -> Counter[str]:
    """The counts of a case; those with little memory, and libraries that crash without it, are counted apart."""
    if ended.problem is not None:
        return Counter({f"crash of a library without memory in {ended.crashed_in}": number})
    return Counter({f"{what} with little memory" if without_memory(fault) else what: number})


def little_memory(random_: random.Random) -> Fault | None:
    """In a third of the cases a small address space or a failing allocation."""
    if random_.random() > 1 / 3:
        return None
    if random_.random() < 0.5:
        return Fault("memory", random_.choice([1, 16, 64]) << 20)
    return Fault("allocation", random_.randint(1, random_.choice([10_000, 1_000_000])))


def refused_for_memory(ended: Outcome, fault: Fault | None) -> bool:
    """Whether a command with little memory says so in its error, or a library crashed for the lack of it."""
    return fault is not None and (ended.problem is not None or (ended.code == 1 and "memory" in ended.err))


def random_fault(random_: random.Random, events: int) -> Fault:
    """A fault; in a quarter of the cases there is little memory, or an allocation fails."""
    kind = random_.choice(["kill", "kill", "kill", "error", "error", "size", "memory", "allocation"])
    at = {
        "size": random_.choice([0, 100, 4096, 20_000]),
        "memory": random_.choice([1, 4, 16, 64]) << 20,
        "allocation": random_.randint(1, random_.choice([10_000, 1_000_000])),
    }.get(kind, random_.randint(1, max(1, events)))
    return Fault(kind, at, random_.choice(ERRORS))


def changed_world(random_: random.Random) -> Callable[[], object]:
    """What may have happened before the next run: the clock was set, or another version of the program is there."""

    def change() -> None:
        if years:
            real = time.time
            time.time = lambda: real() + years * 365 * 24 * 3600
        if newer:
            number = cache.CACHE_VERSION + 1
            for module in [one for name, one in sys.modules.items() if name.startswith("naturalproofs.")]:
                if hasattr(module, "CACHE_VERSION"):
                    module.CACHE_VERSION = number
            object_cache.KEY = f"{object_cache.KEY} newer"

    years, newer = random_.choice([0, 0, -10, 10]), random_.random() < 0.2
    return change


def _check(writing: Writing, output: Path, what: str) -> None:
    try:
        writing.check(output)
    except Exception as error:
        raise Failed(f"{what}: damaged output: {error!r}", "corrupt") from error


def others(folder: Path) -> dict[str, str]:
    """Digests of everything that no command may change."""
    return {path.name: digest(path) for path in folder.iterdir() if path.name not in ("cache", "tmp", "out")}


def _unchanged(folder: Path, kept: dict[str, str], what: str) -> None:
    now = others(folder)
    require(now == kept, f"{what}: changed {sorted(kept.items() ^ now.items())}", "lost")


READING = {
    "corpus": (
        "stats corpus",
        "search corpus group",
        "suggest corpus --at l7",
        "evaluate bm25 corpus",
        "split corpus --recipe layers -o out/it",
        "show corpus l7",
        "path corpus l30",
    ),
    "run": ("compare run run",),
    "model": ("evaluate model corpus", "suggest corpus --at l7 --method model"),
    "cache": ("search project group", "suggest project --at l7", "doctor project --index"),
}
"""What reads each damaged folder."""


def tamper(template: Path, folder: Path, random_: random.Random) -> Counter[str]:
    """Damage a file that a command reads: it is refused in one line, or computed again."""
    where = random_.choice(["corpus", "run", "model", "cache", "cache", "cache"])
    command = random_.choice(READING[where])
    expected = warm(template, folder, command) if where == "cache" else ""
    if where != "cache":
        fresh(template, folder)
    paths = sorted(path for path in (folder / where).rglob("*") if path.is_file())
    path = random_.choice(paths)
    how = damage(path, random_)
    if where != "cache" and how in ("flip", "overwrite", "cut", "extend") and random_.random() < 0.5:
        _forge(folder / where)
    what = f"{command} after {how} of {path.relative_to(folder)}"
    fault = little_memory(random_)
    ended = run_command(command.split(), folder=folder, writable=[folder / "out"], fault=fault)
    sound(ended, f"{what} {fault}", fault)
    if where == "cache" and not refused_for_memory(ended, fault):
        require(ended.code == 0, f"{what}: {ended.err}")
        require(ended.out == expected or command.startswith("doctor"), f"{what}: other results", "corrupt")
    require((folder / "outside" / "precious.txt").read_text() == "precious", what, "outside")
    return counted("tampered", fault, ended)


def _forge(folder: Path) -> None:
    """Write the right hashes into the manifest of a damaged folder, as an attacker would."""
    for name in ("manifest.json", "model.json"):
        try:
            manifest = msgspec.json.decode((folder / name).read_bytes())
            for file in manifest["files"]:
                manifest["files"][file] = sha256_bytes((folder / file).read_bytes())
            (folder / name).write_bytes(msgspec.json.encode(manifest))
        except (OSError, msgspec.DecodeError, KeyError, TypeError, UnicodeDecodeError):
            continue


TOKENS = {
    "latex": rb"""
        \begin{proof} \end{proof} \begin{lemma} \label{ \ref{l1} { } [ ] $ $$ \[ \] % \input{main} \input{second} \\
        \newcommand \def\a{\a\a} \newtheorem{x}{X} \verb| \iffalse \fi \else \section{ \documentclass \begin{document}
        \end{document} \newenvironment{lemma}{}{} \let \csname \expandafter # & ^^M \item \cite{a} \includeonly{x}
        \usepackage{x} \begin{verbatim} \catcode \cref{l1,l2} \begin{enumerate} \include{/etc/passwd}
        \input{../outside/precious.txt}
    """.split(),
    "proofwiki": rb"""
        {{ }} [[ ]] {{{1}}} {{eqn| | = == == <nowiki> </nowiki> <onlyinclude> <noinclude> <!-- --> {{:Theorem_1}}
        <text> </text> <page> </page> <title> &lt; &amp; &#0; <ref> {{qed}} #REDIRECT[[Theorem_1]] <math> </math> $ {|
        |} <!DOCTYPE_x[<!ENTITY_a_"b">]> &a; <![CDATA[ ]]>
    """.split(),
    "naturalproofs-json": rb"""
        { } [ ] " : , null true -1 1e999 99999999999999999999999 "id" "theorems" "dataset" \u0000 \ud800 {} [] "" 0
        "splits" "refs" "ref_ids" "proofs"
    """.split(),
    "pretext": rb"""
        <lemma> </lemma> <xref_ref="l1"/> <xref_ref=""/> <p> </p> <m> </m> <!-- --> <![CDATA[ ]]> &amp; &lt; &x; <title>
        <statement> <proof> <xi:include_href="/etc/passwd"/> xml:id="l1" xml:id="" <?xml?> <!DOCTYPE_x[<!ENTITY_a_"b">]>
    """.split(),
    "markdown": rb"""
        ::: :::: {#lem-a} {.proof} @lem-l1 ``` ~~~ $ $$ # ## --- <!-- --> [^1] \@ref(a) ```{theorem,a} ` > | * -
        {{<include_x>}} (a)= ```{prf:theorem} :label:
    """.split(),
}
"""Pieces of each format; an underscore stands for a space."""
INPUTS = {
    "latex": "project/main.tex project/second.tex",
    "proofwiki": "wiki/dump.xml",
    "naturalproofs-json": "corpus.json",
    "pretext": "pretext/book.ptx",
    "markdown": "markdown/book.qmd",
}


def mutate(template: Path, folder: Path, random_: random.Random) -> Counter[str]:
    """Mutate an input: it is read as far as possible, or refused in one line."""
    source = random_.choice(["latex", "latex", *INPUTS])
    file = random_.choice(INPUTS[source].split())
    fresh(template, folder)
    changed = mutated((folder / file).read_bytes(), random_, [token.replace(b"_", b" ") for token in TOKENS[source]])
    (folder / file).write_bytes(changed)
    path = file if source == "naturalproofs-json" else file.partition("/")[0]
    commands = [f"build {source} {path} -o out/it"]
    if source == "latex":
        commands += [
            "check project",
            "search project group",
            "graph project -o out/graph.html",
            "doctor project",
        ]
    command = random_.choice(commands)
    try:
        fault = little_memory(random_)
        ended = run_command(command.split(), folder=folder, writable=[folder / "out"], fault=fault)
        sound(ended, f"{command} of {file} {fault}", fault)
        if ended.code == 0 and command.startswith("build"):
            _corpus(folder / "out" / "it")
        require((folder / "outside" / "precious.txt").read_text() == "precious", command, "outside")
        require("root:" not in ended.out + ended.err, f"{command}: read outside", "outside")
    except Exception as error:
        kept = folder.with_name(f"failed-{sha256_bytes(changed)[:8]}")
        kept.write_bytes(changed)
        problem = error.problem if isinstance(error, Failed) else "corrupt"
        raise Failed(f"{command} of {file}, which is in {kept}: {error}", problem) from error
    return counted("mutated", fault, ended)


def save(template: Path, folder: Path, random_: random.Random) -> Counter[str]:
    """An editor saves files again and again while a command reads them, and is killed; the next run is as if never."""
    command = random_.choice(["search project group", "suggest project --at l7", "check project", "show project l7"])
    expected = warm(template, folder, command)
    kept = others(folder)
    files_ = [folder / "project" / name for name in ("main.tex", "second.tex")]
    texts = [file.read_bytes() for file in files_]
    editor = os.fork()
    if not editor:
        try:
            for number in itertools.count():
                _saved(files_[number % 2], texts[number % 2], random_)
        finally:
            os._exit(1)
    try:
        for _ in range(2):
            sound(run_command(command.split(), folder=folder, writable=()), f"{command} while files are saved")
    finally:
        os.kill(editor, signal.SIGKILL)
        os.waitpid(editor, 0)
    sound(run_command(command.split(), folder=folder, writable=()), f"{command} after a killed editor")
    for file, text in zip(files_, texts, strict=True):
        for left in file.parent.glob(f"{file.name}?*"):
            left.unlink()
        file.write_bytes(text)
    again = sound(run_command(command.split(), folder=folder, writable=()), f"{command} after an editor")
    require(again.out == expected, f"{command} after an editor: other results", "corrupt")
    _unchanged(folder, kept, command)
    return Counter(["saved while read"])


def _saved(file: Path, text: bytes, random_: random.Random) -> None:
    """Save another text of the same size: by one renaming, by two with the name missing between them, or in place."""
    at = random_.randrange(len(text))
    changed = text[:at] + b"x" + text[at + 1 :]
    other = file.with_name(f"{file.name}~")
    how = random_.randrange(3)
    if how == 0:
        other.write_bytes(changed)
        other.rename(file)
    elif how == 1:
        with suppress(FileNotFoundError):
            file.rename(other)
        time.sleep(0.002)
        file.write_bytes(changed)
    else:
        file.write_bytes(changed)
