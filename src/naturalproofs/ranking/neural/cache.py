"""Arrays that an encoder computed, cached by the content of text and weights.

A cache is a folder of *shards*. A shard holds the keys of some texts and their arrays end to end, as ``.npy`` files,
and is written atomically. When all caches together exceed a limit, the least recently used shards are removed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.cache import cache_folder, evict
from naturalproofs.io.files import replaced_folder

LIMIT = 8 << 30
"""Bytes of all caches together."""
SHARD = 2_048
"""Texts of a shard: what is lost when a run is killed."""
_KEYS, _STARTS, _VALUES = "keys.npy", "starts.npy", "values.npy"


@dataclass(frozen=True, slots=True)
class Ragged:
    """Token ids, or states, of many texts end to end."""

    values: NDArray[Any]
    starts: NDArray[np.int64]
    """Where each text starts, and where the last one ends."""

    @classmethod
    def of(cls, parts: Sequence[NDArray[Any]], empty: NDArray[Any]) -> Ragged:
        """Concatenate texts; ``empty`` has the type of the values when there are none."""
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)]).astype(np.int64)
        return cls(np.concatenate(parts) if len(parts) else empty, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> NDArray[Any]:
        return self.values[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        return np.diff(self.starts)


@dataclass(frozen=True, slots=True)
class EncodingCache:
    """The arrays of one encoder, text preparation and length, which the name identifies."""

    name: str

    @property
    def folder(self) -> Path:
        """The folder of the shards."""
        return cache_folder() / "neural" / self.name

    def get(self, texts: Sequence[str], compute: Callable[[list[int]], Ragged], empty: NDArray[Any]) -> Ragged:
        """The arrays of texts: cached ones are read, the others computed by their positions and cached."""
        keys = [_key(text) for text in texts]
        found = self._read(set(keys))
        # Equal texts are computed once.
        missing = list({key: row for row, key in enumerate(keys) if key not in found}.values())
        for first in range(0, len(missing), SHARD):
            rows = missing[first : first + SHARD]
            computed = compute(rows)
            self._write([keys[row] for row in rows], computed)
            found.update((keys[row], computed[position]) for position, row in enumerate(rows))
        return Ragged.of([found[key] for key in keys], empty)

    def _read(self, wanted: set[bytes]) -> dict[bytes, NDArray[Any]]:
        found: dict[bytes, NDArray[Any]] = {}
        for shard in sorted(self.folder.glob("*.shard")):
            try:
                keys = [bytes(key) for key in np.load(shard / _KEYS)]
                rows = [row for row, key in enumerate(keys) if key in wanted]
                if not rows:
                    continue
                held = Ragged(np.load(shard / _VALUES, mmap_mode="r"), np.load(shard / _STARTS))
            except (OSError, ValueError):
                continue  # Another process may remove shards at any time; their texts are computed again.
            os.utime(shard)
            found.update((keys[row], held[row]) for row in rows)
        return found

    def _write(self, keys: Sequence[bytes], computed: Ragged) -> None:
        """Write a shard; a cache that cannot be written is ignored."""
        with suppress(OSError, OutputInTheWay):
            with replaced_folder(self.folder / f"{keys[0].hex()}-{len(keys)}.shard", lambda _: True) as scratch:
                np.save(scratch / _KEYS, np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), -1))
                np.save(scratch / _STARTS, computed.starts)
                np.save(scratch / _VALUES, computed.values)
            evict((cache_folder() / "neural").glob("*/*.shard"), LIMIT)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
