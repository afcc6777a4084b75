"""The catalogue of what ``fetch`` can get."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import msgspec

from naturalproofs.errors import UnknownName
from naturalproofs.io.download import Promise


@dataclass(frozen=True, slots=True)
class Published:
    """One file of the catalogue."""

    title: str
    file: str
    url: str
    version: str
    licence: str
    citation: str
    next: str
    """The command to go on with, where ``{path}`` is what was fetched."""
    size: int | None = None
    md5: str = ""
    sha256: str = ""
    unpack: str = ""
    """The folder that an archive is unpacked to."""

    @property
    def promise(self) -> Promise:
        """What its contents must be, as far as that is known."""
        return Promise(self.size, self.md5, self.sha256)

    def addresses(self, mirrors: tuple[str, ...] = ()) -> list[str]:
        """Where to look: mirrors, which have files under their own names, then the place of publication."""
        return [*(f"{mirror.rstrip('/')}/{quote(self.file)}" for mirror in mirrors), self.url]

    def ready(self, folder: Path) -> Path:
        """What the next command takes, once the file is in that folder."""
        return folder / (self.unpack or self.file)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All files by name, and names for several of them."""

    files: dict[str, Published]
    sets: dict[str, tuple[str, ...]]

    def find(self, name: str) -> dict[str, Published]:
        """The files that a name stands for."""
        if name in self.sets:
            return {each: self.files[each] for each in self.sets[name]}
        if name in self.files:
            return {name: self.files[name]}
        raise UnknownName(f"nothing to fetch is called {name!r}; there are: {', '.join([*self.files, *self.sets])}")


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The catalogue that ships with the package."""
    text = files("naturalproofs.data").joinpath("downloads.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Catalogue)
