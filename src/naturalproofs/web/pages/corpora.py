"""The pages of corpora: a list, the figures and plots of each, and its chapters."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup

from naturalproofs.records import Statement
from naturalproofs.report.statistics import all_tables
from naturalproofs.report.table import to_html
from naturalproofs.web.charts import Plot, Ranking, columns, dots
from naturalproofs.web.errors import RequestError
from naturalproofs.web.site import ServedCorpus, Site
from naturalproofs.web.templating import render
from naturalproofs.web.urls import corpus_url, statement_url

LONGEST = 30
"""The last column of the distribution of references per proof."""
SHOWN = 200
"""Statements of a chapter on one page."""
LARGEST = 14
"""Rows of a ranking."""
NAMED = 60
"""Characters of a statement without title in a ranking."""


def corpora_page(site: Site) -> str:
    """All corpora."""
    return render("corpora.html", corpora=site.corpora)


def corpus_page(site: Site, name: str) -> str:
    """One corpus in figures."""
    corpus = site.corpus(name)
    provenance = corpus.corpus.provenance
    about = [provenance.authors, f"read as {provenance.source}", provenance.licence or "licence not stated"]
    return render(
        "corpus.html",
        corpus=corpus,
        about=[part for part in about if part],
        plots=[_references_per_proof(corpus), _usage(corpus)],
        rankings=[one for one in (_parts(corpus), _most_used(corpus)) if one],
        tables=[(table.title, Markup(to_html(table))) for table in all_tables([corpus.statistics])],
    )


def chapter_page(site: Site, name: str, chapter: str) -> str:
    """The statements of a chapter, in order."""
    corpus = site.corpus(name)
    found = corpus.chapters.get(chapter)
    if found is None:
        raise RequestError(404, "not-found", f"no chapter is called {chapter[:80]!r} in {name}", "chapter")
    sections: dict[str, list[Statement]] = {}
    for statement in found[:SHOWN]:
        sections.setdefault(statement.place.section if statement.place else "", []).append(statement)
    return render(
        "chapter.html",
        corpus=corpus,
        chapter=chapter,
        total=len(found),
        sections=sections,
        left_out=len(found) - SHOWN,
    )


def _references_per_proof(corpus: ServedCorpus) -> Plot:
    counts = Counter(len(proof.references) for statement in corpus.corpus.statements for proof in statement.proofs)
    longest = max(counts, default=0)
    last = min(longest, LONGEST)
    heights = [*(counts[k] for k in range(last)), sum(n for k, n in counts.items() if k >= last)]
    names = [*map(str, range(last)), f"{last}+" if longest > last else str(last)]
    return columns("References per proof", heights, names, "references, repeats included", "proofs")


def _usage(corpus: ServedCorpus) -> Plot:
    counts = Counter(len(corpus.graph.used_by.get(node, ())) for node in corpus.graph.nodes)
    never = counts.pop(0, 0)
    title = f"How often a statement is used ({never:,} never)"
    return dots(title, sorted(counts.items()), "statements that use it", "statements")


def _parts(corpus: ServedCorpus) -> Ranking | None:
    """Chapters, or categories where there are none."""
    if corpus.chapters:
        rows = [
            (corpus.renderer.plain_text(name), len(found), corpus_url(corpus.name, chapter=name))
            for name, found in corpus.chapters.items()
        ]
        return Ranking("Chapters", rows, "statements")
    categories = Counter(category for statement in corpus.corpus.statements for category in statement.categories)
    rows = [(name, number, "") for name, number in categories.most_common(LARGEST)]
    return Ranking("Largest categories", rows, "statements") if rows else None


def _most_used(corpus: ServedCorpus) -> Ranking:
    renderer = corpus.renderer
    rows = [
        (
            f"{renderer.name(one)} {renderer.plain_text(one.title) or renderer.plain_summary(one, NAMED)}",
            len(corpus.graph.used_by.get(one.id, ())),
            statement_url(one.id),
        )
        for one in corpus.most_used[:LARGEST]
    ]
    return Ranking("Used most", rows, "statements use it")
