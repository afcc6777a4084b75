"""The scorer of the hybrid: the trees' order of the pool, probabilities and reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

import numpy as np

from naturalproofs.errors import NotSupported
from naturalproofs.ranking.contract import RankedCandidate, Reason, Scorer, Scores, how_far, preferred_first
from naturalproofs.ranking.hybrid.candidates import EXCLUDED, extract_terms, written_words
from naturalproofs.ranking.hybrid.features import FeatureTable, features
from naturalproofs.ranking.hybrid.first_stage import HybridIndex, PooledQuery, first_stage
from naturalproofs.ranking.hybrid.prepared import PreparedTexts, open_prepared, save_arrays
from naturalproofs.ranking.hybrid.together import LEADING, Boosters, Judged
from naturalproofs.ranking.term_vectors import Floats, best, row_terms
from naturalproofs.records import KINDS, Passage, StatementId
from naturalproofs.sources.latex import plain_unicode, symbols
from naturalproofs.tokens import FORMULA, STOP_WORDS, function_words, language_of, singular, word_lists

# Why a candidate is suggested, in words: from the feature groups that contributed most to its score.

MOST = 3
VOTERS = 10
"""Similar theorems that a reason counts."""
OFTEN = 5
"""Proofs that cite what is called often cited."""
SEVERAL = 2
"""Proofs that cite two candidates, which are then said to be cited together."""
SHOWN = 3
"""The most words that a reason names."""
ALIKE = 0.5
"""The smallest cosine of statements that are called alike."""
_JOINED = re.compile(
    r"\\(math(?:cal|frak|bf|bb|scr|rm|it)|text(?:it|rm|bf)?|operatorname\*?|overline|widehat|widetilde|underline)"
    r"\{?([A-Za-z]+)\}?"
)
SYMBOLS = {r"\abs": "|·|", r"\norm": "‖·‖", r"\P": "", r"\S": "", r"\AA": ""}
"""Shown in place of what LaTeX means by them; authors give the symbols of text other meanings in formulas."""
COMMON = frozenset("∗⊤⊥≤≥<>=≠≈≃≅≡∼:≔∈∋∉⊂⊆⊊⊃⊇∪∩∖∅∀∃¬∧∨×·⋅∘±∓−+→↦↪↠←↔⇒⇔⟹⟺⟶∞∂∑∏∫√…⋯ℕℤℚℝℂ|‖⟨⟩'′^*∣")
"""What texts of every subject write: no reason names these alone, nor a single Latin or Greek letter."""
_ONE_VOTER = "cited by the most similar proof"
_DIAGRAM = re.compile(rf"\\begin\{{({'|'.join(sorted(map(re.escape, symbols.DIAGRAMS)))})\}}")
_PHRASE = re.compile(r"\\[a-zA-Z]++|([^\W_]++)")
_OPTIONS = re.compile(r"\\[a-zA-Z]++\*?\s*+\[[^\[\]]*+\]")
_VERBAL = re.compile(r"\\(?:text[a-z]*|mbox)\{?[A-Za-z]*\}?|[a-z]{3,}")
"""Text inside formulas."""
RARE = 1.5
"""The rarity of a word that one statement in five has."""


@dataclass(frozen=True, slots=True)
class Case:
    """One candidate to explain."""

    index: HybridIndex
    pooled: PooledQuery
    position: int
    voters: Sequence[int]
    """The proofs of the most similar theorems, the most similar first."""
    leading: Sequence[int] = ()
    """The best candidates."""


def reasons(
    index: HybridIndex,
    pooled: PooledQuery,
    table: FeatureTable,
    boosters: Boosters,
    judged: Judged,
    rows: Sequence[int],
) -> list[tuple[Reason, ...]]:
    """For each row of the pool up to three reasons, by their contribution to the score."""
    if not rows:
        return []
    moved = boosters.contributions(judged, table, rows)
    voters = _voters(pooled)
    leading = pooled.pool[judged.top[:LEADING]].tolist()
    found = []
    for number, row in enumerate(rows):
        case = Case(index, pooled, int(pooled.pool[row]), voters, leading)
        given: list[Reason] = []
        for group, explain in EXPLAINERS.items():
            reason = explain(case)
            if reason is not None:
                weight = float(moved[group][number]) if group in moved else 0.0
                given.append(replace(reason, weight=round(weight, 4)))
        # A signal against a candidate is no reason for it, unless there is no other.
        given.sort(key=lambda reason: -reason.weight)
        shown = [r for r in given if r.weight > 0] or given[:1]
        # The association has no example to show, so it is named only where there are few other reasons.
        if len(shown) > 2:
            shown = [reason for reason in shown if reason.kind != "learned"]
        found.append(tuple(shown[:MOST]))
    return found


def _voters(pooled: PooledQuery) -> list[int]:
    similar = pooled.similar.get("learned", pooled.similar["tokens"])
    order = best(similar, VOTERS)
    return [row for row in order.tolist() if similar[row] > 0]


def _counts(case: Case) -> Reason | None:
    """Cited by the proofs of similar theorems, or in the last proof, or else by many."""
    proofs = case.index.proofs
    citing = np.setdiff1d(row_terms(proofs.by_candidate, case.position), case.pooled.hidden)
    theorems = [proofs.examples[row].theorem.id for row in case.voters if row in citing]
    if theorems:
        voters = len(case.voters)
        text = f"cited by {len(theorems)} of the {voters} most similar proofs" if voters > 1 else _ONE_VOTER
        return Reason("votes", text, tuple(dict.fromkeys(theorems)))
    return Reason("counts", f"often cited ({len(citing):,} proofs)") if len(citing) >= OFTEN else None


def _together(case: Case) -> Reason | None:
    """Several proofs cite it together with one of the best candidates."""
    by_candidate = case.index.proofs.by_candidate
    citing = np.setdiff1d(row_terms(by_candidate, case.position), case.pooled.hidden)
    others = [one for one in case.leading if one != case.position]
    common = [len(np.intersect1d(citing, row_terms(by_candidate, other))) for other in others]
    if max(common, default=0) < SEVERAL:
        return None
    other = others[int(np.argmax(common))]
    text = f"cited together with another likely one in {max(common):,} proofs"
    return Reason("together", text, (case.index.candidates.passages[other].id,))


def _habits(case: Case) -> Reason | None:
    """Cited in the last proof before; proofs that cite nothing are not known here."""
    proofs, here = case.index.proofs, case.pooled.query.place
    if here is None or proofs.place is None or not case.pooled.seen.any():
        return None
    last = int(np.where(case.pooled.seen & (proofs.place < here.position), proofs.place, -1).argmax())
    if case.position not in row_terms(proofs.cited, last):
        return None
    return Reason("habits", "cited in the last proof above that cites anything", (proofs.examples[last].theorem.id,))


def _analogous(case: Case) -> Reason | None:
    """Reads like what the proofs of similar theorems cite."""
    learned, proofs = case.index.association, case.index.proofs
    cited = [row_terms(proofs.cited, row) for row in case.voters]
    if learned is None or not cited:
        return None
    others = np.setdiff1d(np.concatenate(cited), [case.position])
    alike = learned.texts[others] @ learned.texts[case.position]
    if not len(others) or alike.max() < ALIKE:
        return None
    model = int(others[int(alike.argmax())])
    return Reason("analogous", "reads like what a similar proof cites", (case.index.candidates.passages[model].id,))


def _words(case: Case) -> Reason | None:
    """The rarest words that both texts have, as they stand there."""
    asked, own = case.pooled.query, case.index.candidates.passages[case.position]
    rarest = _rarest(case, "prose", case.pooled.terms["words"])
    if not rarest:
        return None
    here, there = (written_words(readable(passage.text)) for passage in (asked, own))
    language = language_of(asked.text.casefold().split())
    skipped = function_words()[language] | word_lists("plain_words").get(language, frozenset())
    forms = [common_form(here.get(word, ()), there.get(word, ())) for word in rarest]
    titles = {*_phrase(asked.title), *_phrase(own.title)}
    # What names one of the two says more than a rarer word.
    shown = sorted(
        (form for form in forms if form and form not in skipped), key=lambda one: singular(one) not in titles
    )
    return Reason("words", f"shares {', '.join(shown[:SHOWN])}") if shown else None


def readable(text: str) -> str:
    """A text without formulas, drawings and options of commands."""
    return _OPTIONS.sub(" ", FORMULA.sub(" ", _without_drawings(text)))


def _without_drawings(text: str) -> str:
    """A text without diagrams and pictures: their words are names of styles, and their commands draw."""
    parts, at = [], 0
    for found in _DIAGRAM.finditer(text):
        if found.start() >= at:
            parts.append(text[at : found.start()])
            end = text.find(f"\\end{{{found[1]}}}", found.end())
            at = end if end >= 0 else len(text)
    return "".join((*parts, text[at:]))


def common_form(here: Collection[str], there: Collection[str]) -> str:
    """The shortest form of a word that stands in both texts; empty if there is none."""
    return min((form for form in here if form in there), key=lambda form: (len(form), form), default="")


def _formulas(case: Case) -> Reason | None:
    """The rarest notation that both have outside drawings; words inside formulas are no notation."""
    signs = [sign for sign in case.pooled.terms["signs"] if not _VERBAL.fullmatch(sign)]
    for passage in (case.pooled.query, case.index.candidates.passages[case.position]):
        if _DIAGRAM.search(passage.text):
            outside = set(extract_terms("", _without_drawings(passage.text))["signs"])
            signs = [sign for sign in signs if sign in outside]
    rarest = map(_read, _rarest(case, "signs", signs))
    shown = list(dict.fromkeys(sign for sign in rarest if is_specific(sign)))
    return Reason("formulas", f"shares the notation {', '.join(shown[:SHOWN])}") if shown else None


def is_specific(sign: str) -> bool:
    """Whether a symbol tells anything: no common one, and no single Latin or Greek letter."""
    if len(sign) == 1:
        return sign not in COMMON and not ("A" <= sign <= "z" or "Ͱ" <= sign <= "Ͽ" or sign in "ϕϵℓ∂∇")
    return bool(sign) and not COMMON.issuperset(sign)


def _titles(case: Case) -> Reason | None:
    """What the candidate is called stands in the query's text, word after word."""
    candidate = case.index.candidates.passages[case.position]
    named = _phrase(candidate.title)
    while named and named[0] in STOP_WORDS:
        del named[0]
    if not named or FORMULA.search(candidate.title):
        return None
    if f" {' '.join(named)} " not in f" {' '.join(_phrase(readable(case.pooled.query.text)))} ":
        return None
    verb = "defines" if candidate.kind == "definition" else "is about"
    return Reason("titles", f"{verb} “{plain_unicode(candidate.title, {})}”, named in the text")


