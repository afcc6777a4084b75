"""Statements are shown with the macros of their own document."""

from naturalproofs.apps.web.render import Renderer
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.document_macros import ProjectMacros, macros_for, with_defaults
from naturalproofs.workspace.render import full_name, preview

DOCUMENT = r"""\documentclass{{book}}
\usepackage{{amsthm}}\newtheorem{{theorem}}{{Theorem}}
\newcommand{{\same}}{{s}}\newcommand{{\field}}{{{body}}}
\begin{{document}}
\begin{{theorem}}[On $\field$]\label{{t{number}}} We have $x\in\field\same$. \end{{theorem}}
\end{{document}}
"""


def test_documents_with_different_preambles(tmp_path):
    for number, body in ((1, r"\mathbb{R}"), (2, r"\mathcal{R}")):
        (tmp_path / f"part{number}").mkdir()
        text = DOCUMENT.format(number=number, body=body)
        (tmp_path / f"part{number}" / "main.tex").write_text(text)
    for home in (Workspace.open(tmp_path).home, Workspace.open(tmp_path).home):  # Read again, and from the cache.
        assert isinstance(home.macros, ProjectMacros)
        assert all(set(own) == {"field"} for own in home.macros.documents.values())
        shown = {one.label[-2:]: preview(one, home.macros) for one in home.statements}
        assert shown == {"t1": "We have x ∈ ℝs.", "t2": "We have x ∈ ℛs."}
        assert {full_name(one, home.macros)[-2] for one in home.statements} == {"ℝ", "ℛ"}
        renderer = Renderer(home, with_defaults({}, home.macros))
        pages = [str(renderer.statement(one)) for one in home.statements]
        assert sorted("ℝ" in page for page in pages) == [False, True]
        first = home.statements[0]
        assert macros_for(home.macros, first) is macros_for(home.macros, first)


def test_one_document_has_one_set_of_macros(tmp_path):
    (tmp_path / "main.tex").write_text(DOCUMENT.format(number=1, body="R"))
    home = Workspace.open(tmp_path).home
    assert macros_for(home.macros, home.statements[0]) is home.macros
