"""Papers that cite papers: edges between statements of two projects, metadata, and filters by them."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("lance", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from naturalproofs.apps.collections.answers import OpenCollection
from naturalproofs.apps.collections.collect import CollectReport, collect
from naturalproofs.apps.collections.papers import About, arxiv_id, entry_names, results
from naturalproofs.apps.collections.read import read_project
from naturalproofs.apps.collections.tables import Collection
from naturalproofs.errors import BadSchema
from naturalproofs.records import BibliographyEntry

PAPERS, STATEMENTS = 50, 6
FORMS = {"theorem": "Theorem", "lemma": "Lemma", "proposition": "Proposition"}
NOUNS = "sheaf lattice module graph operator measure knot curve functor scheme tiling matroid".split()
QUALITIES = "perfect noetherian ergodic planar compact hyperbolic cyclic tame modular finite".split()
SURNAMES = "Ahlborn Björk Čapek Delorme Eriksen Fontana Grünwald Horváth Ibáñez Jansen".split()


class Paper(NamedTuple):
    name: str
    title: str
    author: str
    doi: str
    numbers: list[tuple[str, str]]


def papers() -> list[Paper]:
    """Works with titles that differ; the first two of each ten share one, by authors who differ."""
    chosen = random.Random(7)
    found = []
    for number in range(PAPERS):
        about = number - 1 if number % 10 == 1 else number
        title = f"On {QUALITIES[about % 10]} {NOUNS[about % 12]} theory of rank {about + 2}"
        forms = [chosen.choice(list(FORMS)) for _ in range(STATEMENTS)]
        numbers = [(form, f"{1 + at // 3}.{1 + at % 3}") for at, form in enumerate(forms)]
        name = f"24{1 + number % 12:02}.{number:05}" if number % 3 else f"paper-{number}"
        author = f"{chosen.choice('ABCD')}. {SURNAMES[number % 10]}"
        found.append(Paper(name, title, author, f"10.{4000 + number}/j.{number}" if number % 2 else "", numbers))
    return found


def cited(one: Paper, place: str, key: str, style: int) -> str:
    """A citation, as authors write it."""
    short = place.replace("Theorem", "Thm.").replace("Lemma", "Lem.").replace("Proposition", "Prop.")
    return (
        rf"by \cite[{place}]{{{key}}}", rf"by \cite[{short}~(b)]{{{key}}}".replace("~(b)", "(b)"),
        rf"see {place} of \cite{{{key}}}", rf"see~\cite[see][{place}]{{{key}}}", rf"\cite{{{key}}}, {place}",
        rf"\cite[{place}, p.~12]{{{key}}}",
    )[style]  # fmt: skip


def entry(one: Paper, key: str, style: int) -> tuple[str, str]:
    """An entry of a .bib file, and one that is written as text; some give an id, some the title alone."""
    arxiv, surname = one.name if arxiv_id(one.name) else "", one.author.rpartition(" ")[2]
    bib = f"@article{{{key}, author = {{{surname}, A.}}, title = {{{{{one.title}}}}}, year = 2024"
    text = rf"\bibitem{{{key}}} {one.author}, \emph{{{one.title}}}, J. of Tests 3 (2024), 1--20"
    if style == 0 and arxiv:
        return f"{bib}, eprint = {{{arxiv}}}, archivePrefix = {{arXiv}} }}", f"{text}, arXiv:{arxiv}v1."
    if style == 1 and one.doi:
        return f"{bib}, doi = {{{one.doi}}} }}", rf"{text}, \url{{https://doi.org/{one.doi.upper()}}}."
    return f"{bib} }}", f"{text}."


def write(folder: Path) -> set[tuple[str, str, str]]:
    """Fifty papers, and the edges between them: the citing paper, the cited one, and the number of the statement.

    They also cite works that are not there, numbers that are not there, whole works, sections and pages.
    """
    all_papers, chosen, truth = papers(), random.Random(3), set[tuple[str, str, str]]()
    names = {one.name: f"{one.name}" for one in all_papers}
    for number, one in enumerate(all_papers):
        body, bib, items = [], [], []
        for at, (form, _) in enumerate(one.numbers):
            if at % 3 == 0:
                body.append(rf"\section{{Part {at}}}")
            other = all_papers[chosen.choice([n for n in range(PAPERS) if n != number])]
            key = f"key{at}"
            bib_entry, item = entry(other, key, chosen.randrange(3))
            bib.append(bib_entry)
            items.append(item)
            where, value = chosen.choice(other.numbers)
            text = cited(other, f"{FORMS[where]} {value}", key, chosen.randrange(6))
            if at == 3:
                wrong = next(other_form for other_form in FORMS if other_form != where)
                text = chosen.choice([
                    rf"\cite[Theorem 9.9]{{{key}}}", rf"\cite{{{key}}}", rf"\cite[Section 1.1]{{{key}}}",
                    rf"\cite[{FORMS[wrong]} {value}]{{{key}}}", rf"\cite[p.~2]{{{key}}}",
                ])  # fmt: skip
            elif at == 4:
                text = r"\cite[Theorem 1.1]{away} and \cite[Theorem 1.1]{homonym}"
            else:
                truth.add((one.name, other.name, value))
            proof = rf"\begin{{proof}} This holds {text}. \end{{proof}}"
            statement = f"Every {chosen.choice(QUALITIES)} {chosen.choice(NOUNS)} is number {at} of {number}."
            body.append(
                rf"\begin{{{form}}} {statement} {text if at == 2 else ''} \end{{{form}}} {'' if at == 2 else proof}"
            )
        stranger = f"{all_papers[(number + 5) % PAPERS].title}"
        bib += ["@book{away, author={Zabel, Q.}, title={A book that nobody has collected}}",
                f"@book{{homonym, author={{Zabel, Q.}}, title={{{stranger}}}}}"]  # fmt: skip
        items += [r"\bibitem{away} Q. Zabel, \emph{A book that nobody has collected}, 1999.",
                  rf"\bibitem{{homonym}} Q. Zabel, \emph{{{stranger}}}, 1999."]  # fmt: skip
        place = folder / names[one.name]
        place.mkdir(parents=True)
        listed = "\n".join(items)
        works = rf"\begin{{thebibliography}}{{9}}{listed}\end{{thebibliography}}"
        if number % 2:
            (place / "refs.bib").write_text("\n".join(bib))
            works = r"\bibliography{refs}"
        declared = "".join(rf"\newtheorem{{{form}}}[theorem]{{{FORMS[form]}}}" for form in list(FORMS)[1:])
        (place / "main.tex").write_text(
            rf"\documentclass{{amsart}}\newtheorem{{theorem}}{{Theorem}}[section]{declared}" + "\n"
            rf"\title{{{one.title}}}\author{{{one.author}}}\date{{May {2000 + number % 20}}}"
            rf"\subjclass[2020]{{{number:02}A15}}"
            + "\n" + rf"\begin{{document}}\maketitle {' '.join(body)} {works}\end{{document}}"
        )  # fmt: skip
    sidecar = ({"id": one.name, "doi": one.doi, "authors": one.author, "title": one.title,
                "categories": "math.AG math.NT", "versions": [{"created": "Mon, 1 Jan 2024 00:00:00 GMT"}],
                "license": "http://creativecommons.org/licenses/by/4.0/"} for one in all_papers if one.doi)  # fmt: skip
    (folder.parent / "about.jsonl").write_text("".join(json.dumps(row) + "\n" for row in sidecar))
    return truth


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("papers")


@pytest.fixture(scope="module")
def truth(folder: Path) -> set[tuple[str, str, str]]:
    return write(folder / "papers")


@pytest.fixture(scope="module")
def report(folder: Path, truth: object) -> CollectReport:
    return collected(folder, folder / "papers", about=folder / "about.jsonl")


def collected(folder: Path, *sources: Path, about: Path | None = None) -> CollectReport:
    return collect(sources, folder / "c", lambda tasks: map(read_project, tasks), about=about)


def edges(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Citing and cited project, and the number of the cited statement."""
    collection = Collection.open(folder / "c")
    table = collection.table("statements").to_table()
    numbers = dict(zip(table["id"].to_pylist(), table["number"].to_pylist(), strict=True))
    for row in collection.table("links").to_table().to_pylist():
        yield row["project"], row["cited"].partition(":")[0], numbers[row["cited"]]


