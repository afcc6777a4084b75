"""Nearness in meaning: vectors of terms and statements by latent semantic analysis.

They are part of the index, as 16-bit floats. An index that is built without numpy and scikit-learn has none.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from naturalproofs.ranking.term_vectors import Floats

DIMENSIONS = 128
FEWEST = 50
"""With fewer statements or terms than this nothing can be learnt."""


def add_vectors(
    connection: sqlite3.Connection, statements: Iterable[Mapping[str, float]], terms: Mapping[str, int], size: int
) -> None:
    """Fill in the vectors of an index.

    Args:
        connection: The database.
        statements: The weights of the terms of each statement, in order.
        terms: The number of each term, from 0.
        size: How many statements there are.
    """
    if min(size, len(terms)) < FEWEST:
        return
    try:
        import numpy as np
        from scipy.sparse import csr_matrix
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        from naturalproofs.ranking.lsa import directions, unit
    except ImportError:
        return
    columns: list[int] = []
    weights: list[float] = []
    starts = [0]
    for statement in statements:
        columns.extend(terms[term] for term in statement)
        weights.extend(statement.values())
        starts.append(len(columns))
    matrix = csr_matrix((np.array(weights, np.float32), columns, starts), shape=(size, len(terms)))
    # More threads spend their time waiting for each other: the matrices are thin.
    with threadpool_limits(limits=1):
        found = directions(matrix, DIMENSIONS, iterations=1)
        places = unit(np.asarray(matrix @ found, dtype=np.float32))
    rows = ((row.tobytes(), term) for term, row in zip(terms, found.astype(np.float16), strict=True))
    connection.executemany("UPDATE term SET vector = ? WHERE term = ?", rows)
    connection.execute("INSERT INTO vectors VALUES (?)", (places.astype(np.float16).tobytes(),))


def read_vectors(data: bytes, size: int) -> Floats | None:
    """The vectors of the statements, a row of length one for each; None without numpy."""
    try:
        import numpy as np
    except ImportError:
        return None
    return np.frombuffer(data, np.float16).reshape(size, -1).astype(np.float32)


def nearness(vectors: Floats, terms: Iterable[tuple[bytes, float]]) -> Floats | None:
    """The cosine of each statement with the sum of some weighted term vectors; None if that is zero."""
    import numpy as np

    place = np.zeros(vectors.shape[1], np.float32)
    for data, weight in terms:
        place += np.float32(weight) * np.frombuffer(data, np.float16).astype(np.float32)
    length = float(np.linalg.norm(place))
    if not length:
        return None
    # Unlike a matrix product this starts no threads, which cost more than they save on one vector.
    return np.asarray(np.einsum("ij,j->i", vectors, place / length), dtype=np.float32)
