"""Plots of a corpus: references per proof, in-degrees, categories. Needs the extra ``plots``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalproofs.apps.report import statistics
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import MissingExtra, TooLarge
from naturalproofs.io.outputs import write_output

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#31456a"
SHORT = 40
"""Longer category names are truncated."""

STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#444444",
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "font.size": 10,
    # Fixed ids, and text as text: equal corpora give equal files, and words can be searched.
    "svg.hashsalt": "naturalproofs",
    "svg.fonttype": "none",
    # Category names may contain dollar signs, which do not mark formulas.
    "text.parse_math": False,
}


def references_per_proof(corpus: Corpus, axes: Axes) -> bool:
    """Histogram of references per proof."""
    counts = statistics.references_per_proof(corpus)
    last = len(counts) - 1
    axes.bar(range(last + 1), list(counts.values()), color=INK, width=0.85)
    if f"{last}+" in counts:
        axes.set_xticks([*range(0, last, 5), last], [*map(str, range(0, last, 5)), f"{last}+"])
    axes.set(title=f"References per proof in {corpus.name}", xlabel="references, repeats included", ylabel="proofs")
    axes.grid(visible=False, axis="x")
    return True


def in_degrees(corpus: Corpus, axes: Axes) -> bool:
    """Distribution of in-degrees, on logarithmic axes."""
    counts = statistics.in_degrees(ReferenceGraph.of(corpus))
    never = counts.pop(0, 0)
    axes.loglog(list(counts), list(counts.values()), "o", color=INK, markersize=4, alpha=0.8)
    axes.set(
        title=f"How often a statement is used in {corpus.name}",
        xlabel="statements that use it",
        ylabel="statements",
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,.0f}")
    if never:
        axes.annotate(f"{never:,} are never used", (0.98, 0.95), xycoords="axes fraction", ha="right", va="top")
    return True


def categories(corpus: Corpus, axes: Axes) -> bool:
    """The largest categories, by number of statements."""
    axes.set(title=f"Largest categories of {corpus.name}", xlabel="statements")
    return _bars(Counter(category for statement in corpus.statements for category in statement.categories), axes)


def toplevel_categories(corpus: Corpus, axes: Axes) -> bool:
    """Theorems by top-level subject of a wiki; a theorem counts in each of its subjects."""
    axes.set(title=f"Theorems by subject in {corpus.name}", xlabel="theorems")
    return _bars(Counter(c for s in corpus.statements for c in s.toplevel_categories or ()), axes)


def _bars(counts: Counter[str], axes: Axes) -> bool:
    """The twenty largest, largest on top; False if there are none."""
    top = counts.most_common(20)[::-1]
    names = [name if len(name) <= SHORT else name[: SHORT - 1] + "…" for name, _ in top]
    axes.barh(names, [count for _, count in top], color=INK)
    axes.grid(visible=False, axis="y")
    return bool(top)


PLOTS: dict[str, Callable[[Corpus, Axes], bool]] = {
    "references-per-proof": references_per_proof,
    "in-degrees": in_degrees,
    "categories": categories,
    "toplevel-categories": toplevel_categories,
}
"""Each draws one plot, and gives False if there is nothing to draw."""


def draw(corpus: Corpus, folder: Path) -> list[Path]:
    """Draw every plot as SVG and PNG; plots without data are left out."""
    written = []
    for name, plot in PLOTS.items():
        with _figure() as figure:
            if not plot(corpus, figure.add_subplot()):
                continue
            for style in ("svg", "png"):
                path = folder / f"{corpus.name}-{name}.{style}"
                metadata = {"Date": None} if style == "svg" else {"Software": None}
                drawn = BytesIO()
                figure.savefig(drawn, format=style, dpi=150, bbox_inches="tight", metadata=metadata)
                write_output(path, drawn.getvalue())
                written.append(path)
    return written


@contextmanager
def _figure() -> Iterator[Figure]:
    try:
        import matplotlib
        from matplotlib.figure import Figure as NewFigure
    except ImportError as error:
        raise MissingExtra("drawing plots", "plots") from error
    with matplotlib.rc_context(STYLE):
        try:
            yield NewFigure(figsize=(7, 4.3), layout="constrained")
        except RuntimeError as error:  # The library for fonts raises it if no memory is left.
            raise TooLarge(f"a plot cannot be drawn ({error}); close other programs, or repair the fonts") from error
