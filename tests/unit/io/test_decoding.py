from typing import Any

import pytest

from naturalproofs.io.decoding import decode_json, decode_toml, read_json


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 20_000, b"9" * 5_000, b"\xff", b'"\xff"', b"", b"{"])
def test_whatever_is_wrong_with_json_is_a_value_error(tmp_path, data):
    with pytest.raises(ValueError, match=r"\w"):
        decode_json(data, Any)
    (tmp_path / "file.json").write_bytes(data)
    with pytest.raises(ValueError, match=r"\w"):
        read_json(tmp_path / "file.json", Any)


def test_large_files_are_not_read(tmp_path):
    (tmp_path / "file.json").write_bytes(b"[" + b" " * (2 << 20) + b"]")
    assert read_json(tmp_path / "file.json", list[int]) == []
    with pytest.raises(ValueError, match="larger than 1 MB"):
        read_json(tmp_path / "file.json", list[int], 1 << 20)


@pytest.mark.parametrize(
    "text", ["a=" + "[" * 100_000, "a=" + "9" * 5_000, "a", "a='" + "x" * (1 << 20) + "'", "a." * 20_000 + "b=1"]
)
def test_whatever_is_wrong_with_toml_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"\w"):
        decode_toml(text)
