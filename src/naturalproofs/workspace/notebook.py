"""Suggestions as a notebook shows them: escaped text, formulas as MathML."""

from __future__ import annotations

from html import escape

from naturalproofs.latex.display import Formulas, Prose
from naturalproofs.workspace.suggest import Suggestion, Suggestions

_LONGEST = 600


def suggestions_html(found: Suggestions) -> str:
    """A table: how likely, which statement, what it says, why, and what to paste."""
    rows = "".join(_row(rank, item) for rank, item in enumerate(found.items, start=1))
    head = "".join(f"<th>{word}</th>" for word in ("", "", "statement", "why", "cite"))
    caption = f"<caption>Suggestions for <em>{escape(found.query)}</em></caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _row(rank: int, item: Suggestion) -> str:
    sure = "" if item.probability is None else f"{item.probability:.0%}"
    title = f" <em>{escape(item.title)}</em>" if item.title else ""
    source = "\n".join(item.statement.lines)
    body = Prose(Formulas(dict(item.citing.macros)), lambda _key, _command, shown: shown or "…").render(source)
    if len(source) > _LONGEST:
        body = escape(item.preview)
    why = "<br>".join(map(escape, item.why))
    cells = (
        f"<td>{rank}</td><td>{sure}</td>",
        f"<td style='text-align:left'><strong>{escape(item.name)}</strong>{title}<div>{body}</div></td>",
        f"<td style='text-align:left'>{why}</td><td><code>{escape(item.citation)}</code></td>",
    )
    return f"<tr>{''.join(cells)}</tr>"
