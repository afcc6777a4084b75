"""Proofs: where they open and close, and what they prove by their heading or the sentence before them."""

import re

from naturalproofs.latex.arguments import Argument, plain_title, read_group, read_groups, read_option
from naturalproofs.latex.builders import ProofBuilder, StatementBuilder
from naturalproofs.latex.citations import TextReferences, find_citations, named_in
from naturalproofs.latex.declarations import skip_overlay
from naturalproofs.latex.frames import Frame, Frames
from naturalproofs.latex.kinds import by_word
from naturalproofs.latex.scanner import Token

_REACH = 80
_ANNOUNCED = re.compile(
    r"(?:(?P<noun>\b[Pp]roof|\b[Pp]reuve|\b[Dd][ée]monstration|\b[Bb]eweis|\b[Dd]owód|\b[Dd]imostrazion|\b[Dd]emostraci"
    r"|[Дд]оказательств)|\b[Pp]rov(?:e|es|ing)\b|\b[Dd]ow[oó]d|\b[Bb]ewei?s|\b[Dd]emostra|\b[Dd]imostr|\b[Dd][ée]mon[ts]r"
    r"|[Дд]ока[зж])"
)
_IN_HEADING = re.compile(r"\\(?:chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?+\s*+\{[^}]*+$")
_FIRST_WORD = re.compile(
    r"\W*(?:[Tt]he\s+|[Ll]a\s+|[Dd]er\s+)?(?:(?:end|completion|conclusion)\s+of\s+(?:the\s+)?)?([^\W\d_]+)"
)
_OF = re.compile(
    r"^\W*\w+\s+(?:of|von|de|du|des|di|del|della|da|do)\s+(?:the\s+|la\s+|le\s+|el\s+)?(?P<title>.+?)[\s.:]*$",
    re.DOTALL,
)
_LABEL = re.compile(r"[\w:./+-]+")
_PARAGRAPH = 4
"""The level of headings whose proofs end where a statement begins."""


