r"""What packages define, for texts that load them: ``\div`` is a division, but with physics a divergence.

The commands are in ``data/latex_packages.tex``, and the theorems that classes and packages declare are in
``data/latex_theorems.json``. The author's definitions win. The labels of lists, which enumitem sets, are read here.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path

import msgspec

from naturalproofs.sources.latex.macros.entries import Declaration
from naturalproofs.sources.latex.scan.arguments import (
    GERMAN_IN_WORD,
    german_letters,
    plain_letters,
    read_group,
    read_groups,
    read_option,
    split_outside,
)

_DATA = resources.files("naturalproofs.data")
ASSUMED, *_PARTS = re.split(r"(?m)^%% (\w++)\n", (_DATA / "latex_packages.tex").read_text("utf-8"))
"""What texts are shown with that define it nowhere, and then the name and the code of each package."""
_GERMAN = frozenset("german ngerman austrian naustrian swissgerman nswissgerman germanb".split())
_RUSSIAN = frozenset("russian ukrainian bulgarian belarusian".split())
GERMAN_SHORTHANDS, RUSSIAN_SHORTHANDS = "babel@german", "babel@russian"
"""Macros that stand for the shorthands of babel in texts that load it with such a language."""
QUOTE_LIGATURES = "fontenc@quotes"
"""A macro that stands for fonts in which ``<<``, ``>>`` and ``,,`` are quotation marks."""
_WITH_QUOTES = frozenset(
    {"T1", "T2A", "T2B", "T2C", "OT4", "french", "frenchb", "francais", "polish", "czech", "slovak"}
)

PACKAGES: Mapping[str, str] = {
    **dict(zip(_PARTS[::2], _PARTS[1::2], strict=True)),
    **{name: rf"\def\{name}{{}}" for name in (GERMAN_SHORTHANDS, RUSSIAN_SHORTHANDS, QUOTE_LIGATURES)},
}
"""LaTeX that defines the commands of each package."""


class _Theorems(msgspec.Struct, frozen=True):
    """Environments that a class or package declares in the same way."""

    names: str
    printed: str = ""
    """What they print, unless it is their names."""
    like: str = ""
    within: str = ""
    numbered: bool = True
    is_float: bool = False
    only: str = ""
    """The option without which they are not declared."""
    options: Mapping[str, Mapping[str, str]] = {}
    """What options change; later ones win."""

    def declarations(self, options: Collection[str]) -> Iterator[Declaration]:
        """The environments, where these options are given."""
        if self.only and self.only not in options:
            return
        found = {"names": self.names, "printed": self.printed, "like": self.like, "within": self.within}
        for option, changes in self.options.items():
            if option in options:
                found |= changes
        names = found["names"].split()
        for name, printed in zip(names, found["printed"].split() or map(str.capitalize, names), strict=True):
            like, within = found["like"], found["within"]
            yield Declaration(name, printed, like, within, numbered=self.numbered, is_float=self.is_float)


class _Known(msgspec.Struct, frozen=True):
    """The file of theorems: what classes and packages declare, by patterns of their names."""

    with_chapters: frozenset[str]
    classes: dict[str, list[_Theorems]]
    packages: dict[str, list[_Theorems]]
    deferred: dict[str, list[str]]


_KNOWN = msgspec.json.decode((_DATA / "latex_theorems.json").read_bytes(), type=_Known)
WITH_CHAPTERS = _KNOWN.with_chapters
"""Document classes that have chapters."""
DEFERRED: Mapping[str, Sequence[str]] = _KNOWN.deferred
"""Environments of packages whose text is printed elsewhere."""


def typography(packages: Mapping[str, Collection[str]], of_class: Collection[str]) -> list[str]:
    """What packages of languages and fonts, with their options, and options of the class change in the text."""
    languages = {*packages["babel"], *of_class} if "babel" in packages else set[str]()
    languages |= _GERMAN & packages.keys()
    fonts = {*packages.get("fontenc", ()), *languages, *(("T1",) if "polski" in packages else ())}
    is_given = {
        GERMAN_SHORTHANDS: languages & _GERMAN,
        RUSSIAN_SHORTHANDS: languages & _RUSSIAN,
        QUOTE_LIGATURES: fonts & (_WITH_QUOTES | _RUSSIAN),
    }
    return [name for name, given in is_given.items() if given]


def written_letters(source: str, macros: Collection[str] = ()) -> str:
    """A text with accents, special letters and the shorthands of a German document as letters.

    Args:
        source: In LaTeX.
        macros: The names of the document's macros, which tell that it is German; a shorthand inside of a word does too.
    """
    plain = plain_letters(source)
    return german_letters(plain) if GERMAN_SHORTHANDS in macros or GERMAN_IN_WORD.search(plain) else plain


def class_theorems(name: str, options: Collection[str]) -> tuple[Declaration, ...]:
    """The environments that a document class declares when it is loaded with these options."""
    return _declared(_KNOWN.classes, name, options)


def package_theorems(name: str, options: Collection[str]) -> tuple[Declaration, ...]:
    """The environments that a package declares when it is loaded with these options."""
    return _declared(_KNOWN.packages, name, options)


def _declared(known: Mapping[str, list[_Theorems]], name: str, options: Collection[str]) -> tuple[Declaration, ...]:
    groups = next((groups for pattern, groups in known.items() if re.fullmatch(pattern, name)), ())
    return tuple(one for group in groups for one in group.declarations(options))


def is_known_class(path: str) -> bool:
    """Whether the environments of a class are listed here: what its file does to declare them is not read."""
    return path.endswith(".cls") and bool(class_theorems(Path(path).stem, ()))


LEVELS = ("i", "ii", "iii", "iv")
"""How LaTeX names the levels of lists."""
_DOCUMENT = "\\begin{document}"
_LIST = re.compile(r"\\begin\s*\{enumerate\}|\\item(?![a-zA-Z])")
_SETTING = re.compile(
    r"%[^\n]*+|\\(?P<set>setlist|setenumerate)\*?+(?![a-zA-Z@])"
    r"|\\(?:renewcommand\*?\s*+\{?\s*+|def\s*+)\\(?P<part>label|the)enum(?P<level>i{1,3}|iv)(?![a-zA-Z@])\s*+\}?+"
)
_LABEL = re.compile(r"\s*label\s*=\s*")
_SHORT = {"1": "\\arabic*", "a": "\\alph*", "A": "\\Alph*", "i": "\\roman*", "I": "\\Roman*"}
_SHORT_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[{}]|[1aAiI]", re.DOTALL)
_THE = re.compile(r"\\theenum(i{1,3}|iv)(?![a-zA-Z@])")
_COUNTER = re.compile(r"\\usecounter\s*+\{\s*+([a-zA-Z@]++)\s*+\}")
_UNNUMBERED = frozenset({"itemize", "description", "itemize*", "description*"})


def label_macro(name: str, level: int) -> str:
    """The name of the macro that holds the label of a list at a level, from 1."""
    return f"label@{re.sub('[^a-zA-Z]', '@', name)}@{LEVELS[level - 1]}"


def split_options(options: str) -> list[str]:
    """Options at their commas; commas in groups do not count."""
    return split_outside(options, ",")


def given_label(options: str) -> str | None:
    """The label among the options of a list, without the braces around it."""
    for part in split_options(options):
        if match := _LABEL.match(part):
            label = part[match.end() :].strip()
            group = read_group(label, 0)
            return group.text if group and group.end == len(label) else label
    return None


def is_flag(option: str) -> bool:
    """Whether an option is a word such as ``resume*`` or ``noitemsep``, and not a short label such as ``(i)``."""
    word = option.removesuffix("*")
    return len(word) > 2 and word.isalpha() and word.islower() and word.isascii()


def long_label(short: str) -> str | None:
    """A label such as ``(i)`` or ``{A}.1``, with its counter written out; None if it may have several, or has none."""
    found, depth = [], 0
    for match in _SHORT_TOKEN.finditer(short):
        token = match.group()
        depth += (token == "{") - (token == "}")
        if depth == 0 and token in _SHORT:
            found.append(match)
    if len(found) != 1:
        return None
    return f"{short[: found[0].start()]}{_SHORT[found[0].group()]}{short[found[0].end() :]}"


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
