"""What is drawn around a statement."""

from naturalproofs.apps.web.render import NODE, Drawing, Renderer, drawn
from naturalproofs.apps.web.templating import render
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.records import Mention, Proof, Statement
from naturalproofs.workspace.paths import neighbourhood


def corpus(uses: dict[str, str]) -> Corpus:
    """Statements by name, each with the names that its proof cites."""
    statements = []
    for name, cited in uses.items():
        proof = Proof((), tuple(Mention(c, "ref", 1, c) for c in cited.split()))
        statements.append(Statement(name, "theorem", name, "", ("text",), proofs=(proof,)))
    return Corpus("c", tuple(statements), Provenance("latex", "fixed"))


def around(uses: dict[str, str], centre: str, **more: int) -> Drawing:
    made = corpus(uses)
    limits = {"up": 1, "down": 1, "limit": 40, **more}
    return drawn(neighbourhood(made, ReferenceGraph.of(made), centre, **limits))


CHAIN = {"a": "", "b": "a", "c": "b", "d": "c", "e": "d"}


def test_it_reaches_as_far_as_told() -> None:
    found = around(CHAIN, "c", up=2, down=1)
    assert {node.id: node.distance for node in found.nodes} == {"a": -2, "b": -1, "c": 0, "d": 1}
    assert [(edge.source, edge.target) for edge in found.edges] == [("a", "b"), ("b", "c"), ("c", "d")]


def test_what_is_used_stands_above() -> None:
    heights = {node.id: node.y for node in around(CHAIN, "c", up=2, down=2).nodes}
    assert heights["a"] < heights["b"] < heights["c"] < heights["d"] < heights["e"]


def test_boxes_do_not_overlap() -> None:
    users = {f"u{n}": "a" for n in range(30)}
    nodes = around({"a": "", **users}, "a").nodes
    for number, one in enumerate(nodes):
        for other in nodes[:number]:
            assert abs(one.x - other.x) >= NODE.width or abs(one.y - other.y) >= NODE.height


def test_both_sides_are_kept_when_there_are_too_many() -> None:
    used = {f"p{n}": "" for n in range(30)}
    users = {f"u{n}": "a" for n in range(30)}
    found = around({**used, "a": " ".join(used), **users}, "a", limit=11)
    sides = [node.distance for node in found.nodes]
    assert (sides.count(-1), sides.count(0), sides.count(1)) == (5, 1, 5)
    assert found.left_out == 50


def test_one_side_takes_the_room_that_the_other_leaves() -> None:
    users = {f"u{n}": "a" for n in range(30)}
    sides = [node.distance for node in around({"p": "", "a": "p", **users}, "a", limit=11).nodes]
    assert (sides.count(-1), sides.count(1)) == (1, 9)


def test_a_circle_is_drawn_too() -> None:
    found = around({"a": "b", "b": "a"}, "a")
    assert len(found.edges) == 2
    made = corpus({"a": "b", "b": "a"})
    picture = render("_drawing.svg", renderer=Renderer(made, {}), around=found)
    assert picture.count("<rect") == 2
    assert picture.count('class="proof"') == 2


def test_alone_it_is_alone() -> None:
    found = around({"a": ""}, "a")
    assert [node.id for node in found.nodes] == ["a"]
    assert not found.edges
