"""Real projects as they were cloned, from their archives: the right document, and the counts of a careful reading."""

import json
from functools import lru_cache

import pytest

from naturalproofs.corpus.load import build
from naturalproofs.sources.latex.project.project import LATEX

PROJECTS = ["virasoro", "apap", "neron", "con-nf", "infdesc", "hse-dm2", "hse-la", "da2020", "evan-thesis", "iwasawa"]


@lru_cache(maxsize=1)
def index(file):
    return {entry["name"]: entry for entry in json.loads(file.read_text("utf-8"))}


@lru_cache(maxsize=2)
def read(archive):
    return build(LATEX, archive, name="p")


@pytest.mark.parametrize("name", PROJECTS)
def test_the_document_is_read(real_source, name):
    entry = index(real_source("projects/INDEX.json"))[name]
    built = read(real_source(f"projects/{entry['archive']}"))
    own = [one for one in built.statements if one.place.document in ("p", entry["main"])]
    ids = {one.id for one in own}
    proofs = [proof for one in own for proof in one.proofs]
    references = sum(mention.reference is not None for proof in proofs for mention in proof.mentions)
    examples = sum(example.theorem in ids for example in built.examples)
    assert len(own) >= 0.97 * entry["statements"]
    # The index takes proofs inside a section headed as a proof for a part of it, and their headings for citations.
    few, many = (0.93, 1.15) if name == "evan-thesis" else (0.95, 1.03)
    assert references >= few * entry["proof_references"]
    assert examples <= many * entry["examples"]
    documents = {one.document for one in built.account}
    assert not documents or entry["main"] in documents or name == "da2020"  # There a wrapper adds the class.


def test_chapters_whose_includes_a_makefile_makes_are_read_with_their_preamble(real_source):
    built = build(LATEX, real_source("projects/ods.tar.xz"), name="p")
    assert len(built.statements) == 245
    assert {one.note for one in built.account} == {"no document reads it; read with the preamble of latex/ods.tex"}
