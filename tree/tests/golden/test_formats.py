"""Small projects in PreTeXt and Markdown, each with the listing that a reader of it would write.

``NATURALPROOFS_UPDATE_GOLDEN=1 pytest tests/golden/test_formats.py`` rewrites the listings.
"""

import os
from pathlib import Path

import pytest

from naturalproofs.corpus.load import build
from naturalproofs.sources.registry import source
from support.project_listing import listing

PROJECTS = sorted(path for path in Path(__file__).with_name("formats").iterdir() if path.is_dir())


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_project(project: Path):
    kind = "pretext" if project.name == "pretext" else "markdown"
    found = listing(build(source(kind), project, name="p"))
    expected = project / "expected.txt"
    if os.environ.get("NATURALPROOFS_UPDATE_GOLDEN"):
        expected.write_text(found, "utf-8")
    assert found == expected.read_text("utf-8")
