"""Commands of packages with forms of their own, written in terms of other commands: derivatives, brackets, indices."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

_ORDER = re.compile(r"\s*(?:order\s*=\s*)?\{?([^{}=]*)\}?\s*")
_INDEX = re.compile(r"\s*([\^_])\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-zA-Z]+|[^\s{}\\])")
_NUMBER = re.compile(r"\s*([-+]?[\d.,\s]*\d)?\s*(?:[eE]([-+]?\d+))?\s*")


class Call(NamedTuple):
    """A command as it is called."""

    starred: bool
    option: str | None
    groups: tuple[str, ...]
    written: str
    """The star, the option and the groups."""


class Made(NamedTuple):
    """LaTeX that says the same, and how many of the groups it uses."""

    text: str
    groups: int


Rewrite = Callable[[Call], Made | None]


def _derivative(sign: str, *, most: int = 2) -> Rewrite:
    r"""``\dv{f}{x}``, ``\dv{x}``, ``\pdv[2]{f}{x}``, ``\pdv{f}{x}{y}``, ``\pdv[order={2,1}]{f}{x,y}``."""

    def rewrite(call: Call) -> Made | None:
        groups = call.groups[:most]
        option = _ORDER.fullmatch(call.option or "")
        if not groups or option is None:
            return None
        function, names = (groups[0], groups[1:]) if len(groups) > 1 else ("", groups)
        variables = [name.strip() for name in (names[0].split(",") if len(names) == 1 else names)]
        orders = [one.strip() for one in option[1].split(",")] if option[1].strip() else []
        if len(orders) not in (0, len(variables)) or not all(variables):
            return None
        total = _total(orders or ["1"] * len(variables))
        if total is None:
            return None
        power = f"^{{{total}}}" if total != "1" else ""
        below = "\\,".join(
            f"{sign} {name}{f'^{{{order}}}' if order != '1' else ''}"
            for name, order in zip(variables, orders or ["1"] * len(variables), strict=True)
        )
        return Made(f"\\frac{{{sign}{power} {function}}}{{{below}}}", len(groups))

    return rewrite


def _total(orders: list[str]) -> str | None:
    """The sum of orders; a single one may be a letter."""
    if len(orders) == 1:
        return orders[0]
    return str(sum(map(int, orders))) if all(order.isdecimal() and len(order) < 4 for order in orders) else None


def _braket(call: Call) -> Made | None:
    r"""``\braket{a}{b}`` and ``\braket{a}`` of physics; the package braket has one group with a bar in it."""
    if not call.groups:
        return None
    if len(call.groups) == 1 and "|" in call.groups[0]:
        return Made(f"\\langle {call.groups[0]}\\rangle ", 1)
    left, right = call.groups[0], call.groups[1] if len(call.groups) > 1 else call.groups[0]
    return Made(f"\\langle {left}|{right}\\rangle ", 2)


def _ketbra(call: Call) -> Made | None:
    if not call.groups:
        return None
    return Made(f"|{call.groups[0]}\\rangle\\langle {call.groups[1 if len(call.groups) > 1 else 0]}|", 2)


def _expectation(call: Call) -> Made | None:
    if not call.groups:
        return None
    if len(call.groups) == 1:
        return Made(f"\\langle {call.groups[0]}\\rangle ", 1)
    return Made(f"\\langle {call.groups[1]}|{call.groups[0]}|{call.groups[1]}\\rangle ", 2)


def _tensor(call: Call) -> Made | None:
    r"""``\tensor{T}{^a_b}``: each index stands behind the one before it."""
    base, groups = ("", 1) if len(call.groups) == 1 else (call.groups[0] if call.groups else "", 2)
    indices = call.groups[groups - 1] if len(call.groups) >= groups else ""
    parts, at = [], 0
    while match := _INDEX.match(indices, at):
        parts.append(f"{{}}{match[1]}{match[2]}")
        at = match.end()
    if not parts or indices[at:].strip() or call.option is not None:
        return None
    if call.starred:
        return Made(f"{{{base}}}{_stacked(parts)}", groups)
    return Made(f"{{{base}}}" + "".join(parts).removeprefix("{}"), groups)


def _stacked(parts: list[str]) -> str:
    """Indices above and below one another."""
    rows = {sign: "".join(part[3:] for part in parts if part[2] == sign) for sign in "_^"}
    return "".join(f"{sign}{{{row}}}" for sign, row in rows.items() if row)


def _number(call: Call) -> Made | None:
    r"""``\num{1.5e3}``; what is not a plain number stays."""
    match = _NUMBER.fullmatch(call.groups[0]) if call.groups and call.option is None else None
    if match is None or not (match[1] or match[2]):
        return None
    digits = "".join((match[1] or "").split()).replace(",", ".")
    power = f"10^{{{match[2]}}}" if match[2] else ""
    return Made(digits + ("\\times " if digits and power else "") + power, 1)


def _angle(call: Call) -> Made | None:
    r"""``\ang{1;2;3}``: degrees, minutes and seconds."""
    parts = call.groups[0].split(";") if call.groups and call.option is None else []
    if not parts or len(parts) > 3 or not all(re.fullmatch(r"[-+\d.,\s]*", part) for part in parts):
        return None
    signs = ("\\degree ", "'", "''")
    return Made("".join(f"{part.strip()}{sign}" for part, sign in zip(parts, signs, strict=False) if part.strip()), 1)


def _evaluated(call: Call) -> Made | None:
    r"""``\eval{f}_0^1``; ``\eval[f|`` is another form."""
    return Made(f"\\left.{call.groups[0]}\\right|", 1) if call.groups and call.option is None else None


def _general_fraction(call: Call) -> Made | None:
    r"""``\genfrac{(}{)}{0pt}{}{n}{k}``: brackets, the thickness of the line, the size, and the two parts."""
    if len(call.groups) < 6:
        return None
    left, right, line, _, top, bottom = call.groups[:6]
    inside = f"{{{{{top}}}\\atop {{{bottom}}}}}" if line.strip().startswith("0") else f"\\frac{{{top}}}{{{bottom}}}"
    if not left.strip() and not right.strip():
        return Made(inside, 6)
    return Made(f"\\left{left.strip() or '.'} {inside}\\right{right.strip() or '.'} ", 6)


REWRITTEN: Mapping[str, Rewrite] = {
    "genfrac": _general_fraction,
    "odv": _derivative("\\mathrm{d}"),
    "pdv": _derivative("\\partial", most=3),
    "physicsderivative": _derivative("\\mathrm{d}"),
    "functionalderivative": _derivative("\\delta"),
    "physicsbraket": _braket,
    "physicsketbra": _ketbra,
    "physicsexpectation": _expectation,
    "packagetensor": _tensor,
    "physicsevaluated": _evaluated,
    "packagenumber": _number,
    "packageangle": _angle,
}
"""By the name of the command; those of packages that others use differently have a name of their own here."""
_PREFIXES = ("physics", "package", "functional")
INTERNAL = (
    "physicsquantity",
    "physicsbra",
    "physicsmatrix",
    "physicsfunction",
    "physicspart",
    *(name for name in REWRITTEN if name.startswith(_PREFIXES)),
)
"""The names that stand for commands of packages here, with the name in LaTeX as their first argument."""
