"""Rules about labels and entries of the bibliography: cited and not defined, defined twice, never cited."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from naturalproofs.corpus.bibliography import outside_uses, read_resource, resource_folders
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.io.listing import TEX_SUFFIXES
from naturalproofs.records import Diagnostic, Origin, Severity
from naturalproofs.sources.latex import Tree, find_conditionals, labels_of, works
from naturalproofs.sources.reading.project_folder import Refused
from naturalproofs.workspace.check.files import TEX_FILES, package_texts
from naturalproofs.workspace.check.finding import AUXILIARY, Problem, name_of
from naturalproofs.workspace.check.prose import SourceText, raw_lines, source_text, sources
from naturalproofs.workspace.labels import Occurrence
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.outside import is_numbered_result, outside_works

# Labels that no file of the project writes: those of other documents (``xr``), and those that LaTeX puts together.

_EXTERNAL = re.compile(
    r"%[^\n]*+|\\[a-zA-Z]{0,20}?externaldocument\*?+\s*+(?:\[([^][\n]{0,100}+)\]\s*+)?+(?:\[[^][\n]{0,100}+\]\s*+)?+"
    r"\{([^{}#\n]{1,300}+)\}"
)
_COMPUTED = re.compile(r"%[^\n]*+|\\label\s*+\{((?:[^{}\n]|\{[^{}\n]{0,80}+\}){0,200}+)\}")
_COUNTER = r"\\(?:the[a-zA-Z]++|(?:arabic|[aA]lph|[rR]oman|value|number)\s*+\{[^{}]*+\})\s*+"
_PART = re.compile(rf"(?P<number>{_COUNTER}(?:[.-]?+{_COUNTER})*+)|\\[a-zA-Z@]++\s*+(?:\{{[^{{}}]*+\}})?+|#++\d")
_NUMERAL = r"(?:\d+|[A-Za-z]|[ivxlcIVXLC]+)(?![A-Za-z\d])"
_NUMBER = rf"{_NUMERAL}(?:[.-]{_NUMERAL})*+"
"""What counters print."""
_NUMBER_AFTER_ANYTHING = r"\d[\w.-]*+"
_IN_MAIN_FILE = ("\\begin{document}", "externaldocument")
_MAX_DOCUMENTS = 1_000
_MAX_PATTERNS = 50
_LONGEST_KEY = 200


class ExternalDocument(NamedTuple):
    """Another document whose labels may be used with a prefix, and which is not read."""

    prefix: str
    name: str
    path: str | None
    """Where it lies in the project, if it does."""


class OutsideLabels:
    """What may define labels besides the files of a project."""

    def __init__(self, project: OpenCorpus) -> None:
        """Bind the project."""
        self._project = project

    @cached_property
    def _texts(self) -> list[str]:
        return [*self._project.texts.values(), *package_texts(self._project)]

    @cached_property
    def _documents(self) -> list[ExternalDocument]:
        return list(_external_documents(self._project, self._texts))

    @cached_property
    def missing(self) -> str | None:
        """A document that is not in the project, and whose labels are used without a prefix: any label may be one."""
        return next((one.name for one in self._documents if one.path is None and not one.prefix), None)

    def defines(self, key: str) -> bool:
        """Whether a key may be a label of another document, or one that LaTeX puts together."""
        if any(one.prefix and key.startswith(one.prefix) for one in self._documents) or key in self._known:
            return True
        return len(key) <= _LONGEST_KEY and any(pattern.fullmatch(key) for pattern in self._patterns)

    @cached_property
    def _known(self) -> frozenset[str]:
        """The labels of documents that lie in the project but are not read."""
        if self._project.root is None:
            return frozenset()
        tree = Tree(self._project.root, [])
        return frozenset().union(*(labels_of(tree, one.path) for one in self._documents if not one.prefix))

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        r"""What the labels look like that are put together: ``\label{\thesection.\Alph{par}}``."""
        written = {match[1] for text in self._texts for match in _COMPUTED.finditer(text) if "\\" in (match[1] or "")}
        found = [pattern for source in sorted(written) if (pattern := _pattern(source)) is not None]
        return found[:_MAX_PATTERNS]


def _external_documents(project: OpenCorpus, texts: Iterable[str]) -> Iterator[ExternalDocument]:
    named = {(match[1] or "", match[2]) for text in texts for match in _EXTERNAL.finditer(text) if match[2]}
    if not named or project.root is None:
        return
    tree = Tree(project.root, [])
    read = {file.path for file in project.inputs}
    near = (path for path, text in project.texts.items() if any(word in text for word in _IN_MAIN_FILE))
    folders = dict.fromkeys([project.root, *(tree.path(path).parent for path in near)])
    for prefix, name in sorted(named)[:_MAX_DOCUMENTS]:
        found = tree.find(name.strip(), tuple(folders), (".tex", ""))
        path = None if isinstance(found, Refused) else tree.name(found)
        if path not in read:
            yield ExternalDocument(prefix.strip(), name.strip(), path)


def _pattern(source: str) -> re.Pattern[str] | None:
    """The keys that a label with commands in it may have; None if it says nothing about them.

    A part that may be anything ends where the next one begins first, so that matching does not go back.
    """
    pieces: list[str] = []
    at, anything, is_certain = 0, "", False
    for match in (*_PART.finditer(source), None):
        literal = source[at : match.start() if match else len(source)].strip()
        if "\\" in literal:
            return None
        if literal:
            pieces.append(f"(?>{anything}{re.escape(literal)})")
            anything, is_certain = "", True
        if match is not None and match["number"]:
            pieces.append(f"(?>{anything}{_NUMBER_AFTER_ANYTHING})" if anything else f"(?>{_NUMBER})")
            anything, is_certain = "", True
        elif match is not None:
            anything = "[^,]*?"
        at = match.end() if match else at
    return re.compile("".join(pieces) + ("[^,]*+" if anything else "")) if is_certain else None


_CITING = re.compile(
    r"\\(?:[a-zA-Z]*[rR]efs?|[rR]ef[a-z]*|uses|proves|lean|[a-zA-Z]*[cC]ite[a-zA-Z]*|leanok|input|include)\*?"
    r"\s*(?:\[[^][{}]*\]\s*)*(?:\{[^{}]*\})?"
)
"""Commands whose arguments define no label."""
_GROUP = re.compile(r"(?<=[{\[])([^{}\[\]\\,=]{1,160})(?=[}\]])|\blabel\s*=\s*\{?([^{}\[\]\\,]{1,160})")
_BEGIN = re.compile(r"\\begin\s*\{[^{}]*\}")

_LABELLED = frozenset({"", *TEX_SUFFIXES})
"""Endings of files in which labels may be defined; figures and bibliographies define none."""
_NOT_FOLLOWED = frozenset({"missing-file", "outside-project", "too-large", "too-many-files", "too-deep", "unreadable"})
_OF_ONE_MEANING = frozenset("ref pageref eqref cref Cref autoref nameref".split())
"""Commands that take a key wherever they are defined."""
_REDEFINED = re.compile(r"\\(?:let|def|renewcommand\s*+\*?+\{?+)\s*+\\label(?![a-zA-Z@])")
_BEGIN_DOCUMENT = "\\begin{document}"
_FEW = 3
"""So many keys that a missing file may define are reported one by one."""
_TYPO = 0.9
"""How like a label a key must be to be a misspelling of it."""
_KEY_LINES = 5
"""A list of keys may go on for so many lines."""
_BETWEEN_KEYS = re.compile(r"[{}\[\],;|]")
_NUMBERED = re.compile(r"\\begin\s*\{(equation|align|gather|multline|eqnarray|alignat|flalign)\}")
_LONGEST = 5_000
"""Signs of an equation that are searched for its label."""
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")


def undefined_reference(project: OpenCorpus) -> Iterator[Problem]:
    """Citations, in statements, proofs and the text around them, whose label does not exist: LaTeX prints "??".

    Silent if a macro makes the key or may make the label, or if it is the argument of another command, which may define
    it. One finding for all keys that a missing file may define, one warning for a macro most of whose keys fail, and
    one note if the labels may be those of another document.
    """
    missing = list(_undefined(project))
    outside = OutsideLabels(project)
    if missing and (name := outside.missing) is not None:
        message = f"the document {name} is not in the project; labels that are not defined here may be its own"
        yield Problem(missing[0][0], message, f"not read: {name}", missing[0][1], severity="note")
        return
    missing = [one for one in missing if not outside.defines(one[1])]
    for command, failed, count in _doubtful_macros(project, missing):
        named = _some(key for _, key in failed)
        message = (
            f"{len(failed)} of {count} keys of \\{command} have no label ({named}); "
            "how this macro makes its keys may not be understood"
        )
        yield Problem(failed[0][0], message, f"keys of \\{command}", failed[0][1], severity="warning")
        missing = [one for one in missing if one not in failed]
    unread = next(iter(_unread_inputs(project)), None)
    absent = {key for _, key in missing if not get_close_matches(key, project.anchors, 1, _TYPO)} if unread else set()
    if unread is not None and len(absent) > _FEW:
        first = next(one for one in missing if one[1] in absent)
        message = f"no label is defined for {_some(absent)}; {unread.about} could not be read, and may define them"
        severity: Severity = "error" if unread.rule == "missing-file" else "warning"
        yield Problem(first[0], message, f"not read: {unread.about}", first[1], severity=severity)
        missing = [one for one in missing if one[1] not in absent]
    for origin, key in (
        missing if unread is None else {key: (origin, key) for origin, key in reversed(missing)}.values()
    ):
        hint = f"; {unread.about}, which could not be read, may define it" if unread and key in absent else ""
        yield Problem(origin, f"no label {key} is defined{hint}", key)


def _undefined(project: OpenCorpus) -> Iterator[tuple[Origin, str]]:
    """Where a key is cited that no label of the project has, and no command may define."""
    missed = [(one.path, one.line, one.target) for one in project.unresolved if one.reason == "undefined"]
    labels = {(one.path, one.line, one.key) for one in project.labels.occurrences if one.key in project.anchors}
    # A name before the key says that another document has the label; which files belong to one may be a guess.
    found = [one for one in missed if labels.isdisjoint((*one[:2], rest) for rest in _without_names(one[2]))]
    reported = set(missed)
    for one in project.labels.occurrences if project.anchors is not None else ():
        keys = (one.key, one.local_key)
        known = any(key in project.anchors or (one.path, one.line, key) in reported for key in keys)
        if one.is_certain and not one.is_label and not known and _is_typeset(project, one):
            found.append((one.path, one.line, one.key))
    written = _written_keys(project) if found else set()
    for path, line, key in found:
        if not (written & {key, key.rpartition(":")[2]}) and _is_literal(project, path, line, key):
            yield Origin(path, line), key


def _without_names(key: str) -> Iterator[str]:
    """What is left of a key without the names of documents before it."""
    return (key[at + 1 :] for at, character in enumerate(key) if character == "-")


def _doubtful_macros(
    project: OpenCorpus, missing: Sequence[tuple[Origin, str]]
) -> Iterator[tuple[str, list[tuple[Origin, str]], int]]:
    """Macros of authors, classes and packages of whose keys most have no label.

    Yields:
        The macro, where its keys fail, and how many it has.
    """
    failed: defaultdict[str, list[tuple[Origin, str]]] = defaultdict(list)
    counts: Counter[str] = Counter()
    places = {(origin.path, origin.line, key): (origin, key) for origin, key in missing}
    for one in project.labels.occurrences if missing else ():
        if not one.is_label and one.command not in _OF_ONE_MEANING:
            counts[one.command] += 1
            keys = ((one.path, one.line, key) for key in (one.key, one.local_key))
            failed[one.command] += [places[key] for key in keys if key in places][:1]
    for command, places_of_one in failed.items():
        unexpanded = any("\\" in key for _, key in places_of_one)
        if unexpanded or (len(places_of_one) >= _FEW and 2 * len(places_of_one) > counts[command]):
            yield command, places_of_one, counts[command]


def _some(keys: Iterable[str]) -> str:
    """Some of the keys, each once."""
    names = list(dict.fromkeys(keys))
    return ", ".join(sorted(names)[:3]) + (", …" if len(names) > 3 else "")


def _is_typeset(project: OpenCorpus, one: Occurrence) -> bool:
    """Whether a key stands in the text that is typeset; in another format than LaTeX, everything does."""
    source = source_text(project, one.path)
    return source is None or not source.text[one.begin : one.begin + 1].isspace()


def _is_literal(project: OpenCorpus, path: str, line: int, key: str) -> bool:
    """Whether a key is written at its place, up to a prefix, and not made by a macro; a stored corpus does not say."""
    source = source_text(project, path)
    return source is None or key.rpartition(":")[2] in _written(source, line)


@lru_cache(maxsize=8)
def _written(source: SourceText, line: int) -> frozenset[str]:
    """What may be a key on a line and those after it in which a list goes on; cached: one line may hold many keys."""
    text = " ".join(source.lines(line, _KEY_LINES).split())
    return frozenset(one.strip().rpartition(":")[2] for one in _BETWEEN_KEYS.split(text))


def _written_keys(project: OpenCorpus) -> set[str]:
    r"""The arguments of commands that do not cite: ``\customlabel{key}``, ``[key]``, ``label=key``.

    The arguments of ``\begin{thm}{Title}{key}`` too; the key may then have a prefix before it.
    """
    found: set[str] = set()
    for source in sources(project).values():
        for match in _GROUP.finditer(_CITING.sub(" ", source.text)):
            found.add(" ".join((match[1] or match[2]).split()))
    return found


def _unread_inputs(project: OpenCorpus) -> Iterator[Diagnostic]:
    """Files that could not be read and may define labels; what a preamble reads defines none."""
    for one in project.diagnostics:
        file = PurePosixPath(one.about)
        if one.about and one.rule in _NOT_FOLLOWED and file.suffix in _LABELLED and file.stem not in TEX_FILES:
            rest = raw_lines(project.texts.get(one.path, ""))[one.line :]
            if not any(_BEGIN_DOCUMENT in line for line in rest):
                yield one


def duplicate_label(project: OpenCorpus) -> Iterator[Problem]:
    r"""Labels that are defined twice, both outside of ``\if … \fi``; silent if a package redefines ``\label``."""
    files = sources(project)
    if any(_REDEFINED.search(text) for text in (*project.texts.values(), *package_texts(project))):
        return
    for one in project.diagnostics:
        if one.rule == "duplicate-label" and not _is_conditional(one, files):
            yield Problem(Origin(one.path, one.line), one.message, one.subject)


def _is_conditional(one: Diagnostic, files: dict[str, SourceText]) -> bool:
    """Whether two labels are not typeset together for certain, or both are one line of a file that is read twice."""
    places = [Origin(one.path, one.line), *([one.other] if one.other else [])]
    if len(set(places)) != len(places):
        return True
    branches = {(at.path, _branch(files[at.path], at.line)) for at in places if at.path in files}
    # One branch of one conditional is typeset as a whole.
    return len(branches) > 1 and any(begin >= 0 for _, begin in branches)


def _branch(source: SourceText, line: int) -> int:
    """Where the innermost branch of a conditional around the first label of a line begins; -1 if there is none."""
    start, end = source.offset(line), source.offset(line + 1)
    label = source.text.find("\\label", start, end)
    places, branches = _branches(source.text)
    return branches[bisect_right(places, label if label >= 0 else start)]


@lru_cache(maxsize=64)
def _branches(text: str) -> tuple[list[int], list[int]]:
    """Where branches of conditionals begin and end, and the innermost branch before the first and after each place."""
    spans = [span for one in find_conditionals(text) for span in one.branches or ((one.start, one.end),)]
    edges = sorted([(end, 0, begin) for begin, end in spans] + [(begin, 1, begin) for begin, _ in spans])
    opened: list[int] = []
    found = [-1]
    for _, opens, begin in edges:
        if opens:
            opened.append(begin)
        elif opened:
            opened.pop()
        found.append(opened[-1] if opened else -1)
    return [place for place, _, _ in edges], found


def unlabelled_theorem(project: OpenCorpus) -> Iterator[Problem]:
    """Theorems, lemmas and the like without a label."""
    for statement in project.of_kind("theorem"):
        if has_generated_label(statement):
            named = f" ({statement.title})" if statement.title else ""
            yield Problem(statement, f"{statement.form or 'theorem'}{named} has no label", statement.label)


def unused_label(project: OpenCorpus) -> Iterator[Problem]:
    """Labels of theorems, equations, sections and the rest that are never cited; lemmas have a rule of their own."""
    for label, anchor in project.anchors.items():
        owner = project.by_id.get(anchor.owner or "")
        lemma = anchor.kind == "statement" and owner is not None and owner.form.casefold() in AUXILIARY
        if anchor.kind not in ("external", "bibliography") and not lemma and label not in project.cited_keys:
            yield Problem(anchor.origin, f"label {label} is never cited", label)


def uncited_equation(project: OpenCorpus) -> Iterator[Problem]:
    """Numbered equations that nothing cites, in one finding for each file."""
    for path, source in sources(project).items():
        uncited = []
        for origin, match in source.find(_NUMBERED):
            end = source.text.find(f"\\end{{{match[1]}}}", match.end(), match.end() + _LONGEST)
            inside = source.text[match.end() : end if end >= 0 else match.end()]
            keys = _LABEL.findall(inside)
            if project.cited_keys.isdisjoint(keys) and "\\notag" not in inside and "\\tag" not in inside:
                uncited.append(origin.line)
        if uncited:
            lines = ", ".join(map(str, uncited[:5])) + (", …" if len(uncited) > 5 else "")
            message = f"numbered equations that are never cited: {len(uncited)} (lines {lines})"
            yield Problem(Origin(path, uncited[0]), message, "equations")


# Rules about the bibliography: keys that are cited and not listed, and entries that are listed and not cited.

_OPTIONS = r"\*?\s*(?:\[[^][]*(?:\[[^][]*\][^][]*)*\]\s*){0,2}"
_CITE = re.compile(
    r"\\(?:[Cc]ite|[Cc]ite[pt]|[Cc]iteal[pt]|[Cc]iteauthor|[Cc]iteyear|citeyearpar|[Pp]arencite|[Tt]extcite|footcite|[Aa]utocite|supercite"
    rf"|fullcite|[Ss]martcite|nocite)(?![a-zA-Z@]){_OPTIONS}\{{([^{{}}]*)\}}"
)
_USED = re.compile(rf"\\[a-zA-Z]*[cC]ite[a-zA-Z]*{_OPTIONS}\{{([^{{}}]*)\}}")


class _Bibliography(NamedTuple):
    """The keys of a project's bibliography."""

    keys: frozenset[str]
    items: tuple[tuple[Origin, str], ...]
    r"""Where ``\bibitem`` writes an entry."""


