"""Proofs: where they open and close, and what they prove by their heading or the sentence before them."""

import re

from naturalproofs.latex.arguments import Argument, plain_title, read_group, read_groups, read_option
from naturalproofs.latex.builders import ProofBuilder, StatementBuilder
from naturalproofs.latex.citations import TextReferences, find_citations, named_in
from naturalproofs.latex.declarations import skip_overlay
from naturalproofs.latex.expansion import expand_all
from naturalproofs.latex.frames import Frame, Frames
from naturalproofs.latex.kinds import abbreviated, by_word, words_of
from naturalproofs.latex.scanner import PROOF_HEADING, Token

_REACH = 80
_ANNOUNCED = re.compile(
    r"(?:(?P<noun>\b[Pp]roof|\b[Pp]reuve|\b[Dd][ée]monstration|\b[Bb]eweis|\b[Dd]owód|\b[Dd]imostrazion|\b[Dd]emostraci"
    r"|[Дд]оказательств)|\b[Pp]rov(?:e|es|ing)\b|\b[Dd]ow[oó]d|\b[Bb]ewei?s|\b[Dd]emostra|\b[Dd]imostr|\b[Dd][ée]mon[ts]r"
    r"|[Дд]ока[зж])"
)
_IN_HEADING = re.compile(r"\\(?:chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?+\s*+\{[^}]*+$")
_FIRST_WORD = re.compile(
    r"\W*(?:[Tt]he\s+|[Ll]a\s+|[Dd]er\s+)?(?:(?:[Ee]nd|[Cc]ompletion|[Cc]onclusion|[Ss]ketch|[Ii]dea|[Oo]utline)\s+of\s+(?:the\s+)?)?([^\W\d_]+)"
)
_OF = re.compile(
    r"^\W*\w+\s+(?:of|von|de|du|des|di|del|della|da|do)\s+(?:the\s+|la\s+|le\s+|el\s+)?(?P<title>.+?)[\s.:]*$",
    re.DOTALL,
)
_ARTICLES = frozenset("a az van de het av af til den det на".split())
"""What may stand in the heading of a proof "of the theorem" besides the two words, in languages that `_OF` lacks."""
_BARE = re.compile(
    r"\W*(?:[^\W\d_]+\s+of\s+(?:the\s+)?)?[^\W\d_]+(?:-во)?+(?<!proofs)\W*(?:(?:sketch|idea|outline|skizze|\d)\W*)?(?:\([^()]*\)\W*)?",
    re.IGNORECASE,
)
"""A heading that names nothing: "Proof.", "Proof 2", "Sketch of proof", "Proof (by induction)"."""
_AGAIN = re.compile(
    r"\b(?:second|third|fourth|another|alternat\w*|other|different|new|zweiter?|anderer?|deuxième|autre|otra|altra|\d)\b",
    re.IGNORECASE,
)
"""Words of the heading of a further proof of the same statement."""
_USING = re.compile(r"\b(?:using|via|from|assuming|given|by|with|mit|aus|mittels|avec|par|usando)\b")
"""What follows is used by the proof whose heading this is."""
_JOINED = re.compile(r"(?:[\s,~&]|\\&|\b(?:and|und|et|y|e|i)\b|[和与及и]|\b[A-Z][^\W\d_]+\b\.?)*")
"""What may stand between two statements that a heading names."""
_SPACE_COMMANDS = re.compile(
    r"(?:\s|~|\\(?:noindent|indent|par|smallskip|medskip|bigskip|newline|quad|qquad|hfill|\\|[,; ])(?![a-zA-Z])"
    r"|\\(?:vspace|hspace|vskip)\*?(?:\{[^{}]*\}|\s*-?[\d.]+\s*[a-z]{2}))*"
)
_AFTER_MARK = re.compile(
    r"(?:[\s~$})\]]|\\[])])*?"
    r"(?:\n[ \t]*\n|\\(?:begin|end|(?:sub)*section|chapter|par|medskip|bigskip)(?![a-zA-Z])|\Z)"
)
_LONGEST_HEADING = 300
_MOST_TARGETS = 10
"""How many statements one proof may prove."""
_NEAR = 30
"""How many statements before a proof "of the theorem" may be meant."""
_WITH_ARGUMENT = frozenset({"proofof", "pf*"})
"""Environments of proofs that take their heading as an argument."""
_BEGINS_WITH_OF = re.compile(
    r"(?:\s|\{\s*\\(?:bf|it|em|sc)\b|\\(?:textbf|textit|emph|textsc)\s*\{)*"
    r"\(?(?:[Pp]roof\s+)?(?P<of>of\s+(?:the\s+)?(?=[A-Z\\])(?:[^.:(){}\n]|\{[^{}]*\})*)[.:)}]"
)
"""A heading that stands in the text of a proof: ``\\begin{proof} (of Lemma~\\ref{a})``."""
_LABEL = re.compile(r"[\w:./+-]+")
_SUBSECTION = 2
"""The level of headings that may say "Proof" alone: above it, a section holds proofs of several statements."""
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
        top = self.frames.top
        if top is not None and top.name == PROOF_HEADING:
            self.frames.close_implied(token.start)
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

    def open_by_heading(self, token: Token) -> None:
        r"""Open a proof by its heading: ``{\bf Proof.}``, ``\noindent\textbf{Proof of Theorem 3.}``."""
        text = self.walker.file.text
        begin = begin_of_heading(text, token)
        group = read_group(text, token.end if begin == token.start else begin)
        if group is None or len(group.text) > _LONGEST_HEADING or self.walker.in_preamble or self.texts is None:
            return
        self._close_headed(begin)
        if self.walker.collectors or not self.frames.is_outside() or not begins_line(text, begin):
            return
        proof = self._builder(token)
        if self._may_open(proof, group.text, bare=True):
            frame = self._frame(PROOF_HEADING, token, proof)
            frame.start, frame.implied = begin, True
            self.frames.push(frame, group.end)
            self.walker.skip(group.end)
            self.announced = ""

    def open_by_title(self, token: Token, title: str, inside: int) -> None:
        """Open a proof by the title of its block; one whose statement is unknown is plain text."""
        proof = self._builder(token)
        if self._may_open(proof, title, bare=True):
            self.frames.push(self._frame(token.name, token, proof), inside)
            self.announced = ""
        else:
            self.frames.push(Frame(token.name, "plain", self.walker.file, token.start))

    def _close_headed(self, offset: int) -> None:
        """A heading within a line ends the proof that another one opened."""
        top = self.frames.top
        if top is not None and top.name == PROOF_HEADING and begins_line(self.walker.file.text, offset):
            self.frames.close_implied(offset)

    def _may_open(self, proof: ProofBuilder, heading: str, *, bare: bool) -> bool:
        """Whether a heading opens a proof: of the statement it names, or, if it may be `bare`, of the one before it."""
        plain = plain_title(heading)
        if not _is_proof_heading(plain):
            return False
        if self._set_target(proof, heading):
            return True
        last = self.frames.last
        if not bare or last is None or self.frames.last_is_neighbour or last.proofs or not _BARE.fullmatch(plain):
            return False
        proof.owner, proof.of_title = last, ""
        return True

    def end_mark(self, token: Token) -> None:
        r"""The end of a proof that a command or a heading began: ``\proof … \qed``, ``{\bf Proof.} … $\Box$``."""
        top = self.frames.top
        if top is None or not top.implied or top.level is not None:
            return
        end = token.end
        if token.name != "qed":
            # A box may be a sign of a formula as well.
            after = _AFTER_MARK.match(self.walker.file.text, token.end, token.end + 200)
            if after is None:
                return
            end = token.end + len(after.group()) - len(after.group().lstrip("~$})] \t"))
        self.frames.close(end, end)

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
        if not self._may_open(proof, title.text, bare=level >= _SUBSECTION):
            return
        frame = self._frame(f"\\{token.name}", token, proof)
        # A paragraph ends where a statement begins; a section may hold lemmas of its own.
        frame.level, frame.implied = level, level >= _PARAGRAPH
        self.frames.push(frame, title.end)
        self.walker.skip(title.end)
        self.frames.last = self.frames.recent = None
        self.frames.last_is_neighbour = False

    def _open(self, token: Token, *, implied: bool) -> None:
        around = self.walker.collector
        proof = self._builder(token)
        if isinstance(around, StatementBuilder):
            proof.owner = around
        elif not self.frames.last_is_neighbour:
            option = read_option(self.walker.file.text, token.end)
            again = option is not None and _AGAIN.search(option.text)
            proof.owner = self.frames.last if self.texts is None or again else self.frames.unproved()
        inside = self._read_heading(token, proof)
        proof.owner = self._of_kind(proof) or proof.owner
        if self._is_part_of_another(proof):
            self.walker.cut(token.start, token.end)
            self.frames.push(Frame(token.name, "part", self.walker.file, token.start))
            return
        proof.of = proof.of or self.announced
        self.announced = ""
        frame = self._frame(token.name, token, proof)
        frame.implied = implied
        self.frames.push(frame, inside)
        if isinstance(around, ProofBuilder) and around.implied:
            # A proof takes the place of the section around it, unless it names another statement.
            if proof.owner is None and not (proof.of or proof.of_printed):
                proof.of, proof.of_printed, proof.owner = around.of, around.of_printed, around.owner
            if (proof.of, proof.of_printed) == (around.of, around.of_printed):
                around.of, around.of_printed, around.owner = "", None, None

    def _of_kind(self, proof: ProofBuilder) -> StatementBuilder | None:
        """The last unproved theorem before a proof "of the theorem", if the statement right before it is none."""
        word = by_word(proof.of_title) if proof.of_title and self.texts is not None else None
        if word is None or not word.family or (proof.owner is not None and proof.owner.family == word.family):
            return None
        near = self.walker.reading.statements[-_NEAR:]
        open_now = [frame.builder for frame in self.frames.collecting[-_NEAR:]]
        proved = [one.owner for one in open_now if isinstance(one, ProofBuilder)]
        found = (one for one in reversed(near) if one.family == word.family and not one.proofs and one not in open_now)
        return next((one for one in found if one not in proved), None)

    def _is_part_of_another(self, proof: ProofBuilder) -> bool:
        """Whether a proof inside a proof is a part of it: it names nothing, and nothing is stated in between."""
        outer = self.frames.collecting[-1] if self.frames.collecting else None
        if outer is None or not isinstance(outer.builder, ProofBuilder) or outer.builder.implied:
            return False
        named = (proof.of, proof.of_printed) if proof.of or proof.of_printed else None
        if named and named != (outer.builder.of, outer.builder.of_printed):
            return False
        return self.frames.last is outer.last_before and self.frames.last_is_neighbour == outer.neighbour_before

    def _read_heading(self, token: Token, proof: ProofBuilder) -> int:
        """Read what a proof says it proves; give the place where its text begins."""
        text = self.walker.file.text
        at = skip_overlay(text, token.end)
        option = read_option(text, at)
        headings = [option.text] if option else []
        if option is not None and self.texts is not None:
            proof.also_of = self._skip_targets(option)
        at = option.end if option else at
        count = self.dialect.proof_arguments.get(token.name, int(token.name.casefold() in _WITH_ARGUMENT))
        for group in read_groups(text, at, count):
            headings.append(group.text)
            at = group.end
        if declared := self.dialect.definitions.declarations.get(token.name):
            headings.append(declared.printed)
        for heading in headings:
            if self._set_target(proof, heading):
                break
            if count and _LABEL.fullmatch(heading.strip()):
                proof.of = heading.strip()
        if (
            self.texts is not None
            and not headings
            and (match := _BEGINS_WITH_OF.match(text, at, at + _LONGEST_HEADING))
        ):
            self._set_target(proof, match["of"])
            proof.of_title = ""
        return at

    def _skip_targets(self, heading: Argument) -> tuple[str, ...]:
        r"""The statements of "Proof of \cref{a,b}" are proved, not used: pass over them if there are several.

        Returns:
            All of them but the first one.
        """
        end = 0
        named: list[str] = []
        for citation in find_citations(heading.text, self.dialect.vocabulary.references):
            before = heading.text[end : citation.start]
            if _USING.search(before) or (end and not _JOINED.fullmatch(before)):
                break
            end = citation.end
            named.extend(key.key for key in citation.keys)
        if len(named) > 1:
            self.walker.skip(heading.start + end)
        return tuple(dict.fromkeys(named[1:_MOST_TARGETS]))

    def _set_target(self, proof: ProofBuilder, heading: str) -> bool:
        """Note what a heading such as "Proof of Theorem 3" names: a label, a number or a title.

        Args:
            proof: The proof with this heading.
            heading: The LaTeX source of the heading.

        Returns:
            Whether a label or a number is named.
        """
        heading = expand_all(heading, self.dialect.commands)
        cited = find_citations(heading, self.dialect.vocabulary.references, guess=True)
        if cited and self.texts is not None and _USING.search(heading, 0, cited[0].start):
            heading, cited = heading[: cited[0].start], []
        proof.of = next((key.key for citation in cited for key in citation.keys), "")
        if self.texts is not None and not proof.of:
            proof.of_printed = named_in(f" {heading}", self.texts)
            if not proof.of_printed:
                plain = plain_title(heading)
                match = _OF.match(plain)
                proof.of_title = (match["title"] if match else _statement_word(plain)) or proof.of_title
        return bool(proof.of or proof.of_printed)

    def _builder(self, token: Token, *, implied: bool = False) -> ProofBuilder:
        here = len(self.walker.reading.statements)
        return ProofBuilder(self.walker.origin(token), scope=self.scope, position=here, implied=implied)

    def _frame(self, name: str, token: Token, proof: ProofBuilder) -> Frame:
        last, is_neighbour = self.frames.last, self.frames.last_is_neighbour
        return Frame(name, "proof", self.walker.file, token.start, proof, last, is_neighbour, self.frames.recent)


