"""Reader and display agree on what every macro of a real project means.

The macros that the reader expands are compared with those that are handed to the display and kept in the cache. The
smallest archives are read, so that the test takes less than a minute; with NATURALPROOFS_LARGE=1 all of them.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from naturalproofs.errors import NaturalProofsError
from naturalproofs.io.archives import given_source
from naturalproofs.sources.latex.macros.macro import has_internals
from naturalproofs.sources.latex.project import project as reading
from naturalproofs.sources.latex.project.project import LATEX
from naturalproofs.sources.registry import detect_source

CORPORA = Path(os.environ.get("NATURALPROOFS_CORPORA", Path(__file__).parents[3] / "shared" / "corpora"))
ARCHIVES = sorted(
    (path for folder in ("projects", "more-projects") for path in (CORPORA / folder).glob("*.tar.*")),
    key=lambda path: path.stat().st_size,
)[: None if os.environ.get("NATURALPROOFS_LARGE") else 30]


def disagreements(path, monkeypatch):
    """Names with another meaning for the reader than for the display, and how many names were compared."""
    seen = []
    made = reading.make_dialect

    def make(definitions, *arguments):
        dialect = made(definitions, *arguments)
        seen.append((dialect, {one.name: one for one in definitions.table.commands.values()}))
        return dialect

    monkeypatch.setattr(reading, "make_dialect", make)
    stored = []

    class Cache:
        """Notes what is stored."""

        def get(self, main):
            return None

        def put(self, document):
            stored.append(document)

        def is_valid(self, cached):
            return False

    replace(LATEX, cache=Cache()).read(path, name="x", rules="fixed")
    different, count = [], 0
    for (dialect, table), document in zip(seen, stored, strict=True):
        shown = {one.name: one for one in document.macros}
        for name, macro in {**dialect.definitions.commands, **dialect.commands}.items():
            if name in shown and not has_internals(table[name].body):
                count += 1
                if (macro.parameters, macro.body) != (shown[name].parameters, shown[name].body):
                    different.append((document.main, name, macro.body, shown[name].body))
        different += [(document.main, name, "", "") for name in dialect.commands.keys() & table.keys() - shown.keys()]
    return different, count


@pytest.mark.skipif(not ARCHIVES, reason=f"needs real sources, looked for in {CORPORA}; set NATURALPROOFS_CORPORA")
def test_every_project(monkeypatch):
    total = 0
    for archive in ARCHIVES:
        folder = given_source(archive)
        try:
            if detect_source(folder) != "latex":
                continue
            different, count = disagreements(folder, monkeypatch)
        except NaturalProofsError:
            continue
        monkeypatch.undo()
        assert not different, f"{archive.name}: {different[:5]}"
        total += count
    assert total > 300
