r"""Conditionals of the author: ``\newif\iflong`` with ``\longtrue``, ``\newtoggle`` and ``\newbool``, and their values.

A value counts only if it is certain: set in the preamble, outside of macros and other conditionals, and not asked for
by other means.
"""

import re
from collections import defaultdict
from collections.abc import Mapping

from naturalproofs.latex.scan.vocabulary import TOGGLE

_NAME = r"\{{\s*+(?P<{0}>(?:[^{{}}\\%\s]|\s++(?!\}}))*+)\s*+\}}"
_PIECE = re.compile(
    r"%[^\n]*+|\\newif\s*+\\if(?P<new>[a-zA-Z]++)(?!@)|\\begin\s*+\{(?P<document>document)\}"
    r"|\\(?:new|provide)(?P<declare>bool(?:ean)?+|toggle)\s*+" + _NAME.format("declared") +
    r"|\\set(?P<assign>bool(?:ean)?+|toggle)\s*+" + _NAME.format("assigned") +
    r"\s*+\{\s*+(?P<value>(?:[^{}\s]|\s++(?!\}))*+)\s*+\}"
    r"|\\(?P<turn>bool|toggle)(?P<state>true|false)\s*+" + _NAME.format("turned") +
    r"|\\let\s*+\\if(?P<let>[a-zA-Z]++)\s*+=?+\s*+\\(?P<as>[a-zA-Z@]++)"
    r"|\\(?:[gex]?def|(?:re)?newcommand\*?+)\s*+\{?+\s*+\\if(?P<defined>[a-zA-Z]++)(?!@)"
    r"|\\csname\s*+(?P<named>[a-zA-Z]+?)(?:true|false)\s*+\\endcsname|\.is if\s*+=\s*+(?P<key>[a-zA-Z]++)"
    r"|\\(?P<open>if(?!f(?![a-zA-Z@]))[a-zA-Z@]*+)(?:(?<=ifx)\s*+(?:\\(?!if)[a-zA-Z@]++\s*+)?\\if(?P<asked>[a-zA-Z]++)"
    r"|(?<=ifdefined)\s*+\\if(?P<queried>[a-zA-Z]++))?+|\\(?P<close>fi)(?![a-zA-Z@])"
    r"|\\(?P<set>[a-zA-Z]+?)(?P<to>true|false)(?![a-zA-Z@])|\\[a-zA-Z@]++|\\.|(?P<brace>[{}])",
    re.DOTALL,
)  # fmt: skip
_MATTERS = re.compile(
    r"\\newif|\\let\s*+\\if|(?<=[a-zA-Z])(?:true|false)(?![a-zA-Z@])|\\(?:new|provide|set)(?:bool|toggle)"
    r"|\\ifx\s*+(?:\\[a-zA-Z@]++\s*+)?\\if|\\ifdefined\s*+\\if|\.is if"
)
"""Text without any of this is not looked at."""
_BY_LET = {"iftrue": True, "iffalse": False}


class Flags:
    """Collects the conditionals of one document, file by file."""

    def __init__(self) -> None:
        """Start with none."""
        self._declared: set[str] = set()
        self._unknown: set[str] = set()
        self._values: defaultdict[str, list[tuple[int, bool]]] = defaultdict(list)
        """The settings of each, with the number of the file."""
        self._files = 0
        self._known: Mapping[str, bool] | None = None

    def add(self, text: str, *, in_document: bool) -> None:
        """Add what a file declares and sets.

        Args:
            text: The text of the file.
            in_document: Whether the file is read after the preamble.
        """
        self._files += 1
        if not _MATTERS.search(text):
            return
        self._known = None
        depth = conditions = 0
        for match in _PIECE.finditer(text):
            if brace := match["brace"]:
                depth = depth + 1 if brace == "{" else max(0, depth - 1)
            elif match["document"]:
                in_document = True
            elif match["open"]:
                conditions += depth == 0
                self._doubt(match["asked"] or match["queried"])
            elif match["close"]:
                conditions = max(0, conditions - (depth == 0))
            else:
                self._doubt(match["defined"] or match["named"] or match["key"])
                self._piece(match, certain=not (depth or conditions or in_document))

    def _doubt(self, name: str | None) -> None:
        if name:
            self._unknown.add(name)

    def _piece(self, match: re.Match[str], *, certain: bool) -> None:
        """Note one declaration or setting."""
        value: bool | None = None
        if name := match["new"] or _named(match["declare"], match["declared"]):
            self._declared.add(name)
        elif name := match["let"]:
            self._declared.add(name)
            value = _BY_LET.get(match["as"])
            certain = certain and value is not None
        elif name := _named(match["assign"], match["assigned"]):
            value = {"true": True, "false": False}.get(match["value"])
            certain = certain and value is not None
        elif name := _named(match["turn"], match["turned"]):
            value = match["state"] == "true"
        elif name := match["set"]:
            value = match["to"] == "true"
        if name and not certain:
            self._unknown.add(name)
        elif name and value is not None:
            self._values[name].append((self._files, value))

    def values(self) -> Mapping[str, bool]:
        r"""The conditionals whose value is certain, by their names without the backslash, and toggles as `TOGGLE`."""
        if self._known is None:
            certain = {name: self._values.get(name, []) for name in sorted(self._declared - self._unknown)}
            self._known = {
                name if name.startswith(TOGGLE) else f"if{name}": settings[-1][1] if settings else False
                for name, settings in certain.items()
                if _is_certain(settings)
            }
        return self._known


def _named(kind: str | None, name: str | None) -> str:
    return "" if not name else TOGGLE + name if kind == "toggle" else name


def _is_certain(settings: list[tuple[int, bool]]) -> bool:
    """Whether all settings agree, or stand in one file, where the last one counts."""
    return len({value for _, value in settings}) < 2 or len({number for number, _ in settings}) < 2
