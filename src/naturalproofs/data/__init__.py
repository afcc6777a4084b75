"""Data files of the package: the Primer and the paper's figures."""

from importlib.resources import files
from pathlib import Path


def primer_folder() -> Path:
    """The LaTeX project of the Primer."""
    return Path(str(files("naturalproofs.data") / "primer"))
