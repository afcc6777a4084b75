"""Reads a document as its own declarations say: statements with numbers, proofs with what they name, all citations."""

import re
from collections.abc import Callable

from naturalproofs.latex import Token
from naturalproofs.latex.arguments import read_group, read_groups, read_option
from naturalproofs.latex.builders import Frame, ProofBuilder, Reading, StatementBuilder
from naturalproofs.latex.declarations import DECLARING, key_values, read_declaration
from naturalproofs.latex.definitions import CITATIONS
from naturalproofs.latex.dialect import RESTATABLE, Dialect
from naturalproofs.latex.macros import DEFINING, Macro
from naturalproofs.latex.numbering import COUNTER_COMMANDS, NUMBERED_MATHEMATICS, Numbering
from naturalproofs.latex.plain import plain_title
from naturalproofs.latex.reader import Opening
from naturalproofs.latex.resolve_labels import CITED, TEXT
from naturalproofs.latex.section_proofs import SectionProofReader
from naturalproofs.latex.text_references import Found, TextReferences
from naturalproofs.latex.tree import Tree
from naturalproofs.records import Mention

_OVERLAY = re.compile(r"\s*+<[^<>\n]*+>")
_KEYED = re.compile(r"\s*+(?:name|title|note|label|restate|store|continues)\s*+=")
_LABEL = re.compile(r"[\w:./+-]+")


