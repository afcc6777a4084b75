"""Commutative diagrams: the grid and the arrows that are read, what is drawn, and what is refused."""

import pytest

from naturalproofs.sources.latex import macros_of
from naturalproofs.sources.latex.display import Formulas, Prose
from naturalproofs.sources.latex.display.cursor import CannotRender
from naturalproofs.sources.latex.display.diagram import DiagramArrow, Label, read_diagram


def html(source: str) -> str:
    return Prose(Formulas({}), lambda key, _command, shown: shown or key).render(source)


def test_a_square_of_tikzcd() -> None:
    square = read_diagram(
        "tikzcd",
        r"A \arrow[r, hook, \"f\"] \arrow[d, dashed, \"{g, h}\"'] & B \arrow[d] \\ C \arrow[r, equal] & D".replace(
            r"\"", '"'
        ),
    )
    assert square.cells == (("A", "B"), ("C", "D"))
    assert square.arrows == (
        DiagramArrow((0, 0), (0, 1), (Label("f", 1),), tail="hook"),
        DiagramArrow((0, 0), (1, 0), (Label("g, h", -1),), line="dashed"),
        DiagramArrow((0, 1), (1, 1)),
        DiagramArrow((1, 0), (1, 1), line="double", head="none"),
    )


def test_the_same_square_in_three_notations() -> None:
    tikz = read_diagram("tikzcd", r"""A \ar[r, "f"] \ar[d, "g"'] & B \ar[d, "h"] \\ C \ar[r, "k"'] & D""")
    xy = read_diagram("xymatrix", r"A \ar[r]^f \ar[d]_g & B \ar[d]^{h} \\ C \ar[r]_-{k} & D")
    cd = read_diagram("CD", r"A @>f>> B \\ @VgVV @VVhV \\ C @>>k> D")
    assert tikz.cells == xy.cells == cd.cells == (("A", "B"), ("C", "D"))
    assert set(tikz.arrows) == set(xy.arrows) == set(cd.arrows)


@pytest.mark.parametrize(
    ("written", "arrow"),
    [
        (r"\ar[rd]", DiagramArrow((0, 0), (1, 1))),
        (r"\ar[from=1-1, to=2-2]", DiagramArrow((0, 0), (1, 1))),
        (r"\drar", DiagramArrow((0, 0), (1, 1))),
        (r"\dar[swap]{g}", DiagramArrow((0, 0), (1, 0), (Label("g", -1),))),
        (r'\rar["f", hook]', DiagramArrow((0, 0), (0, 1), (Label("f", 1),), tail="hook")),
        (r"\arrow{d}[swap]{g}", DiagramArrow((0, 0), (1, 0), (Label("g", -1),))),
        (r"\arrow{r}{f}[swap]{g}", DiagramArrow((0, 0), (0, 1), (Label("f", 1), Label("g", -1)))),
        (r"\ar[r, bend left=20]", DiagramArrow((0, 0), (0, 1), bend=20.0)),
        (r"\ar[r, shift right]", DiagramArrow((0, 0), (0, 1), shift=-1.0)),
        (r"\ar[r, leftarrow]", DiagramArrow((0, 1), (0, 0))),
        (r"\ar[r, two heads]", DiagramArrow((0, 0), (0, 1), head="two")),
        (
            r'\ar[r, phantom, "\simeq" description]',
            DiagramArrow((0, 0), (0, 1), (Label(r"\simeq", 0),), "none", head="none"),
        ),
    ],
)
def test_arrows_of_tikzcd(written: str, arrow: DiagramArrow) -> None:
    assert read_diagram("tikzcd", rf"A {written} & B \\ C & D").arrows == (arrow,)


@pytest.mark.parametrize(
    ("written", "arrow"),
    [
        (r"\ar@{^(->}[r]", DiagramArrow((0, 0), (0, 1), tail="hook")),
        (r"\ar@{-->}[d]", DiagramArrow((0, 0), (1, 0), line="dashed")),
        (r"\ar@/^1pc/[r]^f", DiagramArrow((0, 0), (0, 1), (Label("f", 1),), bend=35.0)),
        (r"\ar@<-1ex>[r]", DiagramArrow((0, 0), (0, 1), shift=-1.0)),
        (r"\ar[r]^-{a}_(.3){b}", DiagramArrow((0, 0), (0, 1), (Label("a", 1), Label("b", -1)))),
    ],
)
def test_arrows_of_xymatrix(written: str, arrow: DiagramArrow) -> None:
    assert read_diagram("xymatrix", rf"A {written} & B \\ C & D").arrows == (arrow,)


@pytest.mark.parametrize(
    "body",
    [
        r"A \ar[r, loop left] & B",
        r"A \ar[rrr] & B",
        r"A \ar[r, to path={(\tikztostart) -- (\tikztotarget)}] & B",
        r"A \ar & B",
    ],
)
def test_what_is_not_a_grid_with_arrows_is_refused(body: str) -> None:
    with pytest.raises(CannotRender):
        read_diagram("tikzcd", body)


def test_a_diagram_is_drawn_and_one_that_cannot_be_is_shown_as_source() -> None:
    drawn = html(r'\[\begin{tikzcd} A \ar[r, "f"] & B^2 \end{tikzcd}\]')
    assert drawn.startswith('<div class="figure"><svg')
    assert "<mi>A</mi>" in drawn
    assert "<mi>f</mi>" in drawn
    refused = html(r"\[\begin{tikzcd} A \ar[loop] & <b> \end{tikzcd}.\]")
    assert "<svg" not in refused
    assert "<details" in refused
    assert "&lt;b&gt;" in refused


@pytest.mark.parametrize("formula", [r"$%s=C$", r"\[\left(%s\right).\]", r"\[%s.\]"])
def test_a_diagram_inside_a_formula_is_a_part_of_it(formula: str) -> None:
    drawn = html(formula % r'\begin{tikzcd} A \ar[r, "f"] & B^2 \end{tikzcd}')
    assert "<mtext><span><svg" in drawn
    assert drawn.endswith("</math>")
    refused = html(r"$\hom(\begin{tikzcd} A \ar[loop] & <b> \end{tikzcd})$")
    assert '<mtext class="tex">\\begin{tikzcd}' in refused
    assert "&lt;b&gt;" in refused


def test_a_diagram_whose_arrows_are_made_by_macros_is_not_drawn_without_them() -> None:
    macros = macros_of([r"\newcommand{\qw}[1][-1]{\ar @{-} [0,#1]}"])
    shown = Prose(Formulas(macros), lambda _key, _command, own: own).render(r"\[\xymatrix{A & \qw \\ B & \qw}\]")
    assert "<svg" not in shown
    assert r"\xymatrix{A &amp; \qw" in shown
