"""Opening one path: the project that it belongs to, read through its cache; a corpus folder; or another source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from naturalproofs.corpus import store
from naturalproofs.corpus.load import load_corpus, source_macros
from naturalproofs.errors import SourceNotFound
from naturalproofs.io.archives import given_source
from naturalproofs.io.cache import project_cache
from naturalproofs.io.files import unsaved as reading_unsaved
from naturalproofs.io.listing import name_of, path_of
from naturalproofs.io.memory import limited_memory
from naturalproofs.progress import Progress
from naturalproofs.sources import latex
from naturalproofs.sources.registry import detect_source, detect_sources
from naturalproofs.workspace.document_macros import ProjectMacros
from naturalproofs.workspace.formats import format_named, format_of
from naturalproofs.workspace.object_cache import Cache
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.project import Changes, cached_state, compare, load_manifest, read_project


def sources_of(path: Path, source: str | None = None) -> list[str | None]:
    """The sources by which a path is opened: the one that is given, or all that have a relevant share of a folder."""
    if source is not None or not path.is_dir() or store.is_corpus(path):
        return [source]
    return [*detect_sources(path)]


def open_corpus(
    path: Path,
    held: Mapping[Path, bytes],
    method: str | None,
    source: str | None,
    use_cache: bool,
    progress: Progress,
    before: OpenCorpus | None,
) -> OpenCorpus:
    """Open a project, one of its files or an archive of it through its cache, anything else as it is.

    Without the name of a source, that of the path is detected.
    """
    if before is not None and before.reading is not None:
        source = before.reading.snapshot.source
    elif source is None or source == "latex" or format_named(source) is not None:
        path = given_source(path)
        source = source or detect_source(path)
    elif not path.exists():
        raise SourceNotFound(f"{path}: no such file or folder; give a corpus folder or a project")
    if (source != "latex" and format_named(source) is None) or (path.is_dir() and store.is_corpus(path)):
        corpus = load_corpus(path, source=source, progress=progress)
        cache = Cache.of(path) if use_cache and path.is_dir() else None
        fingerprint = store.load_manifest(path).files.get(store.STATEMENTS, "") if store.is_corpus(path) else ""
        return OpenCorpus.of(
            corpus, path=path, method=method, macros=source_macros(corpus), cache=cache, fingerprint=fingerprint
        )
    with limited_memory(path), reading_unsaved(held):
        project = project_of(path) if before is None else path
        cache = Cache.of(project, source) if use_cache else None
        parsed: Mapping[str, bytes] = {}
        if before is not None and before.reading is not None:
            if not compare(path, before.reading.snapshot):
                return before
            parsed = before.reading.documents
        try:
            corpus, reading = read_project(project, cache, progress, parsed=parsed, kind=source)
        except SourceNotFound:
            # Documents in one folder that are not one project: the one that was named is read by itself.
            if project == path:
                raise
            project, cache = path, Cache.of(path, source) if use_cache else None
            corpus, reading = read_project(project, cache, progress, parsed=parsed, kind=source)
    common, documents = reading.macros[""], {main: own for main, own in reading.macros.items() if main}
    # Only a state whose method was bound is of use, and no chain of states is held.
    before = before.bound_state() if before is not None else None
    root = (corpus.root or Path()).resolve()
    inside = {file: name_of(file.relative_to(root)) for file in held if file.is_relative_to(root)}
    used = {file: held[file] for file, name in inside.items() if name in reading.snapshot.files}
    return OpenCorpus.of(
        corpus,
        path=project,
        method=method,
        macros=ProjectMacros(common, documents) if documents else common,
        cache=cache,
        fingerprint=reading.fingerprint,
        reading=reading,
        unsaved=used,
        before=before,
    )


def index_status(path: Path) -> tuple[Path, int, Changes | None]:
    """The project of what a user gives, the number of files its index was made from, and how it differs from it.

    None in place of the differences if there is no index, or one of another version.
    """
    path = given_source(path)
    project = project_of(path)
    for place in dict.fromkeys((project, path)):
        known = cached_state(place, Cache.of(place, detect_source(place)))
        if known is not None:
            return place, len(known[0].snapshot.files), known[1]
    return project, 0, None


def unsaved_texts(texts: Mapping[Path, bytes]) -> dict[Path, bytes]:
    """The texts that differ from their files."""
    found = {}
    for path, text in texts.items():
        file = path.resolve()
        try:
            same = file.read_bytes() == text
        except OSError:
            same = False
        if not same:
            found[file] = text
    return found


# The project of a file.


def project_of(path: Path) -> Path:
    """The folder or the main file to read when a user gives this path: the project that a file belongs to."""
    if not path.is_file():
        return path
    own = format_of(path)
    return own.project_of(path) if own is not None else latex.choice.project_of(path, _CachedReadings())


def lacks_main(path: Path) -> bool:
    """Whether a file is only a part of a LaTeX document: what `project_of` gives when no main file includes it."""
    return path.is_file() and format_of(path) is None and latex.choice.is_part(path)


class _CachedReadings:
    """What the caches of projects tell about their documents."""

    def main_of(self, file: Path, folder: Path) -> Path | None:
        for place in sorted(project_cache(folder).glob("*/")):
            manifest = load_manifest(Cache(place))
            if manifest is None or not file.is_relative_to(root := manifest.snapshot.root_of(folder)):
                continue
            inside = name_of(file.relative_to(root))
            holding = [main for main, files in manifest.snapshot.mains.items() if inside in files]
            if holding:
                return folder if place.name.startswith("project") else root / path_of(holding[0])
        return None

    def has_several(self, main: Path) -> bool | None:
        manifest = load_manifest(Cache.of(main.parent))
        if manifest is None or name_of(main.name) not in manifest.snapshot.mains:
            return None
        return len(manifest.snapshot.mains) > 1
