"""A trained model's files: weights, tokeniser, settings. Nothing in them is code, and nothing of them is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor

from naturalproofs.errors import NotAModel
from naturalproofs.io.manifests import pretty
from naturalproofs.ranking.neural.checkpoints import TrainState
from naturalproofs.ranking.neural.core import Core, empty_core, new_reader
from naturalproofs.ranking.neural.lexical import Lexical
from naturalproofs.ranking.neural.settings import EncoderSettings, TrainingSettings

WEIGHTS, TOKENISER, ABOUT = "weights.safetensors", "tokenizer.json", "settings.json"

S = TypeVar("S", bound=EncoderSettings)
T = TypeVar("T", bound=EncoderSettings)


@dataclass(frozen=True, slots=True)
class About:
    """What rebuilds a model without its weights."""

    settings: dict[str, Any]
    encoder: dict[str, Any]
    progress: TrainState | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found(Generic[S]):
    """A model's files as read."""

    settings: S
    tokeniser: Tokenizer
    config: dict[str, Any]
    weights: dict[str, Tensor]
    progress: TrainState | None
    extra: dict[str, Any]
    folder: Path

    def core(self) -> Core:
        """The reader as it was, and a tower whose weights are still to come."""
        words, arrays = tuple(self.extra.get("words", ())), self.part("lexical.")
        lexical = Lexical(words, arrays["weights"].numpy(), arrays["directions"].numpy()) if words else None
        core = empty_core(self.settings, self.tokeniser, self.config, lexical)
        old = core.reader
        if old.stem is not None:
            self.into(lambda weights: old.stem.load_state_dict(weights) if old.stem else None, "stem.")
        made = new_reader(old.preparation, old.length, old.tokeniser, old.stem, lexical, old.pooling, old.width)
        return replace(core, reader=made)

    def into(self, restore: Callable[[dict[str, Tensor]], object], prefix: str = "model.") -> None:
        """Put weights into what was built for them."""
        try:
            restore(self.part(prefix))
        except (RuntimeError, KeyError) as error:
            problem = str(error).split("\n")[0]
            raise NotAModel(f"{self.folder}: weights and settings do not fit ({problem}); train again") from error

    def under(self, settings: T) -> Found[T]:
        """The same files, read by other settings."""
        return Found(settings, self.tokeniser, self.config, self.weights, self.progress, self.extra, self.folder)

    def part(self, prefix: str) -> dict[str, Tensor]:
        """The weights under a name."""
        return {k.removeprefix(prefix): value for k, value in self.weights.items() if k.startswith(prefix)}


def save_parts(
    folder: Path,
    settings: EncoderSettings,
    core: Core,
    model: Mapping[str, Tensor],
    progress: TrainState | None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write a model's files."""
    stem = core.reader.stem.state_dict() if core.reader.stem is not None else {}
    weights = {f"stem.{name}": value for name, value in stem.items()}
    weights |= {f"model.{name}": value for name, value in model.items()}
    extra = dict(extra or {})
    if (lexical := core.reader.lexical) is not None:
        extra["words"] = lexical.words
        weights |= {"lexical.weights": torch.from_numpy(lexical.weights)}
        weights |= {"lexical.directions": torch.from_numpy(lexical.directions)}
    save_file({name: value.detach().cpu().contiguous() for name, value in weights.items()}, folder / WEIGHTS)
    core.reader.tokeniser.save(str(folder / TOKENISER))
    about = About(msgspec.to_builtins(settings), core.config, progress, extra)
    (folder / ABOUT).write_bytes(pretty(about))


def load_parts(folder: Path, kind: type[S]) -> Found[S]:
    """Read a model's files."""
    try:
        about = msgspec.json.decode((folder / ABOUT).read_bytes(), type=About)
        settings = msgspec.convert(about.settings, kind)
        weights = load_file(folder / WEIGHTS)
        tokeniser = Tokenizer.from_file(str(folder / TOKENISER))
    except (OSError, msgspec.MsgspecError, SafetensorError) as error:
        raise NotAModel(f"{folder}: cannot be read ({error}); train again") from error
    return Found(settings, tokeniser, about.encoder, weights, about.progress, about.extra, folder)


def story(settings: TrainingSettings, progress: TrainState | None) -> str:
    """How a model came to be, for its card."""
    encoder = f"`{settings.encoder_name}`{'' if settings.pretrained else ' with random weights'}"
    layers = settings.trained_layers
    trained = "all layers" if layers < 0 else f"the upper {layers} layers" if layers else "no layer of it"
    wide = settings.word_width
    words = f" Beside it, {wide} dimensions of word features learnt from the training passages." if wide else ""
    lines = [
        f"Encoder {encoder}, {settings.read_length} tokens of each statement prepared by `{settings.preparation}`, "
        f"{settings.pooling} pooling; {trained} trained.{words}"
    ]
    if progress is None:
        return "\n\n".join([*lines, "There was nothing to train on."])
    lines.append(f"{progress.step:,} steps in {progress.seconds / 60:.1f} minutes.")
    if progress.history:
        rows = "\n".join(
            f"| {step:,} | {f'{loss:.3f}' if step else '–'} | {100 * found:.2f} | {f'{speed:,.0f}' if step else '–'} |"
            for (step, loss, found), speed in zip(progress.history, progress.speeds, strict=False)
        )
        best = f"The weights are those of step {progress.best_step:,}."
        head = f"| step | loss | {progress.watched} on a sample of validation | {progress.unit}/s |\n|---|---|---|---|"
        lines.append(f"{best}\n\n{head}\n{rows}")
    return "\n\n".join(lines)
