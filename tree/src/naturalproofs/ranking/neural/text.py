r"""From a passage to what an encoder reads: prepared text, sub-word tokens, and lexical features.

Encoders are trained on prose. LaTeX markup (``\mathcal{O}_X``) costs many sub-word tokens and carries little meaning
for them, so it is removed before a text is truncated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from naturalproofs.ranking.contract import whole_text
from naturalproofs.ranking.term_vectors import LatentSpace, TermCounts
from naturalproofs.records import Passage
from naturalproofs.tokens import FORMULA, tokeniser

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
