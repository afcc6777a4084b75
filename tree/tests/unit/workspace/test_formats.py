"""Projects in PreTeXt and Markdown through the workspace: they open, are cached, checked and cited like LaTeX."""

import shutil
from pathlib import Path

import pytest

from naturalproofs.apps.editor.positions import key_at, typing_at
from naturalproofs.errors import BadLabel
from naturalproofs.sources.registry import detect_source
from naturalproofs.workspace import Workspace

GOLDEN = Path(__file__).parents[2] / "golden" / "formats"


@pytest.fixture(params=["pretext", "quarto", "bookdown", "myst"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def project(name: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(GOLDEN / name, tmp_path / name))


CITED = {
    "pretext": ("lem-sum", '<xref ref="lem-sum"/>'),
    "quarto": ("thm-sum", "@thm-sum"),
    "bookdown": ("thm:sum", "Theorem \\@ref(thm:sum)"),
    "myst": ("sum-even", "{prf:ref}`sum-even`"),
}
CHAPTER = {"pretext": "source/sums.ptx", "quarto": "sums.qmd", "bookdown": "02-sums.Rmd", "myst": "sums.md"}


def test_the_source_is_detected(project: Path, name: str):
    expected = "pretext" if name == "pretext" else "markdown"
    assert detect_source(project) == expected
    assert detect_source(project / CHAPTER[name]) == expected


def test_statements_are_cited_as_the_format_does(project: Path, name: str):
    workspace = Workspace.open(project)
    label, citation = CITED[name]
    assert workspace.citation(workspace.find(label).statement) == citation


def test_a_chapter_leads_to_its_project(project: Path, name: str):
    workspace = Workspace.open(project / CHAPTER[name])
    assert workspace.home.path == project.resolve()


def test_broken_references_are_found_in_running_text(project: Path, name: str):
    chapter = project / CHAPTER[name]
    text = chapter.read_text("utf-8")
    before = {one.subject for one in Workspace.open(project).check().findings if one.rule == "undefined-reference"}
    wrong = {
        "pretext": '<section><title>S</title><p>See <xref ref="thm-wrong"/>.</p></section></chapter>',
        "quarto": "\nSee @thm-wrong.\n",
        "bookdown": "\nSee \\@ref(thm-wrong).\n",
        "myst": "\nSee {prf:ref}`thm-wrong`.\n",
    }[name]
    text = text.replace("</chapter>", wrong) if name == "pretext" else text + wrong
    chapter.write_text(text, "utf-8")
    found = [one for one in Workspace.open(project).check().findings if one.rule == "undefined-reference"]
    (new,) = [one for one in found if one.subject not in before]
    assert new.subject == "thm-wrong"
    assert text.split("\n")[new.line - 1][new.column - 1 :].startswith("thm-wrong")


def test_changes_are_noticed(project: Path, name: str):
    workspace = Workspace.open(project)
    assert workspace.refresh() is workspace
    again = Workspace.open(project)
    assert again.home.statements == workspace.home.statements
    chapter = project / CHAPTER[name]
    text = chapter.read_text("utf-8").replace("two even numbers", "three even numbers")
    unsaved = workspace.refresh({chapter: text.encode()})
    label = CITED[name][0]
    assert ("three" in " ".join(unsaved.find(label).statement.lines)) == ("three" in text)
    if name not in ("pretext", "quarto"):
        return  # There, all statements are in this chapter.
    chapter.unlink()
    assert len(workspace.refresh().home.statements) < len(workspace.home.statements)


def test_a_line_leads_to_its_proof(project: Path, name: str):
    workspace = Workspace.open(project)
    statement = workspace.find(CITED[name][0]).statement
    origin = statement.proofs[0].origin
    assert origin is not None
    located = workspace.locate(f"{origin.path}:{origin.line + 1}")
    assert located.statement == statement
    assert "<" not in located.written
    assert ":::" not in located.written


def test_a_label_is_renamed_everywhere(project: Path, name: str):
    label = CITED[name][0] if name != "quarto" else "def-even"
    workspace = Workspace.open(project)
    if name == "bookdown":
        with pytest.raises(BadLabel, match="by hand"):
            workspace.rename(label, "thm:new")
        return
    edits = workspace.rename(label, "thm-new")
    for path in {edit.path for edit in edits}:
        text = (project / path).read_text("utf-8")
        for edit in sorted((one for one in edits if one.path == path), key=lambda one: -one.start):
            text = text[: edit.start] + edit.text + text[edit.end :]
        (project / path).write_text(text, "utf-8")
    renamed = Workspace.open(project)
    before, after = workspace.home.resolution, renamed.home.resolution
    assert before == after
    assert renamed.find("thm-new").statement.lines == workspace.find(label).statement.lines


def test_macros_of_pretext_are_used(tmp_path: Path):
    project = Path(shutil.copytree(GOLDEN / "pretext", tmp_path / "book"))
    workspace = Workspace.open(project)
    assert workspace.render(workspace.find("def-even").statement, "line").startswith("A number n is even if 2 | n")


def test_a_latex_project_with_a_readme_stays_one(tmp_path: Path):
    (tmp_path / "main.tex").write_text("\\documentclass{article}\\begin{document}\\end{document}", "utf-8")
    (tmp_path / "README.md").write_text("::: {#thm-a}\nx\n:::\n", "utf-8")
    (tmp_path / "feed.xml").write_text("<rss/>", "utf-8")
    shutil.copytree(GOLDEN / "quarto", tmp_path / "site")
    assert detect_source(tmp_path) == "latex"


def test_a_book_may_have_a_preamble(tmp_path: Path):
    shutil.copytree(GOLDEN / "quarto", tmp_path / "book")
    (tmp_path / "book" / "preamble.tex").write_text("\\newcommand{\\R}{\\mathbb{R}}", "utf-8")
    assert detect_source(tmp_path) == "markdown"


@pytest.mark.parametrize(
    ("file", "text", "typed", "keys"),
    [
        ("a.ptx", 'see <xref ref="thm-a, le', "le", ("thm-a",)),
        ("a.ptx", 'see <xref text="title" ref="', "", ()),
        ("a.qmd", "see @thm-a", "thm-a", ()),
        ("a.Rmd", "see \\@ref(thm:a", "thm:a", ()),
        ("a.md", "see {prf:ref}`a", "a", ()),
    ],
)
def test_keys_are_completed(file: str, text: str, typed: str, keys: tuple[str, ...]):
    typing = typing_at(text, len(text), file)
    assert typing is not None
    assert (typing.typed, typing.keys) == (typed, keys)
    assert typing_at("plain text", 5, file) is None


def test_the_key_under_the_cursor():
    text = "first\nsee @thm-a and more"
    key = key_at(text, text.index("thm") + 1, "a.qmd")
    assert key is not None
    assert (key.key, text[key.start : key.end]) == ("thm-a", "thm-a")
    assert key_at(text, len(text), "a.qmd") is None
