"""What a user gives to be read: files, folders, standard input and archives.

Archives are unpacked safely: nothing outside the folder, no links, limited size, atomic.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import shutil
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, Self, cast

from naturalproofs.errors import OutputInTheWay, SourceNotFound, UnsafeArchive
from naturalproofs.io.cache import cache_folder, evict, mark_used
from naturalproofs.io.files import remove, replaced_folder, sha256_bytes, sha256_file, write_atomic
from naturalproofs.io.listing import TEX_SUFFIXES

LARGEST = 4 << 30
"""Maximal unpacked bytes and number of entries; the known sources are far below."""
MOST = 200_000
_MAGIC = (b"PK\x03\x04", b"\x1f\x8b", b"\xfd7zXZ\x00", b"BZh")
_CHUNK = 1 << 20
_TEXTS = (
    tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE,
)  # fmt: skip
"""Entries of tar archives that hold a long name or attributes of the next entry."""
STDIN = "-"
"""The path that means standard input."""
_LARGEST_INPUT = 64 << 20
_CACHED_INPUTS = 256 << 20
_PRINTED = {b"%PDF-": "PDF", b"%!PS": "PostScript", b"\xf7\x02": "DVI"}
ARXIV = re.compile(
    r"(?:arxiv:)?(?P<key>(?:\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[a-z]{2})?/\d{7})(?P<version>v\d{1,3})?)", re.IGNORECASE
)
"""Identifiers of papers on arXiv."""
_ADDRESS = re.compile(r"(?:https?|ftp|git|ssh):/|git@", re.IGNORECASE)
_ARXIV_PAGE = re.compile(r"arxiv\.org/[\w-]+/(.+?)(?:\.pdf)?/?$", re.IGNORECASE)
_MARKUP = re.compile(rb"\\[A-Za-z]|:::|```|<[A-Za-z]")
"""Something that one of the readers understands."""
_PACKED = re.compile(r"(?:\.tar)?(?:\.(?:zip|t?gz|xz|bz2|tar))?\Z")
"""Endings of the names of archives and of compressed files."""
_PLAIN = (".txt", ".text")
USED = "give the .tex file that uses it"
_READ = "LaTeX, Markdown, PreTeXt and blueprints in Lean are read"
UNREADABLE = {
    ".bib": ("a bibliography", USED),
    ".lyx": ("a document of LyX", "export it as LaTeX"),
    ".typ": ("a document in Typst", _READ),
    ".rst": ("a document in reStructuredText", _READ),
    ".ipynb": ("a notebook", _READ),
    **dict.fromkeys((".pdf", ".ps", ".dvi", ".djvu", ".epub"), ("a printed document", "give its LaTeX source")),
    **dict.fromkeys(
        (".doc", ".docx", ".odt", ".rtf"),
        ("a document of a word processor", "convert it first, for example with pandoc, and give the .tex file"),
    ),
    **dict.fromkeys(
        (".bmp", ".eps", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp"), ("an image", USED)
    ),
}
"""Files by their suffixes in which no statement can be found: what they are, and what to do."""
_CACHED = 8 << 30
"""Bytes of unpacked archives that the cache holds."""
_DAMAGED = (
    OverflowError, zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, EOFError,
    NotImplementedError, RuntimeError, UnicodeError,
)  # fmt: skip


def given_source(path: Path) -> Path:
    """The file or folder to read when a user gives this path: ``-`` is standard input, an archive is unpacked.

    The results are in the cache, under the hash of the contents.
    """
    if str(path) == STDIN:
        path = _stdin()
    refuse_unreadable(path)
    if not path.exists():
        known = ARXIV.fullmatch(str(path))
        advice = f"for the paper run: naturalproofs fetch {path}" if known else "give a folder, a file or an archive"
        raise SourceNotFound(f"{path}: no such file or folder; {advice}")
    if not path.is_file() or not is_archive(path):
        return path
    folder = unpacked(path)
    inside = list(islice(folder.iterdir(), 2))
    if len(inside) == 1 and inside[0].is_file():
        refuse_printed(inside[0], path)
    return folder


def refuse_unreadable(path: Path) -> None:
    """Raise an error that says what to give instead, if no reader can read what a user gives."""
    if _ADDRESS.match(str(path)) and not path.exists():
        # A path has lost one of the slashes of an address.
        address = re.sub(r"^(\w+):/+", r"\1://", str(path))
        page = _ARXIV_PAGE.search(address)
        advice = "download or clone it and give the file or folder, or see 'naturalproofs fetch --list'"
        if page and ARXIV.fullmatch(page[1]):
            advice = f"for the paper run: naturalproofs fetch {page[1]}"
        raise SourceNotFound(f"{address}: a web address; {advice}")
    if path.is_dir() and next(path.iterdir(), None) is None:
        raise SourceNotFound(f"{path}: an empty folder; give the folder or the file that holds the text")
    if not path.is_file():
        return
    refuse_printed(path)
    what, advice = UNREADABLE.get(path.suffix.lower(), ("", ""))
    if path.suffix.lower() in _PLAIN and not _MARKUP.search(path.read_bytes()):
        what, advice = "plain text without LaTeX", "give the LaTeX source"
    if what:
        raise SourceNotFound(f"{path}: {what}, in which statements cannot be found; {advice}")


def _stdin() -> Path:
    """Standard input as a file in the cache."""
    data = sys.stdin.buffer.read(_LARGEST_INPUT + 1)
    if len(data) > _LARGEST_INPUT:
        raise SourceNotFound(f"standard input: more than {_LARGEST_INPUT >> 20} MB; save it to a file")
    place = cache_folder() / "stdin"
    file = place / sha256_bytes(data)[:16] / "stdin.tex"
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, data)
        evict(place.iterdir(), _CACHED_INPUTS)
    mark_used(file.parent)
    return file


def refuse_printed(file: Path, given: Path | None = None) -> None:
    """Raise an error if a file is a printed document, under the path that the user gave."""
    with file.open("rb") as stream:
        head = stream.read(8)
    if kind := next((kind for magic, kind in _PRINTED.items() if head.startswith(magic)), ""):
        raise SourceNotFound(
            f"{given or file}: a {kind} file, in which statements cannot be found; give its LaTeX source"
        )


def is_archive(path: Path) -> bool:
    """Whether a file begins like a zip, gzip, xz or bzip2 file, or is an uncompressed tar file."""
    with path.open("rb") as stream:
        head = stream.read(512)
    return head.startswith(_MAGIC) or head[257:262] == b"ustar"


def unpacked(archive: Path) -> Path:
    """The folder of an archive's contents in the cache, named after the archive; unpacked if it is not there yet."""
    archives = cache_folder() / "archives"
    folder = archives / sha256_file(archive)[:16] / (_PACKED.sub("", archive.name) or "archive")
    if not folder.is_dir():
        try:
            unpack(archive, folder)
        except (OutputInTheWay, UnsafeArchive):
            # Another process has unpacked it in the meantime.
            if not folder.is_dir():
                raise
        evict(archives.iterdir(), _CACHED)
    mark_used(folder.parent)
    return folder


