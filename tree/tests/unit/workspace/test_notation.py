"""The table of notation of a corpus, in every interface."""

import json

from naturalproofs.data import primer_folder
from naturalproofs.records import Statement
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.notation import notation_table
from support.command_line import call


def statement(key, *lines, kind="definition", form="definition"):
    return Statement(key, kind, key, "", lines, form=form)


def test_a_symbol_counts_where_it_is_introduced_first():
    table = notation_table(
        [
            statement("a", "The set is denoted $\\Spec A$."),
            statement("b", "It is denoted $\\Spec{A}$."),
            statement("c", "It is denoted $\\Proj A$.", kind="theorem", form="theorem"),
            statement("d", "We write $\\Max A$ for the maximal ones.", kind="other", form="notation"),
        ]
    )
    assert [(row.symbol, row.statement) for row in table] == [("\\Spec A", "a"), ("\\Max A", "d")]


def test_the_list_of_the_author_is_preferred():
    table = notation_table(
        [
            statement("a", "The set is denoted $\\Spec A$."),
            statement("b", "\\nomenclature{$\\Spec A$}{spectrum of $A$}", kind="theorem"),
        ]
    )
    assert [(row.meaning, row.statement) for row in table] == [("spectrum of $A$", "b")]


def test_the_meaning_can_be_rendered_alone():
    text = "Let \\begin{equation*} x. \\end{equation*} We denote it by $\\Spec A$ here."
    (row,) = notation_table([statement("a", text)])
    assert row.meaning.strip() == "We denote it by $\\Spec A$ here."


def test_the_primer():
    rows = {row.symbol: row.statement for row in Workspace.open(primer_folder()).notation()}
    assert rows["[G:H]"] == "primer:def:index"
    code, out, _ = call("notation", primer_folder())
    assert code == 0
    assert "[G : H]" in out
    assert "Definition 3.3.4 [def:index]" in out
    rows = json.loads(call("notation", primer_folder(), "--format", "json")[1])
    assert {"symbol", "text", "meaning", "statement", "name"} == set(rows[0])
