"""Checkpoints of a training run: folders that are written atomically, of which the last complete one counts.

Only tensors and JSON are read back (safetensors), so opening a checkpoint never runs code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from safetensors.torch import load_file, save_file
from torch import Tensor

from naturalproofs.errors import NotAModel, OutputInTheWay
from naturalproofs.io.files import remove, replaced_folder
from naturalproofs.io.folders import pretty
from naturalproofs.io.hashing import sha256_file

MANIFEST = "checkpoint.json"
_PREFIX = "step-"


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
class Manifest:
    """Contents of a checkpoint."""

    of: str
    """Identifies the method, its seed and its data."""
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

    def start(self, *, resume: bool) -> Checkpoint | None:
        """The last checkpoint, if training is resumed; otherwise the folder is emptied."""
        if self.folder.exists() and not (self.folder.is_dir() and all(map(_ours, self.folder.iterdir()))):
            raise OutputInTheWay(f"{self.folder}: holds something that is no checkpoint; move it away")
        found = self.last() if resume else None
        for path in self.folder.glob("*" if found is None else f".{_PREFIX}*"):
            remove(path)
        return found

    def write(self, state: TrainState, tensors: Mapping[str, Mapping[str, Tensor]]) -> None:
        """Write a checkpoint, and remove the previous ones."""
        target = self.folder / f"{_PREFIX}{state.step:08d}{'-done' if state.done else ''}"
        with replaced_folder(target, lambda _path: True) as scratch:
            for name, values in tensors.items():
                save_file({key: value.contiguous() for key, value in values.items()}, scratch / f"{name}.safetensors")
            files = {f"{name}.safetensors": sha256_file(scratch / f"{name}.safetensors") for name in tensors}
            (scratch / MANIFEST).write_bytes(pretty(Manifest(self.of, state, files)))
        for path in self.folder.glob(f"{_PREFIX}*"):
            if path != target:
                remove(path)

    def last(self) -> Checkpoint | None:
        """The last complete checkpoint."""
        for path in sorted(self.folder.glob(f"{_PREFIX}*"), reverse=True):
            try:
                manifest = msgspec.json.decode((path / MANIFEST).read_bytes(), type=Manifest)
            except (OSError, msgspec.DecodeError):
                continue
            if manifest.of != self.of:
                raise NotAModel(
                    f"{path}: a checkpoint of other settings or data; "
                    "repeat the original command, or train without --resume"
                )
            if all(sha256_file(path / name) == digest for name, digest in manifest.files.items()):
                return Checkpoint(manifest.state, {n.partition(".")[0]: load_file(path / n) for n in manifest.files})
        return None


def _ours(path: Path) -> bool:
    return path.is_dir() and path.name.lstrip(".").startswith(_PREFIX)
