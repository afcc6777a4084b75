"""What a person asks about: a theorem as pasted, with or without its environment and the beginning of its proof."""

from __future__ import annotations

import re
from dataclasses import dataclass

from naturalproofs.latex.arguments import read_option
from naturalproofs.latex.plain import plain_title
from naturalproofs.latex.vocabulary import REFERENCES

_BEGIN = re.compile(r"\s*+\\begin\s*\{([a-zA-Z]+\*?)\}")
_PROOF = re.compile(r"\\begin\s*\{proof\}")
_END = re.compile(r"\\end\s*\{[a-zA-Z]+\*?\}\s*$")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_KEYS = re.compile(rf"\\(?:{'|'.join(sorted(REFERENCES, key=len, reverse=True))})\*?\s*\{{([^{{}}]*)\}}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A theorem, and as much of its proof as is written."""

    text: str
    title: str = ""
    proof: str = ""
    keys: tuple[str, ...] = ()
    """The labels that the proof cites so far."""


def read_asked(source: str) -> Asked:
    """Take a pasted theorem apart."""
    begins = _PROOF.search(source)
    proof = _END.sub("", source[begins.end() :]).strip() if begins else ""
    text = (source[: begins.start()] if begins else source).strip()
    title = ""
    if opening := _BEGIN.match(text):
        option = read_option(text, opening.end())
        title = plain_title(option.text) if option else ""
        text = _END.sub("", text[option.end if option else opening.end() :])
    return Asked(_LABEL.sub("", text).strip(), title, proof, cited_keys(proof))


def with_proof(text: str, proof: str) -> str:
    """A theorem and the beginning of its proof as one text, without the keys of citations.

    What is written of a proof says much about what it will cite next; labels only say what it cites already.
    """
    return f"{text}\n{_KEYS.sub('', proof)}" if proof.strip() else text


def cited_keys(text: str) -> tuple[str, ...]:
    """The labels that a text cites, each once, in order."""
    keys = (key.strip() for group in _KEYS.findall(text) for key in group.split(","))
    return tuple(dict.fromkeys(key for key in keys if key))
