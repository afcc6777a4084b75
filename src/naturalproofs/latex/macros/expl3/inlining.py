"""Puts the author's functions into the bodies of commands for documents, so that each body stands for itself."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from naturalproofs.latex.macros.expl3.loops import INLINE
from naturalproofs.latex.macros.expl3.machine import NotUnderstood, State, Stream, Tokens, Value
from naturalproofs.latex.macros.expl3.tokens import is_internal, substituted
from naturalproofs.latex.macros.expl3.values import braced, joined
from naturalproofs.latex.macros.expl3.variables import VARIABLES

_BUDGET = 20_000
"""How many tokens the body of one command may take."""
_LONGEST_VALUE = 2_000
_DEEPEST = 8


class Inliner:
    """Works on the bodies of one project, with the functions and variables that its programs leave behind."""

    def __init__(self, state: State) -> None:
        """Bind what the programs have defined."""
        self._state = state
        self._changed: set[str] = set()
        self._emptied: set[str] = set()

    def body(self, tokens: Sequence[str]) -> Tokens | None:
        """A body with the author's functions put in; None if that does not end."""
        if not any(map(is_internal, tokens)):
            return list(tokens)
        try:
            return self._inlined(Stream(tokens, _BUDGET), 0)
        except NotUnderstood:
            return None

    def _inlined(self, stream: Stream, level: int) -> Tokens:
        """What is in a stream, which stands inside of so many loops."""
        if level > _DEEPEST:
            raise NotUnderstood("loops are nested too deeply")
        found: Tokens = []
        while stream:
            token = stream.take()
            if token == "\\mathpalette" and is_internal(stream.peek()):
                # The function gets the size of the formula, which is of no account here, and the formula.
                stream.put_back([stream.take(), "{", "}"])
                continue
            name = token[1:] if is_internal(token) else ""
            base, _, letters = name.partition(":")
            function = self._state.functions.get(name)
            if function is not None and not set(letters) - set("nNTF"):
                arguments = [stream.group() for _ in range(function.parameters)]
                stream.put_back(substituted(function.body, arguments, level))
            elif base in INLINE and not set(letters) - set("nNcV"):
                given = [stream.group() for _ in letters]
                inner = Stream(given[-1], stream.budget)
                found += [token, *joined(map(braced, given[:-1])), *braced(self._inlined(inner, level + 1))]
                stream.budget = inner.budget
            else:
                found.append(token)
        return found

    def note_assignments(self, bodies: Iterable[Sequence[str]]) -> None:
        """Note the variables that hold something else after a call: a body sets them and does not empty them."""
        for body in bodies:
            last = {after: token for token, after in pairwise(body) if _setter(token) in VARIABLES}
            self._changed.update(name for name, token in last.items() if not _setter(token).endswith(("clear", "zero")))
            self._emptied.update(last)

    def constants(self, body: Sequence[str]) -> Tokens:
        """Code that sets the variables which a body uses, as they are before each call; the others are not known."""
        used = dict.fromkeys(token for token in body if is_internal(token) and token not in self._changed)
        values = ((token, self._state.variables.get(token[1:])) for token in used)
        return joined(_setting(token, value) for token, value in values if not (value and token in self._emptied))


def _setter(token: str) -> str:
    """The name without signature of a function."""
    return token[1:].partition(":")[0] if is_internal(token) else ""


def _setting(name: str, value: Value | None) -> Tokens:
    """Code that sets a variable."""
    if isinstance(value, bool):
        return [f"\\bool_set_{'true' if value else 'false'}:N", name]
    if isinstance(value, int):
        return ["\\int_set:Nn", name, *braced(list(str(value)))]
    if isinstance(value, tuple):
        code = ["\\clist_set:Nn", name, *braced(joined(map(braced, value), (",",)))]
    elif isinstance(value, list):
        code = ["\\tl_set:Nn", name, *braced(value)]
    elif isinstance(value, dict):
        entries = ([*braced(list(key)), "=", *braced(held)] for key, held in value.items())
        code = ["\\prop_set_from_keyval:Nn", name, *braced(joined(entries, (",",)))]
    else:
        return []
    return code if len(code) < _LONGEST_VALUE else []
