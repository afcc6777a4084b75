"""Rules about theorems without a proof, and lemmas without a use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import USES, Mention, Origin, Statement, StatementId
from naturalproofs.sources.reading.kinds import by_word
from naturalproofs.workspace.check.finding import AUXILIARY, Problem, name_of
from naturalproofs.workspace.check.prose import around_citation, around_statement, raw_lines, source_text
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
        own = _Part(statement, name, origin, statement.mentions, frozenset(), bool(statement.lines))
        yield own
        inherited = frozenset(own.references(listed=True))
        for proof in statement.proofs:
            where = proof.origin or origin
            yield _Part(statement, f"the proof of {name}", where, proof.mentions, inherited, bool(proof.lines))


# What authors write where they use, announce, prove or dismiss a result, in the languages of `latex.kinds`.


def _any(*alternatives: str, before: str = "", after: str = "") -> re.Pattern[str]:
    return re.compile(f"{before}(?:{'|'.join(alternatives)}){after}", re.IGNORECASE)


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

_USING = (
    "by|using|from|apply|applying|applied|follows|thanks to|due to|according to|in view of|via|with|because of"
    "|invoke|invoking|combin\\w*|nach|wegen|mit|aus|par|d'après|grâce à|per|dal|dalla|por|usando"
)
USED = _any(rf"\b(?:{_USING})\b", "по|согласно", "由|根据", after=r"[^.;]{0,60}$")
"""Words before a citation that say that the result is used."""
DIRECTLY_USED = _any(
    "by|using|from|apply|applying|thanks to|due to|according to|in view of|via|invoke|invoking|nach|wegen|par|d'après",
    before=r"\b",
    after=r"\s+(?:(?:the|our|der|dem|le|la)\s+)?(?:[^\W\d_]+\.?[~\s]+)?\(?$",
)
"""The same, with no more than the kind of the result between them."""

DISMISSED = _any(
    r"exerci[sc]|\breader|\bclear|obvious|trivial|immediate|straightforward|evident|\beas[yi]|follow|consequence",
    r"\bsee\b|\\[a-zA-Z]*[cC]ite|\\begin\s*\{(?:solution|sketch)|\bproo?[fv]|\bsh[oe]w|\bindeed\b|omit|verif|\bcheck",
    r"to see (?:this|that|why)|tantamount|known|classical|standard|\bobserve\b|\bnotice\b|\bbecause\b|\bsince\b",
    r"\bthis is (?:just|a|an|the|because|due)\b|special case|\bsays\b|reformulat|restat|\bargument|\bcombin",
    r"\bsketch|\bidea\b",
    r"lecteur|\bclair|évident|immédiat|découle|résulte|\bvoir\b|\bpreuve|démontr|en effet|facile|laissé",
    r"übung|\bleser|\bklar|offensichtlich|folgt|\bsiehe|\bbeweis|\bzeig|nämlich|\bdenn\b",
    r"eserci|lettore|\bchiar|\bovvi|banale|\bsegue|dimostr|infatti|\bvedi",
    r"ejerc|\blector|\bclar[oa]|\bobvi|se sigue|demostr|véase|prueba",
    r"ćwicz|oczywi|dow[oó]d|wynika",
    "упражн|очевидн|следует|доказ|см[.]|ясно|читател|заметим|действительно",
    "习题|显然|证明|易见|自明|不难|读者|参见|参看|参阅|留给|略去|留作|导自|容易|直接|照搬|类似",
)
"""Around a statement: words that prove it, dismiss it or say where the proof is."""

PREPARED = _any(
    r"\bwe (?:have|now|thus|therefore|then|conclude|obtain|get|deduce|find|infer|arrive)\b",
    r"\b(?:we|this|that|these|which) (?:just |have |has )*(?:prove[ns]?d?|show[ns]?|seen|establish\w*|impl\w+)\b",
    r"\b(?:this|that|these|which) (?:yields?|gives?|means?)\b",
    r"\b(?:above|preceding|previous|foregoing) (?:discussion|argument|paragraph|calculation|computation|remark)",
    r"\b(?:summar|conclu|therefore|thus|hence|consequently|recall|well[- ]known|classical|without proof|quote|known)",
    r"\b(?:package|collect|rephras)|\bin particular\W{0,5}$",
    r"\b(?:due to|(?:theorem|result|lemma) of|folklore|proved (?:by|in))\b",
    r"\\[a-zA-Z]*[cC]ite",
    r"\bdonc\b|\balso gilt\b|\bsomit\b|\bquindi\b|\bpor tanto\b|поэтому|значит|таким образом|переписать"
    r"|\bdebido a\b|因此|综上|总结|前述|上述|对偶|遂|于是|得到|可得",
)
"""Before a statement: words that prove it, or say whose it is."""

PROMISED = _any(
    r"proo?[fv]|\bshow|\bestablish|preuve|démontr|beweis|zeig|dimostr|demostr|доказ|证明", after=r"[^.]{0,80}$"
)
"""Before a citation: words that announce a proof of it."""

DISMISSED_INSIDE = _any(r"exerci[sc]|\bomit|\bfollows\b|\bclear(?:ly)?\b|упражн|习题")
"""In the text of a statement itself: words that say that no proof is given."""

PROVED_ELSEWHERE = _any(
    r"\binform(?:al|ell)|\bfolklore|\bwell[- ]known\b|\brestate[dm]|\bsee\b|\bcf\b|\bvgl\b|\bsiehe\b|\bvoir\b",
    r"\b(?:theorem|thm|lemma|lem|proposition|prop|corollary|cor|satz|théorème)[.~\s]{1,3}[\dIVX][\w.]*[,~\s]+(?:in|of|from|aus|von|dans|de)\b",
    r"[(,]\s?(?:19|20)\d\d[a-z]?\s?(?:\)|$)",
)
"""In a title: the statement is informal, known, proved elsewhere, or taken from another work."""

LAST_LEMMA = _any(
    r"\b(?:the|this|that|above|previous|preceding|last|our|first|second|following|these|two) (?:\w+ )?lemm",
    r"\bfolgenden? (?:\w+ )?lemma",
    r"\blemmas? above|\b(?:ce|le) (?:\w+ )?lemme|\b(?:das|dem|des|dieses|diesem) (?:\w+ )?lemma|лемм|引理",
)
"""A lemma nearby is used without a citation."""

PROVED_INSIDE = re.compile(r"\\[a-zA-Z]*[cC]ite|\\qed|\\leanok|\\mathlibok|\\notready|\\begin\s*\{proof\}|\[\d+\]")
"""The text of a statement says where the proof is, or ends with the sign of a proof."""


_UNPROVED = frozenset(
    "conjecture question problem hypothesis exercise fact assumption corollary folgerung observation property principle"
    " remark axiom definition".split()
)
"""Families of statements that are not expected to have a proof of their own."""
_NAMED = re.compile(
    r"\w['’]s\b|^[A-ZÀ-ÞА-Я][^\W\d_]+$"
    r"|(?:^|[\s(])(?:[A-ZÀ-ÞА-Я][^\W\d_]+)(?:[-–—]{1,3}|,? (?:and|und|et|e|y|&) )[A-ZÀ-ÞА-Я]"
    r"|\b(?:de|du|del|della|di|da|do)[ ~][A-ZÀ-Þ][^\W\d_]|\bd['’][A-ZÀ-Þ][^\W\d_]"
    r"|(?:[Тт]еорем|[Лл]емм|[Фф]ормул)а [А-Я][а-я]"
)
"""Titles with the name of a mathematician: the result is known. Romance languages write only names with a capital."""
_END = re.compile(r"\\end\s*\{[^{}]*\}")
_STATED_AGAIN = re.compile(r"\\(?:def|renewcommand\*?\s*\{?)\s*\\the[a-z]+\s*\}?\s*\{\s*\\ref\s*\{")
"""A theorem that is given the number of another one."""
_NEAR_BEFORE = 250
_NEAR_AFTER = 350
_SOON = 4
"""A lemma may be meant without a citation in the proofs of so many statements after it, and of two before it."""
_FEW = 0.25
"""Where a smaller share of the theorems has a proof, the text does not prove its theorems."""
_SEVERAL = 20
"""The number of theorems from which this is told."""
MANY = 3
"""The number of proofs that make an unproved theorem one that many cite."""


def _names_the_lemma(statement: Statement) -> bool:
    """Whether a proof uses a lemma without citing it: "by the lemma above"."""
    return any(LAST_LEMMA.search(line) for proof in statement.proofs for line in proof.lines)


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


def _citing_proofs(project: OpenCorpus) -> Counter[StatementId]:
    """By statement: how many others cite it in a proof."""
    found: Counter[StatementId] = Counter()
    for statement in project.statements:
        found.update({key for proof in statement.proofs for key in proof.references} - {statement.id})
    return found


def unproved(project: OpenCorpus) -> list[Statement]:
    """Theorems that should have a proof and have none, neither in an environment nor in the text around them."""
    theorems = list(project.of_kind("theorem"))
    bare = [statement for statement in theorems if not statement.proofs and not _is_exempt(statement)]
    if len(theorems) >= _SEVERAL and len(bare) > (1 - _FEW) * len(theorems):
        return []
    proved = {(_words(one.title), one.kind) for one in theorems if one.proofs and one.title}
    return [
        statement
        for statement in bare
        if (_words(statement.title), statement.kind) not in proved
        and not _is_dismissed(project, statement)
        and not _is_promised(project, statement)
    ]


def _is_exempt(statement: Statement) -> bool:
    """Whether its form, its title or its own text says that no proof is to be expected here."""
    families = {sense.family for word in statement.form.split() if (sense := by_word(word))}
    own = any(PROVED_INSIDE.search(line) for line in (statement.title, *statement.lines))
    titled = _NAMED.search(statement.title) or PROVED_ELSEWHERE.search(statement.title)
    return own or bool(families & _UNPROVED) or bool(titled)


def _is_dismissed(project: OpenCorpus, statement: Statement) -> bool:
    before, inside, after = around_statement(project, statement)
    near = _END.split(before[-_NEAR_BEFORE:])[-1]
    return bool(
        PROVED_INSIDE.search(inside)
        or DISMISSED.search(after[:_NEAR_AFTER])
        or DISMISSED.search(near)
        or PREPARED.search(near)
        or _STATED_AGAIN.search(_written_before(project, statement))
    ) or bool(DISMISSED_INSIDE.search(inside))


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
        if unused and not any(map(_names_the_lemma, near)):
            yield Problem(statement, f"{name_of(statement)} is never used", statement.label)
