"""Numbers as they are printed: counters as LaTeX has them, and what headings, statements and equations do to them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from naturalproofs.sources.latex.macros import packages as known
from naturalproofs.sources.latex.macros.entries import Declaration
from naturalproofs.sources.latex.macros.macro import DEFINING, read_definition
from naturalproofs.sources.latex.macros.packages import LEVELS, WITH_CHAPTERS
from naturalproofs.sources.latex.read.discovery import DocumentDefinitions
from naturalproofs.sources.latex.read.works import without_citations
from naturalproofs.sources.latex.scan.arguments import COMMAND, Argument, read_group, read_groups, read_option
from naturalproofs.sources.latex.scan.conditionals import Facts, decided
from naturalproofs.sources.latex.scan.scanner import COUNTER_COMMANDS, SECTIONS

_DEPTH = 12
_PIECES = 60
"""How many pieces a printed number may have; ends formats that use themselves."""
_STYLE = r"(?:arabic|alph|Alph|roman|Roman|number|value|fnsymbol)"
_COUNTER = r"[^{}\\]++"
_PIECE = re.compile(
    rf"\\(?P<style>{_STYLE})\s*+(?:\{{(?P<counter>{_COUNTER})\}}|\\value\s*+\{{(?P<value>{_COUNTER})\}})"
    rf"|\\@?(?P<inner>{_STYLE})\s*+\\c@(?P<register>[a-zA-Z]++)"
    rf"|\\the(?P<the>[a-zA-Z@]++)|\\csname\s*+the(?P<named>{_COUNTER})\\endcsname"
    r"|\\[a-zA-Z@]++\*?+|\\[^a-zA-Z@]|[{}$]|\s++"
)

_LONGEST = 40


class Counters:
    r"""Values, parents and formats of all counters: stepped, reset by their parents, and printed by ``\the…``."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.children: dict[str, list[str]] = {}
        self.formats: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self._pieces = 0

    def define(self, name: str, within: str = "") -> None:
        """Make a counter, zero at first; a second definition leaves the value alone."""
        self.values.setdefault(name, 0)
        self.formats.setdefault(name, f"\\arabic{{{name}}}")
        if within:
            self.number_within(name, within)

    def number_within(self, name: str, within: str, *, printed: bool = True) -> None:
        """Reset a counter whenever another one steps, and print the other one before it."""
        self.define(name)
        within = self._real(within)
        siblings = self.children.setdefault(within, [])
        real = self._real(name)
        if real not in siblings and real != within:
            siblings.append(real)
        if printed:
            self.formats[name] = f"{the(within)}.\\arabic{{{name}}}"

    def free(self, name: str, within: str, *, printed: bool = True) -> None:
        """Undo `number_within`."""
        siblings = self.children.get(self._real(within), [])
        if name in siblings:
            siblings.remove(name)
        if printed:
            self.formats[name] = f"\\arabic{{{name}}}"

    def step(self, name: str) -> None:
        """Add one, and reset everything that is counted within it."""
        name = self._real(name)
        self.values[name] = self.values.get(name, 0) + 1
        self._reset(name, 0)

    def set(self, name: str, value: int) -> None:
        """Give a counter a value; nothing else changes."""
        self.values[self._real(name)] = value

    def value(self, name: str) -> int:
        """The value."""
        return self.values.get(self._real(name), 0)

    def printed(self, name: str) -> str:
        """The value as it is printed; empty when that depends on an unknown counter."""
        return self.expanded(the(self._real(name)))

    def expanded(self, source: str) -> str:
        """What the code of a label prints; empty when that depends on an unknown counter."""
        self._pieces = _PIECES
        try:
            return self._expand(source)
        except LookupError:
            return ""

    def _real(self, name: str) -> str:
        for _ in range(_DEPTH):
            if name not in self.aliases:
                break
            name = self.aliases[name]
        return name

    def _reset(self, name: str, depth: int) -> None:
        for child in self.children.get(name, ()):
            self.values[child] = 0
            if depth < _DEPTH:
                self._reset(child, depth + 1)

    def _expand(self, source: str) -> str:
        def piece(match: re.Match[str]) -> str:
            self._pieces -= 1
            if self._pieces < 0:
                return ""
            if name := match["the"] or match["named"]:
                real = self._real(name)
                if real not in self.formats:
                    raise LookupError(real)
                return self._expand(self.formats[real])
            counter = match["counter"] or match["value"] or match["register"]
            return STYLES[match["style"] or match["inner"]](self.value(counter.strip())) if counter else ""

        source = decided(source, Facts(counter=self.value))
        if "\\if" in source:
            raise LookupError(source)  # It depends on what is not known.
        return _PIECE.sub(piece, source)[:_LONGEST]


