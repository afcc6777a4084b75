"""A project's corpus as a listing that people can review."""

from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.records import Mention
from naturalproofs.sources.latex.project.project import LATEX, Project


def read_project(path: Path, source: Project = LATEX) -> Corpus:
    return build(source, path, name="p")


def listing(built: Corpus) -> str:
    """Statements with their own citations and their proofs, then what was not resolved, then the diagnostics."""
    lines: list[str] = []
    for statement in built.statements:
        number = statement.number or "–"
        title = f"  “{statement.title}”" if statement.title else ""
        lines.append(f"{statement.kind} | {statement.form} {number} | {statement.label}{title} | {statement.origin}")
        if statement.mentions:
            lines.append(f"    cites {_cited(statement.mentions)}")
        for proof in statement.proofs:
            cited = f" cites {_cited(proof.mentions)}" if proof.mentions else ""
            lines.append(f"    proof {proof.origin}:{cited or ' –'}")
    lines.extend(f"unresolved | {one.reason} | {one.target} in {one.statement}" for one in built.unresolved)
    lines.extend(f"diagnostic | {one}" for one in built.diagnostics)
    return "\n".join(lines) + "\n"


def _cited(mentions: tuple[Mention, ...]) -> str:
    """Targets by how they are cited; what a label inside another statement leads to follows an arrow."""
    return ", ".join(_one(mention) for mention in mentions)


def _one(mention: Mention) -> str:
    owner = (mention.reference or "p:nothing").removeprefix("p:")
    return f"{mention.surface} {mention.target}" + ("" if owner == mention.target else f" → {owner}")
