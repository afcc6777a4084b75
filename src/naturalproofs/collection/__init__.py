"""Collections: the statements of thousands of projects in Lance tables, read in parallel, searched without loading."""

import os
from pathlib import Path

# Lance reads this when it is loaded; by default it warns about every table that is new.
os.environ.setdefault("LANCE_LOG", "error")

COMMIT = "commit"
"""The table that says which versions of the other tables belong together."""


def is_collection(address: str | Path) -> bool:
    """Whether a path is a collection, without opening it; an address in an object store is taken for one."""
    return "://" in str(address) or Path(address, f"{COMMIT}.lance").is_dir()
