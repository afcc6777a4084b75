"""Suggestions from open corpora."""

import gzip
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from naturalproofs import Workspace, load_corpus
from naturalproofs.corpus import store
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import consequences
from naturalproofs.data import primer_folder
from naturalproofs.errors import SameName, SourceNotFound, UnknownName
from naturalproofs.ranking.hybrid.scorer import HybridScorer
from naturalproofs.workspace.check import Selection
from naturalproofs.workspace.methods import PlainSuggester
from naturalproofs.workspace.object_cache import Cache
from naturalproofs.workspace.search.index import DATABASE
from support.lint_projects import write_project


@pytest.fixture(scope="module")
def workspace():
    return Workspace.open([primer_folder()])


def test_only_what_stands_before_the_proof(workspace):
    theorem = workspace.home.find("thm:lagrange")
    found = workspace.suggest(theorem, k=50)
    assert len(found) == 50
    assert all(item.statement.place.position < theorem.place.position for item in found)
    assert {"primer:def:index", "primer:lem:coset-size"} <= {item.statement.id for item in found}
    assert found.about == theorem.id


def test_what_stands_later_is_offered_last_and_depends_on_nothing_of_the_theorem(workspace):
    home, theorem = workspace.home, workspace.home.find("thm:lagrange")
    usual, found = workspace.suggest(theorem, k=5), workspace.suggest(theorem, k=5, later=3)
    ahead = found.items[5:]
    assert found.items[:5] == usual.items
    assert found.verdict == usual.verdict
    assert len(ahead) == 3
    assert all(one.statement.place.position > theorem.place.position for one in ahead)
    assert not {one.statement.id for one in ahead} & consequences(home.graph, theorem.id).keys()
    assert all(one.probability is None and [why.kind for why in one.reasons] == ["forward"] for one in ahead)
    assert len(workspace.suggest("Every group has an order.", k=5, later=3)) == 5


def test_a_deferred_proof_may_use_what_stands_before_it(workspace):
    theorem = workspace.home.find("thm:sylow-first")
    assert theorem.proofs[0].position > theorem.place.position + 1
    later = [i for i in workspace.suggest(theorem, k=200) if i.statement.place.position > theorem.place.position]
    assert later
    assert all(item.statement.id != theorem.id for item in later)


def test_what_is_cited_is_not_suggested_again(workspace):
    theorem = workspace.home.find("thm:lagrange")
    cited = theorem.proofs[0].references
    assert not {item.statement.id for item in workspace.suggest(theorem, k=100, cited=cited)} & set(cited)


def test_labels_in_a_pasted_proof_count_as_cited(workspace):
    found = workspace.suggest(r"Every coset has as many elements.\begin{proof} By \cref{lem:coset-size,nonsense}", k=20)
    assert found.cited == ("primer:lem:coset-size",)
    assert "primer:lem:coset-size" not in {item.statement.id for item in found}


def test_the_beginning_of_a_proof_changes_what_is_suggested(workspace):
    plain = workspace.suggest("The number of elements.", k=5)
    told = workspace.suggest("The number of elements.", k=5, proof="Take a Cauchy sequence in a complete metric space.")
    assert any("cauchy" in item.statement.label for item in told)
    assert not any("cauchy" in item.statement.label for item in plain)


def test_suggestions_say_why_and_how_sure(workspace):
    found = workspace.suggest(workspace.statement("primer:thm:lagrange"), k=10)
    assert isinstance(workspace.home.suggester, HybridScorer)
    assert all(0 < item.probability < 1 for item in found)
    assert [i.probability for i in found] == sorted((i.probability for i in found), reverse=True)
    assert {reason.kind for item in found for reason in item.reasons} >= {"votes", "words", "place"}
    assert all(item.reasons for item in found)
    index = next(item for item in found if item.statement.label == "def:index")
    assert (index.name, index.title, index.citation) == ("Definition 3.3.4", "Index", r"\cref{def:index}")
    assert index.where.endswith("chapters/groups.tex:336")
    assert index.preview.startswith("Let H be a subgroup of a group G.")
    assert "stated just above" in index.why


