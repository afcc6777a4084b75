"""The order in which labels are offered: what the proof is likely to cite first, then what is near."""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass, replace

from naturalproofs.editor.cursor import Typing, keys_in
from naturalproofs.editor.view import View
from naturalproofs.errors import NaturalProofsError
from naturalproofs.records import Anchor, StatementId
from naturalproofs.workspace.library import Library
from naturalproofs.workspace.locating import Spot, locate
from naturalproofs.workspace.suggest import Suggestion, Suggestions

MOST = 100
"""How many are offered; typing on brings others."""
LIKELY = 60
"""How many are ranked by predicted use; the rest come by nearness."""
EXPLAINED = 20
"""How many are offered with reasons, which take longest to find."""
_BEGIN = re.compile(r"\\begin\s*\{([a-zA-Z]+\*?)\}")
_BACK = 6_000


@dataclass(frozen=True, slots=True)
class Offer:
    """A label that can be put in, with all that is known about it."""

    key: str
    """As it is written in this file."""
    label: str
    """Its name in the whole project."""
    anchor: Anchor
    fit: int = 0
    """How well it goes with what is typed; less is better."""
    probability: float | None = None
    why: str = ""


def offers(view: View, file: str, text: str, offset: int, typing: Typing) -> list[Offer]:
    """The labels that go with what is typed, the likeliest first.

    Args:
        view: The project.
        file: The path of the file inside the project.
        text: The file as the editor holds it.
        offset: The cursor.
        typing: What is typed; ``eqref`` wants equations.
    """
    line = text.count("\n", 0, offset) + 1
    here = _spot(view, file, line)
    likely = _likely(view, here, file, text, offset)
    prefix = view.shelf.citing(file).local.get(file, "")
    own = here.statement.label if here else ""
    likelihood = {item.statement.label: (rank, item) for rank, item in enumerate(likely.items if likely else ())}

    def order(offer: Offer) -> tuple[int, int, int, int, int]:
        rank, _ = likelihood.get(offer.label, (LIKELY, None))
        origin = offer.anchor.origin
        away = line - origin.line
        wanted = typing.command != "eqref" or offer.anchor.kind in ("equation", "item")
        return (not wanted, offer.fit, rank, (origin.path != file) * 2 + (away < 0), abs(away))

    fitting = [
        Offer(key, label, anchor, fit)
        for label, anchor in view.anchors.items()
        if anchor.kind not in ("bibliography", "external") and label != own
        if (key := label.removeprefix(prefix) if anchor.origin.path == file else label) not in typing.keys
        if (fit := _fit(view, key, label, typing.typed.casefold())) is not None
    ]
    best = heapq.nsmallest(MOST, fitting, key=order)
    return [_explained(offer, likelihood.get(offer.label, (0, None))[1]) for offer in best]


def _fit(view: View, key: str, label: str, typed: str) -> int | None:
    """How a label goes with what is typed: its key begins so, or holds it, or its title does; or not at all."""
    if key.casefold().startswith(typed):
        return 0
    if typed in key.casefold():
        return 1
    statement = view.statement(label)
    titled = statement is not None and statement.label == label and typed in statement.title.casefold()
    return 2 if titled else None


def _explained(offer: Offer, item: Suggestion | None) -> Offer:
    if item is None:
        return offer
    why = "; ".join(item.why[:2])
    return replace(offer, probability=item.probability, why=why)


def _spot(view: View, file: str, line: int) -> Spot | None:
    try:
        return locate(view.shelf, f"{file}:{line}", view.root / file)
    except NaturalProofsError:
        return None


def _likely(view: View, here: Spot | None, file: str, text: str, offset: int) -> Suggestions | None:
    library = Library((view.shelf,))
    try:
        if here is not None:
            cited = _cited(view, file, text, offset)
            return library.suggest(here.statement, k=LIKELY, cited=cited, explained=EXPLAINED)
        written = _written(text, offset)
        return library.suggest(written, k=LIKELY, here=file, explained=EXPLAINED) if written else None
    except NaturalProofsError:
        # A method that cannot answer here leaves the order of nearness.
        return None


def _cited(view: View, file: str, text: str, offset: int) -> list[StatementId]:
    """What the proof cites before the cursor, as the editor holds it: the view may be older."""
    window = text[max(0, offset - _BACK) : offset]
    begun = [match.start() for match in _BEGIN.finditer(window) if match[1] == "proof"]
    keys = keys_in(window[begun[-1] :]) if begun else []
    found = [view.statement(view.absolute(file, key)) for key in keys]
    return [statement.id for statement in found if statement is not None]


def _written(text: str, offset: int) -> str:
    """What stands before the cursor since the last environment began: a theorem too new to be known."""
    window = text[max(0, offset - _BACK) : offset]
    begun = [match.start() for match in _BEGIN.finditer(window)]
    return window[begun[-1] :] if begun else window[-1_000:]
