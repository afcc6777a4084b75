"""Small LaTeX projects, one for every construct, each with the listing that a reader of it would write.

To look at what changed after an intended change: ``NATURALPROOFS_UPDATE_GOLDEN=1 pytest tests/golden/test_projects.py``
rewrites the listings, and the difference is reviewed like code.
"""

import os
from pathlib import Path

import pytest

from support.project_listing import listing, read_project

PROJECTS = sorted(path for path in Path(__file__).with_name("projects").iterdir() if path.is_dir())


def test_there_are_projects():
    assert len(PROJECTS) > 25


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_project(project: Path):
    found = listing(read_project(project))
    expected = project / "expected.txt"
    if os.environ.get("NATURALPROOFS_UPDATE_GOLDEN"):
        expected.write_text(found, "utf-8")
    assert found == expected.read_text("utf-8")
