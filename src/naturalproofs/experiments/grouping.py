"""An evaluation in groups: by kind of reference, by how often it was seen in training, by number, by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.breakdowns import Groups, by_category, by_kind, by_size, by_times_seen
from naturalproofs.evaluation.evaluate import evaluate
from naturalproofs.evaluation.ranked import RankedQuery
from naturalproofs.evaluation.ranking_measures import PAPER_MEASURES
from naturalproofs.tasks.splits import Splits

Queries = tuple[RankedQuery, ...]


def groups(corpus: Corpus, splits: Splits, queries: Queries, by: str) -> Groups:
    """The queries of a run in groups."""
    ways: dict[str, Callable[[], Groups]] = {
        "kind": lambda: by_kind(queries, {s.id: s.kind for s in corpus.statements}),
        "seen": lambda: by_times_seen(queries, _seen(corpus, splits)),
        "size": lambda: by_size(queries),
        "category": lambda: by_category(queries, {q.query: _categories(corpus, q) for q in queries}),
    }
    if by not in ways:
        raise UnknownName(f"no grouping is called {by!r}; there are: {', '.join(ways)}")
    return ways[by]()


def group_measures(found: Groups) -> dict[str, dict[str, float | None]]:
    """The paper's measures of every group that has queries, in percent."""
    return {name: evaluate(queries, PAPER_MEASURES).shown() for name, queries in found.items() if queries}


def _seen(corpus: Corpus, splits: Splits) -> Counter[str]:
    """In how many training proofs each statement is cited."""
    proofs = (corpus.by_id[theorem].proofs[index] for theorem, index in splits.train.examples)
    return Counter(key for proof in proofs for key in set(proof.references))


def _categories(corpus: Corpus, query: RankedQuery) -> tuple[str, ...]:
    statement = corpus.by_id[query.query.rpartition("#")[0]]
    return statement.toplevel_categories or statement.categories
