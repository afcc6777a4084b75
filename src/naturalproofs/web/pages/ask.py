"""The ask page: suggestions for the proof of a theorem, with reasons, to be picked and copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from naturalproofs.ranking.contract import Reason
from naturalproofs.records import Statement
from naturalproofs.web.render import render_latex
from naturalproofs.web.site import ServedCorpus, Site
from naturalproofs.web.templating import render

SHOWN = 12
REASONS, NAMED = 3, 3
"""Reasons shown for a suggestion, and statements named by a reason."""
EXAMPLE = (
    "Let $f \\colon [a,b] \\to \\mathbb{R}$ be continuous. Then $f$ is bounded, and there are $c, d \\in [a,b]$ with\n"
    "\\[ f(c) \\le f(x) \\le f(d) \\quad \\text{for all } x \\in [a,b]. \\]"
)


@dataclass(frozen=True, slots=True)
class AskForm:
    """A theorem as text, or a statement of a corpus, and what is cited already."""

    text: str = ""
    statement: str = ""
    corpora: tuple[str, ...] = ()
    picked: tuple[str, ...] = ()
    k: int = SHOWN


def ask_page(site: Site, form: AskForm, *, part: bool = False) -> str:
    """The form with the suggestions, or the suggestions alone for the script that asks without leaving the page."""
    if part:
        return render("_suggestions.html", corpora=site.corpora, **_suggestions(site, form))
    home, about = site.find(form.statement) if form.statement else (None, None)
    text = form.text or ("\n".join(about.lines) if about else "")
    asked = bool(form.text.strip() or about)
    return render(
        "ask.html",
        corpora=site.corpora,
        form=form,
        text=text,
        home=home,
        about=about,
        example=EXAMPLE,
        longest=site.limits.text,
        preview=render_latex(text, site.macros()) if text else "",
        **(_suggestions(site, form) if asked else {"suggestions": None}),
    )


def _suggestions(site: Site, form: AskForm) -> dict[str, Any]:
    found = site.suggest(form.text, statement=form.statement, k=form.k, corpora=form.corpora or None, cited=form.picked)
    picked = [pair for key in form.picked if (pair := site.known(key)) is not None]
    return {
        "suggestions": found,
        "suggested": [(one, site.corpus(one.corpus), _reasons(site, one.reasons)) for one in found.items],
        "picked": [(corpus, statement, site.workspace.citation(statement)) for corpus, statement in picked],
    }


def _reasons(site: Site, reasons: Sequence[Reason]) -> list[tuple[Reason, list[tuple[ServedCorpus, Statement]]]]:
    """The first reasons, each with the statements that it names."""
    return [
        (reason, [pair for key in reason.statements[:NAMED] if (pair := site.known(key)) is not None])
        for reason in reasons[:REASONS]
    ]
