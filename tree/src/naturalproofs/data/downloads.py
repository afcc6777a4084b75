"""The catalogue of files that ``fetch`` can download."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import msgspec

from naturalproofs.errors import UnknownName
from naturalproofs.io.archives import ARXIV
from naturalproofs.io.decoding import decode_toml
from naturalproofs.io.download import Contents

ARXIV_URL = "https://arxiv.org/e-print/{key}"


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
    """The next command to run, where ``{path}`` is the downloaded file."""
    size: int | None = None
    md5: str = ""
    sha256: str = ""
    unpack: str = ""
    """The folder to unpack an archive to."""

    @property
    def expected(self) -> Contents:
        """The expected contents, as far as known."""
        return Contents(self.size, self.md5, self.sha256)

    def addresses(self, mirrors: tuple[str, ...] = ()) -> list[str]:
        """Addresses to try: the mirrors, then the place of publication."""
        return [*(f"{mirror.rstrip('/')}/{quote(self.file)}" for mirror in mirrors), self.url]

    def ready(self, folder: Path) -> Path:
        """The path for the next command, after the file was downloaded to that folder."""
        return folder / (self.unpack or self.file)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All files by name, and named sets of them."""

    files: dict[str, Published]
    sets: dict[str, tuple[str, ...]]

    def find(self, name: str) -> dict[str, Published]:
        """The files of a name, which may be that of a set."""
        if name in self.sets:
            return {each: self.files[each] for each in self.sets[name]}
        if name in self.files:
            return {name: self.files[name]}
        if (paper := arxiv_paper(name)) is not None:
            return {name: paper}
        raise UnknownName(f"nothing to fetch is called {name!r}; there are: {', '.join([*self.files, *self.sets])}")


def arxiv_paper(name: str) -> Published | None:
    """The source of a paper on arXiv, if the name is an identifier: ``2101.00001``, ``arXiv:math/0211159v1``."""
    match = ARXIV.fullmatch(name)
    if match is None:
        return None
    key = match["key"]
    folder = f"arxiv-{key.replace('/', '-')}"
    return Published(
        title=f"arXiv:{key}",
        file=f"{folder}.gz",
        url=ARXIV_URL.format(key=quote(key)),
        version=match["version"] or "newest version",
        licence=f"as stated at https://arxiv.org/abs/{key}",
        citation=f"arXiv:{key}",
        next="naturalproofs check {path}",
        unpack=folder,
    )


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The catalogue that ships with the package."""
    text = files("naturalproofs.data").joinpath("downloads.toml").read_text("utf-8")
    return msgspec.convert(decode_toml(text), Catalogue)