def test_edges_between_fifty_papers(folder: Path, truth: set[tuple[str, str, str]], report: CollectReport) -> None:
    assert report.failed == 0
    assert report.read == PAPERS
    found = set(edges(folder))
    assert found <= truth, sorted(found - truth)[:5]
    assert len(found) >= 0.9 * len(truth), (len(found), len(truth), sorted(truth - found)[:5])
    origins = Collection.open(folder / "c").table("links").to_table()["origin"].to_pylist()
    assert set(origins) == {"arxiv", "doi", "title"}


def test_nothing_is_read_again(folder: Path, report: CollectReport) -> None:
    assert collected(folder, folder / "papers", about=folder / "about.jsonl").unchanged == PAPERS


def test_filters_by_what_is_known_of_works(folder: Path, report: CollectReport) -> None:
    opened = OpenCollection.open(str(folder / "c"))
    works = {one.name: one for one in papers()}
    rows = opened.collection.table("projects").to_table().to_pylist()
    queries = ("author:bjork", 'author:"B. Horváth"', "year:2024", "year:2006", "subject:math.NT", "subject:math",
               "subject:04", "licence:by", "author:nobody", "project:paper-0")  # fmt: skip
    found = {query: search(opened, query) for query in queries}
    assert found["author:bjork"] == {name for name, one in works.items() if "Björk" in one.author}
    assert found['author:"B. Horváth"'] == {name for name, one in works.items() if one.author == "B. Horváth"}
    licensed = {row["name"] for row in rows if row["licence"]}
    assert found["year:2024"] == found["subject:math"] == found["licence:by"] == licensed
    assert found["subject:math.NT"] == found["subject:math"]
    assert found["year:2006"] == {name for at, name in enumerate(works) if at % 20 == 6}
    assert found["subject:04"] == {list(works)[4]}
    assert found["author:nobody"] == set()
    assert found["project:paper-0"] == {"paper-0"}
    narrowed = opened.search("year:2006 sheaf", k=300)
    assert {hit.corpus for hit in narrowed.items} <= found["year:2006"]


