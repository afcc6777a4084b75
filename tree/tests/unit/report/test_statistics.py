"""Statistics, tables, card and plots of the Primer."""

import sys

import pytest

from naturalproofs.apps.report.listings import headline, statement_text
from naturalproofs.apps.report.plots import PLOTS, draw
from naturalproofs.apps.report.statistics import all_tables, dataset_card, dataset_table, statistics
from naturalproofs.corpus import store
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import MissingExtra
from naturalproofs.tasks.splits import leaf_split


@pytest.fixture(scope="module")
def splits(primer):
    return leaf_split(primer, ReferenceGraph.of(primer))


@pytest.fixture(scope="module")
def measured(primer, splits):
    return statistics(primer, splits)


def test_the_primer_is_large_enough(measured):
    assert measured.references >= 150
    assert measured.proofs >= 100
    assert measured.resolution.references >= 300
    assert "undefined" not in measured.resolution.unresolved


def test_counts_add_up(measured):
    assert measured.references == measured.theorems + measured.definitions + measured.others
    assert measured.examples == sum(part.examples for part in measured.splits.values())
    assert measured.graph.cycles == 0
    assert measured.graph.edges <= measured.graph.statement_edges + measured.graph.proof_edges


def test_lengths_are_means_of_what_is_there(primer, measured):
    lines = [len(s.lines) for s in primer.of_kind("definition")]
    assert measured.lengths["definition"]["lines"].mean == pytest.approx(sum(lines) / len(lines))


def test_tables_pool_several_corpora(measured):
    table = dataset_table([measured, measured])
    assert table.columns == ("", "primer", "primer", "all")
    counts = next(row for row in table.rows if row[0] == "theorem N")
    tokens = next(row for row in table.rows if row[0] == "theorem tokens")
    assert counts[3] == 2 * counts[1]
    assert tokens[3] == pytest.approx(tokens[1])


def test_every_row_fills_its_columns(measured):
    for table in all_tables([measured]):
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_card_says_what_matters(primer, splits, measured, tmp_path):
    manifest = store.save(primer, tmp_path / "p", splits=splits.to_json())
    card = dataset_card(primer, measured)
    for word in ("Licence", "Known limits", "Variables", manifest.fingerprint, f"{measured.proofs:,}"):
        assert word in card


def test_plots_are_drawn_and_repeatable(primer, tmp_path):
    pytest.importorskip("matplotlib")
    first = draw(primer, tmp_path / "a")
    second = draw(primer, tmp_path / "b")
    assert len(first) == 2 * (len(PLOTS) - 1)  # a book has no top-level categories
    for one, two in zip(first, second, strict=True):
        assert one.read_bytes() == two.read_bytes()
        assert one.stat().st_size > 2000


def test_without_matplotlib_the_extra_is_named(primer, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"\[plots\]"):
        draw(primer, tmp_path)


def test_a_statement_on_screen(primer):
    statement = primer.find("thm:lagrange")
    text = statement_text(primer, statement)
    assert headline(statement) in text
    assert "cites:" in text
    assert "lem:coset-size" in text
    assert "Used by" in text
