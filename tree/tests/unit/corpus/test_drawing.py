"""Selecting: levels, focus, kinds of edges, reduction."""

import pytest

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.drawing import Drawing, drawing
from naturalproofs.errors import UnknownName
from naturalproofs.records import Mention, Place, Proof, Statement


def statement(name: str, chapter: str, position: int, cites: str = "", proves: str = "") -> Statement:
    mentions = tuple(Mention(key, "ref", 1, f"t:{key}") for key in cites.split())
    proofs = (Proof(("p",), tuple(Mention(key, "ref", 1, f"t:{key}") for key in proves.split())),) if proves else ()
    place = Place("t", chapter, f"section of {name}", position)
    return Statement(f"t:{name}", "theorem", name, "", ("x",), mentions, proofs, form="lemma", place=place)


@pytest.fixture
def corpus() -> Corpus:
    """A chain a → b → c → d with the shortcut a → c, over two chapters, and e that cites a in its statement."""
    statements = (
        statement("a", "One", 0),
        statement("b", "One", 1, proves="a"),
        statement("c", "Two", 2, proves="b a"),
        statement("d", "Two", 3, proves="c"),
        statement("e", "Two", 4, cites="a"),
    )
    return Corpus("t", statements, Provenance("latex", "fixed"))


def edges(drawn: Drawing) -> set[str]:
    return {f"{edge.source}>{edge.target}".replace("t:", "") for edge in drawn.edges}


def test_all_edges_run_from_used_to_user(corpus: Corpus) -> None:
    assert edges(drawing(corpus)) == {"a>b", "b>c", "a>c", "c>d", "a>e"}


@pytest.mark.parametrize(("kind", "found"), [("statement", {"a>e"}), ("proof", {"a>b", "b>c", "a>c", "c>d"})])
def test_kinds_of_edges(corpus: Corpus, kind: str, found: set[str]) -> None:
    assert edges(drawing(corpus, edges=kind)) == found


def test_reduction_leaves_out_what_follows(corpus: Corpus) -> None:
    assert edges(drawing(corpus, reduce=True)) == {"a>b", "b>c", "c>d", "a>e"}


@pytest.mark.parametrize(
    ("up", "down", "found"),
    [(0, 0, "c"), (1, 0, "abc"), (1, 1, "abcd"), (0, 1, "cd"), (5, 5, "abcd")],
)
def test_focus(corpus: Corpus, up: int, down: int, found: str) -> None:
    drawn = drawing(corpus, focus="c", up=up, down=down)
    assert {node.label for node in drawn.nodes} == set(found)
    assert all(edge.source[2:] in found and edge.target[2:] in found for edge in drawn.edges)


def test_focus_after_reduction_goes_the_long_way(corpus: Corpus) -> None:
    drawn = drawing(corpus, focus="c", up=1, down=0, reduce=True)
    assert {node.label for node in drawn.nodes} == {"b", "c"}


def test_chapters_weigh_pairs_of_statements(corpus: Corpus) -> None:
    drawn = drawing(corpus, level="chapter")
    assert [(node.id, node.statements) for node in drawn.nodes] == [("One", 2), ("Two", 3)]
    (edge,) = drawn.edges
    assert (edge.source, edge.target, edge.statement, edge.proof, edge.weight) == ("One", "Two", 1, 2, 3)
    assert drawing(corpus, level="chapter", threshold=4).edges == ()


def test_focus_on_a_chapter_by_its_name_or_by_a_statement(corpus: Corpus) -> None:
    by_name = drawing(corpus, level="chapter", focus="two", up=0, down=0)
    by_label = drawing(corpus, level="chapter", focus="d", up=0, down=0)
    assert [node.id for node in by_name.nodes] == [node.id for node in by_label.nodes] == ["Two"]


@pytest.mark.parametrize("level", ["statement", "chapter"])
def test_an_unknown_focus_is_named(corpus: Corpus, level: str) -> None:
    with pytest.raises(UnknownName, match="'zzz'"):
        drawing(corpus, level=level, focus="zzz")


def test_sections_are_told_apart_by_their_chapter(corpus: Corpus) -> None:
    assert drawing(corpus, level="section").nodes[0].id == "One / section of a"
