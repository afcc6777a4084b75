"""Rules about the order of arguments: proofs that use what comes later, one another, or their own theorem."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph, components
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import USES, Mention, Origin, Proof, Statement, StatementId
from naturalproofs.tokens import maths
from naturalproofs.workspace.check.finding import Problem, comes_later, name_of
from naturalproofs.workspace.check.proofs import ANNOUNCED, ASIDE, DIRECTLY_USED, USED, is_blueprint
from naturalproofs.workspace.check.prose import around_citation, source_text
from naturalproofs.workspace.citations import families
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.terms import LONGEST, Phrase, longest_phrases, names_of, terms_of, words

Use: TypeAlias = Literal["stated", "likely", "none"]
"""How the words around a citation say that a result is used."""
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{")
_LINKS = frozenset({"hyperref", "nameref", "pageref"})
"""Commands that link a word; they do not use a result."""
_PART = re.compile(
    r"^\\[a-zA-Z]+\*?(?:\[[^\]]*\])?\{[^{}]*\}[~\s]*(?:\(|\[|\\ref|\\(?:c|auto|item)ref|\$|part|,?\s*(?:part|item|case))|\bn\s*-\s*1|\binduct",
    re.IGNORECASE,
)
_UNORDERED = 0.1
"""Where a larger share of the citations goes forward, the order of the text is not that of the arguments."""


class _Citing(NamedTuple):
    """A citation of one statement in the proof of another."""

    statement: Statement
    proof: Proof
    mention: Mention
    cited: Statement

    @property
    def origin(self) -> Origin:
        return Origin((self.proof.origin or self.statement.origin or Origin("", 1)).path, self.mention.line)

    @property
    def stands_after(self) -> bool:
        """Whether the citation stands after what it cites in one file: a whole section may be the proof."""
        cited = self.cited.origin
        return cited is not None and cited.path == self.origin.path and cited.line < self.origin.line


def _citations(project: OpenCorpus) -> Iterator[_Citing]:
    """Citations of theorems in the proofs of theorems; one of an equation or an item may mean only a hypothesis."""
    for statement in project.statements:
        for proof in statement.proofs:
            for mention in proof.mentions:
                cited = project.by_id.get(mention.reference or "")
                anchor = project.anchors.get(mention.target)
                if cited is None or cited.kind != "theorem" or statement.kind != "theorem":
                    continue
                if anchor is None or anchor.kind == "statement":
                    yield _Citing(statement, proof, mention, cited)


def _use(project: OpenCorpus, one: _Citing) -> tuple[Use, str]:
    """How a citation uses what it cites, and its sentence."""
    if one.mention.surface == USES:
        return "stated", ""
    if one.mention.surface in _LINKS:
        return "none", ""
    around = around_citation(project, one.origin.path, one.origin.line, one.mention.target)
    if around is None:
        return "likely", ""
    sentence = " ".join(around)
    if ASIDE.search(sentence) or _PART.search(around[1]):
        return "none", sentence
    return "stated" if USED.search(around[0]) else "likely", sentence


def forward_reference(project: OpenCorpus) -> Iterator[Problem]:
    """Citations in proofs of theorems that stand after the proof, unless the text says so; not in blueprints.

    Silent if so many citations go forward that the text has no such order.
    """
    if is_blueprint(project):
        return
    cited = [one for one in _citations(project) if one.cited.id != one.statement.id]
    forward = [one for one in cited if comes_later(one.cited, one.statement, one.proof)]
    if len(forward) > max(10, _UNORDERED * len(cited)):
        return
    reported = set()
    for one in forward:
        pair = (one.statement.id, one.cited.id)
        if pair in reported or _in_appendix(one.cited, one.statement) or one.stands_after:
            continue
        use, sentence = _use(project, one)
        if use != "none" and not ANNOUNCED.search(sentence):
            reported.add(pair)
            message = f"the proof of {name_of(one.statement)} uses {name_of(one.cited)}, which comes later"
            yield Problem(one.origin, message, f"{one.statement.label} -> {one.cited.label}", one.mention.target)


def _in_appendix(cited: Statement, statement: Statement) -> bool:
    """Whether a result stands in an appendix, to which the text may refer ahead."""
    named = cited.origin is not None and "append" in cited.origin.path.casefold()
    return named or (cited.number[:1].isalpha() and not statement.number[:1].isalpha())


def circular_argument(project: OpenCorpus) -> Iterator[Problem]:
    r"""Cycles of proofs that say that they use the next, each by a shortest cycle; in a blueprint by ``\uses``."""
    blueprint = is_blueprint(project)
    where: dict[tuple[StatementId, StatementId], _Citing] = {}
    cyclic = set().union(*_cycles(_graph(project, [(one.statement.id, one.cited.id) for one in _citations(project)])))
    for one in _citations(project):
        pair = (one.statement.id, one.cited.id)
        if not cyclic.issuperset(pair) or one.statement.id == one.cited.id or pair in where:
            continue
        use, sentence = _use(project, one)
        if (one.mention.surface == USES) if blueprint else (use == "stated" and not ANNOUNCED.search(sentence)):
            where[pair] = one
    graph = _graph(project, list(where))
    order = {statement.id: number for number, statement in enumerate(project.statements)}
    for component in _cycles(graph):
        cycle = _shortest_cycle(graph, sorted(component, key=order.__getitem__))
        statements = [project.by_id[node] for node in cycle]
        names = " → ".join(name_of(one) for one in [*statements, statements[0]])
        rest = len(component) - len(cycle)
        more = f" (and {rest} more statements in the same cycle)" if rest else ""
        message = f"circular argument, each proof uses the next: {names}{more}"
        at = where[cycle[0], cycle[1]]
        yield Problem(at.origin, message, " ".join(sorted(component)), at.mention.target)


def _graph(project: OpenCorpus, pairs: list[tuple[StatementId, StatementId]]) -> ReferenceGraph:
    """The graph of pairs of a statement and one that it uses."""
    uses: dict[StatementId, list[StatementId]] = {}
    for user, used in dict.fromkeys(pairs):
        uses.setdefault(user, []).append(used)
    nodes = tuple(statement.id for statement in project.statements)
    return ReferenceGraph(nodes, {}, {user: tuple(used) for user, used in uses.items()})


def _cycles(graph: ReferenceGraph) -> list[list[StatementId]]:
    return [list(component) for component in components(graph) if len(component) > 1]


def _shortest_cycle(graph: ReferenceGraph, component: list[StatementId]) -> list[StatementId]:
    """A shortest cycle through the first statement of a component, found breadth first."""
    inside, start = set(component), component[0]
    previous: dict[StatementId, StatementId] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for used in graph.uses.get(node, ()):
            if used == start:
                cycle = [node]
                while cycle[-1] != start:
                    cycle.append(previous[cycle[-1]])
                return cycle[::-1]
            if used in inside and used not in previous:
                previous[used] = node
                queue.append(used)
    return [start]


def own_theorem(project: OpenCorpus) -> Iterator[Problem]:
    """Proofs that use the theorem they prove: "by Theorem 3" in the proof of Theorem 3, but not one of its parts.

    Silent where another statement stands between the two and the heading of the proof does not name the theorem.
    """
    for statement in project.of_kind("theorem"):
        if "definition" in families(statement.form):
            continue  # The proof may use what is defined.
        for proof in statement.proofs:
            for mention in proof.mentions if _is_certain(project, statement, proof) else ():
                own = mention.target == statement.label
                one = _Citing(statement, proof, mention, statement)
                if own and mention.surface not in _LINKS and _is_direct(project, one):
                    message = f"the proof of {name_of(statement)} cites {name_of(statement)} itself"
                    yield Problem(one.origin, message, statement.label, mention.target)


def _is_certain(project: OpenCorpus, statement: Statement, proof: Proof) -> bool:
    """Whether a proof belongs to a statement without a doubt: nothing between the two may be another statement."""
    is_next = statement.place is None or proof.position in (None, statement.place.position + 1)
    source = source_text(project, proof.origin.path) if proof.origin else None
    if source is None or proof.origin is None:
        return is_next
    if statement.label in source.lines(proof.origin.line, 1):
        return True
    if not is_next or statement.origin is None or statement.origin.path != proof.origin.path:
        return is_next
    depth, is_over = 0, False
    for match in _ENVIRONMENT.finditer(source.text, *map(source.offset, (statement.origin.line, proof.origin.line))):
        depth += 1 if match[1] == "begin" else -1
        is_over = is_over or depth == 0
    return depth <= 0 or not is_over  # Else the proof stands in another environment.


def _is_direct(project: OpenCorpus, one: _Citing) -> bool:
    """Whether the words around a citation use the whole result."""
    around = around_citation(project, one.origin.path, one.origin.line, one.mention.target)
    if around is None:
        return False
    return bool(DIRECTLY_USED.search(around[0])) and not _PART.search(around[1]) and not ASIDE.search(around[0])


# Rules that suggest: citations that a proof may have forgotten, and statements that repeat one another.

_USUAL = 0.6
"""A definition is missing if at least this share of the other proofs that use its term cite it …"""
_SUPPORT = 5
"""… and at least so many use it."""
_FAR = 400
"""Lines of a proof that are searched for the phrase."""
ALIKE = 0.95
"""The share of their words, counted with repeats, that two near-duplicates have in common."""
_SHORTEST = 12
"""Shorter statements are not compared."""
_RAREST = 3
"""Two statements are compared if they share one of so many of their rarest words."""
_COMMON = 60
"""A word of more statements than this brings none together."""
_REFERENCE = re.compile(r"\w*[\s~(\[]*\\[a-zA-Z]*ref(?![a-zA-Z])")


def dictionary(statements: Iterable[Statement]) -> dict[Phrase, StatementId]:
    """The statement that each phrase names, for phrases that name only one."""
    meanings: defaultdict[Phrase, set[StatementId]] = defaultdict(set)
    for statement in statements:
        for phrase in names_of(statement) | terms_of(statement):
            meanings[phrase].add(statement.id)
    return {phrase: next(iter(ids)) for phrase, ids in meanings.items() if len(ids) == 1}


def mentioned(text: str, known: Mapping[Phrase, StatementId]) -> Iterator[tuple[StatementId, Phrase]]:
    """The statements that a text names by their longest phrases, in order, with repeats."""
    return longest_phrases(words(text), known.get, LONGEST + 2)


@dataclass(frozen=True, slots=True)
class NamedIn:
    """A proof, and what its prose names."""

    statement: Statement
    proof: Proof
    phrases: dict[StatementId, Phrase]
    cited: frozenset[StatementId]
    """What the theorem or the proof cites."""


@dataclass
class NamingCounts:
    """How often proofs that use a term cite its definition."""

    proofs: list[NamedIn] = field(default_factory=list)
    used: Counter[StatementId] = field(default_factory=Counter)
    cited: Counter[StatementId] = field(default_factory=Counter)

    @classmethod
    def of(cls, corpus: Corpus) -> NamingCounts:
        """Count over all proofs."""
        known = dictionary(corpus.statements)
        counts = cls()
        for statement in corpus.statements:
            for proof in statement.proofs:
                phrases: dict[StatementId, Phrase] = {}
                for key, phrase in mentioned(proof.text, known):
                    phrases.setdefault(key, phrase)
                phrases.pop(statement.id, None)
                cited = frozenset((*statement.references, *proof.references))
                counts.proofs.append(NamedIn(statement, proof, phrases, cited))
                counts.used.update(phrases.keys())
                counts.cited.update(key for key in phrases if key in cited)
        return counts

    def share(self, key: StatementId, named: NamedIn) -> tuple[int, int]:
        """How many of the other proofs that use a term cite its definition, and how many use it."""
        return self.cited[key] - int(key in named.cited), self.used[key] - 1


def missing_reference(project: OpenCorpus) -> Iterator[Problem]:
    """What the prose of proofs names or uses without citing it: one finding for a term, at its first such use."""
    counts = NamingCounts.of(project)
    lines = cache(lambda path: project.texts.get(path, "").split("\n"))
    found: defaultdict[StatementId, list[tuple[Origin, str, NamedIn]]] = defaultdict(list)
    for named in counts.proofs:
        for key in missing(counts, named):
            cited = project.by_id[key]
            if has_generated_label(cited) or comes_later(cited, named.statement, named.proof):
                continue
            origin, written, after = _where(lines, named, named.phrases[key])
            if not _REFERENCE.match(after):  # Else the name is that of another statement, which is cited.
                found[key].append((origin, written, named))
    for key, places in found.items():
        (origin, written, named), cited = places[0], project.by_id[key]
        verb, words = "uses" if cited.kind == "definition" else "names", " ".join(named.phrases[key])
        others = len({one.statement.id for *_, one in places} - {named.statement.id})
        more = (
            f" (and so {'do' if others > 1 else 'does'} {others} more proof{'s' if others > 1 else ''})"
            if others
            else ""
        )
        citation = project.citing(origin.path).citation(cited)
        proof = f"the proof of {name_of(named.statement)}"
        message = f"{proof} {verb} “{written}” without citing {name_of(cited)}{more}: {citation}"
        yield Problem(origin, message, f"{words} -> {cited.label}", quoted=written)


def missing(counts: NamingCounts, named: NamedIn, *, ignore_cited: bool = False) -> Iterator[StatementId]:
    """What a proof names and should cite; `ignore_cited` includes what it cites, to measure the rule."""
    for key, phrase in named.phrases.items():
        if key in named.cited and not ignore_cited:
            continue
        if len(phrase) > 1 and {"theorem", "lemma", "proposition", "corollary"}.intersection(phrase):
            yield key
            continue
        citing, using = counts.share(key, named)
        if using >= _SUPPORT and citing / using >= _USUAL:
            yield key


def _where(lines: Callable[[str], list[str]], named: NamedIn, phrase: Phrase) -> tuple[Origin, str, str]:
    """The line of a phrase, the phrase as written, and what follows; if no line holds it, where the proof begins."""
    start = named.proof.origin or named.statement.origin or Origin("", 1)
    # A phrase is in the singular.
    words = (rf"{re.escape(word[:-1] if len(word) > 3 else word)}\w{{0,4}}+" for word in phrase)
    pattern = re.compile(r"\b" + r"\W+(?:\w+\W+)?".join(words), re.IGNORECASE)
    for number, line in enumerate(lines(start.path)[start.line - 1 : start.line + _FAR]):
        if match := pattern.search(line):
            return Origin(start.path, start.line + number), match.group(), line[match.end() :]
        if "\\end{proof}" in line:
            break
    return start, " ".join(phrase), ""


def near_duplicate(project: OpenCorpus) -> Iterator[Problem]:
    """Statements that repeat an earlier one of the corpus nearly word for word."""
    statements = project.statements
    for later, earlier, share in near_duplicates(statements):
        first, second = statements[earlier], statements[later]
        where = f" at {first.origin}" if first.origin else ""
        message = f"{name_of(second)} says nearly the same as {name_of(first)}{where} ({share:.0%} of the words)"
        subject = f"{second.label} = {first.label}"
        yield Problem(second, message, subject, second.label)


def near_duplicates(statements: Sequence[Statement]) -> Iterator[tuple[int, int, float]]:
    """Positions of a statement and of the earlier one that is most like it, and the share of common words."""
    bags = [Counter(maths(statement.text)) for statement in statements]
    sizes = [bag.total() for bag in bags]
    frequency = Counter(word for bag in bags for word in bag)
    buckets: defaultdict[str, list[int]] = defaultdict(list)
    for at, bag in enumerate(bags):
        if sizes[at] < _SHORTEST:
            continue
        rarest = sorted(bag, key=lambda word: (frequency[word], word))[:_RAREST]
        near = {other for word in rarest for other in buckets[word]}
        share, other = max(((_overlap(bags, sizes, at, other), -other) for other in near), default=(0.0, 0))
        if share >= ALIKE:
            yield at, -other, share
        for word in rarest:
            if frequency[word] <= _COMMON:
                buckets[word].append(at)


def _overlap(bags: list[Counter[str]], sizes: list[int], one: int, other: int) -> float:
    if min(sizes[one], sizes[other]) < ALIKE * max(sizes[one], sizes[other]):
        return 0.0
    return 2 * (bags[one] & bags[other]).total() / (sizes[one] + sizes[other])
