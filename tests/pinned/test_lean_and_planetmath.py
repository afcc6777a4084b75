"""A blueprint whose text is in Lean, and the encyclopedia of 25 fields, read as they are cloned."""

import os
import tarfile
from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.records import STAGE, Mention, formal_names
from naturalproofs.sources.lean import LEAN
from naturalproofs.sources.planetmath import PLANETMATH
from naturalproofs.sources.registry import detect_source


def mentions(corpus: Corpus) -> list[Mention]:
    return [
        mention
        for one in corpus.statements
        for mention in chain(one.mentions, *(proof.mentions for proof in one.proofs))
    ]


def test_pnt(real_source: Callable[[str], Path], tmp_path: Path) -> None:
    """Of 999 attributes three are in comments; 43 more share the label of another declaration."""
    with tarfile.open(real_source("more-projects/pnt.tar.xz")) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / "pnt"
    assert detect_source(folder) == "lean"
    corpus = build(LEAN, folder, name="pnt")
    assert corpus.summary.startswith("996 tagged declarations in 953 nodes (751 proved, 202 sorry); ")
    tagged = [one for one in corpus.statements if any(note.kind == STAGE for note in one.notes)]
    assert len(tagged) == 953
    assert sum(len(formal_names(one)) for one in tagged) == 996
    kinds = Counter(one.kind for one in corpus.statements)
    assert kinds == {"theorem": 825, "definition": 144, "other": 7}
    origins = Counter(one.origin for one in mentions(corpus) if one.reference)
    assert origins == {"lean": 1837, "reference": 550, "uses": 106}
    # Seven modules that the LaTeX inputs are not in the archive; what they define is not either.
    assert sum(one.rule == "missing-file" for one in corpus.diagnostics) == 7
    assert corpus.resolution is not None
    assert corpus.resolution.unresolved["undefined"] == 53


@pytest.fixture(scope="module")
def articles(real_source: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planetmath")
    with tarfile.open(real_source("planetmath.tar.xz")) as archive:
        archive.extractall(folder, filter="data")
    return folder / "planetmath"


def test_one_field_of_planetmath(articles: Path) -> None:
    folder = articles / "16_Associative_rings_and_algebras"
    assert detect_source(folder) == "planetmath"
    corpus = build(PLANETMATH, folder, name="algebra")
    assert corpus.summary.startswith("reading 272 articles; 4 prove another one, and 0 prove something")
    # All 272 but four proofs are statements; environments in them are 45 more.
    assert Counter(one.kind for one in corpus.statements if one.tag) == {"definition": 179, "theorem": 62, "other": 27}
    assert Counter(one.kind for one in corpus.statements) == {"definition": 180, "theorem": 91, "other": 42}
    # The other fields are not in this folder; no link is without a reason.
    reasons = Counter(one.reason for one in corpus.unresolved)
    assert reasons == {"external": 244, "self": 4, "equation": 2, "bibliography": 1}


@pytest.mark.skipif(not os.environ.get("NATURALPROOFS_LARGE"), reason="reads 7,884 articles; set NATURALPROOFS_LARGE=1")
def test_planetmath(articles: Path) -> None:
    corpus = build(PLANETMATH, articles, name="planetmath")
    assert corpus.summary.startswith("reading 7,884 articles; 463 prove another one, and 43 prove something")
    kinds = Counter(one.kind for one in corpus.statements)
    assert kinds == {"theorem": 3450, "definition": 4417, "other": 1879}
    assert sum(len(one.proofs) for one in corpus.statements) == 2699
    assert len(corpus.examples) == 554
    assert not any(one.reason == "undefined" for one in corpus.unresolved)
