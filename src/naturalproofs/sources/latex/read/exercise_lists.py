r"""Exercises that are the items of one list.

``\begin{exercises} \item … \item … \end{exercises}``: each item is a statement with its own number and label. A list
inside an item belongs to it.
"""

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from naturalproofs.sources.latex.macros.entries import EXERCISE_HEADING, key_values
from naturalproofs.sources.latex.read.discovery import DocumentDefinitions
from naturalproofs.sources.latex.read.numbering import NUMBERED_LISTS, OTHER_LISTS, Numbering
from naturalproofs.sources.latex.scan.arguments import read_group, read_option
from naturalproofs.sources.latex.scan.scanner import SECTIONS, Token
from naturalproofs.sources.reading.kinds import by_environment_name, by_word

if TYPE_CHECKING:
    from naturalproofs.sources.latex.read.frames import Frames

ITEM = "\\item"
"""The name of a frame that holds an item; it closes where the next one begins."""
ITEMS = frozenset("item question bonusquestion titledquestion exercise problem exo".split())
"""Commands that begin an item of such a list; those but the first one only if the project does not define them."""
_WORDS: Mapping[str, str] = {
    **dict.fromkeys("exercises exercices exos aufgaben übungen uebungen ejercicios esercizi".split(), "exercise"),
    **dict.fromkeys("exercicios opgaven zadania exerciselist exerciseset exercisesheet exlist".split(), "exercise"),
    **dict.fromkeys("problems probs problèmes problemes problemas problemi problemlist problemset".split(), "problem"),
    **dict.fromkeys("questions questionlist questionset preguntas".split(), "question"),
}  # fmt: skip
"""Names of lists of exercises, and what each item is."""
ENUMERATE = "enumerate"
"""The list that holds exercises only in a section of exercises."""
_FAMILIES = frozenset({"exercise", "problem", "question"})
_NOT_A_LETTER = re.compile(r"[\W\d_]+")
_LIST = re.compile(r"\\(?:begin\s*+\{\s*+([a-zA-Z*]++)\s*+\}|(enumerate|list|itemize)(?![a-zA-Z@]))")
_LISTS = frozenset((*NUMBERED_LISTS, *OTHER_LISTS))
_NUMBERS = re.compile(r"\\arabic(?![a-zA-Z@])|(?<![\\a-zA-Z])[a-zA-Z]{4}")
"""A number, or a word, in the label of a list."""
_STAR = re.compile(r"\\(arabic|alph|Alph|roman|Roman)\s*+\*")
_LONGEST_LABEL = 300
_BEFORE_FIRST = re.compile(
    r"(?:\s|%[^\n]*+\n|\\label\s*+\{[^{}]*+\}|\\(?:itemsep|setlength|setcounter)[^\n]*+\n)*+\\([a-zA-Z]++)"
)
_WORD_BEFORE = re.compile(r"^\W*[^\W\d_]{3,}\s*")


class ExerciseList(NamedTuple):
    """An environment whose items are exercises."""

    family: str
    counter: str = "enumi"
    keys: Mapping[str, str] = {}
    """The settings of the list, as enumitem has them."""
    is_certain: bool = True
    """Whether its definition says that it is a list; otherwise it is one if it begins with an item."""


def find_exercise_lists(definitions: DocumentDefinitions) -> dict[str, ExerciseList]:
    """The environments of a document that are lists of exercises."""
    found: dict[str, ExerciseList] = {}
    for name in sorted(definitions.used | definitions.lists.keys()):
        family = _WORDS.get(_NOT_A_LETTER.sub("", name).casefold(), "")
        base = definitions.lists.get(name)
        # With letters, the items are the parts of one exercise.
        if not family and base is not None and _NUMBERS.search(base.get("label", "")):
            sense = by_environment_name(name)
            family = sense.family if sense and sense.family in _FAMILIES else ""
        if not family or (name in definitions.declarations and base is None):
            continue
        if base is not None:
            found[name] = ExerciseList(family, f"{name}i", base)
        elif name in definitions.environments:
            if inner := _inner_list(definitions.environments[name].body, definitions.lists):
                found[name] = inner._replace(family=family)
        elif name not in definitions.commands:
            found[name] = ExerciseList(family, is_certain=definitions.document_class == "exam" and family == "question")
    if definitions.exercise_sections and "enumerate" not in definitions.environments:
        found[ENUMERATE] = ExerciseList("", is_certain=False)
    return found


