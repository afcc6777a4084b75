"""What an encoder computed, kept by the content of text and weights, so that nothing is computed twice.

A store is a folder of *shards*; a shard holds the keys of some texts and their arrays end to end, as two ``.npy``
files, and appears whole or not at all. When all stores together grow over a limit, the shards used least recently go.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalproofs.io.cache import cache_folder, evict
from naturalproofs.ranking.neural.batching import Ragged

LIMIT = 8 << 30
"""Bytes that all stores may take together."""
SHARD = 2_048
"""Texts of a shard: what is lost when a run is killed."""
_KEYS, _STARTS, _VALUES = "keys.npy", "starts.npy", "values.npy"

Compute = Callable[[list[int]], Ragged]


@dataclass(frozen=True, slots=True)
class Store:
    """The arrays of one encoder, under one preparation and length, which its name stands for."""

    name: str

    @property
    def folder(self) -> Path:
        """Where its shards are."""
        return cache_folder() / "neural" / self.name

    def get(self, texts: Sequence[str], compute: Compute, empty: NDArray[Any]) -> Ragged:
        """The arrays of texts: those known are read, the others computed, by their positions, and kept."""
        keys = [_key(text) for text in texts]
        found = self._read(set(keys))
        # Of equal texts one is computed.
        missing = list({key: row for row, key in enumerate(keys) if key not in found}.values())
        for first in range(0, len(missing), SHARD):
            some = missing[first : first + SHARD]
            made = compute(some)
            self._write([keys[row] for row in some], made)
            found.update((keys[row], made[place]) for place, row in enumerate(some))
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
                continue  # Another run may clear the cache at any moment; what is gone is computed again.
            os.utime(shard)
            found.update((keys[row], held[row]) for row in rows)
        return found

    def _write(self, names: Sequence[bytes], made: Ragged) -> None:
        """Keep a shard; a cache that cannot be written is no reason to stop."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            scratch = Path(tempfile.mkdtemp(prefix=".", suffix=".part", dir=self.folder))
            try:
                keys = np.frombuffer(b"".join(names), dtype=np.uint8).reshape(len(names), -1)
                np.save(scratch / _KEYS, keys)
                np.save(scratch / _STARTS, made.starts)
                np.save(scratch / _VALUES, made.values)
                scratch.rename(self.folder / f"{names[0].hex()}-{len(names)}.shard")
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            evict((cache_folder() / "neural").glob("*/*.shard"), LIMIT)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
