"""The table of export formats, and what each of them is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from naturalproofs.errors import UnknownName

if TYPE_CHECKING:
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.tasks.splits import Splits


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be written, and where."""

    corpus: Corpus
    splits: Splits
    output: Path
    extras: bool = True
    """Whether a format with room for it keeps what its schema has no field for."""


Export: TypeAlias = Callable[[Request], str]
"""Writes what is requested, whole or not at all, and tells a person what was written."""

FORMATS: dict[str, str] = {
    "naturalproofs-json": "naturalproofs.tasks.exports.naturalproofs_json:write",
    "beir": "naturalproofs.tasks.exports.beir:write",
    "trec": "naturalproofs.tasks.exports.trec:write",
    "huggingface": "naturalproofs.tasks.exports.huggingface:write",
    "graphml": "naturalproofs.tasks.exports.graphml:write",
}
"""Formats by name, imported when asked for."""


def export(name: str) -> Export:
    """The function that writes that format."""
    if name not in FORMATS:
        raise UnknownName(f"no export format is called {name!r}; there are: {', '.join(FORMATS)}")
    module, attribute = FORMATS[name].split(":")
    return cast(Export, getattr(import_module(module), attribute))
