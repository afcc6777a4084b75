"""Single files: written whole, and never over something of another kind."""

import re

import pytest

from naturalproofs.errors import OutputInTheWay
from naturalproofs.io.files import write_over

OURS = re.compile(rb"\s*ours")


def test_new_empty_and_own_files_are_written(tmp_path):
    path = tmp_path / "new" / "file"
    write_over(path, b"ours 1", OURS)
    write_over(path, b" ours 2", OURS)
    assert path.read_bytes() == b" ours 2"
    path.write_bytes(b"")
    write_over(path, b"ours 3", OURS)
    assert path.read_bytes() == b"ours 3"


def test_what_is_not_ours_stays(tmp_path):
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(OutputInTheWay, match="choose another output"):
        write_over(tmp_path / "thesis.tex", b"ours", OURS)
    assert (tmp_path / "thesis.tex").read_text() == "precious"
    with pytest.raises(OutputInTheWay, match="folder"):
        write_over(tmp_path, b"ours", OURS)
    with pytest.raises(OutputInTheWay, match="cannot be written"):
        write_over(tmp_path / "thesis.tex" / "x", b"ours", OURS)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
