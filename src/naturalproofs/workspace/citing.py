"""How a statement is named, shown on one line and cited from where one is writing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path, PurePosixPath

from naturalproofs.corpus.corpus import Corpus, has_generated_label
from naturalproofs.latex.display import Macro, plain_unicode
from naturalproofs.records import Statement
from naturalproofs.workspace.beginnings import beginning

_CLEVER = frozenset({"cref", "Cref", "autoref", "zcref", "zcpageref", "vref", "Vref", "thref"})
"""Commands that print the word before the number themselves."""
_COMMON = (*sorted(_CLEVER), "ref")
_ENVIRONMENT = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^][]*\])?|\\item\b(?:\[([^][]*)\])?|\\label\s*\{[^{}]*\}|&"
)
_READABLE: Mapping[str, Macro] = {
    "pmod": Macro.of("pmod", 1, "(mod #1)"),
    "bmod": Macro.of("bmod", 0, "mod"),
    "frac": Macro.of("frac", 2, "(#1)/(#2)"),
    "tfrac": Macro.of("tfrac", 2, "(#1)/(#2)"),
    "dfrac": Macro.of("dfrac", 2, "(#1)/(#2)"),
    "binom": Macro.of("binom", 2, "binom(#1, #2)"),
    "sqrt": Macro.of("sqrt", 1, "√(#1)"),
    "operatorname": Macro.of("operatorname", 1, "#1"),
}
"""Commands whose arguments would run together if only they were kept."""
_LONGEST = 1_000
"""Characters of a statement that a preview looks at."""


@dataclass(frozen=True, slots=True)
class Citing:
    """The habits of a project, and how a corpus is named from outside."""

    command: str = "cref"
    """The command that the project cites statements by."""
    work: str = ""
    """The name of the work, if it is another one than the project: statements are then cited in words."""
    local: Mapping[str, str] = field(default_factory=dict)
    """For documents side by side: what stands before the labels of each file when other files cite them."""
    here: str = ""
    """The file one is writing in."""
    root: Path | None = None
    macros: Mapping[str, Macro] = field(default_factory=dict)

    def citation(self, statement: Statement) -> str:
        """What to paste."""
        if self.work:
            name = f"tag {statement.tag}" if statement.tag else _named(statement)
            return f"{self.work}, {name}"
        if has_generated_label(statement):
            return printed_name(statement)
        label = self._label(statement)
        if self.command in _CLEVER:
            return f"\\{self.command}{{{label}}}"
        return f"{(statement.form or statement.kind).capitalize()}~\\{self.command}{{{label}}}"

    def _label(self, statement: Statement) -> str:
        path = statement.origin.path if statement.origin else ""
        prefix = self.local.get(path, "")
        return statement.label.removeprefix(prefix) if prefix and path == self.here else statement.label

    def where(self, statement: Statement) -> str:
        """File and line, as one may open them from here."""
        if statement.origin is None:
            return ""
        path = statement.origin.path if self.root is None else (self.root / statement.origin.path).as_posix()
        return f"{path}:{statement.origin.line}"

    def plain(self, source: str) -> str:
        """A title as plain text."""
        return plain_unicode(source, dict(self.macros)) if source else ""


def habits(corpus: Corpus) -> str:
    """The command by which a project mostly cites its statements."""
    mentions = chain.from_iterable(
        mentions for s in corpus.statements for mentions in (s.mentions, *(proof.mentions for proof in s.proofs))
    )
    surfaces = Counter(mention.surface for mention in mentions if mention.reference is not None)
    found = [(surfaces[name], -place, name) for place, name in enumerate(_COMMON) if surfaces[name]]
    return max(found)[2] if found else "cref"


def local_prefixes(corpus: Corpus) -> dict[str, str]:
    """What stands before the labels of each file of a project whose documents lie side by side: ``algebra-``."""
    labels: dict[str, list[str]] = {}
    for statement in corpus.statements:
        if statement.origin and not has_generated_label(statement):
            labels.setdefault(statement.origin.path, []).append(statement.label)
    prefixes = {path: f"{PurePosixPath(path).stem}-" for path in labels}
    if len(labels) < 2 or any(not s.startswith(prefixes[path]) for path, found in labels.items() for s in found):
        return {}
    return prefixes


def printed_name(statement: Statement) -> str:
    """``Lemma 3.2.5``."""
    word = (statement.form or statement.kind).capitalize()
    return f"{word} {statement.number}" if statement.number else word


def preview(statement: Statement, macros: Mapping[str, Macro], width: int = 100) -> str:
    """The statement on one line of plain signs."""
    text = one_line(_head(statement), macros)
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def one_line(source: str, macros: Mapping[str, Macro]) -> str:
    """LaTeX as one line of plain signs."""
    source = _ENVIRONMENT.sub(lambda m: f" {m[1] or '•'} " if m.group().startswith("\\item") else " ", source)
    return plain_unicode(source, {**_READABLE, **macros}).strip()


def _head(statement: Statement) -> str:
    # Cut where nothing is left open, else all of it would be shown as it was written.
    return " ".join(beginning(statement.lines, _LONGEST).split("\n"))


def _named(statement: Statement) -> str:
    if statement.number:
        return printed_name(statement)
    return statement.title or printed_name(statement)
