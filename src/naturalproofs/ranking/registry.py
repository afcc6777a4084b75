"""Methods by name: ``bm25(k1=0.9)`` reads the same in code, on the command line, in files and in tables.

Methods register through entry points, ours included, so that another package's method appears in every table: rankers
in the group ``naturalproofs.rankers``, generators of sequences in ``naturalproofs.generators``. The registration names
a method; only the method that is asked for is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, cast

from naturalproofs import __version__
from naturalproofs.errors import BadSettings, NotAModel, UnknownName
from naturalproofs.io.files import replaced_folder, sha256_file, write_file
from naturalproofs.io.folders import FolderKind, pretty
from naturalproofs.ranking.contract import FittedRanker, Ranker, Remembering, Storable, UsesShippedTrees
from naturalproofs.tasks.dataset import TrainSet


@dataclass(frozen=True, slots=True)
class Registry:
    """The methods of one entry point group."""

    group: str
    word: str
    """What messages call one of them."""

    def names(self) -> tuple[str, ...]:
        """All registered names."""
        return tuple(sorted(point.name for point in _points(self.group)))

    def kind(self, name: str) -> type[Any]:
        """The class behind a name."""
        for point in _points(self.group):
            if point.name == name:
                return cast(type[Any], point.load())
        raise UnknownName(f"no {self.word} is called {name!r}; there are: {', '.join(self.names())}")

    def parse(self, text: str) -> Any:
        """A method from its printed form: a name, or a name with settings in parentheses."""
        wrong = f"{text!r} is not a {self.word}; write a name or name(setting=value)"
        try:
            node = ast.parse(_python_name(text), mode="eval").body
        except SyntaxError as error:
            raise UnknownName(wrong) from error
        call = node if isinstance(node, ast.Call) else None
        head = call.func if call else node
        if not isinstance(head, ast.Name) or (call and call.args):
            raise UnknownName(wrong)
        name = head.id.replace("_", "-")
        kind = self.kind(name)
        known: set[str] = {field.name for field in fields(kind)} if is_dataclass(kind) else set()
        settings: dict[str, Any] = {}
        for keyword in call.keywords if call else []:
            if keyword.arg is None or keyword.arg not in known:
                has = ", ".join(sorted(known)) or "none"
                raise UnknownName(f"{name} has no setting {keyword.arg!r}; it has: {has}")
            try:
                settings[keyword.arg] = ast.literal_eval(keyword.value)
            except ValueError as error:
                raise UnknownName(f"{text!r}: {keyword.arg} must be a number, a text or a tuple") from error
        check_settings(kind, settings)
        return kind(**settings)

    def spec(self, method: object) -> str:
        """The printed form of a method: its name and the settings that differ from the default."""
        own = getattr(method, "spec", None)
        if isinstance(own, str):
            return own
        kind: type[Any] = type(method)
        name = self._name(kind)
        if not is_dataclass(method):
            return name
        default = kind()
        changed = [f for f in fields(method) if getattr(method, f.name) != getattr(default, f.name)]
        settings = ", ".join(f"{f.name}={getattr(method, f.name)!r}" for f in changed)
        return f"{name}({settings})" if settings else name

    def _name(self, kind: type[Any]) -> str:
        """The registered name of a class, without importing other methods."""
        for point in _points(self.group):
            # A package may register a class under the package's own name and define it in one of its modules.
            if point.attr == kind.__qualname__ and f"{kind.__module__}.".startswith(f"{point.module}."):
                return point.name
        return kind.__name__.lower()


def check_settings(kind: type[Any], settings: Mapping[str, Any]) -> None:
    """Refuse settings that are not of the kind of their default: a number, a text, or several values."""
    defaults = kind()
    for name, value in settings.items():
        default = getattr(defaults, name)
        for types, word in (((bool, int, float), "a number"), ((str,), "a text in quotes"), ((tuple, list), "a tuple")):
            if isinstance(default, types) and not isinstance(value, types):
                raise BadSettings(f"{name}={value!r}: must be {word}, as in {name}={default!r}")


FUSION = "fusion"
"""The default classical method."""
FUSION_RECENCY = "fusion(parts=('tfidf', 'bm25', 'neighbours', 'recency(half=5)'), weights=(1.0, 1.0, 0.4, 0.4))"
"""The default classical method where the place of statements is visible."""

RANKERS = Registry("naturalproofs.rankers", "method")
GENERATORS = Registry("naturalproofs.generators", "generator")


def ranker_names() -> tuple[str, ...]:
    """All registered rankers."""
    return RANKERS.names()


def parse_ranker(text: str) -> Ranker:
    """A ranker from its printed form."""
    return cast(Ranker, RANKERS.parse(text))


def ranker_spec(ranker: Ranker) -> str:
    """The printed form of a ranker."""
    return RANKERS.spec(ranker)


@lru_cache(maxsize=8)
def _points(group: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def _python_name(text: str) -> str:
    """The text with the hyphens of the method's name, but not of its settings, replaced by underscores."""
    head, bracket, rest = text.strip().partition("(")
    return head.replace("-", "_") + bracket + rest


