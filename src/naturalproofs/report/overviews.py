"""Overviews of a project as text and as data: the results of other works that it uses, and its notation."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.latex.display import Macro
from naturalproofs.workspace.notation import Notation
from naturalproofs.workspace.outside import OutsideResult, OutsideWork
from naturalproofs.workspace.render import one_line, printed_name

NAMED = 6
"""How many of the statements that use a result are named."""
_SYMBOL, _MEANING = 24, 80
"""Widths of the columns of a table of notation."""
WHOLE_WORK = "(the work as a whole)"


def outside_text(works: Sequence[OutsideWork], corpus: Corpus) -> str:
    """The works with their results, and who uses each."""
    if not works:
        return "No statement and no proof cites another work."
    lines = []
    for work in works:
        lines += ["", f"{work.entry} [{work.entry.key}]" if str(work.entry) != work.entry.key else work.entry.key]
        lines += [f"  {result.place or WHOLE_WORK}: {_users(result, corpus)}" for result in work.results]
    return "\n".join(lines[1:])


def _users(result: OutsideResult, corpus: Corpus) -> str:
    names = [f"{printed_name(one)} [{one.label}]" for one in map(corpus.by_id.__getitem__, result.statements[:NAMED])]
    more = len(result.statements) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "")


def used_text(works: Sequence[OutsideWork]) -> list[str]:
    """What one statement uses of other works, a line for each result."""
    return [
        f"  {', '.join(filter(None, (result.place, str(work.entry))))}"
        f" ({', '.join(dict.fromkeys(use.part for use in result.uses))})"
        for work in works
        for result in work.results
    ]


def outside_data(works: Sequence[OutsideWork]) -> list[dict[str, Any]]:
    """The works with their results as plain values for JSON."""
    return [
        {
            "key": work.entry.key,
            "title": work.entry.title,
            "authors": work.entry.authors,
            "year": work.entry.year,
            "url": work.entry.url,
            "text": work.entry.text,
            "results": [
                {
                    "place": result.place,
                    "uses": [
                        {"statement": use.statement, "part": use.part, "before": use.cited.before}
                        for use in result.uses
                    ],
                }
                for result in work.results
            ],
        }
        for work in works
    ]


def notation_text(table: Sequence[Notation], corpus: Corpus, macros: Mapping[str, Macro]) -> str:
    """A table of notation: symbol, meaning, and the definition that introduces it."""
    if not table:
        return "No definition introduces notation in a way that is recognised."
    lines = []
    for row in table:
        one = corpus.by_id[row.statement]
        symbol = one_line(f"${row.symbol}$", macros)
        meaning = textwrap.shorten(one_line(row.meaning, macros), _MEANING, placeholder=" …")
        lines.append(f"{symbol:<{_SYMBOL}}  {meaning:<{_MEANING}}  {printed_name(one)} [{one.label}]")
    return "\n".join(lines)


def notation_data(table: Sequence[Notation], corpus: Corpus, macros: Mapping[str, Macro]) -> list[dict[str, str]]:
    """A table of notation as plain values for JSON."""
    return [
        {
            "symbol": row.symbol,
            "text": one_line(f"${row.symbol}$", macros),
            "meaning": one_line(row.meaning, macros),
            "statement": row.statement,
            "name": printed_name(corpus.by_id[row.statement]),
        }
        for row in table
    ]
