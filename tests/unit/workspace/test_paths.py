"""Reading paths: orders in which everything comes after what it rests on."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.graph import ReferenceGraph, consequences, prerequisites
from naturalproofs.errors import UnknownName
from naturalproofs.records import Mention, Place, Proof, Statement
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.paths import impact, impact_by_chapter, known_statements, reading_path
from naturalproofs.workspace.terms import TermUses, phrases_of
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
    found, names = path_of(CHAIN, "e", limit=3)
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
    assert "  [inferred: bijective]\n" in out
    code, out, _ = call("path", primer_folder(), "thm:lagrange", "--known", "def:group", "--cited-only")
    assert out.strip().split("\n")[-4].endswith("← 12, 13, 14")
    assert "Known already:\n  Definition 3.1.1 (Group)" in out
    code, out, _ = call("impact", primer_folder(), "thm:cauchy")
    assert code == 0
    assert "statements rest on Theorem 3.6.15 (Cauchy)" in out
    assert "of     83  Groups" in call("impact", primer_folder(), "def:group")[1]
    assert "more are further away; --all lists them" in call("impact", primer_folder(), "def:group")[1]
    assert "--all" not in call("impact", primer_folder(), "def:group", "--all")[1]
    assert call("path", primer_folder(), "thm:nothing")[0] == 1


def written(*texts: str, titles: tuple[str, ...] = (), kind: str = "definition") -> Corpus:
    """A book of definitions and, last, a theorem."""
    statements = []
    for at, text in enumerate(texts):
        last = at == len(texts) - 1
        place = Place("c", "One" if at < 3 else "Two", "", at)
        statements.append(
            Statement(f"c:s{at}", "theorem" if last else kind, f"s{at}", "", (text,), number=f"1.{at + 1}", place=place)
        )
    return Corpus("c", tuple(statements), Provenance("test", "fixed"))


CONTINUOUS = r"We say that $f$ is {\it continuous at $x_0$\/} if its limit is its value."
UNIFORMLY = r"A function is \emph{uniformly continuous} on $S$ if one $\delta$ is enough."


def inferred(corpus: Corpus, target: str) -> list[tuple[str, str]]:
    found = reading_path(corpus, ReferenceGraph.of(corpus), target, inferred=TermUses(corpus))
    return [(step.id, step.term) for step in found.steps]


def test_definitions_of_used_terms_are_inferred_by_the_longest_phrase() -> None:
    corpus = written(CONTINUOUS, UNIFORMLY, "If $f$ is continuous on $[a,b]$ then it takes every value.")
    assert phrases_of(corpus.statements[0]) == {("continuous",)}
    assert inferred(corpus, "c:s2") == [("c:s0", "continuous"), ("c:s2", "")]
    corpus = written(CONTINUOUS, UNIFORMLY, "Every function on $[a,b]$ that is uniformly continuous is bounded.")
    assert inferred(corpus, "c:s2") == [("c:s1", "uniformly continuous"), ("c:s2", "")]


def test_ordinary_words_and_later_definitions_are_not_inferred() -> None:
    uses = [f"Axiom {n}: every continuous function has a value." for n in range(3)]
    assert inferred(written(*uses, CONTINUOUS, "Let $f$ be continuous."), "c:s4") == [("c:s4", "")]
    later = written("Some text.", "Let $f$ be continuous.", CONTINUOUS)
    assert inferred(later, "c:s1") == [("c:s1", "")]


def test_a_term_with_several_meanings_has_that_of_its_chapter() -> None:
    one, two = r"A map is \emph{regular} if it is nice.", r"A ring is \emph{regular} if it is small."
    corpus = written(one, "Text.", "Text.", two, "Every regular ring is a domain.")
    assert inferred(corpus, "c:s4") == [("c:s3", "regular"), ("c:s4", "")]
    corpus = written(one, two, "Text.", "Every regular ring is a domain.")
    assert inferred(corpus, "c:s3") == [("c:s3", "")]


def test_theorems_that_a_proof_names_are_inferred() -> None:
    zorn = Statement("c:zorn", "theorem", "zorn", "Zorn's lemma", ("…",), form="lemma", place=Place("c", "", "", 0))
    proof = Proof(("By Zorn's lemma there is a maximal one.",))
    ideal = Statement("c:max", "theorem", "max", "", ("…",), proofs=(proof,), place=Place("c", "", "", 1))
    corpus = Corpus("c", (zorn, ideal), Provenance("test", "fixed"))
    assert inferred(corpus, "c:max") == [("c:zorn", "zorn lemma"), ("c:max", "")]


def test_what_is_known_stops_inferred_prerequisites_too() -> None:
    corpus = written(CONTINUOUS, UNIFORMLY, "If $f$ is continuous then it is bounded.")
    found = reading_path(corpus, ReferenceGraph.of(corpus), "c:s2", known=["c:s0"], inferred=TermUses(corpus))
    assert [step.id for step in found.steps] == ["c:s2"]
    assert found.known == ("c:s0",)


def test_several_targets_share_one_path() -> None:
    corpus = corpus_of(CHAIN)
    found = reading_path(corpus, ReferenceGraph.of(corpus), ["c:d", "c:b"])
    assert [step.id for step in found.steps] == ["c:z", "c:a", "c:b", "c:d"]
    assert found.targets == ("c:d", "c:b")


def test_proofs_that_cite_nothing_are_counted() -> None:
    found, _ = path_of(CHAIN, "e")
    assert (found.proofs, found.silent, found.cites_little) == (6, 2, True)
    assert not path_of({"a": "b", "b": "c", "c": "d", "d": "e", "e": ""}, "a")[0].cites_little


def test_known_by_statement_number_chapter_and_section(primer: Corpus) -> None:
    assert known_statements(primer, ["def:group", "Definition 3.1.1"]) == ["primer:def:group"]
    groups = known_statements(primer, ["chapter Groups"])
    assert len(groups) == 83
    assert known_statements(primer, ["Groups"]) == known_statements(primer, ["Chapter 3"]) == groups
    section = known_statements(primer, ["Section 3.3"])
    assert set(section) < set(groups)
    assert section == known_statements(primer, ["section: Cosets and Lagrange's theorem"])
    with pytest.raises(UnknownName, match="no chapter or section is called 'Nonsense' in primer; there are: Sets and"):
        known_statements(primer, ["chapter Nonsense"])
    with pytest.raises(UnknownName, match="no statement is called 'Nonsense'"):
        known_statements(primer, ["Nonsense"])


def test_impact_is_counted_by_chapter(primer: Corpus) -> None:
    workspace = Workspace.of([primer])
    found = workspace.impact("def:group")
    chapters = impact_by_chapter(primer, found)
    assert sum(one.statements for one in chapters) == len(found)
    groups = next(one for one in chapters if one.chapter == "Groups")
    assert (groups.total, groups.nearest) == (83, 1)


PROSE = r"""\documentclass{article}\newtheorem{theorem}{Theorem}\newtheorem{corollary}{Corollary}\begin{document}
\begin{theorem}[Rolle's theorem]\label{rolle} First.\end{theorem}
\begin{theorem}[Mean value theorem]\label{mean} Second.\end{theorem}
The theorem follows from \hyperref[rolle]{Rolle's theorem} by subtracting a line.
\begin{proof}Subtract.\end{proof}
An immediate consequence of the mean value theorem is the next one. It is used often.
\begin{corollary}\label{far} Third.\end{corollary}
An important corollary of this theorem:
\begin{corollary}\label{near} Fourth.\end{corollary}
This does not follow from the mean value theorem.
\begin{theorem}\label{apart} Fifth.\end{theorem}
We now turn to Rolle's theorem. Compare with \ref{rolle}.
\begin{theorem}\label{cites} Sixth.\end{theorem}
This follows from Theorem~\ref{mean}.
\begin{proof}By Theorem~\ref{mean}.\end{proof}
\end{document}
"""


def test_what_the_text_between_statements_says_is_a_prerequisite_and_no_citation(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(PROSE)
    opened = Workspace.open([tmp_path], cache=False).home
    found = {
        (opened.by_id[user].label, opened.by_id[used].label): reason.text
        for user, reasons in opened.term_uses.prose.items()
        for used, reason in reasons.items()
    }
    assert found == {
        ("mean", "rolle"): "The theorem follows from Rolle’s theorem by subtracting a line.",
        ("near", "far"): "An important corollary of this theorem:",
    }
    path = reading_path(opened, opened.graph, opened.labelled("mean").id, inferred=opened.term_uses)
    assert [(step.id.rpartition(":")[2], step.origin) for step in path.steps] == [("rolle", "prose"), ("mean", "")]
    assert path.steps[0].inferred.startswith("the text says: The theorem follows")
    assert opened.graph.uses.get(opened.labelled("mean").id, ()) == ()
    assert all(not proof.references for proof in opened.labelled("mean").proofs)
