"""What the lines of a Markdown file hold: statements and proofs, headings, labels, inclusions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from naturalproofs.markdown.vocabulary import SHORT
from naturalproofs.reading.kinds import Sense
from naturalproofs.records import AnchorKind

_ATTRIBUTE = re.compile(
    r"""(?<![\w.-])(?P<key>[\w.-]++)\s*+=\s*+(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s,}]+))"""
)
_SEPARATOR = re.compile(r"[\s,]+")


@dataclass(slots=True, eq=False)
class Block:
    """A statement or a proof: its lines, with empty ones for what belongs to others."""

    name: str
    sense: Sense
    start: int
    """The line on which its text begins."""
    line: int
    """The line on which it opens."""
    title: str = ""
    labels: list[str] = field(default_factory=list)
    numbered: bool = True
    end: int = 0
    """The line on which it closes; 0 if it does not."""
    of: str = ""
    """What a proof says it proves."""
    lines: list[str] = field(default_factory=list)
    parent: Block | None = None
    environment: bool = False
    r"""Written as an environment of LaTeX: a ``\label`` in it is its own."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, such as that of a chapter or a section."""

    level: int
    title: str
    label: str
    numbered: bool
    line: int
    of_file: bool = False
    """The title in the front matter of a file."""

    @property
    def labels(self) -> list[str]:
        """Its label, if it has one."""
        return [self.label] if self.label else []


@dataclass(frozen=True, slots=True)
class Label:
    """A label of something else."""

    name: str
    kind: AnchorKind
    line: int
    holder: Block | None

    @property
    def labels(self) -> list[str]:
        """Its name."""
        return [self.name]


@dataclass(frozen=True, slots=True)
class Include:
    """Another file that stands here."""

    name: str
    line: int
    labels: tuple[str, ...] = ()


Item: TypeAlias = Block | Heading | Label | Include


class Attributes(NamedTuple):
    """What stands in the braces of a div, a chunk or a heading."""

    names: list[str]
    classes: list[str]
    label: str
    values: dict[str, str]

    @classmethod
    def of(cls, text: str) -> Attributes:
        """Read ``.class #label name key="value"``, with or without commas."""
        values = {one["key"]: one["double"] or one["single"] or one["bare"] or "" for one in _ATTRIBUTE.finditer(text)}
        parts = [part for part in _SEPARATOR.split(_ATTRIBUTE.sub(" ", text)) if part]
        label = next((part[1:] for part in parts if part.startswith("#")), "")
        names = [part for part in parts if part[0] not in ".#"]
        return cls(names, [name for part in parts if part[0] == "." for name in part[1:].split(".")], label, values)


def bookdown_labels(label: str, form: str) -> list[str]:
    """The label as it is cited, with the short name of the kind, and as it is written."""
    if not label:
        return []
    return [f"{SHORT[form]}:{label}", label] if form in SHORT and ":" not in label else [label]
