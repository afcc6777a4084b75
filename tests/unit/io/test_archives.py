"""Archives of unknown origin: unpacked whole into their folder, or not at all."""

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from naturalproofs.errors import OutputInTheWay, SourceNotFound, UnsafeArchive
from naturalproofs.io.archives import TarMember, given_source, is_archive, unpack


def archive(tmp_path, **files):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return path


def tree(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_single_top_folder_is_left_out(tmp_path):
    path = archive(tmp_path, **{"repo-abc/": b"", "repo-abc/a.tex": b"a", "repo-abc/tags/tags": b"t"})
    assert unpack(path, tmp_path / "out") == 2
    assert tree(tmp_path / "out") == {"a.tex": b"a", "tags/tags": b"t"}


def test_several_tops_are_kept(tmp_path):
    path = archive(tmp_path, **{"one/a": b"a", "b": b"b"})
    unpack(path, tmp_path / "out")
    assert tree(tmp_path / "out") == {"one/a": b"a", "b": b"b"}


NAMES = ["../evil", "top/../../evil", "/evil", "C:/evil", "..\\evil", "\\evil", "top/.."]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_written_outside(tmp_path, name):
    path = archive(tmp_path, **{"good": b"", name: b"evil"})
    with pytest.raises(UnsafeArchive, match="outside its folder"):
        unpack(path, tmp_path / "in" / "out")
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["a.zip"]


def test_links_are_not_made(tmp_path):
    path = tmp_path / "a.zip"
    link = zipfile.ZipInfo("top/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as opened:
        opened.writestr(link, "/etc/passwd")
        opened.writestr("top/file", "x")
    assert unpack(path, tmp_path / "out") == 1
    assert tree(tmp_path / "out") == {"file": b"x"}


def test_a_link_and_a_file_below_it(tmp_path):
    """The old trick: a link to elsewhere first, then a file that would be written through it."""
    path = tmp_path / "a.zip"
    link = zipfile.ZipInfo("top/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as opened:
        opened.writestr(link, str(tmp_path / "elsewhere"))
        opened.writestr("top/link/file", "x")
    (tmp_path / "elsewhere").mkdir()
    unpack(path, tmp_path / "out")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_bomb(tmp_path):
    path = archive(tmp_path, zeros=b"\0" * 2_000_000)
    assert path.stat().st_size < 10_000
    with pytest.raises(UnsafeArchive, match="more than 1,000,000 bytes"):
        unpack(path, tmp_path / "out", largest=1_000_000)
    assert not (tmp_path / "out").exists()


def test_a_name_that_comes_twice(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as opened:
        opened.writestr("a", "1")
        with pytest.warns(UserWarning, match="Duplicate"):
            opened.writestr("a", "2")
    with pytest.raises(UnsafeArchive, match="twice"):
        unpack(path, tmp_path / "out")


def test_a_file_that_is_also_a_folder(tmp_path):
    path = archive(tmp_path, **{"a": b"", "a/b": b""})
    with pytest.raises(UnsafeArchive):
        unpack(path, tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.zip"]


@pytest.mark.parametrize("harm", ["cut", "flipped", "empty", "html"])
def test_damaged_archives(tmp_path, harm):
    path = archive(tmp_path, a=b"x" * 1000, b=bytes(range(256)))
    data = bytearray(path.read_bytes())
    if harm == "flipped":
        data[60:70] = bytes(10)
    path.write_bytes({"cut": data[:-40], "flipped": data, "empty": b"", "html": b"<html>404</html>"}[harm])
    with pytest.raises(UnsafeArchive, match="damaged"):
        unpack(path, tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.zip"]


def test_a_folder_in_use_is_not_touched(tmp_path):
    path = archive(tmp_path, a=b"x")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").write_text("precious")
    with pytest.raises(OutputInTheWay):
        unpack(path, tmp_path / "out")
    assert (tmp_path / "out" / "a").read_text() == "precious"


def tar(path, *members):
    with tarfile.open(path, "w:gz") as opened:
        for name, kind, data in members:
            info = tarfile.TarInfo(name)
            info.type, info.size = kind, len(data)
            info.linkname = "/etc/passwd" if kind != tarfile.REGTYPE else ""
            opened.addfile(info, io.BytesIO(data))
    return path


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_tar_writes_nothing_outside(tmp_path, name):
    path = tar(tmp_path / "a.tar.gz", ("good", tarfile.REGTYPE, b""), (name, tarfile.REGTYPE, b"evil"))
    with pytest.raises(UnsafeArchive, match="outside its folder"):
        unpack(path, tmp_path / "in" / "out")
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["a.tar.gz"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_a_tar_makes_no_links_and_devices(tmp_path, kind):
    path = tar(tmp_path / "a.tar.gz", ("link", kind, b""), ("file", tarfile.REGTYPE, b"x"))
    assert unpack(path, tmp_path / "out") == 1
    assert tree(tmp_path / "out") == {"file": b"x"}


def test_compressed_bombs_stay_packed(tmp_path):
    single = tmp_path / "a.gz"
    single.write_bytes(gzip.compress(bytes(5_000_000)))
    whole = tar(tmp_path / "a.tar.gz", ("big", tarfile.REGTYPE, bytes(5_000_000)))
    for path in (single, whole):
        with pytest.raises(UnsafeArchive, match="left packed"):
            unpack(path, tmp_path / "out", largest=1_000_000)
        assert not (tmp_path / "out").exists()


def test_one_compressed_file_and_what_is_an_archive(tmp_path):
    single = tmp_path / "2104.01112.gz"
    single.write_bytes(gzip.compress(b"text"))
    unpack(single, tmp_path / "out")
    assert tree(tmp_path / "out") == {"2104.01112.tex": b"text"}
    (tmp_path / "a.tex").write_text("\\documentclass{article}")
    with tarfile.open(tmp_path / "plain.tar", "w") as opened:
        opened.add(tmp_path / "a.tex")
    assert [is_archive(tmp_path / name) for name in ("2104.01112.gz", "a.tex", "plain.tar")] == [True, False, True]


def test_what_is_given_is_found(tmp_path):
    (tmp_path / "a.tex").write_text("a")
    assert given_source(tmp_path) == tmp_path
    assert given_source(tmp_path / "a.tex") == tmp_path / "a.tex"
    folder = given_source(archive(tmp_path, **{"x/a.tex": b"a", "x/b.tex": b"b"}))
    assert tree(folder) == {"a.tex": b"a", "b.tex": b"b"}


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_one_compressed_file(tmp_path, pack):
    path = tmp_path / "paper.tex.packed"
    path.write_bytes(pack(b"text"))
    assert list(tree(given_source(path)).values()) == [b"text"]


@pytest.mark.parametrize("data", [b"%PDF-1.7 x", b"%!PS-Adobe", b"\xf7\x02\x01"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_printed_documents_are_refused(tmp_path, data, pack):
    path = tmp_path / "paper"
    path.write_bytes(pack(data))
    with pytest.raises(SourceNotFound, match=r"paper: a (PDF|PostScript|DVI) file, in which"):
        given_source(path)


def test_standard_input_is_a_file(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\\begin{lemma}")))
    found = given_source(Path("-"))
    assert (found.name, found.read_bytes()) == ("stdin.tex", b"\\begin{lemma}")


def test_what_is_given_again_counts_as_used_now(tmp_path, monkeypatch):
    packed = archive(tmp_path, **{"x/a.tex": b"a"})

    def given():
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\\begin{theorem}")))
        return given_source(packed).parent, given_source(Path("-")).parent

    for folder in given():
        os.utime(folder, (1000, 1000))
    assert all(folder.stat().st_mtime > 1000 for folder in given())


def test_an_identifier_of_arxiv_is_recognised(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceNotFound, match=r"run: naturalproofs fetch arXiv:2101\.00001v2"):
        given_source(Path("arXiv:2101.00001v2"))
    with pytest.raises(SourceNotFound, match="absent: no such file or folder; give a folder, a file or an archive"):
        given_source(Path("absent"))


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_long_names_are_not_read_into_memory(tmp_path, kind):
    """A header that announces a gigabyte of text for a name; tarfile would read it whole."""
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = kind, 1 << 30
    archive = tmp_path / "a.tar.gz"
    with gzip.open(archive, "wb") as stream:
        stream.write(header.tobuf(tarfile.GNU_FORMAT))
        for _ in range(8):
            stream.write(bytes(1 << 20))
    with pytest.raises(UnsafeArchive, match=r"a\.tar\.gz.*1,073,741,824 bytes"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    plain = tmp_path / "a.tar"
    plain.write_bytes(gzip.decompress(archive.read_bytes()))
    with pytest.raises(OverflowError), tarfile.open(plain, "r:", tarinfo=TarMember) as tar:
        tar.next()
