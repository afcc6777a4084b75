"""The paper's tables as a list of experiments: which row, which method, under which protocol.

A row names the paper's row it stands beside. Rows of ours that the paper has no counterpart for have none.
"""

from __future__ import annotations

from dataclasses import dataclass

from naturalproofs.tasks.passages import WHOLE, TextView

PAPER_TFIDF = "tfidf(tokeniser='simple', sublinear=False, title_weight=1)"
CLASSICAL = "fusion"
CLASSICAL_PLACE = "fusion(parts=('tfidf', 'bm25', 'neighbours', 'recency(half=5)'), weights=(1.0, 1.0, 0.4, 0.4))"
SEEDS = 5
LEAKED = "frequency of the evaluation split"


@dataclass(frozen=True, slots=True)
class Row:
    """One experiment of a table."""

    label: str
    method: str
    protocol: str
    paper: str = ""
    """The paper's row, by its name in ``paper-results.toml``."""
    view: TextView = WHOLE
    trained_on: str = ""
    """The source whose training split a model is trained on and kept; empty for methods that fit in moments."""
    seeds: int = 1
    """How many seeds are averaged, with their spread."""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table of the paper for one corpus."""

    name: str
    title: str
    corpus: str
    split: str
    rows: tuple[Row, ...]

    @property
    def key(self) -> str:
        """How the table is asked for: ``retrieval/stacks/test``."""
        return f"{self.name}/{self.corpus}/{self.split}"


_RETRIEVAL = (
    Row("random", "random", "paper", "random"),
    Row("frequency, counted on the answers (a leak)", LEAKED, "paper", "frequency"),
    Row("frequency, counted in training", "frequency", "paper"),
    Row("TF-IDF", PAPER_TFIDF, "paper", "tfidf"),
    Row("TF-IDF, the query no candidate", PAPER_TFIDF, "clean"),
    Row("TF-IDF, cited candidates only", PAPER_TFIDF, "paper-joint"),
    Row("TF-IDF, maths tokens", "tfidf", "clean"),
    Row("BM25, maths tokens", "bm25", "clean"),
    Row("neighbours", "neighbours", "clean"),
    Row("fusion of these", CLASSICAL, "clean"),
    Row("fusion of these, cited candidates only", CLASSICAL, "paper-joint"),
    Row("recency", "recency", "accessible"),
    Row("fusion with recency", CLASSICAL_PLACE, "accessible"),
)
_OURS = (
    Row("fusion", CLASSICAL, "clean"),
    Row("hybrid", "hybrid", "clean", seeds=SEEDS),
    Row("fusion with recency", CLASSICAL_PLACE, "accessible"),
    Row("hybrid", "hybrid", "accessible", seeds=SEEDS),
)
_ZERO_SHOT = (
    Row("TF-IDF", PAPER_TFIDF, "paper", "tfidf"),
    Row("TF-IDF, the query no candidate", PAPER_TFIDF, "clean"),
    Row("TF-IDF, maths tokens", "tfidf", "clean"),
    Row("BM25, maths tokens", "bm25", "clean"),
    Row("recency", "recency", "accessible"),
    Row(
        "TF-IDF and recency",
        "fusion(parts=('tfidf', 'recency(half=5)'), weights=(1.0, 1.0))",
        "accessible",
    ),
    Row("shipped hybrid", "shipped", "clean"),
    Row("shipped hybrid", "shipped", "accessible"),
)
_BY_TYPE = (
    Row("frequency, counted on the answers (a leak)", LEAKED, "paper", "frequency"),
    Row("TF-IDF", PAPER_TFIDF, "paper", "tfidf"),
    Row("fusion", CLASSICAL, "clean"),
)
_TITLE_CONTENT = (
    Row("TF-IDF, contents", PAPER_TFIDF, "paper", "tfidf content", TextView(title=False)),
    Row("TF-IDF, title", PAPER_TFIDF, "paper", "tfidf title", TextView(contents=False)),
    Row("TF-IDF, title and contents", PAPER_TFIDF, "paper", "tfidf title+content"),
)

PLANS: dict[str, TablePlan] = {
    plan.key: plan
    for plan in (
        TablePlan("retrieval", "Reference retrieval", "stacks", "test", _RETRIEVAL),
        TablePlan("retrieval", "Reference retrieval", "stacks", "valid", _RETRIEVAL),
        TablePlan("ours", "Our ranker, valid and test together", "stacks", "eval", _OURS),
        TablePlan("zero-shot", "Zero-shot retrieval, real analysis", "trench", "test", _ZERO_SHOT),
        TablePlan("zero-shot", "Zero-shot retrieval, number theory", "stein", "test", _ZERO_SHOT),
        TablePlan("by-type", "By type of reference", "stacks", "valid", _BY_TYPE),
        TablePlan("title-content", "Title and content", "stacks", "valid", _TITLE_CONTENT),
    )
}
