r"""Citations by number, without a command: "Theorem 2.1", "Lemmas 2.1 and 2.3", "Sätze 3.1--3.4"."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from naturalproofs.latex.builders import Printed
from naturalproofs.latex.kinds import Sense, by_word

RANGE = "–"
"""Stands between the two ends of a range of numbers."""

_NUMBER = r"(?:\d++|[A-Z]|[IVX]{2,4})(?:\.(?:\d++|[A-Z](?![A-Za-z])))*+(?![\w'’])"
_AFTER_A_WORD = r"(?<=(?:[^\W\d_]|[.~\s\\])[~\s(]"
_DIGITS = re.compile(rf"\d{_AFTER_A_WORD}\d)")
_DIGITS_OR_LETTERS = re.compile(rf"[\dA-Z]{_AFTER_A_WORD}[\dA-Z])")
"""Where a number after a word begins; this skips most numbers in formulas."""
_WHOLE = re.compile(_NUMBER)
_WORD = re.compile(r"(?<![\\\w])([^\W\d_]{2,})\.?+(?:~|\s|\\[ ,])*\(?$")
_NEXT = re.compile(
    rf"\)?+(?P<separator>\s*+,\s*+(?:(?:and|or|und|oder|et|ou|oraz)\s++)?+|[~\s]++(?:and|or|und|oder|et|ou|y|o|e|i|oraz|и)[~\s]++"
    rf"|\s*+(?P<range>-{{1,3}}|–)\s*+|[~\s]++(?:to|through|bis)[~\s]++)\(?+(?P<number>{_NUMBER})"
)
_CITED_BEFORE = re.compile(
    r"(?:\\[a-zA-Z]*cite[a-zA-Z]*\*?\s*(?:\[[^\]]*\]\s*)?(?:\[[^\]]*|\{[^}]*\}[,;:]?\s*(?:\(?see\s+)?)|\[[^][\s]{1,12},\s*)$"
)
_OF_ANOTHER = re.compile(
    r"\)?,?\s*(?:~|\s)*(?:of|in|from|von|aus|de|du|dans|di|da|del|della|z|из)(?:~|\s)+"
    r"(?:\\[a-zA-Z]*cite|\\(?:emph|textit|textsc|textcite)|\[|[A-Z](?!hapter|ection|art\b|ppendix)[a-z]+|loc\.|op\.|ibid)|\)?\s*(?:~|,?\s)\\[a-zA-Z]*cite"
)
_LOOK_BACK = 40


class Found(NamedTuple):
    """Statements cited by number, and where."""

    offset: int
    cited: tuple[Printed, ...]


class TextReferences:
    """Finds citations by number, for the families of words that the document's statements have."""

    def __init__(self, senses: Mapping[str, Sense], printed: Mapping[str, str], *, letters: bool = True) -> None:
        """Bind the families, the project's own words for them, and whether numbers may begin with letters."""
        self._candidate = _DIGITS_OR_LETTERS if letters else _DIGITS
        self.families = {sense.family for sense in senses.values() if sense.family}
        self.own = {
            name.split()[-1].casefold(): senses[env].family for env, name in printed.items() if name and env in senses
        }

    def find(self, text: str, start: int, end: int) -> Iterator[Found]:
        """All citations by number between two offsets."""
        at = start
        while candidate := self._candidate.search(text, at, end):
            at = candidate.end()
            tail = text[max(start, candidate.start() - _LOOK_BACK) : candidate.start()]
            word = _WORD.search(tail)
            family = self._family(word[1]) if word else ""
            number = _WHOLE.match(text, candidate.start(), end) if family else None
            if not word or not number:
                continue
            begin = candidate.start() - len(tail) + word.start()
            cited, at = self._numbers(text, number, family, many=_is_plural(word[1]))
            if not _is_foreign(text, start, begin, at):
                yield Found(begin, cited)

    def _family(self, word: str) -> str:
        folded = word.casefold()
        if folded in self.own:
            return self.own[folded]
        sense = by_word(folded)
        return sense.family if sense and sense.family in self.families else ""

    def _numbers(self, text: str, match: re.Match[str], family: str, *, many: bool) -> tuple[tuple[Printed, ...], int]:
        numbers, at = [match.group()], match.end()
        while more := _NEXT.match(text, at):
            # "By Lemma 2, 3 divides n" cites one lemma; "Lemmas 2 and 3" cites two.
            if not many and ("." not in more["number"] or "," in more["separator"]):
                break
            at = more.end()
            if more["range"] or more["separator"].strip(" ~\n") in ("to", "through", "bis"):
                numbers[-1] += RANGE + more["number"]
            else:
                numbers.append(more["number"])
        return tuple(Printed(family, number) for number in numbers), at


def named_in(text: str, references: TextReferences) -> Printed | None:
    """The first statement that a heading names by number."""
    found = next(references.find(text, 0, len(text)), None)
    return found.cited[0] if found and RANGE not in found.cited[0].number else None


def _is_plural(word: str) -> bool:
    return word[-1] in "sSiIыя" or word.casefold().endswith(("ata", "en", "ze", "ae"))


def _is_foreign(text: str, start: int, begin: int, end: int) -> bool:
    """Whether the theorem is of another work: ``\\cite[Theorem 2.1]{…}``, "Theorem 2.1 of Serre"."""
    before = text[max(start, begin - 120) : begin]
    return bool(_CITED_BEFORE.search(before) or _OF_ANOTHER.match(text, end, end + 60))
