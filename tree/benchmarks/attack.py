r"""The findings of ``docs/explanation/untrusted-input.md``, each tried from outside on any version of the package.

    python benchmarks/attack.py [--source SITE] [--only C1 H3 …]

SITE is a folder with another version (its ``src``, and a ``dist-info`` if it finds methods by entry points); without
it the installed version is tried. Every case runs in processes of its own, with limits of processor time and memory,
in a temporary folder. One line for each case: the finding, whether the behaviour is right, and what was seen.
"""

import argparse
import asyncio
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from attack_harness import ENVIRONMENT, Case, Serving, corpus, project, rpc_message, run, wiki_dump

OPTIONAL = "lightgbm numpy scipy sklearn matplotlib pygls lsprotocol mcp starlette uvicorn jinja2 torch pyarrow".split()
BLOCK = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
"""


def c1(home: Path) -> Iterator[Case]:
    """A link in the project's own cache."""
    for command in ("suggest", "doctor", "search"):
        victim = home / command / "victim"
        victim.mkdir(parents=True)
        (victim / "precious").write_text("x")
        (victim / ("ab" * 16)).write_text("y")
        source = project(home / command / "p")
        (source / ".naturalproofs" / "project").mkdir(parents=True)
        (source / ".naturalproofs" / "project" / "objects").symlink_to(victim)
        run(command, source, *(["x"] if command != "doctor" else ["--index"]))
        left = sorted(path.name[:8] for path in victim.iterdir())
        yield len(left) == 2, f"{command}: of 2 files behind a link {left} are left"
    victim = home / "other"
    victim.mkdir()
    source = project(home / "q")
    (source / ".naturalproofs").symlink_to(victim)
    run("doctor", source, "--index")
    yield not any(victim.iterdir()), f"index: {sum(1 for _ in victim.rglob('*'))} files written behind a link"


def h1(home: Path) -> Iterator[Case]:
    """Cached arrays with other values of the same size."""
    import numpy as np

    source = project(home / "p")
    asked = ("suggest", source, "--at", "t7", "-k", "3")
    right = run(*asked)
    arrays = sorted([*source.rglob("*.npy"), *home.glob("cache/**/*.npy")])
    integers = [path for path in arrays if np.load(path).dtype.kind in "iu" and np.load(path).size]
    ended: dict[str, int] = {}
    for path in integers:
        data, values = path.read_bytes(), np.load(path)
        path.write_bytes(data[: -values.nbytes] + np.full_like(values, 1 << 30).tobytes())
        done = run(*asked)
        same = done.out == right.out
        name = "the same answer" if same else signal.Signals(-done.code).name if done.code < 0 else "another answer"
        name = "traceback" if "Traceback" in done.out else name
        ended[name] = ended.get(name, 0) + 1
        path.write_bytes(data)
    yield set(ended) == {"the same answer"}, f"{len(integers)} integer arrays overwritten: {ended}"


_TREES = """
import sys, lightgbm, numpy as np
try:
    from naturalproofs.ranking.hybrid.trees import Trees
except ImportError:
    from naturalproofs.ranking.hybrid.native import Trees
rng = np.random.default_rng(0)
values = rng.random((400, 6)).astype(np.float32)
data = lightgbm.Dataset(values, (values[:, 0] + values[:, 1] ** 2 > 0.9).astype(float))
text = lightgbm.train({"objective": "binary", "verbose": -1, "num_threads": 1}, data, 3).model_to_string()
header, _, trees = text.partition("\\nTree=0\\n")
first, _, rest = trees.partition("\\nTree=1\\n")
key, value = sys.argv[1:3]
lines = []
for line in first.split("\\n"):
    name, _, old = line.partition("=")
    lines.append(f"{key}=" + " ".join([value, *old.split()[1:]]) if name == key else line)
changed = "\\n".join(lines)
sizes = next(line for line in header.split("\\n") if line.startswith("tree_sizes="))
old, *others = sizes.removeprefix("tree_sizes=").split()
new = f"tree_sizes={int(old) + len(changed) - len(first)} {' '.join(others)}"
text = "\\nTree=0\\n".join([header.replace(sizes, new), "\\nTree=1\\n".join([changed, rest])])
try:
    Trees(text).scores(values)
    print("accepted")
except Exception as error:
    print(type(error).__name__, error)
"""


def h2(_: Path) -> Iterator[Case]:
    """Trees of a hostile model."""
    for key, value in (("split_feature", "1000000"), ("left_child", "100000"), ("left_child", "0"), ("num_cat", "7")):
        done = run(_TREES, key, value, module=False)
        yield done.code == 0 and "BadModel" in done.out, f"{key}={value}: {done}"


