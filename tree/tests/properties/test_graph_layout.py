"""Layouts: nothing overlaps, what is used stands above, and the same graph gives the same picture."""

from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.apps.report.graph_page import Size, downward, flowed, layered

GAP = Size(10, 20)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Size], list[tuple[int, int]]]:
    count = draw(st.integers(1, 25))
    sizes = [Size(draw(st.integers(10, 200)), draw(st.integers(10, 90))) for _ in range(count)]
    node = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(node, node).filter(lambda pair: pair[0] != pair[1]), max_size=60, unique=True))
    return sizes, pairs


def overlaps(sizes: list[Size], places: list[tuple[int, int]]) -> bool:
    boxes = [(x, y, x + size.width, y + size.height) for (x, y), size in zip(places, sizes, strict=True)]
    return any(
        a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1
        for number, a in enumerate(boxes)
        for b in boxes[:number]
    )


@given(graphs())
def test_layers_point_down_and_nothing_overlaps(graph: tuple[list[Size], list[tuple[int, int]]]) -> None:
    sizes, pairs = graph
    layout = layered(sizes, pairs, GAP)
    assert not overlaps(sizes, layout.places)
    assert all(layout.places[used][1] < layout.places[user][1] for used, user in downward(len(sizes), pairs))
    assert layered(sizes, list(pairs), GAP) == layout
    assert min(x for x, _ in layout.places) >= 0


@given(graphs())
def test_pairs_that_point_down_make_no_circle(graph: tuple[list[Size], list[tuple[int, int]]]) -> None:
    sizes, pairs = graph
    kept = downward(len(sizes), pairs)
    assert downward(len(sizes), kept) == kept
    reverse = {(b, a) for a, b in pairs}
    # Of two statements that use each other, one direction stays.
    assert all(pair in kept or (pair[1], pair[0]) in kept for pair in pairs if pair in reverse)


@given(st.lists(st.builds(Size, st.integers(10, 200), st.integers(10, 90)), min_size=1, max_size=30))
def test_flow_keeps_reading_order(sizes: list[Size]) -> None:
    places = flowed(sizes, GAP).places
    assert not overlaps(sizes, places)
    assert [(y, x) for x, y in places] == sorted((y, x) for x, y in places)
