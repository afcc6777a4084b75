"""Reading one document of a project: from its files, or from what was kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from naturalproofs.latex.auxiliary import printed_numbers
from naturalproofs.latex.dialect import Dialect, make_dialect
from naturalproofs.latex.documents import Document, Language, open_document
from naturalproofs.latex.drafts import StatementDraft
from naturalproofs.latex.frames import Reading
from naturalproofs.latex.kept import (
    Keeper,
    KeptDocument,
    KeptFile,
    freeze,
    thaw,
    trail_files,
    trail_lookups,
)
from naturalproofs.latex.numbering import Numbering
from naturalproofs.latex.project_reader import ProjectReader
from naturalproofs.latex.settings import Settings
from naturalproofs.latex.tree import Trail, Tree
from naturalproofs.latex.words import Role


@dataclass(frozen=True, slots=True)
class DocumentReader:
    """Reads documents into one reading."""

    tree: Tree
    reading: Reading
    settings: Settings
    overrides: Mapping[str, Role]

    def read(self, document: Document, scope: str, language: str, keeper: Keeper | None) -> tuple[KeptFile, ...]:
        """Read a document, and keep it if someone keeps; gives the files that it was read from."""
        kept = document.kept
        statements: Sequence[StatementDraft]
        if kept is not None and kept.scope == scope:
            statements, files = thaw(kept, self.reading), kept.files
        else:
            statements, files = self._anew(document, scope, language, keeper)
        numbers = printed_numbers(self.tree, self.tree.root / document.path, [file.path for file in files])
        for draft in statements if numbers else ():
            if draft.labels and draft.labels[0] in numbers:
                draft.number = numbers[draft.labels[0]]
        return files

    def _anew(
        self, document: Document, scope: str, language: str, keeper: Keeper | None
    ) -> tuple[Sequence[StatementDraft], tuple[KeptFile, ...]]:
        known = document.language or self._language(document)
        reading, tree = self.reading, self.tree
        counts = (len(reading.statements), len(reading.orphans), len(reading.anchors), len(reading.diagnostics))
        discovered = len(known.trail.opened)
        tree.trail = Trail(dict(known.trail.opened), dict(known.trail.sought))
        dialect = make_dialect(known.gathered, self.settings, self.overrides)
        ProjectReader(dialect, reading, tree, _numbering(dialect)).read_document(known.file, scope)
        trail, tree.trail = tree.trail, Trail()
        files = trail_files(tree, trail)
        if keeper is not None:
            parts = freeze(reading, counts)
            lookups = trail_lookups(tree, trail)
            keeper.keep(
                KeptDocument(
                    document.path, language, scope, document.length, document.others, files, discovered, lookups, *parts
                )
            )
        return reading.statements[counts[0] :], files

    def _language(self, document: Document) -> Language:
        """Open a document that was kept for other circumstances."""
        file = self.tree.open(self.tree.root / document.path)
        opened = open_document(self.tree, file) if file is not None else document
        if opened.language is None:
            raise AssertionError("a document that was read before can be opened")
        return opened.language


def _numbering(dialect: Dialect) -> Numbering:
    """The counters as they are when the document begins to be read."""
    gathered = dialect.gathered
    numbering = Numbering(gathered.document_class, dialect.declarations, chapters=gathered.chapters)
    for text, count in gathered.counts:
        numbering.command(count.command, text, count.offset)
    for name, other in gathered.aliases.items():
        if name.startswith("c@") and other.startswith("c@"):
            numbering.share(name[2:], other[2:])
    for macro in gathered.packaged:
        numbering.define_format(macro.name, macro.body)
    return numbering
