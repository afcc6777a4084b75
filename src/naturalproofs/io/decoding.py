"""JSON and TOML from untrusted files and messages. Whatever is wrong with them is a `ValueError` of one line.

Their parsers have errors of their own for text that is nested too deeply or holds a number of too many digits.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

Value = TypeVar("Value")

LARGEST = 1 << 30
"""Bytes of a JSON file that are read; a limit for a damaged or hostile file, far above those that commands write."""
LARGEST_TOML = 1 << 20
_MOST_DOTS = 1_000_000
"""The squares of the dots of each line, added up: the parser takes so much time and memory for a key with dots."""
_DEEP = "nested too deeply"


def decode_json(data: bytes | str, kind: type[Value]) -> Value:
    """The value of that type.

    Raises:
        ValueError: It is not JSON, or not of that type.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except RecursionError as error:
        raise ValueError(_DEEP) from error


def read_json(path: Path, kind: type[Value], largest: int = LARGEST) -> Value:
    """The value in a file.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is too large, not JSON, or not of that type.
    """
    with path.open("rb") as stream:
        data = stream.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"larger than {largest >> 20:,} MB")
    return decode_json(data, kind)


def decode_toml(text: str) -> dict[str, Any]:
    """The table of a TOML document.

    Raises:
        ValueError: It is too large or not TOML.
    """
    if len(text) > LARGEST_TOML:
        raise ValueError(f"larger than {LARGEST_TOML >> 20:,} MB")
    if sum(line.count(".") ** 2 for line in text.splitlines()) > _MOST_DOTS:
        raise ValueError("a line of too many dots")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError(_DEEP) from error
