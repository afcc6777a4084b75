"""The files of a trained model: weights, tokeniser, settings. None of them holds code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from naturalproofs.errors import NotAModel
from naturalproofs.io.folders import pretty
from naturalproofs.ranking.lsa import LatentSpace
from naturalproofs.ranking.neural.checkpoint import TrainState
from naturalproofs.ranking.neural.encode import Backbone, FrozenEncoder
from naturalproofs.ranking.neural.encoder import Encoder, random_stem
from naturalproofs.ranking.neural.settings import TrainSettings

WEIGHTS, TOKENISER, SETTINGS = "weights.safetensors", "tokenizer.json", "settings.json"

S = TypeVar("S", bound=TrainSettings)


@dataclass(frozen=True, slots=True)
class Description:
    """What rebuilds a model without its weights."""

    settings: dict[str, Any]
    encoder: dict[str, Any]
    state: TrainState | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelFiles(Generic[S]):
    """A model's files as read."""

    settings: S
    tokeniser: Tokenizer
    config: dict[str, Any]
    weights: dict[str, Tensor]
    state: TrainState | None
    extra: dict[str, Any]
    folder: Path

    def backbone(self, settings: TrainSettings) -> Backbone:
        """The frozen encoder with its weights, and a tower whose weights are not loaded yet."""
        lexical = LatentSpace.load(self.folder) if settings.lexical_width else None
        encoder = Encoder(self.tokeniser, random_stem(self.config), self.config)
        backbone = Backbone.split(settings, encoder, lexical)
        empty = backbone.frozen
        if empty.stem is None:
            return backbone
        self.load_into(empty.stem, "stem.")
        frozen = FrozenEncoder.of(empty.preparation, empty.length, encoder, empty.stem, lexical, empty.pooling)
        return replace(backbone, frozen=frozen)

    def load_into(self, module: nn.Module, prefix: str = "model.", missing: Mapping[str, Tensor] | None = None) -> None:
        """Load weights into a module.

        Args:
            module: What was built for them.
            prefix: Which of the weights.
            missing: Weights that the files need not have.
        """
        try:
            module.load_state_dict(dict(missing or {}) | self.part(prefix))
        except (RuntimeError, KeyError) as error:
            problem = str(error).split("\n")[0]
            raise NotAModel(f"{self.folder}: weights and settings do not fit ({problem}); train again") from error

    def part(self, prefix: str) -> dict[str, Tensor]:
        """The weights whose names start with a prefix, without it."""
        return {k.removeprefix(prefix): value for k, value in self.weights.items() if k.startswith(prefix)}


def save_files(
    folder: Path,
    settings: TrainSettings,
    backbone: Backbone,
    model: Mapping[str, Tensor],
    state: TrainState | None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write a model's files."""
    frozen = backbone.frozen
    stem = frozen.stem.state_dict() if frozen.stem is not None else {}
    weights = {f"stem.{name}": value for name, value in stem.items()}
    weights |= {f"model.{name}": value for name, value in model.items()}
    if frozen.lexical is not None:
        frozen.lexical.save(folder)
    save_file({name: value.detach().cpu().contiguous() for name, value in weights.items()}, folder / WEIGHTS)
    frozen.tokeniser.save(str(folder / TOKENISER))
    description = Description(msgspec.to_builtins(settings), backbone.config, state, dict(extra or {}))
    (folder / SETTINGS).write_bytes(pretty(description))


def load_files(folder: Path, kind: type[S]) -> ModelFiles[S]:
    """Read a model's files."""
    try:
        found = msgspec.json.decode((folder / SETTINGS).read_bytes(), type=Description)
        settings = msgspec.convert(found.settings, kind)
        weights = load_file(folder / WEIGHTS)
        tokeniser = Tokenizer.from_file(str(folder / TOKENISER))
    except (OSError, msgspec.MsgspecError, SafetensorError) as error:
        raise NotAModel(f"{folder}: cannot be read ({error}); train again") from error
    return ModelFiles(settings, tokeniser, found.encoder, weights, found.state, found.extra, folder)


def training_report(settings: TrainSettings, state: TrainState | None) -> str:
    """How a model was trained, for its card."""
    encoder = f"`{settings.encoder_name}`{'' if settings.pretrained else ' with random weights'}"
    layers = settings.trained_layers
    trained = "all layers" if layers < 0 else f"the upper {layers} layers" if layers else "no layer of it"
    width = settings.lexical_width
    lexical = (
        f" {width} dimensions of lexical features learnt from the training passages are appended." if width else ""
    )
    lines = [
        f"Encoder {encoder}, {settings.max_tokens} tokens of each statement prepared by `{settings.preparation}`, "
        f"{settings.pooling} pooling; {trained} trained.{lexical}"
    ]
    if state is None:
        return "\n\n".join([*lines, "There was nothing to train on."])
    lines.append(f"{state.step:,} steps in {state.seconds / 60:.1f} minutes.")
    if state.history:
        rows = "\n".join(
            f"| {step:,} | {f'{loss:.3f}' if step else '–'} | {100 * score:.2f} | {f'{speed:,.0f}' if step else '–'} |"
            for (step, loss, score), speed in zip(state.history, state.speeds, strict=False)
        )
        best = f"The weights are those of step {state.best_step:,}."
        head = f"| step | loss | {state.metric} on a sample of validation | {state.unit}/s |\n|---|---|---|---|"
        lines.append(f"{best}\n\n{head}\n{rows}")
    return "\n\n".join(lines)
