r"""Labels of numbered lists that a preamble sets: ``\setlist[enumerate,1]{label=(\alph*)}``, ``\labelenumi``.

Each setting becomes the definition of a macro for the list and the level, so that it travels with the other macros.
The counter of the list itself is written as in the package enumitem: ``\alph*``.
"""

import re
from collections.abc import Iterator

from naturalproofs.latex.scan.arguments import read_group, read_groups, read_option

LEVELS = ("i", "ii", "iii", "iv")
"""How LaTeX names the levels of lists."""
_DOCUMENT = "\\begin{document}"
_LIST = re.compile(r"\\begin\s*\{enumerate\}|\\item(?![a-zA-Z])")
_SETTING = re.compile(
    r"%[^\n]*+|\\(?P<set>setlist|setenumerate)\*?+(?![a-zA-Z@])"
    r"|\\(?:renewcommand\*?\s*+\{?\s*+|def\s*+)\\(?P<part>label|the)enum(?P<level>i{1,3}|iv)(?![a-zA-Z@])\s*+\}?+"
)
_LABEL = re.compile(r"\s*label\s*=\s*")
_THE = re.compile(r"\\theenum(i{1,3}|iv)(?![a-zA-Z@])")
_COUNTER = re.compile(r"\\usecounter\s*+\{\s*+([a-zA-Z@]++)\s*+\}")
_UNNUMBERED = frozenset({"itemize", "description", "itemize*", "description*"})


def label_macro(name: str, level: int) -> str:
    """The name of the macro that holds the label of a list at a level, from 1."""
    return f"label@{re.sub('[^a-zA-Z]', '@', name)}@{LEVELS[level - 1]}"


def split_options(options: str) -> list[str]:
    """Options at their commas; commas in groups do not count."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r"\\.|[{},]", options, re.DOTALL):
        sign = match.group()
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            parts.append(options[start : match.start()])
            start = match.end()
    return [*parts, options[start:]]


def given_label(options: str) -> str | None:
    """The label among the options of a list, without the braces around it."""
    for part in split_options(options):
        if match := _LABEL.match(part):
            label = part[match.end() :].strip()
            group = read_group(label, 0)
            return group.text if group and group.end == len(label) else label
    return None


def list_settings(text: str) -> Iterator[tuple[str, str]]:
    """The macros for the labels that the preamble in a text sets, and the labels."""
    preamble, document, _ = text.partition(_DOCUMENT)
    if "enum" not in preamble and "\\setlist" not in preamble:
        return
    # A change between lists holds for some of them only.
    if document or not _LIST.search(preamble):
        yield from settings(preamble)


def without_list_settings(text: str) -> str:
    """The text of a document without the labels that it sets for its lists; any other text as it is."""
    return _SETTING.sub("", text) if _DOCUMENT in text else text


def settings(preamble: str) -> Iterator[tuple[str, str]]:
    """The macros for the labels that a text sets for its lists, and the labels."""
    numbers: dict[str, str] = {}
    for match in _SETTING.finditer(preamble):
        if match["part"]:
            body = read_group(preamble, match.end())
            if body is None:
                continue
            level = match["level"]
            own = body.text.replace(f"{{enum{level}}}", "*")
            if match["part"] == "the":
                numbers[level] = own
                own = f"({own})"
            else:
                own = _THE.sub(lambda found: numbers.get(found[1], "\\arabic*"), own)
            yield label_macro("enumerate", LEVELS.index(level) + 1), own
        elif match["set"]:
            names = read_option(preamble, match.end())
            options = read_group(preamble, names.end if names else match.end())
            label = given_label(options.text) if options else None
            if label is None or (names is None and match["set"] == "setlist"):
                continue
            yield from _set(match["set"], names.text if names else "", label)


def _set(command: str, names: str, label: str) -> Iterator[tuple[str, str]]:
    words = [word.strip() for word in names.split(",") if word.strip()]
    levels = [int(word) for word in words if word in ("1", "2", "3", "4")] or range(1, len(LEVELS) + 1)
    lists = ["enumerate"] if command == "setenumerate" else [word for word in words if not word.isdigit()]
    for name in lists:
        if name not in _UNNUMBERED:
            yield from ((label_macro(name, level), label) for level in levels)


def with_own_label(body: str) -> tuple[str, str]:
    r"""The list that ``\begin{list}{(\roman{c})}{\usecounter{c}}`` is, and its body with the label as an option."""
    groups = read_groups(body, 0, 2)
    if len(groups) < 2:
        return "list", body
    counter, label = _COUNTER.search(groups[1].text), groups[0].text
    label = label.replace(f"{{{counter[1]}}}", "*") if counter else label
    return "enumerate" if counter else "list", f"[label={{{label}}}]{body[groups[1].end :]}"
