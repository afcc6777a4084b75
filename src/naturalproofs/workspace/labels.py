"""Labels: where they are defined and cited in the files of a project, and what changes when one is renamed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from naturalproofs.errors import BadLabel, UnknownName
from naturalproofs.latex.macros.entries import USES
from naturalproofs.latex.macros.expansion import discards
from naturalproofs.latex.macros.macro import Macro
from naturalproofs.latex.read.citations import PAGE_REFERENCES, Citation, Key, find_keys, keyed_macros
from naturalproofs.latex.scan.scanner import Positions
from naturalproofs.latex.scan.vocabulary import CITING
from naturalproofs.reading.settings import KeyStyle
from naturalproofs.records import Anchor, KeyAt
from naturalproofs.workspace.formats import format_of

_PLAIN: Mapping[str, KeyStyle] = {**CITING, **PAGE_REFERENCES, USES: "list", "proves": "one"}
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_NOT_IN_A_LABEL = re.compile(r"[\\{}\[\],%#~$&^\n\t]|^ | $|  ")
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
class LabelSyntax:
    """The commands by which a LaTeX project defines and cites labels."""

    references: tuple[tuple[str, KeyStyle], ...] = tuple(_PLAIN.items())
    macros: tuple[Macro, ...] = ()
    """The author's macros that label or cite."""
    unread: tuple[Macro, ...] = ()
    """Those that leave arguments out: what stands there is not cited."""

    def find(self, text: str) -> list[Citation]:
        r"""All labels and citations of a text, in order; those by unknown commands such as ``\xyzref`` included."""
        return find_keys(text, dict(self.references), guess=True, macros=self._macros, unread=self.unread)

    def knows(self, command: str) -> bool:
        """Whether a command is known to label or to cite."""
        return command == "label" or command in dict(self.references) or command in self._macros

    @cached_property
    def _macros(self) -> dict[str, Macro]:
        return {macro.name: macro for macro in self.macros}


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
    def syntax(self) -> LabelSyntax:
        """The commands by which the project defines and cites labels."""
        references = {**_PLAIN, **self.references}
        if USES in self.macros and not self.macros[USES].parameters:
            del references[USES]
        macros = keyed_macros(self.macros, references)
        unread = tuple(filter(discards, self.macros.values()))
        return LabelSyntax(tuple(references.items()), tuple(macros.values()), unread)

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """All labels and references, file by file; those that the author's macros make stand where they are called.

        What an unknown command is given counts if it is a label.
        """
        found = (self._resolved(one) for path, text in self.texts.items() for one in _in_file(path, text, self.syntax))
        return tuple(one for one in found if one is not None)

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

    def absolute(self, path: str, key: str) -> str:
        """The name in the whole project of a key as a file writes it."""
        local = local_key(path, key)
        return local if local in self.anchors else key

    def of(self, label: str) -> list[Occurrence]:
        """Every place that defines or cites a label, in order."""
        return [one for one in self.occurrences if self.absolute(one.path, one.key) == label]

    def new_name(self, label: str, key: Key, written: str) -> str:
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
            raise BadLabel(f"{new[:80]!r} is no label: use letters, digits and signs such as : - _ . /")
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
            if one.key != label and not new.startswith(prefix):
                raise BadLabel(f"the new name must begin with {prefix}, as other files cite {label}")
            written = new if one.key == label else new.removeprefix(prefix)
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
def _in_file(path: str, text: str, syntax: LabelSyntax) -> tuple[Occurrence, ...]:
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
        # The parameter of a macro is not known here, nor is what only TeX computes.
        if "#" not in key.key and "\\" not in key.key
    )


def _written(path: str, text: str, one: KeyAt, positions: Positions) -> Occurrence:
    """A key of a file that is not LaTeX; without a span if it stands elsewhere than its column says."""
    start = positions.offset(one.line, one.column)
    end = start + len(one.key) if text.startswith(one.key, start) else start
    command = "" if one.is_certain else _UNCERTAIN
    place = (one.line, one.column, one.key, one.is_label, one.is_certain, command, start, end)
    return Occurrence(path, *place, begin=start, stop=end)
