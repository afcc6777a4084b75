"""Labels: where they are defined and cited, what changes when one is renamed, and names for what has none."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import count, pairwise
from typing import NamedTuple

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.errors import BadLabel, UnknownName
from naturalproofs.records import Anchor, KeyAt, Origin, Statement, StatementId
from naturalproofs.sources.latex import Macro, plain_title, read_option
from naturalproofs.sources.latex import citations as latex_citations
from naturalproofs.sources.reading.settings import KeyStyle
from naturalproofs.sources.reading.text_files import Positions
from naturalproofs.tokens import function_words, language_of
from naturalproofs.workspace.formats import format_of

_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_NOT_IN_A_LABEL = re.compile(r"[\\{}\[\],%#~$&^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|^ | $|  ")
_NOT_IN_AN_ATTRIBUTE = re.compile(r"[\s\"'<>`()]")
_UNCERTAIN = "?"
"""Stands for the command of a key that is not certain, in a file that is not LaTeX."""
_LONGEST_NAME = 80
_FAR = 5
"""Lines after the beginning of a statement in which its options may name its label."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A key where it is written."""

    path: str
    line: int
    """The line of the command."""
    column: int
    key: str
    is_label: bool
    is_certain: bool = True
    """False if a macro makes the key only in some cases, or if only the name of the command tells that it cites."""
    command: str = ""
    """The command that is written; empty in a file that is not LaTeX."""
    start: int = 0
    """Where the key begins in the text of the file."""
    end: int = 0
    before: str = ""
    """What the command puts before the part of the key that is written."""
    after: str = ""
    begin: int = 0
    """Where the command begins."""
    stop: int = 0
    """Where the command with its keys ends."""

    @property
    def local_key(self) -> str:
        """The key with the name of its file, as several documents in one folder have them."""
        return local_key(self.path, self.key)


class Edit(NamedTuple):
    """A part of a file that is replaced."""

    path: str
    start: int
    end: int
    text: str


def local_key(path: str, key: str) -> str:
    """A key with the name of its file before it."""
    name = path.rpartition("/")[2]
    return f"{name.rpartition('.')[0] or name}-{key}"


