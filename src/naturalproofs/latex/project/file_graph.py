"""Who reads whom among the files of a folder, by the names in their outlines."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from naturalproofs.io.listing import TEX_SUFFIXES
from naturalproofs.latex.project.outline import Outline

_MAX_VISITS = 1_000_000
"""How many files are visited in total to find what documents reach."""
_MAX_PATTERNS = 300
_MAX_PIECES = 4
_MACRO = re.compile(r"\\[a-zA-Z@]++\s*+|\\.|#\d|[{}]")


class FileGraph:
    """The files of a folder, and the files that each of them reads."""

    def __init__(self, outlines: Mapping[str, Outline], *, is_project: bool = True) -> None:
        """Bind the outlines of all files, by path.

        Args:
            outlines: The outlines.
            is_project: Whether the folder is a project, rather than a folder that may hold several. Of several, none
                reads the files of another unless it names their folder.
        """
        self.outlines, self._is_project = outlines, is_project
        self._by_stem: defaultdict[str, list[str]] = defaultdict(list)
        for path in outlines:
            self._by_stem[PurePosixPath(path).stem].append(path)
        self._inputs: dict[str, tuple[str, ...]] = {}
        self._reached: dict[str, tuple[str, ...]] = {}
        self._patterns: dict[str, tuple[str, ...]] = {}
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        self._visits = 0

    def reached(self, path: str) -> tuple[str, ...]:
        """A file and all files that it reads, directly or through others."""
        if path not in self._reached:
            found, pending = {path: None}, [path]
            while pending and self._visits < _MAX_VISITS:
                for file in self.inputs(pending.pop()):
                    self._visits += 1
                    if file not in found:
                        found[file] = None
                        pending.append(file)
            self._reached[path] = tuple(found)
        return self._reached[path]

    def inputs(self, path: str) -> tuple[str, ...]:
        """The files that a file reads."""
        if path not in self._inputs:
            found = dict.fromkeys(file for name in self.outlines[path].inputs for file in self.find(name, path))
            self._inputs[path] = tuple(file for file in found if file != path)
        return self._inputs[path]

    def find(self, name: str, path: str) -> tuple[str, ...]:
        """The files that a name in a file may mean."""
        key = (name, posixpath.dirname(path))
        if key not in self._found:
            name = name.strip().strip('"')
            self._found[key] = self._fitting(name, key[1]) if has_macro(name) else self._named(name, key[1])
        return self._found[key]

    def _named(self, name: str, start: str) -> tuple[str, ...]:
        folder = start
        while True:
            for ending in ("", *TEX_SUFFIXES):
                found = posixpath.normpath(posixpath.join(folder, name + ending))
                if found in self.outlines:
                    return (found,)
            if not folder:
                break
            folder = posixpath.dirname(folder)
        # Found on a search path: the nearest file of that name.
        stem = PurePosixPath(name).name.removesuffix(".tex")
        near = self._near(self._by_stem.get(stem, ())[:1_000], start)
        same = [one for one in near if _ends_like(one, name)]
        return (max(same, key=lambda one: len(posixpath.commonprefix([one, start]))),) if same else ()

    def _fitting(self, name: str, start: str) -> tuple[str, ...]:
        """The files that fit a name with macros: anywhere, or below the file's folder and those above it.

        A macro at the beginning may stand for any folder. A plain beginning is the name of a file or of a folder
        there.
        """
        found = self._near(self._matching(name), start)
        plain = name[: match.start()] if (match := _MACRO.search(name)) is not None else name
        if not plain or plain.startswith("."):
            return found
        folders = [start]
        while folders[-1]:
            folders.append(posixpath.dirname(folders[-1]))
        beginnings = tuple(posixpath.join(folder, plain) for folder in folders)
        return tuple(path for path in found if path.startswith(beginnings))

    def _near(self, paths: Sequence[str], start: str) -> tuple[str, ...]:
        """The files that may belong to the same project as the files in a folder."""
        if self._is_project or not start:
            return tuple(paths)
        return tuple(path for path in paths if path.partition("/")[0] == start.partition("/")[0])

    def _matching(self, name: str) -> tuple[str, ...]:
        """The files whose paths fit a name in which macros stand for something unknown."""
        if name not in self._patterns:
            pieces = [re.escape(piece.strip()) for piece in _MACRO.split(name.removesuffix(".tex"))]
            found: list[str] = []
            has_letters = any(any(map(str.isalpha, piece)) for piece in pieces)
            if has_letters and len(pieces) <= _MAX_PIECES and len(self._patterns) < _MAX_PATTERNS:
                pattern = re.compile(rf"(?:.*/)?{'.*'.join(pieces)}\.(?:tex|ltx|latex)")
                found = [
                    path for path, one in self.outlines.items() if not one.has_document and pattern.fullmatch(path)
                ]
            self._patterns[name] = tuple(found)
        return self._patterns[name]


def has_macro(name: str) -> bool:
    """Whether a name is not plain: TeX would expand it."""
    return _MACRO.search(name) is not None


def _ends_like(path: str, name: str) -> bool:
    """Whether a path ends like a name, without the part of the name that leads to other folders."""
    wanted = [part for part in PurePosixPath(name.removesuffix(".tex")).parts if part not in ("..", ".", "/")]
    return list(PurePosixPath(path).with_suffix("").parts[-len(wanted) :]) == wanted
