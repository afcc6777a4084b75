"""Folders that say what they hold: whatever is wrong with one is told in one line, with what to do."""

from dataclasses import dataclass

import pytest

from naturalproofs.errors import NotARun
from naturalproofs.io.folders import FolderKind, pretty
from naturalproofs.io.hashing import sha256_bytes


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
