"""Statements at the width of a small phone: the page never scrolls sideways, and what is wide scrolls in its own box.

NATURALPROOFS_LARGE=1 tries 200 statements of each corpus instead of 20; NATURALPROOFS_PHONE names further corpora,
separated as in PATH.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from naturalproofs.apps.web.site import Site
from naturalproofs.apps.web.templating import url
from naturalproofs.data import primer_folder
from naturalproofs.workspace import Workspace
from support import chromium
from support.site_tab import SiteTab
from support.web_server import listening

pytestmark = chromium.needed
WIDTH = 360
NUMBER = 200 if os.environ.get("NATURALPROOFS_LARGE") else 20
FOLDERS = [primer_folder(), *map(Path, filter(None, os.environ.get("NATURALPROOFS_PHONE", "").split(os.pathsep)))]
CUT_OFF = """
const limit = arguments[0] + 1;
const fits = (e) => e.getBoundingClientRect().right <= limit;
const scrolls = (e) => ['auto', 'scroll'].includes(getComputedStyle(e).overflowX) && fits(e);
const inBox = (e) => { for (let up = e; up; up = up.parentElement) if (scrolls(up)) return true; return false; };
return [...document.querySelectorAll('main math, main table, main pre, main img, main .diagram')]
  .filter((e) => e.checkVisibility() && !fits(e) && !inBox(e))
  .map((e) => e.outerHTML.slice(0, 120));
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    with chromium.started(tmp_path_factory.mktemp("profile"), "800,740") as started:
        yield started


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_statement_scrolls_the_page_sideways(driver: object, folder: Path) -> None:
    workspace = Workspace.open([folder])
    statements = workspace.home.statements
    chosen = random.Random(7).sample(statements, min(NUMBER, len(statements)))
    too_wide = {}
    with listening(Site.of(workspace)) as address:
        tab = SiteTab(driver, address)
        tab.screen(WIDTH, 740)
        for statement in chosen:
            tab.open(url("statement", statement.id))
            assert tab.count("div.statement") == 1, statement.id
            tab.run("for (const d of document.querySelectorAll('details')) d.open = true")
            width = tab.run("return document.documentElement.scrollWidth")
            cut_off = tab.run(CUT_OFF, WIDTH)
            if width > WIDTH or cut_off:
                too_wide[statement.id] = (width, cut_off)
    assert too_wide == {}


LONG = r"""
\documentclass{article}
\title{On the many properties of a very long title that does not fit on the screen of any telephone}
\newtheorem{theorem}{Theorem}
\newtheorem{definition}{Definition}
\begin{document}
\begin{definition}\label{def:a} The \emph{size} of $A$ is written $\lvert A \rvert$. \end{definition}
\begin{theorem}\label{thm:a} It is finite by
\cite[Section 4, the remark that follows the second theorem]{book}. \end{theorem}
\begin{thebibliography}{9}\bibitem{book} A. Author, A Book.\end{thebibliography}
\end{document}
"""
NARROW = "return [...document.querySelectorAll('main dd, main td')].filter((e) => e.clientWidth < 150).length"


def test_lists_can_be_read_and_a_long_title_widens_nothing(driver: object, tmp_path: Path) -> None:
    (tmp_path / "long").mkdir()
    (tmp_path / "long" / "main.tex").write_text(LONG)
    with listening(Site.of(Workspace.open([tmp_path / "long", primer_folder()]))) as address:
        tab = SiteTab(driver, address)
        tab.screen(WIDTH, 740)
        for path in ("/", "/?q=finite", "/corpus/long/outside", "/corpus/long/notation"):
            tab.open(path)
            assert tab.run("return document.documentElement.scrollWidth") == WIDTH, path
            assert tab.run(NARROW) == 0, path
        assert tab.count("main td") == 3
