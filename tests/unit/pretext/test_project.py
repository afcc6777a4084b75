"""Which documents of a folder are read, and what becomes of their elements."""

from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.errors import BadSchema, RulesUnsupported, SourceNotFound
from naturalproofs.records import Statement
from naturalproofs.sources.pretext.pretext import PRETEXT
from naturalproofs.workspace.render import preview
from support.folders import write_files


def read(folder: Path, files: dict[str, str]) -> Corpus:
    return build(PRETEXT, write_files(folder, files), name="p")


def article(inside: str, tag: str = "article") -> str:
    return f"<pretext><{tag}><title>T</title>{inside}</{tag}></pretext>"


def theorem(name: str, text: str = "Text.") -> str:
    return f'<theorem xml:id="{name}"><statement><p>{text}</p></statement></theorem>'


def labels(corpus: Corpus) -> list[str]:
    return [statement.label for statement in corpus.statements]


def only(folder: Path, inside: str) -> Statement:
    (statement,) = read(folder, {"main.ptx": article(inside)}).statements
    return statement


def test_the_documents_of_the_manifest_come_first(tmp_path: Path):
    manifest = "<project><targets><target><source>z.ptx</source></target></targets></project>"
    files = {"project.ptx": manifest, "a.ptx": article(theorem("other")), "z.ptx": article(theorem("main"))}
    corpus = read(tmp_path, files)
    assert labels(corpus) == ["main", "other"]


def test_a_file_belongs_to_the_first_document_that_includes_it(tmp_path: Path):
    include = '<xi:include href="part.xml"/>'
    files = {
        "book.xml": article(include, "book"),
        "workbook.xml": article(include + theorem("own")),
        "part.xml": f"<chapter>{theorem('shared')}</chapter>",
    }
    assert labels(read(tmp_path, files)) == ["shared", "own"]


def test_labels_of_two_documents_do_not_collide(tmp_path: Path):
    cited = '<theorem xml:id="b"><statement><p/></statement><proof><p><xref ref="a"/></p></proof></theorem>'
    other = theorem("c") + theorem("d") + theorem("e")
    loaded = read(tmp_path, {"new/main.ptx": article(theorem("a") + cited), "old/main.ptx": article(other + cited)})
    assert labels(loaded) == ["a", "main-b", "c", "d", "e", "b"]
    assert loaded.find("b").proofs[0].references == loaded.find("main-b").proofs[0].references == ("p:a",)
    assert not loaded.diagnostics


def test_an_old_edition_is_not_read(tmp_path: Path):
    text = article(theorem("a") + theorem("b"))
    loaded = read(tmp_path, {"new/main.ptx": text, "old/main.ptx": text})
    assert labels(loaded) == ["a", "b"]
    assert [tuple(one) for one in loaded.account if not one.document] == [
        ("old/main.ptx", 2, "", "old/main.ptx is a version of new/main.ptx")
    ]


def test_generated_and_hidden_folders_are_left_out(tmp_path: Path):
    text = article(theorem("t"))
    files = {"main.ptx": text, "output/web/main.ptx": text, ".git/main.ptx": text}
    assert labels(read(tmp_path, files)) == ["t"]


def test_the_settings_name_the_document(tmp_path: Path):
    files = {"naturalproofs.toml": 'main = "b.ptx"', "a.ptx": article(theorem("a")), "b.ptx": article(theorem("b"))}
    assert labels(read(tmp_path, files)) == ["b"]


def test_a_file_may_include_what_stands_beside_its_folder(tmp_path: Path):
    manifest = '<project ptx-version="2" source="../src"><targets><target source="main.ptx"/></targets></project>'
    include = '<xi:include href="../parts/a.ptx"/>'
    files = {"cli/project.ptx": manifest, "src/main.ptx": article(include), "parts/a.ptx": theorem("a")}
    write_files(tmp_path, files)
    for given in ("cli/project.ptx", "src/main.ptx"):
        loaded = build(PRETEXT, tmp_path / given, name="p")
        assert labels(loaded) == ["a"]
        assert loaded.root == tmp_path.resolve()


def test_a_malformed_document_leaves_the_others(tmp_path: Path):
    loaded = read(tmp_path, {"a.ptx": "<pretext><article></pretext>", "b.ptx": article(theorem("b"))})
    assert labels(loaded) == ["b"]
    assert [one.rule for one in loaded.diagnostics] == ["malformed-xml"]


def test_nothing_but_malformed_documents(tmp_path: Path):
    with pytest.raises(BadSchema, match=r"no document could be read: main\.ptx:1:.*not well-formed XML"):
        read(tmp_path, {"main.ptx": "<pretext><article></pretext>"})


def test_a_folder_without_a_document(tmp_path: Path):
    with pytest.raises(SourceNotFound, match="no PreTeXt document here"):
        read(tmp_path, {"feed.xml": "<rss/>"})


