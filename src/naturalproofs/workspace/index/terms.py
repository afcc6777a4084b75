"""The terms of a corpus, kept: a text that is known by its hash is not cut again."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import msgspec
import numpy as np

from naturalproofs.ranking.contract import whole_text
from naturalproofs.records import Passage
from naturalproofs.workspace.lexical.forward import TITLE_WEIGHT, Forward, cut

VERSION = 1
"""Grows when texts are cut differently."""


class KeptTerms(msgspec.Struct, frozen=True):
    """A `Forward` as bytes, and the hash of every text."""

    version: int
    vocabulary: list[str]
    starts: bytes
    terms: bytes
    counts: bytes
    keys: list[bytes]


def text_keys(passages: Sequence[Passage]) -> list[bytes]:
    """A hash of each text as it is cut."""
    return [blake2b(whole_text(p, TITLE_WEIGHT).encode("utf-8", "replace"), digest_size=16).digest() for p in passages]


def cut_again(passages: Sequence[Passage], kept: bytes | None) -> tuple[Forward, bytes | None, int]:
    """Cut what is not known.

    Returns:
        The terms, what to keep of them (None when nothing changed), and how many texts were cut.
    """
    keys = text_keys(passages)
    known = _opened(kept)
    if known is not None and known[1] == keys:
        return known[0], None, 0
    old = {key: position for position, key in enumerate(known[1])} if known else {}
    same = {position: old[key] for position, key in enumerate(keys) if key in old}
    forward = cut(passages, known[0] if known else None, same)
    return forward, _encoded(forward, keys), len(passages) - len(same)


def _opened(kept: bytes | None) -> tuple[Forward, list[bytes]] | None:
    if kept is None:
        return None
    try:
        found = msgspec.msgpack.decode(kept, type=KeptTerms)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if found.version != VERSION:
        return None
    vocabulary = {term: number for number, term in enumerate(found.vocabulary)}
    arrays = (np.frombuffer(data, dtype=np.int32) for data in (found.starts, found.terms, found.counts))
    return Forward(vocabulary, *arrays), found.keys


def _encoded(forward: Forward, keys: list[bytes]) -> bytes:
    starts, terms, counts = (array.tobytes() for array in (forward.starts, forward.terms, forward.counts))
    return msgspec.msgpack.encode(KeptTerms(VERSION, list(forward.vocabulary), starts, terms, counts, keys))
