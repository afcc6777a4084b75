import os
import stat

import pytest

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.folders import replaced_folder, write_atomic


def ours(path):
    return (path / "ours").exists()


def test_a_folder_appears_whole(tmp_path):
    target = tmp_path / "a" / "b"
    with replaced_folder(target, ours) as scratch:
        (scratch / "ours").write_text("1")
        assert not target.exists()
    assert (target / "ours").read_text() == "1"
    assert os.listdir(tmp_path / "a") == ["b"]


def test_a_failure_leaves_the_old_folder(tmp_path):
    target = tmp_path / "a"
    with replaced_folder(target, ours) as scratch:
        (scratch / "ours").write_text("old")
    with pytest.raises(KeyboardInterrupt), replaced_folder(target, ours) as scratch:
        (scratch / "ours").write_text("new")
        raise KeyboardInterrupt
    assert (target / "ours").read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_an_older_one_is_replaced_whole(tmp_path):
    target = tmp_path / "a"
    for name in ("first", "second"):
        with replaced_folder(target, ours) as scratch:
            (scratch / "ours").write_text(name)
            (scratch / name).write_text("")
    assert sorted(os.listdir(target)) == ["ours", "second"]


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
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        write_atomic(tmp_path / "a", b"x")
    assert os.listdir(tmp_path) == []