def h3(home: Path) -> Iterator[Case]:
    """A kill between the renames, and what is flushed."""
    source, target = project(home / "source"), home / "c"
    run("build", "latex", source, "-o", target, "-q")
    for count in (1, 2, 3):
        inject = f"-e trace=rename,renameat,renameat2 -e inject=rename,renameat,renameat2:signal=KILL:when={count}"
        done = run("build", "latex", source, "-o", target, "-q", strace=inject)
        there = (target / "manifest.json").is_file()
        after = run("stats", target)
        ended = "killed" if done.code in (-9, 137) else "not killed"
        yield after.code == 0, f"{ended} at rename {count}: the corpus is {'' if there else 'not '}there, then {after}"
        if after.code:
            run("build", "latex", source, "-o", target, "-q")
    traced = home / "trace"
    line = ["strace", "-f", "-qq", "-o", str(traced), "-e", "trace=fsync,fdatasync"]
    line += [sys.executable, "-m", "naturalproofs", "build", "latex", str(source), "-o", str(home / "d"), "-q"]
    subprocess.run(line, env=ENVIRONMENT, check=False, capture_output=True)
    calls = traced.read_text().count("sync(")
    yield calls > 0, f"build: {calls} calls of fsync"


def m1(home: Path) -> Iterator[Case]:
    """Many unfinished commands: the time for n of them and for 4n."""
    cases = {"input and spaces": ("\\input" + " " * 9, 2_000), "input{a}": ("\\input{a} ", 12_000)}
    cases |= {"documentclass[": ("\\documentclass[", 5_000), "part{a} x": ("\\part{a} x ", 40_000)}
    start = run("build", "latex", project(home / "p"), "-o", home / "out", "-q").seconds
    for name, (text, number) in cases.items():
        spent = []
        for factor in (1, 4):
            folder = home / f"{re.sub(r'[^a-z]', '', name)}{factor}"
            folder.mkdir()
            repeated = text.replace(" " * 9, " " * (9 * factor * number)) if "  " in text else text * factor * number
            # A file without a class of its own is looked at as far as a class might stand in it.
            beside = name == "documentclass["
            body = f"{'' if beside else repeated}\n\\begin{{theorem}}\\label{{a}} x\\end{{theorem}}\n"
            (folder / "main.tex").write_text(
                f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\\end{{document}}"
            )
            (folder / "other.tex").write_text(repeated if beside else "")
            spent.append(max(run("build", "latex", folder, "-o", home / "out", "-q").seconds - start, 0))
        seen = f"{name}: {spent[0]:.1f} s, and {spent[1]:.1f} s for four times as many ({len(repeated) // 1000} KB)"
        yield spent[1] < 6 * spent[0] + 1, seen


def m2(home: Path) -> Iterator[Case]:
    """Transclusions that double."""
    page = "== Theorem ==\n{}\n== Proof ==\nBy [[P0]].\n{{{{qed}}}}\n[[Category:Proofs]]"
    double = {f"P{n}": page.format(f"x {{{{:P{n + 1}}}}} {{{{:P{n + 1}}}}}") for n in range(63)}
    every = {f"P{n}": page.format(" ".join(f"{{{{:P{m}}}}}" for m in range(20))) for n in range(20)}
    for name, pages in (("63 pages that double", double), ("20 pages with all 20", every)):
        done = run("build", "proofwiki", wiki_dump(home / "dump.xml", pages), "-o", home / "out", "-q")
        yield not done.crashed and done.seconds < 6, f"{name}: {done}"


def m3(home: Path) -> Iterator[Case]:
    """A worker that is killed under load."""
    with Serving(corpus(home), "--workers", "2") as server:
        stop = time.monotonic() + 100

        async def load() -> None:
            async def one() -> None:
                while time.monotonic() < stop:
                    await asyncio.to_thread(_quiet, server.ask, "/")

            await asyncio.gather(*(one() for _ in range(8)), asyncio.to_thread(watch))

        seen: list[tuple[float, set[int]]] = []

        def watch() -> None:
            nonlocal stop
            time.sleep(5)
            first = server.workers()
            os.kill(max(first), signal.SIGKILL)
            began = time.monotonic()
            while time.monotonic() - began < 90:
                time.sleep(0.5)
                now = server.workers() - first
                if not seen or seen[-1][1] != now:
                    seen.append((time.monotonic() - began, now))
            stop = 0

        asyncio.run(load())
    started = {pid for _, pids in seen for pid in pids}
    last = f"the last after {seen[-1][0]:.0f} s" if seen else ""
    yield len(started) == 1, f"{len(started)} processes were started in 90 s in place of one that was killed, {last}"


def _quiet(ask: Callable[[str], bytes], path: str) -> None:
    try:
        ask(path)
    except OSError:
        time.sleep(0.1)


