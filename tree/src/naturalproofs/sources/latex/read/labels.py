"""What the text says about a statement besides its text: labels, citations, metadata of blueprints, boxes."""

import re
from collections import Counter, defaultdict

from naturalproofs.records import LEAN, USES, Note
from naturalproofs.sources.latex.macros.declarations import key_values
from naturalproofs.sources.latex.macros.entries import METADATA
from naturalproofs.sources.latex.read.document_text import Expansions, Walker
from naturalproofs.sources.latex.read.frames import Frames
from naturalproofs.sources.latex.read.headings import Opening
from naturalproofs.sources.latex.read.numbering import Numbering
from naturalproofs.sources.latex.read.proofs import Proofs
from naturalproofs.sources.latex.scan.arguments import Argument, plain_title, read_group, read_option
from naturalproofs.sources.latex.scan.scanner import Token
from naturalproofs.sources.reading.builders import BIBLIOGRAPHY, AnchorBuilder, ProofBuilder, Reading, StatementBuilder


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
        if kind == "statement" and isinstance(holder, StatementBuilder):
            holder.labels.append(label)
        number = self.numbering.labelled.get(token.argument, "") if kind == "equation" else ""
        anchor = AnchorBuilder(label, self.scope, kind, holder, self.walker.origin(token), number)
        self.walker.reading.anchors.append(anchor)

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


_KEY = re.compile(r"[\w./+-]*+(?::[\w./+-]++)*+")
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
    if text[at] == "{" and second and (options or (_KEY.fullmatch(first) and not _KEY.fullmatch(key))):
        title, key = key, first
    key = key_values(key).get("label", key) if "=" in key else key
    # One argument alone is a label only if it looks like one.
    if not _KEY.fullmatch(key) or not (second or ":" in key):
        return None
    return Opening(plain_title(title), "", end), key


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
