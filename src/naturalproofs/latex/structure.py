"""Which of a project's own macros matter: those that open, close, label or cite, directly or through others."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from naturalproofs.latex.macros import Macro
from naturalproofs.latex.pattern import either

_INTERNAL = re.compile(r"\\[a-zA-Z]*+@")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*+\{([^{}]*+)\}")
_COMMAND = re.compile(r"\\([a-zA-Z]++)")
_COMMENTED = re.compile(r"\s*+\\comment(?![a-zA-Z])")


def structural(macros: Mapping[str, Macro], environments: Collection[str], commands: Collection[str]) -> set[str]:
    """Names of the macros whose bodies use one of the environments or commands, or another such macro.

    Args:
        macros: Commands, by name with the backslash, and environments, by name.
        environments: The environments that matter.
        commands: The commands that matter, without the backslash.
    """
    uses: dict[str, set[str]] = {}
    found: set[str] = set()
    for name, macro in macros.items():
        code = macro.body + (macro.ending or "")
        # A package's inner workings cannot be followed without running TeX.
        if _INTERNAL.search(code):
            continue
        used = set(_COMMAND.findall(code))
        if used.intersection(commands) or any(one in environments for one in _ENVIRONMENT.findall(code)):
            found.add(name)
        uses[name] = used
    while more := {
        name for name, used in uses.items() if name not in found and any(f"\\{one}" in found for one in used)
    }:
        found |= more
    return found


def is_comment(macro: Macro) -> bool:
    """Whether an environment hides its text from the reader of the paper."""
    return bool(_COMMENTED.match(macro.body))


def as_environments(macro: Macro, environments: Iterable[str]) -> Macro:
    r"""Write ``\theorem`` and ``\endtheorem`` inside an environment's code as what they stand for."""
    names = tuple(sorted(name for name in environments if name.isalpha() and f"\\end{name}" in (macro.ending or "")))
    if not names:
        return macro
    begins = re.compile(rf"\\({either(names)})(?![a-zA-Z@])")
    ends = re.compile(rf"\\end({either(names)})(?![a-zA-Z@])")
    return replace(
        macro, body=begins.sub(r"\\begin{\1}", macro.body), ending=ends.sub(r"\\end{\1}", macro.ending or "")
    )
