"""Macros of projects whose documents define the same name in different ways.

A folder may hold several documents, each with its own preamble. A statement is shown with the macros of its document.
"""

from __future__ import annotations

from collections.abc import Mapping

from naturalproofs.records import Statement
from naturalproofs.sources.latex import Macro, Macros


class ProjectMacros(dict[str, Macro]):
    """The macros of a project, and those of its documents where documents differ."""

    def __init__(self, common: Macros, documents: Mapping[str, Macros]) -> None:
        """Bind the macros of all files together, and by document those that it defines in its own way."""
        super().__init__(common)
        self.documents = documents
        self._of: dict[str, dict[str, Macro]] = {}

    def of(self, document: str) -> Macros:
        """The macros of a document; the same object for each call."""
        if document not in self.documents:
            return self
        if document not in self._of:
            self._of[document] = {**self, **self.documents[document]}
        return self._of[document]


def macros_for(macros: Macros, statement: Statement) -> Macros:
    """The macros that a statement is written with."""
    if not isinstance(macros, ProjectMacros) or statement.place is None:
        return macros
    return macros.of(statement.place.document)


def with_defaults(defaults: Macros, macros: Macros) -> Macros:
    """Macros of a project, and others where it has none."""
    common = {**defaults, **macros}
    return ProjectMacros(common, macros.documents) if isinstance(macros, ProjectMacros) else common


def different(own: Mapping[str, Mapping[str, Macro]]) -> dict[str, dict[str, Macro]]:
    """By document, the macros that it defines in another way than some other document."""
    first: dict[str, Macro] = {}
    unequal: set[str] = set()
    for macros in own.values():
        unequal.update(name for name, macro in macros.items() if first.setdefault(name, macro) != macro)
    found = {
        document: {name: macro for name, macro in macros.items() if name in unequal} for document, macros in own.items()
    }
    return {document: macros for document, macros in found.items() if macros}
