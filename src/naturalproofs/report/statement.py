"""Statements, reading paths and impacts as text."""

from collections.abc import Sequence

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.workspace.paths import ReadingPath

USERS_SHOWN = 10


def headline(statement: Statement) -> str:
    """``Theorem 3.2.5 (Lagrange)``, followed by the label unless it equals the title."""
    words = [(statement.form or statement.kind).capitalize(), statement.number]
    title = f"({statement.title})" if statement.title else ""
    label = f"[{statement.label}]" if statement.label != statement.title else ""
    return " ".join(word for word in (*words, title, label) if word)


def statement_text(corpus: Corpus, statement: Statement) -> str:
    """The statement, its proofs with their references, and the statements that cite it."""
    users = ReferenceGraph.of(corpus).used_by.get(statement.id, ())
    parts = [headline(statement), *(f"  {line}" for line in _where(statement)), "", *statement.lines]
    for index, proof in enumerate(statement.proofs, start=1):
        parts += ["", "Proof." if len(statement.proofs) == 1 else f"Proof {index}.", *proof.lines]
        parts += _cited(corpus, proof)
    if users:
        parts += ["", f"Used by {len(users):,}:"]
        parts += [f"  {headline(corpus.by_id[key])}" for key in users[:USERS_SHOWN]]
        if len(users) > USERS_SHOWN:
            parts.append(f"  … and {len(users) - USERS_SHOWN:,} more")
    return "\n".join(parts)


def _where(statement: Statement) -> list[str]:
    place = statement.place
    where = " › ".join(part for part in (place.chapter, place.section) if part) if place else ""
    tag = f"tag {statement.tag}" if statement.tag else ""
    origin = str(statement.origin) if statement.origin else ""
    return [line for line in (where, ", ".join(part for part in (origin, tag) if part)) if line]


def _cited(corpus: Corpus, proof: Proof) -> list[str]:
    cited = list(dict.fromkeys(proof.references))
    if not cited:
        return ["", "  cites no statement of this corpus"]
    return ["", "  cites:", *(f"    {headline(corpus.by_id[key])}" for key in cited)]


def path_text(corpus: Corpus, path: ReadingPath) -> str:
    """A numbered list with the layer of each statement and the numbers of the statements it depends on."""
    number = {step.id: position for position, step in enumerate(path.steps, start=1)}
    lines = [f"To read before {headline(corpus.by_id[path.steps[-1].id])}:", ""]
    for step in path.steps:
        dependencies = ", ".join(map(str, sorted(number[key] for key in step.uses)))
        lines.append(
            f"{number[step.id]:>4}.  layer {step.layer:<3} {headline(corpus.by_id[step.id])}"
            + (f"  ← {dependencies}" if dependencies else "")
        )
    if path.known:
        lines += ["", "Known already:", *(f"  {headline(corpus.by_id[key])}" for key in path.known)]
    if path.cut_at is not None:
        lines += ["", f"Cut at distance {path.cut_at}: going on would bring in too much; see --most and --known."]
    return "\n".join(lines)


def impact_text(corpus: Corpus, node: StatementId, found: Sequence[tuple[StatementId, int]]) -> str:
    """The statements that depend on a statement, by distance."""
    name = headline(corpus.by_id[node])
    if not found:
        return f"Nothing rests on {name}."
    lines = [f"{len(found):,} statements rest on {name}:", ""]
    return "\n".join([*lines, *(f"  {distance:>3}  {headline(corpus.by_id[key])}" for key, distance in found)])
