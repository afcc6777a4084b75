"""Which code made a figure: the version of the package, and the commit if it runs from its repository."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from naturalproofs import __version__

ROOT = Path(__file__).resolve().parents[3]
"""The repository, if the package is not installed elsewhere."""


@cache
def code_version() -> str:
    """``naturalproofs 0.1.0 (a0e2256)``; a plus sign after the commit marks changes that are not committed."""
    found = commit()
    if not found:
        return f"naturalproofs {__version__}"
    changed = "+" if _git("status", "--porcelain", "--untracked-files=no", "--", "src") else ""
    return f"naturalproofs {__version__} ({found}{changed})"


def commit() -> str:
    """The short commit of a git checkout that this package runs from; empty elsewhere."""
    return _git("rev-parse", "--short", "HEAD") if (ROOT / ".git").exists() else ""


def _git(*arguments: str) -> str:
    """What git prints; nothing if it fails or is not installed."""
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.strip()
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
