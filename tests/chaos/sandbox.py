"""A command in a process of its own, with faults at its writes, and a record of what it wrote where."""

import _pyio
import _testcapi
import builtins
import errno
import faulthandler
import fcntl
import io
import os
import re
import resource
import shutil
import signal
import stat
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from select import select

from naturalproofs.__main__ import main
from naturalproofs.io import files

CPU_SECONDS = 120
"""Processor time after which a command counts as hanging; every case needs about a second."""
IDLE_SECONDS = 60
"""Seconds after which a server that prints nothing counts as hanging."""
TRACEBACK = 70
CRASHES = (-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGILL)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_EVENTS = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "os.link", "os.symlink"}


@dataclass(frozen=True)
class Fault:
    """What happens: the process is killed at a write, an error is raised, files or the memory are limited."""

    kind: str
    """``kill``, ``error`` (once), ``errors`` (from then on), ``size``, ``memory``, or ``allocation`` (one fails)."""
    at: int
    """Number of the event or of the allocation, or of bytes."""
    code: int = 0


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    """Exit code; negative for a signal."""
    out: str
    err: str
    events: int
    """How many writes, renames, flushes and removals it made."""
    outside: tuple[str, ...]
    """Paths outside the permitted folders that it tried to write, and those that it read although it must not."""
    seen: str = ""
    """What the inspection in its process returned."""

    @property
    def crashed_in(self) -> str:
        """The function of ours that called what crashed."""
        found = re.search(r'File "[^"]*?([^"/]+)\.py", line \d+ in (\w+)', self.err)
        return f"{found[1]}.{found[2]}" if found else "an unknown place"

    @property
    def problem(self) -> tuple[str, str] | None:
        """What must never happen, and what it was; None if nothing of it did."""
        if "Traceback" in self.err or self.code == TRACEBACK:
            return "traceback", "a traceback:\n" + "\n".join(self.err.rstrip().splitlines()[-5:])
        if self.outside:
            return "outside", f"written outside: {self.outside}"
        if self.code in CRASHES:
            return "crash", f"signal {-self.code}: {self.err}"
        if self.code not in (0, 1, -signal.SIGKILL):
            return "other", f"exit code {self.code}: {self.err}"
        # What `doctor` finds is its output.
        if self.code == 1 and "error" not in self.err and "Problems" not in self.out:
            return "other", f"exit code 1 without an error: {self.err!r}"
        return None


class _Injector:
    """Counts the events of this process that change files, and lets one of them fail."""

    def __init__(self, fault: Fault | None, permitted: Sequence[Path]) -> None:
        self.fault, self.events, self.outside = fault, 0, []
        self.permitted = tuple(f"{path.resolve()}{os.sep}" for path in permitted)
        self.folder = Path.cwd()
        self.unreadable = (f"{self.folder / 'outside'}{os.sep}", "/etc/passwd", "/dev/zero")

    def install(self) -> None:
        real_write, real_fsync, real_exchange, real_open = os.write, os.fsync, files._exchange, io.open
        sys.addaudithook(self._audit)

        def write(handle, data):
            # A pipe to another process has no disk that could be full.
            if stat.S_ISREG(os.fstat(handle).st_mode) and self.due():
                self.fail(lambda: real_write(handle, bytes(data)[: len(data) // 2]))
            return real_write(handle, data)

        def fsync(handle):
            if self.due():
                self.fail()
            real_fsync(handle)

        def exchange(first, second):
            if self.due():
                self.fail()
            done = real_exchange(first, second)
            # After the exchange the process may be killed, but an exchange that was made does not fail.
            if self.due() and self.fault.kind == "kill":
                self.fail()
            return done

        def opened(file, mode="r", *arguments, **options):
            writing = set(mode) & set("wax+") and "t" not in mode
            return (_pyio.open if writing else real_open)(file, mode, *arguments, **options)

        # Python's own implementation of files writes through os.write, where the one in C cannot be intercepted.
        os.write, os.fsync, files._exchange = write, fsync, exchange
        io.open = builtins.open = opened
        kind = self.fault.kind if self.fault is not None else ""
        if kind == "size":
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.fault.at, resource.RLIM_INFINITY))
        elif kind == "memory":
            lines = Path("/proc/self/status").read_text().splitlines()
            used = next(int(line.split()[1]) for line in lines if line.startswith("VmSize:")) << 10
            resource.setrlimit(resource.RLIMIT_AS, (used + self.fault.at, resource.RLIM_INFINITY))
        elif kind == "allocation":
            _testcapi.set_nomemory(self.fault.at, self.fault.at + 1)

    def due(self) -> bool:
        self.events += 1
        if self.fault is None or self.fault.kind not in ("kill", "error", "errors"):
            return False
        return self.events == self.fault.at or (self.fault.kind == "errors" and self.events > self.fault.at)

    def fail(self, first: Callable[[], object] = lambda: None) -> None:
        first()
        if self.fault.kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(self.fault.code, os.strerror(self.fault.code))

    def _audit(self, event: str, arguments: tuple) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, int):
                return
            if not (flags or 0) & _WRITING:
                if os.path.normpath(self.folder / os.fsdecode(path)).startswith(self.unreadable):
                    self.outside.append(f"read {path}")
                return
        elif event in _EVENTS:
            path = arguments[1] if event == "os.rename" else arguments[0]
        else:
            return
        path = os.fsdecode(path)
        if path.startswith("/dev/"):
            return
        # Single names are relative to an open directory, whose contents the caller compares.
        if path.startswith("/") and not f"{path}{os.sep}".startswith(self.permitted):
            self.outside.append(f"{event} {path}")
        if self.due():
            self.fail()


