"""How a statement is cited: by the author's own commands and words, or in words if it is of another work."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.io.listing import name_of, path_of
from naturalproofs.records import USES, Anchor, Mention, Statement
from naturalproofs.sources.latex import Macro, citations, plain_unicode, read_group, scanner
from naturalproofs.sources.reading.kinds import by_abbreviation, by_environment_name, by_printed_name, by_word, words_of
from naturalproofs.workspace.formats import Format
from naturalproofs.workspace.labels import LabelIndex, Occurrence
from naturalproofs.workspace.render import printed_name

_WITH_WORD = frozenset({"cref", "Cref", "autoref", "zcref", "zcpageref", "vref", "Vref", "thref"})
"""Commands that print the word before the number themselves."""
_COMMON = (*sorted(_WITH_WORD), "ref", USES)
_OTHER = frozenset({"pageref", "eqref", "nameref", "namecref", "nameCref", "labelcref", "proves", USES})
"""Commands that do not print the name of a statement."""
_WORD = re.compile(r"([^\W\d_]{2,}\.?)(~|\\ |\s)\s*$")
_BEING_WRITTEN = re.compile(r"\\(?P<command>[a-zA-Z]+)\*?\s*(?:\[[^\[\]]*\]\s*)*\{[^{}\\]*$")
"""A citation whose key is not finished."""
_ALSO = re.compile(r"\\[a-zA-Z]+\*?\s*\{[^{}]*\}\)?(?:[\s~]*,[\s~]*|[\s~]+)(?:[^\W\d_]{1,4}[\s~]+)?\(?$")
"""Another citation before this one, with a comma or a word such as "and" between them."""
_NAMED = re.compile(r"([^\W\d_]{2,})(\.?)(?:[~\s]|\\[ ,])*(\(?)$")
_LOOK_BACK = 200
_PAGES = re.compile(r"\\[a-zA-Z]*pageref")
"""The body of a macro that prints a page."""
SECTIONS = re.compile(
    r"(?:sub)*sections?|chapters?|abschnitt\w*|kapitel\w*|chapitres?|sezion[ei]|capitol[oi]|secci[oó]n(?:es)?|cap[ií]tulos?|seç(?:ão|ões)"
    r"|rozdział\w*|раздел\w*|глав\w*",
    re.IGNORECASE,
)
_EQUATIONS = re.compile(
    r"eqn?s?|(?:in)?equations?|(?:un)?gleichung\w*|équations?|equazion[ei]|ecuaci[oó]n(?:es)?|equaç(?:ão|ões)|równani\w*"
    r"|уравнени\w*|формул\w*|formulas?|formulae|formel\w*|inequalit(?:y|ies)|identit(?:y|ies)|diagrams?|式",
    re.IGNORECASE,
)
_USUAL = 0.4
"""The share of citations that have the same word before them, from which it belongs to the citation."""
_ALTERNATIVES = 3
_KEY, _NAME = "\0", "\1"
"""Stand for the key and the name of a statement in a habit."""


class CitationSite(NamedTuple):
    """A citing command: its span in the text, and what it cites."""

    start: int
    end: int
    mentions: tuple[Mention, ...]


def citation_sites(text: str, mentions: Sequence[Mention]) -> list[CitationSite]:
    """The commands of a text that cite; nothing if they do not match the mentions one to one.

    A macro may cite, or a citation may be words ("Theorem 2.1"); these have no site.
    """
    commands = [mention for mention in mentions if mention.surface in scanner.REFERENCES]
    found = [one for one in citations.find_citations(text) if not one.repeated]
    if sum(len(one.keys) for one in found) != len(commands):
        return []
    sites, at = [], 0
    for one in found:
        sites.append(CitationSite(one.start, one.end, tuple(commands[at : at + len(one.keys)])))
        at += len(one.keys)
    return sites


class Habit(NamedTuple):
    """A way in which the author cites statements of one form: ``Lemma~\\ref{…}``, ``\\lemref{…}``."""

    template: str
    before: str = ""
    """What the command puts before what is written; other labels cannot be cited by it."""
    after: str = ""

    def write(self, label: str, name: str) -> str | None:
        """The citation of a label; None if this command cannot cite it, or if a name is needed and there is none."""
        if not (label.startswith(self.before) and label.endswith(self.after)) or (_NAME in self.template and not name):
            return None
        key = label[len(self.before) : len(label) - len(self.after)]
        return self.template.replace(_KEY, key).replace(_NAME, name)


@dataclass(frozen=True, slots=True)
class Citing:
    """The citation style of a project, or the name of another work."""

    command: str = "cref"
    """The command by which the project cites statements."""
    work: str = ""
    """The title of the work, if it is not the project itself: its statements are cited in words."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """For several documents in one folder: the prefix that other documents put before the labels of a file."""
    file: str = ""
    """The file in which the author is writing."""
    root: Path | None = None
    macros: Mapping[str, Macro] = field(default_factory=dict)
    format: Format | None = None
    """The format of the project, if it is not LaTeX."""
    habits: Mapping[str, Sequence[Habit]] = field(default_factory=dict)
    """How the author cites the statements of each form, the usual way first."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Labels as their documents write them, where several documents have the same one."""

    def citation(self, statement: Statement) -> str:
        """What to paste."""
        if self.work:
            words = printed_name(statement)
            name = words if statement.number else statement.title or words
            return f"{self.work}, {f'tag {statement.tag}' if statement.tag else name}"
        if has_generated_label(statement):
            return printed_name(statement)
        path = statement.origin.path if statement.origin else ""
        label = self.keys.get(statement.label, statement.label)
        label = label.removeprefix(self.prefixes.get(path, "")) if path == self.file else label
        if self.format is not None:
            return self.format.citation(statement, label)
        name = statement.title or (printed_name(statement) if statement.number else "")
        for habit in self.habits.get(statement.form, ()):
            if (written := habit.write(label, name)) is not None:
                return written
        if self.command in _WITH_WORD or self.command == USES:
            return f"\\{self.command}{{{label}}}"
        return f"{(statement.form or statement.kind).capitalize()}~\\{self.command}{{{label}}}"

    def where(self, statement: Statement) -> str:
        """File and line, as they can be opened from the working directory."""
        if statement.origin is None:
            return ""
        path = statement.origin.path if self.root is None else name_of(self.root / path_of(statement.origin.path))
        return f"{path}:{statement.origin.line}"

    def plain(self, source: str) -> str:
        """A title as Unicode text."""
        return plain_unicode(source, dict(self.macros)) if source else ""


