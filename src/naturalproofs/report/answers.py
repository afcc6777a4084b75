"""What methods answered for one theorem: where its references ended up, and what they ranked first."""

from collections.abc import Sequence

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import UnknownName
from naturalproofs.evaluation.ranked import RankedQuery
from naturalproofs.experiments.runs import Run
from naturalproofs.records import Statement
from naturalproofs.report.statement import headline
from naturalproofs.report.table import Cell, Table, render

SHOWN = 10
WIDTH = 44


def answers_text(corpus: Corpus, statement: Statement, runs: Sequence[Run]) -> str:
    """The paper's qualitative table: ranks of the gold references, then the ten best of each run, gold marked."""
    asked = [_queries(run, statement) for run in runs]
    proofs = sorted({query.query for queries in asked for query in queries.values()})
    names = [run.manifest.spec.method for run in runs]
    tables = []
    for proof in proofs:
        answers = [queries.get(proof) for queries in asked]
        tables.append(_ranks(corpus, proof, answers, names))
        tables.append(_best(corpus, answers, names))
    return render(tables, "text")


def _queries(run: Run, statement: Statement) -> dict[str, RankedQuery]:
    found = {q.query: q for q in run.queries if q.query.rpartition("#")[0] == statement.id}
    if not found:
        raise UnknownName(f"{run.name} has no question about {statement.id}; is it in that split?")
    return found


def _ranks(corpus: Corpus, proof: str, answers: Sequence[RankedQuery | None], names: Sequence[str]) -> Table:
    gold = next(answer.gold for answer in answers if answer is not None)
    rows: list[tuple[Cell, ...]] = []
    for key in gold:
        ranks = [dict(zip(a.gold, a.ranks, strict=True)).get(key) if a is not None else None for a in answers]
        rows.append((headline(corpus.by_id[key]), *ranks))
    return Table(f"Ranks of what {proof} cites", ("", *names), tuple(rows))


def _best(corpus: Corpus, answers: Sequence[RankedQuery | None], names: Sequence[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for position in range(SHOWN):
        cells = [_cell(corpus, answer, position) for answer in answers]
        rows.append((str(position + 1), *cells))
    return Table("Ranked first (* is cited)", ("", *names), tuple(rows))


def _cell(corpus: Corpus, answer: RankedQuery | None, position: int) -> str | None:
    if answer is None or position >= len(answer.top):
        return None
    key = answer.top[position]
    text = headline(corpus.by_id[key])
    short = text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
    return f"{short} *" if key in answer.gold else f"{short}  "
