"""Labels for statements that have none: a name by the project's own habit, and where to write it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import count, pairwise
from typing import NamedTuple

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.latex.scan.arguments import plain_title, read_option
from naturalproofs.latex.scan.scanner import Positions
from naturalproofs.records import Origin, Statement, StatementId
from naturalproofs.tokens import function_words, language_of
from naturalproofs.workspace.formats import format_of
from naturalproofs.workspace.labels import Edit, LabelIndex

_SHORT = {
    "theorem": "thm",
    "lemma": "lem",
    "proposition": "prop",
    "corollary": "cor",
    "definition": "def",
    "remark": "rem",
    "example": "ex",
    "conjecture": "conj",
    "exercise": "exer",
}
"""The usual prefixes, for forms that the project has not labelled yet."""
_PREFIX = re.compile(r"([A-Za-z]+)([:\-_./])(?=\w)|([a-z]+)(?=[A-Z])")
_BETWEEN = re.compile(r"(?<=[A-Za-z])[-_. ](?=[A-Za-z])|(?<=[a-z])(?=[A-Z])")
_SIGNS = ":-_./"
_USUAL = 0.4
"""The share of the labels of a form that have the same prefix, from which it is the habit."""
_WORDS, _FIRST_WORDS = 4, 3
"""The most words that a label takes from a title, and from the beginning of a statement without one."""
_LONGEST = 40
"""Characters of the words of a label."""
_READ = 600
"""Characters of a statement that are read for its first words."""
_FORMULA = re.compile(r"\$\$?[^$]*\$?\$?|\\\(.*?(?:\\\)|$)|\\\[.*?(?:\\\]|$)", re.DOTALL)
_MARKUP = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}|\\(?:[a-zA-Z]*ref|cite[a-z]*)\s*(?:\[[^\[\]]*\])?\{[^{}]*\}")
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?")
_WORD = re.compile(r"[^\W\d_][^\W_]*|[0-9]+")
_OPENING = {
    language: frozenset(words.split())
    for language, words in {
        "en": """
            also any assume consider define denote each every exist exists following given hold holds not prove show
            suppose when
            """,
        "fr": "appelle considérons existe montrer notons suivant suivante supposons étant",
        "de": "betrachte betrachten bezeichne definieren existieren folgende folgenden gegeben heissen nennen zeige",
        "es": "consideremos dado dada decimos denotamos existen siguiente siguientes supongamos",
        "it": "chiama consideriamo dato data definiamo dice dimostrare esistono seguente seguenti supponiamo valgono",
    }.items()
}
"""Words with which statements begin and that say nothing about them."""
_BEGIN = re.compile(r"\\begin\s*\{([^{}\s]+)\}")
_SPACE = re.compile(r"(?:\s|%[^\n]*+)*+")
_NOT_IN_NUMBER = re.compile(r"[^\w.]+")
_HEADING = 120
"""Characters in which a statement has its heading."""
_KNOWN = 12
"""Characters of a statement by which its place is recognised."""


class NewLabel(NamedTuple):
    """The label that a statement would get."""

    label: str
    """Its name in the whole project."""
    key: str
    """As its own file writes it."""
    source: str
    r"""What to write: ``\label{thm:main}``."""
    origin: Origin
    """Where the statement begins."""
    edit: Edit | None
    """The insertion; None if the exact place is not known, as when a macro begins the statement."""


class _Style(NamedTuple):
    """How the labels of a project are made."""

    prefixes: Mapping[str, str]
    """By form: ``thm:``; empty where labels have none."""
    separator: str
    """Between words; empty if words begin with a capital letter instead."""
    capital: bool
    """Whether the first word begins with a capital letter."""

    def prefix(self, form: str) -> str:
        """The prefix of a form; one that has no labels yet gets a prefix like those of the others."""
        if form in self.prefixes:
            return self.prefixes[form]
        short = _SHORT.get(form, form)
        if not self.prefixes:
            return f"{short}:"
        # A prefix is a word and a sign. Labels such as `defRing` have no sign, and others have no prefix at all.
        words = {other: prefix.rstrip(_SIGNS) for other, prefix in self.prefixes.items()}
        kinds = Counter((bool(word), self.prefixes[other].removeprefix(word)) for other, word in words.items())
        (prefixed, sign), _ = kinds.most_common(1)[0]
        written_out = any(word.casefold() == other for other, word in words.items() if other in _SHORT)
        return f"{form if written_out else short}{sign}" if prefixed else ""

    def name(self, form: str, words: Iterable[str]) -> str:
        """The label of a statement with these words."""
        parts = [word.capitalize() if not self.separator else word for word in words]
        name = self.separator.join(parts)
        first = name[:1].upper() if self.capital else name[:1].lower()
        return self.prefix(form) + first + name[1:]


@dataclass(frozen=True)
class NewLabels:
    """The labels that the unlabelled statements of a project would get."""

    corpus: Corpus
    labels: LabelIndex
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """The prefix by which other files cite the labels of a file, where there are such prefixes."""

    def of(self, statement: Statement) -> NewLabel | None:
        """The label of a statement; None if it has one, no number that a label prints, or is in Markdown."""
        name = self._names.get(statement.id)
        if name is None or statement.origin is None:
            return None
        path = statement.origin.path
        source = f' xml:id="{name}"' if format_of(path) else f"\\label{{{name}}}"
        at = self._place(statement, statement.origin)
        edit = Edit(path, at, at, source) if at is not None else None
        return NewLabel(self.prefixes.get(path, "") + name, name, source.strip(), statement.origin, edit)

    def at(self, path: str, line: int) -> tuple[Statement, NewLabel] | None:
        """The unlabelled statement that begins on a line of a file, and its label."""
        key = self._by_origin.get(Origin(path, line))
        statement = self.corpus.by_id[key] if key is not None else None
        found = self.of(statement) if statement is not None else None
        return (statement, found) if statement is not None and found is not None else None

    def is_numbered_by_author(self, statement: Statement) -> bool:
        r"""Whether its number is part of its heading, as in ``{\bf Theorem 3.}``: a label would print another one."""
        if statement.origin is None or not statement.number or not has_generated_label(statement):
            return False
        text = self.labels.texts.get(statement.origin.path, "")
        start = _positions(text).offset(statement.origin.line, 1)
        words = [word.strip(".") for word in _NOT_IN_NUMBER.split(text[start : start + _HEADING].casefold())]
        form, number = statement.form.rpartition(" ")[2].casefold(), statement.number.casefold()
        return any(pair in ((form, number), (number, form)) for pair in pairwise(words))

    @cached_property
    def _by_origin(self) -> dict[Origin | None, StatementId]:
        return {self.corpus.by_id[key].origin: key for key in reversed(self._names)}

    @cached_property
    def _names(self) -> dict[StatementId, str]:
        """The names as their files write them, all different."""
        names: dict[StatementId, str] = {}
        taken = set(self.labels.anchors)
        numbers: dict[str, count[int]] = {}
        for statement in self.corpus.statements:
            if not _needs_label(statement) or statement.origin is None or self.is_numbered_by_author(statement):
                continue
            prefix = self.prefixes.get(statement.origin.path, "")
            base = self._style.name(statement.form, _words(statement) or (statement.form or statement.kind,))
            if format_of(statement.origin.path) is not None:
                # An id of XML begins with a letter and has no colons or spaces.
                base = re.sub(r"[^\w.-]", "-", base if base[0].isalpha() else f"{statement.form}-{base}")
            name = base
            while name in taken or prefix + name in taken:
                name = f"{base}{self._style.separator or '-'}{next(numbers.setdefault(base, count(2)))}"
            taken.update((name, prefix + name))
            names[statement.id] = name
        return names

    @cached_property
    def _style(self) -> _Style:
        found: dict[str, Counter[str]] = {}
        signs: Counter[str] = Counter()
        capitals: Counter[bool] = Counter()
        for statement in self.corpus.statements:
            if has_generated_label(statement) or statement.origin is None:
                continue
            label = statement.label.removeprefix(self.prefixes.get(statement.origin.path, ""))
            prefix = _label_prefix(label, statement.form)
            found.setdefault(statement.form, Counter())[prefix] += 1
            rest = label[len(prefix) :]
            signs.update(match[0] for match in _BETWEEN.finditer(rest))
            capitals[rest[:1].isupper()] += 1
        usual = {form: counted.most_common(1)[0] for form, counted in found.items()}
        prefixes = {form: prefix for form, (prefix, often) in usual.items() if often >= _USUAL * found[form].total()}
        separator = signs.most_common(1)[0][0] if signs else "-"
        return _Style(prefixes, separator, capitals[True] > capitals[False])

    def _place(self, statement: Statement, origin: Origin) -> int | None:
        """The offset at which to write the label of a statement: after its beginning and its title."""
        text = self.labels.texts.get(origin.path)
        if text is None:
            return None
        start = _positions(text).offset(origin.line, 1)
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if format_of(origin.path) is not None:
            element = re.compile(rf"<{re.escape(statement.form)}(?=[\s>])").search(text, start, end)
            return element.end() if element else None
        return next(_beginnings(text, start, end, statement), None)


@lru_cache(maxsize=64)
def _positions(text: str) -> Positions:
    """Cached, since a list of suggestions asks about several statements of one file."""
    return Positions(text)


def _beginnings(text: str, start: int, end: int, statement: Statement) -> Iterator[int]:
    """Where the environments of a line begin that contain the statement, after their titles."""
    first = next((line.strip() for line in statement.lines if line.strip()), "")[:_KNOWN]
    for match in _BEGIN.finditer(text, start, end):
        option = read_option(text, match.end())
        at = option.end if option is not None else match.end()
        space = _SPACE.match(text, at)
        if first and not match[1].endswith("*") and text.startswith(first, space.end() if space else at):
            yield at


def _needs_label(statement: Statement) -> bool:
    """Whether a label would make a statement citable: what has no number would be cited by the number of a section."""
    path = statement.origin.path if statement.origin else ""
    own = format_of(path)
    return has_generated_label(statement) and bool(statement.number) and (own is None or own.source == "pretext")


def _label_prefix(label: str, form: str) -> str:
    """``thm:`` of ``thm:main``; without a colon only what abbreviates the form: ``lemma-``, ``def`` of ``defRing``."""
    match = _PREFIX.match(label)
    if match is None:
        return ""
    letters = iter(form.casefold())
    word = (match[1] or match[3]).casefold()
    abbreviates = form[:1].casefold() == word[0] and all(letter in letters for letter in word)
    return match[0] if match[2] == ":" or abbreviates else ""


def _plain(word: str) -> str:
    """A word in the letters that are safe in a label; empty if it has none."""
    return unicodedata.normalize("NFKD", word.replace("ß", "ss")).encode("ascii", "ignore").decode()


def _words(statement: Statement) -> tuple[str, ...]:
    """The words of the title, or the first words of the statement."""
    source = (statement.title or statement.text)[:_READ]
    text = _COMMAND.sub(" ", plain_title(_MARKUP.sub(" ", _FORMULA.sub(" ", source))))
    text = text.casefold().replace("'s", "").replace("’s", "")
    written = _WORD.findall(text)
    language = language_of(written)
    skipped = function_words()[language] | _OPENING.get(language, frozenset())
    plain = (_plain(word) for word in written if word not in skipped)
    found = [word for word in plain if len(word) > 1 or word.isdigit()]
    most = _WORDS if statement.title else _FIRST_WORDS
    words: list[str] = []
    for word in dict.fromkeys(found):
        if len(words) == most or sum(map(len, words)) + len(word) > _LONGEST:
            break
        words.append(word)
    return tuple(words)
