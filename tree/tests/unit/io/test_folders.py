"""Folders that say what they hold: whatever is wrong with one is told in one line, with what to do."""

from dataclasses import dataclass

import pytest

from naturalproofs.errors import NotARun, OutputInTheWay
from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.folders import FolderKind, pretty


@dataclass(frozen=True)
class About:
    schema: int
    files: dict[str, str]


KIND = FolderKind("box", "box.json", About, 3, "make box", "fill it again", NotARun)


@pytest.fixture
def box(tmp_path):
    (tmp_path / "toys.txt").write_bytes(b"bear")
    (tmp_path / "box.json").write_bytes(pretty(About(3, {"toys.txt": sha256_bytes(b"bear")})))
    return tmp_path


def test_a_whole_folder_is_read(box):
    about = KIND.read(box)
    assert KIND.checked(box, about, "toys.txt") == box / "toys.txt"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, r"not a box folder \(no box.json\); make one with 'make box'"),
        (b"{", r"box.json: damaged .*; fill it again"),
        (b"\xff", r"box.json: damaged .*; fill it again"),
        (pretty(About(2, {})), "box.json: schema 2, this version reads 3; fill it again"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_refused(box, data, message):
    (box / "box.json").unlink()
    if data is not None:
        (box / "box.json").write_bytes(data)
    with pytest.raises(NotARun, match=message):
        KIND.read(box)


def test_a_file_that_is_not_the_one_is_refused(box):
    about = KIND.read(box)
    (box / "toys.txt").write_bytes(b"wolf")
    with pytest.raises(NotARun, match=r"toys\.txt: changed since it was written; fill it again"):
        KIND.checked(box, about, "toys.txt")
    (box / "toys.txt").unlink()
    with pytest.raises(NotARun, match=r"toys\.txt: missing; fill it again"):
        KIND.checked(box, about, "toys.txt")
    (box / "other.txt").write_bytes(b"")
    with pytest.raises(NotARun, match=r"other\.txt: changed"):
        KIND.checked(box, about, "other.txt")


@pytest.mark.parametrize("name", ["../toys.txt", "/etc/hostname", "a/../../toys.txt"])
def test_a_file_outside_the_folder_is_refused(box, name):
    with pytest.raises(NotARun, match="a file outside its folder"):
        KIND.checked(box, KIND.read(box), name)


def test_a_folder_as_it_was_written_may_be_replaced(box):
    assert KIND.is_one(box)
    assert KIND.may_replace(box)
    (box / "toys.txt").unlink()
    assert KIND.may_replace(box), "nothing is lost with it"


@pytest.mark.parametrize("schema", [2, 99])
def test_a_folder_of_another_version_may_be_replaced(box, schema):
    (box / "box.json").write_bytes(pretty(About(schema, {"toys.txt": sha256_bytes(b"bear")})))
    assert KIND.is_one(box)
    assert KIND.may_replace(box)


@pytest.mark.parametrize("data", [None, b"{}", b'{"name": "my web app"}', b"[]", b"{", b"\xff"])
def test_a_file_with_the_name_of_a_manifest_is_not_enough(box, data):
    (box / "box.json").unlink()
    if data is not None:
        (box / "box.json").write_bytes(data)
    assert not KIND.is_one(box)
    assert not KIND.may_replace(box)


def _added(box):
    (box / "notes.txt").write_text("mine")


def _added_below(box):
    (box / "own").mkdir()
    (box / "own" / "notes.txt").write_text("mine")


def _changed(box):
    (box / "toys.txt").write_bytes(b"wolf")


def _linked(box):
    (box / "home").symlink_to(box.parent)


def _linked_to_the_same(box):
    (box / "toys.txt").rename(box.parent / "elsewhere.txt")
    (box / "toys.txt").symlink_to(box.parent / "elsewhere.txt")


@pytest.mark.parametrize("change", [_added, _added_below, _changed, _linked, _linked_to_the_same])
def test_a_folder_that_somebody_changed_is_not_replaced(tmp_path, change):
    box = tmp_path / "box"
    box.mkdir()
    (box / "toys.txt").write_bytes(b"bear")
    (box / "box.json").write_bytes(pretty(About(3, {"toys.txt": sha256_bytes(b"bear")})))
    change(box)
    with pytest.raises(OutputInTheWay, match=r"added or changed since .*box was made; move it away, choose another"):
        KIND.may_replace(box)


def test_a_folder_that_cannot_be_read_is_not_replaced(box):
    (box / "own").mkdir()
    (box / "own" / "notes.txt").write_text("mine")
    (box / "own").chmod(0)
    try:
        with pytest.raises((OSError, OutputInTheWay)):
            KIND.may_replace(box)
    finally:
        (box / "own").chmod(0o700)


def test_the_cache_inside_a_folder_is_ours(box):
    (box / ".naturalproofs" / "objects").mkdir(parents=True)
    (box / ".naturalproofs" / "objects" / "x").write_text("computed")
    assert KIND.may_replace(box)
