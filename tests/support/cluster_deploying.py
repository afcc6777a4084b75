"""Deploy a collection on a cluster of two nodes by the command, which ends or is killed; ask; list; stop.

Run as a script, ``cluster_deploying.py FOLDER``, by a process of its own: what Ray starts ends with it.
"""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from naturalproofs.apps.collections.collect import collect
from naturalproofs.apps.collections.read import read_project
from naturalproofs.apps.web.server import bind
from naturalproofs.apps.web.templating import API
from naturalproofs.data import primer_folder
from support.ray_cluster import two_nodes

LIMIT = 300
"""Seconds in which the service must answer."""


def deploy_and_ask(folder: Path) -> None:
    """The service goes on when the command is killed, is replaced by a second one, and ends with ``stop``."""
    collect([primer_folder()], folder / "c", lambda tasks: map(read_project, tasks))
    with bind("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
    with two_nodes() as cluster:
        place = ["--on", cluster.address]
        deploy = ["deploy", str(folder / "c"), *place, "--port", str(port)]
        with started(*deploy) as killed:
            ask(port)
            killed.kill()
        ask(port)
        assert "not a collection" in said("deploy", str(folder), *place, code=1)
        assert "each of 9 replicas needs one" in said(*deploy, "--replicas", "9", code=1)
        assert "naturalproofs: RUNNING, 1 replicas" in said(*deploy)
        ask(port)
        assert said("status", *place).strip() == "naturalproofs: RUNNING, 1 replicas"
        assert "no application has the name other" in said("stop", "other", *place, code=1)
        assert "no applications" in said("stop", *place)


def started(*arguments: str) -> subprocess.Popen[str]:
    """The command, started."""
    command = [sys.executable, "-m", "naturalproofs", "collections", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ)


def said(*arguments: str, code: int = 0) -> str:
    """What the command prints."""
    with started(*arguments) as process:
        text = process.communicate()[0]
    assert process.returncode == code, text
    return text


def ask(port: int) -> None:
    """Ask until the service answers; the answer must be right."""
    until = time.monotonic() + LIMIT
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{API}/search?q=Lagrange&k=3", timeout=30) as answer:
                assert json.load(answer)["items"][0]["label"] == "thm:lagrange"
                return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


if __name__ == "__main__":
    deploy_and_ask(Path(sys.argv[1]))
