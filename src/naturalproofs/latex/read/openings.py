r"""How the beginnings of statements are read: titles, labels, numbers and keys behind ``\begin{…}``."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from naturalproofs.latex.macros.declarations import Declaration, first_key, key_values
from naturalproofs.latex.macros.expansion import expand_all, fill, read_arguments
from naturalproofs.latex.macros.macro import Macro
from naturalproofs.latex.read.works import titled_sources, without_citations
from naturalproofs.latex.scan.arguments import (
    REACH,
    plain_title,
    read_group,
    read_groups,
    read_option,
    without_switches,
)

_OVERLAY = re.compile(r"\s*+<[^<>\n]*+>")
_KEYS = frozenset({"name", "title", "note", "label", "restate", "store", "continues", "short-name", "short-title"})
"""Keys that the begin of a statement may have."""
_NUMBER = re.compile(r"[A-Z]?\d+(?:\.[A-Z]?\d+)*(?:\.?[a-z]|\([a-z]\))?|[A-Z](?:\.\d+)+")
_COLOUR = re.compile(r"(?:\b(?:col[a-z]*+|[a-z]*+color)\s*+=\s*+\{?+|\\[a-z]*+color\s*+\{)\s*+$")
_NEAR = 60
_LABEL = re.compile(r"\\label\s*+\{([^{}\\#]*+)\}")


def has_number(declared: Declaration | None, text: str, at: int) -> bool:
    r"""Whether a statement whose ``\begin{…}`` ends at `at` has a number: a float has one if it has a caption."""
    if declared is None or not declared.is_float:
        return True
    end = text.find(f"\\end{{{declared.name}}}", at, at + REACH)
    return text.find("\\caption", at, max(end, at)) >= 0


class Opening(NamedTuple):
    """What stands between the begin of a statement and its text: title and label, and where the text begins."""

    title: str
    label: str
    end: int
    restate: str = ""
    """The command that prints the statement again."""
    number: str = ""
    """The number, if the author gives it."""
    continues: bool = False
    """Whether it goes on with an earlier statement, and has its number."""
    sources: tuple[str, ...] = ()
    """The citations of other works in the title."""


def read_opening(text: str, at: int, declared: Declaration | None, *, starred: bool, restatable: bool) -> Opening:
    """Read the arguments of a statement's environment, whose ``\\begin{…}`` ends at `at`.

    Args:
        text: The text of the file.
        at: The end of ``\\begin{…}``.
        declared: How the environment was declared, if it was.
        starred: Whether the starred form is used; that of a box takes no label.
        restatable: Whether this is ``\\begin{restatable}``, which has the environment and a command as arguments.
    """
    at = skip_overlay(text, at)
    option = read_option(text, at)
    title, end, label = (option.text, option.end, "") if option else ("", at, "")
    if declared is not None and declared.prefix is not None:
        # A box takes its title and its label as arguments.
        groups = read_groups(text, end, 1 if starred else 2)
        label = key_values(title).get("label", "")
        if len(groups) == 2 and groups[1].text.strip():
            label = f"{declared.prefix}{groups[1].text.strip()}"
        return _opening(groups[0].text, label, groups[-1].end) if groups else Opening("", label, end)
    if declared is not None and declared.is_float:
        return Opening("", "", end)
    keys = key_values(title) if "=" in title else {}
    restate, continues = first_key(keys, "restate", "store"), "continues" in keys
    title, label = title_and_label(title)
    if declared is not None and declared.same_as and (config := read_option(text, end)):
        end = config.end
    if restatable and (groups := read_groups(text, end, 2)):
        end = groups[-1].end
    return _opening(title, label, end, restate)._replace(continues=continues)


def _opening(title: str, label: str, end: int, restate: str = "", number: str = "") -> Opening:
    """An opening whose title is plain text; the works that it cites are listed apart."""
    group = read_group(title, 0)
    title = group.text if group and not title[group.end :].strip() else title
    plain = plain_title(without_switches(without_citations(title)))
    return Opening(plain, label, end, restate, number, sources=titled_sources(title))


def title_and_label(option: str) -> tuple[str, str]:
    """The title and the label of a statement's option, which holds a title, or keys, or both."""
    keys = key_values(option) if "=" in option else {}
    if _KEYS.isdisjoint(keys):
        return option, ""
    title = first_key(keys, "name", "title", "note") or next((key for key, value in keys.items() if not value), "")
    # thmtools: [Short] comes before the title that is printed, or stands alone.
    short = read_option(title, 0)
    if short is not None:
        title = title[short.end :].strip() or short.text
    return title, keys.get("label", "")


def read_own_opening(macro: Macro, text: str, at: int, macros: Mapping[str, Macro]) -> Opening | None:
    """Read the arguments of a statement's environment that the project defines by itself, if they are there.

    Args:
        macro: The environment.
        text: The text of the file.
        at: The end of ``\\begin{…}``.
        macros: The commands of the project, which the code of the environment may use.
    """
    read = read_arguments(macro, text, skip_overlay(text, at))
    if read is None:
        return None
    arguments, end = read
    code = expand_all(fill(macro, arguments)[0], macros)
    found = _LABEL.search(code)
    label = found[1].strip() if found else key_values(code).get("label", "")
    named = (one for number, one in enumerate(arguments, 1) if one.start >= 0 and not _is_colour(macro.body, number))
    given = [argument.text.strip() for argument in named]
    titles = [title_and_label(one) for one in given if one not in ("", label, "TRUE", "FALSE")]
    label = label or next((key for _, key in titles if key), "")
    names = [title for title, _ in titles if title]
    number = next((one for one in names if _NUMBER.fullmatch(one)), "")
    return _opening(next((one for one in names if one != number), ""), label, end, number=number)


def _is_colour(code: str, number: int) -> bool:
    """Whether the code of an environment uses an argument as a colour, and for nothing else."""
    places = [match.start() for match in re.finditer(f"#{number}", code)]
    return bool(places) and all(_COLOUR.search(code[max(0, at - _NEAR) : at]) for at in places)


def skip_overlay(text: str, at: int) -> int:
    """The end of an overlay of beamer, such as ``<2->``, if one starts here."""
    overlay = _OVERLAY.match(text, at)
    return overlay.end() if overlay else at
