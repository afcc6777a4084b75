"""Suggestions: what a proof may want to cite, with probabilities, reasons and the text to paste."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from itertools import zip_longest
from math import log1p
from typing import TYPE_CHECKING

from naturalproofs.corpus.graph import consequences
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.errors import PlacesUnknown
from naturalproofs.records import USES, Passage, Statement, StatementId
from naturalproofs.sources.latex import citations, plain_title, read_option, scanner
from naturalproofs.sources.reading.settings import KeyStyle
from naturalproofs.tokens import maths
from naturalproofs.workspace.citations import Citing, families
from naturalproofs.workspace.coverage import FITTED, Coverage
from naturalproofs.workspace.document_macros import macros_for
from naturalproofs.workspace.labels import NewLabel
from naturalproofs.workspace.render import html, name_or_label, preview, printed_name

if TYPE_CHECKING:
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.ranking.contract import RankedCandidate, Reason
    from naturalproofs.workspace.open_corpus import OpenCorpus

_NAMED = 2
"""Statements that a reason names; there may be more."""
_DEPTH = 100
"""How many candidates of each corpus are ranked to say how long a list is enough."""
_NEARBY = 10
"""The distance at which a statement that stands after the proof counts half (docs/log/forward-citations.md)."""
_NOTEBOOK = 600
"""Characters of a statement up to which a notebook shows all of it."""
_ELSEWHERE = 0.25
"""What other works may add to the citations that are expected of the user's own, unless it has none."""
_COMPARED = 10
"""Suggestions of each work whose words are counted, to weight the words of the theorem."""
_COVERING = 5
"""Suggestions of a work that show whether it treats the subject of the theorem."""
_RELEVANCE = 2.0
"""The power of that share."""
_METADATA = re.compile(
    r"\\(?:label|uses|lean|proves|discussion|alsoIn)\s*\{[^{}]*\}|\\(?:leanok|mathlibok|notready)(?![a-zA-Z])"
)
"""What is no part of the text: the label, and what a blueprint says about a statement."""
_CITING: dict[str, KeyStyle] = {**scanner.CITING, USES: "list"}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One statement that the proof may want to cite."""

    statement: Statement
    corpus: str
    """The name of its corpus."""
    score: float
    probability: float | None
    """That the proof cites it, if the method is calibrated."""
    reasons: tuple[Reason, ...]
    citing: Citing = field(default_factory=Citing)
    names: Mapping[StatementId, str] = field(default_factory=dict, repr=False)
    """The names of the statements that reasons mention."""
    new_label: NewLabel | None = None
    """The label that it would get, if it has none yet."""
    source: Corpus | None = field(default=None, repr=False)
    """Its corpus, which says what its references print."""
    said: float = 0.0
    """At a cursor: how much of the sentence before it the statement has."""

    @property
    def name(self) -> str:
        """As printed: ``Lemma 3.2.5``, or the word alone if there is no number."""
        return printed_name(self.statement)

    @property
    def title(self) -> str:
        """Its title as plain text."""
        return self.citing.plain(self.statement.title)

    @property
    def preview(self) -> str:
        """Its beginning on one line of Unicode text."""
        return preview(self.statement, self.citing.macros, corpus=self.source)

    @property
    def citation(self) -> str:
        r"""What to paste: ``\cref{lem:a}``, or words if it is in another work or has no label."""
        return self.citing.citation(self.statement)

    @property
    def citation_by_new_label(self) -> str:
        """How it is cited once it has its new label; empty if it gets none."""
        if self.new_label is None:
            return ""
        return self.citing.citation(replace(self.statement, label=self.new_label.label))

    @property
    def why(self) -> tuple[str, ...]:
        """The reasons in words, with the names of the statements they mention."""
        texts = []
        for reason in self.reasons:
            found = [self.names[key] for key in reason.statements if key in self.names]
            more = ", …" if len(found) > _NAMED else ""
            texts.append(f"{reason.text} ({', '.join(found[:_NAMED])}{more})" if found else reason.text)
        return tuple(texts)

    @property
    def where(self) -> str:
        """File and line, if they are known."""
        return self.citing.where(self.statement)


@dataclass(frozen=True, slots=True)
class Suggestions:
    """A ranked list, best first."""

    items: tuple[Suggestion, ...]
    expected: float | None = None
    """The expected number of citations, from calibrated probabilities."""
    enough: int | None = None
    """How many of the list are probably all that the proof cites; None if no probabilities are stated or the list is
    too short."""
    covered: float | None = None
    """The share of the expected citations that the list holds."""
    enough_probability: float | None = None
    """That the proof cites nothing beyond the first `enough`."""
    query: str = ""
    """The query in a few words."""
    about: StatementId | None = None
    """The theorem that was asked about, if it is in a corpus."""
    cited: tuple[StatementId, ...] = ()
    """What the proof cites already."""
    anything: float | None = None
    """That the proof cites anything; None where a proof is begun, or the method is not calibrated."""
    finished: bool = False
    """Whether the proof is written: the list is of what else it could cite, and a probability is that of being the one
    statement that it lacks, if it lacks one."""

    @property
    def verdict(self) -> str:
        """What is said about the whole list: whether anything is cited, and how many are probably enough."""
        if self.expected is None or self.covered is None:
            return "How many of these are enough is not known: no probabilities are stated."
        ranked = sum(one.probability is not None for one in self.items)
        these = "This one holds" if ranked == 1 else f"These {ranked} hold"
        if self.finished:
            return (
                "The proof is written; this is what else it could cite. "
                f"If it lacks a citation, {these[0].lower()}{these[1:]} it with probability {self.covered:.0%}."
            )
        about, any_at_all = f"about {_count(self.expected)}", 1.0 if self.anything is None else self.anything
        if self.enough == 0 and self.enough_probability is not None:
            nothing = 1 - any_at_all * (1 - self.enough_probability)
            return f"The proof probably cites nothing{' more' if self.cited else ''} (probability {nothing:.0%})."
        if self.enough is not None and self.enough_probability is not None:
            first = "The first one is" if self.enough == 1 else f"The first {self.enough} are"
            rest = "rest of the " if self.cited else ""
            sure = f"(probability {self.enough_probability:.0%}; {about})"
            said = f"{first} probably all that the {rest}proof cites {sure}."
        else:
            said = f"{these} {self.covered:.0%} of what is expected ({about})."
        if self.anything is None:
            return said
        return f"The proof cites something with probability {self.anything:.0%}. If so: {said[0].lower()}{said[1:]}"

    @property
    def uses(self) -> str:
        r"""What a blueprint would list: ``\uses{…}`` with those that are probably enough; empty in others."""
        own = [item for item in self.items[: self.enough] if item.citing.command == USES and not item.citing.work]
        labels = [item.statement.label for item in own if not has_generated_label(item.statement)]
        return f"\\{USES}{{{', '.join(labels)}}}" if labels else ""

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.items)

    def __getitem__(self, position: int) -> Suggestion:
        return self.items[position]

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        rows = "".join(_row(rank, item) for rank, item in enumerate(self.items, start=1))
        head = "".join(f"<th>{word}</th>" for word in ("", "", "statement", "why", "cite"))
        caption = f"<caption>Suggestions for <em>{escape(self.query)}</em></caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _count(expected: float) -> str:
    number = f"{expected:.1f}" if expected < 10 else f"{expected:.0f}"
    return f"{number} citation{'' if number == '1.0' else 's'}"


def _row(rank: int, item: Suggestion) -> str:
    probability = "" if item.probability is None else f"{item.probability:.0%}"
    title = f" <em>{escape(item.title)}</em>" if item.title else ""
    source = item.statement.text
    macros = macros_for(item.citing.macros, item.statement)
    body = html(source, macros) if len(source) <= _NOTEBOOK else escape(item.preview)
    why = "<br>".join(map(escape, item.why))
    cells = (
        f"<td>{rank}</td><td>{probability}</td>",
        f"<td style='text-align:left'><strong>{escape(item.name)}</strong>{title}<div>{body}</div></td>",
        f"<td style='text-align:left'>{why}</td><td><code>{escape(item.citation)}</code></td>",
    )
    return f"<tr>{''.join(cells)}</tr>"


def as_suggestion(corpus: OpenCorpus, answer: RankedCandidate, citing: Citing) -> Suggestion:
    """A ranked candidate with its names and its citation."""
    from naturalproofs.ranking.contract import Reason

    by_id = corpus.by_id
    statement = corpus.statements[answer.position]
    # Methods use the words of a label where there is no title; a reason must not call that a title.
    reasons = tuple(reason for reason in answer.reasons if reason.kind != "titles" or statement.title)
    new = None
    labels = corpus.new_labels if corpus.root is not None else None
    by_author = labels is not None and labels.is_numbered_by_author(statement)
    if has_generated_label(statement) and not citing.work and not by_author:
        new = labels.of(statement) if labels is not None else None
        how = f"write {new.source} at {new.origin}" if new is not None else "give it one"
        # The first of the reasons, as some lists show only a few: without this step it cannot be cited.
        reasons = (Reason("label", f"has no label yet: {how} to cite it"), *reasons)
    named = (key for reason in reasons for key in reason.statements)
    # A label that was generated is no name.
    mentioned = {
        key: one
        for key in named
        if (one := by_id.get(key)) and (one.number or one.title or not has_generated_label(one))
    }
    names = {key: citing.plain(one.title) or name_or_label(one, {}) for key, one in mentioned.items()}
    return Suggestion(statement, corpus.name, answer.score, answer.probability, reasons, citing, names, new, corpus)


def rank_candidates(
    corpus: OpenCorpus,
    passage: Passage,
    about: Statement | None,
    position: int | None,
    k: int,
    explained: int | None,
    cited: Sequence[StatementId],
    again: bool = False,
    wanted: str = "",
) -> Sequence[RankedCandidate]:
    """Rank the candidates of one corpus; a method that needs a place is given the end of the text.

    What is cited comes again if that is allowed, and the family that is wanted comes first.
    """
    asked = corpus.placed_at(passage, position)
    excluded = corpus.excluded(about, position)
    depth = min(max(k, _DEPTH), len(corpus.candidates))
    # At a cursor any of them may come first in the end.
    reasons = (depth if again else k) if explained is None else explained
    statements = corpus.statements if wanted else ()
    ask = partial(
        corpus.suggester.suggest,
        k=depth,
        excluded=excluded,
        cited=cited,
        again=again,
        preferred=[at for at, one in enumerate(statements) if wanted in families(one.form)],
        explained=reasons,
    )
    try:
        return ask(asked)
    except PlacesUnknown:
        if asked.place is not None or not corpus.placed:
            raise
        return ask(corpus.placed_at(asked, len(corpus.candidates)))


def rank_later(
    corpus: OpenCorpus, passage: Passage, about: Statement, position: int | None, k: int, cited: Sequence[StatementId]
) -> list[RankedCandidate]:
    """What stands after a proof and does not depend on its theorem: an exercise below, an appendix.

    The likely and near come first. They have no probability: it is known for what stands before only.
    """
    from naturalproofs.ranking.contract import Reason

    if position is None or not corpus.placed:
        return []
    circular = {about.id, *consequences(corpus.graph, about.id)}
    ahead = [one.place.position - position if one.place else -1 for one in corpus.candidates]
    excluded = [
        at
        for at, (distance, one) in enumerate(zip(ahead, corpus.statements, strict=True))
        if distance < 0 or one.id in circular or has_generated_label(one)
    ]
    asked = replace(passage, place=None)
    ranked = corpus.suggester.suggest(asked, k=_DEPTH, excluded=excluded, cited=cited, explained=0)
    if all(one.probability is not None for one in ranked):
        ranked = sorted(ranked, key=lambda one: -(one.probability or 0) / (_NEARBY + ahead[one.position]))
    forward = (Reason("forward", "stands after this proof, and does not depend on the theorem"),)
    return [replace(one, probability=None, reasons=forward) for one in ranked[:k]]


def merge(lists: Sequence[Sequence[Suggestion]], theorem: str, *, own: bool) -> list[Suggestion]:
    """Several ranked lists as one.

    If all suggestions have a probability, they become one distribution: a proof does not cite more because more works
    are open. A probability holds for a theorem of that work, so it counts less the less the work has of the theorem's
    words. The first work keeps what is left, and the others share what they may add to it.

    Args:
        lists: The suggestions of each work, those of the user's own first.
        theorem: The text that was asked about.
        own: Whether the theorem is known to stand in the first work.
    """
    if len(lists) == 1:
        return list(lists[0])
    everything = [suggestion for one in lists for suggestion in one]
    if any(suggestion.probability is None for suggestion in everything):
        return [suggestion for row in zip_longest(*lists) for suggestion in row if suggestion is not None]
    factors = _relevance(theorem, lists)
    if own:
        factors[0] = 1.0
    first, *others = (
        factor * sum(one.probability or 0 for one in suggestions)
        for factor, suggestions in zip(factors, lists, strict=True)
    )
    share = min(1.0, max(max(others) - first, _ELSEWHERE * first) / (sum(others) or 1))
    factors[1:] = [share * factor for factor in factors[1:]]
    scaled = [
        replace(one, probability=factor * (one.probability or 0))
        for factor, suggestions in zip(factors, lists, strict=True)
        for one in suggestions
    ]
    return sorted(scaled, key=lambda suggestion: -(suggestion.probability or 0))


def if_one_is_missing(ranked: Sequence[Suggestion], candidates: int) -> list[Suggestion]:
    """Suggestions for a written proof, each with the probability of being what it lacks, if it lacks one citation."""
    known = [one.probability for one in ranked if one.probability is not None]
    if len(known) < len(ranked):
        return list(ranked)
    chances = FITTED.one_missing(known, candidates)
    return [replace(one, probability=chance) for one, chance in zip(ranked, chances, strict=True)]


def covered_by_one(ranked: Sequence[Suggestion], k: int) -> Coverage:
    """What the first k say about a written proof that lacks one citation."""
    known = [one.probability for one in ranked if one.probability is not None]
    return Coverage(1.0, None, sum(known[:k]), None) if known and len(known) == len(ranked) else Coverage()


def _relevance(theorem: str, lists: Sequence[Sequence[Suggestion]]) -> list[float]:
    """How much of the words of a theorem the best suggestions of each work have, weighted by idf; the best has 1."""
    texts = [[_words_of(one.statement) for one in suggestions[:_COMPARED]] for suggestions in lists]
    counts = Counter(word for work in texts for words in work for word in words)
    size = sum(map(len, texts))
    weights = {word: log1p(size / (1 + counts[word])) for word in _words(theorem)}
    covered = [sum(weights[word] for word in weights if any(word in one for one in work[:_COVERING])) for work in texts]
    best = max(covered, default=0.0)
    return [(share / best) ** _RELEVANCE if best else 1.0 for share in covered]


def _words_of(statement: Statement) -> set[str]:
    return _words(" ".join((statement.title, *statement.lines)))


def _words(text: str) -> set[str]:
    return {token for token in maths(text) if len(token) > 1 and token[0].isalpha()}


@dataclass(frozen=True, slots=True)
class PastedTheorem:
    """A theorem as a user pastes it, and as much of its proof as is written."""

    text: str
    title: str = ""
    proof: str = ""
    keys: tuple[str, ...] = ()
    """The labels that the proof cites so far."""


def parse_theorem(source: str) -> PastedTheorem:
    """Split a pasted theorem, with or without its environment, from the beginning of its proof."""
    tokens = scanner.tokenize(source)
    begins = next((one for one in tokens if one.kind is scanner.TokenKind.BEGIN and one.name == "proof"), None)
    proof, title, stop = "", "", len(source)
    if begins is not None:
        proof, stop = _inside(source, begins, tokens, begins.end, stop), begins.start
    first = next(
        (one for one in tokens if source[one.start : one.end].strip() and one.kind != scanner.TokenKind.COMMENT), None
    )
    if first is not None and first.kind is scanner.TokenKind.BEGIN and first.end <= stop:
        option = read_option(source, first.end)
        title = plain_title(option.text) if option else ""
        text = _inside(source, first, tokens, option.end if option else first.end, stop)
    else:
        text = source[:stop]
    return PastedTheorem(_METADATA.sub("", text).strip(), title, _METADATA.sub("", proof).strip(), cited_keys(proof))


def _inside(source: str, begin: scanner.Token, tokens: Sequence[scanner.Token], start: int, stop: int) -> str:
    """The text of an environment up to its end, if that is the last thing before `stop`, else up to `stop`."""
    ends = (one for one in reversed(tokens) if one.kind is scanner.TokenKind.END and start <= one.start < stop)
    last = next(ends, None)
    closed = last is not None and last.name == begin.name and not source[last.end : stop].strip()
    return source[start : last.start if last is not None and closed else stop]


def pasted_query(source: str, *, title: str = "", proof: str = "") -> tuple[Passage, tuple[str, ...], bool]:
    """What methods are asked about a pasted theorem, the labels that its proof cites, and whether a proof is begun.

    Args:
        source: The theorem in LaTeX, possibly with the beginning of its proof.
        title: Its title, if that is known.
        proof: As much of the proof as is written, if it does not stand in the source.
    """
    pasted = parse_theorem(source)
    text = with_proof(citations.without_keys(pasted.text), proof or pasted.proof)
    passage = Passage("", "theorem", title or pasted.title, text)
    begun = bool((proof or pasted.proof).strip())
    return passage, tuple(dict.fromkeys((*pasted.keys, *cited_keys(proof)))), begun


def with_proof(text: str, proof: str) -> str:
    """A theorem and the beginning of its proof as one text, without its citations."""
    if not proof.strip():
        return text
    parts, at = [], 0
    for one in citations.find_citations(proof):
        parts.append(proof[at : one.start])
        at = max(at, one.end)
    return f"{text}\n{''.join(parts)}{proof[at:]}"


def cited_keys(text: str) -> tuple[str, ...]:
    """The labels that a text cites, each once, in order."""
    return tuple(dict.fromkeys(key.key for one in citations.find_citations(text, _CITING) for key in one.keys))