# Trained methods on disk: a folder of text and arrays, a card for people, and a manifest written last.

MANIFEST = "model.json"
CARD = "README.md"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class TrainedOn:
    """The data that a model has seen."""

    corpus: str
    corpus_hash: str
    rules: str
    split_recipe: str
    protocol: str
    examples: int


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """What a model folder holds, and how it came to be."""

    schema: int
    method: str
    """The printed form of the method, settings included."""
    loads: str
    """``module:Class`` of the fitted method, always inside an installed package that registers the method."""
    seed: int
    trained_on: TrainedOn
    seconds: float
    files: dict[str, str]
    made_by: str


FOLDERS = FolderKind("model", MANIFEST, ModelManifest, SCHEMA, "naturalproofs train", "train again", NotAModel)


@dataclass(frozen=True, slots=True)
class Model:
    """A trained model read from disk: a ranker that needs no fitting."""

    manifest: ModelManifest
    fitted: FittedRanker

    def fit(self, train: TrainSet, *, seed: int) -> FittedRanker:
        """Return the trained model; if a query sees only earlier proofs, with these instead of its own."""
        if train.memory is not None and isinstance(self.fitted, Remembering):
            return self.fitted.remember(train.memory)
        return self.fitted

    def uses_shipped_trees(self, proofs: int) -> bool:
        """As the fitted method says."""
        return isinstance(self.fitted, UsesShippedTrees) and self.fitted.uses_shipped_trees(proofs)

    @property
    def spec(self) -> str:
        """How tables call it: by its method and what it was trained on."""
        return f"{self.manifest.method} trained on {self.manifest.trained_on.corpus}"


def method_named(text: str) -> Ranker:
    """A method from what a person writes: a model folder, or the printed form of a method."""
    path = Path(text)
    return load_model(path) if is_model(path) else parse_ranker(text)


def is_model(path: Path) -> bool:
    """Whether a folder is a model."""
    return (path / MANIFEST).is_file()


def save_model(
    folder: Path, fitted: Storable, *, method: str, seed: int, trained_on: TrainedOn, seconds: float
) -> ModelManifest:
    """Write a model folder whole."""
    with replaced_folder(folder, FOLDERS.may_replace) as scratch:
        fitted.save(scratch)
        write_file(scratch / CARD, _card(fitted, method, seed, trained_on, seconds))
        files = sorted(path.relative_to(scratch).as_posix() for path in scratch.rglob("*") if path.is_file())
        manifest = ModelManifest(
            schema=SCHEMA,
            method=method,
            loads=class_name(fitted),
            seed=seed,
            trained_on=trained_on,
            seconds=round(seconds, 1),
            files={name: sha256_file(scratch / name) for name in files},
            made_by=f"naturalproofs {__version__}",
        )
        write_file(scratch / MANIFEST, pretty(manifest))
    return manifest


def load_model(folder: Path) -> Model:
    """Read a model folder; its files must be the ones the manifest names, but for the card, which people may edit."""
    manifest = load_manifest(folder)
    for name in manifest.files:
        if name != CARD:
            FOLDERS.checked(folder, manifest, name)
    return Model(manifest, fitted_class(manifest.method, manifest.loads, folder).load(folder))


def load_manifest(folder: Path) -> ModelManifest:
    """Read the manifest of a model folder."""
    return FOLDERS.read(folder)


def class_name(fitted: Storable) -> str:
    """``module:Class``, as `fitted_class` takes it."""
    return f"{type(fitted).__module__}:{type(fitted).__qualname__}"


def fitted_class(method: str, loads: str, folder: Path) -> type[Storable]:
    """The class that reads a folder; it may name only what lives beside a registered method.

    Args:
        method: The printed form of the method.
        loads: ``module:Class`` of the fitted method.
        folder: For the message.
    """
    module, _, name = loads.partition(":")
    home = type(parse_ranker(method)).__module__.partition(".")[0]
    try:
        found = getattr(import_module(module), name, None) if module.partition(".")[0] == home else None
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != home:
            raise  # An extra is missing.
        found = None
    if not (isinstance(found, type) and issubclass(found, Storable)):
        raise NotAModel(f"{folder}: names {loads!r}, which is no trained method of {home}; train again")
    return found


def _card(fitted: Storable, method: str, seed: int, trained_on: TrainedOn, seconds: float) -> str:
    """The model card."""
    on = trained_on
    return "\n".join(
        [
            f"# {method}",
            "",
            f"Trained by naturalproofs {__version__} on `{on.corpus}` ({on.rules} rules, hash `{on.corpus_hash}`, "
            f"split `{on.split_recipe}`, protocol `{on.protocol}`, {on.examples:,} examples), seed {seed}, "
            f"in {seconds / 60:.1f} minutes.",
            "",
            fitted.describe().strip(),
            "",
        ]
    )