def _phrase(text: str) -> list[str]:
    """All words and numbers of a text in order, in the singular."""
    return [singular(found[1].casefold()) for found in _PHRASE.finditer(text) if found[1]]


def _stated(case: Case) -> Reason | None:
    here = case.index.candidates.passages[case.position].id
    return Reason("stated", "cited in the statement itself") if here in case.pooled.query.cites else None


def _place(case: Case) -> Reason | None:
    here, there = case.pooled.query.place, case.index.candidates.passages[case.position].place
    places = case.index.candidates.place
    if here is None or there is None or places is None:
        return None
    since = (places >= there.position) & (places < here.position)
    results = int((since & (case.index.candidates.kind == KINDS.index("theorem"))).sum())
    is_result = case.index.candidates.passages[case.position].kind == "theorem"
    if text := how_far(int(since.sum()), results, is_result=is_result):
        return Reason("place", text)
    if (here.document, here.chapter) != (there.document, there.chapter):
        return None
    if here.section == there.section and here.section:
        return Reason("place", "in the same section")
    return Reason("place", "in the same chapter") if here.chapter else None


def _learned(case: Case) -> Reason | None:
    """The learned association, which has no example to show."""
    if case.index.association is None:
        return None
    return Reason("learned", "statements like this serve theorems like this one, as learnt from the training proofs")


