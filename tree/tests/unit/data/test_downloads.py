"""The catalogue of downloads: complete, well-formed, and leading to commands that exist."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from naturalproofs.data.downloads import catalogue
from naturalproofs.errors import UnknownName
from naturalproofs.sources.registry import SOURCES


def test_every_entry_is_sound():
    files = catalogue().files
    assert len({entry.file for entry in files.values()}) == len(files)
    for entry in files.values():
        assert entry.url.startswith("https://")
        assert re.fullmatch(r"[\w.-]+", entry.file)
        assert re.fullmatch(r"[\w.-]*", entry.unpack)
        assert bool(entry.unpack) == entry.file.endswith(".zip")
        assert re.fullmatch(r"([0-9a-f]{32})?", entry.md5)
        assert re.fullmatch(r"([0-9a-f]{64})?", entry.sha256)
        assert entry.licence
        assert entry.citation


def test_the_next_command_names_a_source_that_exists():
    for entry in catalogue().files.values():
        build = re.fullmatch(r"naturalproofs build ([a-z-]+) \{path\} -o ([a-z]+)", entry.next)
        assert build is not None
        assert build[1] in SOURCES or find_spec(f"naturalproofs.sources.latex.{build[1]}")


def test_what_the_published_file_is():
    entry = catalogue().files["naturalproofs-proofwiki"]
    assert (entry.size, entry.md5) == (116_780_142, "f6d0cfcbfa91b47c9390ca654351fa46")


def test_sets_and_names():
    assert list(catalogue().find("naturalproofs")) == [
        "naturalproofs-proofwiki",
        "naturalproofs-stacks",
        "naturalproofs-trench",
    ]
    assert list(catalogue().find("stein")) == ["stein"]
    with pytest.raises(UnknownName, match=r"there are: .*stacks.*, naturalproofs$"):
        catalogue().find("hott")


def test_addresses():
    entry = catalogue().files["stacks"]
    assert entry.addresses() == [entry.url]
    assert entry.addresses(("http://m/a/", "http://n")) == [
        "http://m/a/stacks-project-4df67b8.zip",
        "http://n/stacks-project-4df67b8.zip",
        entry.url,
    ]
    assert entry.ready(Path("d")) == Path("d/stacks-project")
