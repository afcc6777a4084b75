"""A proof speaks of a result, or uses a term, that it does not cite."""

from __future__ import annotations

import re
from collections.abc import Iterator

from naturalproofs.corpus.corpus import has_generated_label
from naturalproofs.io.unsaved import current_bytes
from naturalproofs.latex.files import decode
from naturalproofs.records import Origin, Statement, StatementId
from naturalproofs.workspace.citing import Citing, habits, local_prefixes
from naturalproofs.workspace.lint.context import Context, name_of
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.habits import Habits, Spoken

USUAL = 0.6
"""A term is told where at least this share of the other proofs that use it cite its definition …"""
SUPPORT = 5
"""… and at least so many use it."""
_FAR = 400
"""Lines of a proof that are looked through for the phrase."""


def missing_reference(context: Context) -> Iterator[Finding]:
    """Proofs whose prose names a titled theorem, or uses a term that other proofs cite the definition of."""
    known = Habits.of(context.corpus)
    command, local = habits(context.corpus), local_prefixes(context.corpus)
    for spoken in known.proofs:
        for key in missing(known, spoken):
            cited = context.corpus.by_id[key]
            if has_generated_label(cited) or not stands_before(cited, spoken):
                continue
            origin = _where(context, spoken, spoken.phrases[key])
            citation = Citing(command, local=local, here=origin.path).citation(cited)
            what = "uses" if cited.kind == "definition" else "names"
            words = " ".join(spoken.phrases[key])
            message = (
                f"the proof of {name_of(spoken.statement)} {what} “{words}” without citing {name_of(cited)}: {citation}"
            )
            subject = f"{spoken.statement.label} -> {cited.label}"
            yield context.finding("missing-reference", "note", origin, message, subject)


def missing(known: Habits, spoken: Spoken, *, blind: bool = False) -> Iterator[StatementId]:
    """What a proof speaks of and should cite; `blind` tells what is cited, too, for measuring the rule."""
    for key, phrase in spoken.phrases.items():
        if key in spoken.cited and not blind:
            continue
        if len(phrase) > 1 and _is_name(phrase):
            yield key
            continue
        citing, using = known.share(key, spoken)
        if using >= SUPPORT and citing / using >= USUAL:
            yield key


def stands_before(cited: Statement, spoken: Spoken) -> bool:
    """Whether a statement may be used in a proof."""
    if cited.place is None or spoken.statement.place is None:
        return True
    return cited.place.position < max(spoken.statement.place.position, spoken.proof.position or 0)


def _is_name(phrase: tuple[str, ...]) -> bool:
    """Whether a phrase names a theorem rather than a notion."""
    return bool({"theorem", "lemma", "proposition", "corollary"}.intersection(phrase))


def _where(context: Context, spoken: Spoken, phrase: tuple[str, ...]) -> Origin:
    """The line of the phrase, if it stands on one; else where the proof begins."""
    start = spoken.proof.origin or spoken.statement.origin or Origin("", 1)
    root = context.opened.root
    path = root / start.path if root is not None else None
    if path is None or not path.is_file():
        return start
    lines = (decode(current_bytes(path)).text or "").split("\n")[start.line - 1 : start.line + _FAR]
    pattern = re.compile(r"\W+(?:\w+\W+)?".join(map(re.escape, phrase)), re.IGNORECASE)
    for number, line in enumerate(lines):
        if pattern.search(line):
            return Origin(start.path, start.line + number)
        if "\\end{proof}" in line:
            break
    return start
