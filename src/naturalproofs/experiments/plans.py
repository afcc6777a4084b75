"""The paper's tables as lists of experiments: method, protocol, and the matching row of the paper, if there is one."""

from __future__ import annotations

from dataclasses import dataclass

from naturalproofs.ranking.registry import FUSION, FUSION_RECENCY
from naturalproofs.tasks.protocols import WHOLE, TextView

PAPER_TFIDF = "tfidf(tokeniser='simple', sublinear=False, title_weight=1)"
HYBRID_JOINT = "hybrid(signals=('joint',))"
ENCODER, PAIRWISE, JOINT, AUTOREGRESSIVE = "encoder", "pairwise", "joint", "autoregressive"
"""The neural methods with default settings; each is initialised from the model of the previous one."""
SEEDS = 5
LEAKED = "frequency of the evaluation split"


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
    Row("fusion of these", FUSION, "clean"),
    Row("fusion of these, cited candidates only", FUSION, "paper-joint"),
    Row("recency", "recency", "accessible"),
    Row("fusion with recency", FUSION_RECENCY, "accessible"),
    Row("fusion with recency", FUSION_RECENCY, "accessible-hindsight"),
)
_OURS = (
    Row("fusion", FUSION, "clean"),
    Row("hybrid", "hybrid", "clean", seeds=SEEDS),
    Row("hybrid and joint", HYBRID_JOINT, "clean", trained_on="stacks"),
    Row("fusion with recency", FUSION_RECENCY, "accessible"),
    Row("hybrid", "hybrid", "accessible", seeds=SEEDS),
    Row("hybrid and joint", HYBRID_JOINT, "accessible", trained_on="stacks"),
    Row("fusion with recency", FUSION_RECENCY, "accessible-hindsight"),
    Row("hybrid", "hybrid", "accessible-hindsight"),
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
    Row("fusion", FUSION, "clean"),
)
_TITLE_CONTENT = (
    Row("TF-IDF, contents", PAPER_TFIDF, "paper", "tfidf content", TextView(title=False)),
    Row("TF-IDF, title", PAPER_TFIDF, "paper", "tfidf title", TextView(contents=False)),
    Row("TF-IDF, title and contents", PAPER_TFIDF, "paper", "tfidf title+content"),
    Row("pairwise, contents", PAIRWISE, "paper", "pairwise content", TextView(title=False), "stacks"),
    Row("pairwise, title", PAIRWISE, "paper", "pairwise title", TextView(contents=False), "stacks"),
    Row("pairwise, title and contents", PAIRWISE, "paper", "pairwise title+content", trained_on="stacks"),
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


_P, _P_S = "naturalproofs-json", "naturalproofs-json + stacks"
"""The published ProofWiki file, alone and merged with Stacks."""
_NEURAL = _UNTRAINED + _trained("stacks", "", "P/S") + _trained(_P_S, ", trained on P+S", "P+S")
_NEURAL_ZERO_SHOT = (
    _UNTRAINED
    + _trained("stacks", ", trained on S", "S", "paper")
    + _trained(_P, ", trained on P", "P", "paper")
    + _trained(_P_S, ", trained on P+S", "", "paper")
)
_NEURAL_WIKI = _UNTRAINED + _trained(_P, "", "") + _trained(_P_S, ", trained on P+S", "")
_NEURAL_BOTH = _UNTRAINED + _trained(_P_S, "", "")
_PRETRAINING = (
    Row("language only", ENCODER, "paper", "language only"),
    Row("training only, a small encoder", "pairwise(size='tiny')", "paper", "NaturalProofs only", trained_on="stacks"),
    Row(
        "training only, maps over random states", "pairwise(pretrained=False, lexical=0)", "paper", trained_on="stacks"
    ),
    Row("both", "pairwise(lexical=0)", "paper", "both", trained_on="stacks"),
    Row("both, with word features", PAIRWISE, "paper", trained_on="stacks"),
    Row("word features and training only", "pairwise(pretrained=False)", "paper", trained_on="stacks"),
)
_INITIALISATION = (
    Row("pairwise", PAIRWISE, "paper-joint", "pairwise", trained_on="stacks"),
    *(
        Row(f"{method}{label}", f"{method}{settings}", "paper-joint", f"{method}{label}", trained_on="stacks")
        for method in (JOINT, AUTOREGRESSIVE)
        for label, settings in (("", "(init='none')"), (" +f_thm", "(init='thm')"), (" +f_thm,R", ""))
    ),
)

PLANS: dict[str, TablePlan] = {
    plan.key: plan
    for plan in (
        TablePlan("retrieval", "Reference retrieval", "stacks", "test", _RETRIEVAL + _NEURAL),
        TablePlan("retrieval", "Reference retrieval", "stacks", "valid", _RETRIEVAL + _NEURAL),
        TablePlan("ours", "Our ranker, valid and test together", "stacks", "eval", _OURS),
        TablePlan("neural", "Neural models, valid and test together", "stacks", "eval", _NEURAL),
        TablePlan("zero-shot", "Zero-shot retrieval, real analysis", "trench", "test", _ZERO_SHOT + _NEURAL_ZERO_SHOT),
        TablePlan("zero-shot", "Zero-shot retrieval, number theory", "stein", "test", _ZERO_SHOT + _NEURAL_ZERO_SHOT),
        TablePlan("by-type", "By type of reference", "stacks", "valid", _BY_TYPE),
        TablePlan("title-content", "Title and content", "stacks", "valid", _TITLE_CONTENT),
        TablePlan("training", "Language pretraining and training", "stacks", "valid", _PRETRAINING),
        TablePlan("initialisation", "Initialisation", "stacks", "valid", _INITIALISATION),
        TablePlan("neural", "Neural models", _P, "valid", _NEURAL_WIKI),
        TablePlan("neural", "Neural models", _P_S, "valid", _NEURAL_BOTH),
    )
}
