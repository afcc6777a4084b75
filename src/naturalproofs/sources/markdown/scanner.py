"""Scanning the lines of a Markdown file for headings, labels, and the divs, chunks, directives and environments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.records import AnchorKind
from naturalproofs.sources.reading.builders import bare_title
from naturalproofs.sources.reading.kinds import Sense, by_environment_name, by_word, words_of

# What the lines of a Markdown file hold: statements and proofs, headings, labels, inclusions.

_ATTRIBUTE = re.compile(
    r"""(?<![\w.-])(?P<key>[\w.-]++)\s*+=\s*+(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s,}]+))"""
)
_SEPARATOR = re.compile(r"[\s,]+")


@dataclass(slots=True, eq=False)
class Block:
    """A statement or a proof: its lines, with empty ones for what belongs to others."""

    name: str
    sense: Sense
    start: int
    """The line on which its text begins."""
    line: int
    """The line on which it opens."""
    title: str = ""
    labels: list[str] = field(default_factory=list)
    numbered: bool = True
    number: str = ""
    """The number that the author wrote."""
    end: int = 0
    """The line on which it closes; 0 if it does not."""
    of: str = ""
    """What a proof says it proves."""
    lines: list[str] = field(default_factory=list)
    parent: Block | None = None
    environment: bool = False
    r"""Written as an environment of LaTeX: a ``\label`` in it is its own."""
    is_led: bool = False
    """Whether it is a paragraph that begins with its heading in bold or italic type."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, such as that of a chapter or a section."""

    level: int
    title: str
    label: str
    numbered: bool
    line: int
    of_file: bool = False
    """The title in the front matter of a file."""

    @property
    def labels(self) -> list[str]:
        """Its label, if it has one."""
        return [self.label] if self.label else []


@dataclass(frozen=True, slots=True)
class Label:
    """A label of something else."""

    name: str
    kind: AnchorKind
    line: int
    holder: Block | None

    @property
    def labels(self) -> list[str]:
        """Its name."""
        return [self.name]


@dataclass(frozen=True, slots=True)
class Include:
    """Another file that stands here."""

    name: str
    line: int
    labels: tuple[str, ...] = ()


Item: TypeAlias = Block | Heading | Label | Include


class Attributes(NamedTuple):
    """What stands in the braces of a div, a chunk or a heading."""

    names: list[str]
    classes: list[str]
    label: str
    values: dict[str, str]

    @classmethod
    def of(cls, text: str) -> Attributes:
        """Read ``.class #label name key="value"``, with or without commas."""
        values = {one["key"]: one["double"] or one["single"] or one["bare"] or "" for one in _ATTRIBUTE.finditer(text)}
        parts = [part for part in _SEPARATOR.split(_ATTRIBUTE.sub(" ", text)) if part]
        label = next((part[1:] for part in parts if part.startswith("#")), "")
        names = [part for part in parts if part[0] not in ".#"]
        return cls(names, [name for part in parts if part[0] == "." for name in part[1:].split(".")], label, values)


def bookdown_labels(label: str, form: str) -> list[str]:
    """The label as it is cited, with the short name of the kind, and as it is written."""
    if not label:
        return []
    return [f"{SHORT[form]}:{label}", label] if form in SHORT and ":" not in label else [label]


# What divs, chunks and directives mean, and how labels and references are written.

PREFIXES: Mapping[str, str] = {
    "thm": "theorem", "lem": "lemma", "cor": "corollary", "prp": "proposition", "cnj": "conjecture",
    "def": "definition", "exm": "example", "exr": "exercise", "rem": "remark", "alg": "algorithm", "hyp": "hypothesis",
}  # fmt: skip
"""What the first part of a label says about a statement, in Quarto (``thm-x``) and bookdown (``thm:x``)."""
SHORT: Mapping[str, str] = {word: prefix for prefix, word in PREFIXES.items()}
OTHER_PREFIXES = frozenset({"sec", "fig", "tbl", "tab", "eq", "lst", "apx", "sol"})
"""Prefixes of labels of other things: sections, figures, tables, equations."""
ROLES = frozenset({"prf:ref", "ref", "numref", "eq", "exercise:ref", "proof:ref"})
"""MyST roles that cite a label."""


def is_cross_reference(key: str) -> bool:
    """Whether ``@key`` is a reference by its prefix; it may also be a citation of the literature."""
    prefix = key.split("-", 1)[0].lower()
    return "-" in key and (prefix in PREFIXES or prefix in OTHER_PREFIXES)


