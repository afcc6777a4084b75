"""The command `site`, from the outside."""

from pathlib import Path

from naturalproofs.data import primer_folder
from support.command_line import call


def test_a_site_is_written_and_only_what_changed_again(tmp_path: Path) -> None:
    site, tags = tmp_path / "site", tmp_path / "tags"
    code, _, said = call("site", primer_folder(), "-o", site, "--tags", tags, "--url", "https://example.org/p/")
    assert code == 0, said
    assert "606 statements" in said
    assert (site / "index.html").is_file()
    assert tags.read_bytes() == (site / "tags.txt").read_bytes()
    assert "https://example.org/p/tag/0001.html" in (site / "sitemap.xml").read_text()
    code, _, said = call("site", primer_folder(), "-o", site, "--tags", tags, "--url", "https://example.org/p")
    assert "(0 written, 0 removed)" in said
    code, _, said = call("site", primer_folder(), "-o", site)
    assert "1 removed" in said


def test_what_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("x")
    code, _, said = call("site", primer_folder(), "-o", tmp_path / "mine")
    assert code == 1
    assert "was not made by this command" in said
    assert call("site", primer_folder(), "-o", tmp_path / "new", "--url", "example.org")[0] == 2
    (tmp_path / "tags").write_text("no tags\n")
    code, _, said = call("site", primer_folder(), "-o", tmp_path / "new", "--tags", tmp_path / "tags")
    assert code == 1
    assert "tags:1: not a tag" in said
    assert not (tmp_path / "new").exists()
