"""The image files of a project that browsers can show; nothing outside of the project is ever given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from naturalproofs.io.listing import name_of, path_of, resolved, written_paths

MEDIA_TYPES: Mapping[str, str] = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
}
"""Formats of the web by suffix, the preferred ones first."""
_PATHS = re.compile(r"\\graphicspath\s*\{((?:\s*\{[^{}]*\})+)\s*\}")
_FOLDER = re.compile(r"\{([^{}]*)\}")
_USUAL = ("images", "figures", "external", "assets", "../images", "../external", "../assets", "static", "public")
"""Where books in PreTeXt and Markdown keep their images."""
_LARGEST = 20_000_000
"""Larger files are not shown."""


@dataclass(frozen=True)
class Figures:
    """Finds the image files of one project."""

    root: Path
    """The folder of the project."""
    texts: Mapping[str, str]
    """Its files with text, by path."""

    @cached_property
    def _folders(self) -> list[PurePosixPath]:
        """Where names are looked up: the project's folder, those of its files, and what its files say."""
        beside = dict.fromkeys([PurePosixPath(), *(PurePosixPath(path).parent for path in self.texts)])
        named = [
            folder.strip()
            for text in self.texts.values()
            if "\\graphicspath" in text
            for folders in _PATHS.findall(text)
            for folder in _FOLDER.findall(folders)
        ]
        found = dict.fromkeys([*beside, *(one / folder for one in beside for folder in (*named, *_USUAL))])
        return [folder for folder in found if (self.root / path_of(str(folder))).is_dir()]

    def find(self, name: str) -> str | None:
        """The path inside the project of the image that a document calls so, if browsers can show it."""
        written = PurePosixPath(name.strip().strip('"'))
        if not name.strip() or written.is_absolute() or "\\" in name or "\0" in name:
            return None
        for folder in self._folders:
            for path in (path for one in _candidates(folder / written) for path in written_paths(str(one))):
                if self.file(found := name_of(path)) is not None:
                    return found
        return None

    def file(self, path: str) -> Path | None:
        """The file of a path inside the project, if it is an image that may be shown."""
        parts = PurePosixPath(path)
        if parts.suffix.lower() not in MEDIA_TYPES or any(
            part.startswith(".") and part != ".." for part in parts.parts
        ):
            return None
        try:
            root = resolved(self.root)
            found = resolved(root / path_of(path))
            if found.is_relative_to(root) and found.is_file() and found.stat().st_size <= _LARGEST:
                return found
        except (OSError, ValueError):
            pass
        return None


def _candidates(path: PurePosixPath) -> Iterable[PurePosixPath]:
    """The names that a name without a suffix may mean; a PDF may stand beside its version for the web."""
    if path.suffix.lower() in MEDIA_TYPES:
        return (path,)
    bare = path.with_suffix("") if path.suffix.lower() in (".pdf", ".eps", ".ps") else path
    return tuple(bare.with_name(bare.name + suffix) for suffix in MEDIA_TYPES)
