"""A course: an ordered reading list with its texts, in Markdown."""

from __future__ import annotations

from naturalproofs.records import Statement
from naturalproofs.report.listings import path_warning
from naturalproofs.report.table import safe_markdown
from naturalproofs.workspace import OpenCorpus
from naturalproofs.workspace.cited_text import readable_text
from naturalproofs.workspace.document_macros import macros_for
from naturalproofs.workspace.paths import ReadingPath
from naturalproofs.workspace.render import name_or_label, word_of
from naturalproofs.workspace.workspace import Workspace


def course_title(corpus: OpenCorpus, path: ReadingPath) -> str:
    """``Reading for Theorem 3.3.5 (Lagrange) and 2 more``."""
    first = name_or_label(corpus.corpus.by_id[path.targets[0]], corpus.macros)
    more = len(path.targets) - 1
    return f"Reading for {first}" + (f" and {more} more" if more else "")


def course_markdown(workspace: Workspace, path: ReadingPath, *, proofs: bool = True) -> str:
    """The texts of a reading path, formulas as Unicode.

    Args:
        workspace: What contains the statements.
        path: What to read, in order.
        proofs: Whether proofs are included.
    """
    corpus = workspace.find(path.targets[0]).corpus
    provenance, number = corpus.corpus.provenance, {step.id: at for at, step in enumerate(path.steps, start=1)}
    about = ", ".join(filter(None, (provenance.title, provenance.authors, provenance.licence)))
    parts = [f"# {safe_markdown(course_title(corpus, path))}", safe_markdown(f"From {about}.")]
    parts += [f"> {warning}"] if (warning := path_warning(path)) else []
    for step in path.steps:
        one = corpus.corpus.by_id[step.id]
        parts.append(f"## {number[step.id]}. {safe_markdown(name_or_label(one, corpus.macros))}")
        if step.term:
            parts.append(f"*Not cited; inferred from the term “{step.term}”.*")
        parts.append(safe_markdown(readable_text(corpus.corpus, one, corpus.macros)))
        for proof in one.proofs if proofs else ():
            if any(map(str.strip, proof.lines)):
                text = readable_text(corpus.corpus, proof, macros_for(corpus.macros, one))
                parts.append(f"*Proof.* {safe_markdown(text)}")
        used = ", ".join(f"{number[key]} ({_short(corpus.corpus.by_id[key])})" for key in step.uses)
        parts += [f"Rests on {used}."] if used else []
    return "\n\n".join(parts) + "\n"


def _short(statement: Statement) -> str:
    return f"{word_of(statement)} {statement.number or statement.label}"
