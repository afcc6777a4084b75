"""Safe unpacking of zip archives: nothing outside the folder, no links, limited size, atomic."""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from naturalproofs.errors import UnsafeArchive
from naturalproofs.io.files import replaced_folder

LARGEST = 4 << 30
"""Maximal unpacked bytes and number of entries; the known sources are far below."""
MOST = 200_000


def unpack(archive: Path, folder: Path, *, largest: int = LARGEST) -> int:
    """Unpack a zip archive into a new folder and return the number of files.

    A single top folder, as in GitHub's archives, is left out. Links are not created.

    Args:
        archive: The archive.
        folder: The folder to make; it must be empty or missing.
        largest: Maximal total size of the files in bytes.
    """
    try:
        with zipfile.ZipFile(archive) as opened, replaced_folder(folder, lambda _: False) as scratch:
            files = _files(archive, opened, largest)
            top = _common_top(list(files))
            for path, entry in files.items():
                target = scratch.joinpath(*path.parts[1:] if top else path.parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with opened.open(entry) as source, target.open("xb") as stream:
                    shutil.copyfileobj(source, stream)
            return len(files)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError) as error:
        raise UnsafeArchive(f"{archive}: damaged or not a zip archive ({error}); fetch it again") from error
    except OSError as error:
        raise UnsafeArchive(f"{archive}: cannot be unpacked to {folder} ({error.strerror or error})") from error


def _files(archive: Path, opened: zipfile.ZipFile, largest: int) -> dict[PurePosixPath, zipfile.ZipInfo]:
    entries = opened.infolist()
    if len(entries) > MOST or sum(entry.file_size for entry in entries) > largest:
        raise UnsafeArchive(f"{archive}: unpacks to more than {largest:,} bytes or {MOST:,} files; left packed")
    found: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for entry in entries:
        path = _path(archive, entry.filename)
        mode = entry.external_attr >> 16
        if entry.is_dir() or (stat.S_IFMT(mode) and not stat.S_ISREG(mode)):
            continue
        if path in found:
            raise UnsafeArchive(f"{archive}: holds {path} twice; left packed")
        found[path] = entry
    return found


def _path(archive: Path, name: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    outside = path.is_absolute() or ".." in path.parts or not path.parts or ":" in path.parts[0]
    if outside or "\0" in name:
        raise UnsafeArchive(f"{archive}: holds {name!r}, which would be written outside its folder; left packed")
    return path


def _common_top(paths: list[PurePosixPath]) -> bool:
    return len({path.parts[0] for path in paths}) == 1 and all(len(path.parts) > 1 for path in paths)
