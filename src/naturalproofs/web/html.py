"""HTML as a value: text is escaped unless it is HTML already, so that nothing untrusted becomes markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

_VOID = frozenset({"input", "link", "meta", "br", "hr", "img"})


class Html(str):
    """Text that is markup already: made by `h`, or by one of the package's own renderers."""

    __slots__ = ()


Child: TypeAlias = "str | int | Iterable[Child] | None"
Attribute: TypeAlias = "str | int | float | bool | None"


def h(tag: str, *children: Child, **attributes: Attribute) -> Html:
    """An element.

    Args:
        tag: Its name.
        children: Text, which is escaped, elements, and lists of both; None is nothing.
        attributes: By name; a final underscore is dropped and other underscores are hyphens. False and None leave the
            attribute out, True writes its name alone.
    """
    head = f"<{tag}{''.join(_attribute(name, value) for name, value in attributes.items())}>"
    return Html(head if tag in _VOID and not children else f"{head}{join(children)}</{tag}>")


def join(children: Iterable[Child]) -> Html:
    """Several children as one piece of HTML."""
    return Html("".join(_child(child) for child in children))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return child
    if isinstance(child, str):
        return escape(child)
    if isinstance(child, int):
        return f"{child:,}"
    return join(child)


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    written = name.rstrip("_").replace("_", "-")
    return f" {written}" if value is True else f' {written}="{escape(str(value))}"'
