"""The pages as the server makes them: all of it works without scripts."""

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from naturalproofs.apps.report.graph_page import GraphPage
from naturalproofs.apps.web.app import create_app
from naturalproofs.apps.web.render import _wiki_links
from naturalproofs.apps.web.site import Site
from naturalproofs.data import primer_folder
from naturalproofs.workspace import Workspace
from support.web_server import EVIL, evil_site, primer_site


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(primer_site()), raise_server_exceptions=False) as made:
        yield made


def test_home_searches(client: TestClient) -> None:
    page = client.get("/", params={"q": "compact"}).text
    assert "<mark>Compact</mark>" in page
    assert 'href="/statement/primer:def:compact"' in page
    assert client.get("/", params={"q": "compact"}, headers={"X-Part": "1"}).text.startswith("<div")


def test_home_welcomes_and_says_when_nothing_is_found(client: TestClient) -> None:
    assert "Writing a proof?" in client.get("/").text
    assert "Nothing was found." in client.get("/", params={"q": "zzzzqqqq"}).text


def test_a_statement_page_has_all_parts(client: TestClient) -> None:
    page = client.get("/statement/primer:thm:lagrange").text
    for part in ("<math", "Rests on", "Used by", "<details", 'class="stage"', "To read first", "MIT", "groups.tex:341"):
        assert part in page
    assert 'href="/statement/primer:lem:coset-size"' in page


def test_references_in_proofs_are_links(client: TestClient) -> None:
    page = client.get("/statement/primer:thm:lagrange").text
    shown = re.search(r'<a href="/statement/primer:def:index" data-preview="([^"]+)">Definition 3.3.4</a>', page)
    assert shown is not None
    assert "<i>Index</i>" in client.get(shown[1]).text
    assert client.get("/corpus/primer/preview/99999").status_code == 404


def test_ask_works_without_scripts(client: TestClient) -> None:
    text = "Every subgroup of a cyclic group is cyclic."
    page = client.post("/ask", data={"text": text, "k": "3"}).text
    assert page.count('name="picked"') == 3
    picked = client.post("/ask", data={"text": text, "picked": "primer:prop:subgroup-cyclic"}).text
    assert "\\cref{prop:subgroup-cyclic}</textarea>" in picked


def test_ask_about_a_statement(client: TestClient) -> None:
    page = client.get("/ask", params={"statement": "primer:thm:lagrange"}).text
    assert "only what may be used there is suggested" in page
    assert "primer:lem:coset-size" in page


def test_corpora_chapters_and_results(client: TestClient) -> None:
    assert "A Primer" in client.get("/corpora").text
    page = client.get("/corpus/primer").text
    for part in ("<h2>Contents</h2>", 'href="/corpus/primer?chapter=Groups"', "<h2>Main theorems</h2>", "@misc{primer"):
        assert part in page
    page = client.get("/corpus/primer/about").text
    assert "References per proof" in page
    assert "<caption>Reference graph</caption>" in page
    chapter = client.get("/corpus/primer", params={"chapter": "Groups"}).text
    for part in ("Cosets and Lagrange", 'class="tex-text prose"', 'id="s3.3"', 'rel="prev"', 'class="proof"'):
        assert part in chapter
    results = client.get("/results").text
    assert "shipped" in results
    answers = client.get("/results/primer-test-clean/primer:thm:lagrange").text
    assert "Where each method put what the proof cites" in answers
    assert answers.count("<mark>") == 2


def test_calibration_of_runs_that_state_probabilities(client: TestClient) -> None:
    page = client.get("/results/primer-test-clean").text
    assert "shipped: expected calibration error" in page
    assert ">60–70 %</th><td>2</td><td>61.0</td>" in page
    assert 'class="curve"' in page
    assert "tfidf: no probabilities are stored with this run" in page


def test_the_graph_of_a_corpus_is_compressed_if_the_client_can_read_it(client: TestClient) -> None:
    compressed = client.get("/corpus/primer/graph", headers={"accept-encoding": "gzip"})
    plain = client.get("/corpus/primer/graph", headers={"accept-encoding": "identity"})
    assert compressed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert compressed.text == plain.text
    assert "Drawing the graph" in plain.text.partition('id="data"')[0]
    again = client.get("/corpus/primer/graph", headers={"accept-encoding": "gzip"})
    assert again.text == plain.text
    assert int(again.headers["content-length"]) < 0.7 * len(plain.content), "fonts are compressed already"


def test_a_graph_that_cannot_be_drawn_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_page: GraphPage) -> str:
        raise TimeoutError

    monkeypatch.setattr(GraphPage, "rest", fail)
    site = Site.of(Workspace.open([primer_folder()]))
    with TestClient(create_app(site)) as client:
        for encoding in ("gzip", "identity"):
            page = client.get("/corpus/primer/graph", headers={"accept-encoding": encoding}).text
            assert "Drawing the graph" in page
            assert 'role="alert">The server could not draw the graph' in page


@pytest.mark.parametrize(
    "path", ["/statement/none", "/corpus/none", "/results/none/none", "/nowhere", "/corpus/primer?chapter=none"]
)
def test_what_is_not_there_is_said_in_a_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "<h1>Not found</h1>" in answer.text


