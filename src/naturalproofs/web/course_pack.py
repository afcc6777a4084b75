"""A course as one HTML file: a reading list with its texts, without anything outside of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import Markup

from naturalproofs.latex.display import Macro
from naturalproofs.records import Proof, Statement
from naturalproofs.report.course import course_title
from naturalproofs.report.graph_page import work_title
from naturalproofs.report.listings import path_warning
from naturalproofs.web.render import Renderer
from naturalproofs.web.templating import render, static_files
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.document_macros import with_defaults
from naturalproofs.workspace.paths import ReadingPath

_FONT = re.compile(r"@font-face\s*\{[^}]*\}")


def course_html(
    workspace: Workspace, path: ReadingPath, *, proofs: bool = True, macros: Mapping[str, Macro] | None = None
) -> str:
    """The texts of a reading path.

    Args:
        workspace: What contains the statements.
        path: What to read, in order.
        proofs: Whether proofs are included.
        macros: Macros for rendering, where the corpus does not define its own.
    """
    corpus = workspace.find(path.targets[0]).corpus
    places = {step.id: f"#r{number}" for number, step in enumerate(path.steps, start=1)}
    known = with_defaults(macros or {}, corpus.macros)

    def proofs_of(statement: Statement) -> list[tuple[int, Proof, int]]:
        shown = enumerate(statement.proofs if proofs else (), start=1)
        return [(at, proof, len(set(proof.references))) for at, proof in shown if any(map(str.strip, proof.lines))]

    return render(
        "course_pack.html",
        title=course_title(corpus, path),
        style=Markup(_FONT.sub("", static_files()["style.css"].content.decode("utf-8"))),
        work=work_title(corpus.corpus),
        provenance=corpus.corpus.provenance,
        renderer=Renderer(corpus.corpus, known, lambda key: places.get(key, "")),
        path=path,
        by_id=corpus.corpus.by_id,
        proofs_of=proofs_of,
        warning=path_warning(path),
    )
