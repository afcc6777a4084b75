"""Rules about theorems without a proof, and lemmas without a use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import resources
from math import sqrt
from typing import NamedTuple

import msgspec

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import USES, Mention, Origin, Statement, StatementId
from naturalproofs.sources.latex import choice
from naturalproofs.sources.reading.kinds import by_word
from naturalproofs.tokens import language_of
from naturalproofs.workspace.check.finding import AUXILIARY, Problem, name_of
from naturalproofs.workspace.check.prose import (
    around_citation,
    around_statement,
    raw_lines,
    sentences,
    source_text,
)
from naturalproofs.workspace.open_corpus import OpenCorpus

# Rules for blueprints: what the prose cites, and what ``\uses`` lists.


class _Part(NamedTuple):
    """A statement, or one of its proofs."""

    statement: Statement
    what: str
    origin: Origin
    mentions: Sequence[Mention]
    inherited: frozenset[StatementId]
    """What its statement lists, if it is a proof."""
    has_prose: bool

    def references(self, *, listed: bool) -> dict[StatementId, Mention]:
        r"""What ``\uses`` lists, or what the prose cites, with the first mention of each."""
        found: dict[StatementId, Mention] = {}
        for mention in self.mentions:
            if mention.reference and mention.reference != self.statement.id and (mention.surface == USES) == listed:
                found.setdefault(mention.reference, mention)
        return found


def is_blueprint(project: OpenCorpus) -> bool:
    r"""Whether the project says by ``\uses`` what its statements and proofs depend on."""
    return any(
        mention.surface == USES
        for statement in project.statements
        for mentions in (statement.mentions, *(proof.mentions for proof in statement.proofs))
        for mention in mentions
    )


def unlisted_use(project: OpenCorpus) -> Iterator[Problem]:
    r"""Results that the prose cites and ``\uses`` does not list."""
    for part in _parts(project):
        listed = part.references(listed=True).keys() | part.inherited
        for reference, mention in part.references(listed=False).items():
            cited = project.by_id[reference]
            if (
                reference not in listed
                and "other" not in (cited.kind, part.statement.kind)
                and _is_use(project, part, mention)
            ):
                message = f"{part.what} cites {name_of(cited)}, which its \\uses does not list"
                yield _problem(part, mention, cited, message)


def _is_use(project: OpenCorpus, part: _Part, mention: Mention) -> bool:
    """Whether a statement itself is cited, and the words around do not say that this is only a comparison."""
    anchor = project.anchors.get(mention.target)
    if anchor is not None and anchor.kind != "statement":
        return False
    around = around_citation(project, part.origin.path, mention.line, mention.target)
    return around is None or not ASIDE.search(" ".join(around))


def uncited_use(project: OpenCorpus) -> Iterator[Problem]:
    r"""Theorems that ``\uses`` lists and the prose does not cite; a definition is mostly used without being cited."""
    for part in _parts(project):
        cited_in_prose = part.references(listed=False)
        for reference, mention in part.references(listed=True).items() if part.has_prose else ():
            listed = project.by_id[reference]
            if reference not in cited_in_prose and listed.kind == "theorem":
                message = f"\\uses lists {name_of(listed)}, which the text of {part.what} does not cite"
                yield _problem(part, mention, listed, message)


def _problem(part: _Part, mention: Mention, other: Statement, message: str) -> Problem:
    return Problem(Origin(part.origin.path, mention.line), message, f"{part.what} -> {other.label}", mention.target)


def _parts(project: OpenCorpus) -> Iterator[_Part]:
    """All statements and proofs of a blueprint; none of another project."""
    if not is_blueprint(project):
        return
    for statement in project.statements:
        name, origin = name_of(statement), statement.origin or Origin(statement.label, 1)
        if origin.path.endswith(".lean"):
            continue  # LeanArchitect finds in the code what is used.
        own = _Part(statement, name, origin, statement.mentions, frozenset(), bool(statement.lines))
        yield own
        inherited = frozenset(own.references(listed=True))
        for proof in statement.proofs:
            where = proof.origin or origin
            yield _Part(statement, f"the proof of {name}", where, proof.mentions, inherited, bool(proof.lines))


# What authors write where they use, announce, prove or dismiss a result.


class _ProofWords(msgspec.Struct, frozen=True):
    """What one language says of proofs, as patterns of the beginnings of words."""

    proof: str
    """Words for a proof …"""
    of_proof: str
    """… and what a sentence says of one that is not given here."""
    subject: str
    """How a sentence begins that is about the statement beside it …"""
    of_statement: str
    """… and what it says if there is nothing to prove."""
    alone: str
    """Phrases that dismiss a proof by themselves."""
    opening: str
    """How a proof in running text begins."""
    prepared: str
    """What stands before a statement that has been proved, or is known."""
    using: str
    articles: str


_WORDS = msgspec.json.decode(
    (resources.files("naturalproofs.data") / "proof_words.json").read_bytes(), type=dict[str, _ProofWords]
)
_UNSPACED = ("zh", "ja")
"""Languages that do not separate words."""


def _any(*alternatives: str, before: str = "", after: str = "") -> re.Pattern[str]:
    return re.compile(f"{before}(?:{'|'.join(alternatives)}){after}", re.IGNORECASE)


def _pattern(words: Callable[[_ProofWords], str], *languages: str, after: str = "") -> re.Pattern[str]:
    """What some languages say, at the beginning of a word where the language separates words."""
    spaced = "|".join(words(_WORDS[one]) for one in languages if one not in _UNSPACED)
    unspaced = [words(_WORDS[one]) for one in languages if one in _UNSPACED]
    return _any(*([rf"(?<![\w\\])(?:{spaced})"] if spaced else []), *unspaced, after=after)


class Phrases:
    """How some languages say that a proof is left out, or given in the text around a statement."""

    def __init__(self, *languages: str) -> None:
        """Compile the patterns."""
        self._proof = _pattern(lambda words: words.proof, *languages)
        self._of_proof = _pattern(lambda words: words.of_proof, *languages)
        self._subject = _pattern(lambda words: words.subject, *languages)
        self._of_statement = _pattern(lambda words: words.of_statement, *languages)
        self._alone = _pattern(lambda words: words.alone, *languages)
        self._opening = _pattern(lambda words: words.opening, *languages)
        self._prepared = _pattern(lambda words: words.prepared, *languages)

    def dismisses(self, sentence: str) -> bool:
        """Whether a sentence near a statement leaves its proof out, or says where it is."""
        sentence = _KEYS.sub(" ", sentence)
        if self._alone.search(sentence):
            return True
        return self._proof.search(sentence) is not None and self._of_proof.search(sentence) is not None

    def settles(self, sentence: str) -> bool:
        """Whether the first sentence after a statement begins its proof, or says that there is nothing to prove."""
        leading = _FORMATTING.match(sentence)
        start = leading.end() if leading else 0
        if self._opening.match(sentence, start):
            return True
        return self._subject.match(sentence, start) is not None and self._of_statement.search(sentence) is not None

    def prepares(self, sentence: str) -> bool:
        """Whether the last sentence before a statement concludes to it at its end, or says there whose it is."""
        end = max(0, len(sentence) - _LEADING)
        return self._prepared.search(sentence, end) is not None or _CITES.search(sentence, end) is not None


_phrases = lru_cache(maxsize=None)(Phrases)


@lru_cache(maxsize=4)
def _phrases_of(project: OpenCorpus) -> Phrases:
    """The phrases of the language of a project; of all languages if it is too short to tell."""
    words: list[str] = []
    for text in (*project.texts.values(), *(one.text for one in project.statements)):
        words += _WORD.findall(text.casefold())
        if len(words) > _MANY_WORDS:
            break
    unspaced = sum(bool(_CJK.match(word)) for word in words)
    language = "zh" if 4 * unspaced > len(words) else language_of(words)
    if len(words) < _ENOUGH_WORDS or language not in _WORDS:
        return _phrases(*_WORDS)
    return _phrases(*dict.fromkeys((language, "en")))  # Chapters of many books are in English.


_WORD = re.compile(r"(?<!\\)[^\W\d_]{2,}")
_CJK = re.compile("[\u4e00-\u9fff]")
_ENOUGH_WORDS, _MANY_WORDS = 300, 20_000
_KEYS = re.compile(r"\\(?:label|[a-zA-Z]*[rR]ef)\*?\s*\{[^{}]*\}")
_CITES = re.compile(r"\\[a-zA-Z]*[cC]ite")
_PROOF_ENVIRONMENT = re.compile(
    r"\\begin\s*\{\w*(?:solution|sketch|proof)\w*\}(?!\s*\[[^]]{0,80}\\[a-zA-Z]*ref)", re.IGNORECASE
)
"""A proof that names what it proves would belong to the statement if it were its own."""
_LEADING = 100
"""Characters at the end of a sentence that lead to what follows; earlier words say little (docs/log/referee.md)."""
_FORMATTING = re.compile(r"(?:\\[a-zA-Z]+\*?|[\s{}~(\[])+")
"""What may stand before the first word of a sentence."""

ANNOUNCED = _any(
    r"\b(?:below|later|following|next|subsequent\w*|postpon\w*|defer\w*|modulo|shall|will|appendix|afterwards)\b",
    r"\b(?:unten|später|folgend\w*|nächst\w*|wird|werden)\b",
    r"\b(?:suivant\w*|plus loin|ci-dessous|sera|seront|verrons|voir|lire|pas encore)\b",
    r"\b(?:siguiente|más adelante|seguente|più avanti|abaixo|seguinte|poniżej|następn\w*)\b",
    "далее|ниже|следующ|позже",
    "下面|以下|后面|之后|将|见|详见",
)
"""A result that comes later is announced as such."""

ASIDE = _any(
    r"\b(?:compare|cf|analog\w*|similar\w*|same (?:idea|argument|way|method|proof|reasoning))\b",
    r"\b(?:generali[sz]\w*|converse\w*|special case|subsum\w*|alternativ\w*|instead|in contrast|unlike|recover\w*)\b",
    r"\b(?:used (?:to prove|in|for)|see also|proof of|prove[sd]?|proving|remark|note that|as in|motivat\w*|goal)\b",
    r"\b(?:setup|setting|notation|superseded)\b",
    r"\b(?:vgl|ähnlich|beweis\w*|siehe auch|preuve|démontr\w*|de même|dimostr\w*|demostr\w*)\b",
    "аналогичн|доказ|см[.]|类似",
    r"\\footnote",
)
"""A result is mentioned beside the argument, and not used."""

_WORD_ENDS = r"(?:[\s~]+|(?<=['’])|(?<=[぀-鿿]))"
USED = _pattern(
    lambda one: f"{one.using}|applied|follows|with|because of|combin[a-z]*",
    *_WORDS,
    after=rf"{_WORD_ENDS}[^.;]{{0,60}}$",
)
"""Words before a citation that say that the result is used."""
_ARTICLES = "|".join(one.articles for one in _WORDS.values() if one.articles)
DIRECTLY_USED = _pattern(
    lambda one: one.using, *_WORDS, after=rf"{_WORD_ENDS}(?:(?:{_ARTICLES}){_WORD_ENDS})?(?:[^\W\d_]+\.?[~\s]+)?\(?$"
)
"""The same, with no more than an article and the kind of the result between them."""


PROMISED = _any(
    r"\b(?:prove|proving|show|establish)\b|(?:complete|finish|conclud|end|begin|turn|ready|devote|give|defer|present)\w*"
    r"[^.]{0,40}\bproof|^\W*(?:\w+ )?proof of|démontr|prouv|beweisen|zeigen|dimostrare|demostrar|докаж|证明",
    after=r"[^.]{0,80}$",
)
"""Before a citation: words that announce a proof of it."""

DISMISSED_INSIDE = _any(r"exerci[sc]|\bomit|\bfollows\b|\bclear(?:ly)?\b|упражн|习题")
"""In the text of a statement itself: words that say that no proof is given."""

PROVED_ELSEWHERE = _any(
    r"\binform(?:al|ell)|\bfolklore|\bwell[- ]known\b|\brestate[dm]|\bsee\b|\bcf\b|\bvgl\b|\bsiehe\b|\bvoir\b",
    r"\b(?:theorem|thm|lemma|lem|proposition|prop|corollary|cor|satz|théorème)[.~\s]{1,3}[\dIVX][\w.]*[,~\s]+(?:in|of|from|aus|von|dans|de)\b",
    r"\b(?:1[6-9]|20)\d\d[a-z]?\s?(?:[),;]|$)",
)
"""In a title: the statement is informal, known, proved elsewhere, or taken from another work."""

LAST_LEMMA = _any(
    r"\b(?:the|this|that|above|previous|preceding|last|our|first|second|following|these|two) (?:\w+ )?lemm",
    r"\bfolgenden? (?:\w+ )?lemma",
    r"\blemmas? above|\b(?:ce|le) (?:\w+ )?lemme|\b(?:das|dem|des|dieses|diesem) (?:\w+ )?lemma|лемм|引理",
)
"""A lemma nearby is used without a citation."""

PROVED_INSIDE = re.compile(
    r"\\[a-zA-Z]*[cC]ite|\\qed|\\leanok|\\mathlibok|\\notready|\\begin\s*\{proof\}|(?<=[\s~(])\[\d+\]"
)
"""The text of a statement says where the proof is, or ends with the mark of a proof."""


_UNPROVED = frozenset(
    "conjecture question problem hypothesis exercise fact assumption corollary folgerung observation property principle"
    " remark axiom definition".split()
)
"""Families of statements that are not expected to have a proof of their own."""
_NAMED = re.compile(
    r"\w['’](?:s\b|(?=\s))|^[A-ZÀ-ÞА-Я][^\W\d_]+$"
    r"|(?:^|[\s(])(?:[A-ZÀ-ÞА-Я][^\W\d_]+)(?:[-–—]{1,3}|,? (?:and|und|et|e|y|&) )[A-ZÀ-ÞА-Я]"
    r"|\b(?:de|du|del|della|di|da|do)[ ~][A-ZÀ-Þ][^\W\d_]|\bd['’][A-ZÀ-Þ][^\W\d_]"
    r"|(?:[Тт]еорем|[Лл]емм|[Фф]ормул)а [А-Я][а-я]"
)
"""Titles with the name of a mathematician: the result is known. Romance languages write only names with a capital."""
_END = re.compile(r"\\end\s*\{[^{}]*\}")
_STATED_AGAIN = re.compile(r"\\(?:def|renewcommand\*?\s*\{?)\s*\\the[a-z]+\s*\}?\s*\{\s*\\ref\s*\{")
"""A theorem that is given the number of another one."""
_SENTENCES = 2
"""So many sentences after a statement may prove or dismiss it."""
_SOON = 4
"""A lemma may be meant without a citation in the proofs of so many statements after it, and of two before it."""
_MOST = 0.8
"""Where a smaller share of the theorems has a proof or needs none, the text does not prove its theorems."""
_USUALLY = 0.8
"""Where a larger share of the statements that need no proof for some reason have one, they need one."""
_SEVERAL = 5
"""The number of theorems from which this is told."""
_BEFORE_PROOF = 500
"""Characters before a proof that are looked at."""
MANY = 3
"""The number of proofs that make an unproved theorem one that many cite."""


def unproved_statement(project: OpenCorpus) -> Iterator[Problem]:
    """Theorems without a proof that few proofs cite; `cited_unproved` reports the others."""
    citing = _citing_proofs(project)
    for statement in unproved(project):
        if citing[statement.id] < MANY:
            yield Problem(statement, f"{name_of(statement)} has no proof", statement.label)


def cited_unproved(project: OpenCorpus) -> Iterator[Problem]:
    """Theorems without a proof that many proofs cite."""
    citing = _citing_proofs(project)
    for statement in unproved(project):
        if citing[statement.id] >= MANY:
            message = f"{name_of(statement)} has no proof, and the proofs of {citing[statement.id]} statements cite it"
            yield Problem(statement, message, statement.label)


_STANDS_ALONE = re.compile(
    r"(?:^|\\end\s*\{([^{}]+)\}|\\(?:(?:sub)*section|chapter|paragraph)\*?\s*\{[^{}]*\}(?:\s*\\label\s*\{[^{}]*\})?)\s*$"
)


def unattached_proof(project: OpenCorpus) -> Iterator[Problem]:
    """Proofs that belong to no statement, unless they follow running text: such a text is what they prove."""
    for one in project.diagnostics:
        if one.rule != "proof-without-statement":
            continue
        source = source_text(project, one.path)
        match = _STANDS_ALONE.search(source.text[: source.offset(one.line)][-_BEFORE_PROOF:]) if source else None
        if source is not None and (match is None or (match[1] and choice.is_ordinary_environment(match[1]))):
            continue
        unread = f"; the environment {match[1]} before it is not read as a statement" if match and match[1] else ""
        yield Problem(Origin(one.path, one.line), f"this proof belongs to no statement{unread}", one.subject)


def _citing_proofs(project: OpenCorpus) -> Counter[StatementId]:
    """By statement: how many others cite it in a proof."""
    found: Counter[StatementId] = Counter()
    for statement in project.statements:
        found.update({key for proof in statement.proofs for key in proof.references} - {statement.id})
    return found


def unproved(project: OpenCorpus) -> list[Statement]:
    """Theorems that should have a proof and have none, in an environment or in the text around them.

    None of a text, or of a form of statements in it, that is mostly not proved. That a form, a title or a citation
    makes a proof unnecessary counts unless the text proves most of what it says so of.
    """
    theorems = list(project.of_kind("theorem"))
    excuses = {one.id: _excuses(project, one) for one in theorems}
    habits: dict[str, Counter[bool]] = {}
    for one in theorems:
        for excuse in excuses[one.id]:
            habits.setdefault(excuse, Counter())[bool(one.proofs)] += 1
    kept = {name for name, counts in habits.items() if counts[True] < max(_SEVERAL, _USUALLY * counts.total())}
    titles = {(_words(one.title), one.kind) for one in theorems if one.proofs and one.title}
    found = [
        statement
        for statement in theorems
        if not statement.proofs
        and kept.isdisjoint(excuses[statement.id])
        and (_words(statement.title), statement.kind) not in titles
        and not _is_settled(project, statement)
    ]
    if not _are_few(len(found), len(theorems)):
        return []
    bare, all_forms = Counter(one.form for one in found), Counter(one.form for one in theorems)
    return [one for one in found if _are_few(bare[one.form], all_forms[one.form])]


def _are_few(bare: int, all_of_them: int) -> bool:
    """Whether no larger share is bare than in a text that proves most of its theorems, chance granted."""
    return all_of_them < _SEVERAL or bare <= (1 - _MOST) * all_of_them + sqrt(_MOST * (1 - _MOST) * all_of_them)


def _excuses(project: OpenCorpus, statement: Statement) -> set[str]:
    """Why no proof may be expected: its form, its title, what its text says, and the words before it."""
    families = {sense.family for word in statement.form.split() if (sense := by_word(word))} & _UNPROVED
    before, inside, _ = around_statement(project, statement)
    tests = {
        "named": _NAMED.search(statement.title),
        "elsewhere": PROVED_ELSEWHERE.search(statement.title),
        "dismissed": DISMISSED_INSIDE.search(_KEYS.sub(" ", inside)),
        "prepared": any(map(_phrases_of(project).prepares, _last_sentence(before))),
    }
    marks = {match.group() for text in (statement.title, inside) for match in PROVED_INSIDE.finditer(text)}
    return families | {name for name, found in tests.items() if found} | marks


def _is_settled(project: OpenCorpus, statement: Statement) -> bool:
    """Whether the text around a statement proves it or dismisses its proof, or promises one."""
    language, (before, _, after) = _phrases_of(project), around_statement(project, statement)
    # A sentence that cites the statement uses it.
    following = [one for one in sentences(after)[:_SENTENCES] if f"{{{statement.label}}}" not in one]
    return bool(
        _PROOF_ENVIRONMENT.search(after)
        or any(map(language.settles, following[:1]))
        or any(map(language.dismisses, (*_last_sentence(before), *following)))
        or _STATED_AGAIN.search(_written_before(project, statement))
        or _is_promised(project, statement)
    )


def _last_sentence(before: str) -> list[str]:
    """The last sentence of the text before a statement, if there is one."""
    return sentences(_END.split(before)[-1])[-1:]


def _written_before(project: OpenCorpus, statement: Statement) -> str:
    """The last lines before a statement as they are written, definitions included, up to its beginning."""
    origin = statement.origin
    if origin is None or origin.path not in project.texts:
        return ""
    return "\n".join(raw_lines(project.texts[origin.path])[max(0, origin.line - _SOON) : origin.line])


def _is_promised(project: OpenCorpus, statement: Statement) -> bool:
    """Whether the text says where it cites a statement that it is proved there."""
    for one in project.labels.citations.get(statement.label, ()):
        source = source_text(project, one.path)
        if source is not None and PROMISED.search(source.sentence(source.offset(one.line, one.column))[0]):
            return True
    return False


def _words(title: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", title.casefold()))


def unused_statement(project: OpenCorpus) -> Iterator[Problem]:
    """Lemmas with a label that no statement, proof or other text cites; not in blueprints, where they are leaves."""
    if is_blueprint(project):
        return
    used = project.graph.used_by
    statements = project.statements
    for position, statement in enumerate(statements):
        auxiliary = statement.form.casefold() in AUXILIARY and not has_generated_label(statement)
        unused = auxiliary and statement.id not in used and statement.label not in project.cited_keys
        near = (*statements[max(0, position - 2) : position], *statements[position + 1 : position + 1 + _SOON])
        lines = (line for other in near for proof in other.proofs for line in proof.lines)
        if unused and not any(map(LAST_LEMMA.search, lines)):
            yield Problem(statement, f"{name_of(statement)} is never used", statement.label)
