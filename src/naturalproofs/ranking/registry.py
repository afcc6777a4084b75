"""Methods by name: ``bm25(k1=0.9)`` reads the same in code, on the command line, in files and in tables.

Methods register through the entry point group ``naturalproofs.rankers``, ours included, so that another package's
method appears in every table.
"""

from __future__ import annotations

import ast
from dataclasses import fields, is_dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any, cast

from naturalproofs.errors import UnknownName
from naturalproofs.ranking.contract import Ranker

GROUP = "naturalproofs.rankers"


@lru_cache(maxsize=1)
def ranker_names() -> tuple[str, ...]:
    """All registered methods."""
    return tuple(sorted(point.name for point in entry_points(group=GROUP)))


def ranker_class(name: str) -> type[Ranker]:
    """The class behind a name."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            return cast(type[Ranker], point.load())
    raise UnknownName(f"no method is called {name!r}; there are: {', '.join(ranker_names())}")


def parse_ranker(text: str) -> Ranker:
    """A method from its printed form: a name, or a name with settings in parentheses."""
    try:
        node = ast.parse(text.strip().replace("-", "_"), mode="eval").body
    except SyntaxError as error:
        raise UnknownName(f"{text!r} is not a method; write a name or name(setting=value)") from error
    call = node if isinstance(node, ast.Call) else None
    head = call.func if call else node
    if not isinstance(head, ast.Name) or (call and call.args):
        raise UnknownName(f"{text!r} is not a method; write a name or name(setting=value)")
    name = head.id.replace("_", "-")
    kind = ranker_class(name)
    known: set[str] = {field.name for field in fields(kind)} if is_dataclass(kind) else set()
    settings: dict[str, Any] = {}
    for keyword in call.keywords if call else []:
        if keyword.arg is None or keyword.arg not in known:
            raise UnknownName(f"{name} has no setting {keyword.arg!r}; it has: {', '.join(sorted(known)) or 'none'}")
        try:
            settings[keyword.arg] = ast.literal_eval(keyword.value)
        except ValueError as error:
            raise UnknownName(f"{text!r}: {keyword.arg} must be a number, a text or a tuple") from error
    return kind(**settings)


def ranker_spec(ranker: Ranker) -> str:
    """The printed form of a method, settings that differ from the default only; a trained model has its own."""
    own = getattr(ranker, "spec", None)
    if isinstance(own, str):
        return own
    kind = type(ranker)
    name = next((point.name for point in entry_points(group=GROUP) if point.load() is kind), kind.__name__.lower())
    if not is_dataclass(ranker):
        return name
    default = kind()
    changed = [f for f in fields(ranker) if getattr(ranker, f.name) != getattr(default, f.name)]
    settings = ", ".join(f"{f.name}={getattr(ranker, f.name)!r}" for f in changed)
    return f"{name}({settings})" if settings else name
