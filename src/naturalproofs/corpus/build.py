"""From a source to a checked corpus."""

from dataclasses import dataclass, field
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.invariants import check_corpus
from naturalproofs.corpus.resolve import Unresolved, resolve
from naturalproofs.errors import SourceNotFound
from naturalproofs.io.collector import collector_paused
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Anchor, Diagnostic, Draft, Rules, Split
from naturalproofs.source import Source


@dataclass(frozen=True, slots=True)
class Built:
    """A corpus and all that is to be said about its making."""

    corpus: Corpus
    unresolved: tuple[Unresolved, ...]
    diagnostics: tuple[Diagnostic, ...]
    splits: dict[str, Split]
    """What the source brought along; empty for most."""
    anchors: dict[str, Anchor] = field(default_factory=dict)
    """Every label of the source, those of sections and equations included."""


def build(
    source: Source,
    path: Path,
    *,
    name: str,
    rules: Rules = "fixed",
    progress: Progress = silent,
    lean: bool = False,
) -> Built:
    """Read a source, resolve its references and check the result.

    Args:
        source: What the path holds.
        path: The source's file or folder.
        name: The name of the corpus.
        rules: How to read.
        progress: Called with work done and work in all.
        lean: Leave statements on disk that the source left there, and forget the labels: memory is then for the graph
            alone, but every look at the statements reads them anew.
    """
    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder")
    with collector_paused():
        draft = source.read(path, name=name, rules=rules, progress=progress)
        statements, resolution, unresolved = resolve(draft, rules)
    if not lean:
        statements = tuple(statements)
    corpus = Corpus(name, statements, _provenance(source, rules, draft), resolution, draft.inputs)
    check_corpus(corpus)
    if not statements:
        raise SourceNotFound(f"{path}: no statements found; is this really a source of kind {source.info.name!r}?")
    return Built(corpus, unresolved, draft.diagnostics, draft.splits, {} if lean else dict(draft.anchors))


def _provenance(source: Source, rules: Rules, draft: Draft) -> Provenance:
    """What the source says about itself, and what it found in the files about them."""
    info, about = source.info, draft.about
    return Provenance(
        source=info.name,
        rules=rules,
        title=about.get("title", info.title),
        authors=about.get("authors", info.authors),
        licence=about.get("licence", info.licence),
        url=about.get("url", info.url),
        citation=about.get("citation", info.citation),
        revision=about.get("revision", info.revision),
        split=info.split,
    )
