"""From a source to a checked corpus."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.corpus.invariants import check_corpus
from naturalproofs.corpus.resolve import Unresolved, resolve
from naturalproofs.errors import SourceNotFound
from naturalproofs.records import Anchor, Diagnostic, Draft, Rules, Split
from naturalproofs.sources.source import Progress, Source, silent


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


def build(source: Source, path: Path, *, name: str, rules: Rules = "fixed", progress: Progress = silent) -> Built:
    """Read a source, resolve its references and check the result."""
    if not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder")
    with collector_paused():
        draft = source.read(path, name=name, rules=rules, progress=progress)
        statements, resolution, unresolved = resolve(draft, rules)
    corpus = Corpus(name, statements, _provenance(source, rules, draft), resolution, draft.inputs)
    check_corpus(corpus)
    if not statements:
        raise SourceNotFound(f"{path}: no statements found; is this really a source of kind {source.info.name!r}?")
    return Built(corpus, unresolved, draft.diagnostics, draft.splits, draft.anchors)


def _provenance(source: Source, rules: Rules, draft: Draft) -> Provenance:
    info = source.info
    return Provenance(
        source=info.name,
        rules=rules,
        title=info.title,
        authors=info.authors,
        licence=info.licence,
        url=info.url,
        citation=info.citation,
        revision=draft.revision or info.revision,
        split=info.split,
    )


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: it finds nothing here, and walking all records costs a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
