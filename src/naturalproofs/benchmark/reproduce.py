"""The rows of the paper's tables: planned, and computed with the runs and models that are in the output folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any, TypeAlias, TypeVar

from naturalproofs.benchmark.evaluation import (
    Run,
    is_run,
    load_run,
    measured_run,
    part_of_run,
    question_ids,
    rank,
    rank_together,
    run_spec,
)
from naturalproofs.benchmark.make import NEW, temporal_splits, temporal_task
from naturalproofs.benchmark.training import train_model
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.errors import NotGiven
from naturalproofs.io.files import sha256_bytes
from naturalproofs.progress import Progress, silent
from naturalproofs.ranking.contract import FittedRanker, Ranker, SharedTraining, temporary_context
from naturalproofs.ranking.lexical import LeakedFrequency
from naturalproofs.ranking.registry import (
    FUSION,
    FUSION_RECENCY,
    Model,
    is_model,
    load_model,
    parse_ranker,
    ranker_spec,
)
from naturalproofs.tasks.dataset import RetrievalTask, TrainSet, retrieval_task, train_set
from naturalproofs.tasks.protocols import WHOLE, TextView, protocol
from naturalproofs.tasks.splits import Splits

# The paper's tables as lists of experiments: method, protocol, and the matching row of the paper, if there is one.

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
    Row("recency", "recency", "accessible"),
    Row("fusion with recency", FUSION_RECENCY, "accessible"),
    Row("fusion with recency", FUSION_RECENCY, "accessible-hindsight"),
)
"""For a book; the statements of a wiki all have titles and no reading order."""
_OURS = (
    Row("BM25", "bm25", "clean"),
    Row("BM25, no label words", "bm25", "clean", view=NO_LABEL_WORDS),
    Row("fusion", FUSION, "clean"),
    Row("fusion, no label words", FUSION, "clean", view=NO_LABEL_WORDS),
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


WithSplits: TypeAlias = tuple[Corpus, Splits]
HALVES = ("test", "valid")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row with its figures."""

    row: Row
    runs: tuple[Run, ...]
    """One for each seed; the first one alone if the model of another seed is missing."""
    fresh: bool
    """Whether a run was computed now rather than loaded."""

    @property
    def run(self) -> Run:
        """The run of the first seed."""
        return self.runs[0]


