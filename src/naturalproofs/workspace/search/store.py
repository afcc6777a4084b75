"""An index on disk: arrays as ``.npy`` files that are mapped into memory, cards as JSON lines, a manifest last."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from naturalproofs.errors import NotAnIndex
from naturalproofs.io.files import replaced_folder
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.io.jsonl import read_jsonl, write_jsonl
from naturalproofs.workspace.search.found import Card
from naturalproofs.workspace.search.making import Made, Stream
from naturalproofs.workspace.search.meaning import Meaning
from naturalproofs.workspace.search.postings import Postings
from naturalproofs.workspace.search.settings import DEFAULT, Settings
from naturalproofs.workspace.search.texts import Texts
from naturalproofs.workspace.search.vocabulary import Vocabulary

SCHEMA = 1
MANIFEST = "search.json"
CARDS = "cards.jsonl"
WORDS = "words.json"


@dataclass(frozen=True, slots=True)
class About:
    """What an index was made from."""

    name: str
    fingerprint: str
    schema: int = SCHEMA
    settings: str = ""
    """The hash of the weights that are worked into the arrays."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What a folder holds."""

    about: About
    made: Made
    meaning: Meaning = field(repr=False)


def is_index(folder: Path) -> bool:
    """Whether a folder is a search index, or what is left of one."""
    return (folder / MANIFEST).is_file() or (folder / CARDS).is_file()


def read_about(folder: Path) -> About:
    """What the index in a folder was made from."""
    try:
        about = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=About)
    except FileNotFoundError as error:
        raise NotAnIndex(f"{folder}: no search index here (no {MANIFEST})") from error
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotAnIndex(f"{folder}: the search index is damaged ({error}); make it again") from error
    if about.schema != SCHEMA or about.settings != _settings(DEFAULT):
        raise NotAnIndex(f"{folder}: the search index was made by another version; make it again")
    return about


def keep_index(folder: Path, about: About, made: Made, meaning: Meaning) -> None:
    """Write an index whole."""
    with replaced_folder(folder, is_index) as scratch:
        for name, values in _arrays(made, meaning).items():
            np.save(scratch / f"{name}.npy", values, allow_pickle=False)
        write_jsonl(scratch / CARDS, made.cards)
        (scratch / WORDS).write_bytes(msgspec.json.encode((made.vocabulary.words, made.vocabulary.spellings)))
        (scratch / MANIFEST).write_bytes(msgspec.json.encode(about))


def about_index(name: str, fingerprint: str, settings: Settings) -> About:
    """What is to be said of an index that is made now."""
    return About(name, fingerprint, SCHEMA, _settings(settings))


def _settings(settings: Settings) -> str:
    return sha256_bytes(repr(settings).encode())[:16]


def open_index(folder: Path) -> Kept:
    """Map an index into memory."""
    about = read_about(folder)
    try:
        arrays = {path.stem: np.load(path, mmap_mode="r", allow_pickle=False) for path in folder.glob("*.npy")}
        words = msgspec.json.decode((folder / WORDS).read_bytes(), type=tuple[tuple[str, ...], tuple[str, ...]])
        cards = tuple(read_jsonl(folder / CARDS, Card))
        return Kept(about, _made(arrays, words, cards), Meaning(arrays["word_places"], arrays["places"]))
    except (OSError, KeyError, ValueError, msgspec.DecodeError) as error:
        raise NotAnIndex(f"{folder}: the search index is damaged ({error}); make it again") from error


def _arrays(made: Made, meaning: Meaning) -> dict[str, NDArray[Any]]:
    return {
        "texts": made.texts.letters, "text_starts": made.texts.starts,
        "notes": made.notes.letters, "note_starts": made.notes.starts,
        "slips": made.vocabulary.slips, "slip_words": made.vocabulary.slip_words,
        "word_starts": made.words.starts, "word_statements": made.words.statements, "word_impacts": made.words.impacts,
        "stream": made.stream.words, "stream_starts": made.stream.starts, "grams": made.grams,
        "gram_starts": made.formulas.starts, "gram_statements": made.formulas.statements,
        "gram_impacts": made.formulas.impacts, "word_places": meaning.words, "places": meaning.statements,
    }  # fmt: skip


def _made(
    arrays: dict[str, NDArray[Any]], words: tuple[tuple[str, ...], tuple[str, ...]], cards: tuple[Card, ...]
) -> Made:
    a, size = arrays, len(cards)
    return Made(
        cards=cards,
        texts=Texts(a["texts"], a["text_starts"]),
        notes=Texts(a["notes"], a["note_starts"]),
        vocabulary=Vocabulary(*words, a["slips"], a["slip_words"]),
        words=Postings(a["word_starts"], a["word_statements"], a["word_impacts"], size),
        stream=Stream(a["stream"], a["stream_starts"]),
        grams=a["grams"],
        formulas=Postings(a["gram_starts"], a["gram_statements"], a["gram_impacts"], size),
    )
