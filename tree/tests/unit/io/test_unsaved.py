from naturalproofs.io.files import current_bytes, unsaved, unsaved_bytes


def test_an_unsaved_text_stands_for_its_file(tmp_path):
    file = tmp_path / "a.tex"
    file.write_bytes(b"saved")
    with unsaved({file.resolve(): b"typed"}):
        assert current_bytes(file) == b"typed"
        assert current_bytes(tmp_path / "x" / ".." / "a.tex") == b"typed"
        assert unsaved_bytes(tmp_path / "b.tex") is None
    assert current_bytes(file) == b"saved"
