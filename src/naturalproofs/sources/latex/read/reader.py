"""From tokens to statements and proofs: environments open and close, and what stands in them is theirs.

One `Reader` reads a document in its dialect. Tables say what each kind of token, command and environment does. The
`Walker` moves over the text; `Inputs` and `Expansions` put other texts in place of commands.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

import msgspec

from naturalproofs.records import LEAN, SOURCES, USES, Kind, Note
from naturalproofs.sources.latex.macros.entries import (
    AT_END,
    BIBLIOGRAPHY_COMMANDS,
    DECLARING,
    END_MARKS,
    METADATA,
    RESTATABLE,
    Declaration,
    form_of,
    key_values,
    printed_name,
    read_declaration,
)
from naturalproofs.sources.latex.macros.expansion import LOOPS, expand_all
from naturalproofs.sources.latex.macros.macro import DEFINING
from naturalproofs.sources.latex.project.tree import TexFile, Tree
from naturalproofs.sources.latex.read.dialect import Dialect, text_references
from naturalproofs.sources.latex.read.document_text import Expansions, Handler, Inputs, Walker
from naturalproofs.sources.latex.read.exercise_lists import ITEM, ITEMS, ExerciseLists
from naturalproofs.sources.latex.read.frames import Frame, Frames, LocalFormats
from naturalproofs.sources.latex.read.headings import TITLED, Opening, StatementHeading, has_number, statement_words
from naturalproofs.sources.latex.read.numbering import (
    FLOATS,
    NUMBERED_LISTS,
    NUMBERED_MATHEMATICS,
    TAGGED_MATHEMATICS,
    Numbering,
)
from naturalproofs.sources.latex.read.proofs import KEY, Proofs, WrittenHeadings
from naturalproofs.sources.latex.scan.arguments import (
    Argument,
    german_letters,
    plain_title,
    read_group,
    read_groups,
    read_option,
    read_pieces,
)
from naturalproofs.sources.latex.scan.conditionals import Facts, decided
from naturalproofs.sources.latex.scan.scanner import (
    AT_APPENDIX,
    COUNTER_COMMANDS,
    HEADING_IN_LINE,
    HEADINGS,
    IN_TEXT,
    Token,
    TokenKind,
)
from naturalproofs.sources.reading.builders import (
    BIBLIOGRAPHY,
    AnchorBuilder,
    ProofBuilder,
    Reading,
    StatementBuilder,
    TextBuilder,
    bare_title,
)

_LET = re.compile(r"\\let\s*+(?:\\[a-zA-Z@]++\s*+=?\s*+)?+$")
_FOOTNOTE = re.compile(r"\\(?:footnote(?:text)?|sidenote)(?=\s*+[\[{])(?:\[[^][]*+\])?+")
_LONGEST_FOOTNOTE = 2_000


class Labels:
    """Gives labels to what they stand for, and references to the statement or proof around them."""

    def __init__(
        self, frames: Frames, proofs: Proofs, numbering: Numbering, expansions: Expansions, scope: str
    ) -> None:
        """Bind the open environments.

        Args:
            frames: The open environments, and the walk over the text.
            proofs: Notes what the text says it is going to prove.
            numbering: The counters, which labels may print.
            expansions: What macros in keys stand for.
            scope: What the document's labels are local to.
        """
        self.frames, self.proofs, self.numbering, self.scope = frames, proofs, numbering, scope
        self.expansions = expansions
        self.walker = frames.walker
        references = frames.dialect.vocabulary.references
        self._many_keys = {name for name, style in references.items() if style in ("list", "range")}
        self.heading = self.place = ""
        """The title of the last heading, and what is said to stand under it: "section 3.2", or its title."""
        self._footnote = ("", 0, 0)
        """The text of the last label, up to where footnotes were looked for, and where the last of them ends."""
        self._link = ("", "", range(0))
        """The file, the label and the text of the last link."""

    def read(self, token: Token) -> None:
        r"""A ``\label``."""
        text, start, end = self.walker.file.text, token.start, token.end
        if text.startswith("}", end) and text[self.walker.mark : start].strip() == "{":
            start, end = start - 1, end + 1  # Nothing else stands in the group.
        self.walker.cut(start, end)
        self.add(token.argument, token)

    def add(self, label: str, token: Token) -> None:
        """Give a label to what is open."""
        label = self._key(label)
        if "\\" in label or "#" in label:
            message = f"\\{token.name}{{{label}}}: what the macros in this key stand for is not known; it was left out"
            self.walker.report(token.start, "label-not-known", message, severity="note")
            return
        holder, kind = self.frames.label_holder()
        kind = "other" if self._in_footnote(token.start) else kind
        kind = "float" if token.argument in self.numbering.captioned else kind
        if kind == "statement" and isinstance(holder, StatementBuilder):
            holder.labels.append(label)
        declared = self.frames.dialect.definitions.declarations.get(self.frames.top.name if self.frames.top else "")
        is_unnumbered = kind == "statement" and declared is not None and not declared.numbered
        around = holder.number if kind != "statement" and isinstance(holder, StatementBuilder) else ""
        found = None if is_unnumbered else self.numbering.of_label(kind, token.argument)
        word, number = found or (("", around) if around else self.numbering.section)
        title = "" if number else self.heading if kind == "section" else self.place
        anchor = AnchorBuilder(label, self.scope, kind, holder, self.walker.origin(token), number, word, title)
        self.walker.reading.anchors.append(anchor)

    def _in_footnote(self, at: int) -> bool:
        text = self.walker.file.text
        known, searched, end = self._footnote
        if known is not text or at < searched:
            searched = end = 0
        for match in _FOOTNOTE.finditer(text, max(searched, at - _LONGEST_FOOTNOTE), at):
            group = read_group(text, match.end())
            end = max(end, group.end if group else 0)
        self._footnote = (text, at, end)
        return end > at

    def _key(self, source: str) -> str:
        """A key with its counters and macros replaced by what they stand for here."""
        if "\\" not in source:
            return source
        return self.expansions.key(self.numbering.in_label(source) if "\\the" in source else source)

    def cite(self, token: Token) -> None:
        r"""A ``\ref`` or another reference."""
        if self._repeats_link(token):
            return
        argument = self._key(token.argument)
        keys = argument.split(",") if token.name in self._many_keys else [argument]
        if token.name == USES:
            self.walker.cut(token.start, token.end)
        if self.walker.collectors:
            # A note's references are about the statement, not used by it: they stay with the note.
            self.walker.cite(token, filter(None, map(str.strip, keys)))
        elif token.name != USES:
            self.proofs.announce(token)

    def cite_work(self, token: Token) -> None:
        r"""A ``\cite``."""
        if not self.walker.collectors:
            return
        text, at = self.walker.file.text, token.end
        while option := read_option(text, at):
            at = option.end
        group = read_group(text, at)
        keys = map(str.strip, group.text.split(",")) if group else ()
        self.walker.cite(token, (BIBLIOGRAPHY + key for key in keys if key))

    def _repeats_link(self, token: Token) -> bool:
        r"""Whether a reference is the text of a link to the same label: ``\hyperref[a]{Lemma~\ref*{a}}``."""
        path, key, inside = self._link
        file = self.walker.file
        if token.name == "hyperref":
            group = read_group(file.text, token.end)
            self._link = (file.path, token.argument, range(token.end, group.end if group else 0))
            return False
        return (file.path, token.argument) == (path, key) and token.start in inside


_LONGEST_PREFIX = 12


class UndeclaredBoxes:
    """The statements of one document whose declaration is missing, and the prefixes of their labels."""

    def __init__(self) -> None:
        """Start with none."""
        self._found: defaultdict[str, list[tuple[StatementBuilder, str]]] = defaultdict(list)

    def add(self, environment: str, statement: StatementBuilder, key: str) -> None:
        """Note a statement and its key."""
        self._found[environment].append((statement, key))

    def label(self, reading: Reading) -> None:
        """Give the statements their labels, once all citations of the document are known."""
        if not self._found:
            return
        known = {anchor.label for anchor in reading.anchors}
        builders = [*reading.statements, *reading.proofs()]
        contents = map(reading.spill.contents, builders)
        cited = Counter(m.target for one in contents for m in one.mentions if m.target not in known)
        by_key: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for target, count in cited.items():
            for length in range(min(len(target), _LONGEST_PREFIX)):
                by_key[target[length:]][target[:length]] += count
        for boxes in self._found.values():
            prefixes: Counter[str] = Counter()
            for key in {key for _, key in boxes}:
                prefixes.update(by_key.get(key, {}))
            prefix = prefixes.most_common(1)[0][0] if prefixes else ""
            for statement, key in boxes:
                label = prefix + key
                if label not in known:
                    known.add(label)
                    statement.labels.append(label)
                    anchor = AnchorBuilder(label, statement.scope, "statement", statement, statement.origin)
                    reading.anchors.append(anchor)


def read_box(text: str, at: int) -> tuple[Opening, str] | None:
    r"""The title and the key that stand right after ``\begin{…}``, which ends at `at`; None if there are none.

    ``{Title}{key}``, ``{key}{A title}``, ``[Title]{key}``, ``{key}[Title]``, or one of them alone.
    """
    arguments: list[Argument] = []
    end, options = at, 0
    while len(arguments) < 2 and (read := _READ.get(text[end : end + 1])) and (found := read(text, end)):
        options += text[end] == "["
        arguments.append(found)
        end = found.end
    first, *second = (one.text.strip() for one in arguments) if arguments else ("",)
    if options == len(arguments) or (text[at] == "[" and "=" in first):
        return None
    title, key = (first, second[0]) if second else ("", first)
    if text[at] == "{" and second and (options or (KEY.fullmatch(first) and not KEY.fullmatch(key))):
        title, key = key, first
    key = key_values(key).get("label", key) if "=" in key else key
    # One argument alone is a label only if it looks like one.
    if not KEY.fullmatch(key) or not (second or ":" in key):
        return None
    return Opening(plain_title(title), "", end), key


def is_titled_box(opening: Opening, key: str) -> bool:
    """Whether a title and a key stand there for certain, whatever is known of the environment."""
    return bool(opening.title) and " " not in key and bool({"-", ":"}.intersection(key))


_READ = {"{": read_group, "[": read_option}


class Metadata:
    """Reads the metadata of one document."""

    def __init__(self, walker: Walker) -> None:
        """Bind the walk over the text."""
        self.walker = walker
        self._documentation = ""
        """Where the formal names are documented."""

    def read(self, token: Token) -> None:
        """Leave a command out of the text, and keep what it says."""
        count = METADATA[token.name]
        group = read_group(self.walker.file.text, token.end) if count else None
        end = group.end if group else token.end
        if not self.walker.in_preamble:
            self.walker.cut(token.start, end)
        self.walker.skip(end)
        inside = group.text.strip() if group else ""
        if not inside:
            return
        around = self.walker.collector
        if token.name == "dochome":
            self._documentation = inside.rstrip("/")
        elif token.name == "proves" and isinstance(around, ProofBuilder):
            around.of = inside
        elif token.name == LEAN and isinstance(around, StatementBuilder):
            names = tuple(filter(None, map(str.strip, inside.split(","))))
            around.notes.append(Note(LEAN, tuple(map(self._link, names))))

    def _link(self, name: str) -> str:
        """The source of a link to the documentation of a formal name; the name alone if that is not known."""
        return f"\\href{{{self._documentation}/find/\\#doc/{name}}}{{{name}}}" if self._documentation else name


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
        self.formats = LocalFormats(self.frames, self.numbering)
        self.headed = WrittenHeadings(self.frames, self.proofs, self.expansions, self.numbering, self._add_statement)
        self.inputs = Inputs(self.walker, dialect, tree, self._read_again) if tree is not None else None
        self.chapter = self.section = ""
        self.restatable: dict[str, StatementBuilder] = {}
        """Statements that a command prints again, by this command."""
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
            **dict.fromkeys(dialect.heading_macros, self.headed.call),
            **dict.fromkeys(DEFINING, self._definition),
            **dict.fromkeys(LOOPS, self.expansions.loop),
            "endinput": self._stop,
            **dict.fromkeys(END_MARKS, self.proofs.end_mark),
            **dict.fromkeys(dialect.metadata, self.metadata.read),
            HEADING_IN_LINE: self.headed.in_line if dialect.heading_fonts else self.proofs.open_by_heading,
            "appendix": self._appendix,
        }
        self.commands: Mapping[str, Handler] = {
            **dict.fromkeys(dialect.proof_commands.values(), self.proofs.close_by_command),
            **dict.fromkeys(dialect.proof_commands, self.proofs.open_by_command),
            **dict.fromkeys(ITEMS if dialect.exercise_lists else (), self._item),
            **dict.fromkeys(dialect.headings, self._heading),
            **dict.fromkeys(dialect.heading_fonts - dialect.headings.keys(), self.headed.in_line),
            **anywhere,
        }
        self.preamble_commands = {name: self.commands[name] for name in (*anywhere, "title") if name in self.commands}
        self.environments: Mapping[str, Handler] = {
            **dict.fromkeys(self.numbering.counter_of, self._begin_counted),
            **dict.fromkeys(TITLED if dialect.reads_text else (), self.headed.begin_titled),
            **dict.fromkeys(("appendix", "appendices"), self._begin_appendices),
            **dict.fromkeys(NUMBERED_MATHEMATICS | TAGGED_MATHEMATICS, self._begin_formula),
            **dict.fromkeys((*NUMBERED_LISTS, *dialect.definitions.lists), self._begin_list),
            **dict.fromkeys(FLOATS, self._begin_float),
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

    def _read_again(self, read: Callable[[], None]) -> None:
        """Read a file for another time: it counts and defines, but what it states in the same words is known.

        A proof after it is that of what it states.
        """
        reading, frames = self.reading, self.frames
        before, contents = self.walker.state(), reading.spill.contents
        known = {(one.origin, contents(one).text): one for one in reading.statements}
        labels, count, labelled = (
            {anchor.label for anchor in reading.anchors},
            len(reading.statements),
            len(reading.anchors),
        )
        read()
        again = {id(one): known.get((one.origin, contents(one).text)) for one in reading.statements[count:]}
        if None not in again.values() and labels.issuperset(anchor.label for anchor in reading.anchors[labelled:]):
            frames.last = again.get(id(frames.last), frames.last)
            frames.recent = again.get(id(frames.recent), frames.recent)
            self.walker.go_back(before)

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
        self.numbering.end(name)
        if self.frames.open_names[name]:
            self.numbering.suspended -= name in self.dialect.definitions.deferred
            self.frames.close_named(name, token.start, token.end)
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
        label = group.text.strip() if group else ""
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

    def _begin_list(self, token: Token) -> None:
        self._begin_plain(token)
        self.numbering.items(self._text, token.start, self.dialect.definitions)

    def _begin_float(self, token: Token) -> None:
        self._begin_plain(token)
        self.numbering.captions(token.name, self._text, token.end)

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
        self.expansions.begin(token)

    def _begin_restatable(self, token: Token) -> None:
        pieces, _ = read_pieces(self._text, token.end, "ogg")
        _, name, command = map(str.strip, pieces or ("", "", ""))
        if name not in self.dialect.kinds:
            self._begin_plain(token)
            return
        statement = self._open_statement(token, name)
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
        statement = self._open_statement(token, token.name)
        declared = self.dialect.definitions.declarations.get(token.name)
        if not self._is_continued and has_number(declared, self._text, token.end):
            statement.number = self.numbering.statement(token.name) or statement.number

    def _named_here(self, declared: Declaration | None, opening: Opening) -> StatementHeading | None:
        r"""What the printed name of an environment says if it is a macro that the text defines again."""
        if declared is None or not declared.source or self.walker.in_preamble:
            return None
        printed = printed_name(expand_all(declared.source, self.walker.macros))
        found = statement_words(printed) if printed != declared.printed else None
        return found and found._replace(name=opening.title or found.name, end=opening.end)

    def _open_statement(self, token: Token, name: str) -> StatementBuilder:
        self.frames.close_implied(token.start)
        self.proofs.announced = ""
        declared = self.dialect.definitions.declarations.get(name.rstrip("*"))
        sense, kind = self.dialect.senses.get(name), self.dialect.kinds[name]
        restatable = token.name in RESTATABLE
        boxed = None if restatable else read_box(self._text, token.end)
        if boxed and not self.dialect.knows_by_name_alone(name) and not is_titled_box(*boxed):
            boxed = None
        opening, key = boxed or (self.dialect.opening(self._text, token.end, name, restatable=restatable), "")
        if headed := self.dialect.heading(self._text, opening, name) or self._named_here(declared, opening):
            sense, kind = headed.sense, cast(Kind, headed.sense.role)
            opening = opening._replace(title=headed.name, number=headed.number, end=headed.end)
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
            title=self._letters(bare_title(title)),
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
        if self._is_no_heading(token):
            return
        heading, source, title = self.dialect.headings.get(token.name), None, ""
        if token.name in self.dialect.heading_fonts and self.headed.paragraph(token):
            return
        if heading is not None:
            self.frames.close_implied(token.start)
            self.frames.close_sections(heading.level, token.start)
            option = read_option(self._text, token.end)
            groups = read_groups(self._text, option.end if option else token.end, heading.argument + 1)
            source = groups[-1] if len(groups) > heading.argument else None
            words = source.text if source else ""
            if token.name == "title":
                # Another document may define the same macros in another way.
                words = expand_all(words, self.dialect.definitions.commands)
            self.labels.heading = title = self._letters(plain_title(words))
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
        if heading is not None:
            self.labels.place = " ".join(self.numbering.section) if printed else title and f"“{title}”"
        if heading is not None and source is not None and not self.walker.in_preamble:
            place = self.walker.origin(token)
            self.walker.add_part("heading", source.text, number=heading.level, printed=printed, origin=place)

    def _is_no_heading(self, token: Token) -> bool:
        r"""Whether a command of headings is only named, ``\let\chapter\section``, or cites, ``by \part{a}``."""
        first = max(0, token.start - _LINE_BEFORE)
        before = self._text[max(first, self._text.rfind("\n", first, token.start) + 1) : token.start].strip()
        is_named = self._text.startswith("}", token.end) or _LET.search(before) is not None
        return is_named or (token.name == "part" and before != "")

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
        if macro is not None and macro.ending is None and macro.name.startswith("the"):
            body = decided(macro.body, Facts(self.dialect.definitions.flags))
            self.formats.define(macro.name, body, token.end)

    def _stop(self, token: Token) -> None:
        if not self.walker.holding:
            self.walker.keep_until(token.start)
        self.walker.stopped = True