def _bibliography(project: OpenCorpus, files: dict[str, SourceText]) -> _Bibliography | None:
    """All entries; None if there are none, or a file of them cannot be read."""
    items = tuple((origin, match[1].strip()) for file in files.values() for origin, match in file.find(works.BIBITEM))
    keys = {key for _, key in items}
    names = {name for text in (*project.texts.values(), *package_texts(project)) for name in works.resource_names(text)}
    if project.root is None or not (names or items):
        return None
    folders = resource_folders(project.root, project.texts)
    for name in names:
        found = [text for folder in folders if (text := read_resource(project.root, [folder], name)) is not None]
        if not found:
            return None
        # Documents in several folders have files of one name, each its own.
        keys.update(entry.key for text in found for entry in works.read_bib(text))
    return _Bibliography(frozenset(keys), items)


def undefined_citation(project: OpenCorpus) -> Iterator[Problem]:
    r"""Keys of ``\cite`` that the bibliography does not list; silent if the bibliography cannot be read."""
    files = sources(project)
    listed = _bibliography(project, files)
    if listed is None:
        return
    folded = {key.casefold() for key in listed.keys}
    for source in files.values():
        for origin, match in source.find(_CITE):
            for key in _keys([match[1]]):
                if key.casefold() not in folded and key != "*" and "#" not in key and "\\" not in key:
                    line = origin.line + source.text.count("\n", match.start(), match.start(1))
                    yield Problem(Origin(source.path, line), f"no entry {key} is in the bibliography", key)