def test_there_are_no_rules_of_the_paper(tmp_path: Path):
    write_files(tmp_path, {"main.ptx": article(theorem("t"))})
    with pytest.raises(RulesUnsupported):
        build(PRETEXT, tmp_path, name="p", rules="paper")


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<m>a \\lt b \\amp c</m>", "$a < b & c$"),
        ("<me>a</me>", "\\[a\\]"),
        ("<md>a = b</md>", "\\[a = b\\]"),
        ("<md><mrow>a</mrow><mrow>b</mrow></md>", "\\begin{gather*}\na \\\\\nb\n\\end{gather*}"),
        ("<q>a</q><nbsp/><mdash/><ellipsis/>", "``a''~---\\ldots{}"),
        ("<c>a_b</c> <em>c</em> <alert>d</alert>", "\\texttt{a\\_b} \\emph{c} \\textbf{d}"),
        ("50% of #1 &amp; ~x^2 \\ {}", "50\\% of \\#1 \\& \\textasciitilde{}x\\^{}2 \\textbackslash{} \\{\\}"),
        ('<url href="https://example.org/a_b"/>', "\\url{https://example.org/a\\_b}"),
        ("a<fn>b</fn><idx><h>x</h></idx>", "a\\footnote{b}"),
        (
            "<dl><li><title>T</title><p>a</p></li></dl>",
            "\\begin{description}\n\\item \\textbf{T}\na\n\\end{description}",
        ),
        ("<unheard-of>a</unheard-of>", "a"),
    ],
)
def test_text_as_latex(tmp_path: Path, inside: str, text: str):
    assert "\n".join(only(tmp_path, f"<remark><p>{inside}</p></remark>").lines) == text


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (
            '<figure xml:id="f"><caption>See <m>x</m></caption><image source="a.png"/></figure>',
            "\\begin{figure}\n\\caption{See $x$}\n\\includegraphics{a.png}\n\\end{figure}",
        ),
        (
            "<figure><caption>c</caption><image><latex-image>\\draw</latex-image></image></figure>",
            "\\begin{figure}\n\\caption{c}\n\\end{figure}",
        ),
        ("<image><sageplot>plot</sageplot></image>", "\\begin{figure}\\end{figure}"),
        ('<image source="../a.svg" width="50%"/>', "\\includegraphics{../a.svg}"),
        ("<figure><caption>c</caption><tabular><row><cell>1</cell></row></tabular></figure>", "c\n1"),
    ],
)
def test_figures(tmp_path: Path, inside: str, text: str):
    assert "\n".join(only(tmp_path, f"<remark>{inside}</remark>").lines) == text


def test_what_a_reference_may_look_like(tmp_path: Path):
    inside = '<xref ref="a, b"/> <xref ref="a b"/> <xref ref="a">words</xref> <xref first="a" last="b"/>'
    statement = only(tmp_path, f"<remark><p>{inside}</p></remark>")
    assert statement.lines == ("\\cref{a,b} \\cref{a,b} \\hyperref[a]{words} \\crefrange{a}{b}",)
    assert [mention.target for mention in statement.mentions] == ["a", "b", "a", "b", "a", "a", "b"]


def test_numbers_of_a_book(tmp_path: Path):
    block = "<theorem><statement><p>x</p></statement></theorem>"
    section = f"<section><title>S</title>{block}<figure/>{block}<exercise><p>e</p></exercise></section>"
    exercises = "<exercises><exercise><p>e</p></exercise></exercises>"
    chapter = f"<chapter><introduction>{block}</introduction>{section}{section}{exercises}</chapter>"
    appendix = f"<backmatter><appendix>{block}</appendix></backmatter>"
    corpus = read(tmp_path, {"main.ptx": article(chapter * 2 + appendix, "book")})
    first = ["1.0.1", "1.1.1", "1.1.3", "1.1.4", "1.2.1", "1.2.3", "1.2.4", "1.3.1"]
    second = [f"2{number[1:]}" for number in first]
    assert [statement.number for statement in corpus.statements] == [*first, *second, "A.0.1"]


def test_a_claim_inside_a_proof_is_a_statement_of_its_own(tmp_path: Path):
    claim = '<claim xml:id="c"><statement><p>inner</p></statement><proof><p>easy</p></proof></claim>'
    proof = f"<proof><p>first</p>{claim}<p>last</p></proof>"
    outer = f'<theorem xml:id="t"><statement><p>outer</p></statement>{proof}</theorem>'
    corpus = read(tmp_path, {"main.ptx": article(outer)})
    assert [(s.label, [proof.lines for proof in s.proofs]) for s in corpus.statements] == [
        ("t", [("first", "last")]),
        ("c", [("easy",)]),
    ]


def test_a_figure_without_a_caption_is_said_to_be_in_its_section(tmp_path: Path):
    figure = '<figure xml:id="f"><image source="a"/></figure>'
    cites = theorem("a", '<xref ref="f"/> says so.')
    corpus = read(tmp_path, {"main.ptx": article(f"<section><title>One</title>{figure}{cites}</section>")})
    (statement,) = corpus.statements
    assert preview(statement, {}, corpus=corpus) == "figure in “One” says so."


def test_a_section_is_cited_by_its_title(tmp_path: Path):
    cites = theorem("a", '<xref ref="s"/> says so.')
    corpus = read(tmp_path, {"main.ptx": article(f'<section xml:id="s"><title>Why <m>x</m></title>{cites}</section>')})
    (statement,) = corpus.statements
    assert preview(statement, {}, corpus=corpus) == "“Why x” says so."