def m4(home: Path) -> Iterator[Case]:
    """Names of the host."""
    with Serving(corpus(home), "--host", "0.0.0.0") as server:
        answer = server.ask("/", "evil.example").split(b"\r\n")[0].decode()
    yield " 200 " not in answer and "HTTP" in answer, f"Host: evil.example on 0.0.0.0: {answer}"


def m5(home: Path) -> Iterator[Case]:
    """Escape sequences in titles."""
    source = project(home / "p", title="\x1b]0;owned\x07\x1b]52;c;eA==\x07\x1b[2J Name")
    for words in (("search", source, "Name"), ("show", source, "t3"), ("check", source), ("path", source, "t9")):
        done = run(*words)
        escapes = done.out.count("\x1b") + done.out.count("\x07")
        yield not escapes, f"{words[0]}: {escapes} control characters printed"


def m6(home: Path) -> Iterator[Case]:
    """File systems that are full or read-only, and a limit on the size of files."""
    made, second = corpus(home), home / "second"
    run("build", "latex", home / "source", "-o", second, "-q")
    small = home / "small"
    small.mkdir()
    lines = {
        "build": ("build", "latex", home / "source", "-o", small / "it", "-q"),
        "evaluate": ("evaluate", "bm25", made, "-o", small / "it"),
        "train": ("train", "hybrid", made, "-o", small / "it"),
        "merge": ("merge", made, second, "-o", small / "it"),
        "export": ("export", made, "--to", "beir", "-o", small / "it"),
        "stats --plots": ("stats", made, "--plots", small / "it"),
        "stats --card": ("stats", made, "--card", small / "it"),
        "evaluate --trec": ("evaluate", "bm25", made, "--trec", small / "it"),
        "generate": ("generate", "retrieve", made, "-o", small / "it"),
        "tune": ("tune", "bm25", made, "--try", "k1=1", "-o", small / "it"),
    }
    for options in ("size=4k", "size=1m,ro"):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(small)], check=True)
        if "ro" not in options:
            (small / "filler").write_bytes(bytes(4096))
        try:
            for name, words in lines.items():
                done = run(*words)
                left = [path.name for path in small.rglob("*") if path.is_file() and path.name != "filler"]
                yield done.code == 1 and not done.crashed and not left, f"{options} {name}: {done} left: {left}"
                shutil.rmtree(small / "it", ignore_errors=True)
        finally:
            subprocess.run(["umount", str(small)], check=True)
    done = run("build", "latex", home / "source", "-o", home / "limited", "-q", files=2048)
    yield done.code == 1 and not done.crashed, f"ulimit -f build: {done}"


def l1(home: Path) -> Iterator[Case]:
    """Documents that are not open."""
    given = rpc_message("initialize", 1, processId=None, rootUri=f"file://{project(home / 'p')}", capabilities={})
    given += rpc_message("initialized")
    at = {"textDocument": {"uri": "file:///dev/zero"}, "position": {"line": 2, "character": 3}}
    given += rpc_message("textDocument/hover", 2, **at) + rpc_message("textDocument/documentSymbol", 3, **at)
    given += rpc_message("shutdown", 4) + rpc_message("exit")
    done = run("lsp", given=given)
    yield not done.crashed, f"file:///dev/zero: {done}"


def l2(home: Path) -> Iterator[Case]:
    """Links and paths that lead outside."""
    outside = home / "outside.sty"
    outside.write_text("\\newcommand{\\secret}{\\text{HIDDEN}}\n")
    source = project(home / "p", body="\\begin{theorem}\\label{s} A group $\\secret$.\\end{theorem}")
    text = (source / "main.tex").read_text()
    (source / "main.tex").write_text(text.replace("\\begin{document}", "\\usepackage{own}\\begin{document}", 1))
    (source / "own.sty").symlink_to(outside)
    shown = "HIDDEN" in run("suggest", source, "A group.", "-k", 40).out
    yield not shown, f"suggest: a macro of a package behind a link is {'' if shown else 'not '}shown"
    chapters = home / "stacks"
    chapters.mkdir()
    (chapters / "Makefile").write_text("LIJST = a b\n")
    body = "\\begin{document}\\title{T}\\begin{lemma}\\label{lemma-%s} Text %s.\\end{lemma}\\end{document}\n"
    (chapters / "a.tex").write_text(body % ("a", "own"))
    (home / "b.tex").write_text(body % ("b", "Hidden"))
    (chapters / "b.tex").symlink_to(home / "b.tex")
    done = run("build", "stacks", chapters, "-o", home / "d", "-q")
    written = home / "d" / "statements.jsonl"
    yield not written.is_file() or "Hidden" not in written.read_text(), f"a chapter behind a link: {done}"
    made, model = corpus(home), home / "model"
    run("train", "hybrid", made, "-o", model)
    (home / "any").write_text("x")
    known = json.loads((model / "model.json").read_text())
    known["files"]["../any"] = hashlib.sha256(b"x").hexdigest()
    (model / "model.json").write_text(json.dumps(known))
    done = run("evaluate", model, made)
    yield done.code == 1 and "outside" in done.out, f"a model that names ../any: {done}"


