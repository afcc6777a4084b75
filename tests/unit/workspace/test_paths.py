"""Reading paths: orders in which everything comes after what it rests on."""

from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph, consequences, prerequisites
from naturalproofs.records import Mention, Proof, Statement
from naturalproofs.workspace.paths import impact, reading_path
from support.command_line import call


def corpus_of(uses: dict[str, str]) -> Corpus:
    statements = []
    for name, cited in uses.items():
        proof = Proof((), tuple(Mention(key, "ref", 1, f"c:{key}") for key in cited.split()))
        statements.append(Statement(f"c:{name}", "theorem", name, "", (), (), (proof,)))
    return Corpus("c", tuple(statements), Provenance("test", "fixed"))


def path_of(uses, target, **options):
    corpus = corpus_of(uses)
    options["known"] = [f"c:{name}" for name in options.get("known", ())]
    found = reading_path(corpus, ReferenceGraph.of(corpus), f"c:{target}", **options)
    return found, [step.id.removeprefix("c:") for step in found.steps]


CHAIN = {"z": "", "a": "", "b": "a", "c": "b a", "d": "z", "e": "c d"}


def test_foundations_come_first_and_the_theorem_last():
    found, names = path_of(CHAIN, "e")
    assert names == ["z", "a", "b", "c", "d", "e"]
    assert [step.layer for step in found.steps] == [0, 0, 1, 2, 1, 3]


def test_nothing_behind_what_is_known():
    found, names = path_of(CHAIN, "e", known=["b"])
    assert names == ["z", "a", "c", "d", "e"]
    assert found.known == ("c:b",)
    assert path_of(CHAIN, "e", known=["c", "d"])[1] == ["e"]


def test_a_long_path_is_cut_before_it_gets_too_long():
    found, names = path_of(CHAIN, "e", most=3)
    assert names == ["c", "d", "e"]
    assert found.cut_at == 2


def test_a_circle_is_read_in_the_books_order():
    _, names = path_of({"b": "a", "a": "b", "t": "a"}, "t")
    assert names == ["b", "a", "t"]


def test_impact_is_nearest_first():
    corpus = corpus_of(CHAIN)
    assert impact(corpus, ReferenceGraph.of(corpus), "c:a") == [("c:b", 1), ("c:c", 1), ("c:e", 2)]
    assert impact(corpus, ReferenceGraph.of(corpus), "c:e") == []


graphs = st.lists(st.lists(st.integers(0, 11), max_size=4), min_size=1, max_size=12)


@given(graphs, st.integers(0, 11), st.sets(st.integers(0, 11), max_size=3))
def test_every_order_can_be_read(rows, target, known):
    size = len(rows)
    # Only earlier statements are cited, so there are no circles.
    corpus = corpus_of({str(n): " ".join(str(c % n) for c in row) if n else "" for n, row in enumerate(rows)})
    graph = ReferenceGraph.of(corpus)
    target, known = f"c:{target % size}", {f"c:{k % size}" for k in known}
    found = reading_path(corpus, graph, target, known=known)
    order = [step.id for step in found.steps]
    place = {key: position for position, key in enumerate(order)}
    assert order[-1] == target
    assert not (known - {target}) & set(order)
    assert all(place[cited] < place[step.id] for step in found.steps for cited in step.uses)
    assert set(order) - {target} <= set(prerequisites(graph, target))
    if not known:
        assert set(order) - {target} == set(prerequisites(graph, target))
    assert dict(impact(corpus, graph, target)) == consequences(graph, target)


def test_on_the_command_line(tmp_path):
    from naturalproofs.data import primer_folder

    code, out, _ = call("path", primer_folder(), "thm:lagrange", "--known", "def:group")
    assert code == 0
    assert out.strip().split("\n")[-4].endswith("← 12, 13, 14")
    assert "Known already:\n  Definition 3.1.1 (Group)" in out
    code, out, _ = call("impact", primer_folder(), "thm:cauchy")
    assert code == 0
    assert "statements rest on Theorem 3.6.15 (Cauchy)" in out
    assert call("path", primer_folder(), "thm:nothing")[0] == 1
