"""Layers: what is used stands above what uses it, and no layer is wider than the page likes."""

from collections.abc import Sequence

from naturalproofs.corpus.graph import ReferenceGraph, components

Pair = tuple[int, int]
"""From what is used to what uses it, as positions in reading order."""


def downward(count: int, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that can all point down: circles are opened where they go against reading order."""
    uses: dict[str, tuple[str, ...]] = {}
    for used, user in pairs:
        uses[str(user)] = (*uses.get(str(user), ()), str(used))
    graph = ReferenceGraph(tuple(map(str, range(count))), uses, {})
    home = {int(node): index for index, component in enumerate(components(graph)) for node in component}
    return [(a, b) for a, b in pairs if (home[a], a) < (home[b], b)]


def assign(widths: Sequence[float], pairs: Sequence[Pair], limit: float, gap: float) -> list[list[int]]:
    """Put each node below all it uses, in the first layer that has room (Coffman and Graham's rule, greedily)."""
    above: list[list[int]] = [[] for _ in widths]
    for used, user in pairs:
        above[user].append(used)
    layer = [0] * len(widths)
    taken: list[float] = []
    for node in _by_depth(above):
        place = max((layer[used] + 1 for used in above[node]), default=0)
        while True:
            if place == len(taken):
                taken.append(0.0)
            if not taken[place] or taken[place] + gap + widths[node] <= limit:
                break
            place += 1
        taken[place] += widths[node] + (gap if taken[place] else 0)
        layer[node] = place
    rows: list[list[int]] = [[] for _ in taken]
    for node, place in enumerate(layer):
        rows[place].append(node)
    return rows


def _by_depth(above: Sequence[Sequence[int]]) -> list[int]:
    """Nodes by the longest chain above them, then in reading order."""
    below: list[list[int]] = [[] for _ in above]
    for node, used in enumerate(above):
        for other in used:
            below[other].append(node)
    waiting = [len(used) for used in above]
    depth = [0] * len(above)
    ready = [node for node, count in enumerate(waiting) if count == 0]
    for node in ready:
        for user in below[node]:
            depth[user] = max(depth[user], depth[node] + 1)
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    return sorted(range(len(above)), key=lambda node: (depth[node], node))
