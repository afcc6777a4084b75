"""Three real PreTeXt books, read as they are cloned."""

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.sources.pretext.pretext import PRETEXT


@pytest.fixture(scope="module")
def book(real_source: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Corpus]:
    def read(name: str) -> Corpus:
        folder = tmp_path_factory.mktemp("books") / name
        with tarfile.open(real_source(f"projects/{name}.tar.xz")) as archive:
            archive.extractall(folder, filter="data")
        return build(PRETEXT, folder, name=name)

    return read


def counts(loaded: Corpus) -> tuple[int, int]:
    statements = loaded.statements
    return sum(1 for _ in loaded.of_kind("theorem")), sum(len(statement.proofs) for statement in statements)


def test_fcla(book: Callable[[str], Corpus]):
    """Two editions are in the repository: 233 theorems with 240 proofs, and an older one with 228 of each."""
    loaded = book("fcla")
    assert counts(loaded) == (463, 468)  # Two principles count as theorems.
    resolution = loaded.resolution
    assert resolution is not None
    assert "undefined" not in resolution.unresolved
    assert loaded.find("theorem-HSC").number == "1.5.3"


def test_aata(book: Callable[[str], Corpus]):
    """136 theorems, 55 propositions, 44 lemmas, 39 corollaries, 3 principles; further proofs are in comments."""
    loaded = book("aata")
    assert counts(loaded) == (277, 207)
    assert loaded.find("cosets-theorem-lagrange").number == "6.10"


def test_applied_combinatorics(book: Callable[[str], Corpus]):
    loaded = book("applied-combinatorics")
    assert counts(loaded)[0] == 133
    assert loaded.provenance.authors == "Mitchel T. Keller, William T. Trotter"
