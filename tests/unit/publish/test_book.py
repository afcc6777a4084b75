"""The files of a written site: deterministic, complete, only changed ones rewritten, nothing outside the folder."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import msgspec
import pytest

from naturalproofs.apps.site.book import (
    MANIFEST,
    Book,
    Manifest,
    check_folder,
    slug,
    write_site,
)
from naturalproofs.apps.site.index import javascript, search_files
from naturalproofs.apps.site.tags import assign_tags, open_tags, save_tags
from naturalproofs.apps.web.work import chapter_numbers
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.errors import BadSchema, OutputInTheWay, SourceNotFound
from naturalproofs.records import Mention, Place, Proof, Statement
from naturalproofs.workspace import Workspace


def book(*statements: Statement, name: str = "book") -> Book:
    opened = Workspace.of([Corpus(name, statements, Provenance("latex", "fixed", title="A Book"))]).home
    return Book(opened, assign_tags(opened))


def statement(label: str, text: str = "Some text.", position: int = 0, **more: object) -> Statement:
    place = Place("book", "One", "First", position)
    return replace(Statement(f"book:{label}", "theorem", label, "", (text,), place=place), **more)


@pytest.fixture(scope="module")
def primer_files(primer: Corpus) -> dict[str, bytes]:
    opened = Workspace.of([primer]).home
    return dict(Book(opened, assign_tags(primer), address="https://example.org/primer").files())


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attributes if name in ("href", "src", "action") and value]


def links(page: bytes) -> Iterator[str]:
    parser = Links()
    parser.feed(page.decode())
    return iter(parser.found)


def test_every_link_is_relative_and_leads_to_a_file(primer_files: dict[str, bytes]) -> None:
    pages = {path: data for path, data in primer_files.items() if path.endswith(".html") and path != "graph.html"}
    for path, data in pages.items():
        for link in links(data):
            parts = urlsplit(link)
            if parts.scheme and link != "data:,":
                assert link.startswith("https://example.org/primer/tag/"), (path, link)
                continue
            if parts.scheme:
                continue
            assert not parts.path.startswith("/"), (path, link)
            target: list[str] = []
            for step in (PurePosixPath(path).parent / unquote(parts.path)).parts:
                target = target[:-1] if step == ".." else [*target, step]
            assert not parts.path or "/".join(target) in primer_files, (path, link)


def test_every_statement_has_a_page_by_tag_and_by_label(primer: Corpus, primer_files: dict[str, bytes]) -> None:
    assert sum(path.startswith("tag/") for path in primer_files) == len(primer.statements)
    redirect = primer_files["label/thm-lagrange.html"].decode()
    target = re.search(r'url=\.\./(tag/\w{4}\.html)"', redirect)
    page = primer_files[target[1]].decode()
    assert "<math" in page
    assert "disjoint union of the left cosets" in page
    assert page.count('rel="prev"') == page.count('rel="next"') == 1
    assert '<link rel="canonical" href="https://example.org/primer/tag/' in page
    assert primer_files["sitemap.xml"].count(b"<loc>") == len(primer.statements) + 10


def test_the_same_corpus_gives_the_same_files(primer: Corpus, primer_files: dict[str, bytes]) -> None:
    opened = Workspace.of([primer]).home
    again = Book(opened, assign_tags(primer), address="https://example.org/primer")
    assert dict(again.files()) == primer_files


def test_only_changed_files_are_written_and_only_own_files_removed(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    first = write_site(folder, "book", [("a.html", b"a"), ("tag/b.html", b"b"), ("tag/c.html", b"c")])
    assert (first.changed, first.removed) == (3, 0)
    (folder / "CNAME").write_text("example.org")
    before = (folder / "a.html").stat().st_mtime_ns
    second = write_site(folder, "book", [("a.html", b"a"), ("tag/b.html", b"other")])
    assert (second.files, second.changed, second.removed) == (2, 1, 1)
    assert (folder / "a.html").stat().st_mtime_ns == before
    assert (folder / "tag" / "b.html").read_bytes() == b"other"
    assert not (folder / "tag" / "c.html").exists()
    assert (folder / "CNAME").exists()
    assert list(folder.glob("**/.*")) == []


def test_a_folder_that_is_not_a_site_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputInTheWay, match="not made by this command"):
        check_folder(tmp_path)
    (tmp_path / "site.json").write_text('{"schema": 1, "name": "of another program"}')
    with pytest.raises(OutputInTheWay, match="not made by this command"):
        check_folder(tmp_path)
    (tmp_path / "empty").mkdir()
    check_folder(tmp_path / "empty")
    check_folder(tmp_path / "missing")


def test_an_interrupted_run_is_continued(tmp_path: Path) -> None:
    def failing() -> Iterator[tuple[str, bytes]]:
        yield "a.html", b"a"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_site(tmp_path / "site", "book", failing())
    assert write_site(tmp_path / "site", "book", [("a.html", b"a"), ("b.html", b"b")]).changed == 1


def test_a_manifest_cannot_remove_files_outside(tmp_path: Path) -> None:
    folder, other = tmp_path / "site", tmp_path / "precious"
    other.write_text("keep")
    write_site(folder, "book", [("a.html", b"a")])
    hostile = Manifest(1, "book", ["../precious", "/etc/hostname", "", "a.html"])
    (folder / MANIFEST).write_bytes(msgspec.json.encode(hostile))
    write_site(folder, "book", [("b.html", b"b")])
    assert other.read_text() == "keep"
    assert not (folder / "a.html").exists()


def test_links_inside_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder, other = tmp_path / "site", tmp_path / "elsewhere"
    other.mkdir()
    write_site(folder, "book", [("a.html", b"a")])
    (folder / "tag").symlink_to(other)
    with pytest.raises(OSError, match="tag"):
        write_site(folder, "book", [("tag/b.html", b"b")])
    assert list(other.iterdir()) == []


def test_hostile_names_and_texts(tmp_path: Path) -> None:
    label = '../../x"><script>alert(1)</script>'
    one = statement(label, "<script>alert(2)</script>", title="</title><script>alert(3)</script>")
    two = statement("X-script-alert-1-script", "Other.", 1)
    made = book(one, two)
    made_files = dict(made.files())
    write_site(tmp_path / "site", "book", made_files.items())
    assert {path.name for path in tmp_path.iterdir()} == {"site"}
    for path, data in made_files.items():
        if path.endswith(".html") and path not in ("404.html", "graph.html"):
            assert b"<script>" not in data, path
    stubs = sorted(path for path in made_files if path.startswith("label/"))
    assert stubs == ["label/x-script-alert-1-script-0002.html", "label/x-script-alert-1-script.html"]
    assert slug("..") == ""


def test_labels_that_changed_and_statements_that_went(tmp_path: Path) -> None:
    old = book(statement("thm:old", "Kept text."), statement("thm:gone", "Removed text.", 1))
    new_one = statement("thm:new", "Kept text.")
    opened = Workspace.of([Corpus("book", (new_one,), Provenance("latex", "fixed"))]).home
    made = dict(Book(opened, assign_tags(opened, old.tags.table)).files())
    assert b"url=../tag/0001.html" in made["label/thm-old.html"]
    assert b"url=../tag/0001.html" in made["label/thm-new.html"]
    assert b"not part of the text any more" in made["tag/0002.html"]
    assert b"url=../tag/0002.html" in made["label/thm-gone.html"]


def test_a_wiki_has_its_categories_as_chapters_and_no_place() -> None:
    pages = [
        Statement(f"wiki:{name}", "theorem", name, name, ("Text.",), categories=(category,))
        for name, category in (("Zorn", "Sets"), ("Abel", "Algebra"), ("Cantor", "Sets"))
    ]
    made = book(*pages, name="wiki")
    assert [(one.title, len(one.statements)) for one in made.chapters] == [("Algebra", 1), ("Sets", 2)]
    assert len(dict(made.files())) > 10


def numbered(*numbers: str) -> list[Statement]:
    return [statement(f"thm:{number}", number=number) for number in numbers]


@pytest.mark.parametrize(
    ("chapters", "expected"),
    [
        ([("0.1", "0.2"), ("1.1.1", "1.2.1"), ("A.1", "")], ["0", "1", "A"]),
        ([("",), ("1.1", "1.2")], ["", "1"]),
        ([("2.1",), ("1.1", "1.2"), ("2.1", "2.2")], ["", "1", "2"]),
        ([("1.1", "2.1"), ("3.1",)], ["", "3"]),
        ([("1", "2"), ("3",)], ["", ""]),
        ([("1.1",), ("1.2",)], ["", ""]),
        ([("4.1",)], ["4"]),
    ],
)
def test_chapters_have_the_numbers_of_the_book(chapters: list[tuple[str, ...]], expected: list[str]) -> None:
    assert chapter_numbers([numbered(*one) for one in chapters]) == expected


def test_the_contents_print_these_numbers() -> None:
    chapters = (("Foreword", ""), ("Sets", "0.1"), ("Größe und Maß", "1.1"), ("群论", "2.1"))
    made = book(
        *(
            statement(f"thm:{at}", position=at, number=number, place=Place("book", title, "", at))
            for at, (title, number) in enumerate(chapters)
        )
    )
    files = dict(made.files())
    rows = re.findall(r'<li>(?:<span class="number">(.*?)</span>)?<a href="(.*?)">', files["index.html"].decode())
    assert [number for number, _ in rows] == ["", "0", "1", "2"]
    assert [unquote(address) for _, address in rows][2:] == ["chapter/groesse-und-mass.html", "chapter/群论.html"]
    assert all(unquote(address) in files and address.isascii() for _, address in rows)


def test_a_page_lists_what_it_uses_and_what_uses_it() -> None:
    cited = statement("lem:a", "Lemma text.")
    proof = Proof((r"By \ref{lem:a}.",), (Mention("lem:a", "ref", 1, "book:lem:a"),))
    user = statement("thm:b", "Theorem text.", 1, proofs=(proof,))
    made = dict(book(cited, user).files())
    assert b'<a href="../tag/0002.html" data-preview="../search/ 32 1"><b>Theorem thm:b</b>' in made["tag/0001.html"]
    # What has no number is named by its section.
    shown = '<a href="../tag/0001.html" data-preview="../search/ 32 0">in “First”</a>'
    assert shown in made["tag/0002.html"].decode()


def test_tags_are_read_from_the_file_first_then_from_the_site(tmp_path: Path) -> None:
    site, file = tmp_path / "site", tmp_path / "tags"
    made = book(statement("thm:a"))
    assert open_tags(made.opened, site).of == {"book:thm:a": "0001"}
    write_site(site, "book", [("tags.txt", b"0ABC,thm:a\n")])
    assert open_tags(made.opened, site, file).of == {"book:thm:a": "0ABC"}
    file.write_text("0XYZ,thm:a\n")
    tags = open_tags(made.opened, site, file)
    assert tags.of == {"book:thm:a": "0XYZ"}
    save_tags(file, tags)
    assert open_tags(made.opened, tmp_path / "none", file).of == {"book:thm:a": "0XYZ"}
    other = tmp_path / "thesis.tex"
    other.write_text(r"\documentclass{article}")
    with pytest.raises(BadSchema, match=r"thesis\.tex"):
        open_tags(made.opened, site, other)
    other.write_bytes(b"\xff\xfe")
    with pytest.raises(SourceNotFound, match="not UTF-8"):
        open_tags(made.opened, site, other)


def test_the_index_is_cut_into_parts_in_order() -> None:
    many = [statement(f"lem:{n}", " ".join(f"word{n * 37 + k}" for k in range(60)), n) for n in range(200)]
    opened = Workspace.of([Corpus("book", tuple(many), Provenance("latex", "fixed"))]).home
    made = dict(search_files(opened.search_index, [[one.label] for one in many], {"0001": 0}))
    head = msgspec.json.decode(made["search/search-0.js"].partition(b"0,")[2].rstrip(b");\n"))
    found: dict[str, object] = {}
    for number, first in enumerate(head["firsts"]["terms"]):
        part = msgspec.json.decode(
            made[f"search/terms-{number}.js"].partition(f"{number},".encode())[2].rstrip(b");\n")
        )
        assert next(iter(part)) == first
        assert list(part) == sorted(part)
        found |= part
    assert list(found) == sorted(found)
    assert {"word0", "word37", "first"} <= found.keys()
    assert len(head["firsts"]["terms"]) > 1
    assert len(head["kinds"]) == len(head["lengths"]) == len(many)
    assert sum(path.startswith("search/statements-") for path in made) == 7
    names = msgspec.json.decode(made["search/names-0.js"].partition(b"0,")[2].rstrip(b");\n"))
    assert names["tag:0001"] == [0]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (r"[^\W\d_]{3,}+", r"\p{L}{3,}"),
        (r"(?P<word>[^\W_]++)['’]s", r"(?<word>[\p{L}\p{N}]+)['’]s"),
        (r"\w[(\[]\w", r"[\p{L}\p{N}_][(\[][\p{L}\p{N}_]"),
        (r"[^\s\w]|\}+", r"[^\s\p{L}\p{N}_]|\}+"),
        (r"[\w\\-]\ one\-to\-one", r"[\p{L}\p{N}_\\-] one-to-one"),
        (r"\"[^\"]*\"", '"[^"]*"'),
    ],
)
def test_patterns_in_the_notation_of_javascript(ours: str, theirs: str) -> None:
    re.compile(ours)
    assert javascript(ours) == theirs


def test_figures_of_a_project_are_copied_and_shown(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    image = b"\x89PNG\r\n\x1a\n" + bytes(20)
    (tmp_path / "img" / "disc.png").write_bytes(image)
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\newtheorem{theorem}{Theorem}\\graphicspath{{img/}}\\begin{document}\n"
        "\\begin{theorem}\\label{a} \\includegraphics{disc}, \\includegraphics{../../secret.png}.\\end{theorem}\n"
        "\\begin{proof}Clear.\\end{proof}\n\\end{document}\n"
    )
    opened = Workspace.open([tmp_path], cache=False).home
    made = dict(Book(opened, assign_tags(opened)).files())
    copied = [path for path in made if path.startswith("figure/")]
    assert len(copied) == 1
    assert made[copied[0]] == image
    assert f'src="../{copied[0]}"'.encode() in made["tag/0001.html"]
