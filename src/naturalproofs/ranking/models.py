"""Trained methods on disk: a folder of text and arrays, a card for people, and a manifest written last."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from naturalproofs import __version__
from naturalproofs.errors import NotAModel
from naturalproofs.io.files import replaced_folder, write_file
from naturalproofs.io.folders import FolderKind, pretty
from naturalproofs.io.hashing import sha256_file
from naturalproofs.ranking.contract import FittedRanker, Ranker, Remembering, Storable
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.dataset import TrainSet

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
