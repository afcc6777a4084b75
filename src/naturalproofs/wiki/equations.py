"""ProofWiki's equation templates as aligned LaTeX."""

from collections.abc import Mapping

OPENING = frozenset({"begin-eqn", "begin-equation", "begin-eqn2"})
ROW = frozenset({"eqn", "equation", "eqn2"})
CLOSING = frozenset({"end-eqn", "end-equation", "end-eqn2"})

BEGIN = "\n$$\\begin{aligned}\n"
END = "\n\\end{aligned}$$\n"


def row(fields: Mapping[str, str]) -> str:
    """Lay out one ``{{eqn}}``: left side, operator, right side, then the reason as text.

    Args:
        fields: The template's named arguments, already readable: ``n`` (number), ``ll``, ``l``, ``lo``, ``o``, ``ro``,
            ``r``, ``rr`` and ``c`` (the reason).
    """
    get = {name: " ".join(value.split()) for name, value in fields.items() if value.strip()}
    left = _joined(get.get("ll"), get.get("l"), get.get("lo"))
    right = _joined(get.get("ro"), get.get("r"), get.get("rr"))
    operator = get.get("o", "=" if right else "")
    text = f"{left} &{operator} {right}".strip()
    if "n" in get:
        text += f" & ({get['n']})"
    if "c" in get:
        # The reason has a column of its own, after the one of the numbers.
        text += ("" if "n" in get else " &") + rf" & \text{{{get['c']}}}"
    return text + r" \\"


def _joined(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)