def _inner_list(code: str, lists: Mapping[str, Mapping[str, str]]) -> ExerciseList | None:
    """The list that the code of an environment begins, if it begins one."""
    match = next((one for one in _LIST.finditer(code) if (one[1] or one[2]) in _LISTS or one[1] in lists), None)
    if match is None or "\\refstepcounter" in code[: match.start()]:
        return None
    name, option = match[1] or match[2], read_option(code, match.end())
    keys = {**lists.get(name, {}), **key_values(option.text if option else "")}
    counter = f"{name}i" if name in lists else "enumi"
    if (at := code.find(f"\\the{counter}")) >= 0 and "label" not in keys:
        body = read_group(code, at + len(f"\\the{counter}") + (code[at - 1 : at] == "{"))
        keys["ref"] = body.text if body else ""
    return ExerciseList("", counter, keys)


def item_format(keys: Mapping[str, str], counter: str) -> str:
    """How a list prints the number of an item, where it is cited."""
    source = (keys.get("ref") or keys.get("label") or "").strip()
    if not source or len(source) > _LONGEST_LABEL:
        return f"\\arabic{{{counter}}}" if counter == "enumi" else ""
    source = _STAR.sub(lambda match: f"\\{match[1]}{{{counter}}}", source)
    return source if f"{{{counter}}}" in source else ""


class Item(NamedTuple):
    """An item of a list: its family of words, its number, and where its text begins."""

    family: str
    number: str
    end: int


class ExerciseLists:
    """The lists of exercises that are open while a document is read."""

    def __init__(self, lists: Mapping[str, ExerciseList], frames: "Frames", numbering: Numbering) -> None:
        """Bind the lists, the open environments and the counters."""
        self._lists, self._frames, self._numbering = lists, frames, numbering
        self._section = ""
        """In a section of exercises, until another heading: what its items are."""

    def heading(self, token: Token, level: int) -> None:
        """Enter or leave a section of exercises, by its heading; an item ends where a section begins."""
        if level <= SECTIONS["section"] and (top := self._frames.top) is not None and top.name == ITEM:
            self._frames.close(token.start, token.start)
        if found := EXERCISE_HEADING.match(self._frames.walker.file.text, token.end):
            sense = by_word(found["word"])
            self._section = sense.family if sense else "exercise"
        else:
            self._section = ""

    def begin(self, token: Token, items: Collection[str]) -> bool:
        """Open a list, unless it does not begin with one of the commands for items."""
        text = self._frames.walker.file.text
        option = read_option(text, token.end)
        at = option.end if option else token.end
        one = self._lists[token.name]
        if token.name == ENUMERATE and (not self._section or not self._frames.is_outside()):
            return False
        if not one.is_certain:
            first = _BEFORE_FIRST.match(text, at)
            if first is None or first[1] not in items:
                return False
        self._frames.open_plain(token, "list")
        keys = {**one.keys, **key_values(option.text if option else "")}
        counters = self._numbering.counters
        counters.define(one.counter)
        if form := item_format(keys, one.counter):
            counters.formats[one.counter] = form
        if not {"resume", "resume*"} & keys.keys():
            start = keys.get("start", "1")
            counters.set(one.counter, int(start) - 1 if start.isdigit() and len(start) < 8 else 0)
        return True

    def item(self, token: Token) -> Item | None:
        """The item that begins here, if it is one of an open list.

        The item before it is closed.
        """
        stack = self._frames.stack
        around = stack[-2] if len(stack) > 1 and stack[-1].name == ITEM else self._frames.top
        if around is None or around.role != "list":
            return None
        if around is not self._frames.top:
            self._frames.close(token.start, token.start)
        one, text = self._lists[around.name], self._frames.walker.file.text
        family = one.family or self._section
        option = read_option(text, token.end)
        if option is not None and token.name == "item":
            return Item(family, option.text.strip(" .:()") if option.text[:1].isdigit() else "", option.end)
        self._numbering.counters.step(one.counter)
        number = _WORD_BEFORE.sub("", self._numbering.counters.printed(one.counter)).rstrip(".: ")
        return Item(family, number, option.end if option else token.end)
