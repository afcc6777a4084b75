"""Text files of untrusted projects: read with limits, decoded by mark, declaration or guess."""

import codecs
import re
import stat
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate, islice
from pathlib import Path
from typing import NamedTuple

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.files import unsaved_bytes


class Problem(NamedTuple):
    """Something malformed, by offset; a reader turns it into a diagnostic."""

    offset: int
    rule: str
    message: str


_DECLARED = re.compile(
    rb"\\[\\%]|%[^\r\n]*+"
    rb"|\\(?:usepackage|RequirePackage)\s*+\[(?P<options>[^][{}]{0,200}+)\]\s*+\{(?P<packages>[^{}]{0,300}+)\}"
    rb"|\\inputencoding\s*+\{(?P<switched>[^{}]{0,40}+)\}|\\begin\s*+\{CJK\*?+\}\s*+(?:\[[^][{}]{0,40}+\]\s*+)?+\{(?P<cjk>[^{}]{0,20}+)\}"
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f\ufffd]")
_INPUTENC_PACKAGES = frozenset({b"inputenc", b"inputenx"})
_FEWEST_PAIRED = 12
_FIRST_WORDS, _LAST_HANGUL = 0xB0, 0xC8
"""First bytes of the characters for words in EUC encodings, and the last of them that is one in Korean writing."""
_FIRST_FILES = 50
"""A document declares its encoding in its preamble, whose files are read first."""
_HEAD = 50_000
"""How many bytes are read to guess the encoding."""
_INPUTENC = {
    **{name: name for name in "cp437 cp850 cp852 cp855 cp858 cp862 cp865 cp866 cp1250 cp1251 cp1252 cp1253".split()},
    **{name: name for name in "cp1254 cp1255 cp1257 koi8-r koi8-u".split()},
    "latin1": "latin-1", "latin2": "iso8859-2", "latin3": "iso8859-3", "latin4": "iso8859-4", "latin5": "iso8859-9",
    "latin9": "iso8859-15", "latin10": "iso8859-16", "ansinew": "cp1252", "applemac": "mac-roman",
    "macce": "mac-latin2", "koi8-ru": "koi8-u", "cp866av": "cp866", "cp866nav": "cp866", "iso88595": "iso8859-5",
    "maccyr": "mac-cyrillic", "macukr": "mac-cyrillic", "pt154": "ptcp154", "iso-8859-7": "iso8859-7",
    "macgreek": "mac-greek", "8859-8": "iso8859-8",
}  # fmt: skip
"""Encodings by the names that inputenc has for them; those of cyrillic, greek-inputenc and Hebrew babel included."""
_CJK = {
    "gb": "gb18030", "gbk": "gb18030", "bg5": "big5", "bg5+": "big5", "hk": "big5hkscs", "ks": "cp949", "jis": "euc_jp",
    "sjis": "cp932",
}  # fmt: skip
"""Encodings by the names that the environment CJK has for them."""
_JAPANESE = "japanese"
"""Stands for the encodings of documents in a Japanese class."""
_ESCAPED_JAPANESE = re.compile(rb"\x1b\$[@B]")
_HIGH_BYTES = re.compile(rb"[\x80-\xff]++")
_KANA = re.compile(rb"[\xa4\xa5][\xa1-\xf6]")
_IN_JAPANESE = re.compile(rb"\\documentclass[^{}]{0,300}+\{(?:j|t|u[jt]?|js|ltj|bxj)s?(?:article|book|report)\}")
_BIG5 = re.compile(rb"([\xa1-\xf9])([\x40-\x7e\xa1-\xfe])")
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Decoded(NamedTuple):
    """A text with line feeds only, and problems with its bytes; there is no text if the file is binary."""

    text: str | None
    problems: list[Problem]


def decode(data: bytes, fallback: str = "") -> Decoded:
    """Read bytes as text: by byte order mark, as UTF-8, as declared, or as Latin-1, in this order.

    Args:
        data: The bytes of a file.
        fallback: The encoding of a file that declares none, as `declared_encoding` finds it in others of the project.
    """
    problems: list[Problem] = []
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), None) or _utf16_without_mark(data)
    if encoding is None and _is_binary(data):
        return Decoded(None, [Problem(0, "not-text", "this is a binary file, not LaTeX; it was left out")])
    if encoding is None and _ESCAPED_JAPANESE.search(data, 0, _HEAD) and _is_valid(data, "iso2022_jp"):
        encoding = "iso2022_jp"
    text = _decode_as(data, encoding or "utf-8", fallback, problems)
    if "\0" in text:
        problems.append(Problem(text.index("\0"), "nul-byte", "NUL characters were dropped"))
        text = text.replace("\0", "")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, problems)


def declared_encoding(data: bytes) -> str:
    """The encoding that a file declares or shows, other than UTF-8: it holds for the files that it reads, too."""
    if name := _declared(data):
        return name
    if _IN_JAPANESE.search(data, 0, _HEAD):
        return _JAPANESE
    return "" if data.isascii() or _is_valid(data, "utf-8") else _east_asian(data) or ""


def first_encoding(files: Iterable[Path]) -> str:
    """The encoding that the first of these files declares, among those that are read first."""
    found = (declared_encoding(read_bytes(file) or b"") for file in islice(files, _FIRST_FILES))
    return next(filter(None, found), "")


