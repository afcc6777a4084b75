"""Checkpoints: folders that appear whole, of which the last whole one counts.

Only tensors and JSON are read back (safetensors), so opening a checkpoint never runs anything.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from safetensors.torch import load_file, save_file
from torch import Tensor

from naturalproofs.errors import NotAModel, OutputInTheWay
from naturalproofs.io.files import replaced_folder
from naturalproofs.io.hashing import sha256_file
from naturalproofs.io.manifests import pretty

MANIFEST = "checkpoint.json"
_PREFIX = "step-"

Tensors = Mapping[str, Tensor]


@dataclass(slots=True)
class TrainState:
    """How far training has come: with the tensors, all that it needs to go on."""

    epoch: int = 0
    batch: int = 0
    """Steps done of this epoch."""
    step: int = 0
    seconds: float = 0.0
    best: float = -1.0
    """The best validation so far; −1 where there was none."""
    best_step: int = 0
    waited: int = 0
    """Validations since the best."""
    done: bool = False
    history: list[tuple[int, float, float]] = field(default_factory=list)
    """At each validation: the step, the mean loss since the one before, and what is watched."""
    watched: str = "mAP"
    unit: str = "tokens"
    speeds: list[float] = field(default_factory=list)
    """At each validation: how much was trained on in a second."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a checkpoint is of."""

    of: str
    """The method, its seed and its data."""
    progress: TrainState
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Saved:
    """A checkpoint as read back."""

    progress: TrainState
    tensors: dict[str, dict[str, Tensor]]


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The checkpoints of one training."""

    folder: Path
    of: str

    def start(self, *, resume: bool) -> Saved | None:
        """The last checkpoint if training is to go on from it; otherwise the folder is emptied."""
        if self.folder.exists() and not (self.folder.is_dir() and all(map(_ours, self.folder.iterdir()))):
            raise OutputInTheWay(f"{self.folder}: holds something that is no checkpoint; move it away")
        saved = self._last() if resume else None
        for path in self.folder.glob("*" if saved is None else f".{_PREFIX}*"):
            shutil.rmtree(path, ignore_errors=True)
        return saved

    def write(self, progress: TrainState, tensors: Mapping[str, Tensors]) -> None:
        """Keep a checkpoint, and remove the ones before it."""
        target = self.folder / f"{_PREFIX}{progress.step:08d}{'-done' if progress.done else ''}"
        with replaced_folder(target, lambda _path: True) as scratch:
            for name, values in tensors.items():
                save_file({key: value.contiguous() for key, value in values.items()}, scratch / f"{name}.safetensors")
            files = {f"{name}.safetensors": sha256_file(scratch / f"{name}.safetensors") for name in tensors}
            (scratch / MANIFEST).write_bytes(pretty(Manifest(self.of, progress, files)))
        for path in self.folder.glob(f"{_PREFIX}*"):
            if path != target:
                shutil.rmtree(path, ignore_errors=True)

    def _last(self) -> Saved | None:
        for path in sorted(self.folder.glob(f"{_PREFIX}*"), reverse=True):
            try:
                manifest = msgspec.json.decode((path / MANIFEST).read_bytes(), type=Manifest)
            except (OSError, msgspec.DecodeError):
                continue
            if manifest.of != self.of:
                raise NotAModel(
                    f"{path}: a checkpoint of other settings or data than are asked for now; "
                    "repeat the original command, or train without --resume"
                )
            if all(sha256_file(path / name) == digest for name, digest in manifest.files.items()):
                return Saved(manifest.progress, {n.partition(".")[0]: load_file(path / n) for n in manifest.files})
        return None


def _ours(path: Path) -> bool:
    return path.is_dir() and path.name.lstrip(".").startswith(_PREFIX)