class Proofs:
    """Opens and closes the proofs of one document."""

    def __init__(self, frames: Frames, texts: TextReferences | None, scope: str) -> None:
        """Bind the open environments.

        Args:
            frames: The open environments, and the walk over the text.
            texts: Finds citations by number, if they are to be read.
            scope: What the document's labels are local to.
        """
        self.frames, self.walker, self.dialect = frames, frames.walker, frames.dialect
        self.texts, self.scope = texts, scope
        self.announced = ""
        """The label of what the text says it is going to prove."""

    def open(self, token: Token) -> None:
        """Open a proof by its environment."""
        self._open(token, implied=False)

    def open_by_command(self, token: Token) -> None:
        """Open a proof by a command."""
        self.frames.close_implied(token.start)
        self._open(token, implied=True)

    def close_by_command(self, token: Token) -> None:
        """Close a proof by the command that belongs to the one that opened it."""
        top = self.frames.top
        if top is not None and self.dialect.proof_commands.get(top.name) == token.name:
            self.frames.close(token.start, token.end)

    def qed(self, token: Token) -> None:
        r"""The end of a proof that a command began: ``\proof … \qed``."""
        top = self.frames.top
        if top is not None and top.implied and top.level is None:
            self.frames.close(token.end, token.end)

    def proves(self, token: Token) -> None:
        """A blueprint says inside a proof what it proves."""
        group = read_group(self.walker.file.text, token.end)
        proof = self.walker.collector
        if group is not None and isinstance(proof, ProofBuilder):
            proof.of = group.text.strip()

    def announce(self, token: Token) -> None:
        """Note what is going to be proved, if a reference outside of statements and proofs says so."""
        last = self.frames.last
        unproved = last is not None and not self.frames.last_is_neighbour and not last.proofs
        if _announces(self.walker.file.text, token.start, unproved=unproved):
            self.announced = token.argument.split(",")[0].strip()

    def open_section(self, token: Token, level: int, title: Argument) -> None:
        """Open a section headed "Proof of Theorem 3": its text is a proof, unless a proof inside takes its place."""
        if self.texts is None or self.walker.in_preamble or not self.frames.is_outside():
            return
        proof = self._builder(token, implied=True)
        if not _is_proof_heading(title.text) or not _set_target(proof, title.text, self.texts):
            return
        frame = self._frame(f"\\{token.name}", token, proof)
        # A paragraph ends where a statement begins; a section may hold lemmas of its own.
        frame.level, frame.implied = level, level >= _PARAGRAPH
        self.frames.push(frame, title.end)
        self.walker.skip(title.end)
        self.frames.last, self.frames.last_is_neighbour = None, False

    def _open(self, token: Token, *, implied: bool) -> None:
        around = self.walker.collector
        proof = self._builder(token)
        if isinstance(around, StatementBuilder):
            proof.owner = around
        elif not self.frames.last_is_neighbour:
            proof.owner = self.frames.last
        inside = self._read_heading(token, proof)
        proof.of = proof.of or self.announced
        self.announced = ""
        frame = self._frame(token.name, token, proof)
        frame.implied = implied
        self.frames.push(frame, inside)
        if isinstance(around, ProofBuilder) and around.implied:
            # A proof takes the place of the section around it, unless it names another statement.
            if proof.owner is None and not (proof.of or proof.of_printed):
                proof.of, proof.of_printed = around.of, around.of_printed
            if (proof.of, proof.of_printed) == (around.of, around.of_printed):
                around.of, around.of_printed = "", None

    def _read_heading(self, token: Token, proof: ProofBuilder) -> int:
        """Read what a proof says it proves; give the place where its text begins."""
        text = self.walker.file.text
        at = skip_overlay(text, token.end)
        option = read_option(text, at)
        headings = [option.text] if option else []
        at = option.end if option else at
        count = self.dialect.proof_arguments.get(token.name, int(token.name.casefold() == "proofof"))
        for group in read_groups(text, at, count):
            headings.append(group.text)
            at = group.end
        if declared := self.dialect.definitions.declarations.get(token.name):
            headings.append(declared.printed)
        for heading in headings:
            if _set_target(proof, heading, self.texts):
                break
            if count and _LABEL.fullmatch(heading.strip()):
                proof.of = heading.strip()
        return at

    def _builder(self, token: Token, *, implied: bool = False) -> ProofBuilder:
        here = len(self.walker.reading.statements)
        return ProofBuilder(self.walker.origin(token), scope=self.scope, position=here, implied=implied)

    def _frame(self, name: str, token: Token, proof: ProofBuilder) -> Frame:
        last, is_neighbour = self.frames.last, self.frames.last_is_neighbour
        return Frame(name, "proof", self.walker.file, token.start, proof, last, is_neighbour)


def _announces(text: str, offset: int, *, unproved: bool) -> bool:
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


def _set_target(proof: ProofBuilder, heading: str, texts: TextReferences | None) -> bool:
    """Note what a heading such as "Proof of Theorem 3" names: a label, a number or a title.

    Args:
        proof: The proof with this heading.
        heading: The LaTeX source of the heading.
        texts: Finds citations by number; without it only labels count.

    Returns:
        Whether a label or a number is named.
    """
    cited = find_citations(heading, guess=True)
    proof.of = next((key.key for citation in cited for key in citation.keys), "")
    if texts is not None and not proof.of:
        proof.of_printed = named_in(f" {heading}", texts)
        if not proof.of_printed and (match := _OF.match(plain_title(heading))):
            proof.of_title = match["title"]
    return bool(proof.of or proof.of_printed)


def _is_proof_heading(heading: str) -> bool:
    """Whether the heading of a section begins with a word for "proof"."""
    first = _FIRST_WORD.match(heading)
    sense = by_word(first[1]) if first else None
    return sense is not None and sense.role == "proof"
