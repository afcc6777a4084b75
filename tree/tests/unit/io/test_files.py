"""Files and folders: written atomically, never over something of another kind, and never through links by deletion."""

import errno
import os
import stat
import threading
from multiprocessing import get_context
from pathlib import Path

import pytest

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io import files
from naturalproofs.io.files import (
    clean,
    leftovers,
    open_directory,
    recover_folder,
    remove,
    replaced_folder,
    write_atomic,
)
from naturalproofs.io.outputs import write_output


def ours(path):
    return (path / "ours").exists()


def write_folder(target, text):
    with replaced_folder(target, ours) as scratch:
        (scratch / "ours").write_text(text)
        (scratch / text).write_text("")


class Killed(BaseException):
    """Stands for the end of the process."""


def test_a_folder_appears_whole(tmp_path):
    target = tmp_path / "a" / "b"
    with replaced_folder(target, ours) as scratch:
        (scratch / "ours").write_text("1")
        assert not target.exists()
    assert (target / "ours").read_text() == "1"
    assert os.listdir(tmp_path / "a") == ["b"]


def test_a_failure_leaves_the_old_folder(tmp_path):
    target = tmp_path / "a"
    write_folder(target, "old")
    with pytest.raises(KeyboardInterrupt), replaced_folder(target, ours) as scratch:
        (scratch / "ours").write_text("new")
        raise KeyboardInterrupt
    assert (target / "ours").read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("exchange", [True, False])
def test_an_older_folder_is_replaced_whole(tmp_path, monkeypatch, exchange):
    if not exchange:
        monkeypatch.setattr(files, "_exchange", lambda *_: False)
    target = tmp_path / "a"
    for name in ("first", "second"):
        write_folder(target, name)
    assert sorted(os.listdir(target)) == ["ours", "second"]
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_is_not_ours_is_never_replaced(tmp_path, kind):
    target = tmp_path / "precious"
    if kind == "file":
        target.write_text("x")
    elif kind == "folder":
        target.mkdir()
        (target / "thesis.tex").write_text("x")
    else:
        target.symlink_to(tmp_path)
    with pytest.raises(OutputInTheWay, match="precious"), replaced_folder(target, ours):
        pass
    assert target.exists()


def test_the_target_exists_at_every_moment(tmp_path, monkeypatch):
    """Wherever the process is stopped around the exchange, the old or the new folder is at the target."""
    target = tmp_path / "a"
    write_folder(target, "old")
    real = files._exchange

    def before(*_):
        raise Killed

    def after(first, second):
        real(first, second)
        raise Killed

    monkeypatch.setattr(files, "remove", lambda _: None)
    for stopped, expected in ((before, "old"), (after, "new")):
        monkeypatch.setattr(files, "_exchange", stopped)
        with pytest.raises(Killed):
            write_folder(target, "new")
        assert (target / "ours").read_text() == expected


def test_without_exchange_a_failing_second_rename_restores_the_old_folder(tmp_path, monkeypatch):
    target = tmp_path / "a"
    write_folder(target, "old")
    rename = Path.rename

    def failing(self, new):
        if self.suffix == ".part":
            raise OSError("disk error")
        return rename(self, new)

    monkeypatch.setattr(files, "_exchange", lambda *_: False)
    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="disk error"):
        write_folder(target, "new")
    assert (target / "ours").read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def _write_and_die(target):
    """End the process between the two renames of a system without exchange."""
    rename = Path.rename

    def dying(self, new):
        rename(self, new)
        os._exit(9)

    files._exchange = lambda *_: False
    Path.rename = dying
    write_folder(target, "new")


def test_without_exchange_a_kill_between_two_renames_does_not_lose_the_old_folder(tmp_path):
    target = tmp_path / "a"
    write_folder(target, "old")
    process = get_context("fork").Process(target=_write_and_die, args=(target,))
    process.start()
    process.join()
    assert process.exitcode == 9
    assert not target.exists()
    recover_folder(target)
    assert (target / "ours").read_text() == "old"
    write_folder(target, "new")
    assert (target / "ours").read_text() == "new"


