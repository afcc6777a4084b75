"""Small LaTeX projects for the rules, written to a folder."""

from pathlib import Path
from textwrap import dedent

from naturalproofs.corpus.load import load_path
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.run import Report, Wanted, run

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


def check(main: Path, **wanted: object) -> Report:
    return run(load_path(main), Wanted(**wanted))


def found(main: Path, rule: str) -> list[Finding]:
    return list(check(main, select={rule}).findings)
