"""Suggestions and search over a collection: the same answers as a workspace gives, without loading the statements."""

from __future__ import annotations

from collections.abc import Collection as AnyCollection
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from naturalproofs.collection.lance_index import LanceIndex
from naturalproofs.collection.rows import Row
from naturalproofs.collection.tables import Collection, lance_errors, quoted
from naturalproofs.errors import FilterUnsupported, NotACollection, UnknownName
from naturalproofs.ranking.candidate_index import ANYTHING, Where
from naturalproofs.ranking.hybrid.ranker import shipped_boosters
from naturalproofs.ranking.hybrid.rerank import suggest
from naturalproofs.records import Passage, Statement, StatementId
from naturalproofs.workspace.citations import Citing
from naturalproofs.workspace.coverage import coverage
from naturalproofs.workspace.render import printed_name
from naturalproofs.workspace.search.documents import body_text, title_text
from naturalproofs.workspace.search.engine import SNIPPET, Found, Highlighter, Hit, Twin
from naturalproofs.workspace.search.query import Query, parse_query
from naturalproofs.workspace.search.text import pieces
from naturalproofs.workspace.suggest import Suggestion, Suggestions, pasted_query

DEPTH = 100
"""How many candidates are ranked to say how long a list is enough."""
USERS = 500
"""References that are read to say what cites a statement."""
KEYS = 50
"""Keys of a pasted proof that are looked up."""
SEARCHED = 200
"""Candidates of a search among which the best are chosen."""
IN_TITLE, IN_TEXT = 1.0, 2.0
"""What a statement gains that has all words of the query in its title, or all in title and text; a share of them gains
that share of the latter. The first stage gives its best candidate one to two."""


@dataclass(frozen=True)
class OpenCollection:
    """A collection that answers questions, at one commit."""

    collection: Collection

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

    def prepare(self) -> None:
        """Read what the first answer needs."""
        _ = self.index.statistics, shipped_boosters().placed.trees

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
            return self._suggest(text, k, title, cited, where)

    def _suggest(self, text: str, k: int, title: str, cited: Sequence[StatementId], where: Where) -> Suggestions:
        passage, keys = pasted_query(text, title=title)
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
        for row in self.index.labelled(keys, Where(projects=where.projects)):
            by_label.setdefault(row.label or "", []).append(row)
        labelled = [row.id for rows in by_label.values() if len({row.fingerprint for row in rows}) == 1 for row in rows]
        return [*self.rows(keys), *labelled]

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
            categories: Refused, as is ``category:`` in the query: a collection keeps no categories.
        """
        asked = parse_query(query)
        if categories or asked.categories:
            raise FilterUnsupported("a collection keeps no categories; leave the category out, or search a corpus")
        with lance_errors(self.address):
            return self._search(asked, query, k, kinds, chapters)

    def _search(
        self, asked: Query, query: str, k: int, kinds: AnyCollection[str], chapters: AnyCollection[str]
    ) -> Found:
        where = Where(kinds=frozenset({*asked.kinds, *kinds}), projects=frozenset(asked.corpora))
        text = " ".join([*asked.spelt, *(" ".join(phrase) for phrase in asked.phrases), *asked.formulas])
        numbers, _, scores = self.index.ranked(Passage("", "theorem", "", text), k=max(SEARCHED, 2 * k), where=where)
        same: dict[int, list[tuple[float, Row]]] = {}
        for row, score in zip(self.index.take(numbers), scores.tolist(), strict=True):
            twins = same.setdefault(row.fingerprint, [])
            if twins or _passes(row, asked, [*asked.chapters, *chapters]):
                twins.append((score + _words_found(row, asked), row))
        ordered = sorted((twins for twins in same.values() if twins), key=lambda twins: -twins[0][0])
        return Found(tuple(_hit(twins, asked) for twins in ordered[:k]), len(ordered), query)

    def find(self, key: StatementId) -> Statement:
        """The statement with this id."""
        rows = self.rows([key])
        if key not in rows:
            raise UnknownName(f"no statement has the id {key[:80]!r} here; ids look like PROJECT:LABEL")
        return rows[key].statement()

    def used_by(self, key: StatementId) -> list[StatementId]:
        """Statements that cite a statement, in themselves or in a proof, some hundred at most."""
        condition = f"cited = {quoted(key)}"
        found = self.collection.table("edges").to_table(columns=["citing"], filter=condition, limit=USERS)
        return list(dict.fromkeys(found["citing"].to_pylist()))

    def rows(self, ids: Sequence[StatementId]) -> dict[StatementId, Row]:
        """The rows of some statements."""
        return {row.id: row for row in self.index.rows(ids)}

    def refreshed(self) -> OpenCollection:
        """The collection as it is committed now; this one if nothing has changed."""
        newest = Collection.open(self.address)
        return self if newest.versions == self.collection.versions else OpenCollection(newest)


def _name(statement: Statement) -> str:
    return statement.title or printed_name(statement)


def _passes(row: Row, query: Query, chapters: Sequence[str]) -> bool:
    """Whether a statement has the phrases of a query, none of its excluded words, and a chapter that it names."""
    chapter = (row.chapter or "").casefold()
    if chapters and not any(name.casefold() in chapter for name in chapters):
        return False
    if not query.phrases and not query.excluded:
        return True
    text = f" {' '.join(term for term, *_ in pieces(f'{row.heading} {row.text}'))} "
    return all(f" {' '.join(phrase)} " in text for phrase in query.phrases) and not any(
        f" {' '.join(phrase)} " in text for phrase in query.excluded
    )


def _words_found(row: Row, query: Query) -> float:
    """What a statement gains for the words of a query in its title and text."""
    asked = query_words(query)
    if not asked:
        return 0.0
    named = {term for term, *_ in pieces(row.title or "")}
    stated = named | {term for term, *_ in pieces(row.text)}
    return IN_TITLE * (asked <= named) + IN_TEXT * len(asked & stated) / len(asked)


def query_words(query: Query) -> set[str]:
    """The words of a query, those of its phrases included."""
    return {*query.words, *(word for phrase in query.phrases for word in phrase)}


def _hit(twins: Sequence[tuple[float, Row]], query: Query) -> Hit:
    """A hit from the rows of statements with one text, the best first."""
    (score, row), *others = twins
    statement = row.statement()
    highlighter = Highlighter(query_words(query), query.formulas)
    title, body = highlighter.snippet(title_text(statement)), highlighter.snippet(body_text(statement), SNIPPET)
    if title.marks:
        where = "title"
    elif body.marks:
        where = "formula" if body.formulas == len(body.marks) else "text"
    else:
        where = "meaning"
    hit = Hit(statement, row.project, score, where, title.text, title.marks, body.text, body.marks)  # type: ignore[arg-type]
    return replace(hit, twins=tuple(Twin(other.statement(), other.project) for _, other in others), cut=body.cut)
