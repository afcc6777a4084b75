"""Articles of PlanetMath: kinds, proofs and their parents, names, classes and links."""

from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build, load_corpus
from naturalproofs.errors import NaturalProofsError
from naturalproofs.records import Statement
from naturalproofs.sources.planetmath import PLANETMATH
from naturalproofs.sources.registry import detect_source
from naturalproofs.tasks.protocols import stated_citations


def article(name: str, type_: str, title: str, text: str, *fields: str, number: int = 1) -> str:
    head = [
        r"\documentclass[12pt]{article}\usepackage{pmmeta}",
        rf"\pmcanonicalname{{{name}}}",
        rf"\pmtitle{{{title}}}",
        rf"\pmrecord{{3}}{{{30_000 + number}}}",
        rf"\pmtype{{{type_}}}",
        r"\pmclassification{msc}{20A05}",
        *fields,
        r"\endmetadata",
        r"\newtheorem{thm}{Theorem}\newtheorem{defn}{Definition}",
        r"\begin{document}",
    ]
    return "\n".join([*head, text, r"\end{document}", ""])


def read(folder: Path, *articles: str) -> Corpus:
    for number, text in enumerate(articles):
        (folder / f"{number:02}.tex").write_text(text, encoding="utf-8")
    return build(PLANETMATH, folder, name="pm")


GROUP = article(
    "Group",
    "Definition",
    "group",
    "A group is a monoid with inverses; see \\PMlinkname{its order}{OrderOfAGroup}.\n\n"
    "\\begin{thm}\\label{one} The unit is unique.\\end{thm}\n"
    "\\begin{proof}$e = ee' = e'$ by \\PMlinkid{this}{7}.\\end{proof}",
    r"\pmsynonym{grp}{Group}",
    r"\pmdefines{inverse element}",
    r"\pmrelated{Monoid}",
)
LAGRANGE = article(
    "LagrangesTheorem",
    "Theorem",
    "Lagrange's theorem",
    "Let $H$ be a subgroup.\n\\begin{thm}$|H|$ divides $|G|$.\\end{thm}\nIt is useful.",
    number=7,
)
PROOF = article(
    "ProofOfLagrangesTheorem2",
    "Proof",
    "proof of Lagrange's theorem using cosets",
    "Cosets of a \\PMlinkto{group}{group} are equal in size.\n"
    "\\begin{thebibliography}{9}\\bibitem{x} No.\\end{thebibliography}",
)


def names(corpus: Corpus) -> list[tuple[str, str, str]]:
    return [(one.label, one.kind, one.form) for one in corpus.statements]


def references(statement: Statement) -> list[str]:
    return [one.reference or "" for proof in statement.proofs for one in proof.mentions]


def test_articles_are_statements_and_environments_in_them_too(tmp_path: Path) -> None:
    corpus = read(tmp_path, GROUP, LAGRANGE)
    assert names(corpus) == [
        ("Group", "definition", "definition"),
        ("one", "theorem", "theorem"),
        ("LagrangesTheorem", "theorem", "theorem"),
    ]
    assert corpus.find("LagrangesTheorem").lines == ("Let $H$ be a subgroup.", "$|H|$ divides $|G|$.", "It is useful.")
    assert corpus.find("Group").categories == ("20A05",)
    assert corpus.find("Group").origin is not None
    assert references(corpus.find("one")) == ["pm:LagrangesTheorem"]  # By the number that the article had before.


def test_an_article_is_found_by_its_other_names(tmp_path: Path) -> None:
    corpus = read(tmp_path, GROUP)
    assert {corpus.find(name).label for name in ("group", "grp", "inverse element", "30001")} == {"Group"}


def test_a_proof_belongs_to_the_article_that_it_names(tmp_path: Path) -> None:
    corpus = read(tmp_path, GROUP, LAGRANGE, PROOF)
    theorem = corpus.find("LagrangesTheorem")
    assert [proof.lines for proof in theorem.proofs] == [("Cosets of a \\hyperref[group]{group} are equal in size.",)]
    assert references(theorem) == ["pm:Group"]
    assert theorem.proofs[0].mentions[0].line == PROOF.split("\\PMlinkto")[0].count("\n") + 1
    assert "1 prove another one" in corpus.summary


@pytest.mark.parametrize(
    ("title", "proof"),
    [
        (r"Erd\H{o}s's theorem", r"proof of Erd\"os theorem"),
        ("inequalities for differences", "proof of the inequality for difference"),
        ("sines law", "sines law proof"),
        ("sines law", "sines law (geometric proof)"),
        ("Euler-Fermat theorem", "proof of Euler-Fermat theorem using Lagrange's theorem"),
        ("Darboux's theorem (analysis)", "proof of Darboux's theorem"),
        ("Borel-Cantelli lemma", "proof of Borel-Cantelli 1"),
        ("equivalent form of Baire category theorem", "proof for one equivalent form of Baire category theorem"),
    ],
)
def test_a_proof_may_name_its_theorem_in_other_words(tmp_path: Path, title: str, proof: str) -> None:
    corpus = read(tmp_path, article("It", "Theorem", title, "So."), article("P", "Proof", proof, "Clear."))
    assert [one.text for one in corpus.find("It").proofs] == ["Clear."]


