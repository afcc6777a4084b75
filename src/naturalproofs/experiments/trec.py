"""A run in TREC's format, for other people's evaluation tools."""

from naturalproofs.evaluation.ranked import RankedQuery
from naturalproofs.tasks.exports.common import plain_id


def to_trec_run(queries: tuple[RankedQuery, ...], tag: str) -> bytes:
    """Lines ``query Q0 document rank score tag``; the score only says the order, as the tools sort by it."""
    name = plain_id(tag.replace(" ", ""))
    lines = [
        f"{plain_id(query.query)} Q0 {plain_id(document)} {rank} {1 / rank:.6f} {name}\n"
        for query in queries
        for rank, document in enumerate(query.top, start=1)
    ]
    return "".join(lines).encode()