def unused_citation(project: OpenCorpus) -> Iterator[Problem]:
    r"""Entries written by ``\bibitem`` that nothing cites; entries of .bib files are not printed unless cited."""
    files = sources(project)
    listed = _bibliography(project, files)
    if listed is None:
        return
    used = set(_keys(keys for source in files.values() for keys in _USED.findall(source.text)))
    for origin, key in listed.items if "*" not in used else ():
        if key not in used:
            yield Problem(origin, f"the entry {key} of the bibliography is never cited", key)


def missing_result(project: OpenCorpus, others: Sequence[Corpus]) -> Iterator[Problem]:
    r"""Results of open works that these do not have: ``\cite[Theorem 3]{X}`` where X has no Theorem 3."""
    uses = (use for statement in project.statements for use in outside_uses(statement)) if others else ()
    for work in outside_works(uses, project.bibliography, others):
        for result in work.results if work.corpus is not None else ():
            if result.meant or not is_numbered_result(result.place) or work.corpus is None:
                continue
            statement, key = project.by_id[result.uses[0].statement], work.entry.key
            cited = (*statement.mentions, *(mention for proof in statement.proofs for mention in proof.mentions))
            lines = (mention.line for mention in cited if mention.target == f"cite:{key}")
            path = statement.origin.path if statement.origin else statement.label
            number = result.place.rpartition(" ")[2]
            there = work.corpus.names.matches(number)
            hint = f"; {number} is {name_of(there[0])}" if len(there) == 1 else ""
            message = f"{work.corpus.name} has no {result.place}{hint}"
            yield Problem(Origin(path, next(lines, 1)), message, f"{key}: {result.place}", f"cite:{key}")


def _keys(lists: Iterable[str]) -> Iterator[str]:
    for keys in lists:
        for key in keys.split(","):
            if name := " ".join(key.split()):
                yield name