@pytest.mark.parametrize(
    ("title", "proof"),
    [
        ("Liouville's theorem", "proof of extended Liouville's theorem"),
        ("absolute convergence theorem", "proof of Abel's convergence theorem"),
        ("monotone functions and their limits", "proof of monotone convergence in general spaces"),
    ],
)
def test_a_proof_of_another_theorem_is_not_attached(tmp_path: Path, title: str, proof: str) -> None:
    corpus = read(tmp_path, article("It", "Theorem", title, "So."), article("P", "Proof", proof, "Clear."))
    assert not corpus.find("It").proofs


def test_a_parent_that_is_given_counts_first_and_a_loop_ends(tmp_path: Path) -> None:
    own = article("Why", "Proof", "why it is so", "Clear.", r"\pmparent{LagrangesTheorem}")
    loop = article("A", "Proof", "proof of B", "So.", r"\pmparent{B}")
    other = article("B", "Proof", "proof of A", "So.", r"\pmparent{A}")
    corpus = read(tmp_path, LAGRANGE, own, loop, other)
    assert [proof.text for proof in corpus.find("LagrangesTheorem").proofs] == ["Clear."]
    assert ("A", "other", "proof") in names(corpus)


def test_a_proof_without_an_article_is_kept_and_named(tmp_path: Path) -> None:
    absent = article("ProofOfSumRule", "Proof", "proof of sum rule", "Add.")
    claim = article("MetricSpacesAreHausdorff", "Proof", "metric spaces are Hausdorff", "Take balls.")
    corpus = read(tmp_path, absent, claim)
    assert names(corpus) == [
        ("ProofOfSumRule", "other", "proof"),
        ("MetricSpacesAreHausdorff", "theorem", "theorem"),
    ]
    stated = corpus.find("MetricSpacesAreHausdorff")
    assert (stated.text, stated.proofs[0].text) == ("metric spaces are Hausdorff", "Take balls.")
    assert [one.path for one in corpus.diagnostics if one.rule == "proof-without-statement"] == ["00.tex"]


def test_links_are_resolved_or_have_a_reason(tmp_path: Path) -> None:
    links = (
        r"\PMlinkname{a}{lagrangestheorem} \PMlinkname{b}{LagrangesTheorem#Thm1} \PMlinkescapeword{group} "
        r"\htmladdnormallink{c}{http://planetmath.org/encyclopedia/LagrangesTheorem.html} "
        r"\PMlinkexternal{d}{http://example.org/x} \PMlinkname{e}{NotHere}"
    )
    corpus = read(tmp_path, LAGRANGE, article("Links", "Topic", "links", links, r"\pmrelated{LagrangesTheorem}"))
    topic = corpus.find("Links")
    assert [(one.reference, one.origin) for one in topic.mentions] == [
        *[("pm:LagrangesTheorem", "reference")] * 3,
        (None, "reference"),
        ("pm:LagrangesTheorem", "related"),
    ]
    assert [(one.target, one.reason) for one in corpus.unresolved] == [("NotHere", "external")]
    assert "\\href{http://example.org/x}{d}" in topic.text
    # What an article lists as related is no part of what its text cites.
    assert len(stated_citations(topic)) == 3


def test_a_folder_is_opened_without_saying_what_it_is(tmp_path: Path) -> None:
    read(tmp_path, GROUP)
    assert detect_source(tmp_path) == "planetmath"
    assert load_corpus(tmp_path).provenance.source == "planetmath"


def test_other_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "zz.tex").write_text("Nothing.")
    corpus = read(tmp_path, GROUP)
    assert [(one.path, one.rule) for one in corpus.diagnostics] == [("zz.tex", "not-an-article")]
    with pytest.raises(NaturalProofsError, match="no article of PlanetMath"):
        build(PLANETMATH, tmp_path / "zz.tex", name="x")


@pytest.mark.parametrize(
    "text",
    ["\\PMlinkname{" * 5_000, "\\PMlinkname{a}{" * 5_000, "\\begin{thebibliography}" * 5_000, "\\begin{proof}" * 2_000,
     "\\PMlinkname{a}{" + "#" * 9_000 + "}", "{" * 20_000,
     "\\PMlinkexternal{a}{http://planetmath.org/?" + "a=b&" * 5_000],
)  # fmt: skip
def test_hostile_input_is_read_without_a_traceback(tmp_path: Path, text: str) -> None:
    titles = "proof of " * 3_000
    corpus = read(tmp_path, GROUP, article("Bad", "Proof", titles, text, r"\pmrelated{" + "x" * 9_000 + "}"))
    assert corpus.find("Group")
