"""The commands that texts define, for rendering."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from heapq import merge
from operator import attrgetter
from typing import NamedTuple

from naturalproofs.latex.display.list_labels import list_definitions
from naturalproofs.latex.display.symbols import BUILT_IN
from naturalproofs.latex.macros.branches import PACKAGE, Branched, Sign, signs
from naturalproofs.latex.macros.expl3.programs import Programs
from naturalproofs.latex.macros.flags import Flags
from naturalproofs.latex.macros.generated import (
    Makers,
    defining_aliases,
    makes_names,
    plain_definitions,
    without_aliases,
)
from naturalproofs.latex.macros.loops import may_loop, unroll
from naturalproofs.latex.macros.macro import DEFINITIONS, PRIMITIVE, Macro, Macros, defined_name, read_definition
from naturalproofs.latex.macros.packages import PACKAGES, asked_packages, loaded_packages
from naturalproofs.latex.scan.vocabulary import either

_DEFINITION = re.compile(rf"%[^\n]*+|\\({either(tuple(sorted(DEFINITIONS)))})(?![a-zA-Z@])\*?+")
_SPACING = re.compile(r"\\(?:[be]group|aftergroup|begingroup|endgroup)(?![a-zA-Z@])")


class _Found(NamedTuple):
    """A definition in a text."""

    start: int
    command: str
    macro: Macro
    is_nested: bool
    """Whether it stands in the code of another one, so that it holds only where that one is called."""

    def is_passed_over(self, known: Macros) -> bool:
        """Whether the definition changes nothing for the document: something else is known, or was there before."""
        if self.is_provided:
            return self.macro.name in known
        return self.is_nested and (self.is_again or self.macro.name in known or "#" in self.macro.body)

    @property
    def is_provided(self) -> bool:
        """Whether the command is defined only if it is not defined yet."""
        return self.command.startswith(("provide", "Provide"))

    @property
    def is_again(self) -> bool:
        """Whether the command was defined before."""
        return self.command.startswith(("renew", "Renew"))

    @property
    def has_other_meaning(self) -> bool:
        """Whether the command stands for something else where this definition is not read."""
        return self.is_again or (self.macro.name in BUILT_IN and not self.is_provided)


def read_macros(texts: Iterable[str], *, delimited: bool = False) -> dict[str, Macro]:
    r"""The commands that texts define; as in TeX, the last definition wins, unless it is a ``\providecommand``.

    Args:
        texts: LaTeX source. They are read several times; those of an iterator are held in memory.
        delimited: Also those whose arguments are not all understood; without it these are undecided.
    """
    if isinstance(texts, Iterator):
        texts = list(texts)
    branched = Branched(Macro.undecided)
    branched.found.update({} if delimited else _package_macros(tuple(loaded_packages(texts))))
    found, aliases = branched.found, dict[str, str]()
    names = {name: other for text in texts for name, other in defining_aliases(text).items()}
    programs, makers = Programs(texts), _makers(texts, names)
    packages = {f"{PACKAGE}{name}": loaded for name, loaded in asked_packages(texts).items()}
    flags = {**_flags(texts), **packages}
    for text in texts:
        plain = without_aliases(programs.plain(text), names)
        unrolled = unroll(plain, found) if may_loop(plain) else plain
        for one in _all_definitions(unrolled, flags, makers, delimited=delimited):
            if isinstance(one, Sign):
                branched.follow(one)
                continue
            name, other = one.macro.name, one.macro.body[1:] if one.command == "let" else ""
            # The same \let again is the preamble of another document, which begins with the old meaning.
            if one.is_passed_over(found) or (other and aliases.get(name) == other):
                continue
            aliases.pop(name, None)
            if other:
                aliases[name] = aliases.get(other, other)
            macro = _as_defined_now(one.macro, found) if other else one.macro
            branched.define(name, macro, again=one.has_other_meaning)
        branched.end()
    for name, other in aliases.items():
        target = found.get(other)
        if target is None or name not in found or found[name].body != f"\\{other}":
            continue
        if other not in aliases and _mentions(target.body, name) and _SPACING.search(target.body):
            # \let\oldleft\left, then \left with other space around \oldleft: they say the same.
            del found[other]
        elif other.isalpha():
            # \let\oldphi\phi, then \phi is something else, perhaps in terms of \oldphi.
            found[name] = Macro(name, (), f"\\{PRIMITIVE}{{{other}}}")
    return found


@cache
def _package_macros(names: tuple[str, ...]) -> Macros:
    return {one.macro.name: one.macro for name in names for one in _definitions(PACKAGES[name], delimited=False)}


def _flags(texts: Iterable[str]) -> Mapping[str, bool]:
    """The conditionals of the author whose value is certain."""
    flags = Flags()
    for text in texts:
        flags.add(text, in_document=False)
    return flags.values()


def _makers(texts: Iterable[str], names: Mapping[str, str]) -> Makers:
    """The macros of all texts that define others: a package may come after the document that loads it."""
    makers = Makers()
    for text in texts:
        if makes_names(text):
            plain = without_aliases(text, names)
            makers.add({one.macro.name: one.macro for one in _definitions(plain, delimited=True)})
    return makers


def _as_defined_now(alias: Macro, found: Macros) -> Macro:
    r"""What ``\let`` makes: a name that the author has defined already keeps its present meaning."""
    meant = found.get(alias.body[1:])
    if meant is None or _mentions(meant.body, alias.name):
        return alias
    return Macro.undecided(alias.name) if meant.is_undecided else replace(meant, name=alias.name)


def _mentions(body: str, name: str) -> bool:
    return re.search(rf"\\{re.escape(name)}(?![a-zA-Z@])", body) is not None


def _all_definitions(
    text: str, flags: Mapping[str, bool], makers: Makers, *, delimited: bool
) -> Iterator[_Found | Sign]:
    """The definitions of a text and the conditionals around them, and what the author's own defining macros make."""
    yield from _branched_definitions(plain_definitions(text), flags, delimited=delimited)
    yield from _definitions(list_definitions(text), delimited=delimited)
    if made := makers.definitions(text):
        yield from _branched_definitions(made, flags, delimited=delimited)


def _branched_definitions(text: str, flags: Mapping[str, bool], *, delimited: bool) -> Iterator[_Found | Sign]:
    conditionals: list[_Found | Sign] = list(signs(text, flags))
    yield from merge(_definitions(text, delimited=delimited), conditionals, key=attrgetter("start"))


def _definitions(text: str, *, delimited: bool) -> Iterator[_Found]:
    """The definitions that can be shown, those of environments left out."""
    outer = 0
    for match in _DEFINITION.finditer(text):
        if (command := match[1]) is None:
            continue
        start, (macro, end) = match.start(), read_definition(text, command, match.end())
        is_nested, outer = start < outer, max(outer, end)
        if macro is None or not (delimited or _is_simple(macro)):
            name = macro.name if macro else defined_name(text, command, match.end())
            if name and not is_nested and not delimited:
                yield _Found(start, command, Macro.undecided(name), is_nested)
            continue
        if macro.ending is not None:
            continue
        # A macro that mentions itself was defined in terms of an older one, which is not known here, or is a loop.
        if not _mentions(macro.body, macro.name) or "\\@ifnextchar" in macro.body:
            yield _Found(start, command, macro, is_nested)


def _is_simple(macro: Macro) -> bool:
    return all(one.kind != "processed" for one in macro.parameters)
