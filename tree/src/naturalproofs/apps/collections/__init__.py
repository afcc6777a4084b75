"""Collections: the statements of thousands of projects in Lance tables, read in parallel, searched without loading."""

import os
import re
from pathlib import Path

# Lance reads this when it is loaded; by default it warns about every table that is new.
os.environ.setdefault("LANCE_LOG", "error")

COMMIT = "commit"
"""The table that says which versions of the other tables belong together."""
_STORE = re.compile(r"^(s3|gs|az|abfss|hf|memory):/(?!/)")


def as_address(path: str | Path) -> str:
    """The address of a collection; a path has lost one of the slashes of an address in an object store."""
    return _STORE.sub(r"\1://", str(path))


def is_collection(path: str | Path) -> bool:
    """Whether a path is a collection, without opening it; an address in an object store is taken for one."""
    return "://" in as_address(path) or Path(path, f"{COMMIT}.lance").is_dir()
