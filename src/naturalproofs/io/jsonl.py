"""Typed JSON lines: one record a line, checked against its type when read."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from naturalproofs.errors import BadSchema

Record = TypeVar("Record")


def write_jsonl(path: Path, records: Iterable[object]) -> None:
    """Write each record as one line of JSON."""
    path.write_bytes(msgspec.json.Encoder().encode_lines(records))


def read_jsonl(path: Path, record: type[Record]) -> list[Record]:
    """Read a file of records; a bad line is named by its number."""
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
