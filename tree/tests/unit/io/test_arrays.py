"""Arrays in untrusted files."""

import numpy as np
import pytest

from naturalproofs.io.arrays import load_array


@pytest.mark.parametrize("mapped", [True, False])
def test_an_array_is_read(tmp_path, mapped):
    np.save(tmp_path / "a.npy", np.arange(3))
    assert load_array(tmp_path / "a.npy", mapped=mapped).tolist() == [0, 1, 2]


def headed(header):
    padded = header.ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + bytes(24)


@pytest.mark.parametrize("mapped", [True, False])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"PK\x03\x04 not a zip",
        headed(b"{'descr': '<i8', 'fortran_order': False, 'shape': (3,), ("),
        headed(b"{'descr': '<i8', 'fortran_order': False, 'shape': (999999999999999999999,), }"),
        headed(b"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }"),
        headed(b"{'descr': 7, 'fortran_order': False, 'shape': (-3,), }"),
        headed(b"((((("),
    ],
)
def test_a_damaged_array_is_refused(tmp_path, data, mapped):
    (tmp_path / "a.npy").write_bytes(data)
    with pytest.raises(ValueError):  # noqa: PT011 - the message is numpy's
        load_array(tmp_path / "a.npy", mapped=mapped)


def test_an_archive_of_arrays_is_not_an_array(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3))
    with pytest.raises(ValueError, match="not an array"):
        load_array(tmp_path / "a.npz")
