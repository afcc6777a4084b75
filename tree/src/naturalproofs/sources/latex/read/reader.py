"""From tokens to statements and proofs: environments open and close, and what stands in them is theirs.

One `Reader` reads a document in its dialect. Tables say what each kind of token, command and environment does. The
`Walker` moves over the text; `Inputs` and `Expansions` put other texts in place of commands.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import msgspec

from naturalproofs.records import SOURCES, Kind, Note
from naturalproofs.sources.latex.macros.declarations import DECLARING, Declaration, form_of, read_declaration
from naturalproofs.sources.latex.macros.entries import AT_END, BIBLIOGRAPHY_COMMANDS, END_MARKS, RESTATABLE
from naturalproofs.sources.latex.macros.expansion import LOOPS
from naturalproofs.sources.latex.macros.macro import DEFINING
from naturalproofs.sources.latex.project.tree import TexFile, Tree
from naturalproofs.sources.latex.read.dialect import Dialect, text_references
from naturalproofs.sources.latex.read.document_text import Expansions, Handler, Inputs, Walker
from naturalproofs.sources.latex.read.exercise_lists import ITEM, ITEMS, ExerciseLists
from naturalproofs.sources.latex.read.formats import LocalFormats
from naturalproofs.sources.latex.read.frames import Frame, Frames
from naturalproofs.sources.latex.read.headed import HeadedStatements
from naturalproofs.sources.latex.read.headings import TITLED, has_number, restated_label
from naturalproofs.sources.latex.read.labels import Labels, Metadata, UndeclaredBoxes, read_box
from naturalproofs.sources.latex.read.numbering import NUMBERED_MATHEMATICS, Numbering
from naturalproofs.sources.latex.read.proofs import Proofs
from naturalproofs.sources.latex.scan.arguments import german_letters, plain_title, read_group, read_groups, read_option
from naturalproofs.sources.latex.scan.conditionals import Facts, decided
from naturalproofs.sources.latex.scan.scanner import PROOF_HEADING, Token, TokenKind
from naturalproofs.sources.latex.scan.vocabulary import AT_APPENDIX, COUNTER_COMMANDS, HEADINGS, IN_TEXT
from naturalproofs.sources.reading.builders import Reading, StatementBuilder, TextBuilder
from naturalproofs.sources.reading.kinds import Sense, by_environment_name

_SECTION, _SUBSECTION = HEADINGS["section"].level, HEADINGS["subsection"].level
_LINE_BEFORE = 200
"""Characters of a line that are looked at to see whether something stands before a command."""


class Reader:
    """Reads one document into a `Reading`."""

    def __init__(
        self,
        dialect: Dialect,
        reading: Reading,
        scope: str = "",
        *,
        tree: Tree | None = None,
        numbering: Numbering | None = None,
    ) -> None:
        """Prepare to read.

        Args:
            dialect: What the words of the document mean.
            reading: Where statements, proofs and labels go.
            scope: What the document's labels are local to.
            tree: The files of the project, if inputs are to be followed.
            numbering: The counters as they are when the document begins; without them nothing is numbered.
        """
        self.dialect, self.reading, self.scope = dialect, reading, scope
        self.numbering = numbering or Numbering()
        self.texts = text_references(dialect) if dialect.reads_text else None
        self.walker = Walker(reading, self.texts)
        self.frames = Frames(self.walker, dialect)
        self.proofs = Proofs(self.frames, self.texts, scope)
        self.exercises = ExerciseLists(dialect.exercise_lists, self.frames, self.numbering)
        self.metadata = Metadata(self.walker)
        self.boxes = UndeclaredBoxes()
        self.expansions = Expansions(self.walker, dialect)
        self.labels = Labels(self.frames, self.proofs, self.numbering, self.expansions, scope)
        self.formats = LocalFormats(self.walker, self.numbering)
        self.headed = HeadedStatements(self.frames, self.proofs, self.expansions, self.numbering, self._add_statement)
        self.inputs = Inputs(self.walker, dialect, tree) if tree is not None else None
        self.chapter = self.section = ""
        self.restatable: dict[str, StatementBuilder] = {}
        """Statements that a command prints again, by this command."""
        self.names: dict[str, str] = {}
        r"""The printed names that the text gives, by command: ``\renewcommand{\thmname}{Zorn's Lemma}``."""
        self.named = {one.source.strip() for one in dialect.definitions.declarations.values() if one.source}
        self.unnumbered: dict[str, str] = {}
        """The environments of those of ``restatable*``, which are numbered where they are printed."""
        self.unless_unique: dict[str, list[StatementBuilder]] = {}
        """The statements that have numbers unless there is only one, by environment."""
        self._is_continued = False
        """Whether the last statement goes on with an earlier one."""
        self._set_handlers()

    def _set_handlers(self) -> None:
        dialect, walker = self.dialect, self.walker
        anywhere: dict[str, Handler] = {
            **dict.fromkeys(DECLARING, self._declaration),
            **dict.fromkeys(COUNTER_COMMANDS, self._count),
            **dict.fromkeys(BIBLIOGRAPHY_COMMANDS, self.labels.cite_work),
            **dict.fromkeys(dialect.definitions.restated, self._restate),
            **dict.fromkeys((name.rstrip("*") for name in dialect.commands), self.expansions.call),
            **dict.fromkeys(DEFINING, self._definition),
            **dict.fromkeys(LOOPS, self.expansions.loop),
            "endinput": self._stop,
            **dict.fromkeys(END_MARKS, self.proofs.end_mark),
            **dict.fromkeys(dialect.metadata, self.metadata.read),
            PROOF_HEADING: self.proofs.open_by_heading,
            "appendix": self._appendix,
        }
        self.commands: Mapping[str, Handler] = {
            **dict.fromkeys(dialect.proof_commands.values(), self.proofs.close_by_command),
            **dict.fromkeys(dialect.proof_commands, self.proofs.open_by_command),
            **dict.fromkeys(ITEMS if dialect.exercise_lists else (), self._item),
            **dict.fromkeys(dialect.headings, self._heading),
            **dict.fromkeys(dialect.proclaiming, self.headed.proclaim),
            **dict.fromkeys(dialect.proof_headings, self.proofs.open_by_macro),
            **dict.fromkeys(dialect.heading_fonts - dialect.headings.keys(), self.headed.in_line),
            **anywhere,
        }
        self.preamble_commands = {name: self.commands[name] for name in (*anywhere, "title") if name in self.commands}
        self.environments: Mapping[str, Handler] = {
            **dict.fromkeys(self.numbering.counter_of, self._begin_counted),
            **dict.fromkeys(TITLED if dialect.reads_text else (), self.headed.begin_titled),
            **dict.fromkeys(("appendix", "appendices"), self._begin_appendices),
            **dict.fromkeys(NUMBERED_MATHEMATICS, self._begin_formula),
            **dict.fromkeys(dialect.neighbours, self._begin_neighbour),
            **dict.fromkeys(dialect.solutions, self._begin_solution),
            **dict.fromkeys(dialect.notes, self._begin_note),
            **dict.fromkeys(dialect.proofs, self.proofs.open),
            **dict.fromkeys(dialect.kinds, self._begin_statement),
            **dict.fromkeys(
                (f"rep{name}" for name in dialect.kinds if f"rep{name}" not in dialect.kinds), self._begin_repeated
            ),
            **dict.fromkeys(RESTATABLE, self._begin_restatable),
            AT_END: self._begin_at_end,
            **dict.fromkeys(dialect.wrappers, self._begin_wrapper),
            **dict.fromkeys(dialect.exercise_lists, self._begin_exercises),
        }
        body: dict[TokenKind, Handler] = {
            TokenKind.BEGIN: self._begin,
            TokenKind.END: self._end,
            TokenKind.LABEL: self.labels.read,
            TokenKind.REFERENCE: self.labels.cite,
            TokenKind.SECTION: self._heading,
            TokenKind.COMMAND: self._command,
            TokenKind.COMMENT: walker.drop,
            TokenKind.SKIPPED: walker.drop,
        }
        # Before the document begins, only definitions count; whatever else stands there is part of one.
        preamble: dict[TokenKind, Handler] = {
            TokenKind.BEGIN: self._begin_document,
            TokenKind.COMMAND: self._preamble_command,
        }
        if self.inputs is not None:
            body[TokenKind.INPUT] = preamble[TokenKind.INPUT] = self.inputs.follow
        walker.set_handlers(body, preamble)

    def read(self, file: TexFile) -> None:
        """Read the document from its main file."""
        self.walker.walk(self.inputs.start(file) if self.inputs is not None else file)
        self.frames.close_all(len(self._text))
        self.boxes.label(self.reading)
        for statements in self.unless_unique.values():
            if len(statements) == 1:
                statements[0].number = ""
        self.walker.join_text()
        self._add_orphans()

    def _add_orphans(self) -> None:
        """Proofs that belong to no statement are text of the document."""
        reading = self.reading
        texts = {one.origin: reading.spill.contents(one).text for one in reading.orphans if not one.implied}
        for position, part in enumerate(reading.parts if texts else ()):
            if part.kind == "proof" and part.origin in texts:
                reading.parts[position] = replace(part, text=texts[part.origin])

    @property
    def _text(self) -> str:
        return self.walker.file.text

    # Environments.

    def _begin(self, token: Token) -> None:
        self.formats.leave(token.start)
        self.numbering.suspended += token.name in self.dialect.definitions.deferred
        self.environments.get(token.name, self._begin_plain)(token)

    def _end(self, token: Token) -> None:
        name = token.name
        if name in self.dialect.wrappers and self.frames.open_names[name]:
            self.expansions.end(token)
            self.walker.cut(token.start, token.end)
            self.formats.end(name)
        self.numbering.end(name)
        if self.frames.open_names[name]:
            self.numbering.suspended -= name in self.dialect.definitions.deferred
            self.frames.close_named(name, token.start, token.end)
            if name in self.dialect.kinds or name in self.dialect.wrappers or name in RESTATABLE:
                self.proofs.open_without_font(token)
        else:
            self.walker.warn(token.start, "unmatched-end", f"\\end{{{name}}} without a \\begin", about=name)
        if name == "document":
            self._stop(token)

    def _begin_document(self, token: Token) -> None:
        if token.name == "document":
            self.walker.set_preamble(False)
            self.walker.mark = token.end
            self._begin_plain(token)

    def _begin_plain(self, token: Token) -> None:
        self.frames.open_plain(token)

    def _begin_counted(self, token: Token) -> None:
        """An environment that is no statement, but steps a counter that statements may share."""
        self._begin_plain(token)
        self.numbering.statement(token.name)

    def _begin_repeated(self, token: Token) -> None:
        r"""Text of a statement that is printed again, ``\begin{reptheorem}{thm:a}``: a proof after it is that one's."""
        group = read_group(self._text, token.end)
        self._begin_again(token, group.text.strip() if group else "")

    def _begin_again(self, token: Token, label: str) -> None:
        self.frames.close_implied(token.start)
        self._begin_plain(token)
        if label and not self.walker.collectors:
            self.proofs.announced = label

    def _appendix(self, token: Token) -> None:
        r"""The appendices begin; IEEEtran's single one has a heading, ``\appendix[Proof of Theorem 3]``."""
        self._count(token)
        if not self.walker.in_preamble and (option := read_option(self._text, token.end)):
            self.frames.close_implied(token.start)
            self.frames.close_sections(_SECTION, token.start)
            self.proofs.open_section(token, _SECTION, option)

    def _begin_appendices(self, token: Token) -> None:
        self._begin_plain(token)
        self.numbering.begin_appendices()

    def _begin_formula(self, token: Token) -> None:
        self._begin_plain(token)
        if token.start >= self.walker.counted_to:
            self.walker.counted_to, printed = self.numbering.mathematics(token.name, self._text, token.end)
            if printed and not self.walker.holding:
                self.walker.keep_until(token.end)
            self.walker.numbers += printed

    def _begin_neighbour(self, token: Token) -> None:
        self.proofs.announced = ""
        self.frames.open_plain(token, "neighbour")

    def _begin_note(self, token: Token) -> None:
        if not self.walker.collectors:
            self._begin_plain(token)
            return
        note = TextBuilder(self.walker.origin(token))
        self.frames.push(Frame(token.name, "note", self.walker.file, token.start, note), token.end)

    def _begin_solution(self, token: Token) -> None:
        if not self.proofs.open_solution(token):
            self._begin_plain(token)
        declared = self.dialect.definitions.declarations.get(token.name)
        if declared is not None and has_number(declared, self._text, token.end):
            self.numbering.statement(token.name)

    def _begin_wrapper(self, token: Token) -> None:
        self._begin_plain(token)
        self.formats.begin(token.name)
        self.expansions.begin(token)

    def _begin_restatable(self, token: Token) -> None:
        option = read_option(self._text, token.end)
        groups = read_groups(self._text, option.end if option else token.end, 2)
        name = groups[0].text.strip() if len(groups) == 2 else ""
        if name not in self.dialect.kinds:
            self._begin_plain(token)
            return
        statement = self._open_statement(token, name)
        command = groups[1].text.strip()
        self.restatable[command] = statement
        if token.name.endswith("*"):
            self.unnumbered[command] = name
        else:
            statement.number = self.numbering.statement(name)

    def _begin_at_end(self, token: Token) -> None:
        option = read_option(self._text, token.end)
        group = read_group(self._text, option.end if option else token.end)
        if group is None or (name := group.text.strip()) not in self.dialect.kinds:
            self._begin_plain(token)
            return
        statement = self._open_statement(msgspec.structs.replace(token, end=group.end), name)
        if option is None or "all end" not in option.text:
            statement.number = self.numbering.statement(name)

    def _begin_statement(self, token: Token) -> None:
        if label := restated_label(self._given_name(token.name), self.dialect.vocabulary.references):
            self._begin_again(token, label)
            return
        statement = self._open_statement(token, token.name)
        declared = self.dialect.definitions.declarations.get(token.name)
        if not self._is_continued and has_number(declared, self._text, token.end):
            statement.number = self.numbering.statement(token.name) or statement.number

    def _outer_sense(self, declared: Declaration | None) -> Sense | None:
        """What a statement without a name is by the environment whose code begins it, if that has a usual name."""
        is_nameless = declared is not None and not declared.printed and not declared.source
        top = self.frames.top if is_nameless else None
        sense = by_environment_name(top.name) if top and top.name in self.dialect.wrappers else None
        return sense if sense and sense.role not in ("proof", "ignore") else None

    def _given_name(self, environment: str) -> str:
        """The name that the text gives to statements in an environment, if it does."""
        declared = self.dialect.definitions.declarations.get(environment.rstrip("*"))
        return self.names.get(declared.source.strip(), "") if declared else ""

    def _open_statement(self, token: Token, name: str) -> StatementBuilder:
        self.frames.close_implied(token.start)
        self.proofs.announced = ""
        declared = self.dialect.definitions.declarations.get(name.rstrip("*"))
        sense, kind = self.dialect.senses.get(name), self.dialect.kinds[name]
        restatable = token.name in RESTATABLE
        boxed = not restatable and self.dialect.knows_by_name_alone(name) and read_box(self._text, token.end)
        opening, key = boxed or (self.dialect.opening(self._text, token.end, name, restatable=restatable), "")
        if headed := self.dialect.heading(self._text, opening, name, self._given_name(name)):
            sense, kind = headed.sense, cast(Kind, headed.sense.role)
            opening = opening._replace(title=headed.name, number=headed.number, end=headed.end)
        elif outer := self._outer_sense(declared):
            sense, kind = outer, cast(Kind, outer.role)
        family = sense.family if sense else ""
        form = (family if headed else "") or form_of(declared, family, name.rstrip("*"))
        statement = self._add_statement(token, kind, form, family, opening.number, opening.title)
        self._is_continued = opening.continues
        if declared is not None and declared.unless_unique:
            self.unless_unique.setdefault(name, []).append(statement)
        if opening.sources:
            statement.notes.append(Note(SOURCES, opening.sources))
        self.frames.push(Frame(token.name, "statement", self.walker.file, token.start, statement), opening.end)
        if opening.label:
            self.labels.add(opening.label, token)
        if key:
            self.boxes.add(name, statement, key)
        if opening.restate:
            self.restatable[opening.restate] = statement
        return statement

    def _letters(self, title: str) -> str:
        """A title with shorthands as letters."""
        return german_letters(title) if self.dialect.definitions.has_german_shorthands else title

    def _add_statement(
        self, token: Token, kind: Kind, form: str, family: str, number: str, title: str = ""
    ) -> StatementBuilder:
        """Add a statement that begins at a token."""
        statement = StatementBuilder(
            self.walker.origin(token),
            kind=kind,
            form=form,
            title=self._letters(title),
            scope=self.scope,
            chapter=self.chapter,
            section=self.section,
            family=family,
            number=number,
        )
        self.reading.statements.append(statement)
        return statement

    def _begin_exercises(self, token: Token) -> None:
        self.frames.close_implied(token.start)
        if self.walker.collectors or not self.exercises.begin(token, ITEMS):
            (self._begin_statement if token.name in self.dialect.kinds else self._begin_plain)(token)

    def _item(self, token: Token) -> None:
        item = self.exercises.item(token)
        if item is None:
            return
        self.proofs.announced = ""
        statement = self._add_statement(token, "other", item.family, item.family, item.number)
        self.frames.push(Frame(ITEM, "statement", self.walker.file, token.start, statement), item.end)

    # Headings.

    def _heading(self, token: Token) -> None:
        self.formats.leave(token.start)
        if token.name == "part" and self._is_in_line(token):
            return  # Where \\part{a} cites a part of a theorem, it is no heading.
        heading, source = self.dialect.headings.get(token.name), None
        if token.name in self.dialect.heading_fonts and self.headed.paragraph(token):
            return
        if heading is not None:
            self.frames.close_implied(token.start)
            self.frames.close_sections(heading.level, token.start)
            option = read_option(self._text, token.end)
            groups = read_groups(self._text, option.end if option else token.end, heading.argument + 1)
            source = groups[-1] if len(groups) > heading.argument else None
            title = self._letters(plain_title(source.text)) if source else ""
            if source is not None and not self.walker.holding:
                self.walker.cut(token.start, source.end)
            if heading.level <= _SUBSECTION:
                self.proofs.asked = self.frames.recent
                self.proofs.leave_section(title)
            if heading.level <= 0:
                self.chapter, self.section = title, ""
            elif heading.level == 1:
                self.section = title
            self.walker.heading = (self.chapter, self.section)
            self.exercises.heading(token, heading.level)
            if source is not None:
                self.proofs.open_section(token, heading.level, source)
        name = self.dialect.renamed.get(token.name, token.name)
        printed = self.numbering.heading(name, starred=self._text[token.end - 1] == "*")
        if heading is not None and source is not None and not self.walker.in_preamble:
            place = self.walker.origin(token)
            self.walker.add_part("heading", source.text, number=heading.level, printed=printed, origin=place)

    def _is_in_line(self, token: Token) -> bool:
        first = max(0, token.start - _LINE_BEFORE)
        line = max(first, self._text.rfind("\n", first, token.start) + 1)
        return bool(self._text[line : token.start].strip())

    # Commands.

    def _command(self, token: Token) -> None:
        if handle := self.commands.get(token.name):
            handle(token)

    def _preamble_command(self, token: Token) -> None:
        if handle := self.preamble_commands.get(token.name):
            handle(token)

    def _restate(self, token: Token) -> None:
        """A statement is printed again, and a proof after it is its own; if it has no number yet, it gets it here."""
        statement = self.restatable.get(token.name)
        if statement is None:
            return
        if token.name in self.unnumbered and self._text[token.end - 1] != "*":
            statement.number = self.numbering.statement(self.unnumbered.pop(token.name))
        elif not self.walker.collectors:
            self.frames.close_implied(token.start)
            self.proofs.announced = ""
            self.frames.last = self.frames.recent = statement
            self.frames.last_is_neighbour = False

    def _count(self, token: Token) -> None:
        if self.walker.in_preamble and token.name in IN_TEXT:
            return
        self.numbering.command(token.name, self._text, token.end)
        if token.name == AT_APPENDIX and (code := read_group(self._text, token.end)):
            self.walker.skip(code.end)

    def _declaration(self, token: Token) -> None:
        end = read_declaration(self._text, token.name, token.end, starred=False).end
        if not self.walker.holding:
            self.walker.cut(token.start, end)
        self.walker.skip(end)

    def _definition(self, token: Token) -> None:
        macro = self.expansions.define(token)
        if (
            macro is not None
            and f"\\{macro.name}" in self.named
            and not macro.parameters
            and not self.walker.in_preamble
        ):
            self.names[f"\\{macro.name}"] = macro.body
        if macro is not None and macro.ending is None and macro.name.startswith("the"):
            body = decided(macro.body, Facts(self.dialect.definitions.flags))
            self.formats.define(macro.name, body, token.end)

    def _stop(self, token: Token) -> None:
        if not self.walker.holding:
            self.walker.keep_until(token.start)
        self.walker.stopped = True