def search(opened: OpenCollection, query: str) -> set[str]:
    """The projects in which something is found; every one of their statements is counted."""
    answer = opened.search(query, k=PAPERS * STATEMENTS)
    projects = {hit.corpus for hit in answer.items}
    assert answer.total == STATEMENTS * len(projects)
    return projects


def test_what_a_file_says_of_works(tmp_path: Path) -> None:
    paper = tmp_path / "math0309136v2"
    paper.mkdir()
    text = r"\newtheorem{lemma}{Lemma}\begin{lemma} Trees are planar. \end{lemma}"
    (paper / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    about = tmp_path / "about.jsonl"
    row = {"id": "math/0309136", "authors": "C. Manolescu, E. Björk and J. Roe", "update_date": "2004-05-01"}
    about.write_text(json.dumps({"id": "other"}) + "\n\n" + json.dumps(row) + "\n")
    assert collected(tmp_path, paper).read == 1
    assert collected(tmp_path, paper, about=about).read == 1
    assert collected(tmp_path, paper, about=about).unchanged == 1
    (known,) = Collection.open(tmp_path / "c").table("projects").to_table().to_pylist()
    assert known["authors"] == ["C. Manolescu", "E. Björk", "J. Roe"]
    assert (known["year"], known["ids"]) == ("2004", ["arxiv:math/0309136v2"])
    about.write_text("[1]\n")
    with pytest.raises(BadSchema, match=r"about.jsonl:1: not a JSON object"):
        collected(tmp_path, paper, about=about)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("Theorem 3.1(b)", [("theorem", "3.1")]),
        ("Lemmas 2 and 3, p. 7", [("lemma", "2"), ("lemma", "3")]),
        ("Theorem A", [("theorem", "A")]),
        ("Theorem 3'", []),
        ("Theorem 3a", []),
        ("Chapter 2, Theorem 3", []),
        ("p. 12", []),
        ("Theorem 1 and Corollary 2.5", [("theorem", "1"), ("corollary", "2.5")]),
    ],
)
def test_numbered_results(place: str, expected: list[tuple[str, str]]) -> None:
    assert list(results(place)) == expected