@dataclass(frozen=True)
class LabelIndex:
    """All occurrences of keys in a project, and what each label stands for."""

    anchors: Mapping[str, Anchor]
    texts: Mapping[str, str]
    """The files of the project by path."""
    macros: Mapping[str, Macro] = field(default_factory=dict)
    """The macros of the project."""
    references: Mapping[str, KeyStyle] = field(default_factory=dict)
    """Further commands that cite, as the project's settings give them."""

    @cached_property
    def syntax(self) -> latex_citations.KeySyntax:
        """The commands by which the project defines and cites labels."""
        return latex_citations.KeySyntax.of(self.macros, self.references)

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """All labels and references, file by file; those that the author's macros make stand where they are called.

        What an unknown command is given counts if it is a label.
        """
        found = (self._resolved(one) for path, text in self.texts.items() for one in _in_file(path, text, self.syntax))
        return tuple(one for one in found if one is not None)

    def written_in(self, path: str, text: str) -> list[Occurrence]:
        """The citations in a part of a file as an editor holds it."""
        return [one for one in _in_file.__wrapped__(path, text, self.syntax) if not one.is_label]

    @cached_property
    def by_file(self) -> dict[str, list[tuple[int, str]]]:
        """The lines and the names of the labels of each file, in order."""
        found: dict[str, list[tuple[int, str]]] = {}
        for label, anchor in self.anchors.items():
            if anchor.kind not in ("bibliography", "external"):
                found.setdefault(anchor.origin.path, []).append((anchor.origin.line, label))
        return {path: sorted(lines) for path, lines in found.items()}

    @cached_property
    def definitions(self) -> dict[str, Occurrence]:
        """Where each label is written, by its name in the whole project; the first place if it is written twice."""
        return {self.absolute(one.path, one.key): one for one in reversed(self.occurrences) if one.is_label}

    @cached_property
    def citations(self) -> dict[str, list[Occurrence]]:
        """Where each label is cited."""
        found: dict[str, list[Occurrence]] = {}
        for one in self.occurrences:
            if not one.is_label:
                found.setdefault(self.absolute(one.path, one.key), []).append(one)
        return found

    @cached_property
    def columns(self) -> dict[tuple[str, int, str], int]:
        """Columns by file, line and key, both as written and as the whole project knows it."""
        rows = [(one, key) for one in reversed(self.occurrences) for key in (one.key, one.local_key)]
        return {(one.path, one.line, key): one.column for one, key in rows}

    @cached_property
    def cited_at(self) -> dict[tuple[str, int, str], Occurrence]:
        """The last citation of each key on a line, by file, line and key, as in `columns`."""
        rows = [(one, key) for one in self.occurrences if not one.is_label for key in (one.key, one.local_key)]
        return {(one.path, one.line, key): one for one, key in rows}

    def absolute(self, path: str, key: str) -> str:
        """The name in the whole project of a key as a file writes it."""
        names = (local_key(path, key), self._prefixes.get(path, "") + key)
        return next((name for name in names if name in self.anchors), key)

    @cached_property
    def _prefixes(self) -> dict[str, str]:
        """What stands before the labels of files that other documents have, too."""
        return {one.origin.path: label.removesuffix(one.key) for label, one in self.anchors.items() if one.key}

    def of(self, label: str) -> list[Occurrence]:
        """Every place that defines or cites a label, in order."""
        return [one for one in self.occurrences if self.absolute(one.path, one.key) == label]

    def new_name(self, label: str, key: latex_citations.Key, written: str) -> str:
        """The name in the whole project that a label gets when one of its keys is written in another way.

        Args:
            label: Its name in the whole project.
            key: The key as a file has it; a macro or the name of the file may stand before it.
            written: What is to stand in place of the key.
        """
        if label.endswith(key.key):
            return f"{label.removesuffix(key.key)}{key.before}{written}{key.after}"
        return label.removesuffix(key.key[len(key.before) : len(key.key) - len(key.after)]) + written

    def rename(self, label: str, new: str) -> list[Edit]:
        """What to replace so that a label has another name, everywhere.

        Args:
            label: Its name in the whole project.
            new: The other name.
        """
        anchor = self.anchors.get(label)
        if anchor is None:
            raise UnknownName(f"no label {label[:80]} is defined here")
        other = format_of(anchor.origin.path) is not None
        if not new or _NOT_IN_A_LABEL.search(new) or (other and _NOT_IN_AN_ATTRIBUTE.search(new)):
            raise BadLabel(f"{new[:80]!r} is no label: use letters, digits and characters such as : - _ . /")
        if new != label and new in self.anchors:
            raise BadLabel(f"the label {new} exists already, at {self.anchors[new].origin}")
        prefix = local_key(anchor.origin.path, "")
        found = self.of(label)
        if not any(one.is_label for one in found):
            found += self._in_options(label, anchor)
        if not any(one.is_label for one in found):
            raise BadLabel(f"where {label} is defined was not found ({anchor.origin}); rename it by hand")
        edits = []
        for one in found:
            if self.texts[one.path].startswith("\\", one.start):
                continue  # The key is written in the definition of the macro that is called here.
            # The file that defines a label may write it without the name of the file.
            if one.key != label and not anchor.key and not new.startswith(prefix):
                raise BadLabel(f"the new name must begin with {prefix}, as other files cite {label}")
            written = new if one.key == label or anchor.key else new.removeprefix(prefix)
            if not (written.startswith(one.before) and written.endswith(one.after)):
                raise BadLabel(
                    f"{one.path}:{one.line} cites {label} by \\{one.command}, which needs a name of the form "
                    f"{one.before}…{one.after}"
                )
            if one.start == one.end:
                raise BadLabel(f"how {one.path}:{one.line} writes {label} is not known; rename it by hand")
            written = written[len(one.before) : len(written) - len(one.after)]
            edits.append(Edit(one.path, one.start, one.end, written))
        return list(dict.fromkeys(edits))

    def label_of(self, path: str, key: str, before: str = "", after: str = "") -> str:
        """The label that a key means, as a file writes it by a command that puts text before and after it."""
        label = self.absolute(path, key)
        if label in self.anchors or not before + after:
            return label
        # Several definitions of one macro may be in the project; the key may be the argument itself.
        bare = self.absolute(path, key[len(before) : len(key) - len(after)])
        return bare if bare in self.anchors else label

    def _resolved(self, one: Occurrence) -> Occurrence | None:
        label = self.label_of(one.path, one.key, one.before, one.after)
        if label not in self.anchors:
            return one if self.syntax.knows(one.command) or not one.command else None
        if label == self.absolute(one.path, one.key):
            return one
        return replace(one, key=one.key[len(one.before) : len(one.key) - len(one.after)], before="", after="")

    def _in_options(self, label: str, anchor: Anchor) -> Iterator[Occurrence]:
        r"""A label that is written as an option: ``\begin{theorem}[label=a]``."""
        path, text = anchor.origin.path, self.texts.get(anchor.origin.path, "")
        positions = Positions(text)
        for key in (label, label.removeprefix(local_key(path, ""))):
            for match in re.finditer(rf"label\s*=\s*\{{?\s*({re.escape(key)})\s*[}},\]]", text):
                line, column = positions.line_column(match.start())
                if 0 <= line - anchor.origin.line <= _FAR:
                    yield Occurrence(path, line, column, key, True, True, "label", *match.span(1), begin=match.start())
                    return