def test_only_our_own_files_are_served(client: TestClient) -> None:
    assert client.get("/static/style.css").headers["content-type"].startswith("text/css")
    font = client.get("/static/stix-math.woff2")
    assert font.headers["content-type"] == "font/woff2"
    assert font.content.startswith(b"wOF2")
    for path in ("../app.py", "..%2fapp.py", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "style.css/../app.py", ".%00"):
        answer = client.get(f"/static/{path}")
        assert answer.status_code in (404, 422), path
        assert "import" not in answer.text


def test_a_control_character_in_a_form_is_refused(client: TestClient) -> None:
    assert client.post("/ask", data={"text": "a\x00b"}).status_code == 422
    assert client.post("/ask", content=b"\xff\xfe").status_code == 400


def pages(site: Site) -> Iterator[str]:
    with TestClient(create_app(site), raise_server_exceptions=False) as client:
        key = site.corpora[0].statements[0].id
        from naturalproofs.apps.web.templating import url

        gets = ["/", "/ask", "/corpora", "/corpus/evil", url("corpus", "evil", chapter=EVIL)]
        for path in [*gets, url("statement", key), url("statement", "evil:other"), "/corpus/evil/graph"]:
            answer = client.get(path)
            assert answer.status_code == 200, (path, answer.text[:300])
            yield answer.text
        for params in ({"q": "alert"}, {"q": EVIL}, {"q": EVIL, "chapter": EVIL, "kind": EVIL}):
            answer = client.get("/", params=params)
            assert answer.status_code == 200
            yield answer.text
        for data in ({"text": EVIL}, {"text": "compact", "picked": key}, {"text": "x", "statement": key, "k": EVIL}):
            answer = client.post("/ask", data=data)
            assert answer.status_code == 200
            yield answer.text
        yield client.get(f"/{EVIL}").text
        yield client.get("/statement/" + EVIL).text
        yield client.post("/ask/preview", data={"text": f"{EVIL} $x {EVIL}$ \\href{{javascript:alert(1)}}{{x}}"}).text


def test_nothing_that_means_harm_becomes_markup() -> None:
    for page in pages(evil_site()):
        lowered = page.lower()
        assert "<script>alert" not in lowered
        assert "<img" not in lowered
        assert "<svg/" not in lowered
        assert 'href="javascript' not in lowered
        assert 'onerror=alert(2)>"' not in lowered


def test_other_works_are_listed_by_work_and_beside_the_statement(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\begin{document}\n"
        "\\begin{theorem}\\label{a} By \\cite[Theorem 3]{<EGA>}. \\end{theorem}\n\\end{document}"
    )
    with TestClient(create_app(Site.of(Workspace.open(tmp_path)))) as client:
        name = tmp_path.name
        page = client.get(f"/corpus/{name}/outside").text
        assert "&lt;EGA&gt;" in page
        assert f'<dt>Theorem 3</dt><dd><a href="/statement/{name}:a"' in page
        assert "Other works" in client.get(f"/statement/{name}:a").text
        answer = client.get(f"/api/v1/outside/{name}").json()
        assert answer["works"][0]["results"][0]["uses"][0]["statement"] == f"{name}:a"
        assert client.get(f"/api/v1/statements/{name}:a").json()["outside"] == answer["works"]


def test_the_notation_of_a_corpus_has_a_page(client: TestClient) -> None:
    page = client.get("/corpus/primer/notation").text
    assert '<a href="/statement/primer:def:index"' in page
    assert "<td><math" in page
    assert 'href="/corpus/primer/notation"' in client.get("/corpus/primer").text
    rows = client.get("/api/v1/notation/primer").json()["symbols"]
    assert {"[G:H]"} & {row["symbol"] for row in rows}


def test_figures_of_a_project_are_shown_and_cannot_run_scripts(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    (tmp_path / "secret.png").write_bytes(b"x")
    (folder / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\begin{document}\n"
        "\\begin{theorem}\\label{a} See \\includegraphics[width=3cm]{a} and \\includegraphics{b.pdf}. \\end{theorem}\n"
        "\\end{document}"
    )
    with TestClient(create_app(Site.of(Workspace.open(folder)))) as client:
        page = client.get("/statement/p:a").text
        assert '<img src="/corpus/p/figure/a.svg" alt="a" loading="lazy">' in page
        assert "<summary>Figure: b.pdf</summary>" in page
        answer = client.get("/corpus/p/figure/a.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "script-src" not in answer.headers["content-security-policy"]
        for path in ("main.tex", "..%2Fsecret.png", "%2e%2e/secret.png", "b.pdf"):
            assert client.get(f"/corpus/p/figure/{path}").status_code == 404


def test_images_of_a_wiki_are_placeholders() -> None:
    assert _wiki_links("[[File:A.png|400px]] [[File:B.png|thumb|The sine]] [[Image]]") == (
        "\\includegraphics{A.png} \\begin{figure}\\includegraphics{B.png}\\caption{The sine}\\end{figure}"
        " \\hyperref[Image]{Image}"
    )
