"""Ask: a theorem in, the results its proof will probably cite out, with reasons, to be picked and copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalproofs.ranking.contract import Reason
from naturalproofs.records import Statement
from naturalproofs.web.addresses import statement_address
from naturalproofs.web.html import Child, Html, h, join
from naturalproofs.web.pages.pieces import kind_class, title_of
from naturalproofs.web.pages.shell import page
from naturalproofs.web.reading import rendered
from naturalproofs.web.site import Site
from naturalproofs.workspace.suggest import Suggestion, Suggestions

SHOWN = 12
EXAMPLE = (
    "Let $f \\colon [a,b] \\to \\mathbb{R}$ be continuous. Then $f$ is bounded, and there are $c, d \\in [a,b]$ with\n"
    "\\[ f(c) \\le f(x) \\le f(d) \\quad \\text{for all } x \\in [a,b]. \\]"
)


@dataclass(frozen=True, slots=True)
class Question:
    """What someone asks about: a text, or a statement of a corpus; and what is cited already."""

    text: str = ""
    statement: str = ""
    corpora: tuple[str, ...] = ()
    picked: tuple[str, ...] = ()
    k: int = SHOWN


def ask_page(site: Site, question: Question) -> Html:
    """The form, and the answer once something is asked."""
    about = site.find(question.statement) if question.statement else None
    text = question.text or ("\n".join(about[1].lines) if about else "")
    asked = bool(question.text.strip() or about)
    answer = answer_part(site, question) if asked else _how()
    form = h(
        "form",
        h(
            "div",
            h(
                "div",
                h("label", "A theorem, in LaTeX or in words", for_="text"),
                h(
                    "textarea",
                    text,
                    id="text",
                    name="text",
                    rows=9,
                    maxlength=site.limits.text,
                    spellcheck="false",
                    placeholder=EXAMPLE,
                    data_example=EXAMPLE,
                ),
                class_="write",
            ),
            h(
                "div",
                h("span", "How it reads", class_="label", id="reads"),
                h(
                    "div",
                    rendered(text, site.macros()) if text else h("p", "The preview appears here.", class_="told"),
                    id="preview",
                    class_="tex-text preview",
                    role="region",
                    aria_labelledby="reads",
                    aria_live="polite",
                    tabindex=0,
                ),
                class_="reads",
            ),
            class_="sheet",
        ),
        _options(site, question),
        h("div", answer, id="answer", aria_live="polite"),
        action="/ask",
        method="post",
        id="ask",
        class_="ask",
    )
    said: Child = "Paste a theorem. You get the results its proof will probably cite, and why."
    if about:
        said = join(
            [
                "About ",
                h("a", about[0].reading.name(about[1]), href=statement_address(about[1].id)),
                " of ",
                title_of(about[0].reading),
                "; only what may be used there is suggested.",
            ]
        )
    return page(
        "Ask",
        h("h1", "What will this proof need?"),
        h("p", said, class_="under"),
        form,
        here="/ask",
        scripts=("ask.js",),
        description="Paste a theorem in LaTeX, get the results its proof will probably cite.",
        wide=True,
    )


def answer_part(site: Site, question: Question) -> Html:
    """The suggestions alone, for the script that asks without leaving the page."""
    found = site.suggest(
        question.text,
        statement=question.statement,
        k=question.k,
        corpora=question.corpora or None,
        cited=question.picked,
    )
    return h(
        "div",
        h("div", _summary(found), _listed(site, found) if found.items else None, class_="column"),
        h("aside", _picked(site, question.picked), id="picked", aria_label="Your list"),
        class_="columns answer",
    )


def _how() -> Html:
    return h(
        "p",
        "No theorem at hand? ",
        h("button", "Try an example", type="button", id="example", hidden=True),
        h("span", "Take one from the page of a corpus.", class_="without-script"),
        class_="told",
    )


def _options(site: Site, question: Question) -> Html:
    boxes = [
        h(
            "label",
            h(
                "input",
                type="checkbox",
                name="corpora",
                value=room.name,
                checked=not question.corpora or room.name in question.corpora,
            ),
            " ",
            title_of(room.reading),
        )
        for room in site.rooms
    ]
    return h(
        "div",
        h("input", type="hidden", name="statement", value=question.statement) if question.statement else None,
        h("fieldset", h("legend", "Suggest from"), boxes) if len(boxes) > 1 else None,
        h("label", "how many ", h("input", type="number", name="k", value=question.k, min=1, max=50)),
        h("button", "Suggest", type="submit", class_="main"),
        h("span", h("kbd", "Ctrl"), " ", h("kbd", "Enter"), class_="told keys"),
        class_="tools",
    )


def _summary(found: Suggestions) -> Html:
    if not found.items:
        told = "Nothing is suggested: nothing that may be used here has anything in common with this text."
        return h("p", told, class_="empty")
    parts: list[Child] = [h("h2", "Suggestions", id="suggested")]
    if found.enough is not None:
        parts.append(
            h(
                "p",
                f"The first {found.enough:,} are expected to cover the proof."
                if found.enough > 1
                else "The first is expected to be all the proof cites.",
                class_="promise",
            )
        )
    elif found.expected is not None and found.covered is not None:
        parts.append(
            h(
                "p",
                f"The proof is expected to cite about {found.expected:.0f}; this list holds about "
                f"{100 * found.covered:.0f} % of that.",
                class_="promise",
            )
        )
    return h("div", parts)


def _listed(site: Site, found: Suggestions) -> Html:
    items: list[Html] = []
    for number, one in enumerate(found.items, start=1):
        items.append(_suggestion(site, one, number))
        if number == found.enough and number < len(found.items):
            items.append(h("li", "expected to be enough", class_="line", role="presentation"))
    return h("div", h("ol", items, class_="suggestions"), role="group", aria_labelledby="suggested")


def _suggestion(site: Site, one: Suggestion, number: int) -> Html:
    room = site.room(one.corpus)
    statement, name = one.statement, room.reading.name(one.statement)
    title = h("i", room.reading.title(statement)) if statement.title else None
    pick = h(
        "input",
        type="checkbox",
        name="picked",
        value=statement.id,
        data_name=name,
        data_cite=one.citation,
        data_address=statement_address(statement.id),
        aria_label=f"Pick {name}",
    )
    where = title_of(room.reading) if len(site.rooms) > 1 else ""
    return h(
        "li",
        h("div", pick, class_="pick"),
        h(
            "div",
            h(
                "h3",
                h("a", h("b", name), " ", title, href=statement_address(statement.id)),
                h("span", where, class_="where") if where else None,
            ),
            h("div", room.excerpt(statement), class_="tex-text"),
            _reasons(site, one.reasons),
        ),
        _chance(one.probability, name),
        class_=kind_class(statement),
        data_number=number,
    )


def _reasons(site: Site, reasons: Sequence[Reason]) -> Html | None:
    if not reasons:
        return None
    return h("ul", [h("li", reason.text, _pointed(site, reason)) for reason in reasons[:3]], class_="reasons")


def _pointed(site: Site, reason: Reason) -> Child:
    """Links to the first statements that a reason speaks of."""
    found = [pair for key in reason.statements[:3] if (pair := site.known(key)) is not None]
    if not found:
        return None
    links = [
        [", " if n else "", h("a", r.reading.name(s), href=statement_address(s.id))] for n, (r, s) in enumerate(found)
    ]
    return h("span", " (", links, ")", class_="pointed")


def _chance(probability: float | None, name: str) -> Html | None:
    if probability is None:
        return None
    shown = f"{100 * probability:.0f} %" if probability >= 0.01 else "< 1 %"
    return h(
        "div",
        h("meter", min=0, max=1, value=f"{probability:.3f}", aria_label=f"{name} is cited with probability {shown}"),
        h("span", shown),
        class_="chance",
    )


def _picked(site: Site, keys: Sequence[str]) -> Html:
    pairs = [pair for key in keys if (pair := site.known(key)) is not None]
    entries = [_picked_entry(room.reading.name(statement), statement) for room, statement in pairs]
    citations = "\n".join(site.citation(statement) for _, statement in pairs)
    return h(
        "section",
        h("h2", "Your list ", h("span", len(entries), class_="figure", id="picked-count")),
        h("p", "Tick what you want to cite.", class_="told", id="picked-none", hidden=bool(entries)),
        h("ul", entries, class_="entries", id="picked-list"),
        h("textarea", citations, id="citations", rows=4, readonly=True, aria_label="What to paste", hidden=not entries),
        h(
            "p",
            h("button", "Copy", type="button", id="copy", class_="main", hidden=True),
            " ",
            h("button", "Suggest what comes next", type="submit", id="next"),
            class_="told",
        ),
    )


def _picked_entry(name: str, statement: Statement) -> Html:
    box = h("input", type="checkbox", name="kept", value=statement.id, checked=True, aria_label=f"Keep {name}")
    return h("li", box, " ", h("a", h("b", name), href=statement_address(statement.id)), class_=kind_class(statement))
