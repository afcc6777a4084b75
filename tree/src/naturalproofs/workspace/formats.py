"""What differs between projects in LaTeX, PreTeXt and Markdown: how keys are written, and which files belong together.

Statements and proofs are LaTeX in all of them. A file without a format here is a LaTeX file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from naturalproofs.records import KeyAt, Statement
from naturalproofs.sources.markdown import inline as markdown
from naturalproofs.sources.markdown import markdown as markdown_project
from naturalproofs.sources.markdown.inline import to_latex
from naturalproofs.sources.markdown.scanner import is_cross_reference
from naturalproofs.sources.pretext import keys as pretext
from naturalproofs.sources.pretext import pretext as pretext_project


@dataclass(frozen=True, slots=True)
class Format:
    """How the files of a project are written."""

    source: str
    suffixes: tuple[str, ...]
    find_keys: Callable[[str], Iterable[KeyAt]]
    last_line: Callable[[Sequence[str], int], int]
    """The line on which the statement or proof ends that begins on a line."""
    to_latex: Callable[[str], str]
    """The LaTeX of a piece of a file."""
    macros: Callable[[str], str]
    """The definitions of macros in a file."""
    citation: Callable[[Statement, str], str]
    """What to write to cite a statement by its label."""
    typing: re.Pattern[str]
    """The text before the cursor where a key is being typed."""
    files: Callable[[Path], Iterable[Path]]
    """The files of a folder that may belong to the project."""
    project_of: Callable[[Path], Path]
    """The folder or the file to read for a file."""


def _markdown_citation(statement: Statement, label: str) -> str:
    """As Quarto, bookdown or MyST write it: by the label, and by the name of the file."""
    if is_cross_reference(label):
        return f"@{label}"
    if statement.origin is not None and statement.origin.path.lower().endswith(".rmd"):
        return f"{statement.form.capitalize()} \\@ref({label})"
    return f"{{prf:ref}}`{label}`"


FORMATS = (
    Format(
        "pretext",
        pretext_project.SUFFIXES,
        pretext.find_keys,
        pretext.last_line,
        pretext.to_latex,
        pretext.macro_definitions,
        lambda _statement, label: f'<xref ref="{label}"/>',
        re.compile(r"""<xref\s[^<>]*?\b(?:ref|first|last)\s*=\s*["'](?P<keys>[^"'<>]*)$"""),
        pretext_project.xml_files,
        pretext_project.project_of,
    ),
    Format(
        "markdown",
        markdown_project.SUFFIXES,
        markdown.find_keys,
        markdown.last_line,
        lambda text: to_latex(text.split("\n"), is_cross_reference),
        str,
        _markdown_citation,
        re.compile(r"(?:(?<![\w.@\\])@|\\@ref\(|\{(?:prf:ref|ref|numref|eq)\}`|\]\(#)(?P<keys>[\w:.-]*)$"),
        markdown_project.markdown_files,
        markdown_project.project_of,
    ),
)


def format_of(path: str | Path) -> Format | None:
    """The format of a file; None for LaTeX."""
    return next((one for one in FORMATS if str(path).endswith(one.suffixes)), None)


def format_named(source: str) -> Format | None:
    """The format of a source; None for LaTeX and all else."""
    return next((one for one in FORMATS if one.source == source), None)