def citing_command(corpus: Corpus, texts: Iterable[str] = ()) -> str:
    r"""The command by which a project mostly cites its statements; if it cites none, one that its preamble has."""
    surfaces: Counter[str] = Counter()
    for statement in corpus.statements:
        for mentions in (statement.mentions, *(proof.mentions for proof in statement.proofs)):
            surfaces.update(mention.surface for mention in mentions if mention.reference is not None)
    if any(surfaces[name] for name in _COMMON):
        return max(_COMMON, key=lambda name: surfaces[name])
    known = list(texts)
    return "cref" if not known or any("cleveref" in text for text in known) else "ref"


def citing_habits(corpus: Corpus, labels: LabelIndex) -> dict[str, tuple[Habit, ...]]:
    """How the files cite the statements of each form, the usual way first."""
    by_key = {anchor.key: label for label, anchor in labels.anchors.items() if anchor.key}
    ways: dict[str, Counter[tuple[Habit, str]]] = {}
    words: dict[tuple[str, str], Counter[str]] = {}
    for one in labels.occurrences:
        anchor = labels.anchors.get(labels.absolute(one.path, one.key)) or labels.anchors.get(by_key.get(one.key, ""))
        statement = corpus.by_id.get(anchor.owner or "") if anchor and anchor.kind == "statement" else None
        if one.is_label or statement is None or not one.command or one.command in _OTHER:
            continue
        if (macro := labels.macros.get(one.command)) and _PAGES.search(macro.body):
            continue
        text = labels.texts[one.path]
        habit = _habit(text, one)
        if habit is not None:
            ways.setdefault(statement.form, Counter())[habit, one.command] += 1
            words.setdefault((statement.form, one.command), Counter())[_word_before(text, one)] += 1
    return {
        form: tuple(
            _with_word(habit, form, command, words[form, command])
            for (habit, command), _ in counted.most_common(_ALTERNATIVES)
        )
        for form, counted in ways.items()
    }


def _habit(text: str, one: Occurrence) -> Habit | None:
    """How one citation is written, the key left out; None if it cites several statements."""
    before, after = text[one.begin : one.start], text[one.end : one.stop]
    if "," in before + after or "\n" in before + after:
        return None
    template = f"{before}{_KEY}{after}"
    if one.command == "hyperref" and (group := read_group(text, one.stop)) is not None:
        # The text of a link names the statement by its number, or in words of its own.
        shown = group.text.replace(one.key, _KEY) if one.key in group.text else _NAME
        template = f"{template}{{{shown}}}"
    return Habit(template, one.before, one.after)


