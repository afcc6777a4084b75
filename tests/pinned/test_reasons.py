"""Every reason for a suggestion is true of the texts it speaks of, in every second real project."""

import json
import re

import pytest

from naturalproofs.tokens import FORMULA
from naturalproofs.workspace import Workspace

ASKED = 4
"""Theorems of each project, evenly spaced."""
KINDS = {"words", "formulas", "place", "votes", "counts", "habits", "titles", "stated", "label", "together"}


def projects(file):
    return {entry["archive"].split(".")[0] for entry in json.loads(file.read_text("utf-8"))} - {"ods", "arklib"}


DRAWING = re.compile(r"\\begin\{(tikz\w*|CD|xy|picture)\}.*?\\end\{\1\}", re.DOTALL)
SIZES = {f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "m", "r")}


def visible(statement):
    text = FORMULA.sub(" ", DRAWING.sub(" ", "\n".join(statement.lines)))
    return re.sub(r"\\[a-zA-Z]+\[[^\[\]]*\]", " ", text).casefold()


def check(workspace, about, suggestion):
    """Compare the reasons of one suggestion with the texts."""
    home = workspace.home
    by_id, order = home.by_id, home.statements
    one, here = suggestion.statement, home.position_of(about)
    for reason in suggestion.reasons:
        assert reason.kind in KINDS, reason
        if reason.kind == "words":
            for word in reason.text.removeprefix("shares ").split(", "):
                assert word in visible(about), (about.id, one.id, reason.text)
                assert word in visible(one), (about.id, one.id, reason.text)
        elif reason.kind == "formulas":
            symbols = reason.text.removeprefix("shares the notation ").split(", ")
            assert all(symbols), (about.id, one.id, reason.text)
            assert SIZES.isdisjoint(symbols), (about.id, one.id, reason.text)
        elif reason.kind == "titles":
            stems = [word[:3] for word in re.findall(r"[^\W_]+", one.title.casefold())]
            text = " ".join(re.findall(r"[^\W_]+", re.sub(r"\\[a-z]+", " ", visible(about))))
            named = r"\w* ".join(stems)
            assert re.search(rf"\b{named}|\b{named.partition(' ')[2] or named}", text), (about.id, one.id, reason.text)
        elif reason.kind == "stated":
            assert one.id in about.references
        elif reason.kind == "votes":
            assert all(any(one.id in proof.references for proof in by_id[key].proofs) for key in reason.statements)
        elif reason.kind == "together":
            (other,) = reason.statements
            both = [
                {one.id, other} <= set(proof.references) for each in order for proof in each.proofs if each != about
            ]
            assert sum(both) >= int(re.findall(r"\d+", reason.text)[-1]), (about.id, one.id, reason.text)
        elif match := re.fullmatch(r"stated (\d+) results above", reason.text):
            between = [s for s in order if one.place.position <= s.place.position < here]
            assert sum(s.kind == "theorem" for s in between) == int(match[1])
        elif reason.text.startswith("in the same"):
            level = reason.text.removeprefix("in the same ")
            assert getattr(one.place, level) == getattr(about.place, level) != ""


def test_reasons_are_true(real_source, tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path))
    checked = 0
    for name in sorted(projects(real_source("projects/INDEX.json")))[::2]:
        workspace = Workspace.open([real_source(f"projects/{name}.tar.xz")])
        if not workspace.home.placed:
            continue
        proved = [s for s in workspace.home.of_kind("theorem") if s.proofs]
        for about in proved[:: max(1, len(proved) // ASKED)]:
            for suggestion in workspace.suggest(about, k=10):
                check(workspace, about, suggestion)
                checked += len(suggestion.reasons)
    assert checked > 1000 or pytest.fail("hardly any reasons")
