"""A small vocabulary made from the texts at hand, for encoders that start from nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_PIECE = re.compile(r"\w+|[^\w\s]")


def build_vocabulary(texts: Iterable[str], size: int) -> list[str]:
    """Special tokens, every common sign as a beginning and as a continuation, then the most frequent words."""
    counts = Counter(piece for text in texts for piece in _PIECE.findall(text.lower()))
    signs = Counter(sign for word, count in counts.items() for sign in word for _ in range(min(count, 3)))
    alphabet = sorted({*"abcdefghijklmnopqrstuvwxyz0123456789", *(s for s, count in signs.items() if count > 2)})
    pieces = [*SPECIAL, *alphabet, *(f"##{sign}" for sign in alphabet)]
    known = set(pieces)
    by_count = sorted((word for word in counts if word not in known), key=lambda word: (-counts[word], word))
    return [*pieces, *by_count[: max(0, size - len(pieces))]]


def small_tokeniser(texts: Iterable[str], size: int) -> Tokenizer:
    """A WordPiece tokeniser over such a vocabulary."""
    vocabulary = {piece: number for number, piece in enumerate(build_vocabulary(texts, size))}
    found = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    found.normalizer = BertNormalizer(lowercase=True)
    found.pre_tokenizer = BertPreTokenizer()
    found.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")]
    )
    found.add_special_tokens(list(SPECIAL))
    return found
