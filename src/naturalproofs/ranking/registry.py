"""Methods by name: ``bm25(k1=0.9)`` reads the same in code, on the command line, in files and in tables.

Methods register through entry points, ours included, so that another package's method appears in every table: rankers
in the group ``naturalproofs.rankers``, generators of sequences in ``naturalproofs.generators``. The registration names
a method; only the method that is asked for is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from naturalproofs.errors import BadSettings, UnknownName
from naturalproofs.ranking.contract import Ranker


@dataclass(frozen=True, slots=True)
class Registry:
    """The methods of one entry point group."""

    group: str
    word: str
    """What messages call one of them."""

    def names(self) -> tuple[str, ...]:
        """All registered names."""
        return tuple(sorted(point.name for point in _points(self.group)))

    def kind(self, name: str) -> type[Any]:
        """The class behind a name."""
        for point in _points(self.group):
            if point.name == name:
                return cast(type[Any], point.load())
        raise UnknownName(f"no {self.word} is called {name!r}; there are: {', '.join(self.names())}")

    def parse(self, text: str) -> Any:
        """A method from its printed form: a name, or a name with settings in parentheses."""
        wrong = f"{text!r} is not a {self.word}; write a name or name(setting=value)"
        try:
            node = ast.parse(_python_name(text), mode="eval").body
        except SyntaxError as error:
            raise UnknownName(wrong) from error
        call = node if isinstance(node, ast.Call) else None
        head = call.func if call else node
        if not isinstance(head, ast.Name) or (call and call.args):
            raise UnknownName(wrong)
        name = head.id.replace("_", "-")
        kind = self.kind(name)
        known: set[str] = {field.name for field in fields(kind)} if is_dataclass(kind) else set()
        settings: dict[str, Any] = {}
        for keyword in call.keywords if call else []:
            if keyword.arg is None or keyword.arg not in known:
                has = ", ".join(sorted(known)) or "none"
                raise UnknownName(f"{name} has no setting {keyword.arg!r}; it has: {has}")
            try:
                settings[keyword.arg] = ast.literal_eval(keyword.value)
            except ValueError as error:
                raise UnknownName(f"{text!r}: {keyword.arg} must be a number, a text or a tuple") from error
        check_settings(kind, settings)
        return kind(**settings)

    def spec(self, method: object) -> str:
        """The printed form of a method: its name and the settings that differ from the default."""
        own = getattr(method, "spec", None)
        if isinstance(own, str):
            return own
        kind: type[Any] = type(method)
        name = self._name(kind)
        if not is_dataclass(method):
            return name
        default = kind()
        changed = [f for f in fields(method) if getattr(method, f.name) != getattr(default, f.name)]
        settings = ", ".join(f"{f.name}={getattr(method, f.name)!r}" for f in changed)
        return f"{name}({settings})" if settings else name

    def _name(self, kind: type[Any]) -> str:
        """The registered name of a class, without importing other methods."""
        for point in _points(self.group):
            # A package may register a class under the package's own name and define it in one of its modules.
            if point.attr == kind.__qualname__ and f"{kind.__module__}.".startswith(f"{point.module}."):
                return point.name
        return kind.__name__.lower()


def check_settings(kind: type[Any], settings: Mapping[str, Any]) -> None:
    """Refuse settings that are not of the kind of their default: a number, a text, or several values."""
    defaults = kind()
    for name, value in settings.items():
        default = getattr(defaults, name)
        for types, word in (((bool, int, float), "a number"), ((str,), "a text in quotes"), ((tuple, list), "a tuple")):
            if isinstance(default, types) and not isinstance(value, types):
                raise BadSettings(f"{name}={value!r}: must be {word}, as in {name}={default!r}")


FUSION = "fusion"
"""The default classical method."""
FUSION_RECENCY = "fusion(parts=('tfidf', 'bm25', 'neighbours', 'recency(half=5)'), weights=(1.0, 1.0, 0.4, 0.4))"
"""The default classical method where the place of statements is visible."""

RANKERS = Registry("naturalproofs.rankers", "method")
GENERATORS = Registry("naturalproofs.generators", "generator")


def ranker_names() -> tuple[str, ...]:
    """All registered rankers."""
    return RANKERS.names()


def parse_ranker(text: str) -> Ranker:
    """A ranker from its printed form."""
    return cast(Ranker, RANKERS.parse(text))


def ranker_spec(ranker: Ranker) -> str:
    """The printed form of a ranker."""
    return RANKERS.spec(ranker)


@lru_cache(maxsize=8)
def _points(group: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def _python_name(text: str) -> str:
    """The text with the hyphens of the method's name, but not of its settings, replaced by underscores."""
    head, bracket, rest = text.strip().partition("(")
    return head.replace("-", "_") + bracket + rest
