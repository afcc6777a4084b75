"""The workspace: the projects and corpora that are open, and everything that can be asked of them."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from naturalproofs.corpus.bibliography import outside_uses
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import BadSettings, NotAnIndex, NotGiven, SameName, UnknownName
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Statement, StatementId
from naturalproofs.sources.latex import Macro, plain_text
from naturalproofs.workspace import render
from naturalproofs.workspace.check import Report, Selection, run_checks
from naturalproofs.workspace.coverage import FITTED, coverage
from naturalproofs.workspace.cursor import in_order
from naturalproofs.workspace.document_macros import macros_for
from naturalproofs.workspace.labels import Edit
from naturalproofs.workspace.locate import Location, locate, matching
from naturalproofs.workspace.notation import Notation
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.opening import open_corpus, sources_of, unsaved_texts
from naturalproofs.workspace.outside import OutsideWork, outside_works
from naturalproofs.workspace.paths import (
    LIMIT,
    Neighbourhood,
    ReadingPath,
    impact,
    known_statements,
    neighbourhood,
    reading_path,
)
from naturalproofs.workspace.render import readable_text
from naturalproofs.workspace.suggest import (
    Suggestions,
    as_suggestion,
    covered_by_one,
    if_one_is_missing,
    merge,
    pasted_query,
    rank_candidates,
    rank_later,
    with_proof,
)

if TYPE_CHECKING:
    from naturalproofs.workspace.search import Found, SearchIndex

log = logging.getLogger("naturalproofs")
_NAME = 200
"""A query without white space and at most this long may be the name of a statement."""


class Match(NamedTuple):
    """A statement and the open corpus that contains it."""

    corpus: OpenCorpus
    statement: Statement


@dataclass(frozen=True)
class Workspace:
    """Open projects and corpora, in order; the first one is the user's own. Immutable: `refresh` gives a new one.

    >>> from naturalproofs import Workspace
    >>> from naturalproofs.data import primer_folder
    >>> workspace = Workspace.open([primer_folder()])
    >>> workspace.find("thm:lagrange").statement.title
    'Lagrange'
    >>> workspace.suggest("Every group of prime order is cyclic.", k=1)[0].citation
    '\\\\cref{cor:prime-order-cyclic}'
    """

    corpora: tuple[OpenCorpus, ...]
    source: str | None = field(default=None, repr=False)
    """The name of the source of paths that are not corpus folders; detected for each path if None."""

    @classmethod
    def open(
        cls,
        paths: Iterable[Path | str] | Path | str,
        *,
        unsaved: Mapping[Path, bytes] | None = None,
        method: str | None = None,
        source: str | None = None,
        cache: bool = True,
        progress: Progress = silent,
    ) -> Workspace:
        """Open projects and corpora.

        Args:
            paths: LaTeX projects, files of them, archives of them (zip, tar, gz), or corpus folders.
            unsaved: Texts that an editor has not saved, by file; they are read in place of the files.
            method: The method that suggests, or a model folder; the default method if None.
            source: The name of the source of paths that are not corpus folders; detected for each path if None.
            cache: Whether to use the user's cache.
            progress: Called with work done and total work.
        """
        given = [paths] if isinstance(paths, (str, Path)) else list(paths)
        held = unsaved_texts(unsaved or {})
        wanted = [(path, kind) for path in map(Path, given) for kind in sources_of(path, source)]
        opened = [open_corpus(path, held, method, kind, cache, progress, None) for path, kind in wanted]
        return cls.of(opened, source=source)

    @classmethod
    def of(
        cls, corpora: Iterable[OpenCorpus | Corpus], *, method: str | None = None, source: str | None = None
    ) -> Workspace:
        """A workspace of corpora in memory."""
        opened = tuple(one if isinstance(one, OpenCorpus) else OpenCorpus.of(one, method=method) for one in corpora)
        names = [one.name for one in opened]
        if not names:
            raise NotGiven("no corpus was given; give a corpus folder or a LaTeX project")
        for name in names:
            if names.count(name) > 1:
                raise SameName(f"two corpora are called {name!r}; rename one of them, or open them one at a time")
        return cls(opened, source)

    def refresh(self, unsaved: Mapping[Path, bytes] | None = None, progress: Progress = silent) -> Workspace:
        """The workspace as its files are now, with other unsaved texts; this one if nothing has changed.

        Args:
            unsaved: All unsaved texts, as in `open`.
            progress: Called with work done and total work.
        """
        held = unsaved_texts(unsaved or {})
        renewed = tuple(
            open_corpus(one.path, held, one.method, self.source, one.cache is not None, progress, one)
            if one.path is not None and one.reading is not None
            else one
            for one in self.corpora
        )
        if all(new is old for new, old in zip(renewed, self.corpora, strict=True)):
            return self
        return Workspace(renewed, self.source)

    # Finding statements

    @property
    def home(self) -> OpenCorpus:
        """The user's own project or corpus."""
        return self.corpora[0]

    def corpus(self, name: str) -> OpenCorpus:
        """The open corpus of that name."""
        for one in self.corpora:
            if one.name == name:
                return one
        names = ", ".join(one.name for one in self.corpora)
        raise UnknownName(f"no corpus is called {name[:80]!r} here; there are: {names}")

    def selected(self, names: Sequence[str] | None) -> tuple[OpenCorpus, ...]:
        """The corpora of these names; all if None."""
        return self.corpora if names is None else tuple(self.corpus(name) for name in names)

    def find(self, name: str) -> Match:
        """The statement with this id, label, tag, title or number, in the first corpus that has it.

        The name of the corpus and a colon may stand before any of them.
        """
        found = self.find_id(name)
        if found is not None:
            return found
        prefix, _, rest = name.partition(":")
        first = [one for one in self.corpora if rest and one.name == prefix]
        problems: list[str] = []
        for corpus, wanted in [*((one, rest) for one in first), *((one, name) for one in self.corpora)]:
            try:
                return Match(corpus, corpus.find(wanted))
            except UnknownName as error:
                problems.append(str(error))
        raise UnknownName("; ".join(dict.fromkeys(problems)))

    def named(self, text: str) -> Statement | None:
        """The statement whose name a text is; None for a text that is LaTeX or words rather than a name.

        A name has neither white space nor commands nor dollar signs. What looks like one and is none is an error,
        unless it may be a formula.
        """
        name = text.strip()
        if not 0 < len(name) <= _NAME or any(character.isspace() or character in "\\$" for character in name):
            return None
        try:
            return self.find(name).statement
        except UnknownName:
            if set("^_{}") & set(name):
                return None
            raise

    def find_id(self, key: StatementId) -> Match | None:
        """The statement with this id, if there is one."""
        return next((Match(one, one.by_id[key]) for one in self.corpora if key in one.by_id), None)

    def statement(self, key: StatementId) -> Statement:
        """The statement with this id."""
        found = self.find_id(key)
        if found is None:
            raise UnknownName(f"no statement has the id {key[:80]!r} here; ids look like {self.home.name}:label")
        return found.statement

    def locate(self, at: str, path: Path | None = None) -> Location:
        """The theorem that a name, ``FILE:LINE`` or a line of `path` points at, and its proof up to the line."""
        return locate(self.home, at, path or self.home.path or Path())

    def matching(self, query: str, limit: int = 100) -> list[Match]:
        """The statements whose printed name, number, title or label contains every word of a query, the best first."""
        found = (Match(one, statement) for one in self.corpora for statement in matching(one, query, limit))
        return list(islice(found, limit))

    def rename(self, label: str, new: str) -> list[Edit]:
        """What to replace in the files of the first corpus so that a label has another name everywhere.

        Args:
            label: Its name in the whole project.
            new: The other name; it is refused if it exists already or cannot be a label.
        """
        return self.home.labels.rename(label, new)

    def citation(self, statement: Statement) -> str:
        """What to paste to cite a statement; works other than the first are cited in words."""
        found = self.find_id(statement.id)
        home = found.corpus if found is not None else self.home
        return home.citing(other=home is not self.home).citation(statement)

    # Suggesting and searching

    def suggest(
        self,
        query: str | Statement | Location,
        *,
        k: int = 10,
        corpora: Sequence[str] | None = None,
        cited: Sequence[StatementId] = (),
        title: str = "",
        proof: str = "",
        position: int | None = None,
        file: str = "",
        explained: int | None = None,
        later: int = 0,
        probabilities: bool = False,
    ) -> Suggestions:
        """What a proof may want to cite, best first.

        Args:
            query: A theorem in LaTeX, possibly with the beginning of its proof; or a statement, or a location in its
                proof, for which only what may be used there is suggested. A text without white space that is the
                name of a statement stands for it.
            k: How many.
            corpora: The names of the corpora to ask; all if None.
            cited: What the proof cites already.
            title: The title of a theorem that is given as text.
            proof: As much of the proof as is written.
            position: For text: how many statements of the first corpus stand before it; all if None.
            file: For text: the file of the first corpus in which it is written.
            explained: How many suggestions get reasons, which take longest to compute; all if None.
            later: For a statement or a location: how many statements after its proof, which do not depend on it, are
                added at the end, marked as such.
            probabilities: Whether to say at a cursor how probable it is that the whole proof cites each; the order
                there is of what is cited next.
        """
        if k < 1:
            raise BadSettings("at least one suggestion must be asked for")
        again, wanted, finished, cursor = False, "", False, None
        if isinstance(query, Location):
            again, wanted, cursor = query.at_cursor, query.wanted, query if query.at_cursor else None
            finished = bool(query.written.strip()) and not again
            cited, proof, query = (*query.cited, *cited), query.written, query.statement
        elif isinstance(query, str):
            with suppress(UnknownName):  # What nothing is called is words.
                query = self.named(query) or query
        home, about = self.home, None
        if isinstance(query, Statement):
            found = self.find_id(query.id)
            home, about = found.corpus if found is not None else self.home, query
            position, file = home.position_of(about), about.origin.path if about.origin else ""
            passage = home.candidates[home.positions[about.id]]
            passage, begun = replace(passage, text=with_proof(passage.text, proof)), bool(proof.strip())
        else:
            passage, keys, begun = pasted_query(query, title=title, proof=proof)
            by_label = home.by_label
            cited = (*cited, *(by_label[key].id for key in keys if key in by_label))
        lists = []
        asked_works = sorted(self.selected(corpora), key=lambda corpus: corpus is not home)
        for corpus in asked_works:
            own = corpus is home
            asked = passage if about is not None else replace(passage, place=None)
            answers = rank_candidates(
                corpus, asked, about if own else None, position if own else None, k, explained, cited, again, wanted
            )
            citing = corpus.citing(file, other=not own)
            lists.append([as_suggestion(corpus, answer, citing) for answer in answers])
        own = about is not None or position is not None
        ranked = merge(lists, f"{passage.title} {passage.text}", own=own)
        if cursor is not None:
            ranked = in_order(home, cursor, ranked)
            ranked = ranked if probabilities else [replace(one, probability=None) for one in ranked]
        shown = " ".join((about.title or about.label if about else passage.title or passage.text).split())[:80]
        key = about.id if about is not None else None
        # Other works add little, so that the first one says how much may be cited beyond what was ranked.
        first = asked_works[0]
        above = position if first is home and first.placed else None
        candidates = len(first.candidates) if above is None else above
        if finished:
            ranked = if_one_is_missing(ranked, candidates)
        # What is cited again is no further citation.
        new = [
            replace(one, probability=one.probability and 0.0) if one.statement.id in cited else one for one in ranked
        ]
        covered = covered_by_one(new, k) if finished else coverage(new, k, candidates)
        anything = None
        if not begun and not cited and new and covered.expected is not None:
            likeliest = new[0].probability or 0.0
            anything = FITTED.anything_cited(likeliest, covered.expected, *first.citing_before(about, above))
        ahead = rank_later(home, passage, about, position, later, cited) if later and about is not None else ()
        items = (*ranked[:k], *(as_suggestion(home, answer, home.citing(file)) for answer in ahead))
        known = tuple(dict.fromkeys(cited))
        return Suggestions(items, *covered, shown, key, known, anything=anything, finished=finished)

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        corpora: Sequence[str] | None = None,
        kinds: Collection[str] = (),
        chapters: Collection[str] = (),
        categories: Collection[str] = (),
    ) -> Found:
        """Search titles and contents by words, formulas and meaning.

        Args:
            query: Words, "phrases", -excluded words, $formulas$ and filters such as ``kind:lemma`` or ``corpus:name``.
            k: How many.
            corpora: The names of the corpora to search; all if None.
            kinds: Only these kinds or forms.
            chapters: Only chapters whose name contains one of these.
            categories: Only categories whose name contains one of these.
        """
        from naturalproofs.workspace.search import search

        chosen = self.selected(corpora)

        def run(indexes: Sequence[SearchIndex]) -> Found:
            return search(indexes, query, k=k, kinds=kinds, chapters=chapters, categories=categories)

        try:
            return run([one.search_index for one in chosen])
        except NotAnIndex as error:
            log.warning("%s; it is built again", error)
            return run([one.make_search_index(damaged=True) for one in chosen])

    # Checking and walking through the graph

    def check(self, selection: Selection | None = None, baseline: Collection[str] = frozenset()) -> Report:
        """Check the references of the first corpus, and its citations of results of the others.

        Args:
            selection: Which rules to run; the usual ones if None.
            baseline: Fingerprints of findings that are known.
        """
        return run_checks(self.home, selection or Selection(), baseline, self.corpora[1:])

    def path(
        self,
        name: str | Sequence[str],
        *,
        known: Sequence[str] = (),
        limit: int | None = None,
        edges: Literal["both", "statement", "proof"] = "both",
        inferred: bool | None = None,
    ) -> ReadingPath:
        """What to read before a statement, in order.

        Args:
            name: The statement, or several of one corpus.
            known: What need not be read: names of statements, and chapters or sections by name or number.
            limit: The longest path; 200 if None.
            edges: Which citations count: those in statements, in proofs, or both.
            inferred: Whether definitions whose terms are used, and theorems that are named, belong to it without a
                citation; they do if None.
        """
        names = [name] if isinstance(name, str) else list(name)
        if not names:
            raise NotGiven("no statement was given")
        corpus, first = self.find(names[0])
        targets = [first.id, *(corpus.find(one.removeprefix(f"{corpus.name}:")).id for one in names[1:])]
        graph = corpus.graph if edges == "both" else ReferenceGraph.of(corpus, [edges])
        stops = known_statements(corpus, known)
        uses = corpus.term_uses if inferred or inferred is None else None
        return reading_path(corpus, graph, targets, known=stops, limit=limit or LIMIT, inferred=uses)

    def neighbourhood(self, name: str, *, up: int = 1, down: int = 1, limit: int = 40) -> Neighbourhood:
        """The statements around one, the nearest first to be taken, and which cites which.

        Args:
            name: The statement in the middle.
            up: Steps towards what it uses.
            down: Steps towards what uses it.
            limit: The largest number of statements.
        """
        corpus, statement = self.find(name)
        return neighbourhood(corpus, corpus.graph, statement.id, up=up, down=down, limit=limit)

    def impact(self, name: str) -> list[tuple[StatementId, int]]:
        """Everything that depends on a statement with its distance, nearest first."""
        corpus, statement = self.find(name)
        return impact(corpus, corpus.graph, statement.id)

    def outside(self, name: str = "") -> tuple[OutsideWork, ...]:
        """The other works whose results the first corpus uses, the most used first.

        Args:
            name: Only what this statement and its proofs use.
        """
        corpus, statement = self.find(name) if name else (self.home, None)
        asked = (statement,) if statement is not None else corpus.statements
        others = [one for one in self.corpora if one is not corpus]
        return outside_works((use for one in asked for use in outside_uses(one)), corpus.bibliography, others)

    def notation(self) -> tuple[Notation, ...]:
        """The notation of the first corpus: each symbol with the definition that introduces it, in reading order."""
        return self.home.notation

    # Rendering

    def render(self, what: Statement | str, to: Literal["text", "line", "html"] = "text") -> str:
        """A statement, or LaTeX of the first corpus, as plain text, as one line, or as HTML with MathML.

        The text of a statement names what it cites.
        """
        macros = self.macros(what)
        source = what.text if isinstance(what, Statement) else what
        found = self.find_id(what.id) if isinstance(what, Statement) else None
        if to == "line":
            corpus = found.corpus if found else None
            return (
                render.preview(what, macros, corpus=corpus)
                if isinstance(what, Statement)
                else render.one_line(source, macros)
            )
        if to == "html":
            return render.html(source, macros)
        return readable_text(found.corpus, found.statement, macros) if found else plain_text(source, macros)

    def macros(self, what: Statement | str = "") -> Mapping[str, Macro]:
        """The macros of a statement, else of the first corpus."""
        found = self.find_id(what.id) if isinstance(what, Statement) else None
        return macros_for(found.corpus.macros, found.statement) if found is not None else self.home.macros

    def prepare(self, progress: Progress = silent, *, search: bool = False) -> None:
        """Compute what the first suggestion and, if wanted, the first search need."""
        for done, one in enumerate(self.corpora):
            progress(done, len(self.corpora))
            _ = one.suggester, one.search_index if search else None
        progress(len(self.corpora), len(self.corpora))
