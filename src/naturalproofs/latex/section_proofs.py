"""Sections headed "Proof of Theorem 3": their text is a proof, unless a proof inside of them takes its place."""

import re

from naturalproofs.latex import Token
from naturalproofs.latex.announcements import named_label
from naturalproofs.latex.arguments import Argument
from naturalproofs.latex.builders import Frame, ProofBuilder, TextBuilder
from naturalproofs.latex.following import FollowingReader
from naturalproofs.latex.kinds import by_word
from naturalproofs.latex.plain import plain_title
from naturalproofs.latex.text_references import TextReferences, named_in

_FIRST_WORD = re.compile(
    r"\W*(?:[Tt]he\s+|[Ll]a\s+|[Dd]er\s+)?(?:(?:end|completion|conclusion)\s+of\s+(?:the\s+)?)?([^\W\d_]+)"
)
_OF = re.compile(
    r"^\W*\w+\s+(?:of|von|de|du|des|di|del|della|da|do)\s+(?:the\s+|la\s+|le\s+|el\s+)?(?P<title>.+?)[\s.:]*$",
    re.DOTALL,
)
_SHORTEST = 200
"""A section without references that is shorter than this only introduces the proof."""


class SectionProofReader(FollowingReader):
    """Reads sections that are headed as proofs of something."""

    texts: TextReferences

    def name_target(self, proof: ProofBuilder, heading: str) -> bool:
        """Note what a heading such as "Proof of Theorem 3" names: a label, a number or a title."""
        proof.of = named_label(heading)
        if not proof.of:
            proof.of_printed = named_in(f" {heading}", self.texts)
        if not proof.of and not proof.of_printed and (match := _OF.match(plain_title(heading))):
            proof.of_title = match["title"]
        return bool(proof.of or proof.of_printed)

    def _headed(self, token: Token, level: int, source: Argument | None) -> None:
        if source is None or self.in_preamble or not self._outside() or not _speaks_of_proof(source.text):
            return
        here = len(self.reading.statements)
        proof = ProofBuilder(self._origin(token), scope=self.scope, position=here, implied=True)
        if not self.name_target(proof, source.text):
            return
        # A paragraph ends where a statement begins; a section may hold lemmas of its own.
        frame = Frame(f"\\{token.name}", "proof", self.file, token.start, proof, self.last, self.last_is_neighbour)
        frame.level, frame.implied = level, level >= 4
        self._push(frame, source.end)
        self.skip_to = max(self.skip_to, source.end)
        self.last, self.last_is_neighbour = None, False

    def _heading(self, token: Token) -> None:
        heading = self.profile.headings.get(token.name)
        while heading and self.stack and (level := self.stack[-1].level) is not None and level >= heading.level:
            self._close_top(token.start, token.start)
        super()._heading(token)

    def _open_proof(self, token: Token, *, implied: bool = False) -> ProofBuilder:
        section = self.collectors[-1] if self.collectors else None
        proof = super()._open_proof(token, implied=implied)
        if isinstance(section, ProofBuilder) and section.implied:
            unnamed = not (proof.of or proof.of_printed)
            if unnamed and proof.owner is None:
                proof.of, proof.of_printed = section.of, section.of_printed
            if (proof.of, proof.of_printed) == (section.of, section.of_printed):
                section.of, section.of_printed = "", None
        return proof

    def _close_top(self, start: int, end: int) -> None:
        cited = self.stack[-1].cited
        super()._close_top(start, end)
        if isinstance(cited, ProofBuilder) and cited.implied and not _counts(cited):
            self.reading.orphans.remove(cited)

    def _add_label(self, label: str, token: Token) -> None:
        section = self.stack[-1] if self.stack else None
        if section and section.level is not None:
            # The label of the section itself is no part of the proof.
            self.stack.pop()
            super()._add_label(label, token)
            self.stack.append(section)
        else:
            super()._add_label(label, token)

    def _outside(self) -> bool:
        return all(frame.name == "document" for frame in self.stack)


def _counts(section: ProofBuilder) -> bool:
    """Whether a section is a proof: it names something, and says something."""
    return bool(section.of or section.of_printed) and (bool(section.mentions) or _length(section) >= _SHORTEST)


def _length(cited: TextBuilder) -> int:
    return sum(map(len, cited.pieces))


def _speaks_of_proof(heading: str) -> bool:
    first = _FIRST_WORD.match(heading)
    sense = by_word(first[1]) if first else None
    return sense is not None and sense.role == "proof"
