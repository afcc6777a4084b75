"""No file of the user is replaced by a slip."""

import os
import resource
from multiprocessing import get_context

import pytest

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io import files
from naturalproofs.io.outputs import check_output, replacing_any_file, write_output


def test_new_empty_and_own_files_are_written(tmp_path):
    path = tmp_path / "new" / "file"
    for data in (b"1", b"2"):
        write_output(path, data)
        check_output(path)
    assert path.read_bytes() == b"2"
    path.write_bytes(b"")
    write_output(path, b"3")
    assert path.read_bytes() == b"3"


def test_an_output_is_remembered_where_hardly_anything_else_finds_place(tmp_path, monkeypatch):
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "it"
    write_output(path, b"older")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
    try:
        write_output(path, b"new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    check_output(path)
    assert path.read_bytes() == b"new"


def test_files_that_are_not_ours_stay(tmp_path):
    (tmp_path / "thesis.tex").write_text("precious")
    for refused in (check_output, lambda path: write_output(path, b"ours")):
        with pytest.raises(OutputInTheWay, match="--force"):
            refused(tmp_path / "thesis.tex")
        with pytest.raises(OutputInTheWay, match="folder"):
            refused(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "precious"
    with pytest.raises(OutputInTheWay, match="cannot be written"):
        write_output(tmp_path / "thesis.tex" / "x", b"ours")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_that_was_changed_since_stays(tmp_path):
    write_output(tmp_path / "card.md", b"written")
    (tmp_path / "card.md").write_text("written, and edited by hand")
    with pytest.raises(OutputInTheWay):
        write_output(tmp_path / "card.md", b"new")
    assert (tmp_path / "card.md").read_text() == "written, and edited by hand"


def test_the_user_may_ask_for_it(tmp_path):
    (tmp_path / "a").write_text("precious")
    with replacing_any_file():
        write_output(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    write_output(tmp_path / "a", b"newer")
    (tmp_path / "a").write_text("precious")
    with pytest.raises(OutputInTheWay):
        write_output(tmp_path / "a", b"new")


def _die_before_the_rename(path):
    rename = os.rename
    os.rename = lambda old, new, **options: os._exit(9) if new == path.name else rename(old, new, **options)
    write_output(path, b"new")


def test_a_killed_command_leaves_a_file_that_the_next_one_replaces_with_its_leftovers(tmp_path):
    write_output(tmp_path / "a", b"old")
    process = get_context("fork").Process(target=_die_before_the_rename, args=(tmp_path / "a",))
    process.start()
    process.join()
    assert process.exitcode == 9
    assert (tmp_path / "a").read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2
    write_output(tmp_path / "a", b"newer")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"newer"


def test_a_full_disk_does_not_lock_a_command_out_of_its_own_file(tmp_path, monkeypatch):
    write_output(tmp_path / "a", b"old")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files.Directory, "write", full)
        with pytest.raises(OSError, match="No space"):
            write_output(tmp_path / "a", b"new")
    write_output(tmp_path / "a", b"newer")
    assert (tmp_path / "a").read_bytes() == b"newer"


def test_two_commands_do_not_write_one_file_at_once(tmp_path, monkeypatch):
    def also(path, data):
        with pytest.raises(OutputInTheWay, match="another command"):
            write_output(path, b"other")
        written(path, data)

    written = files.write_atomic
    monkeypatch.setattr("naturalproofs.io.outputs.write_atomic", also)
    write_output(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"


def test_without_a_cache_new_files_are_written_and_others_stay(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "file"))
    write_output(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    with pytest.raises(OutputInTheWay):
        write_output(tmp_path / "a", b"newer")
