"""Every command on a file system that is full, read-only or forbidden, and with a limit on the size of files.

A command that cannot write its output says so in one line, exits with 1 and leaves nothing behind. A command that only
would have filled a cache works without it.
"""

import ctypes
import errno
import os
import shutil
from dataclasses import dataclass, replace

import pytest
import sklearn  # noqa: F401 - it makes a semaphore when it is imported, which counts as a file

from chaos.cases import digest
from chaos.material import make_template, must
from chaos.sandbox import Fault, fresh, run_command
from naturalproofs.apps.cli.main import MODULES
from naturalproofs.benchmark.make import load_splits
from naturalproofs.corpus import store
from naturalproofs.data import downloads
from naturalproofs.data.downloads import Catalogue, Published
from support.web_site import Page, web_site

_CLONE_NEWNS, _CLONE_NEWUSER = 0x20000, 0x10000000
_MS_RDONLY, _MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18
WRITTEN = ("out", "cache", "tmp")


@dataclass(frozen=True)
class Command:
    """A command line, and how it ends if nothing can be written."""

    line: str
    codes: int | tuple[int, ...] = 1
    until: bytes = b""
    """A server: what it prints when it is ready, after which it is interrupted."""


COMMANDS = [
    Command("audit corpus", 0),
    Command("build latex project -o out/it"),
    Command("build naturalproofs-json corpus.json -o out/it"),
    Command("build proofwiki wiki/dump.xml -o out/it"),
    Command("check project", 0),
    Command("check project --write-baseline out/it"),
    Command("check project --watch", 130, b"Watching"),
    Command("collect project -o out/it --workers 1"),
    Command("collections status --on 127.0.0.1:1"),
    Command("compare run run", 0),
    Command("course project l30 -o out/it.md"),
    Command("course project l30 -o out/it.md"),
    Command("demo -o out/it"),
    Command("doctor", (0, 1)),
    Command("doctor project --index"),
    Command("evaluate bm25 corpus", (0, 1)),
    Command("evaluate bm25 corpus -o out/it"),
    Command("evaluate bm25 corpus --trec out/it"),
    Command("exercise project l7", 0),
    Command("export corpus --to beir -o out/it"),
    Command("export corpus --to naturalproofs-json -o out/it"),
    Command("fetch known --to out/it"),
    Command("generate retrieve corpus -o out/it"),
    Command("graph corpus -o out/it"),
    Command("impact project l7", 0),
    Command("leaderboard run -o out/it"),
    Command("lsp", 0),
    Command("mcp project", 0),
    Command("merge corpus corpus2 -o out/it"),
    Command("notation project", 0),
    Command("outside project", 0),
    Command("path project l30", 0),
    Command("reproduce stein -o out/it"),
    Command("search project group", 0),
    Command("serve project --port 0", (0, 130), b"Ctrl-C stops"),
    Command("show project l7", 0),
    Command("site project -o out/it"),
    Command("site project -o out/it"),
    Command("split corpus --recipe layers --budget 6 -o out/it"),
    Command("stats corpus", 0),
    Command("stats corpus --card out/it"),
    Command("stats corpus --plots out/it"),
    Command("suggest project --at l7", 0),
    Command("train hybrid corpus -o out/it"),
    Command("tune bm25 corpus --try k1=1 -o out/it"),
]


INCREMENTAL = ("collect", "fetch", "reproduce", "site")
"""Commands that use again what they have made."""


def test_every_command_is_tried():
    assert {command.line.split()[0] for command in COMMANDS} == set(MODULES)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    folder = make_template(tmp_path_factory.mktemp("systems") / "template")
    must("stats", folder / "corpus", "--plots", folder.parent / "plots")  # Matplotlib fills a cache of its own.
    corpus = store.load(folder / "corpus")
    published = replace(corpus, provenance=replace(corpus.provenance, source="stein"))
    store.save(published, folder / "stein", splits=load_splits(folder / "corpus", corpus).to_json())
    return folder


@pytest.fixture(scope="module")
def published():
    """A file that can be fetched."""
    with web_site() as site, pytest.MonkeyPatch.context() as patch:
        site.pages["/a"] = Page(b"x" * 100_000)
        known = Published(
            "A file", "a.json", site.address("/a"), version="1", licence="CC0", citation="Nobody.", next="build {path}"
        )
        patch.setattr(downloads, "catalogue", lambda: Catalogue({"known": known}, {}))
        yield


