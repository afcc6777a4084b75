"""Rules about the files that a project reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from naturalproofs.io.files import current_bytes
from naturalproofs.io.listing import lies_in, path_of
from naturalproofs.records import Diagnostic, Origin
from naturalproofs.sources.reading.text_files import decode
from naturalproofs.workspace.check.finding import Problem
from naturalproofs.workspace.check.prose import raw_lines
from naturalproofs.workspace.open_corpus import OpenCorpus

TEX_FILES = frozenset({"xy", "epsf", "pstricks", "version", "tikz", "amssym", "amssym.def"})
"""Files that are read for their commands: those of TeX distributions, and usual ones that are made."""
_WRITES = re.compile(
    r"\\Opensolutionfile\s*+\{([^{}]*+)\}(?:\s*+\[([^][]*+)\])?+"
    r"|\\openout\s*+\\[a-zA-Z@]++\s*+=?+\s*+([\w./-]++)"
    r"|\\(?:openout[^{}\n]{0,80}|newwrite[^{}\n]{0,80}|begin\s*\{(?:filecontents\*?|VerbatimOut)\}(?:\[[^][]*+\])?+)\s*+\{([^{}]*+)\}"
)
"""Commands and environments that write a file, with its name."""
_CLASS = re.compile(r"^[^%\n]*?\\documentclass\s*+(?:\[[^\[\]]*+\]\s*+)?+\{([^{}/]*+/[^{}]*+)\}", re.MULTILINE)
_SUBMODULE = re.compile(r"\s*path\s*=\s*(\S.*?)\s*")


def package_texts(project: OpenCorpus) -> list[str]:
    """The packages and classes of a project."""
    if project.root is None:
        return []
    names = (file.path for file in project.inputs if file.path.endswith((".sty", ".cls")))
    files = (project.root / path_of(name) for name in names)
    return [decode(current_bytes(file)).text or "" for file in files if file.is_file()]


def missing_file(project: OpenCorpus) -> Iterator[Problem]:
    """Files that are read and do not exist, except those that LaTeX makes or has; not if a macro makes the name.

    One finding for a file, at the first line that reads it.
    """
    names = (name for text in project.texts.values() for found in _WRITES.findall(text) for name in found)
    written = {PurePosixPath(name.strip()).with_suffix("") for name in (*names, *TEX_FILES) if name.strip(" ./")}
    missing: dict[str, list[Diagnostic]] = {}
    for one in project.diagnostics:
        lines = raw_lines(project.texts.get(one.path, "")) if one.rule == "missing-file" else []
        # A macro makes the name if the line does not hold it as a word of its own.
        name = rf"(?<![\\\w]){re.escape(PurePosixPath(one.about).stem)}(?!\w)"
        literal = one.line > len(lines) or re.search(name, lines[one.line - 1])
        if one.rule == "missing-file" and literal and PurePosixPath(one.about or "?").with_suffix("") not in written:
            missing.setdefault(one.message, []).append(one)
    for message, (first, *others) in missing.items():
        more = f" (it is read on {1 + len(others)} lines)" if others else ""
        yield Problem(Origin(first.path, first.line), f"{message}{more}", message)
    yield from _missing_classes(project)
    yield from _missing_submodules(project)


def _missing_classes(project: OpenCorpus) -> Iterator[Problem]:
    """Classes that are given with a folder and are not there; others may belong to a TeX distribution."""
    root = project.root
    for path, text in project.texts.items():
        match = _CLASS.search(text)
        if root is None or match is None:
            continue
        name = match[1].strip()
        if not any((folder / f"{name}.cls").is_file() for folder in (root, (root / path_of(path)).parent)):
            message = f"the class {name} is missing: its commands are shown as they are written"
            yield Problem(Origin(path, text.count("\n", 0, match.start(1)) + 1), message, message)


def _missing_submodules(project: OpenCorpus) -> Iterator[Problem]:
    """Git submodules that are not checked out."""
    listed = project.root / ".gitmodules" if project.root is not None else None
    if project.root is None or listed is None or not listed.is_file():
        return
    for number, line in enumerate((decode(current_bytes(listed)).text or "").splitlines(), 1):
        match = _SUBMODULE.fullmatch(line)
        folder = project.root / match[1] if match else None
        if folder is None or match is None or not any(match[1] in text for text in project.texts.values()):
            continue  # No file of the text is looked for there.
        if lies_in(folder, project.root) and not (folder.is_dir() and any(folder.iterdir())):
            message = f"the submodule {folder.name} is not checked out: git submodule update --init"
            yield Problem(Origin(listed.name, number), message, message)
