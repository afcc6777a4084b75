"""What a proof proves, by its heading or by the sentence before it."""

import re

from naturalproofs.latex.builders import ProofBuilder
from naturalproofs.latex.kinds import by_word
from naturalproofs.latex.plain import plain_title
from naturalproofs.latex.text_references import TextReferences, named_in

_REACH = 80
_ANNOUNCED = re.compile(
    r"(?:(?P<noun>\b[Pp]roof|\b[Pp]reuve|\b[Dd][ée]monstration|\b[Bb]eweis|\b[Dd]owód|\b[Dd]imostrazion|\b[Dd]emostraci"
    r"|[Дд]оказательств)|\b[Pp]rov(?:e|es|ing)\b|\b[Dd]ow[oó]d|\b[Bb]ewei?s|\b[Dd]emostra|\b[Dd]imostr|\b[Dd][ée]mon[ts]r"
    r"|[Дд]ока[зж])"
)
_IN_HEADING = re.compile(r"\\(?:chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?+\s*+\{[^}]*+$")
_NAMED = re.compile(r"\\[a-zA-Z]*ref\*?+\s*+(?:\{([^{},]*+)|\[([^][]*+)\])")
_FIRST_WORD = re.compile(
    r"\W*(?:[Tt]he\s+|[Ll]a\s+|[Dd]er\s+)?(?:(?:end|completion|conclusion)\s+of\s+(?:the\s+)?)?([^\W\d_]+)"
)
_OF = re.compile(
    r"^\W*\w+\s+(?:of|von|de|du|des|di|del|della|da|do)\s+(?:the\s+|la\s+|le\s+|el\s+)?(?P<title>.+?)[\s.:]*$",
    re.DOTALL,
)
_SHORTEST_SECTION = 200
"""A section without references that is shorter than this only introduces the proof."""


def announces(text: str, offset: int, *, unproved: bool) -> bool:
    """Whether the reference at an offset names what is going to be proved.

    Args:
        text: The text of the file.
        offset: Where the reference begins.
        unproved: Whether the statement before it has no proof yet. Then "the proof of Lemma 1 is similar" does not
            announce a proof of Lemma 1; "we now prove Theorem 1", or a heading, does.
    """
    before = text[max(0, offset - _REACH) : offset].rsplit("\n\n", 1)[-1]
    announced = _ANNOUNCED.search(before.rpartition(".")[2])
    return announced is not None and (not (announced["noun"] and unproved) or bool(_IN_HEADING.search(before)))


def set_target(proof: ProofBuilder, heading: str, texts: TextReferences | None) -> bool:
    """Note what a heading such as "Proof of Theorem 3" names: a label, a number or a title.

    Args:
        proof: The proof with this heading.
        heading: The LaTeX source of the heading.
        texts: Finds citations by number; without it only labels count.

    Returns:
        Whether a label or a number is named.
    """
    named = _NAMED.search(heading)
    proof.of = (named[1] or named[2]).strip() if named else ""
    if texts is not None and not proof.of:
        proof.of_printed = named_in(f" {heading}", texts)
        if not proof.of_printed and (match := _OF.match(plain_title(heading))):
            proof.of_title = match["title"]
    return bool(proof.of or proof.of_printed)


def is_proof_heading(heading: str) -> bool:
    """Whether the heading of a section begins with a word for "proof"."""
    first = _FIRST_WORD.match(heading)
    sense = by_word(first[1]) if first else None
    return sense is not None and sense.role == "proof"


def is_section_proof(section: ProofBuilder) -> bool:
    """Whether a section headed as a proof is one: it names a statement, and has references or some length."""
    names_something = bool(section.of or section.of_printed)
    return names_something and (bool(section.mentions) or sum(map(len, section.pieces)) >= _SHORTEST_SECTION)
