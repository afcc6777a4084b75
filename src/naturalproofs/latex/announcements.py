"""What is going to be proved, by what a sentence or a heading says before the proof."""

import re

_REACH = 80
_ANNOUNCED = re.compile(
    r"(?:(?P<noun>\b[Pp]roof|\b[Pp]reuve|\b[Dd][ée]monstration|\b[Bb]eweis|\b[Dd]owód|\b[Dd]imostrazion|\b[Dd]emostraci"
    r"|[Дд]оказательств)|\b[Pp]rov(?:e|es|ing)\b|\b[Dd]ow[oó]d|\b[Bb]ewei?s|\b[Dd]emostra|\b[Dd]imostr|\b[Dd][ée]mon[ts]r"
    r"|[Дд]ока[зж])"
)
_IN_HEADING = re.compile(r"\\(?:chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?+\s*+\{[^}]*+$")
_NAMED = re.compile(r"\\[a-zA-Z]*ref\*?+\s*+(?:\{([^{},]*+)|\[([^][]*+)\])")


def announces(text: str, offset: int, *, waits: bool) -> bool:
    """Whether the reference at an offset names what is going to be proved.

    Args:
        text: The text of the file.
        offset: Where the reference begins.
        waits: Whether the statement before it still has no proof: "the proof of Lemma 1 is alike" does not take
            its proof away from it; "we now prove Theorem 1", or a heading, does.
    """
    before = text[max(0, offset - _REACH) : offset].rsplit("\n\n", 1)[-1]
    announced = _ANNOUNCED.search(before.rpartition(".")[2])
    return announced is not None and (not (announced["noun"] and waits) or bool(_IN_HEADING.search(before)))


def named_label(text: str) -> str:
    """The first label that a heading cites."""
    named = _NAMED.search(text)
    return (named[1] or named[2]).strip() if named else ""