def _statement_word(heading: str) -> str:
    """The word for a statement in a heading that has no other words but one for "proof" and articles."""
    words = [word for word in words_of(heading) if word.casefold() not in _ARTICLES]
    senses = [by_word(word) for word in words]
    if len(words) != 2 or None in senses or [one.role for one in senses if one].count("proof") != 1:
        return ""
    return next(word for word, sense in zip(words, senses, strict=True) if sense and sense.role != "proof")


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


def begin_of_heading(text: str, token: Token) -> int:
    r"""Where a heading within a line begins: at its font command, or at the group that a font switch opens."""
    begin = token.start
    if read_group(text, token.end) is None and text[max(0, begin - 2) : begin].rstrip().endswith("{"):
        return text.rindex("{", 0, begin)
    return begin


def begins_line(text: str, offset: int) -> bool:
    """Whether nothing but space stands before an offset in its line, or the end of an environment."""
    line = text.rfind("\n", max(0, offset - _REACH), offset) + 1
    before = text[max(line, offset - _REACH) : offset]
    ended = before.rfind("\\end{")
    start = before.find("}", ended) + 1 if ended >= 0 else 0
    return _SPACE_COMMANDS.fullmatch(before, start) is not None


def _is_proof_heading(heading: str) -> bool:
    """Whether the heading of a section begins with a word for "proof"."""
    first = _FIRST_WORD.match(heading)
    if first is None:
        return False
    short = abbreviated(heading, first.start(1))
    sense = by_word(first[1]) or (short[0] if short else None)
    return sense is not None and sense.role == "proof"
