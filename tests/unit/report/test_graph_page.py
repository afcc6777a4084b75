"""The page as a file: self-contained, deterministic, and safe whatever the corpus says."""

import base64
import hashlib
import json
import re
import zlib

import pytest

from naturalproofs.apps.report.graph_page import Opening, graph_page
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph, transitive_reduction
from naturalproofs.records import Mention, Origin, Place, Proof, Statement
from naturalproofs.sources.latex import Macro

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u2028\u2029<!--"


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def texts_of(page: str) -> list[str]:
    packed = re.findall(r'<script type="text/plain" id="text-\d+">([A-Za-z0-9+/=]*)</script>', page)
    return [text for one in packed for text in json.loads(zlib.decompress(base64.b64decode(one)))]


@pytest.fixture(scope="module")
def page(primer: Corpus) -> str:
    return graph_page(primer)


def hostile_corpus() -> Corpus:
    place = Place("t", HOSTILE, HOSTILE, 0)
    first = Statement("t:1", "theorem", HOSTILE, HOSTILE, (HOSTILE, f"${HOSTILE}$"), form=HOSTILE, number=HOSTILE,
                      tag=HOSTILE, origin=Origin(HOSTILE, 1), place=place)  # fmt: skip
    proof = Proof(("p",), (Mention(HOSTILE, "ref", 1, "t:1"),))
    second = Statement("t:2", "other", "b", "", (r"\ref{x}",), proofs=(proof,), place=Place("t", HOSTILE, "", 1))
    return Corpus(HOSTILE, (first, second), Provenance("stacks", "fixed", title=HOSTILE))


def test_the_page_holds_every_statement_and_edge(page: str, primer: Corpus) -> None:
    data = data_of(page)
    assert data["label"] == [statement.label for statement in primer.statements]
    graph = ReferenceGraph.of(primer)
    labels = {statement.id: number for number, statement in enumerate(primer.statements)}
    triples = zip(*[iter(data["edges"])] * 3, strict=True)
    masks = {(used, user): mask for used, user, mask in triples}
    assert set(masks) == {(labels[a], labels[b]) for b, cited in graph.uses.items() for a in cited}
    in_proofs = {(labels[a], labels[b]) for b, cited in graph.proof_uses.items() for a in cited}
    assert {pair for pair, mask in masks.items() if mask & 2} == in_proofs
    kept = {(labels[a], labels[b]) for b, cited in transitive_reduction(graph).items() for a in cited}
    assert {pair for pair, mask in masks.items() if mask & 4} == kept


def test_statements_are_rendered_with_links(page: str, primer: Corpus) -> None:
    texts = texts_of(page)
    assert len(texts) == len(primer.statements)
    ring = texts[[statement.label for statement in primer.statements].index("def:ring")]
    group = [statement.label for statement in primer.statements].index("def:abelian-group")
    assert f'data-node="{group}"' in ring
    assert "<math>" in ring


def test_the_same_corpus_gives_the_same_page(page: str, primer: Corpus) -> None:
    assert graph_page(primer) == page


def test_the_policy_names_the_script_and_the_style(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        inline = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(inline) == 1
        digest = base64.b64encode(hashlib.sha256(inline[0].encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy[1]
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]


def test_the_page_asks_for_nothing_outside(page: str) -> None:
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//|@import|url\((?!"data:font/|#tip)""", page)


def test_hostile_text_stays_text() -> None:
    page = graph_page(hostile_corpus(), {"x": Macro.of("x", 0, HOSTILE)})
    # The data, the texts of two sections, and ours.
    assert page.count("<script") == page.count("</script>") == 4
    assert "<img" not in page
    assert data_of(page)["label"][0] == HOSTILE
    for text in texts_of(page):
        assert "<script" not in text
        assert "<img" not in text


def test_a_paper_without_chapters_is_grouped_by_sections() -> None:
    places = [Place("t", "", section, number) for number, section in enumerate(["Intro", "Proofs"])]
    statements = tuple(
        Statement(f"t:{n}", "theorem", str(n), "", ("x",), place=place) for n, place in enumerate(places)
    )
    data = data_of(graph_page(Corpus("t", statements, Provenance("latex", "fixed"))))
    assert (data["word"], data["groups"]) == ("section", ["Intro", "Proofs"])


def test_statements_without_a_place_are_grouped_by_category() -> None:
    statements = tuple(Statement(f"w:{n}", "theorem", str(n), "", ("x",), categories=(c,)) for n, c in enumerate("AAB"))
    data = data_of(graph_page(Corpus("w", statements, Provenance("proofwiki", "fixed"))))
    assert data["groups"] == ["A", "B"]


def test_what_the_page_opens_with(primer: Corpus) -> None:
    data = data_of(graph_page(primer, opening=Opening("thm:lagrange", 3, 0, "proof", True, "chapter")))
    opening = {"focus": "thm:lagrange", "up": 3, "down": 0, "edges": "proof", "reduce": True, "level": "chapter"}
    assert data["opening"] == opening


def test_many_statements_open_at_chapters() -> None:
    statements = tuple(
        Statement(f"t:{n}", "theorem", f"l{n}", "", ("x",), place=Place("t", f"C{n % 7}", "", n)) for n in range(3001)
    )
    assert data_of(graph_page(Corpus("t", statements, Provenance("latex", "fixed"))))["all"] is False
    assert data_of(graph_page(Corpus("t", statements[:3000], Provenance("latex", "fixed"))))["all"] is True


def citing_little(cited: bool) -> Corpus:
    places = [Place("t", "Numbers", "", number) for number in range(3)]
    ring = Statement("t:1", "definition", "def:gizmo", "", (r"A \emph{gizmo} is a set.",), place=places[0])
    silent = Statement(
        "t:2", "theorem", "a", "", ("Every gizmo is finite.",), proofs=(Proof(("Clear.",)),), place=places[1]
    )
    proof = Proof((r"By \ref{a}.",), (Mention("a", "ref", 1, "t:2"),))
    citing = [
        Statement(f"t:c{n}", "theorem", f"c{n}", "", ("A gizmo is.",), proofs=(proof,), place=places[2])
        for n in range(3)
    ]
    return Corpus("t", (ring, silent, *citing[: 3 if cited else 1]), Provenance("latex", "fixed"))


def test_what_is_inferred_is_marked_where_an_author_cites_little() -> None:
    data = data_of(graph_page(citing_little(cited=False)))
    # The theorem that cites nothing has an edge with its reason; the one that cites has none beside its own.
    assert data["edges"] == [1, 2, 2 + 4 + 16, 0, 1, 32]
    assert data["inferred"] == ["inferred: gizmo"]
    assert data_of(graph_page(citing_little(cited=True)))["inferred"] == []
