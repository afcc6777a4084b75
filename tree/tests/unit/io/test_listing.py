"""Files of a folder by their endings, and the folders above a file."""

from pathlib import Path

from naturalproofs.io import listing
from naturalproofs.io.listing import files_below, folders_above


def make(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("", "utf-8")


def found(folder: Path, *skipped: str, levels: int = 8) -> list[str]:
    return [file.relative_to(folder).as_posix() for file in files_below(folder, (".md",), skipped, levels)]


def test_higher_folders_come_first(tmp_path: Path):
    make(tmp_path, "b/z.md", "a/deep/x.md", "y.md", "b.md", "c.txt")
    assert found(tmp_path) == ["b.md", "y.md", "b/z.md", "a/deep/x.md"]
    assert found(tmp_path, levels=2) == ["b.md", "y.md", "b/z.md"]


def test_links_and_hidden_folders_are_left_out(tmp_path: Path):
    make(tmp_path, ".git/a.md", "_site/b.md", "real/c.md", ".d.md")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "e.md").symlink_to(tmp_path / "real" / "c.md")
    assert found(tmp_path, "_site") == ["real/c.md"]


def test_there_is_a_limit(tmp_path: Path, monkeypatch):
    make(tmp_path, *(f"{number}.md" for number in range(5)))
    monkeypatch.setattr(listing, "MAX_FILES", 3)
    assert len(found(tmp_path)) == 3


def test_folders_up_to_the_repository(tmp_path: Path):
    make(tmp_path, "repository/.git/config", "repository/src/a/file.md")
    inner = tmp_path / "repository" / "src" / "a"
    assert list(folders_above(inner / "file.md")) == [inner, inner.parent, inner.parent.parent]
    assert list(folders_above(inner / "file.md", 1)) == [inner]