def test_reasons_read_well(workspace):
    """They name statements as printed or by title, and show no markup."""
    theorems = list(workspace.home.of_kind("theorem"))[::25]
    said = [line for theorem in theorems for item in workspace.suggest(theorem, k=5) for line in item.why]
    assert len(said) > 100
    assert not [line for line in said if re.search(r"[\\{}*_]|primer:|(lem|thm|def|prop|cor):", line)]
    votes = [line for line in said if "most similar proofs" in line]
    assert votes
    assert all(re.fullmatch(r"cited by \d+ of the \d+ most similar proofs \([^()].*\)", line) for line in votes)


def test_without_lightgbm_a_fusion_suggests(primer, monkeypatch):
    monkeypatch.setattr("naturalproofs.workspace.methods.REQUIRED", ("scipy", "no_such_package"))
    workspace = Workspace.of([primer])
    found = workspace.suggest(workspace.statement("primer:thm:lagrange"), k=10)
    assert isinstance(workspace.home.suggester, PlainSuggester)
    assert "def:index" in [item.statement.label for item in found][:3]
    assert {item.probability for item in found} == {None}
    assert {reason.kind for item in found for reason in item.reasons} == {"words", "place"}


def test_nothing_is_suggested_where_nothing_speaks_for_it(workspace):
    found = workspace.suggest("xyzzy plugh")
    assert (len(found), found.expected, found.enough) == (0, None, None)
    first = workspace.home.statements[0]
    assert len(workspace.suggest(first)) == 0
    assert "<table>" in found._repr_html_()


def test_a_wiki_does_not_suggest_what_rests_on_the_theorem(primer):
    statements = tuple(replace(s, place=None) for s in primer.statements)
    corpus = Corpus("wiki", statements, primer.provenance)
    workspace = Workspace.of([corpus])
    theorem = corpus.by_id["primer:thm:lagrange"]
    found = {item.statement.id for item in workspace.suggest(theorem, k=len(statements))}
    after = {theorem.id, *consequences(workspace.home.graph, theorem.id)}
    assert len(after) > 5
    assert found
    assert not found & after


def test_several_corpora_cite_others_in_words(workspace, primer):
    other = Corpus("other", primer.statements, replace(primer.provenance, title="Another Book"))
    both = Workspace.of([workspace.home, other])
    found = both.suggest("The order of a subgroup divides the order of the group.", k=10)
    assert {item.corpus for item in found} == {"primer", "other"}
    assert all(item.citation.startswith("Another Book, ") == (item.corpus == "other") for item in found)
    only = both.suggest("The order of a subgroup.", k=3, corpora=["other"])
    assert {item.corpus for item in only} == {"other"}


@pytest.mark.parametrize("method", ["bm25", "recency", "fusion(parts=('tfidf', 'recency'), weights=(1.0, 1.0))"])
def test_any_method_suggests(method):
    found = Workspace.open(primer_folder(), method=method).suggest("A finite group of prime order is cyclic.", k=3)
    assert len(found) == 3


def test_python_gives_typed_results_and_a_notebook_shows_them():
    corpus = load_corpus(primer_folder())
    found = Workspace.of([corpus]).suggest(corpus.find("thm:lagrange"), k=3)
    html = found._repr_html_()
    assert html.count("<tr>") == 4
    assert "<math" in html
    evil = replace(found, query="<script>alert(1)</script>")
    assert "<script>" not in evil._repr_html_()


def test_names_that_are_not_there_are_said(workspace):
    with pytest.raises(UnknownName, match="there are: primer"):
        workspace.corpus("stacks")
    with pytest.raises(UnknownName, match="ids look like"):
        workspace.statement("nonsense")
    with pytest.raises(SameName, match="two corpora are called 'primer'"):
        Workspace.open([primer_folder(), primer_folder()])
    with pytest.raises(UnknownName, match="no method is called"):
        Workspace.open([primer_folder()], method="nonsense").suggest("x")


