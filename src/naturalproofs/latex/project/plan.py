"""What to read when a path is given: which documents, in which folder, with which settings; and why it was nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from naturalproofs.errors import NoStatements, SourceNotFound
from naturalproofs.io.names import name_of, path_of
from naturalproofs.latex.project.boundary import find_boundary
from naturalproofs.latex.project.cache import CachedFile
from naturalproofs.latex.project.main_file import Candidate, choose_documents
from naturalproofs.latex.project.outline import read_outline
from naturalproofs.latex.project.tree import Refused, Tree
from naturalproofs.latex.read.dialect import ANCHOR_KINDS
from naturalproofs.latex.scan.arguments import plain_title, read_group, read_option
from naturalproofs.reading.kinds import by_environment_name
from naturalproofs.reading.settings import FILE, Settings, read_settings
from naturalproofs.reading.text_files import decode, read_bytes
from naturalproofs.records import Diagnostic

_SHOWN = 5
_TITLE = re.compile(r"^[^%\n]*?\\title(?![a-zA-Z])", re.MULTILINE)
_TITLE_FILES = 20
_LONGEST_TITLE = 200
_NOT_FOLLOWED = frozenset(
    {"missing-file", "outside-project", "too-deep", "too-many-inputs", "too-many-files", "not-text"}
)
_ORDINARY = frozenset(
    "document abstract center flushleft flushright quote quotation verse minipage tabular tabularx array matrix "
    "pmatrix bmatrix vmatrix cases split aligned gathered thebibliography titlepage tikzpicture tikzcd scope picture "
    "frame columns column block multicols appendix appendices pspicture axis algorithm algorithmic small itemize "
    "enumerate description list compactenum compactitem comment verbatim lstlisting minted CD xy longtable".split()
)


class Plan(NamedTuple):
    """What is to be read."""

    root: Path
    """The folder outside of which nothing is read."""
    mains: tuple[Path, ...]
    settings: Settings
    summary: str = ""
    """One line that says which documents of a folder are read, and what others there are."""


def plan_reading(path: Path, mains: Sequence[str] = ()) -> Plan:
    """Decide what to read.

    Args:
        path: The resolved path of a main file or of a folder.
        mains: Main files inside the folder, if the user chose some.
    """
    folder = path if path.is_dir() else path.parent
    settings = read_settings(folder)
    others: Sequence[Candidate] = ()
    if not path.is_dir():
        chosen = [path]
    elif mains or settings.main:
        where = "--main" if mains else f"main in {FILE}"
        chosen = [_named(folder, name, where) for name in mains or settings.main]
    else:
        choice = choose_documents(folder)
        chosen, others = [folder / main for main in choice.mains], choice.others
    if len(chosen) == 1 and not (folder / FILE).is_file():
        settings = read_settings(chosen[0].parent)
    root = find_boundary(folder, [main.resolve() for main in chosen], is_given=not path.is_dir())
    summary = _summary([name_of(main.relative_to(folder)) for main in chosen], others) if path.is_dir() else ""
    return Plan(root, tuple(chosen), settings, summary)


def _named(folder: Path, name: str, where: str) -> Path:
    found = Tree(folder, []).find(name, (folder,), ("", ".tex"))
    if isinstance(found, Refused):
        raise SourceNotFound(f"{folder}: {where} = {name!r}: {found.message}")
    return found


def _summary(mains: Sequence[str], others: Sequence[Candidate]) -> str:
    """One line: what is read, and what else there is."""
    line = f"reading {', '.join(mains[:_SHOWN])}" + (f" and {len(mains) - _SHOWN} more" if len(mains) > _SHOWN else "")
    if not others:
        return line
    listed = ", ".join(f"{name_of(one.path)} ({one.statements} statements)" for one in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return f"{line}; other documents here: {listed}{more}; --main FILE chooses"


def document_title(tree: Tree, files: Iterable[str]) -> str:
    r"""The ``\title`` of a document, from the first of its files that has one; empty if it cannot be read as text."""
    for name, _ in zip(files, range(_TITLE_FILES), strict=False):
        text = decode(read_bytes(tree.path(name)) or b"", tree.encoding).text or ""
        if (match := _TITLE.search(text)) is None:
            continue
        option = read_option(text, match.end())
        group = read_group(text, option.end if option else match.end())
        title = " ".join(plain_title(group.text).split()) if group else ""
        if title and "\\" not in title and "#" not in title and len(title) <= _LONGEST_TITLE:
            return title
    return ""


def is_ordinary_environment(name: str) -> bool:
    """Whether an environment is known to hold layout, a list, a formula or a figure."""
    return name.rstrip("*") in _ORDINARY or name in ANCHOR_KINDS or name.rstrip("*") in ANCHOR_KINDS


def not_followed(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What is said about inputs that were not read."""
    return [one for one in diagnostics if one.rule in _NOT_FOLLOWED]


def nothing_found(
    path: Path, root: Path, mains: Sequence[str], files: Mapping[str, CachedFile], diagnostics: Iterable[Diagnostic]
) -> NoStatements:
    """The error for a project in which no statement was recognised: what was read, what was not, and what to try."""
    seen: Counter[str] = Counter()
    for name in files:
        seen += read_outline(root / path_of(name), name).environments or Counter()
    unknown = [
        name
        for name, _ in seen.most_common()
        if not is_ordinary_environment(name) and by_environment_name(name) is None
    ]
    missing = [one.message for one in not_followed(diagnostics)]
    more = f" and {len(files) - len(mains)} files that they read" if len(files) > len(mains) else ""
    lines = [
        f"{path}: no statements found",
        f"  read: {_listed(mains)}{more}",
        f"  inputs not followed: {_listed(missing)}",
        f"  environments seen: {_listed([f'{name} ({count})' for name, count in seen.most_common()])}",
    ]
    if missing:
        lines.append("  if a Makefile or a script makes some of these files, run it first")
    if unknown:
        lines += [f"  if some of them hold statements, say so in {FILE}:", "    [environments]"]
        lines += [f'    {_key(name)} = "theorem"' for name in unknown[:3]]
    else:
        lines += [f"  if another file is the main one, give it, or name it in {FILE}:", '    main = "FILE.tex"']
    return NoStatements("\n".join(lines))


def _listed(items: Sequence[str]) -> str:
    return ", ".join(items[:_SHOWN]) + (f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else "") or "none"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'
