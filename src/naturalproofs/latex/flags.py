r"""Conditionals of the author: ``\newif\iflong`` with ``\longtrue`` or ``\longfalse``, and their values.

A value counts only if it is certain: set outside of macros and other conditionals, and not changed later.
"""

import re
from collections import defaultdict
from collections.abc import Mapping

_PIECE = re.compile(
    r"%[^\n]*+|\\newif\s*+\\if(?P<new>[a-zA-Z]++)(?![@])|\\begin\s*+\{(?P<document>document)\}"
    r"|\\let\s*+\\if(?P<let>[a-zA-Z]++)\s*+=?+\s*+\\if(?P<as>true|false)(?![a-zA-Z@])"
    r"|\\(?P<open>if(?!f(?![a-zA-Z@]))[a-zA-Z@]*+)|\\(?P<close>fi)(?![a-zA-Z@])"
    r"|\\(?P<set>[a-zA-Z]+?)(?P<to>true|false)(?![a-zA-Z@])|\\[a-zA-Z@]++|\\.|(?P<brace>[{}])",
    re.DOTALL,
)
_MATTERS = re.compile(r"\\newif|\\let\s*+\\if|\\[a-zA-Z]+?(?:true|false)(?![a-zA-Z@])")


class Flags:
    """Collects the conditionals of one document, file by file."""

    def __init__(self) -> None:
        """Start with none."""
        self._declared: set[str] = set()
        self._unknown: set[str] = set()
        self._values: defaultdict[str, list[tuple[int, bool]]] = defaultdict(list)
        """The settings of each, with the number of the file."""
        self._files = 0

    def add(self, text: str) -> None:
        """Add what a file declares and sets."""
        self._files += 1
        if not _MATTERS.search(text):
            return
        depth = conditions = 0
        in_document = False
        for match in _PIECE.finditer(text):
            if brace := match["brace"]:
                depth = depth + 1 if brace == "{" else max(0, depth - 1)
            elif match["document"]:
                in_document = True
            elif match["open"]:
                conditions += depth == 0
            elif match["close"]:
                conditions = max(0, conditions - (depth == 0))
            elif match["new"]:
                self._declared.add(match["new"])
            elif name := match["let"] or match["set"]:
                if match["let"]:
                    self._declared.add(name)
                if depth or conditions or in_document:
                    self._unknown.add(name)
                self._values[name].append((self._files, (match["as"] or match["to"]) == "true"))

    def values(self) -> Mapping[str, bool]:
        r"""The conditionals whose value is certain, by their names without the backslash."""
        certain = {name: self._values.get(name, []) for name in self._declared - self._unknown}
        return {f"if{name}": _value(settings) for name, settings in certain.items() if _is_certain(settings)}


def _is_certain(settings: list[tuple[int, bool]]) -> bool:
    """Whether all settings agree, or stand in one file, where the last one counts."""
    return len({value for _, value in settings}) < 2 or len({number for number, _ in settings}) < 2


def _value(settings: list[tuple[int, bool]]) -> bool:
    return settings[-1][1] if settings else False
