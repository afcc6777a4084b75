"""A project as it was read at one moment, unsaved texts included; requests are answered from the latest one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from naturalproofs.corpus.load import LoadedCorpus, build, project_name
from naturalproofs.io.unsaved import current_bytes, unsaved
from naturalproofs.latex.files import decode
from naturalproofs.latex.project import Project
from naturalproofs.records import Anchor, Statement
from naturalproofs.workspace.index.project import index_folder
from naturalproofs.workspace.index.scorers import kept_arrays
from naturalproofs.workspace.lint.finding import Finding
from naturalproofs.workspace.lint.occurrences import Occurrence, occurrences
from naturalproofs.workspace.lint.run import Wanted, run
from naturalproofs.workspace.methods import chosen_method
from naturalproofs.workspace.shelf import Shelf


@dataclass(frozen=True)
class View:
    """What is known of a project."""

    path: Path
    """The main file or the folder."""
    shelf: Shelf
    occurrences: tuple[Occurrence, ...]
    findings: tuple[Finding, ...]
    texts: Mapping[str, str]
    """The files by their paths inside the project, as they were read."""

    @property
    def opened(self) -> LoadedCorpus:
        """The corpus and all about its making."""
        return self.shelf.opened

    @property
    def root(self) -> Path:
        """The folder that paths start from."""
        return self.opened.root or self.path.parent

    @cached_property
    def anchors(self) -> Mapping[str, Anchor]:
        """All labels."""
        return self.opened.anchors or {}

    @cached_property
    def labels(self) -> dict[str, Occurrence]:
        """Where each label is written, by its name in the whole project."""
        found = [(self.absolute(one.path, one.key), one) for one in reversed(self.occurrences) if one.is_label]
        return dict(found)

    @cached_property
    def citing(self) -> dict[str, list[Occurrence]]:
        """Where each label is cited."""
        found: dict[str, list[Occurrence]] = {}
        for one in self.occurrences:
            if not one.is_label:
                found.setdefault(self.absolute(one.path, one.key), []).append(one)
        return found

    def absolute(self, path: str, key: str) -> str:
        """The name in the whole project of a key as a file writes it."""
        name = path.rpartition("/")[2]
        local = f"{name.rpartition('.')[0] or name}-{key}"
        return local if local in self.anchors else key

    def inside(self, file: Path) -> str | None:
        """The path inside the project of a file."""
        resolved, root = file.resolve(), self.root.resolve()
        return resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else None

    def statement(self, label: str) -> Statement | None:
        """The statement that a label belongs to."""
        anchor = self.anchors.get(label)
        return self.opened.corpus.by_id.get(anchor.owner) if anchor and anchor.owner else None


def read_view(
    path: Path, texts: Mapping[Path, bytes], source: Project, wanted: Wanted, before: View | None = None
) -> View:
    """Read a project with the texts that an editor holds.

    Args:
        path: The main file or the folder.
        texts: Unsaved texts by resolved path.
        source: The reader; one with a keeper reads only the documents that changed.
        wanted: What to check.
        before: The view before this one; while the statements stay the same, so does what the method knows of them.
    """
    with unsaved(texts):
        built = build(source, path, name=project_name(path))
        root = path if path.is_dir() else path.parent
        opened = LoadedCorpus(built.corpus, built.unresolved, built.diagnostics, built.anchors, root)
        files = {file.path: root / file.path for file in built.corpus.inputs}
        read = {name: decode(current_bytes(file)).text or "" for name, file in files.items() if file.is_file()}
        if before is None:
            # The index beside the project has most of it prepared; what an editor holds is not written there.
            shelf = Shelf(opened, before=kept_arrays(index_folder(path), chosen_method(None, placed=True)))
        else:
            shelf = Shelf(opened)
            same = before.shelf.candidates == shelf.candidates
            advisor = before.shelf.advisor
            shelf = Shelf(opened, _advisor=advisor) if same else Shelf(opened, before=advisor)
        # Macros are read from the files, so while the unsaved texts stand for them.
        _ = shelf.macros
        return View(path, shelf, tuple(occurrences(opened)), run(opened, wanted).findings, read)
