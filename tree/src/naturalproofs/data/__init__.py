"""Data files of the package: the Primer, the paper's figures, the fonts of the pages."""

from importlib.resources import files
from pathlib import Path


def primer_folder() -> Path:
    """The LaTeX project of the Primer."""
    return Path(str(files("naturalproofs.data") / "primer"))


def font_files() -> dict[str, bytes]:
    """The fonts of the pages, and the style sheet ``fonts.css`` that names them; ``benchmarks/fonts.py`` makes them."""
    folder = files("naturalproofs.data").joinpath("fonts")
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.name.endswith((".css", ".woff2"))}
