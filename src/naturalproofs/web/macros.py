"""Default macros: commands that many authors define alike, for corpora without their preamble."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.latex.display import Macro, read_macros

_BLACKBOARD = "N Z Q R C F A K H".split()
_OPERATORS = (
    "Spec Proj Hom Ext Tor Ob Mor Aut End Gal Pic Div Cl Fun Sym Ann Ass Supp Frac Char Tr Stab Orb Iso Isom Res Ind "
    "Ker Coker Im Coim colim rank rk coker im id ord lcm supp codim depth trdeg sgn diam dist conv span vol grad rot"
).split()
_SLANTED = "Sch QCoh Coh Sh PSh Mod Ab Sets Groups Rings Vect Cat Top".split()
_OTHERS = r"""
\newcommand{\RR}{\mathbb{R}} \newcommand{\ZZ}{\mathbb{Z}} \newcommand{\NN}{\mathbb{N}} \newcommand{\QQ}{\mathbb{Q}}
\newcommand{\CC}{\mathbb{C}} \newcommand{\FF}{\mathbb{F}} \newcommand{\PP}{\mathbb{P}}
\newcommand{\abs}[1]{\left\lvert #1 \right\rvert} \newcommand{\norm}[1]{\left\lVert #1 \right\rVert}
\newcommand{\set}[1]{\left\{ #1 \right\}} \newcommand{\eps}{\varepsilon} \newcommand{\vphi}{\varphi}
\newcommand{\etale}{\mathrm{\acute{e}tale}} \newcommand{\proetale}{\mathrm{pro\text{-}\acute{e}tale}}
\newcommand{\SheafHom}{\mathop{\mathcal{H}\mathit{om}}} \newcommand{\NL}{\mathop{\mathit{NL}}}
\newcommand{\con}{\equiv} \newcommand{\ds}{\displaystyle} \newcommand{\defn}[1]{\emph{#1}}
"""


@cache
def default_macros() -> Mapping[str, Macro]:
    """Commands that LaTeX itself does not define, with their usual meaning."""
    return {
        **{name: Macro.of(name, 0, f"\\mathbb{{{name}}}") for name in _BLACKBOARD},
        **{name: Macro.of(name, 0, f"\\operatorname{{{name}}}") for name in _OPERATORS},
        **{name: Macro.of(name, 0, f"\\mathit{{{name}}}") for name in _SLANTED},
        **read_macros([_OTHERS]),
    }


def read_macro_files(files: tuple[str, ...]) -> dict[str, Macro]:
    """The macros that LaTeX files define."""
    texts = []
    for name in files:
        try:
            texts.append(Path(name).read_text("utf-8", "replace"))
        except OSError as error:
            raise SourceNotFound(f"{name}: the macros cannot be read ({error.strerror})") from error
    return read_macros(texts)
