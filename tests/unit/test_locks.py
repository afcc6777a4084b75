"""The locks: every package of an install with its hashes, in the versions of the constraints."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytest.importorskip("hatchling", reason="the locks hold the build back end; install the extra 'dev'")


@pytest.fixture
def writer(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    import lock_dependencies

    return lock_dependencies


def test_the_locks_are_current(writer):
    versions = writer.pins()
    for lock, extras in writer.LOCKS.items():
        locked = writer.locked(lock)
        again = "run: python benchmarks/lock_dependencies.py"
        assert sorted(locked) == writer.packages(extras), again
        for name, (version, hashes) in locked.items():
            assert version == versions[name], again
            assert hashes
            assert all(re.fullmatch("[0-9a-f]{64}", one) for one in hashes)
        assert "://" not in (ROOT / "locks" / f"{lock}.txt").read_text()


def test_the_build_and_the_action_are_pinned(writer):
    backend = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert backend == [f"hatchling=={writer.pins()['hatchling']}"]
    action = (ROOT / "action.yml").read_text()
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one) for one in re.findall(r"uses: (\S+)", action))
    installs = [line for line in action.splitlines() if "pip install" in line]
    assert all("--require-hashes" in line or "--no-deps --no-build-isolation" in line for line in installs)
