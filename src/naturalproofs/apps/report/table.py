"""Tables and their output formats: text, Markdown, CSV, LaTeX and HTML."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

Cell = str | int | float | None
_ELEMENT = re.compile(r"<(?=[a-zA-Z/!?])")
MARKS = 25
"""A cell with more letters than this is text; fewer are the letters of beaten runs after a number."""


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table; the first column holds the names of the rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def show(value: Cell) -> str:
    """A cell as text: thousands separated, one decimal for floats, a dash for None."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.1f}"
    return value


def two_decimals(value: float | None) -> str | None:
    """A measure as a cell with two decimals."""
    return None if value is None else f"{value:.2f}"


def to_text(table: Table) -> str:
    """Aligned columns for a terminal."""
    cells = _cells(table)
    widths = [max(len(row[i]) for row in cells) for i in range(len(table.columns))]
    left = [i == 0 or any(_is_words(row[i]) for row in cells[1:]) for i in range(len(table.columns))]
    lines = [
        "  ".join(cell.ljust(w) if side else cell.rjust(w) for cell, w, side in zip(row, widths, left, strict=True))
        for row in cells
    ]
    rule = "─" * sum((*widths, 2 * (len(widths) - 1)))
    body = [table.title, rule, lines[0], rule, *lines[1:], rule]
    return "\n".join(line.rstrip() for line in [*body, *([table.note] if table.note else [])])


def to_markdown(table: Table) -> str:
    """A GitHub table under a bold title."""
    head, *rows = [[cell.replace("|", "\\|") for cell in row] for row in _cells(table)]
    rule = ["---", *("--:" for _ in head[1:])]
    lines = [f"**{table.title}**", "", *("| " + " | ".join(row) + " |" for row in (head, rule, *rows))]
    return "\n".join([*lines, *(["", table.note] if table.note else [])])


def to_csv(table: Table) -> str:
    """Plain values with full precision, one row per line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([["" if cell is None else cell for cell in row] for row in table.rows])
    return out.getvalue().rstrip("\n")


def to_latex(table: Table) -> str:
    """A booktabs tabular with a caption."""
    head, *rows = [[_tex(cell) for cell in row] for row in _cells(table)]
    lines = [
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{_tex(table.title)}{'. ' + _tex(table.note) if table.note else ''}}}",
        f"\\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        "\\toprule",
        " & ".join(head) + " \\\\",
        "\\midrule",
        *(" & ".join(row) + " \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]
    return "\n".join(lines)


def to_html(table: Table) -> str:
    """A semantic table; its title is the caption."""
    head, *rows = [[escape(cell) for cell in row] for row in _cells(table)]
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "\n".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>' for row in rows
    )
    note = f"\n<p>{escape(table.note)}</p>" if table.note else ""
    caption = f"<caption>{escape(table.title)}</caption>\n" if table.title else ""
    return f"<table>\n{caption}<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>{note}"


FORMATS: dict[str, Callable[[Table], str]] = {
    "text": to_text,
    "markdown": to_markdown,
    "csv": to_csv,
    "latex": to_latex,
    "html": to_html,
}


def render(tables: Sequence[Table], style: str) -> str:
    """All tables in one format, separated by blank lines."""
    return "\n\n".join(FORMATS[style](table) for table in tables)


def _cells(table: Table) -> list[list[str]]:
    return [list(table.columns), *([show(cell) for cell in row] for row in table.rows)]


def _is_words(cell: str) -> bool:
    """Whether a cell is text, which is aligned left; numbers are aligned right."""
    return sum(letter.isalpha() for letter in cell) > MARKS


_TEX_ESCAPES = {
    "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}", "–": "--",
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX_ESCAPES.get(char, char) for char in text)


def safe_markdown(text: str) -> str:
    """Escape what Markdown would read as an HTML element."""
    return _ELEMENT.sub(r"\\<", text)
