r"""Macros that are decided while a text is scanned: those that print nothing of an argument, and constants."""

import re
from collections.abc import Collection, Mapping

from naturalproofs.latex.macros.macro import Macro
from naturalproofs.latex.scan.vocabulary import ASKING_FLAGS, COMPARING, Unused

_ONLY_IF = re.compile(r"\\(if[a-zA-Z]++)\s*+#\d\s*+\\fi(?![a-zA-Z@])")
_CONSTANT = re.compile(r"[a-zA-Z0-9]{1,40}+")
NO_FLAGS: Mapping[str, bool] = {}
_NOTHING = re.compile(r"(?:\s|%[^\n]*+\n|\\(?:relax|ignorespaces|unskip|ignorespacesafterend)(?![a-zA-Z@]))*+")
"""Code that prints nothing."""


def unused_arguments(
    commands: Mapping[str, Macro], redefined: Collection[str] = (), flags: Mapping[str, bool] = NO_FLAGS
) -> dict[str, Unused]:
    r"""Macros that leave arguments out, as ``\newcommand{\ignore}[1]{}`` does.

    Args:
        commands: The macros by name.
        redefined: Those that stand for different things in one document.
        flags: The conditionals whose value is known.
    """
    found: dict[str, Unused] = {}
    flags = {"iffalse": False, **flags}
    for name, macro in commands.items():
        kinds = [one.kind for one in macro.parameters]
        has_option = kinds[:1] == ["option"]
        if not name.isalpha() or name in redefined or set(kinds[has_option:]) != {"group"}:
            continue
        body = _ONLY_IF.sub(lambda match: match[0] if flags.get(match[1], True) else "", macro.body)
        unused = tuple(kind == "group" and f"#{number}" not in body for number, kind in enumerate(kinds, 1))
        if any(unused):
            found[name] = Unused(unused, has_option, _NOTHING.fullmatch(body) is not None)
    return found


def constants(commands: Mapping[str, Macro], redefined: Collection[str]) -> dict[str, str]:
    r"""Macros that stand for a word or a number all over a document: ``\def\full{1}``."""
    plain = (macro for name, macro in commands.items() if name not in redefined)
    return {macro.name: macro.body for macro in plain if not macro.parameters and _CONSTANT.fullmatch(macro.body)}


def asking_words(flags: Collection[str], constants: Collection[str]) -> frozenset[str]:
    """The conditionals that may be decided in a document with these flags and constants."""
    asking = ASKING_FLAGS if flags or constants else frozenset[str]()
    return asking.union(filter(str.isalpha, flags), COMPARING if constants else ())
