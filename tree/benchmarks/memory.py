"""How much memory commands need for each statement of a big corpus.

    python benchmarks/memory.py CORPUS [--sizes 25000 100000] [--only build-json search …]

Grows a corpus (the Stacks project, say) to each size: copies of its statements with labels of their own, whose
sentences are recombined at random. Every command runs in a process of its own. What counts is the slope of its peak
memory between the first and the last size; the rest is the interpreter and its libraries.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.sax.saxutils import escape

from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.io.memory import DiskList
from naturalproofs.records import Mention, Place, Statement, StatementId

COMMANDS = {
    "build-json": "build naturalproofs-json {json} -o {out}/json -q",
    "build-wiki": "build proofwiki {wiki} -o {out}/wiki -q",
    "build-latex": "build latex {latex}/main.tex -o {out}/latex -q",
    "index": "doctor {latex}/main.tex --index",
    "search": "search {corpus} separated scheme -k 3",
    "search-again": "search {corpus} separated scheme -k 3",
    "impact": "impact {corpus} {label}",
    "path": "path {corpus} {label}",
    "stats": "stats {corpus}",
}
_MEASURED = """
import resource, runpy, sys
sys.argv[0] = "naturalproofs"
try:
    runpy.run_module("naturalproofs", run_name="__main__")
