r"""Comments that turn rules off: ``% naturalproofs: ignore RULE, RULE`` and ``% naturalproofs: ignore-file RULE``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from naturalproofs.workspace.check.finding import Finding

_COMMENT = re.compile(
    r"(?<!\\)(?<!(?<!\\)%)%++\s*+naturalproofs:\s*+ignore(?P<file>-file)?(?![\w-])[ \t]*(?P<rules>[\w, \t-]*)"
)
_TOP = 20
"""The lines at the top of a file in which the file-wide form is read."""


class _Ignores(NamedTuple):
    """The rules that a file turns off; None stands for all of them."""

    everywhere: frozenset[str | None]
    by_line: Mapping[int, frozenset[str | None]]


@lru_cache(maxsize=512)
def _ignores(text: str) -> _Ignores:
    everywhere: set[str | None] = set()
    by_line: dict[int, frozenset[str | None]] = {}
    if "naturalproofs:" in text:
        for number, line in enumerate(text.split("\n"), start=1):
            if match := _COMMENT.search(line):
                rules = frozenset(match["rules"].replace(",", " ").split()) or frozenset({None})
                if match["file"]:
                    everywhere.update(rules if number <= _TOP else ())
                else:
                    by_line[number] = rules
    return _Ignores(frozenset(everywhere), by_line)


def without_ignored(findings: Iterable[Finding], texts: Mapping[str, str]) -> list[Finding]:
    """The findings that no comment turns off: on their line, on the line before, or at the top of their file."""
    return [one for one in findings if not _is_ignored(one, _ignores(texts.get(one.path, "")))]


def _is_ignored(finding: Finding, ignores: _Ignores) -> bool:
    here = (ignores.everywhere, *(ignores.by_line.get(finding.line - before, frozenset()) for before in (0, 1)))
    return any(None in rules or finding.rule in rules for rules in here)
