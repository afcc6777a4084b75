import errno
import gc
import resource

import pytest

from naturalproofs.apps.editor.session import read_state
from naturalproofs.errors import NoSpace, TooLarge
from naturalproofs.io import memory
from naturalproofs.io.memory import MEMORY, DiskBytes, DiskList, DiskMap, Recomputed, collector_paused, limited_memory
from naturalproofs.records import Note
from naturalproofs.sources.latex import Project
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.check import Selection
from support.command_line import call

NOTES = tuple(Note(str(i), ("x" * i, "ä")) for i in range(9))


def test_entries_are_read_in_any_order_and_between_writes(monkeypatch):
    monkeypatch.setattr(memory, "BUFFER", 10)
    pieces = [b"", b"a" * 25, b"b", b"c" * 7, b""]
    kept = DiskBytes()
    for number, piece in enumerate(pieces):
        kept.append(piece)
        assert kept[number // 2] == pieces[number // 2]
    assert [kept[number] for number in (4, 1, 3, 2, 0)] == [pieces[number] for number in (4, 1, 3, 2, 0)]
    assert len(kept) == 5


def test_records_come_back_equal_in_the_order_asked_for():
    kept = DiskList(Note, NOTES)
    assert kept == NOTES
    assert kept != NOTES[1:]
    assert (kept[-1], kept[2:4], len(kept)) == (NOTES[-1], NOTES[2:4], 9)
    ordered = DiskList(Note, NOTES, key=lambda number: number % 2)
    assert [note.kind for note in ordered] == ["0", "2", "4", "6", "8", "1", "3", "5", "7"]
    assert ordered[5] == NOTES[1]


def test_a_mapped_list_is_a_new_one():
    kept = DiskList(Note, NOTES)
    other = kept.map(lambda note: Note(note.kind + "!", note.lines))
    assert [note.kind for note in other] == [f"{i}!" for i in range(9)]
    assert kept == NOTES


def test_later_record_of_a_name_is_read_in_place_of_the_first():
    kept = DiskMap(Note)
    for name, note in zip("abcab", NOTES, strict=False):
        kept.add(name, note)
    assert dict(kept) == {"a": NOTES[3], "b": NOTES[4], "c": NOTES[2]}
    assert (list(kept), len(kept), "c" in kept, "d" in kept) == (["a", "b", "c"], 3, True, False)
    with pytest.raises(KeyError):
        kept["d"]


def test_a_full_disk_is_one_clear_error(monkeypatch):
    kept = DiskBytes()

    class Full:
        def close(self) -> None: ...

        def write(self, _: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(memory.tempfile, "TemporaryFile", lambda **_: Full())
    kept.append(b"a")
    assert kept[0] == b"a"
    with pytest.raises(NoSpace, match=r"No space left on device.*TMPDIR"):
        kept.append(b"a" * memory.BUFFER)


def test_records_are_added_one_at_a_time():
    kept = DiskList(Note, ())
    for number, note in enumerate(NOTES):
        kept.append(note)
        assert (len(kept), kept[-1]) == (number + 1, note)
    assert kept == NOTES


def test_results_are_computed_again_for_every_pass():
    asked = []
    results = Recomputed(lambda number: asked.append(number) or number + 1, [1, 2])
    assert (list(results), list(results), asked) == ([2, 3], [2, 3], [1, 2, 1, 2])


class _Cycle:
    """An object that only the collector frees."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_read_again_and_again_is_freed(monkeypatch):
    monkeypatch.setattr(memory, "_unscanned", memory._Unscanned(held=1))

    def alive():
        return sum(type(one) is _Cycle for one in gc.get_objects())

    before = alive()
    for _ in range(60):
        with collector_paused():
            for _ in range(10_000):
                _Cycle()
    assert alive() - before < 350_000
    gc.collect()
    assert alive() == before


def test_what_needs_more_memory_than_it_may_is_an_error_of_one_line():
    for _ in range(2):
        with (
            pytest.raises(TooLarge, match=r"^inside: needs more than 64 MB of memory; .*NATURALPROOFS_MEMORY"),
            limited_memory("thesis", 64 << 20),
            limited_memory("inside", 1 << 30),
        ):
            bytearray(256 << 20)
        assert len(bytearray(256 << 20)) == 256 << 20


def test_a_limit_of_the_user_stays():
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with limited_memory("thesis"):
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] > MEMORY
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.parametrize("command", ["check", "search", "graph", "build", "suggest", "site", "mcp", "serve"])
def test_every_command_has_the_limit(tmp_path, monkeypatch, command):
    monkeypatch.setenv("NATURALPROOFS_MEMORY", "64")
    monkeypatch.setattr(Project, "read", lambda *_, **__: bytearray(1 << 30))
    (tmp_path / "main.tex").write_text("\\documentclass{article}\\begin{document}x\\end{document}")
    further = {
        "search": ["x"], "graph": ["-o", tmp_path / "x.html"], "build": ["-o", tmp_path / "x"],
        "suggest": ["--at", "1"], "site": ["-o", tmp_path / "x"], "serve": ["--port", "0"],
    }  # fmt: skip
    source = ["latex"] if command == "build" else []
    code, _, err = call(command, *source, tmp_path, *further.get(command, []))
    assert code == 1
    assert "needs more than 64 MB of memory" in err
    assert err.count("error: ") == 1


def test_what_a_command_does_with_a_project_counts_too(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_MEMORY", "64")
    monkeypatch.setattr(Workspace, "check", lambda *_, **__: bytearray(1 << 30))
    (tmp_path / "main.tex").write_text("\\begin{theorem}x\\end{theorem}")
    code, _, err = call("check", tmp_path)
    assert code == 1
    assert "needs more than 64 MB of memory" in err


def test_an_editor_is_told_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_MEMORY", "64")
    monkeypatch.setattr(Project, "read", lambda *_, **__: bytearray(1 << 30))
    (tmp_path / "main.tex").write_text("\\begin{theorem}x\\end{theorem}")
    with pytest.raises(TooLarge):
        read_state(tmp_path / "main.tex", {}, Selection(), None)