EXPLAINERS: dict[str, Callable[[Case], Reason | None]] = {
    "counts": _counts,
    "together": _together,
    "habits": _habits,
    "analogous": _analogous,
    "stated": _stated,
    "place": _place,
    "titles": _titles,
    "words": _words,
    "formulas": _formulas,
    "learned": _learned,
}


def _rarest(case: Case, view: str, terms: Collection[str]) -> list[str]:
    """The shared terms that the fewest statements have."""
    vocabulary = case.index.candidates.vocabularies[view]
    asked = {vocabulary.index[term]: term for term in terms if term in vocabulary.index}
    shared = [
        number for number in row_terms(case.index.candidates.rows[view], case.position).tolist() if number in asked
    ]
    rare = [
        (-float(vocabulary.rarity[number]), asked[number])
        for number in shared
        if vocabulary.rarity[number] > RARE and asked[number] not in word_lists("plain_words")["en"]
    ]
    return [term for _, term in sorted(rare)[: 2 * SHOWN]]


def _read(sign: str) -> str:
    """A symbol as Unicode; empty for layout, and for a command of the author, whose name is not what it prints."""
    if sign in word_lists("plain_words")["commands"]:
        return ""
    # The terms have no spaces: \\widetilde M has become one command.
    joined = _JOINED.fullmatch(sign)
    source = f"\\{joined[1]}{{{joined[2]}}}" if joined else sign
    shown = SYMBOLS[sign] if sign in SYMBOLS else plain_unicode(f"${source}$", {})
    return "" if "\\" in shown else shown


