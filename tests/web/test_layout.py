"""The layout of drawings, in the browser that runs it: no line meets a box that it does not join."""

import random
from collections.abc import Iterator
from importlib.resources import files

import pytest

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.data import primer_folder
from naturalproofs.workspace import Workspace
from support import chromium
from support.chromium import Tab

pytestmark = chromium.needed
SCRIPT = files("naturalproofs.apps.report").joinpath("graph", "layout.js").read_text("utf-8")
LAID_OUT = (
    SCRIPT
    + """
return arguments[0].map(({boxes, links, widest}) => {
  const made = layoutGraph(boxes, links, {widest});
  const again = layoutGraph(boxes, links, {widest});
  // Curves as many short straight pieces.
  const bent = made.lines.map(({points, up}) => {
    const found = [];
    traceLine({points}, (x, y) => found.push([x, y]), (x, y) => {
      const [u, v] = found[found.length - 1];
      for (let t = 1; t <= 12; t++) found.push([u + (x - u) * t / 12, v + (y - v) * t / 12]);
    }, (a, b, c, d, x, y) => {
      const [u, v] = found[found.length - 1];
      for (let t = 1; t <= 12; t++) {
        const s = t / 12, r = 1 - s;
        const bez = (p, q, m, n) => r * r * r * p + 3 * r * r * s * q + 3 * r * s * s * m + s * s * s * n;
        found.push([bez(u, a, c, x), bez(v, b, d, y)]);
      }
    });
    return {points: found, up};
  });
  const same = JSON.stringify(made) === JSON.stringify(again);
  return {corners: made.corners, lines: bent, routed: made.routed, same};
});
"""
)


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with chromium.started(tmp_path_factory.mktemp("profile"), "800,600") as driver:
        yield Tab(driver)


def random_graphs(count: int) -> list[dict]:
    found = []
    for seed in range(count):
        chance = random.Random(seed)
        size = chance.randint(2, 40)
        boxes = [{"w": chance.randint(60, 220), "h": chance.randint(30, 80)} for _ in range(size)]
        pairs = {tuple(sorted(chance.sample(range(size), 2))) for _ in range(int(1.7 * size))}
        # Some point against reading order, so that there are circles.
        links = [list(pair) if chance.random() < 0.93 else list(reversed(pair)) for pair in sorted(pairs)]
        found.append({"boxes": boxes, "links": links, "widest": chance.choice([0, 900])})
    return found


def neighbourhoods(count: int) -> list[dict]:
    """Those of statements of the Primer, as pages draw them."""
    workspace = Workspace.open([primer_folder()])
    chosen = random.Random(3).choices(workspace.home.statements, k=count)
    found = []
    for number, statement in enumerate(chosen):
        near = workspace.neighbourhood(statement.id, up=1 + number % 3, down=1 + number % 2, limit=40)
        index = {key: position for position, key in enumerate(near.distances)}
        links = [[index[link.source], index[link.target]] for link in near.links]
        found.append({"boxes": [{"w": 184, "h": 66}] * len(index), "links": links, "widest": 1632})
    return found


@pytest.mark.parametrize("graphs", [random_graphs, neighbourhoods], ids=["random", "primer"])
def test_no_line_meets_a_box_that_it_does_not_join(tab: Tab, graphs: object) -> None:
    asked = graphs(500)
    for number, (graph, made) in enumerate(zip(asked, tab.run(LAID_OUT, asked), strict=True)):
        boxes = [
            (x, y, x + box["w"], y + box["h"]) for (x, y), box in zip(made["corners"], graph["boxes"], strict=True)
        ]
        assert made["routed"]
        assert made["same"], "the same graph gives the same drawing"
        for first, one in enumerate(boxes):
            for other in boxes[:first]:
                assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3], number
        for (used, user), line in zip(graph["links"], made["lines"], strict=True):
            assert (boxes[used][3] <= boxes[user][1]) is not line["up"], "what is used stands above, but in a circle"
            ends = {used, user}
            for x, y in line["points"]:
                for box, (left, top, right, bottom) in enumerate(boxes):
                    inside = left + 0.5 < x < right - 0.5 and top + 0.5 < y < bottom - 0.5
                    assert not inside, (number, used, user, box in ends, box)


def test_statements_of_one_depth_stand_in_one_row(tab: Tab) -> None:
    fan = {"boxes": [{"w": 100, "h": 40}] * 8, "links": [[0, n] for n in range(1, 8)], "widest": 0}
    (made,) = tab.run(LAID_OUT, [fan])
    assert len({y for _, y in made["corners"][1:]}) == 1
    (made,) = tab.run(LAID_OUT, [{**fan, "widest": 500}])
    assert len({y for _, y in made["corners"][1:]}) == 2, "more than a row holds stand in rows close together"


def test_only_circles_point_up(tab: Tab) -> None:
    """A line points up only where no order of reading could have it point down."""
    graphs = random_graphs(60)
    for graph, made in zip(graphs, tab.run(LAID_OUT, graphs), strict=True):
        uses: dict[str, tuple[str, ...]] = {}
        for used, user in graph["links"]:
            uses[str(user)] = (*uses.get(str(user), ()), str(used))
        reference = ReferenceGraph(tuple(map(str, range(len(graph["boxes"])))), uses, {})
        for (used, user), line in zip(graph["links"], made["lines"], strict=True):
            assert not line["up"] or _reaches(reference, str(used), str(user))


def _reaches(graph: ReferenceGraph, start: str, end: str) -> bool:
    """Whether the start rests on the end."""
    seen, waiting = {start}, [start]
    while waiting:
        new = set(graph.uses.get(waiting.pop(), ())) - seen
        seen |= new
        waiting += new
    return end in seen
