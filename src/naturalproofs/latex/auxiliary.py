r"""Numbers from the ``.aux`` file that LaTeX left beside the main file, if it is younger than the document's files."""

import re
from collections.abc import Iterable
from pathlib import Path

from naturalproofs.latex.arguments import read_group
from naturalproofs.latex.files import read_bytes
from naturalproofs.latex.tree import Refused, Tree

_LABEL = re.compile(r"\\newlabel\s*(?=\{)|\\@input\s*\{([^{}]*)\}")
_COMMAND = re.compile(r"\\[a-zA-Z@]+\s*|[{}$\s]")
_MOST_FILES = 1_000


def printed_numbers(tree: Tree, main: Path, files: Iterable[str]) -> dict[str, str]:
    """Numbers by label; none when there is no such file or one of the document's files is younger than it."""
    start = tree.find(main.with_suffix(".aux").name, (main.parent,), ("",))
    if isinstance(start, Refused) or not _is_fresh(tree, start, files):
        return {}
    numbers: dict[str, str] = {}
    pending, seen = [start], {start}
    while pending and len(seen) < _MOST_FILES:
        for found in _entries((read_bytes(pending.pop()) or b"").decode("utf-8", "replace")):
            if isinstance(found, str):
                path = tree.find(found, (start.parent,), ("",))
                if not isinstance(path, Refused) and path not in seen and path.suffix == ".aux":
                    seen.add(path)
                    pending.append(path)
            else:
                numbers[found[0]] = found[1]
    return numbers


def _is_fresh(tree: Tree, aux: Path, files: Iterable[str]) -> bool:
    try:
        made = aux.stat().st_mtime
        return all((tree.root / file).stat().st_mtime <= made for file in files)
    except OSError:
        return False


def _entries(text: str) -> list[tuple[str, str] | str]:
    """Labels with their numbers, and the names of further files."""
    found: list[tuple[str, str] | str] = []
    for match in _LABEL.finditer(text):
        if match[1] is not None:
            found.append(match[1])
            continue
        label = read_group(text, match.end())
        values = read_group(text, label.end) if label else None
        number = read_group(values.text, 0) if values else None
        if label and number and not label.text.endswith("@cref"):
            found.append((label.text, _COMMAND.sub("", number.text)))
    return found
