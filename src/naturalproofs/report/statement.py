"""One statement on a screen: what it says, what its proofs cite, and who uses it."""

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.records import Proof, Statement

USERS_SHOWN = 10


def headline(statement: Statement) -> str:
    """As a book would announce it: ``Theorem 3.2.5 (Lagrange)``, then the label, unless it is the title."""
    words = [(statement.form or statement.kind).capitalize(), statement.number]
    title = f"({statement.title})" if statement.title else ""
    label = f"[{statement.label}]" if statement.label != statement.title else ""
    return " ".join(word for word in (*words, title, label) if word)


def statement_text(corpus: Corpus, statement: Statement) -> str:
    """The statement, its proofs with their references, and the statements that use it."""
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
