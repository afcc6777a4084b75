"""Files of a training run and of a trained model: tensors as safetensors, the rest as JSON; none of them holds code.

Checkpoints are folders that are written atomically; the last complete one counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from naturalproofs.errors import NotAModel, OutputInTheWay
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import remove, replaced_folder, sha256_file, write_file
from naturalproofs.io.folders import pretty
from naturalproofs.ranking.neural.encode import FrozenEncoder, split_encoder
from naturalproofs.ranking.neural.encoder import Encoder, Tower, random_stem
from naturalproofs.ranking.neural.methods import TrainSettings
from naturalproofs.ranking.term_vectors import LatentSpace

WEIGHTS, TOKENISER, SETTINGS = "weights.safetensors", "tokenizer.json", "settings.json"
MANIFEST = "checkpoint.json"
_PREFIX = "step-"
_NAME = re.compile(rf"\.?{_PREFIX}\d{{8,}}(?:-done)?(?:\.\w+\.(?:part|old))?")
"""Names of checkpoints, and of what a killed process leaves of one."""

S = TypeVar("S", bound=TrainSettings)


@dataclass(slots=True)
class TrainState:
    """The progress of training: with the tensors, all that is needed to continue."""

    epoch: int = 0
    batch: int = 0
    """Steps of this epoch that are done."""
    step: int = 0
    seconds: float = 0.0
    best: float = -1.0
    """The best validation score; −1 without validation."""
    best_step: int = 0
    waited: int = 0
    """Validations since the best."""
    done: bool = False
    history: list[tuple[int, float, float]] = field(default_factory=list)
    """For each validation: the step, the mean loss since the previous one, and the score."""
    metric: str = "mAP"
    unit: str = "tokens"
    speeds: list[float] = field(default_factory=list)
    """For each validation: units trained on in a second."""


@dataclass(frozen=True, slots=True)
class _Manifest:
    """Contents of a checkpoint."""

    of: str
    state: TrainState
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint as read back."""

    state: TrainState
    tensors: dict[str, dict[str, Tensor]]


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The checkpoints of one training run."""

    folder: Path
    of: str
    """Identifies the method, its seed and its data."""

    def start(self, *, resume: bool) -> Checkpoint | None:
        """The last checkpoint, if training is resumed; otherwise the folder is emptied."""
        if self.folder.exists() and not (self.folder.is_dir() and all(map(_is_checkpoint, self.folder.iterdir()))):
            raise OutputInTheWay(f"{self.folder}: holds something that is no checkpoint; move it away")
        found = self.last() if resume else None
        for path in self.folder.glob("*" if found is None else f".{_PREFIX}*"):
            remove(path)
        return found

    def write(self, state: TrainState, tensors: Mapping[str, Mapping[str, Tensor]]) -> None:
        """Write a checkpoint, and remove the previous ones."""
        target = self.folder / f"{_PREFIX}{state.step:08d}{'-done' if state.done else ''}"
        with replaced_folder(target, lambda _path: True) as scratch:
            files = {}
            for name, values in tensors.items():
                path = scratch / f"{name}.safetensors"
                save_file({key: value.contiguous() for key, value in values.items()}, path)
                files[path.name] = sha256_file(path)
            write_file(scratch / MANIFEST, pretty(_Manifest(self.of, state, files)))
        for path in self.folder.glob(f"{_PREFIX}*"):
            if path != target:
                remove(path)

    def last(self) -> Checkpoint | None:
        """The last complete checkpoint."""
        for path in sorted(self.folder.glob(f"{_PREFIX}*"), reverse=True):
            try:
                manifest = read_json(path / MANIFEST, _Manifest)
            except (OSError, ValueError):
                continue
            if manifest.of != self.of:
                raise NotAModel(
                    f"{path}: a checkpoint of other settings or data; "
                    "repeat the original command, or train without --resume"
                )
            if all(sha256_file(path / name) == digest for name, digest in manifest.files.items()):
                return Checkpoint(manifest.state, {n.partition(".")[0]: load_file(path / n) for n in manifest.files})
        return None


def _is_checkpoint(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and _NAME.fullmatch(path.name) is not None


@dataclass(frozen=True, slots=True)
class _Description:
    """What rebuilds a model without its weights."""

    settings: dict[str, Any]
    encoder: dict[str, Any]
    state: TrainState | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelFiles(Generic[S]):
    """A model's files as read."""

    folder: Path
    settings: S
    config: dict[str, Any]
    """The encoder's configuration."""
    state: TrainState | None
    extra: dict[str, Any]
    weights: dict[str, Tensor]
    tokeniser: Tokenizer

    def towers(self, settings: TrainSettings) -> tuple[FrozenEncoder, Tower]:
        """The frozen encoder with its weights, and a tower whose weights are not loaded yet."""
        lexical = LatentSpace.load(self.folder) if settings.lexical_width else None
        encoder = Encoder(self.tokeniser, random_stem(self.config), self.config)
        frozen, tower = split_encoder(settings, encoder, lexical)
        if frozen.stem is not None:
            self.load_into(frozen.stem, "stem.")
        return frozen, tower

    def load_into(self, module: nn.Module, prefix: str = "model.") -> None:
        """Load the weights whose names start with a prefix into a module that was built for them."""
        own = {name.removeprefix(prefix): value for name, value in self.weights.items() if name.startswith(prefix)}
        try:
            module.load_state_dict(own)
        except RuntimeError as error:
            problem = str(error).split("\n")[0]
            raise NotAModel(f"{self.folder}: weights and settings do not fit ({problem}); train again") from error


