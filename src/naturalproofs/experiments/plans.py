"""The paper's tables as lists of experiments: method, protocol, and the matching row of the paper, if there is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from naturalproofs.ranking.registry import FUSION, FUSION_RECENCY
from naturalproofs.tasks.protocols import WHOLE, TextView
from naturalproofs.tasks.temporal import NEW

PAPER_TFIDF = "tfidf(tokeniser='simple', sublinear=False, title_weight=1)"
HYBRID_JOINT = "hybrid(signals=('joint',))"
ENCODER, PAIRWISE, JOINT, AUTOREGRESSIVE = "encoder", "pairwise", "joint", "autoregressive"
"""The neural methods with default settings; each is initialised from the model of the previous one."""
SEEDS = 5
TRAINED = ("hybrid", "compose")
"""Methods that a row trains without a saved model."""
LEAKED = "frequency of the evaluation split"

STACKS, WIKI, BOTH, OTHER = "stacks", "proofwiki", "proofwiki+stacks", "naturalproofs-json"
"""Corpora as `paper_key` names them; the last is a file in the published schema that is not the paper's ProofWiki."""


@dataclass(frozen=True, slots=True)
class Row:
    """One experiment of a table."""

    label: str
    method: str
    protocol: str
    paper: str = ""
    """The name of the paper's row in ``paper-results.toml``; empty if there is none."""
    view: TextView = WHOLE
    trained_on: str = ""
    """The source a saved model is trained on; empty for methods that are fitted for each run."""
    seeds: int = 1
    """The number of seeds that are averaged."""


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
        """The name on the command line: ``retrieval/stacks/test``."""
        return f"{self.name}/{self.corpus}/{self.split}"


NO_LABEL_WORDS = TextView(label_words=False)
TEMPORAL = "temporal"
"""The tables that need an older version of the corpus."""
_LEXICAL = (
    Row("random", "random", "paper", "random"),
    Row("frequency, counted on the answers (a leak)", LEAKED, "paper", "frequency"),
    Row("frequency, counted in training", "frequency", "paper"),
    Row("TF-IDF", PAPER_TFIDF, "paper", "tfidf"),
    Row("TF-IDF, the query no candidate", PAPER_TFIDF, "clean"),
    Row("TF-IDF, cited candidates only", PAPER_TFIDF, "paper-joint"),
    Row("TF-IDF, maths tokens", "tfidf", "clean"),
    Row("BM25, maths tokens", "bm25", "clean"),
    Row("neighbours", "neighbours", "clean"),
    Row("fusion of these", FUSION, "clean"),
    Row("fusion of these, cited candidates only", FUSION, "paper-joint"),
)
_BOOK = (
    Row("BM25, maths tokens, no label words", "bm25", "clean", view=NO_LABEL_WORDS),
    Row("fusion of these, no label words", FUSION, "clean", view=NO_LABEL_WORDS),
    Row("recency", "recency", "accessible"),
    Row("fusion with recency", FUSION_RECENCY, "accessible"),
    Row("fusion with recency", FUSION_RECENCY, "accessible-hindsight"),
)
"""For a book; the statements of a wiki all have titles and no reading order."""
_OURS = (
    Row("fusion", FUSION, "clean"),
    Row("hybrid", "hybrid", "clean"),
    Row("hybrid and joint", HYBRID_JOINT, "clean", trained_on=STACKS),
    Row("fusion with recency", FUSION_RECENCY, "accessible"),
    Row("hybrid", "hybrid", "accessible"),
    Row("hybrid and joint", HYBRID_JOINT, "accessible", trained_on=STACKS),
    Row("fusion with recency", FUSION_RECENCY, "accessible-hindsight"),
    Row("hybrid", "hybrid", "accessible-hindsight"),
)


def _ours_wiki(corpus: str) -> tuple[Row, ...]:
    return (
        Row("fusion", FUSION, "clean"),
        Row("hybrid", "hybrid", "clean"),
        Row("hybrid and joint", HYBRID_JOINT, "clean", trained_on=corpus),
        Row("hybrid", "hybrid", "paper-joint"),
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
    Row("hybrid, trained on S", "hybrid", "clean", trained_on=STACKS),
    Row("hybrid, trained on P", "hybrid", "clean", trained_on=WIKI),
)
_UNTRAINED = (Row("encoder, untrained", ENCODER, "paper"), Row("encoder, untrained", ENCODER, "clean"))


def _trained(corpus: str, name: str, paper: str, joint: str = "paper-joint") -> tuple[Row, ...]:
    """Rows of the trained models under the paper's protocols and under ``clean``.

    Args:
        corpus: The source they are trained on.
        name: Its name in our labels.
        paper: Its name in the paper's rows.
        joint: The protocol of the paper's joint model.
    """
    return tuple(
        Row(f"{method}{name}", method, how, "" if how == "clean" else f"{method} ({paper})", trained_on=corpus)
        for method, original in ((PAIRWISE, "paper"), (JOINT, joint), (AUTOREGRESSIVE, joint))
        for how in (original, "clean")
    )


def _neural(corpus: str) -> tuple[Row, ...]:
    return _UNTRAINED + _trained(corpus, "", "P/S") + _trained(BOTH, ", trained on P+S", "P+S")


