"""A layered drawing: layers, few crossings, and places that keep neighbours close.

Nothing is random: the same graph always gives the same drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from naturalproofs.corpus.graph import ReferenceGraph, components

Pair = tuple[int, int]
"""From a used node to one that uses it, as positions in reading order."""
SWEEPS = 10
ASPECT = 1.6
"""The wanted width of a drawing divided by its height."""


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Upper left corners by node, and the size of the whole."""

    places: list[tuple[int, int]]
    size: Size


def layered(sizes: Sequence[Size], pairs: Sequence[Pair], gap: Size) -> Layout:
    """Lay out nodes, given in reading order; nodes without edges stand in rows below the rest."""
    joined = sorted({node for pair in pairs for node in pair})
    index = {node: position for position, node in enumerate(joined)}
    inner = [(index[a], index[b]) for a, b in downward(len(sizes), pairs)]
    limit = _limit(sizes, gap)
    widths = [sizes[node].width for node in joined]
    rows = _assign_layers(widths, inner, limit, gap.width)
    neighbours: list[list[int]] = [[] for _ in joined]
    for used, user in inner:
        neighbours[used].append(user)
        neighbours[user].append(used)
    centres = _centres(rows, widths, neighbours, gap.width)
    named = [[joined[position] for position in row] for row in rows]
    return _placed(sizes, named, {joined[p]: x for p, x in enumerate(centres)}, gap, limit)


def flowed(sizes: Sequence[Size], gap: Size) -> Layout:
    """Lay out nodes like words in lines, in reading order."""
    return _placed(sizes, [], {}, gap, _limit(sizes, gap))


def downward(count: int, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that can all point down: cycles are broken where they go against reading order."""
    uses: dict[str, tuple[str, ...]] = {}
    for used, user in pairs:
        uses[str(user)] = (*uses.get(str(user), ()), str(used))
    graph = ReferenceGraph(tuple(map(str, range(count))), uses, {})
    home = {int(node): index for index, component in enumerate(components(graph)) for node in component}
    return [(a, b) for a, b in pairs if (home[a], a) < (home[b], b)]


def _assign_layers(widths: Sequence[float], pairs: Sequence[Pair], limit: float, gap: float) -> list[list[int]]:
    """Put each node below all it uses, in the first layer with space for it (greedy Coffman-Graham)."""
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


def _limit(sizes: Sequence[Size], gap: Size) -> float:
    area = sum((size.width + gap.width) * (size.height + gap.height) for size in sizes)
    return max([sqrt(area * ASPECT), *(size.width for size in sizes)])


def _centres(rows: list[list[int]], widths: list[float], neighbours: list[list[int]], gap: float) -> list[float]:
    """Order each row by the places of its neighbours, then move nodes towards them."""
    centres = [0.0] * len(widths)
    layer = {node: number for number, row in enumerate(rows) for node in row}
    both = [[(other, 1 / abs(layer[node] - layer[other])) for other in near] for node, near in enumerate(neighbours)]
    above = [[pull for pull in pulls if layer[pull[0]] < layer[node]] for node, pulls in enumerate(both)]
    below = [[pull for pull in pulls if layer[pull[0]] > layer[node]] for node, pulls in enumerate(both)]
    for row in rows:
        _spread(row, widths, gap, centres, [0.0] * len(row))
    for sweep in range(2 * SWEEPS):
        down = sweep % 2 == 0
        pulls = both if sweep >= SWEEPS else above if down else below
        for row in rows if down else reversed(rows):
            preferred = [_preferred(pulls[node], centres, centres[node]) for node in row]
            if sweep < SWEEPS:
                order = sorted(range(len(row)), key=lambda i: (preferred[i], i))
                row[:], preferred = [row[i] for i in order], [preferred[i] for i in order]
            _spread(row, widths, gap, centres, preferred)
    return centres


def _preferred(pulls: list[tuple[int, float]], centres: list[float], own: float) -> float:
    """The preferred centre of a node: the mean of its neighbours, weighted by the inverse distance of layers."""
    total = weight = 0.0
    for other, share in pulls:
        total += centres[other] * share
        weight += share
    return total / weight if weight else own


def _spread(row: list[int], widths: list[float], gap: float, centres: list[float], preferred: list[float]) -> None:
    """Set the centres of a row as near to the preferred ones as order and widths allow (isotonic regression)."""
    offsets, offset = [], 0.0
    for position, node in enumerate(row):
        offset += widths[node] / 2 + ((widths[row[position - 1]] / 2 + gap) if position else 0)
        offsets.append(offset)
    pools: list[list[float]] = []
    for target, shift in zip(preferred, offsets, strict=True):
        pools.append([target - shift, 1])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            value, count = pools.pop()
            merged = pools[-1][1] + count
            pools[-1] = [(pools[-1][0] * pools[-1][1] + value * count) / merged, merged]
    starts = [value for value, count in pools for _ in range(int(count))]
    for node, start, shift in zip(row, starts, offsets, strict=True):
        centres[node] = start + shift


def _placed(sizes: Sequence[Size], rows: list[list[int]], centres: dict[int, float], gap: Size, limit: float) -> Layout:
    """Corners from rows and centres, with the nodes without edges in rows of their own below."""
    left = min((centres[node] - sizes[node].width / 2 for row in rows for node in row), default=0.0)
    right = max((centres[node] + sizes[node].width / 2 - left for row in rows for node in row), default=0.0)
    corners = {node: centre - sizes[node].width / 2 - left for node, centre in centres.items()}
    room, filled = max(right, limit if not rows else right), 0.0
    last: list[int] = []
    below: list[list[int]] = []
    for node in (node for node in range(len(sizes)) if node not in centres):
        if not last or filled + gap.width + sizes[node].width > max(room, sizes[node].width):
            last, filled = [], -gap.width
            below.append(last)
        corners[node] = filled + gap.width
        filled += gap.width + sizes[node].width
        last.append(node)
    places = [(0, 0)] * len(sizes)
    top = 0.0
    for row in [*rows, *below]:
        for node in row:
            places[node] = (round(corners[node]), round(top))
        top += max(sizes[node].height for node in row) + gap.height
    width = max((x + sizes[node].width for node, (x, _) in enumerate(places)), default=0.0)
    return Layout(places, Size(width, max(0.0, top - gap.height)))
