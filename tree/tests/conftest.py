"""What all tests share: the Primer, and the real sources where they are to be had."""

import os
from collections.abc import Callable
from pathlib import Path

# Tests run side by side: more threads in each would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Lance reads this when it is loaded; see naturalproofs.apps.collections.
os.environ.setdefault("LANCE_LOG", "error")

import pytest
from hypothesis import HealthCheck, settings

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.data import primer_folder
from naturalproofs.records import Rules
from naturalproofs.sources.registry import source

ROOT = Path(__file__).resolve().parent.parent

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder of this session's own."""
    folder = tmp_path_factory.mktemp("cache")
    os.environ["NATURALPROOFS_CACHE"] = str(folder)
    return folder


@pytest.fixture(scope="session")
def primer() -> Corpus:
    return build(source("latex"), primer_folder(), name="primer")


@pytest.fixture(scope="session")
def real_source() -> Callable[[str], Path]:
    """The path of a real source, or a skip that says where it was looked for."""
    folder = Path(os.environ.get("NATURALPROOFS_CORPORA", ROOT.parent / "shared" / "corpora"))

    def find(name: str) -> Path:
        path = folder / name
        if not path.exists():
            pytest.skip(f"needs the real source {name}, looked for at {path}; set NATURALPROOFS_CORPORA")
        return path

    return find


@pytest.fixture(scope="session")
def real_corpus(real_source: Callable[[str], Path]) -> Callable[[str, Rules], Corpus]:
    """A real source, built once a session and rule set."""
    built: dict[tuple[str, Rules], Corpus] = {}

    def make(name: str, rules: Rules) -> Corpus:
        if (name, rules) not in built:
            built[name, rules] = build(source(name), real_source(name), name=name, rules=rules)
        return built[name, rules]

    return make
