"""The macros that a project defines, by file, so that only files that changed are gone through again."""

from __future__ import annotations

from collections.abc import Mapping

from naturalproofs.corpus.load import LoadedCorpus, source_files, source_text
from naturalproofs.latex.display import Macro, read_macros
from naturalproofs.workspace.index.manifest import KeptCorpus

_DEFINING = ("command", "\\def", "\\let", "\\edef", "\\gdef", "\\xdef", "\\Declare", "DocumentCommand")
"""What stands in every file that defines a macro: most chapters define none, and need not be gone through."""


def macros_by_file(opened: LoadedCorpus, before: KeptCorpus | None) -> dict[str, dict[str, Macro]]:
    """The macros of each file that defines some; those of files that were not edited are known from before."""
    same = set(opened.corpus.inputs).intersection(before.inputs) if before is not None else set()
    known = before.macros if before is not None else {}
    unchanged = {file.path for file in same}
    found: dict[str, dict[str, Macro]] = {}
    for file in source_files(opened):
        name = file.relative_to(opened.root or file.parent).as_posix()
        macros = known.get(name, {}) if name in unchanged else _defined(source_text(file))
        if macros:
            found[name] = macros
    return found


def together(by_file: Mapping[str, Mapping[str, Macro]]) -> dict[str, Macro]:
    """The macros of all files; as in TeX, the last definition wins."""
    return {name: macro for macros in by_file.values() for name, macro in macros.items()}


def _defined(text: str) -> dict[str, Macro]:
    return read_macros([text]) if any(word in text for word in _DEFINING) else {}
