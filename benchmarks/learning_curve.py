"""How well the shipped trees rank the books of unseen authors, by the number of authors that they are trained on.

    python benchmarks/learning_curve.py --projects FOLDER ... --corpora stacks primer --seeds 2 \
        --output docs/images/learning-curve.svg

The questions, the folds of author groups and the settings are those of ``ship_ranker.py``. For every fold and seed the
other groups are put into random order, and the trees are trained on the books of the first 5, 10, 20 and all of them,
and on all of them together with the corpora. Figures are macro means over books with enough questions; intervals of
95 % resample books.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from naturalproofs.apps.report.plots import INK, STYLE
from ship_ranker import FEWEST, NEVER, PLACED, Pools, corpus_books, figures, folds, pools, suite_books, trained

SIZES = (5, 10, 20)
MEASURES = ("mAP", "R@10", "Hit@1")
Found = dict[tuple[str, str], dict[str, list[tuple[float, float, float]]]]
"""By step and way of asking, the figures of each book, one for each seed."""


def ask(found: Found, step: str, shown: Sequence[Pools], asked: Sequence[Pools], seed: int) -> None:
    """Train on some pools and measure others."""
    trees = trained(shown, seed)
    for part in asked:
        if len(part.rows) + len(part.missed) >= FEWEST:
            own = figures(part, [trees.scores(rows.table) for rows in part.rows])
            found[step, part.way].setdefault(part.book.name, []).append(own)


def others_than(fold: Sequence[str], parts: Sequence[Pools]) -> list[str]:
    """The author groups that trees for a fold may be trained on."""
    return sorted({part.book.group for part in parts if part.book.name not in NEVER}.difference(fold))


def curve(parts: Sequence[Pools], corpora: Sequence[Pools], seeds: int) -> Found:
    """The figures of each step; every book is asked with trees that have not seen its author."""
    found: Found = defaultdict(dict)
    by_group: dict[str, list[Pools]] = {}
    for part in parts:
        by_group.setdefault(part.book.group, []).append(part)
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        for fold in folds(parts, ()):
            asked = [part for group in fold for part in by_group[group]]
            others = others_than(fold, parts)
            random.shuffle(others)
            for size in (*SIZES, len(others)):
                shown = [part for group in others[:size] for part in by_group[group]]
                ask(found, str(size) if size in SIZES else "all", shown, asked, seed)
            if corpora:
                ask(found, "all and corpora", [*shown, *corpora], asked, seed)
        print(f"{seed + 1} seeds, {time.process_time():.0f} s", flush=True)
        report(found)
    return found


def means(books: dict[str, list[tuple[float, float, float]]]) -> np.ndarray:
    """Means over books, and the ends of their intervals, by measure."""
    values = np.array([np.mean(rows, axis=0) for rows in books.values()])
    random = np.random.default_rng(0)
    drawn = [values[random.integers(0, len(values), len(values))].mean(axis=0) for _ in range(2000)]
    return np.vstack([values.mean(axis=0), np.percentile(drawn, [2.5, 97.5], axis=0)])


def report(found: Found) -> None:
    """Print a row for each step and way of asking."""
    print(f"| trained on authors | asked | books | {' | '.join(MEASURES)} |")
    print(f"| --- | --- | --: |{' --: |' * len(MEASURES)}")
    for (step, way), books in found.items():
        cells = [f"{mean:.1f} ({low:.1f}–{high:.1f})" for mean, low, high in means(books).T]
        print(f"| {step} | {way} | {len(books)} | {' | '.join(cells)} |", flush=True)


def draw(found: Found, authors: int, path: Path) -> None:
    """Write the curve as SVG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 3.6), layout="constrained")
        for axes, measure in zip(figure.subplots(1, 2), MEASURES[:2], strict=True):
            for way, line in zip(PLACED, ("o-", "s--"), strict=True):
                steps = [
                    (authors if step == "all" else int(step), means(books)[0])
                    for (step, one), books in found.items()
                    if one == way and not step.endswith("corpora")
                ]
                heights = [row[MEASURES.index(measure)] for _, row in steps]
                axes.plot([size for size, _ in steps], heights, line, color=INK, label=way)
                whole = found.get(("all and corpora", way))
                if whole:
                    axes.plot(
                        [authors * 1.12],
                        means(whole)[0][MEASURES.index(measure)],
                        line[0],
                        color="#b3541e",
                        label=f"{way}, with corpora",
                    )
            axes.set_xscale("log")
            axes.set_xticks([*SIZES, authors], [*map(str, SIZES), str(authors)], minor=False)
            axes.minorticks_off()
            axes.set(title=measure, xlabel="authors in training", ylabel="percent, unseen authors")
        axes.legend(frameon=False, fontsize=8)
        figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> None:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--projects", type=Path, nargs="+", required=True)
    parser.add_argument("--corpora", type=Path, nargs="+", default=[])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    parts = [part for book in suite_books(given.projects) for part in pools(book, placed=True)]
    corpora = [part for folder in given.corpora for book in corpus_books(folder) for part in pools(book, placed=True)]
    print(f"{sum(len(part.rows) for part in parts)} pools, {time.process_time():.0f} s", flush=True)
    found = curve(parts, corpora, given.seeds)
    if given.output is not None:
        authors = round(np.mean([len(others_than(fold, parts)) for fold in folds(parts, ())]))
        draw(found, authors, given.output)


if __name__ == "__main__":
    main()
