"""Labels, references and citations of other works, where the text of a document has them."""

from naturalproofs.latex.macros.entries import USES
from naturalproofs.latex.read.frames import Frames
from naturalproofs.latex.read.numbering import Numbering
from naturalproofs.latex.read.proofs import Proofs
from naturalproofs.latex.read.walker import Expansions
from naturalproofs.latex.scan.arguments import read_group, read_option
from naturalproofs.latex.scan.scanner import Token
from naturalproofs.reading.builders import BIBLIOGRAPHY, AnchorBuilder, StatementBuilder


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
            message = f"what LaTeX calls the label {label} is not known here; it was left out"
            self.walker.report(token.start, "label-not-known", message, severity="note")
            return
        holder, kind = self.frames.label_holder()
        if kind == "statement" and isinstance(holder, StatementBuilder):
            holder.labels.append(label)
        anchor = AnchorBuilder(label, self.scope, kind, holder, self.walker.origin(token))
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
