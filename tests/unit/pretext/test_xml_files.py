"""Untrusted XML: entities, inclusions that lead outside or never end, damaged files."""

from pathlib import Path

import pytest

from naturalproofs.sources.pretext.xml_files import MAX_DEPTH, MAX_SIZE, XmlFiles


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.ptx").write_text(text, "utf-8")
    return folder.resolve() / f"{next(iter(files))}.ptx"


def text_of(files: XmlFiles, main: Path) -> str:
    root = files.document(main)
    assert root is not None
    return root.text()


def include(*names: str) -> str:
    inside = "".join(f'<xi:include href="{name}"/>' for name in names)
    return f'<pretext xmlns:xi="http://www.w3.org/2001/XInclude">{inside}</pretext>'


def rules(files: XmlFiles) -> list[str]:
    return [one.rule for one in files.diagnostics]


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">',
        '<!ENTITY secret SYSTEM "file:///etc/passwd">',
        '<!ENTITY % remote SYSTEM "http://localhost/x.dtd"> %remote;',
    ],
)
def test_entities_are_refused(tmp_path: Path, declaration: str):
    main = write(tmp_path, main=f"<!DOCTYPE pretext [{declaration}]>\n<pretext><p>&lol2;&secret;</p></pretext>")
    files = XmlFiles(tmp_path)
    assert files.document(main) is None
    assert str(files.diagnostics[0]).startswith("main.ptx:1:1: error: declares the entity")


def test_an_entity_for_a_character_is_read(tmp_path: Path):
    main = write(tmp_path, main='<!DOCTYPE p [<!ENTITY hellip "&#8230;">]>\n<p>a&hellip;</p>')
    assert text_of(XmlFiles(tmp_path), main) == "a…"


def test_a_doctype_without_entities_is_read(tmp_path: Path):
    main = write(tmp_path, main='<!DOCTYPE pretext SYSTEM "http://localhost/pretext.dtd">\n<pretext><p>a</p></pretext>')
    assert text_of(XmlFiles(tmp_path), main) == "a"


def test_inclusions_stay_in_the_project(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "secret.ptx").write_text("<p>secret</p>", "utf-8")
    (project / "link.ptx").symlink_to(tmp_path / "secret.ptx")
    main = write(project, main=include("../secret.ptx", "link.ptx", "/etc/passwd", "http://localhost/x.ptx"))
    files = XmlFiles(project)
    assert text_of(files, main) == ""
    assert rules(files) == ["outside-project", "outside-project", "outside-project", "missing-file"]
    assert list(files.tree.files_read) == ["main.ptx"]


def test_a_file_that_includes_itself(tmp_path: Path):
    main = write(tmp_path, main=include("other.ptx"), other=include("main.ptx"))
    files = XmlFiles(tmp_path)
    files.document(main)
    assert rules(files) == ["recursive-input"]


def test_inclusions_that_multiply_are_cut(tmp_path: Path):
    names = {f"f{number}": include(*[f"f{number + 1}.ptx"] * 10) for number in range(12)}
    main = write(tmp_path, **names, f12=f"<p>{'x' * 1000}</p>")
    files = XmlFiles(tmp_path)
    text = text_of(files, main)
    assert "too-large" in rules(files)
    assert len(text) <= MAX_SIZE


def test_deep_nesting_is_refused(tmp_path: Path):
    deep = "<a>" * (MAX_DEPTH + 1) + "</a>" * (MAX_DEPTH + 1)
    files = XmlFiles(tmp_path)
    assert files.document(write(tmp_path, main=deep)) is None
    assert "nest deeper" in str(files.diagnostics[0])


def test_nesting_across_files_is_cut(tmp_path: Path):
    half = "<a>" * 70 + '<xi:include href="other.ptx"/>' + "</a>" * 70
    main = write(tmp_path, main=half, other="<b>" * 70 + "</b>" * 70)
    files = XmlFiles(tmp_path)
    files.document(main)
    assert rules(files) == ["too-large"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<pretext><p></pretext>", "main.ptx:1: error: not well-formed XML (mismatched tag)"),
        (b"<pretext>\n<p>caf\xe9</p></pretext>", "main.ptx:2: error: not valid UTF-8 at byte 16"),
        (
            b'<?xml version="1.0" encoding="no-such"?><pretext/>',
            "main.ptx:1: error: not readable in the encoding that it declares",
        ),
        (b"", "main.ptx:1: error: not well-formed XML (no element found)"),
        (b"\x00\x01\x02", "main.ptx:1: error: not well-formed XML"),
    ],
)
def test_damaged_files_get_one_line(tmp_path: Path, data: bytes, message: str):
    main = tmp_path.resolve() / "main.ptx"
    main.write_bytes(data)
    files = XmlFiles(tmp_path)
    assert files.document(main) is None
    (found,) = map(str, files.diagnostics)
    path, line, _column, rest = found.split(":", 3)
    assert f"{path}:{line}:{rest}".startswith(message)
    assert "\n" not in found


def test_other_encodings_are_read(tmp_path: Path):
    main = tmp_path.resolve() / "main.ptx"
    main.write_bytes('<?xml version="1.0" encoding="ISO-8859-1"?><p>Möbius</p>'.encode("latin-1"))
    assert text_of(XmlFiles(tmp_path), main) == "Möbius"
    main.write_bytes('<?xml version="1.0" encoding="utf-16"?><p>Möbius</p>'.encode("utf-16"))
    assert text_of(XmlFiles(tmp_path), main) == "Möbius"


def test_a_damaged_part_leaves_the_rest(tmp_path: Path):
    main = write(tmp_path, main=include("bad.ptx", "good.ptx"), bad="<p>", good="<p>good</p>")
    files = XmlFiles(tmp_path)
    assert text_of(files, main) == "good"
    assert rules(files) == ["malformed-xml"]


def test_text_and_fallbacks(tmp_path: Path):
    (tmp_path / "macros.tex").write_text("\\newcommand{\\R}{<R>}", "utf-8")
    text = '<xi:include parse="text" href="macros.tex"/>'
    fallback = '<xi:include href="missing.ptx"><xi:fallback><p>instead</p></xi:fallback></xi:include>'
    main = write(tmp_path, main=f"<pretext><macros>{text}</macros>{fallback}</pretext>")
    files = XmlFiles(tmp_path)
    assert text_of(files, main) == "\\newcommand{\\R}{<R>}instead"
    assert rules(files) == []
    assert list(files.tree.files_read) == ["main.ptx", "macros.tex"]
