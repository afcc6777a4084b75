"""Typed JSON lines: one record per line, validated when read."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec

from naturalproofs.errors import BadSchema

Record = TypeVar("Record")

AT_ONCE = 256
"""Number of records that are encoded at once."""


def write_jsonl(path: Path, records: Iterable[object]) -> None:
    """Write each record as one line of JSON."""
    encoder = msgspec.json.Encoder()
    remaining = iter(records)
    with path.open("wb") as stream:
        while some := list(islice(remaining, AT_ONCE)):
            stream.write(encoder.encode_lines(some))


def read_jsonl(path: Path, record: type[Record]) -> list[Record]:
    """Read a file of records; an error names the line."""
    decoder = msgspec.json.Decoder(record)
    data = path.read_bytes()
    try:
        return decoder.decode_lines(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSchema(_locate(path, data, decoder, error)) from error


def _locate(path: Path, data: bytes, decoder: "msgspec.json.Decoder[Record]", error: Exception) -> str:
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            if line.strip():
                decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as found:
            return f"{path}:{number}: not a valid record: {found}; rebuild the corpus"
    return f"{path}: not valid: {error}; rebuild the corpus"
