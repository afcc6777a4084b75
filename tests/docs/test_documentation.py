"""The documentation is true: links lead somewhere, commands exist, pages are fresh, examples are real output."""

import re
import subprocess
import sys

import pytest

from conftest import ROOT
from naturalproofs import __version__
from naturalproofs.apps.cli.main import MODULES
from naturalproofs.data import primer_folder
from support.command_line import call

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)")
_TEST = re.compile(r"def (test_\w+)\(")
_FINDING = re.compile(r"\| ([CHML]?\d+(?:, \d+)*): ")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_are_shown_exist(page):
    for name in re.findall(r"^\$ (?:\.venv/bin/)?naturalproofs ([a-z][a-z-]*)", page.read_text("utf-8"), re.MULTILINE):
        assert name in MODULES


def test_the_contents_of_the_log_name_every_entry():
    """Each with its question and its verdict."""
    folder = ROOT / "docs" / "log"
    contents = (folder / "README.md").read_text("utf-8")
    listed = re.findall(r"^- \[(.+?)\]\(([\w-]+\.md)\) (.+)$", contents, re.MULTILINE)
    assert sorted(name for _, name, _ in listed) == sorted({file.name for file in folder.glob("*.md")} - {"README.md"})
    for question, name, verdict in listed:
        assert f"**Question.** {question}\n\n**Verdict.** {verdict}\n" in (folder / name).read_text("utf-8")


def test_the_headlines_of_the_results_name_every_page():
    folder = ROOT / "docs" / "results"
    named = set(LINK.findall((folder / "README.md").read_text("utf-8")))
    assert {file.name for file in folder.glob("*.md")} - {"README.md"} <= named


def test_the_commands_that_fill_the_tables_are_found():
    done = subprocess.run(
        [sys.executable, "benchmarks/results_page.py", ".", "--dry"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs" / "results").glob("*.md"))
    assert pages.count("<!-- output -->") == pages.count("<!-- end -->") > 0
    assert done.stdout
    assert all(f"\n{line}\n" in pages for line in done.stdout.splitlines())


def test_generated_pages_are_fresh():
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tests_against_attacks_exist():
    """Every finding names tests that are there."""
    page = (ROOT / "docs" / "explanation" / "untrusted-input.md").read_text()
    defined = {name for file in (ROOT / "tests").rglob("test_*.py") for name in _TEST.findall(file.read_text())}
    rows = [line for line in page.splitlines() if _FINDING.match(line)]
    first = "C1 H1 H2 H3 M1 M2 M3 M4 M5 M6 L1 L2 L3 L4 L5 L6 L7"
    later = ["1 2 3 4 5 6 7, 8 9 10 11 12", "1 2 3 4 5", "1 2 3 4", "1 2 3 4 5 6 7"]
    assert " ".join(_FINDING.match(row)[1] for row in rows) == " ".join((first, *later))
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        assert named
        assert not {*named} - defined


def test_every_command_is_documented():
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text("utf-8")
    assert all(f"## naturalproofs {name}\n" in page for name in MODULES)


def test_options_are_printed_as_the_commands_print_them():
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text("utf-8")
    assert page.count("\n  -h, --help ") == len(MODULES) + 1
    assert "\n  --help " not in page


def test_labels_in_the_examples_of_the_help_exist(primer):
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text("utf-8")
    examples = [line for line in page.splitlines() if re.match(r"\s*naturalproofs \w+ primer ", line)]
    labels = {label for line in examples for label in re.findall(r"\b(?:thm|def|lem):[\w-]+", line)}
    assert labels
    assert labels <= set(primer.by_label)


def test_the_tutorial_shows_real_suggestions(tmp_path):
    from naturalproofs.apps.cli.setup import suggestion

    assert call("build", "latex", primer_folder(), "-o", tmp_path / "primer")[0] == 0
    blocks = re.findall(r"```text\n(.*?)\n```", (ROOT / "docs" / "tutorial.md").read_text("utf-8"), re.DOTALL)
    assert blocks[1] == suggestion(tmp_path / "primer")


@pytest.mark.parametrize("page", ["tutorial.md", "how-to/get-suggestions.md", "how-to/search.md"])
def test_python_examples_run(page, tmp_path, monkeypatch):
    """In a folder with the Primer, both where the repository has it and as a copy of its own."""
    (tmp_path / "src" / "naturalproofs" / "data").mkdir(parents=True)
    for place in ("primer", "src/naturalproofs/data/primer"):
        (tmp_path / place).symlink_to(primer_folder())
    monkeypatch.chdir(tmp_path)
    printed: list[str] = []
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), re.DOTALL)
    for block in blocks:
        exec(block, {"print": lambda *words: printed.append(" ".join(map(str, words)))})
    assert blocks
    assert printed


def test_versions_agree():
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_makefile_has_the_promised_targets():
    text = (ROOT / "Makefile").read_text("utf-8")
    assert all(f"\n{target}:" in text for target in ("demo", "test", "chaos", "check", "bench", "setup", "docs-site"))
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")