def _declared(data: bytes) -> str | None:
    """The first encoding of the tables that is declared outside of comments."""
    for match in _DECLARED.finditer(data, 0, _HEAD):
        if match["packages"] and any(one.strip() in _INPUTENC_PACKAGES for one in match["packages"].split(b",")):
            names = match["options"].split(b",")
        else:
            names = [match["switched"] or b""]
        found = (_INPUTENC.get(name.strip().decode("ascii", "replace").lower()) for name in names)
        name = next(filter(None, found), None) or _CJK.get((match["cjk"] or b"").decode("ascii", "replace").lower())
        if name:
            return name
    return None


def _decode_as(data: bytes, encoding: str, fallback: str, problems: list[Problem]) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            problems.append(Problem(0, "encoding", f"not valid {encoding}; odd characters were replaced"))
            return data.decode(encoding, errors="replace")
        name = _declared(data)
        if name is None and fallback == _JAPANESE:
            name = _japanese(data)
        elif name is None and fallback and not _is_damaged_utf8(data):
            name = fallback
        name = name or _east_asian(data)
        if name is None and _is_damaged_utf8(data):
            problems.append(Problem(0, "encoding", f"not valid UTF-8 at byte {error.start}; bad bytes were replaced"))
            return data.decode("utf-8", errors="replace")
        if name is None:
            message = f"not valid UTF-8 at byte {error.start}; read as Latin-1"
            problems.append(Problem(0, "encoding", message))
        return data.decode(name or "latin-1", errors="replace")


def _east_asian(data: bytes) -> str | None:
    """The encoding of Chinese, Japanese or Korean text: bytes beyond ASCII stand in pairs, or begin one."""
    head = data[:_HEAD]
    if _IN_JAPANESE.search(head):
        return _japanese(data)
    runs = _HIGH_BYTES.findall(head)
    total = sum(map(len, runs))
    if total < _FEWEST_PAIRED:
        return None
    if sum(len(run) for run in runs if len(run) % 2 == 0) < 0.95 * total:
        return "big5" if _is_big5(head) and _is_valid(data, "big5") else None
    if len(_KANA.findall(head)) > 0.2 * total / 2:
        name = "euc_jp"
    else:
        first = [lead for run in runs for lead in run[::2] if lead >= _FIRST_WORDS]
        # Chinese uses the characters behind those of Korean as often as the others.
        korean = bool(first) and sum(lead > _LAST_HANGUL for lead in first) < 0.05 * len(first)
        name = "cp949" if korean else "gb18030"
    return name if _is_valid(data, name) else None


def _japanese(data: bytes) -> str | None:
    return next((name for name in ("shift_jis", "euc_jp") if _is_valid(data, name)), None)


def _is_big5(head: bytes) -> bool:
    """Whether almost all characters are among the frequent ones of Big5, if the text is in it."""
    pairs = _BIG5.findall(head)
    frequent = sum(lead <= b"\xc6" for lead, _ in pairs)
    return len(pairs) >= _FEWEST_PAIRED and frequent >= 0.9 * len(pairs)


def _is_valid(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether there are more valid characters beyond ASCII than bad bytes: damaged UTF-8, not another encoding."""
    text = data.decode("utf-8", errors="replace")
    return len(_BEYOND_ASCII.findall(text)) > text.count("\ufffd")


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 without byte order mark has a zero in every other byte."""
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
    """Whether there are more than a few control characters."""
    head = data[:_HEAD]
    control = sum(head.count(byte) for byte in range(32) if byte not in b"\t\n\f\r\x0b\x1b")
    return control > 0.02 * len(head) + 2


MAX_BYTES = 64 << 20
"""A single LaTeX file larger than this is a mistake; the largest of the Stacks project has 2 MB."""


def read_text(path: Path) -> str:
    """The text of a small companion file, such as a list of chapters."""
    data = read_limited(path)
    if isinstance(data, Problem):
        raise SourceNotFound(f"{path}: {data.message}")
    return decode(data).text or ""


def read_bytes(path: Path) -> bytes | None:
    """The bytes of a file, or None when it cannot be read."""
    data = read_limited(path)
    return None if isinstance(data, Problem) else data


def read_limited(path: Path) -> bytes | Problem:
    """The bytes of a regular file of limited size: a pipe would block, a device would never end."""
    held = unsaved_bytes(path)
    if held is not None:
        return held
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return Problem(0, "unreadable", "not a regular file; it was left out")
        if status.st_size > MAX_BYTES:
            return Problem(0, "too-large", f"larger than {MAX_BYTES >> 20} MB; it was left out")
        return path.read_bytes()
    except OSError as error:
        return Problem(0, "unreadable", f"cannot be read ({error.strerror}); it was left out")


class Positions:
    """Line starts of a text, found once, so that any offset can be named."""

    def __init__(self, text: str) -> None:
        """Index the line starts of a text whose lines end with a line feed."""
        self._starts = list(accumulate(map((1).__add__, map(len, text.split("\n"))), initial=0))

    def line(self, offset: int) -> int:
        """Number of the line that holds the offset, from 1."""
        return bisect_right(self._starts, offset)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of the offset, both from 1."""
        line = self.line(offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both from 1."""
        return self._starts[line - 1] + column - 1