finally:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    # Unlike ru_maxrss this does not count what the parent held when it forked.
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(f"USAGE {peak} {usage.ru_utime + usage.ru_stime}", file=sys.stderr)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Memory of commands for each statement.")
    parser.add_argument("corpus", type=Path, help="a corpus folder to grow")
    parser.add_argument("--sizes", type=int, nargs="+", default=[25_000, 100_000])
    parser.add_argument("--only", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--keep", type=Path, help="where the grown corpora are kept for the next call")
    options = parser.parse_args()
    base = store.load(options.corpus)
    peaks: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for size in options.sizes:
            home = (options.keep or Path(scratch)) / str(size)
            places = make_inputs(base, size, home, options.only)
            shutil.rmtree(home / "cache", ignore_errors=True)
            for name in options.only:
                peak, seconds = measure(COMMANDS[name].format(**places), home)
                peaks.setdefault(name, []).append(peak)
                print(f"{size:>9,}  {name:13}{peak / 1024:9,.0f} MB {seconds:8.1f} s", flush=True)
    steps = options.sizes[-1] - options.sizes[0]
    for name, (first, *_, last) in peaks.items() if steps else ():
        print(f"{name:13}{(last - first) / steps:6.2f} KB a statement")


def measure(line: str, home: Path) -> tuple[int, float]:
    """Peak memory in KB and processor time of one command."""
    environment = {"NATURALPROOFS_CACHE": str(home / "cache"), "OMP_NUM_THREADS": "1", "TMPDIR": str(home)}
    process = [sys.executable, "-c", _MEASURED, *line.split()]
    began = time.monotonic()
    done = subprocess.run(process, env=environment, capture_output=True, text=True, check=False)
    usage = next((one for one in done.stderr.splitlines() if one.startswith("USAGE ")), None)
    if done.returncode or usage is None:
        print(f"{line}: {done.stderr[-500:]} after {time.monotonic() - began:.0f} s")
        return 0, 0.0
    _, peak, seconds = usage.split()
    return int(peak), float(seconds)


def make_inputs(base: Corpus, size: int, home: Path, wanted: list[str]) -> dict[str, str]:
    """Write the grown corpus in each form that a command reads."""
    (home / "out").mkdir(parents=True, exist_ok=True)
    label = next(statement.label for statement in base.statements if statement.kind == "theorem")
    places = {name: str(home / name) for name in ("corpus", "out", "latex")}
    places |= {"json": str(home / "corpus.json"), "wiki": str(home / "dump.xml"), "label": f"{label}-0"}
    if not (home / "corpus").is_dir():
        corpus = Corpus("grown", DiskList(Statement, grown(base, size)), base.provenance, None, base.inputs)
        store.save(corpus, home / "corpus", splits=make_splits(corpus, Recipe("leaf"), {}).to_json())
    if "build-json" in wanted and not (home / "corpus.json").is_file():
        export = f"export {home}/corpus --to naturalproofs-json -o {home}/corpus.json"
        subprocess.run([sys.executable, "-m", "naturalproofs", *export.split()], check=True, capture_output=True)
    if "build-wiki" in wanted and not (home / "dump.xml").is_file():
        write_wiki(grown(base, size), home / "dump.xml")
    if {"build-latex", "index"} & {*wanted} and not (home / "latex").is_dir():
        write_latex(grown(base, size), home / "latex")
    return places


def grown(base: Corpus, size: int) -> Iterator[Statement]:
    """Copies of the statements until there are enough; from the second copy on their sentences are recombined."""
    chance = random.Random(0)
    lines = [line for statement in base.statements for line in statement.lines]
    for number in range(size):
        copy, at = divmod(number, len(base.statements))
        one = base.statements[at]

        def key(old: StatementId, copy: int = copy) -> StatementId:
            return f"{old}-{copy}"

        def mentions(old: tuple[Mention, ...], copy: int = copy) -> tuple[Mention, ...]:
            found = (
                Mention(f"{m.target}-{copy}", m.surface, m.line, m.reference and f"{m.reference}-{copy}") for m in old
            )
            return tuple(found)

        # The last copy is not complete: what it lacks is not cited.
        whole = size - copy * len(base.statements) >= len(base.statements)
        text = tuple(chance.choice(lines) for _ in one.lines) if copy else one.lines
        proofs = tuple(
            replace(proof, mentions=mentions(proof.mentions) if whole else (), position=None) for proof in one.proofs
        )
        place = one.place
        yield replace(
            one,
            id=key(one.id),
            label=key(one.label),
            title=f"{one.title} {copy}" if one.title else "",
            tag="",
            number="",
            lines=text,
            mentions=mentions(one.mentions) if whole else (),
            proofs=proofs,
            place=Place(place.document, f"{place.chapter} {copy}", place.section, number) if place else None,
            notes=(),
        )


def write_wiki(statements: Iterator[Statement], path: Path) -> None:
    """The statements as pages in ProofWiki's style."""
    with path.open("w") as dump:
        dump.write("<mediawiki><siteinfo><sitename>G</sitename></siteinfo>\n")
        for number, one in enumerate(statements):
            body = "\n".join(line.replace("{{", "{ {").replace("[[", "[ [") for line in one.lines)
            cited = "".join(f"By [[{m.target}]].\n" for proof in one.proofs for m in proof.mentions if m.reference)
            heading = "Definition" if one.kind == "definition" else "Theorem"
            title = f"Definition:{one.label}" if one.kind == "definition" else one.label
            proof = "".join(proof.text for proof in one.proofs)
            text = f"== {heading} ==\n{body}\n"
            if one.kind == "theorem":
                text += f"== Proof ==\n{proof}\n{cited}{{{{qed}}}}\n"
            dump.write(
                f"<page><title>{escape(title)}</title><ns>{102 if one.kind == 'definition' else 0}</ns>"
                f"<id>{number + 1}</id><revision><id>{number + 1}</id>"
                f'<text xml:space="preserve">{escape(text)}[[Category:Proofs]]</text></revision></page>\n'
            )
        dump.write("</mediawiki>\n")


def write_latex(statements: Iterator[Statement], folder: Path) -> None:
    """The statements as a LaTeX project with a file for every thousand."""
    folder.mkdir()
    files: list[str] = []
    stream = None
    for number, one in enumerate(statements):
        if number % 1000 == 0:
            if stream is not None:
                stream.close()
            files.append(f"part{number // 1000}")
            stream = (folder / f"{files[-1]}.tex").open("w")
            stream.write(f"\\section{{Part {number // 1000}}}\n")
        assert stream is not None
        form = one.form if one.form in ("lemma", "definition", "proposition", "theorem") else "remark"
        stream.write(f"\\begin{{{form}}}\n\\label{{{one.label}}}\n" + one.text + f"\n\\end{{{form}}}\n\n")
        for proof in one.proofs:
            cited = " ".join(f"\\ref{{{m.target}}}" for m in proof.mentions if m.reference)
            stream.write(f"\\begin{{proof}}\n{' '.join(proof.lines)}\nSee {cited}.\n\\end{{proof}}\n\n")
    if stream is not None:
        stream.close()
    forms = "".join(
        f"\\newtheorem{{{form}}}{{X}}[section]\n" for form in "lemma definition proposition theorem remark".split()
    )
    inputs = "".join(f"\\input{{{name}}}\n" for name in files)
    (folder / "main.tex").write_text(
        f"\\documentclass{{article}}\n{forms}\\begin{{document}}\n{inputs}\\end{{document}}\n"
    )


if __name__ == "__main__":
    main()
