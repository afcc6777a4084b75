"""What every index of search must do: one suite over the index of a project and over that of a collection."""

import random
from collections.abc import Callable

import pytest

from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import source_macros
from naturalproofs.records import Statement
from naturalproofs.workspace.search import Found, SearchIndex, search
from naturalproofs.workspace.search.index import StatementIndex
from naturalproofs.workspace.search.text import words

QUERIES = (
    "cyclic group", "order of a subgroup", "maximal element", "Lagrange", "normal subgroup kernel", "prime ideal",
    "equivalence relation", "the order of a subgroup divides the order of the group", "every group is a subgroup",
    "definition of a ring", "what is a field", "homomorphism", "homomorphisms of rings", "quotient", "group ring field",
    "injective map", "bijection", "infinitely many primes", "greatest common divisor", "thm:lagrange", "cor:prime",
    "primer:thm:lagrange", "theorem 1", "subgrop", "homomorfism", "grou", '"normal subgroup"', '"finite group"',
    '"cyclic group" order', '"the order of"', 'element -group', 'subgroup -"normal subgroup"', "kind:definition",
    "group kind:definition", "kind:lemma finite", "kind:theorems ring", "chapter:group order", "chapter:sets",
    "$a^2 + b^2$", "$x \\in X$ kernel", "$\\mathbb{Z}/n$", "map f : X to Y", "a b c", "zzzzqqqq", "category:none group",
    "maximal kernel kind:lemma",
)  # fmt: skip


@pytest.fixture(scope="module")
def project(primer: Corpus) -> StatementIndex:
    return SearchIndex.build(primer, macros=source_macros(primer))


@pytest.fixture(scope="module")
def collection(primer: Corpus, tmp_path_factory: pytest.TempPathFactory) -> StatementIndex:
    pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
    from naturalproofs.apps.collections.answers import OpenCollection
    from naturalproofs.apps.collections.collect import collect
    from naturalproofs.apps.collections.read import read_project

    folder = tmp_path_factory.mktemp("collection")
    store.save(primer, folder / primer.name, splits=b"")
    collect([folder / primer.name], folder / "collection", lambda tasks: map(read_project, tasks))
    return OpenCollection.open(str(folder / "collection")).searched


@pytest.fixture(params=["project", "collection"])
def index(request: pytest.FixtureRequest) -> StatementIndex:
    found: StatementIndex = request.getfixturevalue(request.param)
    return found


def ids(found: Found) -> list[str]:
    return [hit.id for hit in found.items]


@pytest.mark.parametrize("query", QUERIES)
def test_both_give_the_same_answers(project: StatementIndex, collection: StatementIndex, query: str) -> None:
    first, second = (search([index], query, k=10) for index in (project, collection))
    assert ids(first) == ids(second)
    assert [hit.score for hit in first.items] == pytest.approx([hit.score for hit in second.items], rel=1e-3)
    told = [(one.total, one.exact, one.kinds, one.corrections) for one in (first, second)]
    assert told[0] == told[1]


def folded(statement: Statement) -> str:
    """Title and text as tokens; a formula is a token that no phrase has."""
    texts = (statement.title, statement.text)
    return " | ".join(" ".join("$" if word.formula else word.term for word in words(text)) for text in texts)


def scan(primer: Corpus, test: Callable[[Statement, str], bool]) -> set[str]:
    return {one.id for one in primer.statements if test(one, f" {folded(one)} ")}


def test_phrases_and_filters_find_what_a_scan_finds(index: StatementIndex, primer: Corpus) -> None:
    """The statements, not only how many: filters come before candidates are cut."""
    chosen = random.Random(1)
    texts = [one.text for one in primer.statements]
    for number in range(60):
        text = chosen.choice(texts)
        plain = [text[one.start : one.end] for one in words(text) if not one.formula]
        at = chosen.randrange(max(1, len(plain) - 1))
        phrase = " ".join(plain[at : at + 2])
        term = " ".join(word.term for word in words(phrase))
        kind = chosen.choice(["", "definition", "theorem"])
        expected = scan(primer, lambda one, held: f" {term} " in held and kind in ("", one.kind))  # noqa: B023
        query = f'"{phrase}"' + (f" kind:{kind}" if kind else "")
        found = search([index], query, k=len(texts))
        assert set(ids(found)) | {twin.statement.id for hit in found.items for twin in hit.twins} == expected, query
        assert found.total == len(expected), (number, query)


@pytest.mark.parametrize(
    ("query", "exact"),
    [("cyclic group", True), ("", True), ('"normal subgroup"', True), ("zzzzqqqq", True), ("homomorfism", True),
     ("poset homomorphism kernel divisor", False), ("$a^2 + b^2$", False)],
)  # fmt: skip
def test_a_total_of_those_with_some_of_the_words_is_marked(index: StatementIndex, query: str, exact: bool) -> None:
    assert search([index], query).exact == exact


def test_nothing_and_everything(index: StatementIndex, primer: Corpus) -> None:
    assert search([index], "").total == len(primer.statements)
    assert search([index], "kind:definition").total == sum(one.kind == "definition" for one in primer.statements)
    assert search([index], '"kernel of nothing at all"').total == 0
