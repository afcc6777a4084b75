import csv
import io

import pytest

from naturalproofs.apps.report.reproduction import halves_together
from naturalproofs.apps.report.statistics import paper_figures
from naturalproofs.apps.report.table import FORMATS, Table, render, to_csv, to_html, to_latex, to_markdown, to_text
from naturalproofs.corpus.corpus import Provenance
from naturalproofs.corpus.graph import Distribution, paper_key

TABLE = Table("A & B", ("", "n", "mean"), (("x_1|y", 1234, 2.5), ("z", None, 0.0)), "100 % of <all>")


def test_text():
    lines = to_text(TABLE).split("\n")
    assert lines[0] == "A & B"
    assert "x_1|y  1,234   2.5" in lines
    assert "z          –   0.0" in lines


def test_markdown_escapes_bars():
    assert "| x_1\\|y | 1,234 | 2.5 |" in to_markdown(TABLE)


def test_csv_reads_back():
    assert list(csv.reader(io.StringIO(to_csv(TABLE)))) == [
        ["", "n", "mean"],
        ["x_1|y", "1234", "2.5"],
        ["z", "", "0.0"],
    ]


def test_latex_escapes():
    text = to_latex(TABLE)
    assert "\\caption{A \\& B. 100 \\% of <all>}" in text
    assert "x\\_1|y & 1,234 & 2.5 \\\\" in text
    assert "z & -- & 0.0 \\\\" in text


def test_html_escapes():
    assert "<caption>A &amp; B</caption>" in to_html(TABLE)
    assert "&lt;all&gt;" in to_html(TABLE)


@pytest.mark.parametrize("style", FORMATS)
def test_every_format_shows_every_row(style):
    text = render([TABLE, TABLE], style)
    assert text.count("mean") == 2


def test_quartiles_interpolate():
    assert Distribution.of([1, 2, 3, 4]) == Distribution(4, 2.5, 1.75, 2.5, 3.25)
    assert Distribution.of([]).count == 0


def test_the_papers_figures_are_complete():
    for source in ("proofwiki", "stacks", "trench", "stein"):
        figures = paper_figures(source)
        assert figures.counts["theorem"] > 0
        assert figures.lengths["theorem/tokens"][0] > 0
        assert figures.retrieval["examples/total"] > 0
    assert paper_figures("primer").counts == {}


@pytest.mark.parametrize(
    ("source", "title", "key"),
    [
        ("stacks", "The Stacks project", "stacks"),
        ("proofwiki", "ProofWiki", "proofwiki"),
        ("proofwiki", "Another Wiki", ""),
        ("proofwiki + stacks", "ProofWiki + The Stacks project", "proofwiki+stacks"),
        ("proofwiki + stacks", "Another Wiki + The Stacks project", ""),
    ],
)
def test_which_corpora_the_paper_reports(source, title, key):
    assert paper_key(Provenance(source, "fixed", title=title)) == key
    assert bool(paper_figures(key).retrieval) == bool(key)


def test_valid_stands_below_test():
    columns = ("", "protocol", "mAP")
    test = Table("T: stacks/test", columns, (("a", "clean", "1"), ("b", "clean", "2")), "10 queries, rules.")
    valid = Table("T: stacks/valid", columns, (("a", "clean", "3"),), "9 queries, rules.")
    both = halves_together(test, valid)
    assert both.title == "T: stacks"
    assert both.columns == ("", "protocol", "split", "mAP")
    assert both.rows == (("a", "clean", "test", "1"), ("", "", "valid", "3"), ("b", "clean", "test", "2"))
    assert both.note == "Test: 10 queries, rules. Valid: 9 queries."
