"""The real Stacks source, edited in place: what re-indexing touches, and that the new lemma is suggested."""

import shutil

from naturalproofs.ranking.hybrid import candidates
from naturalproofs.ranking.hybrid.candidates import extract_terms
from naturalproofs.ranking.hybrid.scorer import HybridScorer
from naturalproofs.workspace import Workspace

LEMMA = "\\begin{lemma}\n\\label{lemma-zebra}\nEvery purple zebra module is flat.\n\\end{lemma}\n\n"


def test_a_lemma_added_to_a_chapter_is_suggested_after_reading_that_chapter_alone(real_source, tmp_path, monkeypatch):
    source = real_source("stacks")
    for name in ("preamble", "chapters", "sets", "topology", "algebra"):
        shutil.copy(source / f"{name}.tex", tmp_path)
    before = Workspace.open(tmp_path)
    assert isinstance(before.home.suggester, HybridScorer)
    chapter = tmp_path / "algebra.tex"
    text = chapter.read_text("utf-8")
    at = text.index("\\begin{lemma}", len(text) // 2)
    chapter.write_text(text[:at] + LEMMA + text[at:], "utf-8")

    extracted: list[str] = []
    extract = lambda title, body: extracted.append(body) or extract_terms(title, body)  # noqa: E731
    monkeypatch.setattr(candidates, "extract_terms", extract)
    now = Workspace.open(tmp_path)
    work = now.home.reading.work
    assert work.read == ("algebra.tex",)
    assert work.changes.changed == ("algebra.tex",)
    assert isinstance(now.home.suggester, HybridScorer)
    assert [body.strip() for body in extracted] == ["Every purple zebra module is flat."]
    found = now.suggest("Every zebra that is purple is a flat module.", k=3)
    assert "algebra-lemma-zebra" in [item.statement.label for item in found]
