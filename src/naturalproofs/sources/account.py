"""The account of a folder: every file with statements was read, or it is named with the reason."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from naturalproofs.errors import valid_text
from naturalproofs.io.listing import name_of
from naturalproofs.records import Diagnostic, Draft, FileAccount
from naturalproofs.sources.registry import OUTLINES, outlines

RULE = "file-not-read"
_SHOWN = 5
_SUSPICIOUS = 3
"""A file in which a quick look finds so many statements, and from which none was read, is named."""
_UNREAD = "no document reads it"


def folder_account(path: Path, source: str, draft: Draft) -> tuple[FileAccount, ...]:
    """What became of each file in a folder that holds statements; nothing for a source that is not a folder of texts.

    Args:
        path: The folder that was read.
        source: The name of the source that read it.
        draft: What was read.
    """
    if not path.is_dir() or source not in OUTLINES:
        return ()
    folder, root = path.resolve(), (draft.root or path).resolve()
    read = {file.path for file in draft.inputs}
    rows = []
    for kind, counts in outlines(path).items():
        for name, count in counts.items():
            inside = name_of(os.path.relpath(folder / name, root))
            found = draft.found.get(inside, 0)
            note = valid_text(draft.notes.get(inside, ""))
            if inside in read and (found or not note):
                if not found and count >= _SUSPICIOUS:
                    note = f"{count} blocks look like statements, and none was read as one"
                if found or note:
                    rows.append(
                        FileAccount(name_of(name), found, valid_text(draft.documents.get(inside, source)), note)
                    )
            elif count and kind != source:
                rows.append(FileAccount(name_of(name), count, "", f"its format is {kind}, and {source} was read"))
            elif count:
                rows.append(FileAccount(name_of(name), count, "", note or valid_text(draft.notes.get("", _UNREAD))))
    return tuple(rows)


def other_source(path: Path, source: str) -> str:
    """What to say after an error if another source finds statements at a path; nothing if none does."""
    counts = {name: sum(files.values()) for name, files in outlines(path).items()} if path.is_dir() else {}
    best = max(counts, key=lambda name: counts[name], default=source)
    if best == source or not counts[best]:
        return ""
    return f"; {counts[best]:,} statements are here in another format: use 'naturalproofs build {best} {path}'"


def as_diagnostics(account: Iterable[FileAccount], path: Path, root: Path) -> list[Diagnostic]:
    """What is said about the files of a folder that were not read; copies are worth a note only."""
    prefix = os.path.relpath(path.resolve(), root.resolve())
    return [
        Diagnostic(
            name_of(os.path.normpath(f"{prefix}/{one.path}")),
            1,
            1,
            "warning" if one.note.startswith(_UNREAD) else "note",
            RULE,
            f"{one.statements:,} statement{'' if one.statements == 1 else 's'} not read: {one.note}",
        )
        for one in account
        if not one.document
    ]


def account_lines(account: Sequence[FileAccount]) -> list[str]:
    """The account in a few lines: what was read, then the files with something to say about them, by what it is.

    Nothing if one document holds all statements.
    """
    read = [one for one in account if one.document]
    documents = len({one.document for one in read})
    if documents <= 1 and not any(one.note for one in account):
        return []
    several = f" of {documents:,} documents" if documents > 1 else ""
    lines = [f"{sum(one.statements for one in read):,} statements read from {len(read):,} files{several}"]
    groups: defaultdict[tuple[bool, str], list[FileAccount]] = defaultdict(list)
    for one in account:
        if one.note:
            groups[not one.document, one.note].append(one)
    for (unread, note), files in sorted(groups.items(), key=lambda group: -sum(one.statements for one in group[1])):
        count = sum(one.statements for one in files)
        shown = ", ".join(f"{one.path} ({one.statements:,})" for one in files[:_SHOWN])
        more = f" and {len(files) - _SHOWN:,} more" if len(files) > _SHOWN else ""
        counted = f"{count:,} statement{'' if count == 1 else 's'}"
        lines.append(f"{'not read' if unread else 'read'}: {counted}, {note}: {shown}{more}")
    return lines
