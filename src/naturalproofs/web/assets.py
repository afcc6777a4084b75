"""Style and scripts, read once; only these names exist, so that no address leads to another file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from naturalproofs.io.hashing import sha256_bytes

KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that pages use."""

    content: bytes
    kind: str
    version: str
    """Part of the address, so that a browser may keep the file for ever."""


@cache
def assets() -> dict[str, Asset]:
    """All of them by name."""
    found: dict[str, Asset] = {}
    for entry in files("naturalproofs.web").joinpath("static").iterdir():
        suffix = entry.name[entry.name.rfind(".") :]
        if suffix in KINDS:
            content = entry.read_bytes()
            found[entry.name] = Asset(content, KINDS[suffix], sha256_bytes(content)[:12])
    return found


def asset_address(name: str) -> str:
    """Where a page finds one."""
    return f"/static/{name}?v={assets()[name].version}"
