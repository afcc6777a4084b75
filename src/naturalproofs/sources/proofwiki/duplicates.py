"""Theorems that say the same as another one."""

from collections.abc import Callable, Iterable, Iterator

from naturalproofs.records import Statement, StatementId


def duplicates(theorems: Iterable[Statement]) -> dict[StatementId, str]:
    """Find the theorems that the published data set left out of its examples.

    Theorems with contents, a proof and a reference are taken by title. Of those that share the text of a proof, all but
    the first are left out; of the rest, all but the first that share the text of their statement.

    Returns:
        For each one left out, the title of the one it repeats.
    """
    examples = sorted((t for t in theorems if t.lines and any(p.mentions for p in t.proofs)), key=lambda t: t.title)
    found = _repeated(examples, lambda theorem: ("\n".join(proof.lines) for proof in theorem.proofs), {})
    return _repeated(examples, lambda theorem: iter(("\n".join(theorem.lines),)), found)


def _repeated(
    theorems: Iterable[Statement], texts: Callable[[Statement], Iterator[str]], found: dict[StatementId, str]
) -> dict[StatementId, str]:
    result = dict(found)
    first: dict[str, str] = {}
    for theorem in theorems:
        if theorem.id in result:
            continue
        for text in texts(theorem):
            owner = first.setdefault(text, theorem.title)
            if owner != theorem.title:
                result[theorem.id] = owner
                break
    return result
