"""Whatever a project holds, reading it gives a valid corpus and diagnostics, never a traceback."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.corpus.corpus import Corpus, Provenance, check_corpus, resolve
from naturalproofs.errors import NoStatements
from naturalproofs.sources.latex.project.project import LATEX

BLOCKS = [
    *" ; ".join(
        r"""
\documentclass{article} ; \begin{document} ; \end{document} ; \newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma} ; \newtheorem*{ ; \theoremstyle{plain} ; \declaretheorem[name=Fact]{fact}
\newtcbtheorem{box}{Box}{}{b} ; \begin{box}{T}{l} ; \end{box} ; \begin{theorem} ; \end{theorem}
\begin{theorem}[Title] ; \begin{theorem*} ; \end{theorem*} ; \begin{lemma} ; \end{lemma} ; \begin{fact}
\end{fact} ; \begin{restatable}{lemma}{again} ; \begin{restatable*}[T]{theorem}{later} ; \end{restatable}
\end{restatable*} ; \again* ; \later ; \begin{proof} ; \end{proof} ; \begin{proof}[Proof of Theorem 1.1]
\begin{proof}[Proof of \ref{a}] ; \proof ; \endproof ; \section{Proof of Theorem~\ref{a}} ; \section{S}
\section*{S} ; \paragraph{Proof of Lemma 1.} ; \appendix ; \label{a} ; \label{b} ; \ref{a} ; \cref{a,b}
\crefrange{a}{b} ; \hyperref[a]{x \ref*{a}} ; \cite[Theorem 1]{K} ; Theorems 1.1--1.3
\newcommand{\m}[1]{\ref{#1}} ; \m{a} ; \m ; \def\bt{\begin{theorem}} ; \bt ; \bt[T] ; \def\et{\end{theorem}}
\et ; \newenvironment{w}[1]{\begin{theorem}[#1]}{\end{theorem}} ; \begin{w}{x} ; \end{w} ; \let\r\ref ; \r{b}
\input{other} ; \include{main} ; \setcounter{theorem}{3} ; \numberwithin{theorem}{section}
\renewcommand{\thetheorem}{\Alph{theorem}} ; \begin{align} ; \end{align} ; \begin{equation}\label{e}
\end{equation} ; \\ ; { ; } ; [ ; ] ; $ ; \endinput ; \externaldocument[x-]{other} ; \ref{x-a}
\usepackage{other} ; \begin{comment} ; \end{comment}
""".strip().split("\n")
    ).split(" ; "),
    "Theorem 1.1 ",
    "Lemmas 1.1 and 1.2 ",
    "\\input other ",
    "% ",
    "\n",
    "\n\n",
    "word ",
]

TEXTS = st.lists(st.sampled_from(BLOCKS), max_size=60).map("".join)


@given(TEXTS, TEXTS, st.binary(max_size=40))
def test_any_project_gives_a_valid_corpus(main, other, tail):
    with TemporaryDirectory() as folder:
        Path(folder, "main.tex").write_bytes(main.encode() + b" text" * 500 + tail)
        Path(folder, "other.tex").write_text(other)
        try:
            draft = LATEX.read(Path(folder, "main.tex"), name="p", rules="fixed")
        except NoStatements:
            return
        statements, resolution, unresolved = resolve(draft)
        check_corpus(Corpus("p", statements, Provenance("latex", "fixed"), resolution))
        assert resolution.mentions == resolution.references + len(unresolved)
        known = {path: Path(folder, path).read_bytes().count(b"\n") + 2 for path in ("main.tex", "other.tex")}
        for statement in statements:
            assert 1 <= statement.origin.line <= known[statement.origin.path] + tail.count(b"\r")
