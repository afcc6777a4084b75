"""Running the rules: which ones, in which order, and what is left after the baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.util import find_spec

from naturalproofs.corpus.load import LoadedCorpus
from naturalproofs.errors import UnknownName
from naturalproofs.workspace.lint.context import Context
from naturalproofs.workspace.lint.finding import Finding, fingerprints
from naturalproofs.workspace.lint.registry import RULES
from naturalproofs.workspace.lint.reported import reported


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for and what to show."""

    select: Collection[str] = ()
    """Only these rules; all if empty."""
    ignore: Collection[str] = ()
    notes: bool = False
    """Show notes too; notes of selected rules are always shown."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found and is to be shown, and how much is not."""

    findings: tuple[Finding, ...]
    everything: tuple[Finding, ...]
    """Findings of the wanted rules before notes were hidden and the baseline was taken away."""
    hidden: int = 0
    """Notes that are not shown."""
    known: int = 0
    """Findings that the baseline lists."""

    @property
    def counts(self) -> Counter[str]:
        """How many findings of each severity are shown."""
        return Counter(finding.severity for finding in self.findings)

    @property
    def failed(self) -> bool:
        """Whether there is an error among them."""
        return self.counts["error"] > 0


def run(opened: LoadedCorpus, wanted: Wanted | None = None, baseline: Collection[str] = frozenset()) -> Report:
    """Check a corpus by the wanted rules; findings come by file and line."""
    wanted = wanted or Wanted()
    names = [*RULES, *sorted({one.rule for one in opened.diagnostics} - set(RULES))]
    _refuse_unknown([*wanted.select, *wanted.ignore], names, [one.rule for one in opened.diagnostics])
    context = Context(opened)
    found: list[Finding] = []
    for name in names:
        if _is_wanted(name, wanted):
            found.extend(RULES[name].check(context) if name in RULES else reported(context, name))
    found.sort(key=lambda one: (one.path, one.line, one.column, one.rule, one.subject))
    named = [replace(one, fingerprint=mark) for one, mark in zip(found, fingerprints(found), strict=True)]
    fresh = [one for one in named if one.fingerprint not in baseline]
    shown = [one for one in fresh if one.severity != "note" or wanted.notes or one.rule in wanted.select]
    return Report(tuple(shown), tuple(named), len(fresh) - len(shown), len(named) - len(fresh))


def _is_wanted(name: str, wanted: Wanted) -> bool:
    """Whether to look for something; suggestions are looked for only when asked for."""
    if name in wanted.ignore or (wanted.select and name not in wanted.select):
        return False
    rule = RULES.get(name)
    if name in wanted.select or rule is None or not rule.optional:
        return True
    return wanted.notes and (not rule.needs or find_spec(rule.needs) is not None)


_SOURCE_RULES = frozenset(
    {
        "endless-macro", "malformed-environment", "malformed-key", "missing-file", "not-included", "not-text",
        "outside-project", "recursive-input", "too-deep", "too-large", "too-many-files", "too-many-inputs",
        "unbalanced-brace", "unbalanced-dollar", "unclosed-environment", "unclosed-iffalse", "unclosed-verb",
        "unclosed-verbatim", "unmatched-end", "unreadable",
    }
)  # fmt: skip
"""Rules of the sources: known by name even where nothing was found."""


def _refuse_unknown(given: Collection[str], names: Collection[str], reported_rules: Collection[str]) -> None:
    known = {*names, *_SOURCE_RULES, *reported_rules}
    for name in given:
        if name not in known:
            raise UnknownName(f"no rule is called {name!r}; there are: {', '.join(RULES)}, and those of the source")
