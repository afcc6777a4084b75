"""Whatever the source, what is shown is well formed, made of known elements, and holds no markup of the source's."""

import xml.etree.ElementTree as ET

from hypothesis import example, given
from hypothesis import strategies as st

from naturalproofs.sources.latex import macros_of
from naturalproofs.sources.latex.display import Formulas, Prose, plain_unicode

MACROS = macros_of(
    [
        r"\newcommand{\abs}[1]{\left\lvert #1 \right\rvert}\DeclareMathOperator{\Hom}{Hom}"
        r"\newcommand\two[2][x]{#1^{#2}}"
        r"\def\loop{\loop\loop}\def\ping{\pong}\def\pong{\ping x}\newcommand{\bt}{\begin{enumerate}}"
    ]
)
KNOWN = frozenset(
    "math mrow mi mn mo mtext mspace msub msup msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd "
    "mphantom mpadded div span em strong code pre u small ul ol li br a".split()
)
ATTRIBUTES = frozenset(
    "class display mathvariant stretchy fence form lspace rspace movablelimits width linethickness accent accentunder "
    "minsize maxsize href data-node".split()
)
WORDS = r"""\frac \sqrt [ ] { } { } ^ _ & \\ $ $$ \( \) \[ \] \left \right ( ) | \{ \} \text \mbox \begin{cases}
    \end{cases} \begin{enumerate} \item \end{enumerate} \begin{align} \end{align} \abs \Hom \two \loop \ping \bt \ref{a}
    \cref{a,b} \hyperref[a]{x} \cite[2]{b} \emph \textbf \bf \it ~ `` '' -- --- %
    \footnote \href{javascript:alert(1)}{x} \unknown
    \' \" \c \ss <script> </script> <img onerror=x> &amp; " ' \mathbb \mathcal \operatorname \over \not \in \sum \lim
    \limits \limits_ \begin \end \label{x} \xrightarrow \overline \big \substack \begin{array}{cc} \end{array}
    \hspace{1em}
    \begin{foo} \end{foo} x 12 α"""
PIECES = st.sampled_from([*WORDS.split(), " ", "\n", "\n\n", "\x00", "\u2028"])
SOURCES = (
    st.lists(PIECES, max_size=30).map(" ".join) | st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=60)
)


def elements(markup: str) -> ET.Element:
    # XML forbids some signs that HTML bears; they are not what is tested here.
    allowed = "".join(sign for sign in markup if sign in "\n\t" or (sign >= " " and sign not in "\ufffe\uffff"))
    allowed = allowed.encode("utf-8", "replace").decode()
    return ET.fromstring(f"<div>{allowed.replace('<br>', '<br/>')}</div>")


@given(SOURCES)
@example(r"\begin{enumerate}\item {\bf a \item \emph{b \end{enumerate}")
@example(r"\ping $\loop$ \bt")
@example("{" * 200)
def test_prose_is_well_formed_and_known(source: str) -> None:
    prose = Prose(Formulas(MACROS), lambda key, command, shown: f'<a href="#" data-node="1">{shown or "x"}</a>')
    for element in elements(prose.render(source)).iter():
        assert element.tag in KNOWN
        assert set(element.attrib) <= ATTRIBUTES
        assert element.get("href", "#") == "#"


@given(SOURCES, st.booleans())
@example(r"\left( \left[ x \right.", False)
@example("{" * 100 + "}" * 100, False)
@example(r"x^\frac{1}{", True)
def test_formulas_are_well_formed_or_refused(source: str, display: bool) -> None:
    made = Formulas(MACROS).render(source, display=display)
    if made is not None:
        assert {element.tag for element in elements(made).iter()} <= KNOWN


@given(SOURCES)
def test_plain_text_never_fails_and_is_one_line(source: str) -> None:
    assert "\n" not in plain_unicode(source, MACROS)
