"""Folders of small text files."""

from pathlib import Path


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write files by name, with the folders that they need."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
