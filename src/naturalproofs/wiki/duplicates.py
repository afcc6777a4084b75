"""Theorems that say the same as another one."""

from collections.abc import Iterable
from hashlib import blake2b
from operator import attrgetter

import msgspec

from naturalproofs.records import Statement, StatementId
from naturalproofs.wiki.drafts import StatementDraft


class _Example(msgspec.Struct, gc=False):
    """What is remembered of a theorem: hashes, which take less memory than texts."""

    id: StatementId
    title: str
    statement: bytes
    proofs: list[bytes]


def duplicates(theorems: Iterable[Statement | StatementDraft]) -> dict[StatementId, str]:
    """Find the theorems that the published data set left out of its examples.

    Theorems with contents, a proof and a reference are taken by title. Of those that share the text of a proof, all but
    the first are left out; of the rest, all but the first that share the text of their statement.

    Returns:
        For each one left out, the title of the one it repeats.
    """
    examples = [
        _Example(t.id, t.title, _digest(t.lines), [_digest(proof.lines) for proof in t.proofs])
        for t in theorems
        if t.lines and any(proof.mentions for proof in t.proofs)
    ]
    examples.sort(key=attrgetter("title"))
    found = _repeated((example.id, example.title, example.proofs) for example in examples)
    rest = (example for example in examples if example.id not in found)
    return found | _repeated((example.id, example.title, [example.statement]) for example in rest)


def _repeated(theorems: Iterable[tuple[StatementId, str, list[bytes]]]) -> dict[StatementId, str]:
    result: dict[StatementId, str] = {}
    first: dict[bytes, str] = {}
    for key, title, digests in theorems:
        for digest in digests:
            owner = first.setdefault(digest, title)
            if owner != title:
                result[key] = owner
                break
    return result


def _digest(lines: Iterable[str]) -> bytes:
    return blake2b("\n".join(lines).encode(), digest_size=16).digest()