_FENCE = re.compile(r"\s*(?:>\s*)*(?P<fence>:{3,}|`{3,}|~{3,})\s*(?P<rest>.*)$")
_BOX = re.compile(
    r"(?P<name>[a-zA-Z][\w-]*)(?:\s*\[(?P<label>.*)\]\s*(?:\{(?P<attributes>[^{}]*)\})?|\s+(?P<title>[^{}\s][^{}]*))$"
)
"""What follows the colons of a box in Docusaurus and its like: ``:::info[Theorem 1]{#id}``, ``::: tip Theorem``."""
_CALLOUT = re.compile(r"\s{0,3}(?P<marks>(?:>\s?){1,20}+)\[!(?P<name>[\w-]+)[^\]\n]*\][+-]?\s*(?P<title>.*)$")
"""A callout of Obsidian."""
_ADMONITION = re.compile(
    r"(?P<indent>\s{0,40}+)(?:!!!|\?\?\?\+?+)\s++(?P<name>[\w-]++)[^\"]*+(?:\"(?P<title>.*)\")?\s*+$"
)
"""A box of MkDocs; what is indented below it belongs to it."""
_BLOCK_ID = re.compile(r"(?:^|\s)\^(?P<label>[\w-]+)\s*$")
"""The name of a block in Obsidian, which stands at its end."""
_TITLED = re.compile(
    r"[*_\s]*+(?P<word>[^\W\d_]++)[*_.]*+(?:\s*+(?:(?:§|No\.|\#)\s*+)?(?P<number>\d(?:[\w.-]*\w)?))?"
    r"(?P<rest>$|[\s*_]*+[:：.,(（—–-].*|(?(number)\s.*|(?!))|(?P<of>\s++(?:of|von|der|des|de|du|di)\s.*))?"
)
"""The title of a box that begins with a word for statements: "Theorem 2.1 (Gauss)", "定理：LOTUS"."""
_LED = re.compile(
    r"\s{0,3}(?P<quoted>>\s?)?(?P<mark>\*{1,3}+|_{1,3}+)(?:(?P<number>\d[\d.]*+)\s++)?+(?P<inside>[^\W\d_][^*_\n]{0,200}?)(?P=mark)"
    r"(?P<after>\s*+(?:\([^()\n]{1,200}\))?+\s*+[.:：]?+)"
)
"""A heading with which a paragraph begins: ``**Theorem 2 (Lagrange).**``, ``**3.4 Lemma** If``, ``*Proof.*``."""
_GOES_ON = re.compile(r"\s*+(?:[^\W\d_A-Z](?<=[a-zß-ÿ])|Then\b|\$\$|\\\[|[-*+]\s|\(?\w{1,3}[.)]\s)|\s{4}|\t")
"""A paragraph that goes on with the sentence before it, a formula, or a list."""
_END_MARK = re.compile(
    r"(?:[∎□■◻◼]|\\(?:qed|QED|qedhere|square|blacksquare|Box)(?![a-zA-Z])|\bQ\.?E\.?D\b)[\s.$*_)}]*$"
)
"""What ends a proof that a heading begins."""
_CORE = frozenset({"theorem", "lemma", "proposition", "corollary", "definition"})
_DIRECTIVE = re.compile(r"\{(?P<name>[a-zA-Z][\w:-]*)\}\s*(?P<title>.*)$")
_ATTRIBUTES = re.compile(r"\{(?P<inside>[^{}]*)\}")
_PREFIX = re.compile(r"[-:]")
_OPTION = re.compile(r"\s*:(?P<key>[a-z-]+):\s*(?P<value>.*)$")
_YAML_OPTION = re.compile(r"\s*(?P<key>[a-z-]+):\s*(?P<value>.*)$")
_CELL_OPTION = re.compile(r"\s*#\|\s*label:\s*(?P<label>\S+)")
_HEADING = re.compile(r"(?P<level>#{1,6})\s+(?P<title>.*?)(?:\s+#+)?\s*$")
_TARGET = re.compile(r"\s*\((?P<label>[^()\s]+)\)=\s*$")
_BEGIN = re.compile(r"\s*\\begin\{(?P<name>[a-zA-Z]+\*?)\}(?:\[(?P<title>[^][]*)\])?(?P<rest>.*)$")
_END = re.compile(r"\s*\\end\{(?P<name>[a-zA-Z]+\*?)\}")
_TAG = re.compile(
    r"\s*+(?:<div\b(?P<attributes>[^<>]*+)>|\{(?:\{[%<]|%)\s*+(?P<name>[a-zA-Z][\w-]*+)(?P<given>[^{}%<>]*+)[%>]\}\}?)"
    r"(?P<text>.*)$"
)
"""A div of HTML, or a tag of Hugo (``{{< theorem >}}``, ``{{% theorem %}}``) or of Liquid (``{% theorem %}``)."""
_TAG_END = re.compile(
    r"(?:</div>|\{\{[%<]\s*+/\s*+(?P<hugo>[a-zA-Z][\w-]*+)\s*+[%>]\}\}|\{%\s*+end(?P<liquid>[a-zA-Z][\w-]*+)\s*+%\})"
)
_QUOTED = re.compile(r"\s*+\"([^\"]*+)\"\s*+$")
_EQUATION = re.compile(
    r"\$\$\s*+\{#(eq-[^\s{}]++)[^{}]*+\}|\(\\#(eq:[^()\s]+)\)|\\label\{([^{}\s]+)\}|\$\$\s*\(([\w:-]+)\)"
)
_FLOAT = re.compile(
    r"\]\([^()]*+\)\{(?=[^{}]*+\})[^{}]*#([^\s{}]++)[^{}]*+\}|^\s*+:\s.*\{#(tbl-[^\s{}]++)[^{}]*+\}|\(\\#((?:tab|fig):[^()\s]+)\)"
)
_INCLUDE = re.compile(r"\s*\{\{<\s*include\s+(\S+)\s*>\}\}\s*$")
_FRONT_TITLE = re.compile(r"title:\s*(?:\"([^\"]*)\"|'([^']*)'|(.*))$")
_RAW = frozenset({"{=latex}", "{=tex}"})
"""Blocks of LaTeX in pandoc."""
_PICTURES = frozenset({"figure", "image"})
_TEXT_DIRECTIVES = frozenset(
    "admonition note tip warning important hint seealso attention caution danger error dropdown margin sidebar toggle "
    "grid grid-item card tab-set tab-item div aside epigraph topic".split()
)
"""Directives of MyST whose text belongs to what surrounds them; others in backticks hold code, figures, tables."""
_MAX_NESTING = 50