def _word_before(text: str, one: Occurrence) -> str:
    match = _WORD.search(text, max(0, one.begin - 40), one.begin)
    return f"{match[1]}{' ' if match[2].isspace() else match[2]}" if match else ""


def _with_word(habit: Habit, form: str, command: str, words: Counter[str]) -> Habit:
    """The habit with the word that usually stands before it, if the command does not print one itself."""
    if command in _WITH_WORD or command == "hyperref":
        return habit
    named = {word: count for word, count in words.items() if _names(word, form)}
    word = max(named, key=lambda one: named[one], default="")
    if word and named[word] >= _USUAL * words.total():
        return habit._replace(template=word + habit.template)
    return habit._replace(template=f"{form.capitalize()}~{habit.template}") if command == "ref" and form else habit


def _names(word: str, form: str) -> bool:
    """Whether a word is one for statements, or the beginning of this form's; a preposition is neither."""
    plain = word.strip("~\\ .").casefold()
    return by_word(plain) is not None or (len(plain) > 2 and form.casefold().startswith(plain))


def wanted_at(
    before: str, syntax: citations.KeySyntax, command: str = "", typing: re.Pattern[str] = _BEING_WRITTEN
) -> str:
    """What the words and the command before the cursor ask for: "equation", "section" or the family of a statement.

    Empty if they do not say it: commands that print the word themselves cite anything.

    Args:
        before: The text before the cursor; it may end in a citation whose key is not finished.
        syntax: The commands by which the project cites.
        command: The command that is being written; read from the text if it is not given.
        typing: How a citation looks whose key is not finished.
    """
    tail = before[-_LOOK_BACK:]
    begun = typing.search(tail)
    command = command or (begun.groupdict().get("command", "") if begun else "")
    tail = tail[: begun.start()] if begun else tail
    if command == "eqref":
        return "equation"
    macro = next((one for one in syntax.macros if one.name == command), None)
    if macro is not None and (named := _wanted_word(macro.body.partition("\\")[0])):
        return named
    sense = by_environment_name(command.removesuffix("ref")) if command not in _WITH_WORD else None
    if sense is not None and sense.family:
        return sense.family
    while also := _ALSO.search(tail):
        tail = tail[: also.start()]
    return _wanted_word(tail) or ("equation" if command == "ref" and tail.endswith("(") else "")


def _wanted_word(text: str) -> str:
    """What the last word of a text means, if it is one for something that has a number."""
    match = _NAMED.search(text)
    if match is None:
        return ""
    word = words_of(match[1])[-1]
    if not match[1].endswith(word):
        return ""
    if SECTIONS.fullmatch(word):
        return "section"
    if _EQUATIONS.fullmatch(word):
        return "equation"
    sense = by_word(word) or (by_abbreviation(word) if match[2] else None)
    # The author may have a word that is not in the tables; a parenthesis after one is that of an equation.
    return sense.family if sense else "" if match[3] else word.casefold()


def names_a_number(word: str) -> bool:
    """Whether a word is one for what has a number: a statement, a section, an equation, a figure."""
    plain = words_of(word)[-1]
    return bool(by_word(plain) or by_abbreviation(plain) or SECTIONS.fullmatch(plain) or _EQUATIONS.fullmatch(plain))


def is_wanted(wanted: str, anchor: Anchor, statement: Statement | None) -> bool:
    """Whether a label stands for what `wanted_at` says."""
    if wanted in ("equation", "section"):
        return anchor.kind == wanted or (wanted == "equation" and anchor.kind == "item")
    return anchor.kind == "statement" and statement is not None and wanted in families(statement.form)


@lru_cache(maxsize=1_000)
def families(name: str) -> frozenset[str]:
    """The families of a name, such as ``propositionDef`` or "definition and lemma", and the name itself."""
    words = re.findall(r"[^\W\d_A-ZÀ-Þ]+|[A-ZÀ-Þ][^\W\d_A-ZÀ-Þ]*", name)
    known = {found.family for word in words if (found := by_word(word))}
    return frozenset({name.casefold(), by_printed_name(name).family, *known} - {""})


def label_prefixes(corpus: Corpus) -> dict[str, str]:
    """The prefix of the labels of each file, where several documents are one project: ``algebra-``."""
    labels: dict[str, list[str]] = {}
    for statement in corpus.statements:
        if statement.origin and not has_generated_label(statement):
            labels.setdefault(statement.origin.path, []).append(statement.label)
    prefixes = {path: f"{PurePosixPath(path).stem}-" for path in labels}
    if len(labels) < 2 or any(not s.startswith(prefixes[path]) for path, found in labels.items() for s in found):
        return {}
    return prefixes
