"""How a statement is cited from where the author is writing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path, PurePosixPath

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.latex.display import Macro, plain_unicode
from naturalproofs.records import Statement
from naturalproofs.workspace.render import printed_name

_WITH_WORD = frozenset({"cref", "Cref", "autoref", "zcref", "zcpageref", "vref", "Vref", "thref"})
"""Commands that print the word before the number themselves."""
_COMMON = (*sorted(_WITH_WORD), "ref")


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

    def citation(self, statement: Statement) -> str:
        """What to paste."""
        if self.work:
            words = printed_name(statement)
            name = words if statement.number else statement.title or words
            return f"{self.work}, {f'tag {statement.tag}' if statement.tag else name}"
        if has_generated_label(statement):
            return printed_name(statement)
        path = statement.origin.path if statement.origin else ""
        label = statement.label.removeprefix(self.prefixes.get(path, "")) if path == self.file else statement.label
        if self.command in _WITH_WORD:
            return f"\\{self.command}{{{label}}}"
        return f"{(statement.form or statement.kind).capitalize()}~\\{self.command}{{{label}}}"

    def where(self, statement: Statement) -> str:
        """File and line, as they can be opened from the working directory."""
        if statement.origin is None:
            return ""
        path = statement.origin.path if self.root is None else (self.root / statement.origin.path).as_posix()
        return f"{path}:{statement.origin.line}"

    def plain(self, source: str) -> str:
        """A title as Unicode text."""
        return plain_unicode(source, dict(self.macros)) if source else ""


def citing_command(corpus: Corpus) -> str:
    """The command by which a project mostly cites its statements."""
    mentions = chain.from_iterable(
        mentions for s in corpus.statements for mentions in (s.mentions, *(proof.mentions for proof in s.proofs))
    )
    surfaces = Counter(mention.surface for mention in mentions if mention.reference is not None)
    found = [(surfaces[name], -place, name) for place, name in enumerate(_COMMON) if surfaces[name]]
    return max(found)[2] if found else "cref"


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
