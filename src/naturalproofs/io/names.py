r"""Paths as text, and back. Every name in a record, a cache, a page or an answer is made and read here.

The names of files are bytes. Python holds those that are not UTF-8 as lone surrogates, which no file and no terminal
takes. In text such a byte is written as ``\xe9``, and a backslash before what looks like one as ``\x5c``, so that every
path has one name and every name leads back to its path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath

from naturalproofs.errors import valid_text

_BYTE = r"\\x(?:[89a-f][0-9a-f]|5c)"
_LIKE_A_BYTE = re.compile(rf"(?={_BYTE})\\")
_BYTES = re.compile(rf"(?:{_BYTE})+")


def name_of(path: PurePath | str) -> str:
    """The name of a path, with ``/``."""
    text = path.as_posix() if isinstance(path, PurePath) else path
    return valid_text(_LIKE_A_BYTE.sub(r"\\x5c", text))


def path_of(name: str) -> Path:
    """The path of a name."""
    return Path(_BYTES.sub(lambda found: os.fsdecode(bytes.fromhex(found[0].replace("\\x", ""))), name))


def written_paths(name: str, encoding: str = "") -> Iterator[Path]:
    """The paths that a name in a text may mean: TeX takes the bytes of the name as they stand in the file."""
    for one in ("utf-8",) if name.isascii() else ("utf-8", encoding, "latin-1"):
        with suppress(LookupError, UnicodeEncodeError):
            yield path_of(os.fsdecode(name.encode(one, "surrogateescape")))


def resolved(path: Path) -> Path:
    """The path without links; one that leads to itself stays in it, so that the path cannot be opened."""
    return Path(os.path.realpath(path))
