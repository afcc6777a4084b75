"""``naturalproofs doctor``: what it reports, what it finds, and what it cleans."""

import json
from importlib.metadata import distribution
from pathlib import Path
from types import SimpleNamespace

import pytest

import naturalproofs
from naturalproofs import __version__
from naturalproofs.apps.report import installation
from naturalproofs.errors import MissingExtra, install_line
from naturalproofs.io import files
from support.command_line import call


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_JUST_MADE", -1)
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "cache"


def diagnosis(*arguments):
    code, out, err = call("doctor", "--format", "json", *arguments)
    assert err == ""
    found = json.loads(out)
    assert code == bool(found["problems"])
    return found


def test_a_sound_installation():
    found = diagnosis()
    assert (found["version"], found["caches"], found["leftovers"], found["problems"]) == (__version__, [], [], [])
    code, out, _ = call("doctor")
    assert code == 0
    assert out.startswith(f"naturalproofs {__version__}")
    assert f"in {Path(naturalproofs.__file__).parent}\n" in out
    assert out.endswith("No problems.\n")


def test_every_extra_is_described():
    assert {*installation.EXTRAS, "dev"} == set(distribution("naturalproofs").metadata.get_all("Provides-Extra"))


def test_a_missing_extra_is_named_and_is_no_problem(monkeypatch):
    monkeypatch.setattr(installation, "_is_installed", lambda package: package not in {"scipy", "pygls"})
    found = diagnosis()
    lacking = {extra["name"]: extra["missing"] for extra in found["extras"] if not extra["installed"]}
    assert set(lacking["editor"]) == {"scipy", "pygls"}
    assert lacking["rank"] == ["scipy"]
    assert set(lacking) - {"scale"} == {"rank", "hybrid", "web", "editor", "agents", "neural"}
    assert f"(lacks {', '.join(lacking['editor'])}: {install_line('editor')})" in call("doctor")[1]


INSTALLATIONS = {
    "a wheel": ({}, "venv", "pip install 'naturalproofs[rank]'"),
    "a folder": ({"url": "file://HERE/my%20copy", "dir_info": {}}, "venv", "pip install 'HERE/my copy[rank]'"),
    "editable": (
        {"url": "file://HERE/my%20copy", "dir_info": {"editable": True}},
        "venv",
        "pip install -e 'HERE/my copy[rank]'",
    ),
    "a file that is gone": (
        {"url": "file://HERE/gone.whl", "archive_info": {}},
        "venv",
        "pip install 'naturalproofs[rank]'",
    ),
    "git": (
        {"url": "https://example.org/np.git", "vcs_info": {"vcs": "git"}},
        "venv",
        "pip install 'naturalproofs[rank] @ git+https://example.org/np.git'",
    ),
    "pipx": ({}, "share/pipx/venvs/naturalproofs", "pipx install --force 'naturalproofs[rank]'"),
    "uv": ({}, "share/uv/tools/naturalproofs", "uv tool install 'naturalproofs[rank]'"),
}


@pytest.mark.parametrize(("origin", "prefix", "wanted"), INSTALLATIONS.values(), ids=INSTALLATIONS)
def test_the_line_that_installs_an_extra_is_of_this_installation(tmp_path, monkeypatch, origin, prefix, wanted):
    (tmp_path / "my copy").mkdir()
    info = tmp_path / "naturalproofs-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: naturalproofs\nVersion: 0.1.0\n")
    (info / "direct_url.json").write_text(json.dumps(origin).replace("HERE", str(tmp_path)))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.prefix", str(tmp_path / prefix))
    wanted = wanted.replace("HERE", str(tmp_path))
    assert str(MissingExtra("evaluation", "rank")) == f"evaluation needs the extra 'rank': {wanted}"


def test_caches_are_measured(empty_cache):
    (empty_cache / "projects" / "one-1234").mkdir(parents=True)
    (empty_cache / "projects" / "one-1234" / "object").write_bytes(b"x" * 1000)
    (cache,) = diagnosis()["caches"]
    assert (cache["name"], cache["entries"]) == ("projects", 1)
    assert 1000 <= cache["bytes"] < 20_000
    assert str(empty_cache) in call("doctor")[1]


def test_leftovers_are_found_and_cleaned(empty_cache, tmp_path):
    inside = empty_cache / "projects" / "a" / ".search.00000000.part"
    inside.mkdir(parents=True)
    other = tmp_path / "other"
    other.mkdir()
    (other / ".corpus.00000000.old").mkdir()
    (tmp_path / "work" / ".card.md.01234567.part").write_text("half")
    (tmp_path / "work" / "thesis.tex").write_text("precious")
    assert len(diagnosis()["problems"]) == 2
    found = diagnosis(other)
    assert [leftover["only_copy"] for leftover in found["leftovers"]] == [False, True]
    assert "moves it back" in found["problems"][1]
    assert diagnosis("--clean", ".", other)["problems"] == []
    assert not inside.exists()
    assert (other / "corpus").is_dir()
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["thesis.tex"]


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "file" / "cache"))
    (problem,) = diagnosis()["problems"]
    assert "set NATURALPROOFS_CACHE" in problem


def test_a_cache_on_a_full_disk(monkeypatch, empty_cache):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=0))
    (problem,) = diagnosis()["problems"]
    assert "the disk of the cache is full" in problem


def test_damaged_data_is_a_problem(tmp_path, monkeypatch):
    broken = tmp_path / "primer"
    broken.mkdir()
    (broken / "main.tex").write_text("\\begin{theorem}\\label{a} \\ref{nowhere}\\end{theorem}")
    monkeypatch.setattr("naturalproofs.data.primer_folder", lambda: broken)
    assert "install the package again" in diagnosis()["problems"][0]
    (broken / "main.tex").unlink()
    assert "install the package again" in diagnosis()["problems"][0]


def test_a_damaged_ranker_is_a_problem(monkeypatch):
    from naturalproofs.ranking.hybrid import ranker
    from naturalproofs.ranking.hybrid.together import Boosters
    from naturalproofs.ranking.hybrid.trees import Booster

    text = "not trees"
    monkeypatch.setattr(ranker, "shipped_boosters", lambda: Boosters(*[Booster.from_text(text)] * 2))
    assert "the shipped ranker cannot be used" in diagnosis()["problems"][0]


def test_files_that_were_changed_after_the_installation(tmp_path, monkeypatch):
    """As in an install from a wheel, which lists its files with their hashes."""
    info = tmp_path / "naturalproofs-0.1.0.dist-info"
    info.mkdir()
    (tmp_path / "naturalproofs").mkdir()
    (tmp_path / "naturalproofs" / "a.txt").write_text("")
    (info / "METADATA").write_text("Name: naturalproofs\nVersion: 0.1.0\n")
    empty = "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
    (info / "RECORD").write_text(f"naturalproofs/a.txt,{empty},0\nnaturalproofs/b.txt,{empty},0\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(installation._changed_files()) == ["naturalproofs/b.txt"]
    (tmp_path / "naturalproofs" / "a.txt").write_text("changed")
    assert "naturalproofs/a.txt and 1 more: not as installed" in next(installation._problems(tmp_path))
