"""What is drawn around a statement."""

from naturalproofs.apps.web.render import Renderer, drawn
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.records import Mention, Proof, Statement
from naturalproofs.workspace.paths import Neighbourhood, neighbourhood


def corpus(uses: dict[str, str]) -> Corpus:
    """Statements by name, each with the names that its proof cites."""
    statements = []
    for name, cited in uses.items():
        proof = Proof((), tuple(Mention(c, "ref", 1, c) for c in cited.split()))
        statements.append(Statement(name, "theorem", name, "", ("text",), proofs=(proof,)))
    return Corpus("c", tuple(statements), Provenance("latex", "fixed"))


def around(uses: dict[str, str], centre: str, **more: int) -> Neighbourhood:
    made = corpus(uses)
    limits = {"up": 1, "down": 1, "limit": 40, **more}
    return neighbourhood(made, ReferenceGraph.of(made), centre, **limits)


CHAIN = {"a": "", "b": "a", "c": "b", "d": "c", "e": "d"}


def test_it_reaches_as_far_as_told() -> None:
    found = around(CHAIN, "c", up=2, down=1)
    assert found.distances == {"a": -2, "b": -1, "c": 0, "d": 1}
    assert [(link.source, link.target) for link in found.links] == [("a", "b"), ("b", "c"), ("c", "d")]


def test_both_sides_are_kept_when_there_are_too_many() -> None:
    used = {f"p{n}": "" for n in range(30)}
    users = {f"u{n}": "a" for n in range(30)}
    found = around({**used, "a": " ".join(used), **users}, "a", limit=11)
    sides = [*found.distances.values()]
    assert (sides.count(-1), sides.count(0), sides.count(1)) == (5, 1, 5)
    assert found.left_out == 50


def test_one_side_takes_the_room_that_the_other_leaves() -> None:
    users = {f"u{n}": "a" for n in range(30)}
    sides = [*around({"p": "", "a": "p", **users}, "a", limit=11).distances.values()]
    assert (sides.count(-1), sides.count(1)) == (1, 9)


def test_what_the_page_draws() -> None:
    made = corpus({"a": "b", "b": "a"})
    shown = drawn(Renderer(made, {}), around({"a": "b", "b": "a"}, "a"))
    assert (shown["centre"], shown["links"]) == (0, [[1, 0, True], [0, 1, True]])
    assert [box["title"] for box in shown["boxes"]] == ["text", "text"]


def test_alone_it_is_alone() -> None:
    found = around({"a": ""}, "a")
    assert [*found.distances] == ["a"]
    assert not found.links
