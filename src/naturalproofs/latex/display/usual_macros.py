"""Commands that LaTeX does not define, with the meaning that most authors give them, for texts without a definition.

Names of operators that `symbols` lists are not repeated here.
"""

from naturalproofs.latex.macros.macro import Macro, Macros
from naturalproofs.latex.macros.table import macros_of

_BLACKBOARD = "N Z Q R C".split()
_OPERATORS = (
    "Spec Proj Hom Ext Tor Ob Mor Aut End Gal Pic Div Cl Fun Sym Ann Ass Supp Frac Char Tr Stab Orb Iso Isom Res Ind "
    "Ker Coker Coim im depth trdeg dist conv span rot"
).split()
_SLANTED = "Sch QCoh Coh Sh PSh Mod Ab Sets Groups Rings Vect Cat Top".split()
_OTHERS = r"""
\newcommand{\RR}{\mathbb{R}} \newcommand{\ZZ}{\mathbb{Z}} \newcommand{\NN}{\mathbb{N}} \newcommand{\QQ}{\mathbb{Q}}
\newcommand{\CC}{\mathbb{C}} \newcommand{\FF}{\mathbb{F}} \newcommand{\PP}{\mathbb{P}}
\newcommand{\eps}{\varepsilon} \newcommand{\vphi}{\varphi}
\newcommand{\etale}{\mathrm{\acute{e}tale}} \newcommand{\proetale}{\mathrm{pro\text{-}\acute{e}tale}}
\newcommand{\SheafHom}{\mathop{\mathcal{H}\mathit{om}}} \newcommand{\NL}{\mathop{\mathit{NL}}}
\newcommand{\con}{\equiv} \newcommand{\ds}{\displaystyle}
\NewDocumentCommand{\abs}{som}{\left\lvert #3\right\rvert}
\NewDocumentCommand{\norm}{som}{\left\lVert #3\right\rVert}
\NewDocumentCommand{\set}{som}{\left\{#3\right\}} \NewDocumentCommand{\Set}{som}{\left\{#3\right\}}
\newcommand{\bra}[1]{\langle #1|} \newcommand{\ket}[1]{|#1\rangle}
\newcommand{\vdotswithin}[1]{\vdots} \newcommand{\prescript}[3]{{}^{#1}_{#2}#3}
\newcommand{\smashoperator}[2][]{#2} \newcommand{\MoveEqLeft}[1][]{} \newcommand{\faktor}[2]{\sfrac{#1}{#2}}
\newcommand{\widebar}[1]{\overline{#1}}
\newcommand{\sb}{_} \newcommand{\sp}{^} \newcommand{\centernot}{\not} \newcommand{\cramped}[2][]{#2}
"""
USUAL: Macros = {
    **{name: Macro.of(name, 0, f"\\mathbb{{{name}}}") for name in _BLACKBOARD},
    **{name: Macro.of(name, 0, f"\\operatorname{{{name}}}") for name in _OPERATORS},
    **{name: Macro.of(name, 0, f"\\mathit{{{name}}}") for name in _SLANTED},
    **macros_of([_OTHERS]),
}
"""Commands of common packages and habits."""