_NEURAL_ZERO_SHOT = (
    _UNTRAINED
    + _trained(STACKS, ", trained on S", "S", "paper")
    + _trained(WIKI, ", trained on P", "P", "paper")
    + _trained(BOTH, ", trained on P+S", "", "paper")
)


def _by_type(corpus: str) -> tuple[Row, ...]:
    return (
        Row("frequency, counted on the answers (a leak)", LEAKED, "paper", "frequency"),
        Row("TF-IDF", PAPER_TFIDF, "paper", "tfidf"),
        Row("pairwise", PAIRWISE, "paper", "pairwise", trained_on=corpus),
        Row("fusion", FUSION, "clean"),
        Row("hybrid", "hybrid", "clean"),
    )


_VIEWS = (("content", TextView(title=False)), ("title", TextView(contents=False)), ("title+content", WHOLE))


def _title_content(corpus: str) -> tuple[Row, ...]:
    """The paper's two methods as it ran them, then methods of ours that see the same part."""
    paper = tuple(
        Row(f"{label}, {name}", method, "paper", f"{paper} {name}", view, trained_on)
        for label, method, paper, trained_on in (
            ("TF-IDF", PAPER_TFIDF, "tfidf", ""),
            ("pairwise", PAIRWISE, "pairwise", corpus),
        )
        for name, view in _VIEWS
    )
    ours = tuple(
        Row(f"{label}, {name}", method, "clean", view=view)
        for label, method in (("BM25, maths tokens", "bm25"), ("fusion", FUSION))
        for name, view in _VIEWS
    )
    return paper + ours


def _pretraining(corpus: str) -> tuple[Row, ...]:
    return (
        Row("language only", ENCODER, "paper", "language only"),
        *(
            Row(label, method, "paper", paper, trained_on=corpus)
            for label, method, paper in (
                ("training only, a small encoder", "pairwise(size='tiny')", "NaturalProofs only"),
                ("training only, maps over random states", "pairwise(pretrained=False, lexical=0)", ""),
                ("both", "pairwise(lexical=0)", "both"),
                ("both, with word features", PAIRWISE, ""),
                ("word features and training only", "pairwise(pretrained=False)", ""),
            )
        ),
    )


def _initialisation(corpus: str) -> tuple[Row, ...]:
    return (
        Row("pairwise", PAIRWISE, "paper-joint", "pairwise", trained_on=corpus),
        *(
            Row(f"{method}{label}", f"{method}{settings}", "paper-joint", f"{method}{label}", trained_on=corpus)
            for method in (JOINT, AUTOREGRESSIVE)
            for label, settings in (("", "(init='none')"), (" +f_thm", "(init='thm')"), (" +f_thm,R", ""))
        ),
    )


def _ablations(corpus: str) -> tuple[TablePlan, ...]:
    """The paper's tables on the validation split."""
    return (
        TablePlan("by-type", "By type of reference", corpus, "valid", _by_type(corpus)),
        TablePlan("title-content", "Title and content", corpus, "valid", _title_content(corpus)),
        TablePlan("training", "Language pretraining and training", corpus, "valid", _pretraining(corpus)),
        TablePlan("initialisation", "Initialisation", corpus, "valid", _initialisation(corpus)),
    )


_NEW = (
    Row("BM25, maths tokens", "bm25", "clean"),
    Row("fusion", FUSION, "clean"),
    Row("hybrid", "hybrid", "clean"),
    Row("fusion with recency", FUSION_RECENCY, "accessible"),
    Row("hybrid", "hybrid", "accessible"),
)
"""Trained on an older version, and asked about what is new."""


def seeded(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows, with several seeds for those that are trained; the shipped model is not."""
    return tuple(replace(row, seeds=SEEDS) if row.trained_on or row.method in TRAINED else row for row in rows)


PLANS: dict[str, TablePlan] = {
    plan.key: replace(plan, rows=seeded(plan.rows))
    for plan in (
        *(
            TablePlan("retrieval", "Reference retrieval", corpus, split, _LEXICAL + more + _neural(corpus))
            for corpus, more in ((STACKS, _BOOK), (WIKI, ()))
            for split in ("test", "valid")
        ),
        *(
            TablePlan("ours", "Our ranker", corpus, split, rows)
            for corpus, rows in ((STACKS, _OURS), (WIKI, _ours_wiki(WIKI)), (OTHER, _ours_wiki(OTHER)))
            for split in ("test", "valid", "eval")
        ),
        TablePlan(TEMPORAL, "Trained on an older version, asked what is new", STACKS, NEW, _NEW),
        TablePlan("neural", "Neural models, valid and test together", STACKS, "eval", _neural(STACKS)),
        TablePlan("zero-shot", "Zero-shot retrieval, real analysis", "trench", "test", _ZERO_SHOT + _NEURAL_ZERO_SHOT),
        TablePlan("zero-shot", "Zero-shot retrieval, number theory", "stein", "test", _ZERO_SHOT + _NEURAL_ZERO_SHOT),
        *_ablations(STACKS),
        *_ablations(WIKI),
        TablePlan("neural", "Neural models", OTHER, "valid", _UNTRAINED + _trained(OTHER, "", "")),
        TablePlan("neural", "Neural models", BOTH, "valid", _UNTRAINED + _trained(BOTH, "", "")),
    )
}
