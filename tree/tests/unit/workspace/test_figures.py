"""Image files of a project: only those inside of it, and only what browsers can show."""

import pytest

from naturalproofs.workspace.figures import Figures


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "p"
    (root / "img").mkdir(parents=True)
    (root / "chapters").mkdir()
    (root / ".git").mkdir()
    (root / "assets").mkdir()
    for name in ("assets/f.svg", "img/a.png", "chapters/b.svg", "c.pdf", "c.jpg", ".git/d.png", "e.pdf"):
        (root / name).write_bytes(b"x")
    (tmp_path / "secret.png").write_bytes(b"x")
    return root


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a", "img/a.png"),
        ("a.png", "img/a.png"),
        ("img/a.png", "img/a.png"),
        ("b", "chapters/b.svg"),
        ("c", "c.jpg"),
        ("c.pdf", "c.jpg"),
        ("e.pdf", None),
        ("f", "assets/f.svg"),
        ("../secret.png", None),
        ("/etc/passwd.png", None),
        (".git/d.png", None),
        ("", None),
        ("a\0.png", None),
        ("\\file", None),
    ],
)
def test_names_are_looked_up_inside_the_project(project, name, found):
    figures = Figures(project, {"main.tex": "\\graphicspath{{img/}{no/}}", "chapters/one.tex": ""})
    assert figures.find(name) == found


def test_links_do_not_lead_outside(project):
    (project / "link.png").symlink_to(project.parent / "secret.png")
    figures = Figures(project, {"main.tex": ""})
    assert figures.find("link") is None
    assert figures.file("../secret.png") is None
    assert figures.file("img/../img/a.png") is not None