@dataclass(frozen=True, slots=True)
class OverSeeds:
    """Measures of several seeds."""

    means: dict[str, float | None]
    spread: dict[str, float]
    """Standard deviations; empty for a single seed."""

    @classmethod
    def of(cls, found: Sequence[Mapping[str, float | None]]) -> OverSeeds:
        """The mean and the standard deviation of every measure; a value that a seed lacks is left out."""
        if len(found) == 1:
            return cls(dict(found[0]), {})
        values = {name: [value for one in found if (value := one[name]) is not None] for name in found[0]}
        return cls(
            {name: mean(given) if given else None for name, given in values.items()},
            {name: stdev(given) if len(given) > 1 else 0.0 for name, given in values.items()},
        )


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The corpora, the folder for runs and models, and whether missing models are trained."""

    corpora: Mapping[str, WithSplits]
    """By source."""
    folder: Path
    seed: int = 0
    train: bool = False
    progress: Progress = silent
    older: Corpus | None = None
    """An older version of a corpus, for the temporal tables."""
    tables: list[tuple[Ranker, TrainSet, Any]] = field(default_factory=list, repr=False)
    """Training tables with what they depend on."""

    def outcomes(self, plan: TablePlan) -> Iterator[Outcome]:
        """The rows of a table, one by one, so that an interrupted reproduction can be resumed.

        A row whose model is missing is left out unless models may be trained.
        """
        for row in plan.rows:
            runs, fresh = self._runs(row, plan)
            if runs:
                yield Outcome(row, tuple(runs), fresh)

    def _runs(self, row: Row, plan: TablePlan) -> tuple[list[Run], bool]:
        """A run for each seed of a row, and whether one was computed now; none if the row cannot be run."""
        corpus, splits = self.corpora[plan.corpus][0], self._splits(plan)
        asked = question_ids(splits, "test" if plan.name == TEMPORAL else plan.split)
        # Tables share their runs.
        base = self.folder / "runs" / f"{corpus.name}-{plan.split}"
        about = (row.method, content_hash(corpus)[:12], plan.split, splits.recipe, row.protocol)
        done = self.by_seed(row, lambda seed: _stored(base / self.name_of(row, seed), (*about, seed), asked))
        folders = {seed: base / self.name_of(row, seed) for seed in done}
        fresh = None in done.values()
        same_candidates = set(splits.valid.absent) == set(splits.test.absent)
        if fresh and plan.split in HALVES and same_candidates and row.method != LEAKED:
            # Both halves are ranked at once, since training and indexing take longer.
            whole, _ = self._runs(row, replace(plan, split="eval"))
            runs = [part_of_run(run, splits, plan.split) for run in whole[: len(folders)]]
            for folder, run in zip(folders.values(), runs, strict=True):
                run.save(folder)
            return runs, True
        if fresh:
            missing = {seed: folders[seed] for seed, run in done.items() if run is None}
            done |= self._computed(row, plan, missing)
        return [run for run in done.values() if run is not None], fresh

    def by_seed(self, row: Row, stored: Callable[[int], T | None]) -> dict[int, T | None]:
        """What is stored of each seed of a row, None where it has to be computed.

        If another seed of a network is not trained, the first one stands alone; if that is not either, there is none.
        """
        found = {seed: stored(seed) for seed in range(self.seed, self.seed + row.seeds)}
        known = {seed: one for seed, one in found.items() if one is not None or self.can_run(row, seed)}
        return known if len(known) == len(found) else {self.seed: known[self.seed]} if self.seed in known else {}

    def name_of(self, row: Row, seed: int) -> str:
        """The name of what is stored of a row with a seed."""
        return slug(row) if seed == self.seed else f"{slug(row)}-{seed}"

    def _computed(self, row: Row, plan: TablePlan, folders: Mapping[int, Path]) -> dict[int, Run]:
        """Run a row with each seed and save the runs; what seeds can share of training and scoring is done once."""
        corpus, splits = self.corpora[plan.corpus][0], self._splits(plan)
        task = self._task(row, plan)
        shared = _shared(row)
        if shared is not None:
            start = time.perf_counter()
            train = self._train_set(row, plan, task)
            table = self.training_table(shared, train)
            fitted = [shared.fit_table(train, table, seed=seed) for seed in folders]
            trained = (time.perf_counter() - start) / len(folders)
            ranked = rank_together(fitted, task, progress=self.progress)
            ranked = [replace(one, seconds=one.seconds + trained) for one in ranked]
        else:
            ranked = [rank(self._ranker(row, task, seed), task, seed=seed, progress=self.progress) for seed in folders]
        runs = {}
        for (seed, folder), one in zip(folders.items(), ranked, strict=True):
            spec = run_spec(row.method, task, corpus, splits, seed)
            runs[seed] = measured_run(spec, one.queries, len(task.candidates), one.seconds)
            runs[seed].save(folder)
        return runs

    def _train_set(self, row: Row, plan: TablePlan, task: RetrievalTask) -> TrainSet:
        """What a row is trained on: the training split of the corpus that is asked, or of another one."""
        if row.trained_on in ("", plan.corpus):
            return task.train
        corpus, splits = self.corpora[row.trained_on]
        return train_set(corpus, splits, protocol(_training_protocol(row.protocol)), row.view)

    def training_table(self, method: SharedTraining, train: TrainSet) -> Any:
        """The training table of a method, computed once for all methods and protocols that learn from the same."""
        for settings, seen, table in self.tables:
            if settings == method.table_settings and seen == train:
                return table
        with temporary_context(self.progress) as context:
            table = method.training_table(train, seed=self.seed, context=context)
        self.tables.append((method.table_settings, train, table))
        return table

    def _splits(self, plan: TablePlan) -> Splits:
        corpus, splits = self.corpora[plan.corpus]
        return temporal_splits(self._older(plan), corpus) if plan.name == TEMPORAL else splits

    def _task(self, row: Row, plan: TablePlan) -> RetrievalTask:
        corpus, splits = self.corpora[plan.corpus]
        how = protocol(row.protocol)
        if plan.name == TEMPORAL:
            return temporal_task(self._older(plan), corpus, how, view=row.view)
        return retrieval_task(corpus, splits, plan.split, how, view=row.view)

    def _older(self, plan: TablePlan) -> Corpus:
        if self.older is None:
            raise NotGiven(f"{plan.key} needs an older version of the corpus; give it with --older")
        return self.older

    def _ranker(self, row: Row, task: RetrievalTask, seed: int) -> Ranker:
        if row.method == LEAKED:
            return LeakedFrequency(tuple(query.sequence for query in task.queries))
        if row.trained_on:
            return self.model(row.method, row.trained_on, row.protocol, seed, row.view)
        return parse_ranker(row.method)

    def model(self, method: str, trained_on: str, protocol_name: str, seed: int, view: TextView = WHOLE) -> Model:
        """The saved model of a method, trained first if it is missing.

        Protocols that show a method the same share a model; it is validated under the strictest of them.
        """
        corpus, splits = self.corpora[trained_on]
        strictest = protocol(_training_protocol(protocol_name))
        folder = self._model_folder(method, trained_on, protocol_name, seed, view)

        def pretrained(ranker: Ranker) -> FittedRanker:
            return self.model(ranker_spec(ranker), trained_on, protocol_name, seed, view).fitted

        if not is_model(folder):
            train_model(
                parse_ranker(method),
                corpus,
                splits,
                folder,
                strictest,
                seed=seed,
                resume=True,
                progress=self.progress,
                pretrained=pretrained,
                view=view,
            )
        return load_model(folder)

    def can_run(self, row: Row, seed: int | None = None) -> bool:
        """Whether a row needs no saved model, or the one of a seed, by default the first, exists or can be trained."""
        if not row.trained_on:
            return True
        if row.trained_on not in self.corpora:
            return False
        at = self.seed if seed is None else seed
        return self.train or is_model(self._model_folder(row.method, row.trained_on, row.protocol, at, row.view))

    def _model_folder(self, method: str, trained_on: str, protocol_name: str, seed: int, view: TextView) -> Path:
        """A folder named by a hash of everything a model depends on."""
        corpus, splits = self.corpora[trained_on]
        name = method.partition("(")[0]
        shown = "" if view == WHOLE else f"/{view}"
        data = f"{content_hash(corpus)}/{sha256_bytes(splits.to_json())}"
        key = f"{method}/{data}/{_training_protocol(protocol_name)}{shown}"
        return self.folder / "models" / f"{name}-{corpus.name}-{sha256_bytes(key.encode())[:10]}-{seed}"


def _shared(row: Row) -> SharedTraining | None:
    """The method of a row if its seeds can share a part of training."""
    if row.method == LEAKED:
        return None
    ranker = parse_ranker(row.method)
    return ranker if isinstance(ranker, SharedTraining) else None


def _training_protocol(name: str) -> str:
    """The protocol that models for a protocol are trained under: without places, all show the same."""
    return name if protocol(name).place else "clean"


def _stored(folder: Path, wanted: tuple[object, ...], asked: frozenset[str]) -> Run | None:
    """The run in a folder, if it is of this method, corpus, split, protocol, seed and queries."""
    if not is_run(folder):
        return None
    run = load_run(folder)
    spec = run.spec
    found = (spec.method, spec.corpus_hash, spec.split, spec.split_recipe, spec.protocol, spec.seed)
    return run if found == wanted and {query.query for query in run.queries} == asked else None


def slug(row: Row) -> str:
    """A short unique name for the run of a row."""
    where = f"/{row.trained_on}" if row.trained_on else ""
    return f"{row.protocol}-{sha256_bytes(f'{row.method}/{row.view}{where}'.encode())[:10]}"