def l3(home: Path) -> Iterator[Case]:
    """Repeated ids and absent statements."""
    made = corpus(home)
    for name in ("statements.jsonl", "splits.json"):
        copy = home / name
        shutil.copytree(made, copy)
        file = copy / name
        if name == "splits.json":
            file.write_text(re.sub(r":t(\d+)\"", r':absent\1"', file.read_text()))
        else:
            lines = file.read_text().splitlines(keepends=True)
            file.write_text("".join([*lines, lines[0]]))
        manifest = json.loads((copy / "manifest.json").read_text())
        manifest["files"][name] = hashlib.sha256(file.read_bytes()).hexdigest()
        (copy / "manifest.json").write_text(json.dumps(manifest))
        for words in (("stats", copy), ("evaluate", "bm25", copy)):
            done = run(*words)
            yield done.code == 1 and not done.crashed, f"{name}: {words[0]}: {done}"


def l4(home: Path) -> Iterator[Case]:
    """The base install."""
    made = corpus(home)
    for words, extra in ((["lsp"], "editor"), (["mcp", str(made)], "agents"), (["serve", str(made)], "web")):
        code = f"NAMES = {OPTIONAL!r}\n{BLOCK}\nsys.argv = {['naturalproofs', *words]!r}\n"
        done = run(f"{code}import runpy\nrunpy.run_module('naturalproofs', run_name='__main__')", module=False)
        yield done.code == 1 and not done.crashed and f"[{extra}]" in done.out, f"{words[0]}: {done}"


def l5(home: Path) -> Iterator[Case]:
    """Malformed messages to the server for agents."""
    made = corpus(home)
    start = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start}) + "\n"
    hello += '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
    call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"query":"\\ud800"}}}\n'
    for name, message, wanted in (("lone surrogate", call, '"id":7'), ("malformed", '{"jsonrpc": nonsense\n', "error")):
        done = run("mcp", made, given=(hello + message).encode())
        answer = done.out.replace('"id": 7', '"id":7')
        yield wanted in answer, f"{name}: {answer.count(chr(10))} answers, the last {answer[-90:]!r}"


def l6(home: Path) -> Iterator[Case]:
    """Framing and headers."""
    with Serving(corpus(home)) as server:
        start = b" / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        both = b"POST" + start + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        many = b"GET" + start + b"a:b\r\n" * 10_000 + b"\r\n"
        for name, data in (("two lengths", both), ("10,000 headers", many)):
            answer = server.send(data).split(b"\r\n")[0].decode()
            yield answer == "" or " 400 " in answer or " 431 " in answer, f"{name}: {answer or 'closed'}"


def l7(home: Path) -> Iterator[Case]:
    """Outputs that are no regular files."""
    made = corpus(home)
    device, target, link = home / "null", home / "target", home / "link"
    os.mknod(device, 0o666 | 0o020000, os.makedev(1, 3))
    link.symlink_to(target)
    for path in (device, link):
        done = run("graph", made, "-o", path)
        kept = path.is_char_device() if path == device else path.is_symlink()
        yield kept, f"graph -o a {path.name}: {'kept' if kept else 'replaced by a file'}; {done}"


CASES = {
    name.upper(): case for name, case in globals().copy().items() if re.fullmatch(r"[chml]\d", name) and callable(case)
}


def main() -> None:
    """Try the findings and print what was seen."""
    parser = argparse.ArgumentParser(description="Try each finding of the attack.")
    parser.add_argument("--source", type=Path, help="a folder with another version of the package")
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    options = parser.parse_args()
    if options.source:
        ENVIRONMENT["PYTHONPATH"] = str(options.source.resolve())
    print(run("import naturalproofs; print(naturalproofs.__file__)", module=False).out.strip(), flush=True)
    for name in options.only:
        with tempfile.TemporaryDirectory(prefix="attack-") as scratch:
            home = Path(scratch).resolve()
            ENVIRONMENT["NATURALPROOFS_CACHE"] = ENVIRONMENT["XDG_CACHE_HOME"] = str(home / "cache")
            try:
                for right, seen in CASES[name](home):
                    shown = seen.encode("unicode_escape").decode().replace(str(home), "")
                    print(f"{name}  {'right' if right else 'WRONG'}  {shown}", flush=True)
            except Exception as error:
                print(f"{name}  not tried: {error!r}", flush=True)


if __name__ == "__main__":
    main()