@lru_cache(maxsize=256)
def _in_file(path: str, text: str, syntax: latex_citations.KeySyntax) -> tuple[Occurrence, ...]:
    """The occurrences of one file; cached, since an editor asks again after every change of another file."""
    positions = Positions(text)
    if (own := format_of(path)) is not None:
        return tuple(_written(path, text, one, positions) for one in own.find_keys(text))
    return tuple(
        Occurrence(
            path,
            *positions.line_column(one.start),
            key.key,
            one.is_label,
            one.certain and syntax.knows(command),
            command,
            key.start,
            key.end,
            key.before,
            key.after,
            one.start,
            one.end,
        )
        for one in syntax.find(text)
        for command in _COMMAND.findall(text[one.start : one.start + _LONGEST_NAME])[:1]
        for key in one.keys
        # The parameter of a macro is not understood, nor is what only TeX computes.
        if "#" not in key.key and "\\" not in key.key
    )


def _written(path: str, text: str, one: KeyAt, positions: Positions) -> Occurrence:
    """A key of a file that is not LaTeX; without a span if it stands elsewhere than its column says."""
    start = positions.offset(one.line, one.column)
    end = start + len(one.key) if text.startswith(one.key, start) else start
    command = "" if one.is_certain else _UNCERTAIN
    place = (one.line, one.column, one.key, one.is_label, one.is_certain, command, start, end)
    return Occurrence(path, *place, begin=start, stop=end)


# Labels for statements that have none: a name by the project's own habit, and where to write it.

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
_NEW_LABELS_COMMAND = re.compile(r"\\[a-zA-Z]+\*?")
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
        # A prefix is a word and a separator. Labels such as `defRing` have only the word, and others no prefix at all.
        words = {other: prefix.rstrip(_SIGNS) for other, prefix in self.prefixes.items()}
        kinds = Counter((bool(word), self.prefixes[other].removeprefix(word)) for other, word in words.items())
        (prefixed, separator), _ = kinds.most_common(1)[0]
        written_out = any(word.casefold() == other for other, word in words.items() if other in _SHORT)
        return f"{form if written_out else short}{separator}" if prefixed else ""

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
        separators: Counter[str] = Counter()
        capitals: Counter[bool] = Counter()
        for statement in self.corpus.statements:
            if has_generated_label(statement) or statement.origin is None:
                continue
            label = statement.label.removeprefix(self.prefixes.get(statement.origin.path, ""))
            prefix = _label_prefix(label, statement.form)
            found.setdefault(statement.form, Counter())[prefix] += 1
            rest = label[len(prefix) :]
            separators.update(match[0] for match in _BETWEEN.finditer(rest))
            capitals[rest[:1].isupper()] += 1
        usual = {form: counted.most_common(1)[0] for form, counted in found.items()}
        prefixes = {form: prefix for form, (prefix, often) in usual.items() if often >= _USUAL * found[form].total()}
        separator = separators.most_common(1)[0][0] if separators else "-"
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
    text = _NEW_LABELS_COMMAND.sub(" ", plain_title(_MARKUP.sub(" ", _FORMULA.sub(" ", source))))
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
