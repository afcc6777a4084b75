import os
import zipfile
from multiprocessing import get_context
from pathlib import Path

from naturalproofs.io.archives import given_source
from naturalproofs.io.cache import cache_folder, evict, limit_project_caches, project_cache
from naturalproofs.io.listing import folders_above


def test_the_folder_is_the_user_s_own_unless_another_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("NATURALPROOFS_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "naturalproofs"
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"


def test_what_was_used_least_recently_goes_first_files_and_folders_alike(tmp_path):
    old, middle, new = f"{1:016x}.npy", f"book-{2:016x}", f"{3:016x}-40.shard"
    for age, name in enumerate((old, middle, new)):
        if name == middle:
            (tmp_path / name).mkdir()
            (tmp_path / name / "part").write_bytes(b"x" * 100)
        else:
            (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (1000 + age, 1000 + age))
    evict(tmp_path.iterdir(), 250)
    assert {path.name for path in tmp_path.iterdir()} == {middle, new}
    evict(tmp_path.iterdir(), 150)
    assert [path.name for path in tmp_path.iterdir()] == [new]


def test_what_the_cache_did_not_make_is_never_evicted(tmp_path, monkeypatch):
    """The user may name any folder as the cache, one with projects of his own included."""
    monkeypatch.setenv("NATURALPROOFS_CACHE", str(tmp_path))
    monkeypatch.setattr("naturalproofs.io.cache._PROJECT_LIMIT", 0)
    monkeypatch.setattr("naturalproofs.io.cache.JUST_USED", -1)
    made = project_cache(tmp_path / "thesis")
    for folder in (tmp_path / "projects" / "thesis", made):
        folder.mkdir(parents=True)
        (folder / "main.tex").write_text("text")
    limit_project_caches()
    assert [path.name for path in (tmp_path / "projects").iterdir()] == ["thesis"]


def _use_archives(cache, archives, results):
    os.environ["NATURALPROOFS_CACHE"] = str(cache)
    for number in range(24):
        try:
            list(given_source(archives[number * 5 % len(archives)]).iterdir())
        except Exception as error:
            results.put(repr(error))
    results.put("")


def test_processes_that_share_a_full_cache_do_not_take_it_from_each_other(tmp_path, monkeypatch):
    monkeypatch.setattr("naturalproofs.io.archives._CACHED", 10_000)
    archives = [tmp_path / f"{number}.zip" for number in range(4)]
    for archive in archives:
        with zipfile.ZipFile(archive, "w") as written:
            for name in "abc":
                written.writestr(f"{name}.tex", archive.name * 500)
    context = get_context("fork")
    results = context.SimpleQueue()
    running = [context.Process(target=_use_archives, args=(tmp_path / "cache", archives, results)) for _ in range(3)]
    for one in running:
        one.start()
    found, ended = [], 0
    while ended < len(running):
        message = results.get()
        ended += not message
        found += [message] if message else []
    assert not found


def test_a_user_without_a_home_folder_has_a_cache_all_the_same(tmp_path, monkeypatch):
    def home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    monkeypatch.delenv("NATURALPROOFS_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == Path("/.cache/naturalproofs")
    assert next(folders_above(tmp_path / "a" / "b")) == tmp_path / "a"
