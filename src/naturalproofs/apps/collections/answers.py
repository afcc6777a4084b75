"""Suggestions and search over a collection: the same answers as a workspace gives, without loading the statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Collection as AnyCollection
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from lance.query import MatchQuery
from numpy.typing import NDArray

from naturalproofs.apps.collections.indexing import VECTOR, probes, read_statistics
from naturalproofs.apps.collections.search import CollectionSearch
from naturalproofs.apps.collections.tables import Collection, Row, lance_errors, quoted, within
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.errors import NotACollection, UnknownName
from naturalproofs.ranking.candidate_index import (
    ANYTHING,
    Entry,
    FirstStage,
    TermStatistics,
    Where,
    ordered,
    query_terms,
)  # fmt: skip
from naturalproofs.ranking.hybrid.ranker import shipped_boosters
from naturalproofs.ranking.hybrid.rerank import suggest
from naturalproofs.ranking.term_vectors import Floats
from naturalproofs.records import Mention, Passage, Place, Proof, Statement, StatementId
from naturalproofs.sources.latex import Macro, macros_of
from naturalproofs.workspace.citations import Citing
from naturalproofs.workspace.coverage import coverage
from naturalproofs.workspace.render import printed_name
from naturalproofs.workspace.search import Found, search
from naturalproofs.workspace.suggest import Suggestion, Suggestions, pasted_query

# The first stage from a collection: BM25 and vectors by Lance, filters in SQL, the tables on disk or elsewhere.

PROBES = 128
"""Partitions of the approximate index of a shard that are searched."""
LABELLED = 500
"""Rows that are read to find out which statement a label means."""
DEEPER = 2
"""How many times as many candidates each signal gives as are wanted: the best sums are not the best of each signal."""


class LanceIndex:
    """A collection as an index."""

    def __init__(self, collection: Collection) -> None:
        """Open a collection that has indexes."""
        self.collection = collection

    @cached_property
    def statistics(self) -> TermStatistics:
        """What is known about terms."""
        if "terms" not in self.collection.versions.tables:
            return TermStatistics.of(())
        return read_statistics(self.collection.table("terms"))

    def __len__(self) -> int:
        """The number of statements."""
        return self.collection.count()

    def query(self, query: Passage, *, k: int, where: Where = ANYTHING) -> FirstStage:
        """The best candidates of each signal, and of these the best k by their sum."""
        rows, scores, first = self.ranked(query, k=k, where=where)
        return FirstStage(tuple(row.entry() for row in self.take(rows)), scores, first)

    def ranked(
        self, query: Passage, *, k: int, where: Where = ANYTHING
    ) -> tuple[NDArray[np.uint64], dict[str, Floats], Floats]:
        """The same as numbers of rows, with the scores of each signal and the sums."""
        terms, tokens, names = query_terms(query, self.statistics)
        condition = within("project", where.projects) if where.projects else None
        excluded = self._numbers(where.excluded)
        depth = DEEPER * k + len(excluded)
        signals: dict[str, Callable[[str | None], tuple[Any, Floats]]] = {
            "bm25": partial(self._words, "tokens", tokens, depth),
            "title": partial(self._words, "names", names, depth),
            "vector": partial(self._near, self.statistics.vector(terms["tokens"]), depth),
        }
        found = {name: signal(condition) for name, signal in signals.items()}
        within_own = within("project", {where.own} & set(where.projects or [where.own])) if where.own else None
        own = {name: signal(within_own) for name, signal in signals.items() if within_own}
        rows = np.unique(np.concatenate([ids for ids, _ in (*found.values(), *own.values())]))
        scores = {}
        for name, (ids, values) in found.items():
            # What a signal has not found scores less than all that it has found, and more than nothing.
            rest = values.min() / 2 if len(values) >= depth else 0
            scores[name] = np.full(len(rows), rest, dtype=np.float32)
            for some, known in (*([own[name]] if own else []), (ids, values)):
                scores[name][np.searchsorted(rows, some)] = known
        if own:
            scores["own"] = np.isin(rows, np.concatenate([ids for ids, _ in own.values()])).astype(np.float32)
        kept = ~np.isin(rows, excluded)
        rows, scores = rows[kept], {name: values[kept] for name, values in scores.items()}
        chosen, first = ordered(scores, k)
        chosen, first = chosen[first > 0], first[first > 0]
        return rows[chosen], {name: values[chosen] for name, values in scores.items()}, first

    def _numbers(self, ids: AnyCollection[StatementId]) -> NDArray[np.uint64]:
        """The numbers of the rows with these ids; a condition on ids would be checked for every row of the table."""
        found: NDArray[np.uint64] = self.collection.read([], within("id", ids))["_rowid"].to_numpy()
        return found

    def find(self, ids: Sequence[StatementId]) -> list[Entry]:
        """The statements with these ids."""
        return [row.entry() for row in self.collection.rows(within("id", ids)).values()]

    def _words(self, column: str, terms: Sequence[str], k: int, condition: str | None) -> tuple[Any, Floats]:
        query = MatchQuery(" ".join(terms), column)
        return self._scored("_score", condition, k if terms else 0, full_text_query=query, limit=k)

    def _near(self, vector: Floats, k: int, condition: str | None) -> tuple[Any, Floats]:
        known = VECTOR in self.collection.table("statements").schema.names and bool(vector.any())
        nearest = {"column": VECTOR, "q": vector, "k": k, "metric": "l2", "nprobes": probes(len(self), PROBES)}
        # The squared distance of vectors of length one is two minus twice their product. Lance has a metric "dot" too,
        # which takes four times as long on bytes.
        rows, distance = self._scored("_distance", condition, k if known else 0, nearest=nearest)
        return rows, np.maximum(1 - distance / 2, 0)

    def _scored(self, column: str, condition: str | None, k: int, **asked: Any) -> tuple[Any, Floats]:
        """The numbers of the best rows and their values; of none if nothing can be found."""
        if not k or not len(self):
            return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.float32)
        found = self.collection.read([column], condition, prefilter=True, **asked)
        return found["_rowid"].to_numpy(), found[column].to_numpy().astype(np.float32)

    def take(self, numbers: NDArray[np.uint64]) -> list[Row]:
        """The rows with these numbers, in this order."""
        found = self.collection.rows(within("_rowid", numbers.tolist()))
        return [found[number] for number in numbers.tolist()]


DEPTH = 100
"""How many candidates are ranked to say how long a list is enough."""
USERS = 500
"""References that are read to say what cites a statement."""
KEYS = 50
"""Keys of a pasted proof that are looked up."""


NEAR = 200
"""Statements that a drawing around one has."""
MOST_MACROS = 100
"""Projects whose macros are kept."""


@dataclass(frozen=True)
class OpenCollection:
    """A collection that answers questions, at one commit."""

    collection: Collection
    _macros: dict[str, Mapping[str, Macro]] = field(default_factory=dict, repr=False, compare=False)
    """Of the projects that were shown last."""

    @classmethod
    def open(cls, address: str) -> OpenCollection:
        """Open the last commit."""
        collection = Collection.open(address)
        if "terms" not in collection.versions.tables:
            raise NotACollection(f"{address}: has no index; run: naturalproofs collect SOURCE -o {address}")
        return cls(collection)

    @property
    def address(self) -> str:
        """Where the collection is."""
        return self.collection.address

    @cached_property
    def index(self) -> LanceIndex:
        """The first stage."""
        return LanceIndex(self.collection)

    @cached_property
    def searched(self) -> CollectionSearch:
        """The index of search."""
        return CollectionSearch.open(self.collection)

    def prepare(self) -> None:
        """Read what the first answer needs."""
        _ = self.index.statistics, shipped_boosters().placed.trees
        self.search("a sum $a + b$")  # Lance reads the terms of an index when it is first asked.

    def suggest(
        self, text: str, *, k: int = 10, title: str = "", cited: Sequence[StatementId] = (), where: Where = ANYTHING
    ) -> Suggestions:
        """What the proof of a theorem may want to cite, best first.

        Args:
            text: The theorem in LaTeX, possibly with the beginning of its proof.
            k: How many.
            title: The theorem's title.
            cited: Ids of what the proof cites already.
            where: Which statements may be suggested.
        """
        with lance_errors(self.address):
            passage, keys, _ = pasted_query(text, title=title)
            cited = tuple(dict.fromkeys((*cited, *self._meant(keys, where))))
            ranked = suggest(
                self.index, shipped_boosters(), passage, k=max(k, DEPTH), explained=k, where=where, cited=cited
            )
            rows = self.rows([one.entry.passage.id for one in ranked[:k]])
            named = {key for one in ranked[:k] for reason in one.answer.reasons for key in reason.statements}
            names = {key: _name(row.statement()) for key, row in self.rows(sorted(named)).items()}
            found = []
            for one in ranked[:k]:
                row = rows[one.entry.passage.id]
                statement = row.statement()
                reasons = tuple(one for one in one.answer.reasons if one.kind != "titles" or statement.title)
                found.append(
                    Suggestion(
                        statement, row.project, one.answer.score, one.answer.probability, reasons,
                        Citing(work=row.project), names,
                    )
                )  # fmt: skip
            shown = " ".join((passage.title or passage.text).split())[:80]
            covered = coverage([one.answer for one in ranked], k, len(self.index))
            return Suggestions(tuple(found), *covered, shown, None, tuple(cited))

    def _meant(self, keys: Sequence[str], where: Where) -> list[StatementId]:
        """The statements that the keys of a pasted proof mean: by their ids, or by a label that only one text has."""
        keys = keys[:KEYS]
        by_label: dict[str, list[Row]] = {}
        condition = within("label", keys) + (f" AND {within('project', where.projects)}" if where.projects else "")
        for row in self.collection.rows(condition, LABELLED).values():
            by_label.setdefault(row.label or "", []).append(row)
        labelled = [row.id for rows in by_label.values() if len({row.fingerprint for row in rows}) == 1 for row in rows]
        return [*self.rows(keys), *labelled]

    def suggest_for(
        self, key: StatementId, *, k: int = 10, cited: Sequence[StatementId] = (), where: Where = ANYTHING
    ) -> Suggestions:
        """The same for a statement of the collection; what is cited is mostly of its own project."""
        about, row = self.find(key), self.rows([key])[key]
        copies = self.collection.read(["id"], f"fingerprint = {row.fingerprint}")["id"].to_pylist()
        where = replace(where, excluded=[*where.excluded, *copies], own=row.project)
        return self.suggest(about.text, k=k, title=about.title, cited=cited, where=where)

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        kinds: AnyCollection[str] = (),
        chapters: AnyCollection[str] = (),
        categories: AnyCollection[str] = (),
    ) -> Found:
        """Search titles and contents by words, formulas and meaning.

        Args:
            query: As in `naturalproofs.workspace.search`; ``corpus:`` names a project.
            k: How many.
            kinds: Only these kinds or forms.
            chapters: Only chapters whose name contains one of these.
            categories: Only categories whose name contains one of these.
        """
        with lance_errors(self.address):
            return search([self.searched], query, k=k, kinds=kinds, chapters=chapters, categories=categories)

    def find(self, key: StatementId) -> Statement:
        """The statement with this id."""
        rows = self.rows([key])
        if key not in rows:
            raise UnknownName(f"no statement has the id {key[:80]!r} here; ids look like PROJECT:LABEL")
        return rows[key].statement()

    def used_by(self, key: StatementId) -> list[StatementId]:
        """Statements of the same project that cite a statement, in themselves or in a proof, some hundred at most."""
        return list(dict.fromkeys(row["citing"] for row in self._where("edges", f"cited = {quoted(key)}", ["citing"])))

    def used_elsewhere(self, key: StatementId) -> dict[StatementId, str]:
        """Statements of other projects that cite a statement, and how it is known: arxiv, doi or title."""
        return {row["citing"]: row["origin"] for row in self._where("links", f"cited = {quoted(key)}")}

    def uses_elsewhere(self, key: StatementId) -> dict[StatementId, str]:
        """The statements of other projects that a statement or its proofs cite, and how it is known."""
        return {row["cited"]: row["origin"] for row in self._where("links", f"citing = {quoted(key)}")}

    def _where(self, table: str, condition: str, columns: list[str] | None = None) -> list[dict[str, Any]]:
        found = self.collection.table(table).to_table(columns=columns, filter=condition, limit=USERS)
        rows: list[dict[str, Any]] = found.to_pylist()
        return rows

    def around(self, key: StatementId) -> Corpus:
        """A statement with all that it cites and that cites it, in other projects too."""
        centre, elsewhere = self.find(key), self.uses_elsewhere(key)
        cited = (*centre.references, *(one for proof in centre.proofs for one in proof.references), *elsewhere)
        near = self.rows([*dict.fromkeys((key, *cited, *self.used_by(key), *self.used_elsewhere(key)))][:NEAR])
        found = [row.statement() for row in near.values()]
        links: dict[StatementId, list[StatementId]] = {}
        for link in self._where("links", within("citing", near)):
            links.setdefault(link["citing"], []).append(link["cited"])
        made, titles = [], self.titles({row.project for row in near.values()})
        for number, one in enumerate(found):
            # An edge between two projects counts as one of the last proof, and a work as a chapter.
            proofs = [replace(proof, mentions=_inside(proof.mentions, near)) for proof in one.proofs]
            if others := tuple(Mention(other, "", 0, other) for other in links.get(one.id, ())):
                last = proofs.pop() if proofs else Proof((), ())
                proofs.append(replace(last, mentions=(*last.mentions, *others)))
            project = one.id.partition(":")[0]
            place = Place(project, titles[project] or project, "", number)
            made.append(replace(one, mentions=_inside(one.mentions, near), proofs=tuple(proofs), place=place))
        return Corpus(key.partition(":")[0], tuple(made), Provenance("", "fixed", title=_name(centre)))

    def work(self, name: str) -> tuple[Mapping[str, Any], Mapping[str, int], Mapping[str, int]]:
        """The row of a project, and how many references lead from it to each other one, and from each to it."""
        rows = self._where("projects", f"name = {quoted(name)}")
        if not rows:
            raise UnknownName(f"no project has the name {name[:80]!r} here")
        cited = Counter(one["cited"].partition(":")[0] for one in self._where("links", f"project = {quoted(name)}"))
        inside = f"cited >= {quoted(name + ':')} AND cited < {quoted(name + ';')}"
        citing = Counter(one["project"] for one in self._where("links", inside))
        return rows[0], cited, citing

    def titles(self, names: AnyCollection[str]) -> dict[str, str]:
        """The titles of some projects; empty where none is known."""
        table = self.collection.table("projects")
        rows = table.to_table(columns=["name", "title"], filter=within("name", names)).to_pylist()
        return dict.fromkeys(names, "") | {row["name"]: row["title"] or "" for row in rows}

    def contents(self, project: str, first: int, count: int) -> list[Statement]:
        """Some statements of a project in reading order."""
        places = self.collection.read(["position"], f"project = {quoted(project)}").sort_by("position")
        return [row.statement() for row in self.index.take(places["_rowid"].to_numpy()[first : first + count])]

    def macros(self, project: str) -> Mapping[str, Macro]:
        """The macros of a project."""
        if project not in self._macros:
            rows = self._where("macros", f"project = {quoted(project)}")
            self._macros[project] = macros_of([rows[0]["definitions"]]) if rows else {}
            while len(self._macros) > MOST_MACROS:
                self._macros.pop(next(iter(self._macros)), None)
        return self._macros.get(project, {})

    def rows(self, ids: Sequence[StatementId]) -> dict[StatementId, Row]:
        """The rows of some statements."""
        return {row.id: row for row in self.collection.rows(within("id", ids)).values()}

    def refreshed(self) -> OpenCollection:
        """The collection as it is committed now; this one if nothing has changed."""
        newest = Collection.open(self.address)
        return self if newest.versions == self.collection.versions else OpenCollection(newest)


def _inside(mentions: Iterable[Mention], near: AnyCollection[StatementId]) -> tuple[Mention, ...]:
    return tuple(one for one in mentions if one.reference in near)


def _name(statement: Statement) -> str:
    return statement.title or printed_name(statement)
