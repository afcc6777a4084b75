r"""Exercises that are the items of one list: ``\begin{exercises} \item … \item … \end{exercises}``.

Each item is a statement with its own number and label. A list inside an item belongs to it.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from naturalproofs.latex.macros.declarations import key_values
from naturalproofs.latex.read.discovery import DocumentDefinitions
from naturalproofs.latex.scan.arguments import read_group, read_option
from naturalproofs.reading.kinds import by_environment_name

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
_COUNTED = ("enumerate", "compactenum", "asparaenum", "inparaenum")
_LISTS = frozenset({*_COUNTED, "list", "itemize", "description", "trivlist", "compactitem"})
_USES_COUNTER = re.compile(r"\\usecounter\s*+\{\s*+([a-zA-Z@]++)\s*+\}")
_STYLES: Mapping[str, str] = {"1": "arabic", "a": "alph", "A": "Alph", "i": "roman", "I": "Roman"}
_SHORT_LABEL = re.compile(r"(?<![a-zA-Z\\])[1aAiI](?![a-zA-Z])")
_STEPS = re.compile(r"\\(?:ref)?stepcounter\s*+\{\s*+([a-zA-Z@]++)\s*+\}")
_OPENS = re.compile(r"\\(?:item|begin|(?:sub)*section)(?![a-zA-Z@])")
_NUMBERS = re.compile(r"\\arabic(?![a-zA-Z@])|(?<![\\a-zA-Z])[a-zA-Z]{4}")
"""A number, or a word, in the label of a list."""
_STAR = re.compile(r"\\(arabic|alph|Alph|roman|Roman)\s*+\*")
_LONGEST_LABEL = 300


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
        if (
            not family
            and base is not None
            and (sense := by_environment_name(name))
            and _NUMBERS.search(base.get("label", ""))
        ):
            # With letters, the items are the parts of one exercise.
            family = sense.family if sense.family in _FAMILIES else ""
        if not family or (name in definitions.declarations and base is None):
            continue
        if base is not None:
            found[name] = ExerciseList(family, f"{name}i", base)
        elif name in definitions.environments:
            if (inner := _inner_list(definitions.environments[name].body, definitions.lists)) is not None:
                found[name] = inner._replace(family=family)
        elif name not in definitions.commands:
            found[name] = ExerciseList(family, is_certain=definitions.document_class == "exam" and family == "question")
    if definitions.exercise_sections and "enumerate" not in definitions.environments:
        found[ENUMERATE] = ExerciseList("", is_certain=False)
    return found


class ExerciseCommand(NamedTuple):
    r"""A command that begins an exercise: ``\newcommand{\exercise}{\refstepcounter{exer}Exercise \theexer. }``."""

    family: str
    counter: str
    takes_text: bool
    """Whether the text of the exercise is its last argument; otherwise it is the paragraph after the command."""


def find_exercise_commands(definitions: DocumentDefinitions) -> dict[str, ExerciseCommand]:
    """The commands of a document that begin an exercise outside of any list."""
    found: dict[str, ExerciseCommand] = {}
    for name, macro in definitions.commands.items():
        step = _STEPS.search(macro.body)
        sense = by_environment_name(name) if step and name.isalpha() else None
        if step is None or sense is None or sense.family not in _FAMILIES:
            continue
        if name in definitions.used or f"end{name}" in definitions.commands or _OPENS.search(macro.body):
            continue
        takes_text = bool(macro.parameters) and macro.parameters[-1].kind == "group"
        takes_text = takes_text and bool(re.search(rf"#{len(macro.parameters)}\W*(?:\\par)?\s*$", macro.body))
        found[name] = ExerciseCommand(sense.family, step[1], takes_text)
    return found


def _inner_list(code: str, lists: Mapping[str, Mapping[str, str]]) -> ExerciseList | None:
    """The list that the code of an environment begins, if it begins one."""
    match = next((one for one in _LIST.finditer(code) if (one[1] or one[2]) in _LISTS or one[1] in lists), None)
    if match is None or "\\refstepcounter" in code[: match.start()]:
        return None
    name, option = match[1] or match[2], read_option(code, match.end())
    keys = {**lists.get(name, {}), **list_keys(option.text if option else "")}
    if used := _USES_COUNTER.search(code, match.end()):
        return ExerciseList("", used[1], keys)
    counter = f"{name}i" if name in lists else "enumi"
    if (at := code.find(f"\\the{counter}")) >= 0 and "label" not in keys:
        body = read_group(code, at + len(f"\\the{counter}") + (code[at - 1 : at] == "{"))
        keys["ref"] = body.text if body else ""
    return ExerciseList("", counter, keys)


def list_keys(option: str) -> dict[str, str]:
    r"""The settings in the option of a list: those of enumitem, or a sample such as ``[1.]`` or ``[(a)]``."""
    if "=" not in option and "*" not in option and (sample := _SHORT_LABEL.search(option)):
        label = f"{option[: sample.start()]}\\{_STYLES[sample[0]]}*{option[sample.end() :]}"
        return {"label": label}
    return key_values(option)


def item_format(keys: Mapping[str, str], counter: str) -> str:
    """How a list prints the number of an item, where it is cited."""
    source = (keys.get("ref") or keys.get("label") or "").strip()
    if not source or len(source) > _LONGEST_LABEL:
        return f"\\arabic{{{counter}}}" if counter == "enumi" else ""
    source = _STAR.sub(lambda match: f"\\{match[1]}{{{counter}}}", source)
    return source if f"{{{counter}}}" in source else ""