def _mount(source, target, kind, flags, options=""):
    library = ctypes.CDLL(None, use_errno=True)
    if library.mount(source.encode(), os.fsencode(target), kind.encode(), flags, options.encode()):
        raise OSError(ctypes.get_errno(), "mount")


def _own_mounts():
    """Mounts of this process are its own from now on; without root privileges in a user namespace, where allowed."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(_CLONE_NEWNS) and library.unshare(_CLONE_NEWNS | _CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), "unshare")
    _mount("none", "/", "", _MS_REC | _MS_PRIVATE)


def read_only(folder):
    """Make a folder read-only for this process."""
    _own_mounts()
    _mount(str(folder), folder, "", _MS_BIND)
    _mount("none", folder, "", _MS_REMOUNT | _MS_BIND | _MS_RDONLY)


def full(folder):
    """Put everything that is written on full file systems, for this process."""
    _own_mounts()
    for name in WRITTEN:
        kept = folder / f"{name}.kept"
        shutil.copytree(folder / name, kept)
        _mount("none", folder / name, "tmpfs", 0, "size=8m")
        shutil.copytree(kept, folder / name, dirs_exist_ok=True)
        with pytest.raises(OSError, match="No space left"), (folder / name / "filler").open("wb") as filler:
            while True:
                filler.write(b"0" * 4096)
                filler.flush()


def contents(folder):
    """A hash of each file that the command could have written, except caches and downloads to be continued."""
    files = (path for name in ("out", "tmp") for path in (folder / name).rglob("*") if not path.is_dir())
    kept = (path for path in files if path.name not in ("filler", "a.json.part", "a.json.part.json"))
    return {path.relative_to(folder).as_posix(): digest(path) for path in kept}


SYSTEMS = {
    "read-only": (read_only, None),
    "full": (full, None),
    "no space": (None, Fault("errors", 1, errno.ENOSPC)),
    "no permission": (None, Fault("errors", 1, errno.EACCES)),
    "file size": (None, Fault("size", 0)),
}


@pytest.mark.parametrize(
    ("system", "old"),
    [*((system, False) for system in SYSTEMS), ("full", True)],
    ids=[*SYSTEMS, "full, with an older output"],
)
@pytest.mark.usefixtures("published")
def test_every_command_ends_well(template, tmp_path, system, old):
    prepare, fault = SYSTEMS[system]
    if prepare is not None and run_command(["--version"], folder=template, writable=(), before=_own_mounts).code:
        pytest.skip("this machine does not let the test mount file systems")
    failures = []
    for command in COMMANDS:
        if old and ("out/it" not in command.line or command.line.split()[0] in INCREMENTAL):
            continue
        folder = fresh(template, tmp_path / "case")
        if old:
            made = run_command(command.line.split(), folder=folder, writable=[folder / "out"])
            assert made.code == 0, (command.line, made.err)
        problem, err = ends_well(command, folder, prepare, fault)
        if problem:
            failures.append(f"{command.line}: {problem}\n{err}")
    assert not failures, "\n".join(failures)


def ends_well(command, folder, prepare, fault):
    """What is wrong with the end of a command, and what it printed on stderr."""
    seen = []

    def start():
        if prepare is not None:
            prepare(folder)
            os.chdir(folder)
        seen.append(contents(folder))

    def unchanged():
        changed = sorted(name for name, _ in contents(folder).items() ^ seen[0].items())
        return f"changed: {changed}" if changed else ""

    ended = run_command(
        command.line.split(),
        folder=folder,
        writable=[folder / "out"],
        fault=fault,
        until=command.until,
        interrupt=bool(command.until),
        before=start,
        inspect=unchanged,
    )
    # The problems that doctor reports are its output.
    known = ended.code == 130 or command.line == "doctor" or ended.problem is None
    problem = "" if known else ended.problem[1]
    if ended.code not in (command.codes if isinstance(command.codes, tuple) else (command.codes,)):
        problem += f" exit code {ended.code}"
    if ended.code == 1 and sum("error: " in line for line in ended.err.splitlines()) > 1:
        problem += " not one line"
    return (problem + ended.seen).strip(), ended.err
