"""Single files that are written whole, and never over something of another kind."""

import re
from pathlib import Path

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.folders import write_atomic

_HEAD = 1024


def write_over(path: Path, data: bytes, ours: re.Pattern[bytes]) -> None:
    """Write a file; one that is already there must begin like what we write, or it is not ours to replace.

    Args:
        path: Where to write.
        data: What to write.
        ours: Matches the beginning of a file that may be replaced.
    """
    try:
        if path.is_dir():
            raise OutputInTheWay(f"{path}: is a folder; give the name of a file")
        if path.exists() and not _begins(path, ours):
            raise OutputInTheWay(f"{path}: exists and was not made by this command; choose another output")
        write_atomic(path, data)
    except OSError as error:
        raise OutputInTheWay(f"{path}: cannot be written here ({error.strerror}); choose another output") from error


def _begins(path: Path, pattern: re.Pattern[bytes]) -> bool:
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    return not head or pattern.match(head) is not None