def test_many_threads_get_the_same_answer(primer):
    workspace = Workspace.of([primer])
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: [i.statement.id for i in workspace.suggest("prime order group")], range(32)))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize(
    "name", ["thm:lagrange", "primer:thm:lagrange", "Lagrange", "theorem 3.3.5", "Theorem~3.3.5", "3.3.5"]
)
def test_statements_are_found_by_all_their_names(workspace, name):
    assert workspace.find(name).statement.label == "thm:lagrange"


def test_a_name_that_is_nowhere_is_looked_for_in_every_corpus(workspace, primer):
    both = Workspace.of([workspace.home, replace(primer, name="other")])
    with pytest.raises(UnknownName, match=r"in primer.*in other"):
        both.find("zzzz")


def test_a_search_index_that_is_damaged_is_built_again_during_a_query(primer, tmp_path, caplog):
    store.save(primer, tmp_path / "primer", splits=b"{}")
    first = Workspace.open(tmp_path / "primer").search("group")
    file = Cache.of(tmp_path / "primer").folder / "search" / DATABASE
    data = bytearray(file.read_bytes())
    data[8192:-4096] = bytes(len(data) - 12288)
    file.write_bytes(data)
    assert Workspace.open(tmp_path / "primer").search("group") == first
    assert "built again" in caplog.text
    caplog.clear()
    assert Workspace.open(tmp_path / "primer").search("group") == first
    assert not caplog.text


def test_search_filters_by_corpus(workspace, primer):
    both = Workspace.of([workspace.home, Corpus("other", primer.statements, primer.provenance)])
    found = both.search("cyclic group", k=20)
    assert {twin.corpus for hit in found.items for twin in hit.twins} == {"other"}, "equal statements are one"
    assert dict(found.corpora).keys() == {"primer", "other"}
    assert {hit.corpus for hit in both.search("cyclic group corpus:other", k=20).items} == {"other"}


def test_rendering(workspace):
    lagrange = workspace.find("thm:lagrange").statement
    assert workspace.render(lagrange, "line").startswith("Let H be a subgroup of a finite group G.")
    assert "<math" in workspace.render(lagrange, "html")
    assert workspace.render(r"$x \in \mathbb{R}$") == "x ∈ ℝ"


def test_paths_and_impact(workspace):
    steps = workspace.path("thm:lagrange").steps
    assert steps[-1].id == "primer:thm:lagrange"
    assert "primer:thm:lagrange" not in dict(workspace.impact("thm:lagrange"))
    known = workspace.path("thm:lagrange", known=["def:index"])
    assert known.known == ("primer:def:index",)


def test_refresh_gives_the_same_workspace_until_something_changes(tmp_path):
    main = write_project(tmp_path, r"\begin{lemma}\label{lem:a} One. \end{lemma}")
    first = Workspace.open(main)
    assert first.refresh() is first
    typed = main.read_text().replace("lem:a", "lem:b").encode()
    second = first.refresh({main: typed})
    assert "lem:b" in second.home.anchors
    assert "lem:a" in first.home.anchors
    assert second.refresh({main: typed}) is second
    assert "lem:a" in second.refresh().home.anchors
    # Unsaved text is not written to the cache.
    assert "lem:a" in Workspace.open(main).home.anchors


