"""Open a file that may be compressed, by what its first bytes say."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from naturalproofs.errors import BadSchema, SourceNotFound

CHUNK = 1 << 18

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"))
_FOREIGN = ((b"PK\x03\x04", "zip"), (b"7z\xbc\xaf", "7z"), (b"\x28\xb5\x2f\xfd", "zstd"))


def read_chunks(path: Path) -> Iterator[tuple[bytes, int]]:
    """Give the unpacked bytes piece by piece, each with how far the file itself has been read.

    Raises:
        SourceNotFound: There is no such file.
        BadSchema: The compressed data is cut short or damaged.
    """
    try:
        raw = path.open("rb")
    except OSError as error:
        raise SourceNotFound(f"{path}: cannot be read ({error.strerror}); give the path of a MediaWiki dump") from error
    with raw:
        done = 0
        try:
            stream = _unpacked(path, raw)
            while chunk := stream.read(CHUNK):
                done += len(chunk)
                yield chunk, raw.tell()
        except EOFError as error:
            raise BadSchema(f"{path}: cut short after {done:,} unpacked bytes; download it again") from error
        except (OSError, zlib.error, lzma.LZMAError) as error:
            raise BadSchema(f"{path}: damaged after {done:,} unpacked bytes ({error}); download it again") from error


def _unpacked(path: Path, raw: BinaryIO) -> BinaryIO | io.BufferedIOBase:
    head = raw.read(6)
    raw.seek(0)
    for magic, name in _FOREIGN:
        if head.startswith(magic):
            raise BadSchema(f"{path}: is a {name} file; unpack it, or pack it as .gz, .bz2 or .xz")
    form = next((name for magic, name in _MAGIC if head.startswith(magic)), "")
    if form == "gzip":
        return gzip.GzipFile(fileobj=raw)
    if form == "bzip2":
        return bz2.BZ2File(raw)
    if form == "xz":
        return lzma.LZMAFile(raw)
    return raw