TIE = np.float32(1e-3)
"""The weight of the first stage where trees give equal scores."""
BLOCK = 256
"""Queries that other methods score at a time."""


@dataclass(frozen=True, slots=True)
class HybridScorer:
    """A fitted hybrid bound to candidates."""

    bound: HybridIndex = field(repr=False)
    boosters: Boosters = field(repr=False)
    others: tuple[tuple[str, Scorer], ...] = field(default=(), repr=False)
    source: PreparedTexts | Path | None = field(default=None, repr=False, compare=False)
    """What the next index can reuse, or the folder that it is saved in."""

    @property
    def prepared(self) -> PreparedTexts | None:
        """What the next index can reuse."""
        return open_prepared(self.source) if isinstance(self.source, Path) else self.source

    def score(self, queries: Sequence[Passage]) -> Scores:
        """The trees' order for the pool; below it the first stage's."""
        return self.score_calibrated(queries, [()] * len(queries))[0]

    def score_calibrated(self, queries: Sequence[Passage], excluded: Sequence[Sequence[int]]) -> tuple[Scores, Scores]:
        """The same scores, and the probabilities of the pool's candidates that are not excluded."""
        return self.score_together(queries, excluded, ())[0]

    def score_together(
        self, queries: Sequence[Passage], excluded: Sequence[Sequence[int]], others: Sequence[HybridScorer]
    ) -> list[tuple[Scores, Scores]]:
        """The same for several sets of trees over one index, whose features are computed once."""
        shape = len(queries), len(self.bound.candidates)
        scorers = (self, *others)
        answers = [(np.zeros(shape, np.float32), np.full(shape, np.nan, np.float32)) for _ in scorers]
        for row, (pooled, table) in enumerate(self.each(queries)):
            allowed = ~np.isin(pooled.pool, np.asarray(excluded[row], dtype=np.intp))
            for (scores, probabilities), scorer in zip(answers, scorers, strict=True):
                ordered = scorer.judge(pooled, table).scores
                scores[row] = whole_order(pooled, ordered)
                probabilities[row, pooled.pool[allowed]] = scorer.probabilities(pooled, table, ordered[allowed])
        return answers

    def suggest(
        self,
        query: Passage,
        *,
        k: int,
        excluded: Collection[int] = (),
        cited: Sequence[StatementId] = (),
        again: bool = False,
        preferred: Collection[int] = (),
        explained: int | None = None,
        odds: Sequence[float] = (),
    ) -> tuple[RankedCandidate, ...]:
        """The best k candidates with probabilities and reasons; ``odds`` are added to the logarithms of their odds."""
        pooled, table = next(self.each([query], [excluded], cited, again=again))
        judged = self.judge(pooled, table)
        scores = judged.scores
        probabilities = self.probabilities(pooled, table, scores)
        if len(odds):
            certain = np.clip(probabilities, 1e-6, 1 - 1e-6)
            raised = np.log(certain / (1 - certain)) + np.asarray(odds)[pooled.pool]
            scores, probabilities = raised + TIE * scores, 1 / (1 + np.exp(-raised))
        top = preferred_first(best(scores, len(scores) if preferred else k), pooled.pool, preferred)[:k]
        top = top[pooled.supported[top]]
        explained_by = reasons(self.bound, pooled, table, self.boosters, judged, top[:explained].tolist())
        return tuple(
            RankedCandidate(
                position=int(pooled.pool[row]),
                score=float(scores[row]),
                probability=float(probabilities[row]),
                reasons=why,
            )
            for row, why in zip_longest(top.tolist(), explained_by, fillvalue=())
        )

    def save_arrays(self, folder: Path) -> None:
        """Write the arrays of the index."""
        if self.others:
            raise NotSupported("a hybrid with other methods among its signals cannot be cached; index it when needed")
        save_arrays(folder, self.bound, self.prepared)

    def each(
        self,
        queries: Sequence[Passage],
        excluded: Sequence[Collection[int]] = (),
        cited: Sequence[StatementId] = (),
        *,
        again: bool = False,
    ) -> Iterator[tuple[PooledQuery, FeatureTable]]:
        """Pools of queries with their features; other methods score queries in batches, which suits networks.

        Args:
            queries: The theorems.
            excluded: By query, the positions that may not be suggested; empty for no restriction.
            cited: What the unfinished proof cites already.
            again: Whether these are candidates.
        """
        for first in range(0, len(queries), BLOCK):
            block = queries[first : first + BLOCK]
            others = {spec: scorer.score(block) for spec, scorer in self.others}
            for row, query in enumerate(block):
                banned = excluded[first + row] if excluded else ()
                extra = {spec: scores[row] for spec, scores in others.items()}
                pooled = first_stage(self.bound, query, banned=banned, extra=extra, cited=cited, again=again)
                yield pooled, features(self.bound, pooled)

    def judge(self, pooled: PooledQuery, table: FeatureTable) -> Judged:
        """The scores of a pool."""
        judged = self.boosters.judge(self.bound, pooled.pool, pooled.visible, table)
        # Trees give many candidates the same score; the first stage breaks ties.
        return judged._replace(scores=judged.scores + TIE * pooled.first[pooled.pool])

    def probabilities(self, pooled: PooledQuery, table: FeatureTable, scores: Floats) -> Floats:
        """Of scores of a pool, that the proof cites each."""
        return self.boosters.for_table(table).calibration(scores, pooled.citing_rate(self.bound))


def whole_order(pooled: PooledQuery, scores: Floats) -> Floats:
    """Scores for all candidates: excluded ones are below zero, then comes the first stage's order, then the pool's."""
    first = pooled.first
    allowed = first > EXCLUDED
    whole = np.full(len(first), -1, dtype=np.float32)
    if not allowed.any():
        return whole
    low, high = first[allowed].min(), first[allowed].max()
    whole[allowed] = (first[allowed] - low) / (high - low + np.float32(1e-6))
    whole[pooled.pool] = scores - scores.min() + np.float32(2)
    return whole
