"""Rules that suggest: citations that a proof may have forgotten, and statements that repeat one another."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import Origin, Proof, Statement, StatementId
from naturalproofs.tokens import maths
from naturalproofs.workspace.check.finding import Problem, comes_later, name_of
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.phrases import LONGEST, Phrase, names_of, terms_of, words

_USUAL = 0.6
"""A definition is missing if at least this share of the other proofs that use its term cite it …"""
_SUPPORT = 5
"""… and at least so many use it."""
_FAR = 400
"""Lines of a proof that are searched for the phrase."""
_VOTES = 5
"""How many of the most similar proofs must cite a statement …"""
_NEIGHBOURS = 10
"""… among so many …"""
_SIMILAR = 0.3
"""… whose theorems have at least this cosine similarity."""
_BLOCK = 256
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
    found, at = words(text), 0
    while at < len(found):
        for length in range(min(LONGEST + 2, len(found) - at), 0, -1):
            phrase = tuple(found[at : at + length])
            if phrase in known:
                yield known[phrase], phrase
                at += length
                break
        else:
            at += 1


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
    """Proofs whose prose names a titled theorem, or uses a term whose definition other proofs cite."""
    counts = NamingCounts.of(project.corpus)
    lines = cache(lambda path: project.texts.get(path, "").split("\n"))
    for named in counts.proofs:
        for key in missing(counts, named):
            cited = project.corpus.by_id[key]
            if has_generated_label(cited) or comes_later(cited, named.statement, named.proof):
                continue
            origin, after = _where(lines, named, named.phrases[key])
            if _REFERENCE.match(after):
                continue  # The name is that of another statement, which is cited.
            citation = project.citing(origin.path).citation(cited)
            verb, words = "uses" if cited.kind == "definition" else "names", " ".join(named.phrases[key])
            message = (
                f"the proof of {name_of(named.statement)} {verb} “{words}” without citing {name_of(cited)}: {citation}"
            )
            subject = f"{named.statement.label} -> {cited.label}"
            yield Problem(origin, message, subject)


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


def _where(lines: Callable[[str], list[str]], named: NamedIn, phrase: Phrase) -> tuple[Origin, str]:
    """The line of the phrase if it is on one line, else the beginning of the proof; and what the line says after it."""
    start = named.proof.origin or named.statement.origin or Origin("", 1)
    pattern = re.compile(r"\W+(?:\w+\W+)?".join(map(re.escape, phrase)), re.IGNORECASE)
    for number, line in enumerate(lines(start.path)[start.line - 1 : start.line + _FAR]):
        if match := pattern.search(line):
            return Origin(start.path, start.line + number), line[match.end() :]
        if "\\end{proof}" in line:
            break
    return start, ""


def usually_cited(project: OpenCorpus) -> Iterator[Problem]:
    """Proofs that do not cite what the proofs of similar theorems cite."""
    corpus = project.corpus
    for statement, key, similar in usual_citations(project):
        if key in statement.references or any(key in proof.references for proof in statement.proofs):
            continue
        missed = corpus.by_id[key]
        citing = project.citing(statement.origin.path if statement.origin else "")
        origin = statement.proofs[0].origin or statement.origin or Origin(statement.label, 1)
        names = " and ".join(name_of(corpus.by_id[one]) for one in similar[:2])
        message = (
            f"{len(similar)} similar proofs, such as those of {names}, cite {name_of(missed)}; "
            f"the proof of {name_of(statement)} does not: {citing.citation(missed)}"
        )
        subject = f"{statement.label} -> {missed.label}"
        yield Problem(origin, message, subject, statement.label)


def usual_citations(corpus: OpenCorpus) -> Iterator[tuple[Statement, StatementId, tuple[StatementId, ...]]]:
    """For each proved theorem, what the proofs of similar theorems cite, and those theorems."""
    import numpy as np

    from naturalproofs.ranking.lexical import TfIdf

    examples = corpus.train.examples
    theorems = [statement for statement in corpus.corpus.of_kind("theorem") if statement.proofs]
    if not examples:
        return
    scorer = TfIdf().fit(corpus.train, seed=0).index([example.theorem for example in examples])
    for first in range(0, len(theorems), _BLOCK):
        block = theorems[first : first + _BLOCK]
        scores = scorer.score([corpus.candidates[corpus.positions[one.id]] for one in block])
        for statement, row in zip(block, scores, strict=True):
            voters: defaultdict[StatementId, list[StatementId]] = defaultdict(list)
            others = [at for at in np.argsort(-row, kind="stable") if examples[at].theorem.id != statement.id]
            for at in others[:_NEIGHBOURS]:
                for key in dict.fromkeys(examples[at].references) if row[at] >= _SIMILAR else ():
                    voters[key].append(examples[at].theorem.id)
            often = {key: tuple(dict.fromkeys(found)) for key, found in voters.items() if len(found) >= _VOTES}
            excluded = set(corpus.excluded(statement, corpus.position_of(statement))) if often else set()
            for key in sorted(often, key=corpus.positions.__getitem__):
                if corpus.positions[key] not in excluded:
                    yield statement, key, often[key]


def near_duplicate(project: OpenCorpus) -> Iterator[Problem]:
    """Statements that repeat an earlier one of the corpus nearly word for word."""
    statements = project.corpus.statements
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