class ProjectReader(SectionProofReader):
    """Reads one document of a project."""

    def __init__(self, dialect: Dialect, reading: Reading, tree: Tree, numbering: Numbering) -> None:
        """Bind the language, the files and the counters."""
        super().__init__(dialect, reading, tree)
        self.numbering = numbering
        self.declared = dialect.gathered.declarations
        printed = {name: one.printed for name, one in self.declared.items()}
        self.texts = TextReferences(dialect.senses, printed, letters=dialect.gathered.letters)
        self.by_command: dict[str, Callable[[Token], None]] = {
            **dict.fromkeys(DECLARING, self._declaration),
            **dict.fromkeys(COUNTER_COMMANDS, self._count),
            **dict.fromkeys(CITATIONS, self._citation),
            **dict.fromkeys(dialect.gathered.restated, self._restate),
            **dict.fromkeys(dialect.commands, self._call),
            **dict.fromkeys(DEFINING, self._definition),
            "endinput": self._stop,
            "qed": self._qed,
            "proves": self._proves,
        }
        self.keyed_label = ""
        self.awaited: dict[str, tuple[StatementBuilder, str]] = {}
        self.linked = ("", "", range(0))
        self.recent: list[tuple[int, int]] = []
        """Where the mentions since the last cut stand, and how many there are."""

    # Environments.

    def _begin(self, token: Token) -> None:
        name = token.name
        if name == "document":
            self._preamble(begins=False)
            self._push(Frame(name, "plain", self.file, token.start))
        elif self.in_preamble:
            return
        elif name in self.wrappers:
            self._begin_wrapper(token)
        elif name in RESTATABLE:
            self._open_restatable(token)
        else:
            super()._begin(token)
            if name in NUMBERED_MATHEMATICS and token.start >= self.counted_to:
                self.counted_to = self.numbering.mathematics(name, self.file.text, token.end)

    def _end(self, token: Token) -> None:
        if token.name in self.wrappers and self.open_names[token.name]:
            self._end_wrapper(token)
        self.numbering.end(token.name)
        super()._end(token)
        if token.name == "document":
            self.stopped = True

    def _open_restatable(self, token: Token) -> None:
        option = read_option(self.file.text, token.end)
        groups = read_groups(self.file.text, option.end if option else token.end, 2)
        name = groups[0].text.strip() if len(groups) == 2 else ""
        if name not in self.profile.kinds:
            self._push(Frame(token.name, "plain", self.file, token.start))
            return
        draft = self._open_statement(token, name)
        if token.name.endswith("*"):
            self.awaited[groups[1].text.strip()] = (draft, name)

    def _restate(self, token: Token) -> None:
        """A statement given before by ``restatable*`` is printed, and numbered, here."""
        if token.name in self.awaited and self.file.text[token.end - 1] != "*":
            draft, name = self.awaited.pop(token.name)
            draft.number = self.numbering.statement(name)

    def _open_statement(self, token: Token, name: str) -> StatementBuilder:
        draft = super()._open_statement(token, name)
        sense, declared = self.dialect.senses.get(name), self.declared.get(name.rstrip("*"))
        draft.family = sense.family if sense else ""
        draft.form = (declared.printed.casefold() if declared else "") or draft.family or draft.form
        if token.name != "restatable*":
            draft.number = self.numbering.statement(name)
        if self.keyed_label:
            self._add_label(self.keyed_label, token)
            self.keyed_label = ""
        return draft

    def _opening(self, token: Token, name: str) -> Opening:
        text, at = self.file.text, token.end
        if overlay := _OVERLAY.match(text, at):
            at = overlay.end()
        option = read_option(text, at)
        declared = self.declared.get(name.rstrip("*"))
        if declared is not None and declared.prefix is not None:
            return self._box(name, declared.prefix, option.end if option else at, option.text if option else "")
        title, inside = (option.text, option.end) if option else ("", at)
        if _KEYED.match(title):
            keys = key_values(title)
            title = keys.get("name") or keys.get("title") or keys.get("note") or ""
            self.keyed_label = keys.get("label", "")
        if token.name in RESTATABLE and (groups := read_groups(text, inside, 2)):
            inside = groups[-1].end
        return Opening(plain_title(title), inside)

    def _box(self, name: str, prefix: str, at: int, options: str) -> Opening:
        """A box takes its title and its label as arguments; its starred form has no label."""
        groups = read_groups(self.file.text, at, 1 if name.endswith("*") else 2)
        keyed = key_values(options).get("label", "")
        if len(groups) == 2 and groups[1].text.strip():
            self.keyed_label = f"{prefix}:{groups[1].text.strip()}"
        else:
            self.keyed_label = keyed
        return Opening(plain_title(groups[0].text), groups[-1].end) if groups else Opening("", at)

    def _proof_heading(self, token: Token, proof: ProofBuilder) -> int:
        text, at = self.file.text, token.end
        if overlay := _OVERLAY.match(text, at):
            at = overlay.end()
        option = read_option(text, at)
        headings = [option.text] if option else []
        at = option.end if option else at
        count = self.dialect.arguments.get(token.name, int(token.name.casefold() == "proofof"))
        for group in read_groups(text, at, count):
            headings.append(group.text)
            at = group.end
        if token.name in self.declared:
            headings.append(self.declared[token.name].printed)
        for heading in headings:
            if self.name_target(proof, heading):
                break
            if count and _LABEL.fullmatch(heading.strip()):
                proof.of = heading.strip()
        return at

    # Citations.

    def _reference(self, token: Token) -> None:
        if token.name == "hyperref":
            group = read_group(self.file.text, token.end)
            self.linked = (self.file.path, token.argument, range(token.end, group.end if group else 0))
        elif (self.file.path, token.argument) == self.linked[:2] and token.start in self.linked[2]:
            return  # \hyperref[a]{Lemma~\ref*{a}} cites a once.
        known = len(self.collectors[-1].mentions) if self.collectors else 0
        super()._reference(token)
        if self.collectors:
            self.recent.append((token.start, len(self.collectors[-1].mentions) - known))

    def _citation(self, token: Token) -> None:
        if not self.collectors:
            return
        at = token.end
        while option := read_option(self.file.text, at):
            at = option.end
        group = read_group(self.file.text, at)
        keys = [key for raw in group.text.split(",") if (key := raw.strip())] if group else []
        line = self.file.positions.line(token.start)
        self.collectors[-1].mentions.extend(Mention(CITED + key, token.name, line) for key in keys)
        self.recent.append((token.start, len(keys)))

    def _keep_until(self, offset: int) -> None:
        if self.collectors and offset > self.mark:
            found = list(self.texts.find(self.file.text, self.mark, offset))
            if found:
                self._merge(found)
        self.recent.clear()
        super()._keep_until(offset)

    def _merge(self, found: list[Found]) -> None:
        """Put citations by number between the mentions that were read since the last cut, in order."""
        mentions = self.collectors[-1].mentions
        index = len(mentions) - sum(count for _, count in self.recent)
        later = mentions[index:]
        del mentions[index:]
        placed = [(offset, count) for offset, count in self.recent if count]
        for citation in found:
            while placed and placed[0][0] < citation.offset:
                _, count = placed.pop(0)
                mentions.extend(later[:count])
                later = later[count:]
            line = self.file.positions.line(citation.offset)
            mentions.extend(Mention(f"{one.family} {one.number}", TEXT, line) for one in citation.cited)
        mentions.extend(later)

    # Commands.

    def _command(self, token: Token) -> None:
        handle = self.by_command.get(token.name)
        if handle is not None:
            handle(token)
        elif token.name == "title" or not self.in_preamble:
            super()._command(token)

    def _heading(self, token: Token) -> None:
        if token.name == "part" and self._is_in_line(token):
            return  # Where \\part{a} cites a part of a theorem, it is no heading.
        super()._heading(token)
        self.numbering.heading(token.name, starred=self.file.text[token.end - 1] == "*")

    def _is_in_line(self, token: Token) -> bool:
        line = self.file.text.rfind("\n", max(0, token.start - 200), token.start) + 1
        return bool(self.file.text[line : token.start].strip())

    def _count(self, token: Token) -> None:
        self.numbering.command(token.name, self.file.text, token.end)

    def _declaration(self, token: Token) -> None:
        declared = read_declaration(self.file.text, token.name, token.end, starred=False)
        self.skip_to = max(self.skip_to, declared.end)

    def _definition(self, token: Token) -> None:
        macro: Macro | None = self._define(token)
        if macro is not None and macro.ending is None and macro.name.startswith("the"):
            self.numbering.define_format(macro.name, macro.body)

    def _qed(self, token: Token) -> None:
        r"""The end of a proof that a command began: ``\proof … \qed``."""
        if self.stack and self.stack[-1].implied and self.stack[-1].level is None:
            self._close_top(token.end, token.end)

    def _proves(self, token: Token) -> None:
        """A blueprint says inside a proof what it proves."""
        group = read_group(self.file.text, token.end)
        proof = self.collectors[-1] if self.collectors else None
        if group is not None and isinstance(proof, ProofBuilder):
            proof.of = group.text.strip()

    def _stop(self, _token: Token) -> None:
        self.stopped = True