def unpack(archive: Path, folder: Path, *, largest: int = LARGEST) -> int:
    """Unpack a zip or tar archive, or one compressed file, into a new folder and return the number of files.

    A single top folder, as in GitHub's archives, is left out. Links and devices are skipped.

    Args:
        archive: The archive.
        folder: The folder to make; it must be empty or missing.
        largest: Maximal total size of the files in bytes.
    """
    try:
        with replaced_folder(folder, lambda _: False) as scratch:
            count = total = 0
            for name, size, stream in _entries(archive):
                count, total = count + 1, total + size
                if count > MOST or total > largest:
                    raise UnsafeArchive(
                        f"{archive}: unpacks to more than {largest:,} bytes or {MOST:,} files; left packed"
                    )
                _write(archive, stream, scratch.joinpath(*_path(archive, name).parts), largest - total + size)
            _leave_out_top(scratch)
            return count
    except _DAMAGED as error:
        raise UnsafeArchive(f"{archive}: damaged or not an archive ({error}); fetch it again") from error
    except OSError as error:
        raise UnsafeArchive(f"{archive}: cannot be unpacked to {folder} ({error.strerror or error})") from error


def _entries(archive: Path) -> Iterator[tuple[str, int, IO[bytes]]]:
    """Names, sizes and contents of the regular files."""
    if not archive.stat().st_size:
        raise EOFError("the file is empty")
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for entry in opened.infolist():
                mode = entry.external_attr >> 16
                _path(archive, entry.filename)
                if not entry.is_dir() and (not stat.S_IFMT(mode) or stat.S_ISREG(mode)):
                    with opened.open(entry) as stream:
                        yield entry.filename, entry.file_size, stream
        return
    if not _is_tar(archive):
        name = _PACKED.sub("", archive.name)
        with _decompressed(archive) as single:
            yield name if PurePosixPath(name).suffix in TEX_SUFFIXES else f"{name}.tex", 0, single
        return
    # A stream is decompressed member by member, so that a limit stops it early.
    with tarfile.open(archive, "r|*", tarinfo=TarMember) as tar:
        for member in tar:
            _path(archive, member.name)
            contents = tar.extractfile(member) if member.isreg() else None
            if contents is not None:
                yield member.name, member.size, contents


class TarMember(tarfile.TarInfo):
    """An entry of a tar archive whose long names and attributes, which tarfile reads whole, are of limited size."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Read a header; refuse one that announces too much text."""
        member = super().frombuf(buf, encoding, errors)
        if member.type in _TEXTS and member.size > _CHUNK:
            raise OverflowError(f"names or attributes of {member.size:,} bytes")
        return member


def _decompressed(file: Path) -> IO[bytes]:
    """The contents of one compressed file."""
    with file.open("rb") as stream:
        head = stream.read(6)
    if head.startswith(b"BZh"):
        return cast(IO[bytes], bz2.open(file))
    return cast(IO[bytes], lzma.open(file) if head.startswith(b"\xfd7zXZ") else gzip.open(file))


def _is_tar(archive: Path) -> bool:
    try:
        with tarfile.open(archive, "r|*", tarinfo=TarMember) as tar:
            return tar.next() is not None
    except tarfile.ReadError:
        return False


def _write(archive: Path, stream: IO[bytes], target: Path, limit: int) -> None:
    if target.exists():
        raise UnsafeArchive(f"{archive}: holds {target.name} twice; left packed")
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with target.open("xb") as output:
        while chunk := stream.read(_CHUNK):
            written += len(chunk)
            if written > limit:
                raise UnsafeArchive(f"{archive}: {target.name} is larger than allowed; left packed")
            output.write(chunk)


def _path(archive: Path, name: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    outside = path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1])
    if outside or "\0" in name:
        raise UnsafeArchive(f"{archive}: holds {name!r}, which would be written outside its folder; left packed")
    return path


def _leave_out_top(folder: Path) -> None:
    entries = list(folder.iterdir())
    if len(entries) != 1 or not entries[0].is_dir():
        return
    top = entries[0].rename(folder / f".{entries[0].name}.top")
    for entry in list(top.iterdir()):
        shutil.move(entry, folder / entry.name)
    remove(top)