def test_contents_are_flushed_before_the_folder_appears(tmp_path, monkeypatch):
    events = []
    fsync, put = os.fsync, files._put_in_place
    monkeypatch.setattr(os, "fsync", lambda handle: (events.append("fsync"), fsync(handle)))
    monkeypatch.setattr(files, "_put_in_place", lambda *paths: (events.append("rename"), put(*paths)))
    write_folder(tmp_path / "a", "new")
    assert events == ["fsync", "fsync", "fsync", "rename", "fsync"]


def _write_and_wait(target, ready, end):
    with replaced_folder(target, ours):
        ready.set()
        end.wait()
        os._exit(9)


def test_temporary_folders_of_killed_processes_are_removed_and_those_of_running_ones_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_JUST_MADE", -1)
    context = get_context("fork")
    ready, end = context.Event(), context.Event()
    process = context.Process(target=_write_and_wait, args=(tmp_path / "a", ready, end))
    process.start()
    ready.wait()
    of_another = tmp_path / ".a.b.00000000.part"
    of_another.mkdir()
    write_folder(tmp_path / "a", "new")
    running = {path.name for path in tmp_path.iterdir()} - {"a", of_another.name}
    assert len(running) == 1
    assert [leftover.path for leftover in leftovers(tmp_path)] == [of_another]
    end.set()
    process.join()
    assert {leftover.path.name for leftover in leftovers(tmp_path)} == running | {of_another.name}
    write_folder(tmp_path / "a", "newer")
    assert {path.name for path in tmp_path.iterdir()} == {"a", of_another.name}


def test_what_was_just_made_is_not_a_leftover(tmp_path):
    (tmp_path / ".a.00000000.part").mkdir()
    assert list(leftovers(tmp_path)) == []


def test_without_locks_a_temporary_folder_is_left_over_after_a_day(tmp_path, monkeypatch):
    def no_locks(*_):
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(files.fcntl, "flock", no_locks)
    monkeypatch.setattr(files, "_JUST_MADE", -1)
    write_folder(tmp_path / "a", "new")
    (tmp_path / ".a.00000000.part").mkdir()
    assert list(leftovers(tmp_path)) == []
    monkeypatch.setattr(files, "_STALE_AFTER", -1)
    assert len(list(leftovers(tmp_path))) == 1


def test_cleaning_leftovers(tmp_path, monkeypatch):
    """A folder whose only copy is a leftover is moved back; other names, and links, are left alone."""
    monkeypatch.setattr(files, "_JUST_MADE", -1)
    for name in (".a.00000000.old", ".b.00000000.old", ".c.00000000.part", "b", ".d.0000000.part", ".e.part", "f.part"):
        (tmp_path / name).mkdir()
    (tmp_path / ".a.00000000.old" / "ours").write_text("precious")
    (tmp_path / ".card.md.0123abcd.part").write_text("half")
    (tmp_path / ".g.00000000.part").symlink_to(tmp_path)
    for leftover in list(leftovers(tmp_path)):
        clean(leftover)
    assert (tmp_path / "a" / "ours").read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} == {
        "a",
        "b",
        ".d.0000000.part",
        ".e.part",
        "f.part",
        ".g.00000000.part",
    }


