r"""Statements whose heading their author writes.

In plain TeX and AMS-TeX ``\proclaim Theorem 1. …\par`` and ``\proclaim{Theorem 1} … \endproclaim``; on slides
``\begin{block}{Theorem (Rolle)}``; in boxes ``\begin{tcolorbox}[title=Definition]``; in environments that print
a number alone ``\begin{num} {\bf Theorem.} …``.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from naturalproofs.latex.macros.declarations import Declaration, key_values, printed_name
from naturalproofs.latex.read.citations import find_citations
from naturalproofs.latex.read.openings import skip_overlay
from naturalproofs.latex.scan.arguments import plain_title, read_group, read_option
from naturalproofs.reading.kinds import Sense, abbreviated, by_printed_name, by_word, is_solution, words_of
from naturalproofs.reading.settings import KeyStyle

PLAIN: Mapping[str, str] = {"proclaim": "endproclaim"}
"""Commands that open a statement with its heading, and those that close it."""
AMSTEX: Mapping[str, str] = {name: f"end{name}" for name in ("proclaim", "definition", "example", "remark")}
"""Those of AMS-TeX."""
AMSTEX_CLASS = "amsppt"
TITLED: Mapping[str, str] = {
    **dict.fromkeys(("block", "alertblock", "exampleblock"), ""),
    **dict.fromkeys(("tcolorbox", "mdframed"), "title"),
}
"""Environments with a title: an argument, or this key of the option, which mdframed calls ``frametitle``."""
_HEADING = re.compile(r"\s++((?:[^\n.]|\.(?!\s))*+)\.\s")
_NUMBER = re.compile(r"(?<!\w)(?:[A-Z]\.?)?\d++(?:\.\d++)*+'*+|(?<=\s)[A-Z](?:\.\d++)*+(?=\s*+$)")
_TITLE = re.compile(r"\(([^()]*+)\)")
_PARAGRAPH = re.compile(r"\n[ \t]*\n|\\par(?![a-zA-Z])")
_LONGEST = 100_000
_LONGEST_TITLE = 300
_THEOREM = Sense("theorem", "theorem")
_NAMED = re.compile(
    r"(?:\.(?=\s*+\d))?+\s*+(?P<number>(?:[A-Z]\.)?\d++(?:\.\d++)*+'*+|[A-Z]{1,4}+'*+(?!\w))?+\s*+"
    r"(?:\((?P<brackets>.++)(?<=\))|[:.,–—-]++\s*+(?P<after>.*+)|(?P<of>(?:of|von|der|des|de|du|di)\s.++))?+"
)
"""What follows the word in a title: nothing, a number, a name. In "Proof assistants" the word is part of another."""
_STOP_BEFORE = re.compile(r"\.(?=\s*+(?:\d|\())")
_BEFORE_HEADING = re.compile(
    r"(?:\s|%[^\n]*+\n|~|\\(?:label|[hv]space\*?+)\s*+\{[^{}]*+\}"
    r"|\\(?:noindent|quad|ignorespaces|leavevmode|normalfont|upshape|rm|par|(?:small|med|big)(?:skip|break)|[ ,;!])"
    r"(?![a-zA-Z]))*+"
)
_FONT = re.compile(
    r"\\(?P<strong>textbf|textsc|textsf|textgt|underline|(?P<section>(?:sub){0,2}section\*?+)"
    r"|(?P<paragraph>(?:sub)?paragraph\*?+))(?=\s*+\{)"
    r"|\\(?:textit|textsl|emph|textrm)(?=\s*+\{)"
    r"|(?=\{\s*+(?:\\(?:large|Large|LARGE|sffamily|color\s*+\{[^{}]*+\})\s*+)*+"
    r"\\(?P<switch>bf|bfseries|sc|scshape|heiti|gt|gtfamily)(?![a-zA-Z]))"
    r"|(?=\{\s*+\\(?:it|itshape|sl|slshape|em|rm)(?![a-zA-Z]))"
)
"""The font of a heading within a line; words may be in italics for other reasons."""
_AFTER_HEADING = re.compile(
    r"(?:\s*+(?P<number>\d++(?:\.\d++)*+)(?=\s*+[.:(]))?+\s*+"
    r"(?:[(\[（](?P<name>[^()\[\]（）\n]{1,200}+)[)\]）])?+\s*+(?P<stop>[.:：]++)?+"
)
_FULL_WIDTH = str.maketrans("：（）．【】", ":(). \u00a0")
"""Signs of Chinese and Japanese headings, and what they stand for."""
_AGAIN = re.compile(r"\s*+(?:\([^()]*+\)\s*+)?+")
"""What may stand behind the number of a statement that is printed again."""
_BOX = re.compile(r"\\begin\s*+\{(?:tcolorbox|mdframed)\}")
_ASIDES = frozenset({"note", "step", "situation", "result"})
"""What is a statement only where it is declared like one."""
_PARAMETER = re.compile(r"#\d")
_SHORT = 3
"""Spaces in a heading whose last word may say what it is."""
_SHORTEST_TEXT = 20
"""A shorter group behind a heading is a part of the text."""
_AFTER_TEXT = re.compile(r"[ \t.]*+(?:\n[ \t]*+(?:\n|\\|\{\\)|\\|\Z)")
_LEADING_NUMBER = re.compile(r"(?P<number>\d++(?:\.\d++)*+)[.)]?+\s++(?=[^\W\d])")
"""A number that stands before the word: "1.4 Corollary"."""
_LONG_WORD = re.compile(r"[^\W\d_]{4}")
"""What the mark of an item in brackets lacks."""
_SWITCHES = re.compile(
    r"(?:\s|\\(?:it|itshape|sl|slshape|em|rm|upshape|normalfont|quad|newline|[ ,;!\\])(?![a-zA-Z])|~|\{\})*+"
)
_SWITCHED = re.compile(
    r"(?<!\{)\\(?:bf|bfseries|sc|scshape)(?![a-zA-Z])[^\\{}]{1,100}+(?=\\(?:rm|it|normalfont|mdseries|upshape)(?![a-zA-Z]))"
)
_WRAPPER = re.compile(
    r"\s*+\\(?:underline|textcolor\s*+\{[^{}]*+\}|text(?:bf|it|sl|sc|sf|rm|up|gt|normal)|emph|uline)(?=\s*+\{)"
)
_SWITCH = re.compile(r"\\(?:color\s*+\{[^{}]*+\}|(?:heiti|kaishu|songti|gt|gtfamily|sffamily)(?![a-zA-Z]))\s*+")
_SPACES = re.compile(r"(?:\s|~|\\(?:[;:,! ]|$))++$")


class Proclaimed(NamedTuple):
    """A statement with its heading: what it is, its number and title, where its text stands, and where all ends."""

    sense: Sense
    number: str
    title: str
    start: int
    stop: int
    end: int


class Titled(NamedTuple):
    """The title of an environment that says what it is."""

    sense: Sense
    number: str
    name: str
    title: str
    """All of it."""
    end: int
    """Where the text of the environment begins."""
    is_marked: bool = True
    """Whether a number, a name or a stop shows that it is a heading, and not the first word of a sentence."""


def read_titled(text: str, at: int, key: str) -> Titled | None:
    """Read the title of an environment if it is that of a statement or of a proof.

    Args:
        text: The text of the file.
        at: Where the ``\\begin{…}`` ends.
        key: The key of the title in the option; an argument is read if it is empty.
    """
    argument = read_option(text, at) if key else read_group(text, skip_overlay(text, at))
    if argument is None or len(argument.text) > _LONGEST_TITLE:
        return None
    keys = key_values(argument.text) if key else {}
    plain = plain_title(keys.get(key) or keys.get(f"frame{key}", "") if key else argument.text).strip()
    return _titled(plain, argument.end)


def _titled(plain: str, end: int) -> Titled | None:
    """What a title says if its first word is one for statements or proofs."""
    words = words_of(plain)
    known = by_word(words[0]) if words and plain.startswith(words[0]) else None
    found = (known, len(words[0])) if known else abbreviated(plain)
    if found is None or found[0].role == "ignore":
        return None
    sense, word_end = found
    if sense.role == "proof":
        return Titled(sense, "", "", plain, end)
    # The stop of an abbreviation comes before a number or a name: "Teo. 2 (Rolle)".
    rest = _NAMED.fullmatch(plain, word_end + bool(_STOP_BEFORE.match(plain, word_end)))
    if rest is None:
        return None
    name = (rest["brackets"] or "").removesuffix(")") or rest["after"] or (plain if rest["of"] else "")
    return Titled(sense, rest["number"] or "", name.strip(), plain, end)


def prints_heading(code: str) -> bool:
    r"""Whether the code of a macro prints the heading of a statement: ``{\bf Lemma} ``, ``\paragraph{Lemma}``."""
    return read_headed(in_groups(_PARAMETER.sub("1", code)), 0, "") is not None


def in_groups(code: str) -> str:
    r"""The code of a heading with fonts in groups: ``\bf Lemma \rm`` as ``{\bf Lemma }``."""
    return _SWITCHED.sub(lambda match: f"{{{match[0]}}}", code)


def _titles_of_code(code: str) -> list[str]:
    """The headings that the code of an environment prints, or the title of the box that it is."""
    code = _PARAMETER.sub("1", code)
    boxes = (read_option(code, match.end()) for match in _BOX.finditer(code))
    keys = [key_values(box.text) for box in boxes if box] or [key_values(code)]
    titles = [one.get("title") or one.get("frametitle", "") for one in keys]
    groups = (read_group(code, match.end()) for match in _FONT.finditer(code) if not match["section"])
    titles.extend(group.text for group in groups if group and len(group.text) <= _LONGEST_TITLE)
    return [plain_heading(title).strip(" .:") for title in titles if title]


def holds_solutions(name: str, printed: str, code: str) -> bool:
    """Whether an environment holds solutions of exercises: by its printed name, or by its own or its heading."""
    return is_solution(printed or name) or (not printed and any(map(is_solution, _titles_of_code(code))))


def sense_of_code(code: str) -> Sense | None:
    r"""What an environment of the project is by the heading that its code prints: a title, or ``\textbf{Lemma.}``.

    Args:
        code: The code of its begin, or the options of the box that it is.
    """
    found = (_titled(title, 0) for title in _titles_of_code(code))
    return next((one.sense for one in found if one and one.sense.family not in _ASIDES), None)


def read_headed(text: str, at: int, title: str) -> Titled | None:
    r"""Read the heading of a statement whose environment prints none: the title, or ``{\bf Theorem} (Rolle)``.

    Args:
        text: The text of the file.
        at: Where the text of the statement begins.
        title: The option of the environment.
    """
    if title:
        return _headed(title, at)
    blank = _BEFORE_HEADING.match(text, at, at + _LONGEST_TITLE)
    font = _FONT.match(text, blank.end()) if blank else None
    group = read_group(text, font.end()) if font else None
    if font is None or group is None or len(group.text) > _LONGEST_TITLE:
        return None
    plain = plain_heading(group.text)
    after = _AFTER_HEADING.match(text, group.end)
    if after is None or not (font["strong"] or font["switch"] or after["stop"] or plain.endswith((".", ":"))):
        return None
    found = _headed(plain.rstrip(" .:"), group.end)
    if found is None:
        return None
    name, end = after["name"] or "", after.end()
    if name and (plain.endswith(".") or not _LONG_WORD.search(name)):
        name, end = "", group.end  # The first item of a list.
    spaces = _SWITCHES.match(text, end)
    if font["section"]:
        is_marked = bool(found.number or (found.name and found.name != found.title))
    else:
        outside = after["number"] if end == after.end() else ""
        found = found._replace(number=found.number or outside or "")
        is_marked = bool(found.number or found.name or name or after["stop"] or plain.endswith((".", ":")))
        is_marked = is_marked or bool(font["paragraph"])
    return found._replace(
        name=found.name or plain_title(name),
        end=spaces.end() if spaces else end,
        is_marked=is_marked and found.is_marked,
    )


def plain_heading(source: str) -> str:
    r"""The plain text of a heading: without fonts and colours around all of it, and with the signs of other scripts."""
    stop = ""
    while (mark := _WRAPPER.match(source)) and (group := read_group(source, mark.end())):
        rest = source[group.end :].strip()
        if rest not in ("", ".", ":"):
            break
        source, stop = group.text, rest or stop
    plain = plain_title(_SWITCH.sub("", source)).translate(_FULL_WIDTH)
    return _SPACES.sub("", plain).strip() + stop


def read_given(given: str, declared: Declaration, end: int, references: Mapping[str, KeyStyle]) -> Titled | None:
    r"""What a name that the text gives to an environment says: ``\renewcommand{\thmname}{Zorn's Lemma}``.

    Args:
        given: The name, as LaTeX.
        declared: The environment.
        end: Where the text of the statement begins.
        references: The commands that cite; what is cited is no title.
    """
    cited = find_citations(given, references)
    plain = printed_name(given[: cited[0].start] if cited else given)
    sense = by_printed_name(plain, declared.style, declared.name)
    if sense.role in ("proof", "ignore") or not plain:
        return None
    found = _headed(plain, end) if not cited else None
    return found or Titled(sense, "", "" if cited else plain, plain, end)


def restated_label(given: str, references: Mapping[str, KeyStyle]) -> str:
    r"""The label of the statement that is printed again under a name such as ``Theorem \ref{a}``; empty if none is."""
    cited = find_citations(given, references) if "\\" in given else []
    if len(cited) != 1 or len(cited[0].keys) != 1 or not _AGAIN.fullmatch(given, cited[0].end):
        return ""
    words = words_of(printed_name(given[: cited[0].start]))
    return cited[0].keys[0].key if len(words) <= 1 and all(map(by_word, words)) else ""


def whole_text(text: str, at: int) -> tuple[int, int]:
    r"""Begin and end of the text behind a heading if it stands in a group: ``{\em …}``; the end is -1 if not."""
    font = _FONT.match(text, at)
    group = read_group(text, font.end()) if font else None
    if group is None or len(group.text) < _SHORTEST_TEXT or not _AFTER_TEXT.match(text, group.end):
        return at, -1
    switch = _SWITCHES.match(text, group.start)
    return (switch.end() if switch else group.start), group.start + len(group.text)


def _headed(plain: str, end: int) -> Titled | None:
    """What a heading says by its first word, or a short one by its last: "Theorem (Rolle)", "Rolle's theorem"."""
    number = _LEADING_NUMBER.match(plain)
    if number is not None and (found := _headed(plain[number.end() :], end)):
        return found._replace(number=number["number"])
    if (found := _titled(plain, end)) is not None:
        return found if found.sense.role != "proof" else None
    words = words_of(plain)
    for word in (words[0], words[-1])[: 1 + (plain.count(" ") < _SHORT)] if words else ():
        if (sense := by_word(word)) and sense.role not in ("proof", "ignore"):
            return Titled(sense, "", plain, plain, end, is_marked=word != words[0] and sense.role == "theorem")
    return None


def read_proclaimed(text: str, at: int, closing: str) -> Proclaimed | None:
    """Read the statement whose command ends at `at`; None if there is no heading.

    Args:
        text: The text of the file.
        at: Where the command ends.
        closing: The command that closes the statement, if its heading stands in braces.
    """
    group = read_group(text, at)
    match = None if group else _HEADING.match(text, at, at + 500)
    heading, start = (group.text, group.end) if group else (match[1], match.end()) if match else ("", at)
    if not heading:
        return None
    limit = start + _LONGEST
    stop = text.find(f"\\{closing}", start, limit) if group else -1
    end = stop + 1 + len(closing)
    if stop < 0:
        paragraph = _PARAGRAPH.search(text, start, limit)
        stop = end = paragraph.start() if paragraph else min(limit, len(text))
    plain = plain_title(heading)
    number = _NUMBER.search(plain)
    title = _TITLE.search(plain)
    words = words_of(plain)
    sense = next((found for word in words if (found := by_word(word))), _THEOREM)
    return Proclaimed(sense, number[0] if number else "", title[1] if title else "", start, stop, end)
