"""The command that serves: it starts, its workers answer, it stops when asked to."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from support.command_line import call

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


def get(address: str, token: str = "") -> str:
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def answering(address: str, count: int, known: set[str], token: str = "") -> set[str]:
    """The processes that answer, once there are so many that were not known before."""
    found: set[str] = set()
    end = time.monotonic() + 300
    while len(found) < count:
        assert time.monotonic() < end, "the workers did not all answer"
        try:
            found.update(set(re.findall(r'pid="(\d+)"', get(f"{address}metrics", token))) - known)
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_it_answers_and_stops(tmp_path: Path, workers: int) -> None:
    command = [sys.executable, "-m", "naturalproofs", "serve", "--port", "0", "--workers", str(workers)]
    environment = {"XDG_CACHE_HOME": str(tmp_path), "PATH": ""}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr.readline() == "Opening:  primer\n"
            address = ADDRESS.search(process.stderr.readline())
            assert address is not None
            pids = answering(address.group(), workers, set())
            if workers > 1:
                os.kill(int(killed := min(pids)), signal.SIGKILL)
                assert killed not in answering(address.group(), 1, pids), "it is replaced"
            assert "thm:lagrange" in get(f"{address.group()}api/v1/search?q=lagrange")
            assert list(tmp_path.rglob("search.sqlite")), "the index is cached for the next start"
        finally:
            process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode in (0, 130)
    assert "Traceback" not in said


def test_on_all_interfaces_only_known_names_are_answered(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "naturalproofs", "serve", "--port", "0", "--host", "0.0.0.0"]
    environment = {"XDG_CACHE_HOME": str(tmp_path), "PATH": ""}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert "--allow-host" in process.stderr.readline()
            assert "Opening" in process.stderr.readline()
            port, token = re.search(r":(\d+)/\?token=(\w+)", process.stderr.readline()).groups()
            address = f"http://127.0.0.1:{port}/"
            answering(address, 1, set(), token)
            with pytest.raises(urllib.error.HTTPError) as refused:
                get(address)
            assert refused.value.code == 401
            refused.value.close()
            other = urllib.request.Request(f"{address}health", headers={"Host": "other.example"})
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(other, timeout=60)
            assert refused.value.code == 421
            refused.value.close()
        finally:
            process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["no-such-folder"], "no-such-folder: no such file or folder"),
        (["--runs", "no-such-folder", "--no-cache"], "no-such-folder: no such folder"),
        (["--macros", "no-such-file", "--no-cache"], "no-such-file: the macros cannot be read"),
        (["--method", "no-such-method", "--no-cache"], "no-such-method"),
    ],
)
def test_mistakes_are_said_in_one_line(arguments: list[str], says: str) -> None:
    code, _, err = call("serve", "--port", "0", *arguments)
    assert code == 1
    assert says in err
    assert "Traceback" not in err


def test_a_port_that_is_taken_is_said() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, _, err = call("serve", "--port", str(taken.getsockname()[1]))
    assert code == 1
    assert "cannot be listened at" in err