def the(counter: str) -> str:
    """The command that prints a counter, whose name may have more than letters."""
    return f"\\the{counter}" if counter.isalpha() and counter.isascii() else f"\\csname the{counter}\\endcsname"


def letters(value: int) -> str:
    """A capital letter, as appendices are numbered."""
    return chr(ord("A") + value - 1) if 1 <= value <= 26 else str(value)


def roman(value: int) -> str:
    """Capital Roman numerals."""
    if not 0 < value < 4000:
        return str(value)
    numerals = "M CM D CD C XC L XL X IX V IV I".split()
    values = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
    text = ""
    for size, numeral in zip(values, numerals, strict=True):
        text += numeral * (value // size)
        value %= size
    return text


_ASBUK = "абвгдежзиклмнопрстуфхцчшщэюя"
"""The letters that count in Russian."""
STYLES: Mapping[str, Callable[[int], str]] = {
    "arabic": str,
    "number": str,
    "value": str,
    "Alph": letters,
    "alph": lambda value: letters(value).lower(),
    "Roman": roman,
    "roman": lambda value: roman(value).lower(),
    "fnsymbol": lambda value: "*" * value if value < 4 else str(value),
    "asbuk": lambda value: _ASBUK[value - 1 : value],
    "Asbuk": lambda value: _ASBUK[value - 1 : value].upper(),
}


_BARE_SECTIONS = frozenset({"amsbook", "gsm-l", "book-l", "surv-l", "stml-l"})
"""Classes with chapters whose sections print without the chapter's number, and whose prefaces are numbered."""
_ROMAN_SECTIONS: Mapping[str, str] = {
    "IEEEtran": "\\thesection-\\Alph{subsection}",
    **dict.fromkeys(("revtex4", "revtex4-1", "revtex4-2"), "\\Alph{subsection}"),
}
"""Classes whose sections have Roman numbers, and how each prints a subsection."""
_ONE_NUMBER = frozenset({"equation", "multline", "dmath", "equation+", "math"})
_MANY_NUMBERS = frozenset({"align", "gather", "eqnarray", "alignat", "flalign", "xalignat", "dgroup"})
NUMBERED_LISTS = ("enumerate", "enumerate*", "compactenum", "inparaenum", "asparaenum")
OTHER_LISTS = ("itemize", "compactitem", "description", "list", "trivlist")
FLOATS: Mapping[str, str] = {
    f"{name}{star}": word
    for word, names in {
        "figure": "figure wrapfigure SCfigure sidewaysfigure marginfigure",
        "table": "table wraptable SCtable sidewaystable margintable",
    }.items()
    for name in names.split()
    for star in ("", "*")
}
"""Environments of figures and tables, and the counters that their captions step."""
NUMBERED_MATHEMATICS = (_ONE_NUMBER | _MANY_NUMBERS | {"subequations"}) - {"math"}
TAGGED_MATHEMATICS = frozenset(f"{name}*" for name in _ONE_NUMBER | _MANY_NUMBERS if name.isalpha())
"""Displays whose rows have the numbers that the author gives."""
_SILENT = re.compile(r"\\(?:nonumber|notag|tag)(?![a-zA-Z])")
_NUMBERED = re.compile(rf"\\begin\{{({'|'.join(map(re.escape, sorted(_ONE_NUMBER | _MANY_NUMBERS)))})\}}")
_LABEL = re.compile(r"\\label\s*+\{([^{}]++)\}")
_LABEL_NEXT = re.compile(r"\s*+" + _LABEL.pattern)
_ONLY_CITED = re.compile(r"^[ \t]*+\\mathtoolsset\s*+\{[^{}]*\bshowonlyrefs(?!\s*+=\s*+false)", re.MULTILINE)
_CITED = re.compile(r"\\[a-zA-Z]*ref\*?+\s*+\{([^{}]++)\}")
_TAG = re.compile(r"\\tag\*?+\s*+\{((?:[^{}\\]|\{[^{}\\]*+\})++)\}")
"""A number that the author gives, if it has no commands."""
_PIECE_OF_TAG = re.compile(r"[${}]")
_ROW = re.compile(
    r"\\begin\s*\{[^{}]*\}|\\end\s*\{[^{}]*\}|[{}]|\\(?:nonumber|notag|tag|(?:short)?intertext)(?![a-zA-Z])"
    r"|\\\\(?:\[[^][\n]{0,40}+\])?+|\\.|%[^\n]*",
    re.DOTALL,
)
_CAPTION = re.compile(
    r"%[^\n]*+|\\caption(?P<caption>\*?)(?![a-zA-Z])|\\(?P<inner>begin|end)\s*+\{sub(?:figure|table|float)\}"
    r"|\\sub(?:float|figure|caption)(?:box)?(?P<sub>)(?![a-zA-Z])|\\label\s*+\{(?P<label>[^{}]++)\}"
)
_IN_LIST = re.compile(
    r"%[^\n]*+|\\(?P<edge>begin|end)\s*+\{(?P<list>[^{}]*+)\}"
    r"|\\item(?P<item>)(?![a-zA-Z])\s*+(?P<own>\[)?|\\label\s*+\{(?P<label>[^{}]++)\}"
    r"|\\setcounter\s*+\{enum[iv]++\}\s*+\{(?P<set>[^{}]*+)\}|\\."
)
_FARTHEST = 30_000
"""Characters of a list or a float that are searched for its labels."""
_STARRED = re.compile(rf"(\\{_STYLE})\s*+\*")
_COUNTS = re.compile(rf"\\(?:the|{_STYLE}\s*+\{{)")
_ITEM_STYLES: Mapping[str, str] = {"enumi": "arabic", "enumii": "alph", "enumiii": "roman", "enumiv": "Alph"}
_UNKNOWN = -(10**9)
"""The number of an item that depends on another list."""
_TERM = re.compile(r"\s*+([+*-]?)\s*+(?:(\d{1,9})(?!\d)|\\(?:value\s*+\{([^{}\\]++)\}|c@([a-zA-Z]++)))\s*+")
_NUMEXPR = re.compile(r"\s*+\\(?:numexpr|the\\numexpr)(?![a-zA-Z])|\\relax\s*+$")
_MOST_TERMS = 20
_LARGEST = 10**9

_IN_LABEL = re.compile(r"\\the([a-zA-Z@]++)\s*+")
_THEOREMS_WITHIN = "theoremsection"
"""The section as it is printed in the numbers of theorems, in classes that have a form for it."""


_PRINTED = re.compile(
    rf"(?P<printed>\\{_STYLE}\s*+\{{{_COUNTER}\}}|\\the[a-zA-Z@]++)|\\(?:ref)?stepcounter\s*+\{{{_COUNTER}\}}"
    rf"|\\(?:setcounter|addtocounter)\s*+\{{{_COUNTER}\}}\s*+\{{[^{{}}]*+\}}"
)
"""What prints a counter, or changes one."""


class Numbering:
    """The counters of one document while it is read."""

    def __init__(
        self, document_class: str = "", declarations: Iterable[Declaration] = (), *, chapters: bool = False
    ) -> None:
        """Set the counters up as the class and the declared theorems do; `chapters` says that there are some."""
        self.counters = Counters()
        self.chapters = chapters or document_class in WITH_CHAPTERS
        self.bare = document_class in _BARE_SECTIONS
        self.in_front = self.in_subequations = False
        self.labelled: dict[str, str | None] = {}
        """The numbers of equations by their labels, as they are written; None if they have none."""
        self.only_cited: frozenset[str] | None = None
        """The keys of the only equations that have numbers; None where all have."""
        self._parent, self._letter = "", 0
        """The number of the subequations that are open, and how many of them there are."""
        self.captioned: dict[str, tuple[str, str]] = {}
        """The words and numbers of figures and tables by their labels."""
        self._items: dict[str, str] = {}
        """The numbers of items by their labels."""
        self._listed: tuple[str, int] = ("", 0)
        """The text whose lists were read last, and how far."""
        self.section = ("", "")
        """The last heading with a number: section, chapter or part, and the number that it prints."""
        self.theorems_within = document_class == "IEEEtran"
        """Whether theorems print sections in a form of their own: in Arabic numbers, although sections are Roman."""
        self.suspended = 0
        """How many environments are open whose text is printed elsewhere: nothing in them is counted."""
        self.counter_of: dict[str, str] = {}
        self.restyled: set[str] = set()
        """Environments that print the counter that they share in their own way."""
        self._before_appendices: tuple[int, str] | None = None
        """Value and format of the counter of chapters or sections, while ``appendices`` is open."""
        self._at_appendix: list[str] = []
        """Code that is carried out where the appendix begins."""
        self._borrowed: set[str] = set()
        """Counters whose next number is that of another statement."""
        self._define_sections(document_class)
        for declaration in declarations:
            self.declare(declaration)

    def declare(self, declaration: Declaration) -> None:
        """Give a theorem its counter: its own, or the one it shares."""
        name = declaration.name
        if not declaration.numbered:
            return
        if declaration.like:
            counter = self.counter_of[name] = self.counter_of.get(declaration.like, declaration.like)
            if declaration.restyled:
                self.counters.formats[name] = _printed_within(declaration.within, counter)
                self.restyled.add(name)
            elif declaration.like in self.restyled:
                self.counters.formats[name] = self.counters.formats[declaration.like]
                self.restyled.add(name)
            return
        within = self.counter_of.get(declaration.within, declaration.within)
        self.counters.define(name, within)
        self.counter_of[name] = name
        if declaration.numeral != "arabic" and declaration.numeral in STYLES:
            self.counters.formats[name] = _printed_within(within, name, declaration.numeral)
        if self.theorems_within and within == "section":
            self.counters.formats[name] = f"\\the{_THEOREMS_WITHIN}.\\arabic{{{name}}}"

    def share(self, name: str, other: str) -> None:
        r"""Make two counters one, as ``\newaliascnt`` and ``\let\c@equation\c@theorem`` do."""
        real = self._counter(other)
        if real != name:
            self.counters.aliases[name] = real
            if name in self.counter_of:
                self.counter_of[name] = real

    def statement(self, environment: str) -> str:
        """Step the counter of a statement and give its number; empty if it has none or it is unknown."""
        counter = self.counter_of.get(environment)
        if counter is None or self.suspended:
            return ""
        self.counters.step(counter)
        if counter in self._borrowed:
            self._borrowed.remove(counter)
            return ""
        return self.counters.printed(environment if environment in self.restyled else counter)

    def heading(self, command: str, *, starred: bool) -> str:
        """Step the counter of a heading, unless headings so deep have no numbers; give the number that it prints."""
        level = SECTIONS.get(command)
        if level is None or starred or level > self.counters.value("secnumdepth"):
            return ""
        if command == "chapter" and self.in_front:
            return ""
        self.counters.step(command)
        printed = self.counters.printed(command)
        self.section = (command if command in ("part", "chapter") else "section", printed)
        return printed

    def of_label(self, kind: str, label: str) -> tuple[str, str] | None:
        """What a label stands for and the number that a reference to it prints, as far as they are known.

        None if it has no number of its own: the reference prints that of what is around it.
        """
        match kind:
            case "equation":
                number = self.labelled.get(label, "")
                return None if number is None else (kind, number)
            case "section":
                return self.section
            case "float":
                return self.captioned.get(label, ("figure", ""))
            case "item":
                return kind, self._items.get(label, "")
        return "", ""

    def captions(self, name: str, text: str, at: int) -> None:
        """Count the captions of a figure or a table whose body begins at `at`; a label has the number before it."""
        counter, inside, printed = FLOATS[name], False, ""
        closing = text.find(f"\\end{{{name}}}", at, at + _FARTHEST)
        for match in _CAPTION.finditer(text, at, max(at, closing)) if not self.suspended else ():
            if match["inner"] or match["sub"] is not None:
                inside = match["inner"] == "begin"
                # What stands in a part of a figure has a letter behind the number that is still to come.
                printed = printed if not inside else ""
            elif match["caption"] == "" and not inside:
                self.counters.step(counter)
                printed = self.counters.printed(counter)
            elif match["label"] and printed and not inside:
                self.captioned[match["label"]] = (counter, printed)

    def _caption(self, text: str, at: int) -> None:
        r"""Count ``\captionof{figure}{A caption}``; the label in it or right after it has its number."""
        groups = read_groups(text, at, 2)
        if len(groups) == 2 and (counter := groups[0].text) in FLOATS and not self.suspended:
            self.counters.step(counter)
            if label := _LABEL.search(groups[1].text) or _LABEL_NEXT.match(text, groups[1].end):
                self.captioned[label[1]] = (counter, self.counters.printed(counter))

    def items(self, text: str, at: int, definitions: DocumentDefinitions) -> None:
        """Number the items with labels of the list that begins at `at`, and of the lists in it."""
        if text is self._listed[0] and at < self._listed[1]:
            return
        lists = {*NUMBERED_LISTS, *OTHER_LISTS, *definitions.lists}
        opened: list[_List] = []
        end = at
        for match in _IN_LIST.finditer(text, at, at + _FARTHEST):
            end = match.end()
            if match["edge"]:
                if match["list"] not in lists:
                    continue
                if match["edge"] == "begin":
                    option = read_option(text, end)
                    opened.append(self._open_list(match["list"], option.text if option else "", opened, definitions))
                elif len(opened) > 1:
                    opened.pop()
                else:
                    break
            elif match["item"] is not None:
                opened[-1].number += match["own"] is None
                opened[-1].counts = match["own"] is None
            elif match["set"]:
                value = match["set"].strip()
                opened[-1].number = int(value) if value.isdecimal() and len(value) < _LONGEST else _UNKNOWN
            elif match["label"]:
                self._items[match["label"]] = self._printed_item(opened)
        self._listed = (text, end)

    def _open_list(
        self, name: str, options: str, around: "Sequence[_List]", definitions: DocumentDefinitions
    ) -> "_List":
        if name in OTHER_LISTS:
            return _List("", "")
        kind = name if name in definitions.lists else "enum"
        level = LEVELS[min(sum(one.counter.startswith(kind) for one in around), len(LEVELS) - 1)]
        macros, counter = definitions.commands, f"{kind}{level}"
        found = _List(counter, the(counter))
        own = known.label_macro("enumerate" if kind == "enum" else kind, LEVELS.index(level) + 1)
        # Without enumitem, what is printed before an item is no part of its number.
        preset = None if macros.keys() & {f"label{counter}", f"the{counter}"} else macros.get(own)
        if label := known.given_label(options) or (preset.body if preset else ""):
            found.template, found.is_whole = label, True
        for part in known.split_options(options):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if key == "start" and value.isdecimal() and len(value) < _LONGEST:
                found.number = int(value) - 1
            elif key == "ref":
                found.template, found.is_whole = value, True
            elif key in ("resume", "resume*", "label*"):
                found.number = _UNKNOWN
            elif key and not equals and not known.is_flag(key):
                # The packages that came first print the counter alone.
                short, counts_alone = known.long_label(key), {"enumerate", "paralist"} & definitions.packages.keys()
                found.is_whole = not counts_alone or "shortlabels" in definitions.packages.get("enumitem", ())
                if short is None:
                    found.number = _UNKNOWN
                elif (starred := _STARRED.search(short)) is not None:
                    found.template = short if found.is_whole else starred.group()
        found.template = _STARRED.sub(rf"\1{{{counter}}}", found.template)
        return found

    def _printed_item(self, opened: "Sequence[_List]") -> str:
        """The number of the last item, with those around it where LaTeX prints them; empty if it is not known."""
        shown = [one for one in opened if one.counter]
        if not shown or not shown[-1].counts:
            return ""
        shown = shown[-1:] if shown[-1].is_whole else [one for one in shown if one.counter in _ITEM_STYLES]
        if not shown or len(shown) > len(LEVELS):
            return ""
        if any(one.number < 0 or not _COUNTS.search(one.template) for one in shown):
            return ""
        before = self.counters.values
        self.counters.values = {**before, **{one.counter: one.number for one in shown}}
        marks = [self.counters.expanded(one.template) for one in shown]
        self.counters.values = before
        inner = "".join(f"({mark})" for mark in marks[1:-1])
        return "".join((marks[0], inner, *marks[1:][-1:])).strip(" .") if all(marks) else ""

    def mathematics(self, name: str, text: str, at: int) -> tuple[int, list[str]]:
        """Count the numbers that a displayed formula prints, whose body begins at `at`; give where it ends, and them.

        Those in ``subequations`` have a letter after the number of the whole.
        """
        if self.suspended:
            return at, []
        if name == "subequations":
            if not self.in_subequations:
                self.counters.step("equation")
                self._parent, self._letter = self.counters.printed("equation"), 0
                inner = text.find("\\begin", at, at + 1_000)
                self.labelled.update(dict.fromkeys(_LABEL.findall(text, at, max(at, inner)), self._parent))
            self.in_subequations = True
            return at, []
        closing = text.find(f"\\end{{{name}}}", at, at + 20_000)
        body = text[at : closing if closing >= 0 else at]
        printed, start = [], 0
        if name == "equation*":
            self.labelled.update(dict.fromkeys(_LABEL.findall(body)))
        for end in numbered_rows(name, body) if not name.endswith("*") else ():
            labels = _LABEL.findall(body, start, end)
            counts = self.only_cited is None or not self.only_cited.isdisjoint(labels)
            printed.append(self._next_equation() if counts else "")
            self.labelled.update(dict.fromkeys(labels, printed[-1]))
            start = end
        for row in [body] if name.rstrip("*") in _ONE_NUMBER else body.split("\\\\"):
            if "\\tag" in row:
                tag = _TAG.search(row)
                self.labelled.update(dict.fromkeys(_LABEL.findall(row), _PIECE_OF_TAG.sub("", tag[1]) if tag else ""))
        return max(at, closing), printed

    def _next_equation(self) -> str:
        if not self.in_subequations:
            self.counters.step("equation")
            return self.counters.printed("equation")
        self._letter += 1
        return f"{self._parent}{STYLES['alph'](self._letter)}" if self._parent else ""

    def begin_appendices(self) -> None:
        """Enter the environment ``appendices``; after it the numbers go on as before."""
        top = self._top
        self._before_appendices = (self.counters.value(top), self.counters.formats[top])
        self._appendix()

    def end(self, name: str) -> None:
        """Leave an environment that changes how equations or appendices are counted."""
        if name == "subequations":
            self.in_subequations = False
        elif name in ("appendix", "appendices") and self._before_appendices is not None:
            value, self.counters.formats[self._top] = self._before_appendices
            self.counters.set(self._top, value)
            self._before_appendices = None

    def in_label(self, label: str) -> str:
        r"""A label such as ``thm:\thetheorem`` with the numbers put in; as it is, if it has other commands."""
        if all(name in self.counters.formats for name in _IN_LABEL.findall(label)):
            return _IN_LABEL.sub(lambda match: self.counters.printed(match[1]), label)
        return label

    def in_heading(self, code: str) -> str:
        r"""Code that prints a heading, ``Satz \stepcounter{n}\arabic{n}``: its counters are carried out and printed."""
        self._carry_out(code)
        return _PRINTED.sub(lambda match: self.counters.expanded(match["printed"] or ""), code)

    def define_format(self, macro: str, body: str) -> None:
        r"""A ``\renewcommand{\thetheorem}{…}``: how the counter is printed from now on."""
        name = macro.removeprefix("the")
        if name not in self.counters.values and name not in self.counter_of:
            return
        if "\\ref" in body:
            # The next theorem takes its number from elsewhere: {\def\thetheorem{\ref{a}} …}.
            self._borrowed.add(self._counter(name))
        else:
            # A statement of another work: {8.1 of \cite{a}}.
            self.counters.formats[name] = without_citations(body)

    def command(self, command: str, text: str, at: int) -> None:
        """Carry out a counter command whose name (and star) ends at `at`."""
        starred = text[at - 1 : at] == "*"
        match command:
            case "appendix" | "appendices":
                self._appendix()
            case "frontmatter" | "mainmatter" | "backmatter":
                self.in_front = command != "mainmatter" and not self.bare
            case "stepcounter" | "refstepcounter":
                if name := read_group(text, at):
                    self.counters.step(self._counter(name.text))
            case "newcounter":
                self._new(text, at)
            case "AtAppendix":
                if code := read_group(text, at):
                    self._at_appendix.append(code.text)
            case "captionof":
                self._caption(text, at)
            case "setsecnumdepth" | "maxsecnumdepth":
                if name := read_group(text, at):
                    self.counters.set("secnumdepth", SECTIONS.get(name.text.strip(), 3))
            case _:
                self._with_two(command, read_groups(text, at, 2), starred=starred)

    def _with_two(self, command: str, groups: list[Argument], *, starred: bool) -> None:
        if len(groups) < 2:
            return
        first, second = groups[0].text.strip(), groups[1].text.strip()
        name = self._counter(first)
        match command:
            case "numberwithin" | "counterwithin":
                self.counters.number_within(name, self._counter(second), printed=not starred)
            case "counterwithout":
                self.counters.free(name, self._counter(second), printed=not starred)
            case "@addtoreset":
                self.counters.number_within(name, self._counter(second), printed=False)
            case "newaliascnt":
                self.share(first, second)
                self.counters.formats.pop(first, None)
            case "setcounter" | "addtocounter":
                value = self._integer(second)
                if value is not None:
                    self.counters.set(name, value + (self.counters.value(name) if command == "addtocounter" else 0))

    def _new(self, text: str, at: int) -> None:
        name = read_group(text, at)
        if name is not None:
            within = read_option(text, name.end)
            self.counters.define(name.text.strip())
            if within:
                self.counters.number_within(name.text.strip(), within.text.strip(), printed=False)

    def _counter(self, name: str) -> str:
        """The counter that a command means: that of the environment, if it shares one."""
        name = name.strip()
        return self.counter_of.get(name, name)

    def _integer(self, source: str) -> int | None:
        """The value of a number, of a counter, or of sums and products of them, as calc has them; None if unknown."""
        source = _NUMEXPR.sub("", source)
        terms: list[int] = []
        at = 0
        while at < len(source) and len(terms) < _MOST_TERMS:
            match = _TERM.match(source, at)
            if match is None or (bool(terms) != bool(match[1]) and match[1] != "-") or (match[1] == "*" and not terms):
                return None
            value = int(match[2]) if match[2] else self.counters.value(self._counter(match[3] or match[4]))
            if match[1] == "*":
                terms[-1] *= value
            else:
                terms.append(-value if match[1] == "-" else value)
            if abs(terms[-1]) > _LARGEST:
                return None
            at = match.end()
        return sum(terms) if terms and at == len(source) else None

    @property
    def _top(self) -> str:
        return "chapter" if self.chapters else "section"

    def _appendix(self) -> None:
        top = self._top
        for name in (top, *(("section",) if self.chapters else ("subsection",))):
            self.counters.set(name, 0)
        self.counters.formats[top] = self.counters.formats[_THEOREMS_WITHIN] = f"\\Alph{{{top}}}"
        self.in_front = False
        pending, self._at_appendix = self._at_appendix, []
        for code in pending:
            self._carry_out(code)

    def _carry_out(self, code: str) -> None:
        """Carry out the counter commands of some code, and what it says about how counters are printed."""
        for match in COMMAND.finditer(code):
            if match[1] in COUNTER_COMMANDS:
                self.command(match[1], code, match.end())
            elif match[1] in DEFINING and (macro := read_definition(code, match[1], match.end()).macro):
                self.define_format(macro.name, macro.body)

    def _define_sections(self, document_class: str) -> None:
        counters = self.counters
        counters.formats.update((name, f"\\{style}{{{name}}}") for name, style in _ITEM_STYLES.items())
        counters.values.update(dict.fromkeys(_ITEM_STYLES, 0))
        names = [name for name in SECTIONS if self.chapters or name != "chapter"]
        for name in (*names, "equation", "figure", "table"):
            counters.define(name)
        counters.formats["part"] = "\\Roman{part}"
        counters.formats[_THEOREMS_WITHIN] = "\\arabic{section}"
        for outer, inner in pairwise(names[1:]):
            counters.number_within(inner, outer)
        if document_class in _ROMAN_SECTIONS:
            counters.formats["section"] = "\\Roman{section}"
            counters.formats["subsection"] = _ROMAN_SECTIONS[document_class]
        if self.bare:
            counters.formats["section"] = "\\arabic{section}"
        elif self.chapters:
            for name in ("equation", "figure", "table"):
                counters.number_within(name, "chapter")
                counters.formats[name] = f"\\ifnum\\value{{chapter}}>0 \\thechapter.\\fi\\arabic{{{name}}}"
        depth: Mapping[str, int] = {"memoir": 1, "amsbook": 3}
        counters.set("secnumdepth", depth.get(document_class, 2 if self.chapters else 3))


@dataclass(slots=True)
class _List:
    """A list that is open."""

    counter: str
    template: str
    """How the number of an item is printed."""
    is_whole: bool = False
    """Whether a reference prints nothing before it, although it stands in another list."""
    number: int = 0
    counts: bool = False
    """Whether the last item has a number, and not a mark of its own."""


def _printed_within(within: str, counter: str, numeral: str = "arabic") -> str:
    return (f"{the(within)}." if within else "") + f"\\{numeral}{{{counter}}}"


def numbered_rows(name: str, body: str) -> list[int]:
    """Where the rows of a display that print a number end: an empty row after the last break counts, as in TeX.

    Text between rows ends the row before it, unless a break does.
    """
    if name in _ONE_NUMBER:
        return [] if _SILENT.search(body) else [len(body)]
    rows: list[int] = []
    depth = begin = 0
    silent = False
    for match in _ROW.finditer(body):
        token = match.group()
        if token == "{" or token.startswith("\\begin"):
            depth += 1
        elif token == "}" or token.startswith("\\end"):
            depth -= 1
        elif token.startswith("\\\\") and depth == 0:
            rows += [] if silent else [match.start()]
            silent, begin = False, match.end()
        elif token.endswith("intertext"):
            if depth == 0 and body[begin : match.start()].strip():
                rows += [] if silent else [match.start()]
                silent = False
        elif _SILENT.match(token):
            silent = True
    return rows if silent else [*rows, len(body)]


def keys_with_numbers(definitions: DocumentDefinitions, read: Iterable[str]) -> frozenset[str] | None:
    """The keys that the files of a document cite, if only equations that are cited have numbers; else None."""
    packages = definitions.packages
    texts = list(read) if packages.keys() & {"autonum", "mathtools"} else []
    of_package = "autonum" in packages or "showonlyrefs" in packages.get("mathtools", ())
    if not of_package and not any(map(_ONLY_CITED.search, texts)):
        return None
    return frozenset(key.strip() for text in texts for keys in _CITED.findall(text) for key in keys.split(","))


def with_numbers(text: str, numbers: Sequence[str]) -> str:
    """A text in which displayed formulas bring their numbers as tags; as it is, if it has not so many formulas."""
    places = [
        match.end() + end
        for match in _NUMBERED.finditer(text)
        for closing in [text.find(f"\\end{{{match[1]}}}", match.end())]
        if closing >= 0
        for end in numbered_rows(match[1], text[match.end() : closing])
    ]
    if len(places) != len(numbers):
        return text
    starts = [0, *places]
    parts = (f"{text[a:b]}\\tag{{{n}}}" if n else text[a:b] for a, b, n in zip(starts, places, numbers, strict=False))
    return "".join([*parts, text[starts[-1] :]])