def test_what_is_added_to_a_folder_while_its_successor_is_made_is_not_removed(tmp_path):
    for exchange in (files._exchange, lambda *_: False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "_exchange", exchange)
            target = tmp_path / f"a{id(exchange)}"
            write_folder(target, "old")
            check = files.check_free

            def check_then_add(folder, may_replace, check=check, target=target):
                check(folder, may_replace)
                if folder == target:
                    (target / "thesis.tex").write_text("precious")

            patch.setattr(files, "check_free", check_then_add)
            only_ours = lambda folder: not (folder / "thesis.tex").exists()  # noqa: E731
            with pytest.raises(OutputInTheWay, match="added or changed"), replaced_folder(target, only_ours) as scratch:
                (scratch / "ours").write_text("new")
            assert (target / "thesis.tex").read_text() == "precious"
            assert (target / "ours").read_text() == "old"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_permissions_follow_the_umask(tmp_path):
    before = os.umask(0o022)
    try:
        with replaced_folder(tmp_path / "a", ours):
            pass
        write_atomic(tmp_path / "b", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o644


def test_write_atomic_leaves_nothing_behind_on_failure(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError("full")

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(OSError, match="full"):
        write_atomic(tmp_path / "a", b"x")
    assert os.listdir(tmp_path) == []


def test_a_pipe_is_written_through(tmp_path):
    """As is every device: ``-o /dev/null`` leaves the device in place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_output(pipe, b"contents")
    reader.join()
    assert read == [b"contents"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_is_written_through(tmp_path):
    write_output(tmp_path / "target", b"ours, and longer than what follows")
    (tmp_path / "link").symlink_to("target")
    write_output(tmp_path / "link", b"ours")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"ours"
    (tmp_path / "null").symlink_to("/dev/null")
    write_atomic(tmp_path / "null", b"x")
    assert (tmp_path / "null").readlink() == Path("/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_removal_does_not_follow_links(tmp_path):
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "file").write_text("precious")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner").symlink_to(tmp_path / "victim")
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    for name in ("folder", "link", "nothing"):
        remove(tmp_path / name)
    assert os.listdir(tmp_path) == ["victim"]
    assert os.listdir(tmp_path / "victim") == ["file"]


def test_a_directory_does_not_follow_links(tmp_path):
    (tmp_path / "victim").write_text("precious")
    with open_directory(tmp_path, tmp_path / "cache", create=True) as directory:
        (tmp_path / "cache" / "entry").symlink_to(tmp_path / "victim")
        with pytest.raises(OSError, match="symbolic links"):
            directory.read("entry")
        directory.write("entry", b"new")
        assert directory.read("entry") == b"new"
        directory.remove("entry")
        assert directory.names() == []
    assert (tmp_path / "victim").read_text() == "precious"
    (tmp_path / "linked").symlink_to(tmp_path / "cache")
    with pytest.raises(OSError, match="linked"), open_directory(tmp_path, tmp_path / "linked"):
        pass


def test_an_empty_folder_gives_way_to_a_file_of_a_cache(tmp_path):
    for name in ("empty", "filled"):
        (tmp_path / name).mkdir()
    (tmp_path / "filled" / "precious").write_text("precious")
    with open_directory(tmp_path, tmp_path) as directory:
        directory.write("empty", b"new")
        with pytest.raises(OSError, match="not empty"):
            directory.write("filled", b"new")
    assert (tmp_path / "empty").read_bytes() == b"new"
    assert (tmp_path / "filled" / "precious").read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["empty", "filled"]


def test_errors_of_the_system_name_the_file_and_not_its_temporary_name(tmp_path, monkeypatch):
    def fail(_self, _name, _data, *, sync=False):
        raise OSError(errno.ENOSPC, "No space left on device", ".card.md.1234")

    monkeypatch.setattr(files.Directory, "write", fail)
    with pytest.raises(OSError, match="No space") as failed:
        write_atomic(tmp_path / "card.md", b"x")
    assert failed.value.filename == str(tmp_path / "card.md")


@pytest.mark.parametrize(("inside", "named"), [("part.jsonl", "out"), (None, "out"), ("../input.tex", "input.tex")])
def test_errors_of_the_system_name_the_folder_that_is_written(tmp_path, inside, named):
    def write() -> None:
        with replaced_folder(tmp_path / "out", lambda _path: False) as scratch:
            path = None if inside is None else str((scratch / inside).resolve())
            raise OSError(errno.EIO, "Input/output error", path)

    with pytest.raises(OSError, match="Input/output") as failed:
        write()
    assert failed.value.filename == str(tmp_path / named)
    assert list(tmp_path.iterdir()) == []