def run_command(
    arguments: Sequence[object],
    *,
    folder: Path,
    writable: Sequence[Path],
    fault: Fault | None = None,
    standard_input: bytes = b"",
    until: bytes = b"",
    interrupt: bool = False,
    before: Callable[[], object] = lambda: None,
    inspect: Callable[[], str] = str,
) -> Outcome:
    """Run a command in a forked process.

    Args:
        arguments: Its arguments.
        folder: Its working folder.
        writable: The folders in which it may write, beside its cache and its temporary folder, ``cache`` and ``tmp``.
        fault: What happens to its writes.
        standard_input: What it reads.
        until: The end of its input comes after it has printed this.
        interrupt: Whether it is interrupted as well, as by Ctrl-C, after it has printed this.
        before: Called in the new process before the command.
        inspect: Called in the new process after the command.
    """
    # Pipes, because limits on the size of files hold for every file.
    (read_in, given), (read_out, out), (read_err, err), (read_report, report) = pipes = [os.pipe() for _ in range(4)]
    for _, handle in pipes:
        fcntl.fcntl(handle, fcntl.F_SETPIPE_SZ, 1 << 20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Forking beside other threads, as in a test runner.
        process = os.fork()
    if not process:
        os.close(given)
        words = [str(argument) for argument in arguments]
        _child(words, folder, writable, fault, (read_in, out, err), report, before, inspect)
    for handle in (read_in, out, err, report):
        os.close(handle)
    with suppress(BrokenPipeError):
        os.write(given, standard_input)
    printed = {read_out: b"", read_err: b""}
    while until and not any(until in text for text in printed.values()):
        ready = select([*printed], [], [], IDLE_SECONDS)[0]
        # A server that has stopped answering would wait forever.
        if not ready:
            os.kill(process, signal.SIGTERM)
        more = {handle: os.read(handle, 1 << 16) for handle in ready}
        if not all(more.values()):
            break
        for handle, text in more.items():
            printed[handle] += text
    if interrupt:
        os.kill(process, signal.SIGINT)
    os.close(given)
    out, err = (text.decode("utf-8", "replace") + _all(handle) for handle, text in printed.items())
    reported = _all(read_report)
    _, status = os.waitpid(process, 0)
    numbers, _, seen = reported.partition("\0")
    events, *outside = numbers.split("\n")
    return Outcome(os.waitstatus_to_exitcode(status), out, err, int(events or 0), tuple(outside), seen)


def _all(handle: int) -> str:
    with open(handle, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def _child(
    arguments: list[str],
    folder: Path,
    writable: Sequence[Path],
    fault: Fault | None,
    streams: Sequence[int],
    report: int,
    before: Callable[[], object],
    inspect: Callable[[], str],
) -> None:
    """The forked process, which never returns."""
    code, write = TRACEBACK, os.write
    try:
        for number, handle in enumerate(streams):
            os.dup2(handle, number)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
            for number, mode in enumerate("rww")
        )
        os.chdir(folder)
        os.environ["NATURALPROOFS_CACHE"] = str(folder / "cache")
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder / "tmp")
        sys.dont_write_bytecode = True
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # A test runner that a shell started in the background ignores interrupts, and so would the command.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        before()
        sys.argv = ["naturalproofs", *arguments]
        faulthandler.enable(all_threads=False)  # A crash names the function in which it happened.
        injector = _Injector(fault, [*writable, folder / "cache", folder / "tmp"])
        injector.install()
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
            if isinstance(stop.code, str):
                sys.stderr.write(stop.code)
        with suppress(ValueError):  # A server closes it.
            sys.stdout.flush()
        injector.fault = None
        if fault is not None and fault.kind == "allocation":
            _testcapi.remove_mem_hooks()
        write(report, ("\n".join([str(injector.events), *injector.outside]) + "\0" + inspect()).encode())
    except BaseException:
        code = TRACEBACK
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def fresh(template: Path, folder: Path) -> Path:
    """A copy of a template folder for one case."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder, symlinks=True)
    return folder


ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT, errno.EMFILE)
