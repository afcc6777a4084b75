"""From bytes to text: whatever encoding a file has, it is read, and what was odd about it is said."""

import codecs
import re
from typing import NamedTuple

from naturalproofs.latex.scanner import Complaint

_DECLARED = re.compile(
    rb"\\(?:usepackage|RequirePackage)\s*\[([a-zA-Z0-9-]+)\]\s*\{inputenc\}|\\inputencoding\{([a-zA-Z0-9-]+)\}"
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f\ufffd]")
_HEAD = 50_000
"""How much of a file is looked at to guess what it is."""
_INPUTENC = {
    "latin1": "latin-1",
    "latin2": "iso8859-2",
    "latin9": "iso8859-15",
    "ansinew": "cp1252",
    "cp1252": "cp1252",
    "cp1250": "cp1250",
    "cp1251": "cp1251",
    "koi8-r": "koi8-r",
    "applemac": "mac-roman",
}
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Decoded(NamedTuple):
    """A text with line feeds only, and what was odd about its bytes; no text means the file is not text at all."""

    text: str | None
    complaints: list[Complaint]


def decode(data: bytes) -> Decoded:
    """Read bytes as text: by byte order mark, as UTF-8, as declared, or as Latin-1, in this order."""
    complaints: list[Complaint] = []
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), None) or _utf16_without_mark(data)
    if encoding is None and _is_binary(data):
        return Decoded(None, [Complaint(0, "not-text", "this is a binary file, not LaTeX; it was left out")])
    text = _decode_as(data, encoding or "utf-8", complaints)
    if "\0" in text:
        complaints.append(Complaint(text.index("\0"), "nul-byte", "NUL characters were dropped"))
        text = text.replace("\0", "")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, complaints)


def _decode_as(data: bytes, encoding: str, complaints: list[Complaint]) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            complaints.append(Complaint(0, "encoding", f"not valid {encoding}; odd characters were replaced"))
            return data.decode(encoding, errors="replace")
        declared = _DECLARED.search(data, 0, _HEAD)
        name = _INPUTENC.get((declared[1] or declared[2]).decode("ascii").lower()) if declared else None
        if name is None and _is_damaged_utf8(data):
            complaints.append(
                Complaint(0, "encoding", f"not valid UTF-8 at byte {error.start}; bad bytes were replaced")
            )
            return data.decode("utf-8", errors="replace")
        if name is None:
            message = f"not valid UTF-8 at byte {error.start}; read as Latin-1"
            complaints.append(Complaint(0, "encoding", message))
        return data.decode(name or "latin-1", errors="replace")


def _is_damaged_utf8(data: bytes) -> bool:
    """More good characters beyond ASCII than bad bytes: UTF-8 with a wound, not another encoding."""
    text = data.decode("utf-8", errors="replace")
    return len(_BEYOND_ASCII.findall(text)) > text.count("\ufffd")


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 without a mark shows as a zero in every other byte."""
    head = data[:_HEAD]
    if len(head) < 4 or len(head) % 2:
        return None
    half = len(head) // 2
    if head[1::2].count(0) > 0.8 * half and head[::2].count(0) < 0.1 * half:
        return "utf-16-le"
    if head[::2].count(0) > 0.8 * half and head[1::2].count(0) < 0.1 * half:
        return "utf-16-be"
    return None


def _is_binary(data: bytes) -> bool:
    """Text has hardly any control characters; a stray few are forgiven."""
    head = data[:_HEAD]
    control = sum(head.count(byte) for byte in range(32) if byte not in b"\t\n\f\r\x0b\x1b")
    return control > 0.02 * len(head) + 2