@dataclass(slots=True)
class _Open:
    """Something that is open: a fence, an environment; `block` is what collects its lines."""

    closing: str
    block: Block | None
    role: Literal["text", "code", "math"] = "text"
    options: bool = False
    """Whether options may still follow."""
    yaml: bool = False
    """Whether they are written as YAML between two lines of hyphens."""
    fresh: bool = True
    """Whether no line was read yet."""
    prefix: re.Pattern[str] | None = None
    """What stands before each of its lines; it ends where a line has it not."""
    heading: Heading | None = None
    """The heading that begins it, if it ends at the next one."""
    place: int = 0
    """Where its block is among the items, if it has a heading."""

    @property
    def is_led(self) -> bool:
        """Whether this is a paragraph with a heading in bold or italic type."""
        return self.block is not None and self.block.is_led and not self.closing


class Scanner:
    """Scans one file."""

    def __init__(self, text: str) -> None:
        """Bind the text."""
        self.lines = text.split("\n")
        self.items: list[Item] = []
        self.stack: list[_Open] = []
        self.at = 0
        """The line that is being read."""
        self.code: set[int] = set()
        """The lines that are code or comments."""
        self._in_math = self._in_comment = False
        self._closed: Block | None = None
        """The last block, if nothing stands after it yet."""
        self._target: Item | None = None
        """The label for what comes next, if nothing has come yet."""

    def scan(self) -> list[Item]:
        """The statements, proofs, headings, labels and inclusions, in the order in which they begin."""
        start = self._front_matter()
        for number, line in enumerate(self.lines[start:], start + 1):
            self.at = number
            self._line(line)
        blocks = [one for one in self.items if isinstance(one, Block) and one.sense.role != "proof"]
        led = [one for one in blocks if one.is_led]
        # Bold words count where they are how the author writes most statements.
        if 2 * len(led) < len(blocks) or (led and _CORE.isdisjoint(one.sense.family for one in led)):
            return [one for one in self.items if not (isinstance(one, Block) and one.is_led and one.parent is None)]
        return self.items

    @property
    def block(self) -> Block | None:
        """The innermost statement or proof."""
        return next((one.block for one in reversed(self.stack) if one.block is not None), None)

    def _front_matter(self) -> int:
        """The title of the file; returns the number of lines of the front matter."""
        if self.lines[0].rstrip() != "---":
            return 0
        for number, line in enumerate(self.lines[1:400], 2):
            if line.rstrip() in ("---", "..."):
                return number
            if found := _FRONT_TITLE.match(line):
                title = (found[1] or found[2] or found[3] or "").strip()
                self.items.append(Heading(1, title, "", True, number, of_file=True))
        return 0

    # Lines

    def _line(self, line: str) -> None:
        line = self._inside(line)
        self._end_paragraph(line)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.options and self._option(top, line):
            self._collect("")
        elif top is not None and top.role != "text":
            self._code(top, line)
        elif self._in_comment or ("<!--" in line and "-->" not in line):
            self._in_comment = "-->" not in line
            self.code.add(self.at)
            self._collect("")
        elif self._in_math:
            self._text(line)
        elif (fence := _FENCE.match(line)) is not None:
            self._fence(fence["fence"], fence["rest"].strip())
        elif not (
            self._callout(line)
            or self._environment(line)
            or self._tagged(line)
            or self._structure(line)
            or self._led(line)
        ):
            self._text(line)

    def _inside(self, line: str) -> str:
        """A line without what stands before all lines of open callouts; those that it does not continue are closed."""
        for depth, one in enumerate(self.stack):
            found = one.prefix.match(line) if one.prefix is not None else None
            if one.prefix is not None and found is None:
                self._pop(depth)
                break
            line = line[found.end() :] if found else line
        return line

    def _callout(self, line: str) -> bool:
        """A box whose lines are marked or indented."""
        callout, admonition = _CALLOUT.match(line), _ADMONITION.match(line)
        found = callout or admonition
        if found is None or len(self.stack) >= _MAX_NESTING:
            return False
        self._collect("")
        marks = (
            rf"(?:\s{{0,3}}>\s?){{{callout['marks'].count('>')}}}"
            if callout
            else rf"{admonition['indent'] if admonition else ''}(?: {{4}}|\t)|\s*$"
        )
        block = self._box(found["name"], found["title"] or "")
        self.stack.append(_Open("", block, prefix=re.compile(marks)))
        return True

    def _end_paragraph(self, line: str) -> None:
        """Close a statement that is a paragraph where another one begins that does not go on with it."""
        block = self.stack[-1].block if self.stack and self.stack[-1].is_led else None
        if block is None or block.sense.role == "proof" or self._in_math or not line.strip():
            return
        said = next((one.rstrip() for one in reversed(block.lines) if one.strip()), ":")
        if not block.lines[-1].strip() and not said.endswith((":", ",", ";")) and not _GOES_ON.match(line):
            self._pop(len(self.stack) - 1)

    def _led(self, line: str) -> bool:
        """A paragraph that begins with its heading, as a statement or a proof."""
        top = self.stack[-1] if self.stack else None
        found = _LED.match(line) if top is None or top.is_led or top.heading is not None else None
        if found is None or len(self.stack) >= _MAX_NESTING:
            return False
        prefix = re.compile(r"\s{0,3}>\s?") if found["quoted"] else top.prefix if top is not None else None
        title = (found["inside"] + found["after"]).strip()
        is_ended, number = title.endswith((".", ":", "：")), found["number"] or ""
        if number and not is_ended and not line[found.end() :].strip():
            return False  # The heading of a section in bold type.
        block = self._box("", title, is_heading=not (is_ended or number))
        if block is None:
            return False
        block.number = block.number or number.rstrip(".")
        block.is_led, block.start, block.numbered = True, self.at, False
        self.stack.append(_Open("", block, prefix=prefix))
        self._text(line[found.end() :])
        return True

    def _code(self, top: _Open, line: str) -> None:
        """A line of code, which is not text, or of a formula."""
        plain = line.strip()
        if plain.startswith(top.closing) and not plain.strip(top.closing[0]):
            self.stack.pop()
            self._collect("\\]" if top.role == "math" else "")
        elif top.role == "math":
            self._collect(line)
            self._labels(line)
        else:
            if (found := _CELL_OPTION.match(line)) is not None:
                self._label(found["label"], "float")
            self.code.add(self.at)
            self._collect("")

    def _option(self, top: _Open, line: str) -> bool:
        """Options of a directive stand in its first lines."""
        if line.strip() == "---" and (top.fresh or top.yaml):
            top.fresh, top.yaml = False, not top.yaml
            top.options = top.yaml
            return True
        found = (_YAML_OPTION if top.yaml else _OPTION).match(line)
        top.fresh, top.options = False, found is not None or top.yaml
        if found is None:
            return top.yaml
        key, value = found["key"], found["value"].strip()
        if key == "nonumber" and top.block is not None:
            top.block.numbered = False
        elif key in ("label", "name") and value:
            if top.block is not None:
                top.block.labels.append(value)
            else:
                self._label(value, "equation" if top.role == "math" else "float")
        return True

    def _structure(self, line: str) -> bool:
        """A heading, a label of one, or an inclusion."""
        if (target := _TARGET.match(line)) is not None:
            self._label(target["label"], "section")
            self._target = self.items[-1]
        elif (include := _INCLUDE.match(line)) is not None:
            self.items.append(Include(include[1], self.at))
        elif (heading := _HEADING.match(line)) is not None:
            self._heading(heading)
        else:
            return False
        self._collect("")
        return True

    def _heading(self, heading: re.Match[str]) -> None:
        while self.stack and (self.stack[-1].heading is not None or self.stack[-1].is_led):
            self._pop(len(self.stack) - 1)
        title, block = heading["title"], self.block
        self._closed = None
        if block is not None:
            if not block.title and not any(block.lines):
                block.title = title  # Quarto's way to write the title of a theorem.
            return
        attributes = _ATTRIBUTES.search(title)
        inside = Attributes.of(attributes["inside"] if attributes else "")
        numbered = "unnumbered" not in inside.classes and not (attributes and attributes["inside"].strip() == "-")
        title = title[: attributes.start()].strip() if attributes else title
        found = Heading(len(heading["level"]), title, inside.label, numbered, self.at)
        headed = self._box("", title, is_heading=True) if not self.stack and found.level > 1 else None
        if headed is not None:
            headed.labels += found.labels
            headed.numbered = False  # It prints what is written.
            self.stack.append(_Open("", headed, heading=found, place=len(self.items) - 1))
            return
        self._target = None
        self.items.append(found)

    def _text(self, line: str) -> None:
        named, block = _BLOCK_ID.search(line), self.block or self._closed
        if named and block is not None:
            block.labels.append(named["label"])
            line = line[: named.start()]
        elif line.strip():
            self._closed = self._target = None
        self._collect(line)
        self._labels(line)
        if line.count("$$") % 2:
            self._in_math = not self._in_math
        if _END_MARK.search(line) and self.stack and self.stack[-1].is_led and block and block.sense.role == "proof":
            self._pop(len(self.stack) - 1)

    def _labels(self, line: str) -> None:
        block = self.block
        for found in _EQUATION.finditer(line):
            name = next(filter(None, found.groups()))
            if found[3] and block is not None and block.environment and not block.labels:
                block.labels.append(name)
            else:
                self._label(name, "equation")
        for found in _FLOAT.finditer(line):
            self._label(next(filter(None, found.groups())), "float")

    def _label(self, name: str, kind: AnchorKind) -> None:
        self.items.append(Label(name, kind, self.at, self.block))

    def _collect(self, line: str) -> None:
        """Give a line to the innermost block, and an empty one to those around it, so that lines stay countable."""
        block = self.block
        while block is not None:
            block.lines.append(line)
            line, block = "", block.parent

    # Fences and environments

    def _fence(self, fence: str, rest: str) -> None:
        if not rest.strip(":"):
            self._close(fence)
            return
        directive = _DIRECTIVE.match(rest)
        if len(self.stack) >= _MAX_NESTING:
            self._collect("")
        elif directive is not None:
            self._directive(fence, directive["name"], directive["title"].strip())
        elif fence[0] == ":":
            self._collect("")
            rest = rest.rstrip(": ")
            self.stack.append(
                _Open(fence, self._div(rest) if (box := _BOX.match(rest)) is None else self._labelled(box))
            )
        elif rest in _RAW:
            self._collect("")
            self.stack.append(_Open(fence, None))
        else:
            self._collect("")
            self._chunk(fence, rest)

    def _close(self, fence: str) -> None:
        """Close the innermost fence of this kind, with all that is still open in it."""
        for depth in range(len(self.stack) - 1, -1, -1):
            closing = self.stack[depth].closing
            if closing[:1] == fence[0] and (fence[0] == ":" or len(fence) >= len(closing)):
                self._pop(depth)
                break
        else:
            if fence[0] != ":" and len(self.stack) < _MAX_NESTING:
                self.stack.append(_Open(fence, None, "code"))  # A block of code without a language.
        self._collect("")

    def _pop(self, depth: int) -> None:
        for closed in self.stack[depth:]:
            if closed.block is not None:
                closed.block.end = self.at
                self._closed = closed.block
        del self.stack[depth:]

    def _directive(self, fence: str, name: str, title: str) -> None:
        """A directive of MyST: a statement, a proof, a formula, an inclusion, or something else."""
        pictured = name in _PICTURES and title
        self._collect("\\[" if name == "math" else f"![]({title})" if pictured else "")
        block = self._box(name.removeprefix("prf:").removeprefix("proof:"), title, is_titled=name in _TEXT_DIRECTIVES)
        if block is not None:
            self.stack.append(_Open(fence, block, options=True))
        elif name == "math":
            self.stack.append(_Open(fence, None, "math", options=True))
        elif fence[0] == ":" or name in _TEXT_DIRECTIVES or pictured:
            self.stack.append(_Open(fence, None, options=True))
        else:
            if name == "include":
                self.items.append(Include(title, self.at))
            self.stack.append(_Open(fence, None, "code", options=True))

    def _box(self, name: str, title: str, *, is_titled: bool = True, is_heading: bool = False) -> Block | None:
        """The statement or proof that a box is by its name or, if that says nothing, by the beginning of its title.

        A word alone is the title of a box, but not of a statement under a heading: "Definitions", "Examples".
        """
        titled = _TITLED.match(title)
        words = words_of(titled["word"])[:1] if titled else []
        by_title = by_word(words[0]) if titled and words and titled["word"].startswith(words[0]) else None
        number, rest = (titled["number"] or "", titled["rest"]) if titled else ("", None)
        if by_title and by_title.role != "proof" and titled and titled["of"]:
            rest = None
        if by_title and by_title.role == "other" and not number and (rest is None or is_heading):
            by_title = None  # "Example of a call" is no statement, "Definition of a limit" is one.
        if is_heading and by_title and by_title.role != "proof" and not number and not rest:
            return None
        by_name = by_environment_name(name)
        sense = by_name or (by_title if is_titled else None)
        if sense is None or sense.role == "ignore" or sense.family == "note":
            return None
        block = self._open(name if by_name else sense.family or "proof", sense)
        block.title = title
        if rest is not None and by_title and (by_title.family == sense.family or is_titled):
            block.number = number
            block.title = bare_title(rest.strip(" *_:：.,—–-"))
        return block

    def _labelled(self, box: re.Match[str]) -> Block | None:
        """A box of Docusaurus and its like."""
        block = self._box(box["name"], box["label"] or box["title"] or "")
        if block is not None and (label := Attributes.of(box["attributes"] or "").label):
            block.labels.append(label)
        return block

    def _div(self, rest: str) -> Block | None:
        """The statement or proof that a div of pandoc, Quarto or bookdown opens, if it is one."""
        found = _ATTRIBUTES.search(rest)
        inside = Attributes.of(found["inside"] if found else f".{rest}")
        by_label = PREFIXES.get(_PREFIX.split(inside.label, maxsplit=1)[0], "") if _PREFIX.search(inside.label) else ""
        forms = [by_label] if by_label else inside.classes
        form, sense = next(((form, sense) for form in forms if (sense := by_environment_name(form))), ("", None))
        if sense is None:
            if inside.label:
                self._label(inside.label, "other")
            return None
        block = self._open(form, sense)
        block.title = inside.values.get("name", "") or inside.values.get("title", "")
        block.of = inside.values.get("of", "") or inside.values.get("for", "")
        block.numbered = "unnumbered" not in inside.classes
        block.labels += [inside.label] if by_label else bookdown_labels(inside.label, form)
        return block

    def _chunk(self, fence: str, rest: str) -> None:
        """A chunk: a statement of bookdown, a child document, or code."""
        found = _ATTRIBUTES.match(rest)
        inside = Attributes.of(found["inside"] if found else "")
        form, *names = inside.names or [""]
        sense = by_environment_name(form) if form else None
        label = inside.values.get("label", "") or (names[0] if names else "")
        if sense is not None:
            block = self._open(form, sense)
            block.title = inside.values.get("name", "")
            block.labels += bookdown_labels(label, form)
            self.stack.append(_Open(fence, block))
            return
        if "child" in inside.values:
            self.items.append(Include(inside.values["child"], self.at))
        elif label:
            self._label(f"fig:{label}", "float")
        self.stack.append(_Open(fence, None, "code"))

    def _environment(self, line: str) -> bool:
        r"""An environment of LaTeX that is a statement or a proof, from its ``\begin`` to its ``\end``."""
        if (end := _END.match(line)) is not None:
            return self._end(end.group().strip())
        begin = _BEGIN.match(line)
        sense = by_environment_name(begin["name"]) if begin is not None else None
        if begin is None or sense is None or len(self.stack) >= _MAX_NESTING:
            return False
        self._collect("")
        block = self._open(begin["name"], sense)
        block.title, block.environment, block.start = begin["title"] or "", True, self.at
        block.lines.append(begin["rest"])
        self.stack.append(_Open(f"\\end{{{begin['name']}}}", block))
        self._labels(begin["rest"])
        return True

    def _tagged(self, line: str) -> bool:
        """A div of HTML, which pandoc reads like one of its own, or a tag of a generator of sites that names a kind."""
        begin = _TAG.match(line)
        if begin is not None and len(self.stack) < _MAX_NESTING and (opened := self._open_tag(begin)) is not None:
            text, end = begin["text"], _TAG_END.search(begin["text"])
            self.stack.append(opened)
            if opened.block is not None:
                opened.block.start = self.at
                opened.block.lines.append(text[: end.start()] if end else text)
            if end is not None:
                self._pop(len(self.stack) - 1)
            return True
        end = _TAG_END.search(line)
        closing = f"/{end['hugo'] or end['liquid'] or 'div'}" if end and not line[end.end() :].strip() else ""
        depths = [depth for depth, one in enumerate(self.stack) if closing and one.closing == closing]
        if end is None or not depths:
            return False
        self._text(line[: end.start()].rstrip())
        self._pop(depths[-1])
        return True

    def _open_tag(self, tag: re.Match[str]) -> _Open | None:
        """What a tag opens; None if it is one of a site that names no kind."""
        if tag["name"] is None:
            values = Attributes.of(tag["attributes"]).values
            classes = " ".join(f".{name}" for name in values.get("class", "").split())
            label = f" #{values['id']}" if values.get("id") else ""
            self._collect("")
            return _Open("/div", self._div(f'{{{classes}{label} name="{values.get("title", "")}"}}'))
        sense = by_environment_name(tag["name"])
        if sense is None:
            return None
        values, quoted = Attributes.of(tag["given"]).values, _QUOTED.match(tag["given"])
        self._collect("")
        block = self._open(tag["name"], sense)
        block.title = values.get("title", "") or values.get("name", "") or (quoted[1] if quoted else "")
        block.number = values.get("index", "") or values.get("number", "")
        block.labels += filter(None, (values.get("label", ""), values.get("id", "")))
        return _Open(f"/{tag['name']}", block)

    def _end(self, closing: str) -> bool:
        """Close the innermost environment that ends so; False if none does."""
        opened = [depth for depth, one in enumerate(self.stack) if one.closing == closing]
        if opened:
            self._pop(opened[-1])
            self._collect("")
        return bool(opened)

    def _open(self, name: str, sense: Sense) -> Block:
        if self.stack and self.stack[-1].is_led:
            self._pop(len(self.stack) - 1)
        around = self.stack[0] if self.stack else None
        if (
            around
            and around.heading
            and around.block
            and around.block.sense.role == "proof"
            and any(around.block.lines)
        ):
            self._pop(0)  # The next statement ends a proof under a heading.
        elif around and around.heading and around.block and not sense.role == "proof" != around.block.sense.role:
            # What holds other statements is a section.
            self.items[around.place] = around.heading
            del self.stack[0]
        block = Block(name.rstrip("*").lower(), sense, self.at + 1, self.at, parent=self.block)
        block.numbered = not name.endswith("*")
        if self._target is not None and self.items[-1] is self._target:
            block.labels += self.items.pop().labels
        self._target = None
        self.items.append(block)
        return block
