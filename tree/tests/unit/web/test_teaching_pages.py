"""Reading paths, consequences, exercises and courses as the server makes them, without scripts."""

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from naturalproofs import load_corpus
from naturalproofs.apps.web.app import create_app
from naturalproofs.data import primer_folder
from support.web_server import EVIL, evil_site, primer_site

LAGRANGE = "/path/primer:thm:lagrange"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(primer_site()), raise_server_exceptions=False) as made:
        yield made


def test_a_path_lists_cited_and_inferred_prerequisites(client: TestClient) -> None:
    page = client.get(LAGRANGE).text
    assert "22 statements, in an order" in page
    assert "inferred: bijective" in page
    assert 'name="known" value="primer:def:group"' in page
    assert 'value="chapter Groups"' in page


def test_what_is_known_is_left_out_and_can_be_taken_back(client: TestClient) -> None:
    known = ["primer:def:group", "chapter Sets and maps", "Definition 3.3.4", "no such thing"]
    page = client.post(LAGRANGE, data={"known": known}).text
    assert 'value="primer:def:group" checked' in page
    assert "chapter Sets and maps: 77 statements" in page
    assert "Nothing is called “no such thing” here." in page
    part = client.post(LAGRANGE, data={"known": known, "cited": "1"}, headers={"X-Part": "1"}).text
    assert not part.startswith("<!doctype")
    assert "inferred" not in part


def test_a_statement_leads_to_its_pages(client: TestClient) -> None:
    page = client.get("/statement/primer:thm:lagrange").text
    for name in ("path", "impact", "exercise"):
        assert f'href="/{name}/primer:thm:lagrange"' in page
    assert "/exercise/" not in client.get("/statement/primer:def:group").text


def test_impact_is_summarised_by_chapter(client: TestClient) -> None:
    page = client.get("/impact/primer:def:group").text
    assert re.search(r"Groups</a></th><td>\d+</td><td>83</td><td>1 step</td>", page)
    assert "more are further away" in page


@pytest.mark.parametrize("form", ["choose", "blanks", "order"])
def test_an_exercise_is_graded(client: TestClient, form: str) -> None:
    address = "/exercise/primer:thm:lagrange"
    page = client.get(address, params={"form": form, "seed": 1}).text
    assert "Check my answer" in page
    assert "Hint 1" in page
    assert "All right" not in page
    letters = re.findall(r"<li>(?:<label>.*?</label>|<b>)?.*?<b>([A-Z])</b>", page)
    wrong = client.get(address, params={"form": form, "seed": 1, "answer": letters[:1]}).text
    assert 'id="grade"' in wrong
    assert client.get(address, params={"form": form, "answer": ["ZZ"]}).status_code == 422


def test_an_exercise_needs_a_proof_that_cites(client: TestClient) -> None:
    answer = client.get("/exercise/primer:def:group")
    assert answer.status_code == 422
    assert "no proof that cites a statement" in answer.text
    single = next(
        one for one in load_corpus(primer_folder()).statements if one.proofs and len({*one.proofs[0].references}) == 1
    )
    answer = client.get(f"/exercise/{single.id}", params={"form": "order"})
    assert (answer.status_code, "nothing to order" in answer.text) == (422, True)
    assert client.get("/exercise/primer:none").status_code == 404


def test_a_course_is_a_list_and_two_files(client: TestClient) -> None:
    assert "<textarea" in client.get("/course").text
    chosen = {"names": "thm:lagrange\nTheorem 3.6.15", "known": "chapter Sets and maps", "proofs": "1"}
    page = client.get("/course", params=chosen).text
    assert "Texts as one page" in page
    assert "/sheet?names=thm%3Alagrange" in page
    whole = client.get("/course", params=chosen | {"format": "html"})
    assert whole.headers["content-disposition"] == 'attachment; filename="course.html"'
    assert "<math" in whole.text
    assert "<link" not in whole.text
    assert 'url("' not in whole.text
    assert 'href="#r1"' in whole.text
    markdown = client.get("/course", params=chosen | {"format": "markdown"}).text
    assert markdown.startswith("# Reading for Theorem 3.3.5 (Lagrange) and 1 more")
    assert "*Proof.*" in markdown
    assert "*Proof.*" not in client.get("/course", params={"names": "thm:lagrange", "format": "markdown"}).text
    wrong = client.get("/course", params={"names": "thm:lagrnge"})
    assert "perhaps thm:lagrange" in wrong.text


def test_sheets(client: TestClient) -> None:
    chosen = {"names": ["thm:lagrange", "def:group"], "form": "blanks"}
    page = client.get("/sheet", params=chosen).text
    assert "primer:def:group has no proof that cites a statement" in page
    assert 'class="blank"' in page
    assert "Answer:" not in page
    latex = client.get("/sheet", params=chosen | {"format": "latex"}).text
    assert r"\begin{document}" in latex
    assert client.get("/sheet", params=chosen | {"format": "markdown"}).text.startswith("## 1. Theorem 3.3.5")
    assert client.get("/sheet", params={"names": "def:group", "format": "latex"}).status_code == 422


def test_markup_in_a_corpus_stays_text() -> None:
    with TestClient(create_app(evil_site()), raise_server_exceptions=False) as client:
        corpus = evil_site().workspace.home
        for statement in corpus.statements:
            for page in ("path", "impact", "exercise"):
                answer = client.get(f"/{page}/{statement.id}")
                assert answer.status_code in (200, 422)
                assert "<script>alert" not in answer.text
                assert "<img" not in answer.text
            text = client.get("/course", params={"names": statement.id, "format": "html"}).text
            assert "<script>alert" not in text
            assert EVIL not in text
