"""What is drawn around a statement."""

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.records import Mention, Proof, Statement
from naturalproofs.web.drawing import drawing
from naturalproofs.web.neighbourhood import NODE, Neighbourhood, neighbourhood
from naturalproofs.web.reading import Reading


def corpus(uses: dict[str, str]) -> Corpus:
    """Statements by name, each with the names that its proof cites."""
    statements = []
    for name, cited in uses.items():
        proof = Proof((), tuple(Mention(c, "ref", 1, c) for c in cited.split()))
        statements.append(Statement(name, "theorem", name, "", ("text",), proofs=(proof,)))
    return Corpus("c", tuple(statements), Provenance("latex", "fixed"))


def around(uses: dict[str, str], centre: str, **more: int) -> Neighbourhood:
    made = corpus(uses)
    limits = {"up": 1, "down": 1, "most": 40, **more}
    return neighbourhood(made, ReferenceGraph.of(made), centre, **limits)


CHAIN = {"a": "", "b": "a", "c": "b", "d": "c", "e": "d"}


def test_it_reaches_as_far_as_told() -> None:
    found = around(CHAIN, "c", up=2, down=1)
    assert {spot.id: spot.distance for spot in found.spots} == {"a": -2, "b": -1, "c": 0, "d": 1}
    assert [(line.source, line.target) for line in found.lines] == [("a", "b"), ("b", "c"), ("c", "d")]


def test_what_is_used_stands_above() -> None:
    heights = {spot.id: spot.y for spot in around(CHAIN, "c", up=2, down=2).spots}
    assert heights["a"] < heights["b"] < heights["c"] < heights["d"] < heights["e"]


def test_boxes_do_not_overlap() -> None:
    users = {f"u{n}": "a" for n in range(30)}
    spots = around({"a": "", **users}, "a").spots
    for number, one in enumerate(spots):
        for other in spots[:number]:
            assert abs(one.x - other.x) >= NODE.width or abs(one.y - other.y) >= NODE.height


def test_both_sides_are_kept_when_there_are_too_many() -> None:
    used = {f"p{n}": "" for n in range(30)}
    users = {f"u{n}": "a" for n in range(30)}
    found = around({**used, "a": " ".join(used), **users}, "a", most=11)
    sides = [spot.distance for spot in found.spots]
    assert (sides.count(-1), sides.count(0), sides.count(1)) == (5, 1, 5)
    assert found.left_out == 50


def test_one_side_takes_the_room_that_the_other_leaves() -> None:
    users = {f"u{n}": "a" for n in range(30)}
    sides = [spot.distance for spot in around({"p": "", "a": "p", **users}, "a", most=11).spots]
    assert (sides.count(-1), sides.count(1)) == (1, 9)


def test_a_circle_is_drawn_too() -> None:
    found = around({"a": "b", "b": "a"}, "a")
    assert len(found.lines) == 2
    made = corpus({"a": "b", "b": "a"})
    picture = drawing(Reading(made, {}), found)
    assert picture.count("<rect") == 2
    assert picture.count('class="proof"') == 2


def test_alone_it_is_alone() -> None:
    found = around({"a": ""}, "a")
    assert [spot.id for spot in found.spots] == ["a"]
    assert not found.lines
