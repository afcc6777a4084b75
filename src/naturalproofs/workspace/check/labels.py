"""Rules about labels: cited and not defined, defined twice, never cited."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from naturalproofs.corpus.names import has_generated_label
from naturalproofs.io.listing import TEX_SUFFIXES
from naturalproofs.latex.scan.conditionals import find_conditionals
from naturalproofs.records import Diagnostic, Origin
from naturalproofs.workspace.check.files import NAMED, TEX_FILES, package_texts
from naturalproofs.workspace.check.finding import AUXILIARY, Problem
from naturalproofs.workspace.check.outside_labels import OutsideLabels
from naturalproofs.workspace.check.prose import SourceText, source_text, sources
from naturalproofs.workspace.labels import Occurrence
from naturalproofs.workspace.open_corpus import OpenCorpus

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
_REDEFINED = re.compile(r"\\(?:let|def|renewcommand\s*+\*?+\{?+)\s*+\\label(?![a-zA-Z@])")
_KEY_LINES = 5
"""A list of keys may go on for so many lines."""
_DEFINED_AT = re.compile(r"already defined at (.+):(\d+);")
_NUMBERED = re.compile(r"\\begin\s*\{(equation|align|gather|multline|eqnarray|alignat|flalign)\}")
_LONGEST = 5_000
"""Signs of an equation that are searched for its label."""
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")


def undefined_reference(project: OpenCorpus) -> Iterator[Problem]:
    """Citations, in statements, proofs and the text around them, whose label does not exist.

    Silent if a macro makes the key or may make the label, or if it is the argument of another command, which may define
    it. One warning for all if a file that may define them could not be read, and one note if that is another document.
    """
    reported: set[tuple[str, int, str]] = set()
    opened = project.opened
    unread = next(iter(_unread_inputs(project)), None)
    found: list[tuple[str, int, str]] = [
        (missed.path, missed.line, missed.target) for missed in opened.unresolved if missed.reason == "undefined"
    ]
    reported.update(found)
    for one in project.labels.occurrences if opened.anchors is not None else ():
        keys = (one.key, one.local_key)
        known = any(key in project.anchors or (one.path, one.line, key) in reported for key in keys)
        if one.is_certain and not one.is_label and not known and _is_typeset(project, one):
            found.append((one.path, one.line, one.key))
    written = _written_keys(project) if found else set()
    outside = OutsideLabels(project)
    missing = [
        (Origin(path, line), key)
        for path, line, key in found
        if not (written & {key, key.rpartition(":")[2]})
        and _is_literal(project, path, line, key)
        and not outside.defines(key)
    ]
    if missing and unread is not None:
        names = list(dict.fromkeys(key for _, key in missing))
        named = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        message = f"no label is defined for {named}; {unread} could not be read, and may define what is missing"
        yield Problem(missing[0][0], message, f"not read: {unread}", missing[0][1], severity="warning")
        return
    if missing and (name := outside.missing) is not None:
        message = f"the document {name} is not in the project; labels that are not defined here may be its own"
        yield Problem(missing[0][0], message, f"not read: {name}", missing[0][1], severity="note")
        return
    for origin, key in missing:
        yield Problem(origin, f"no label {key} is defined", key)


def _is_typeset(project: OpenCorpus, one: Occurrence) -> bool:
    """Whether a key stands in the text that is typeset; in another format than LaTeX, everything does."""
    source = source_text(project, one.path)
    return source is None or not source.text[one.begin : one.begin + 1].isspace()


def _is_literal(project: OpenCorpus, path: str, line: int, key: str) -> bool:
    """Whether a key is written at its place, up to a prefix, and not made by a macro; a stored corpus does not say."""
    source = source_text(project, path)
    return source is None or key.rpartition(":")[2] in _written(source, line)


@lru_cache(maxsize=8)
def _written(source: SourceText, line: int) -> str:
    """A line and those after it in which a list of keys may go on; cached, since one line may hold many keys."""
    return " ".join(source.lines(line, _KEY_LINES).split())


def _written_keys(project: OpenCorpus) -> set[str]:
    r"""The arguments of commands that do not cite: ``\customlabel{key}``, ``[key]``, ``label=key``.

    The arguments of ``\begin{thm}{Title}{key}`` too; the key may then have a prefix before it.
    """
    found: set[str] = set()
    for source in sources(project).values():
        for match in _GROUP.finditer(_CITING.sub(" ", source.text)):
            found.add(" ".join((match[1] or match[2]).split()))
    return found


def _unread_inputs(project: OpenCorpus) -> Iterator[str]:
    """Files that could not be read and may define labels."""
    for one in project.opened.diagnostics:
        match = NAMED.match(one.message) if one.rule in _NOT_FOLLOWED else None
        if match and PurePosixPath(match[1]).suffix in _LABELLED and PurePosixPath(match[1]).stem not in TEX_FILES:
            yield match[1]


def duplicate_label(project: OpenCorpus) -> Iterator[Problem]:
    r"""Labels that are defined twice, both outside of ``\if … \fi``; silent if a package redefines ``\label``."""
    files = sources(project)
    if any(_REDEFINED.search(text) for text in (*project.texts.values(), *package_texts(project))):
        return
    for one in project.opened.diagnostics:
        if one.rule == "duplicate-label" and not _is_conditional(one, files):
            yield Problem(Origin(one.path, one.line), one.message, re.sub(r":\d+", "", one.message))


def _is_conditional(one: Diagnostic, files: dict[str, SourceText]) -> bool:
    """Whether one of two labels is typeset on a condition only, or both are one line of a file that is read twice."""
    first = _DEFINED_AT.search(one.message)
    places = [(one.path, one.line), *([(first[1], int(first[2]))] if first else [])]
    return len(set(places)) != len(places) or any(
        path in files and _stands_in_branch(files[path], line) for path, line in places
    )


def _stands_in_branch(source: SourceText, line: int) -> bool:
    """Whether the first label of a line stands in a conditional."""
    start, end = source.offset(line), source.offset(line + 1)
    label = source.text.find("\\label", start, end)
    offset = label if label >= 0 else start
    spans = _conditionals(source.text)
    before = bisect_left(spans, (offset, 0)) - 1
    return before >= 0 and offset < spans[before][1]


@lru_cache(maxsize=64)
def _conditionals(text: str) -> list[tuple[int, int]]:
    r"""Where the outermost conditionals stand, those whose branches are groups included."""
    outermost: list[tuple[int, int]] = []
    for one in find_conditionals(text):
        begin, end = one.start, one.end
        if not outermost or begin >= outermost[-1][1]:
            outermost.append((begin, end))
    return outermost


def unlabelled_theorem(project: OpenCorpus) -> Iterator[Problem]:
    """Theorems, lemmas and the like without a label."""
    for statement in project.corpus.of_kind("theorem"):
        if has_generated_label(statement):
            named = f" ({statement.title})" if statement.title else ""
            yield Problem(statement, f"{statement.form or 'theorem'}{named} has no label", statement.label)


def unused_label(project: OpenCorpus) -> Iterator[Problem]:
    """Labels of theorems, equations, sections and the rest that are never cited; lemmas have a rule of their own."""
    for label, anchor in project.anchors.items():
        owner = project.corpus.by_id.get(anchor.owner or "")
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
            count = f"{len(uncited)} numbered equation{'s' if len(uncited) > 1 else ''}"
            verb = "are" if len(uncited) > 1 else "is"
            yield Problem(Origin(path, uncited[0]), f"{count} {verb} never cited (lines {lines})", "equations")
