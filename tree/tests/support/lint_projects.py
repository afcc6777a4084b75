"""Small LaTeX projects for the rules, written to a folder."""

from pathlib import Path
from textwrap import dedent

from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check import Finding, Report, Selection

PREAMBLE = r"""
\documentclass{article}
\usepackage{amsthm,cleveref}
\newtheorem{theorem}{Theorem}
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{corollary}[theorem]{Corollary}
\newtheorem{conjecture}[theorem]{Conjecture}
\newtheorem{definition}[theorem]{Definition}
"""


def write_project(folder: Path, body: str, **files: str) -> Path:
    main = folder / "main.tex"
    main.write_text(f"{PREAMBLE.strip()}\n\\begin{{document}}\n{dedent(body).strip()}\n\\end{{document}}\n")
    for name, text in files.items():
        (folder / f"{name}.tex").write_text(dedent(text).strip() + "\n")
    return main


def check(main: Path, **selection: object) -> Report:
    return Workspace.open(main, cache=False).check(Selection(**selection))


def found(main: Path, rule: str) -> list[Finding]:
    return list(check(main, select={rule}).findings)