def save_files(
    folder: Path,
    settings: TrainSettings,
    frozen: FrozenEncoder,
    model: nn.Module,
    state: TrainState | None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write a model's files."""
    stem = frozen.stem.state_dict() if frozen.stem is not None else {}
    weights = {f"stem.{name}": value for name, value in stem.items()}
    weights |= {f"model.{name}": value for name, value in model.state_dict().items()}
    if frozen.lexical is not None:
        frozen.lexical.save(folder)
    save_file({name: value.detach().cpu().contiguous() for name, value in weights.items()}, folder / WEIGHTS)
    frozen.tokeniser.save(str(folder / TOKENISER))
    description = _Description(msgspec.to_builtins(settings), frozen.config, state, dict(extra or {}))
    write_file(folder / SETTINGS, pretty(description))


def load_files(folder: Path, kind: type[S]) -> ModelFiles[S]:
    """Read a model's files."""
    try:
        found = read_json(folder / SETTINGS, _Description)
        settings = msgspec.convert(found.settings, kind)
        weights, tokeniser = load_file(folder / WEIGHTS), Tokenizer.from_file(str(folder / TOKENISER))
    except (OSError, ValueError, SafetensorError) as error:
        raise NotAModel(f"{folder}: cannot be read ({error}); train again") from error
    return ModelFiles(folder, settings, found.encoder, found.state, found.extra, weights, tokeniser)


def training_report(settings: TrainSettings, state: TrainState | None) -> str:
    """How a model was trained, for its card."""
    encoder = f"`{settings.encoder_name}`{'' if settings.pretrained else ' with random weights'}"
    layers, width = settings.trained_layers, settings.lexical_width
    trained = "all layers" if layers < 0 else f"the upper {layers} layers" if layers else "no layer of it"
    about = (
        f"Encoder {encoder}, {settings.max_tokens} tokens of each statement prepared by `{settings.preparation}`, "
        f"{settings.pooling} pooling; {trained} trained."
    )
    if width:
        about += f" {width} dimensions of lexical features learnt from the training passages are appended."
    if state is None:
        return f"{about}\n\nThere was nothing to train on."
    about += f"\n\n{state.step:,} steps in {state.seconds / 60:.1f} minutes."
    if not state.history:
        return about
    rows = "\n".join(
        f"| {step:,} | {f'{loss:.3f}' if step else '–'} | {100 * score:.2f} | {f'{speed:,.0f}' if step else '–'} |"
        for (step, loss, score), speed in zip(state.history, state.speeds, strict=False)
    )
    head = f"| step | loss | {state.metric} on a sample of validation | {state.unit}/s |\n|---|---|---|---|"
    return f"{about}\n\nThe weights are those of step {state.best_step:,}.\n\n{head}\n{rows}"