def test_a_chapter_leads_to_its_root_in_every_verb(tmp_path):
    text = r"\begin{lemma}\label{lem:one} One. \end{lemma}\begin{proof} By \cref{thm:two}. \end{proof}"
    two = r"\begin{theorem}\label{thm:two} Two. \end{theorem}\begin{proof} Clear. \end{proof}"
    write_project(tmp_path, "\\input{one}\n\\input{two}", one=text, two=two)
    workspace = Workspace.open(tmp_path / "one.tex")
    assert [one.rule for one in workspace.check(Selection(notes=True)).findings] == ["forward-reference"]
    assert workspace.find("thm:two").statement.number == "2"
    assert workspace.impact("thm:two") == [("main:lem:one", 1)]


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz", ".tar.xz", ".gz"])
def test_archives_are_opened(tmp_path, suffix):
    text = r"\begin{lemma}\label{lem:a} One. \end{lemma}"
    folder = tmp_path / "paper"
    folder.mkdir()
    main = write_project(folder, text)
    archive = tmp_path / f"paper{suffix}"
    if suffix == ".gz":
        archive.write_bytes(gzip.compress(main.read_bytes()))
    else:
        kind = {".zip": "zip", ".tar.gz": "gztar", ".tar.xz": "xztar"}[suffix]
        shutil.make_archive(str(tmp_path / "paper"), kind, tmp_path, "paper")
    workspace = Workspace.open(archive)
    assert workspace.home.name == "paper"
    assert [one.label for one in workspace.home.statements] == ["lem:a"]


def test_a_pdf_is_refused_in_one_line(tmp_path):
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7\n")
    with pytest.raises(SourceNotFound, match="give its LaTeX source"):
        Workspace.open(tmp_path / "paper.pdf")


def test_states_before_an_edit_are_not_held(tmp_path):
    main = write_project(tmp_path, r"\begin{lemma}\label{lem:a} One. \end{lemma}")
    workspace = Workspace.open(main)
    for number in range(5):
        main.write_text(main.read_text().replace("One", f"One{number}"))
        workspace = workspace.refresh()
    assert workspace.home.before is None


def test_one_method_decides_whether_a_text_is_a_name(tmp_path):
    body = r"\begin{lemma}\label{lem_one} A. \end{lemma} \begin{theorem}\label{thm:x^2} B. \end{theorem}"
    workspace = Workspace.open(write_project(tmp_path, body))
    for name in ("lem_one", " thm:x^2\n"):
        found = workspace.named(name)
        assert found is not None
        assert found.label == name.strip()
    for text in ("x_1", "a^{2}", r"\alpha", "$x$", "two words", "", "x" * 1000):
        assert workspace.named(text) is None
    with pytest.raises(UnknownName, match="lem:two"):
        workspace.named("lem:two")


def test_the_statements_around_one(workspace):
    found = workspace.neighbourhood("thm:lagrange", up=1, down=0)
    labels = ("lem:coset-equivalence", "lem:coset-size", "def:index", "thm:lagrange")
    assert dict(found.distances) == {f"primer:{label}": -1 for label in labels[:3]} | {"primer:thm:lagrange": 0}
    assert ("primer:def:index", found.centre, True) in [(one.source, one.target, one.proof) for one in found.links]
    small = workspace.neighbourhood("thm:lagrange", up=2, down=2, limit=5)
    assert len(small.distances) == 5
    assert {-1, 0, 1} <= set(small.distances.values())
    assert small.left_out > 10


def test_a_path_infers_unless_it_is_told_not_to(workspace):
    inferred, cited = workspace.path("thm:lagrange"), workspace.path("thm:lagrange", inferred=False)
    assert any(step.term for step in inferred.steps)
    assert not any(step.term for step in cited.steps)
    assert {step.id for step in cited.steps} < {step.id for step in inferred.steps}
    assert workspace.path("thm:lagrange", inferred=True) == workspace.path("thm:lagrange", limit=200) == inferred


def test_what_one_of_several_documents_opens_does_not_depend_on_what_was_read_before(tmp_path):
    for name, count in (("one", 1), ("two", 2)):
        lemmas = "".join(f"\\begin{{lemma}}About {name} {at}\\end{{lemma}}" for at in range(count))
        main = "\\documentclass{article}\\newtheorem{lemma}{Lemma}\\begin{document}%s\\end{document}"
        (tmp_path / f"{name}.tex").write_text(main.replace("%s", lemmas), "utf-8")
    alone = len(Workspace.open(tmp_path / "one.tex").home.statements)
    assert len(Workspace.open(tmp_path).home.statements) == 3
    assert len(Workspace.open(tmp_path / "one.tex").home.statements) == alone == 1