def test_names_of_entries() -> None:
    text = "J.-P. Serre, Corps locaux, Hermann 1962, arXiv:math.NT/0309136v2, doi:10.1000/X.y(1)2."
    names = entry_names(BibliographyEntry("s", text=text))
    assert names[:2] == ["arxiv:math/0309136v2", "doi:10.1000/x.y(1)2"]
    assert "title:corps locaux" in names
    assert entry_names(BibliographyEntry("s", title="Étale Cohomology")) == ["title:etale cohomology"]
    assert About(subjects=("math.AG", "14A15")).facets() == {
        "subject:math.ag", "subject:math", "subject:14a15", "subject:14",
    }  # fmt: skip


def test_copies_and_versions_of_a_cited_work(tmp_path: Path) -> None:
    """The newest version is cited unless another is asked for; a title that two works share means neither."""

    def paper(name: str, about: str, lemma: str, end: str = "") -> Path:
        folder = tmp_path / "papers" / name
        folder.mkdir(parents=True)
        text = rf"\newtheorem{{lemma}}{{Lemma}}{about}\begin{{document}}\begin{{lemma}}{lemma}\end{{lemma}}{end}"
        (folder / "a.tex").write_text(rf"\documentclass{{article}}{text}\end{{document}}")
        return folder

    items = (("a", "arXiv:2401.00001"), ("b", "arXiv:2401.00001v1"), ("c", "E. Roe, Five words make a title, 2000"))
    works = "".join(rf"\bibitem{{{key}}} {text}." for key, text in items)
    cites = "".join(rf"\cite[Lemma 1]{{{key}}} " for key, _ in items)
    paper("citing", "", rf"By {cites}.", rf"\begin{{thebibliography}}{{9}}{works}\end{{thebibliography}}")
    for version in (1, 2):
        paper(f"2401.00001v{version}", "", f"Version {version} of a claim.")
    for name in ("d", "e"):
        paper(name, rf"\title{{Five words make a title}}\author{{E. Roe \and {name} Doe}}", f"Text of {name}.")
    collected(tmp_path, tmp_path / "papers")
    cited = Collection.open(tmp_path / "c").table("links").to_table()["cited"].to_pylist()
    assert sorted(one.partition(":")[0] for one in cited) == ["2401.00001v1", "2401.00001v2"]


def test_pages(folder: Path, report: CollectReport) -> None:
    from fastapi.testclient import TestClient

    from naturalproofs.apps.web.collection_app import LiveCollection, create_collection_app

    opened = OpenCollection.open(str(folder / "c"))
    client = TestClient(create_collection_app(LiveCollection(opened)), raise_server_exceptions=False)
    link = opened.collection.table("links").to_table().to_pylist()[0]
    citing, cited = link["citing"], link["cited"]
    found = client.get(f"/api/v1/statements/{cited}").json()
    assert found["used_elsewhere"][citing] == link["origin"]
    assert client.get(f"/api/v1/statements/{citing}").json()["uses_elsewhere"][cited] == link["origin"]
    page = client.get(f"/statement/{cited}").text
    assert "Used by other papers" in page
    assert f'href="/statement/{citing}"' in page
    work = client.get(f"/works/{link['project']}")
    assert f'href="/works/{cited.partition(":")[0]}"' in work.text
    assert f'href="/statement/{citing}"' in work.text
    drawn = client.get(f"/graph/{cited}")
    assert drawn.status_code == 200
    assert "script-src" in drawn.headers["content-security-policy"]
    around = opened.around(cited)
    assert citing in around.by_id
    assert around.by_id[cited].id in [one for proof in around.by_id[citing].proofs for one in proof.references]
    # Works are the chapters of the drawing, and a link between works makes no further proof.
    work_of = {one.id: one.place.chapter for one in around.statements if one.place}
    assert work_of[cited] != work_of[citing]
    assert len(around.by_id[citing].proofs) == max(1, len(opened.find(citing).proofs))
    assert opened.titles([link["project"]])[link["project"]] in drawn.text
    searched = client.get("/", params={"q": "every sheaf"}).text
    assert 'href="/statement/' in searched
    assert 'href="/works/' in searched
    assert client.get("/works/none").status_code == 404
    assert client.get("/static/style.css").status_code == 200
