"""Formulas as one line of Unicode text.

The text says what the formula says: structure that signs alone would lose is written out with brackets or a name, and
what is not understood is shown as source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, TypeAlias

from naturalproofs.latex.display.grid import GRIDS
from naturalproofs.latex.display.nodes import (
    Accent,
    Arrow,
    Bracket,
    Diagram,
    Fence,
    Fraction,
    Function,
    Grid,
    Inline,
    Large,
    Letter,
    Node,
    Number,
    Operator,
    Root,
    Row,
    Scripts,
    Source,
    Space,
    Stacked,
    Words,
    Wrapped,
)

_COMMAND_LAST = re.compile(r"\\[a-zA-Z]+$")
_SUPERS = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθ∗*′",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿ**′",
        strict=True,
    )
)
_SUBS = dict(zip("0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True))
_MARKS = {
    "tilde": "\u0303", "widetilde": "\u0303", "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304",
    "overline": "\u0304", "acute": "\u0301", "grave": "\u0300", "check": "\u030c", "widecheck": "\u030c",
    "breve": "\u0306", "dot": "\u0307", "ddot": "\u0308", "dddot": "\u20db", "vec": "\u20d7", "mathring": "\u030a",
    "overrightarrow": "\u20d7", "overleftarrow": "\u20d6", "underline": "\u0332", "underbar": "\u0332",
}  # fmt: skip
"""What is put over or under one letter; over several it would be over the last alone."""
_BINARY = frozenset("+-−±∓×÷∗*⋆∘•⋅∩∪⊎⊓⊔∨∧∖≀⋄⨿⊕⊖⊗⊘⊙◯†‡⋉⋊⊠⊞⋎⋏◃▹△▽⋒⋓⨝⊼⊻⋇∔⊛⊚⊝⋌⋋")
_PUNCTUATION = frozenset(",;.")
_ORDINARY = frozenset("!?%#_$&°¬√")
_OPENING, _CLOSING = frozenset("([{⟨⌊⌈⟦⌜⌞⟮"), frozenset(")]}⟩⌋⌉⟧⌝⌟⟯")
_ONE = re.compile(r"\w[\u0300-\u036f\u20d0-\u20f0]*|\S")
_LETTER_LAST = re.compile(r"\w[\u0300-\u036f\u20d0-\u20f0′]*$")
_ROOT_LAST = re.compile(r"√\w+$")
_CALL = re.compile(r"\w+\([^()\s]*\)")
_LINE_JOINT = re.compile(r"[=≤≥<>≡≅≃∼≈⊂⊆⊃⊇→⟶⟹⇒⟺⇔∈+\-−]")

Role: TypeAlias = Literal[
    "ordinary", "binary", "relation", "punctuation", "opening", "closing", "function", "large", "space"
]

_ENDINGS = frozenset({"th", "st", "nd", "rd", "s"})
_NO_OPERAND = ("binary", "relation", "punctuation", "opening", "large", "function")


def unicode_text(tree: Node, text: Callable[[Inline], str]) -> str:
    """One line for a whole formula; `text` writes the text inside it."""
    return " ".join(_Writer(text).write(tree).split())


class _Writer:
    def __init__(self, text: Callable[[Inline], str]) -> None:
        self.text = text
        self.tight = False

    def write(self, node: Node | None) -> str:
        match node:
            case None:
                return ""
            case Letter(text) | Number(text) | Source(text):
                return text
            case Operator(sign, role):
                return {"colon": ":", "mid": "|"}.get(role, "−" if sign == "-" else sign)
            case Bracket(sign) | Large(sign):
                return sign
            case Function(name):
                return name
            case Words(parts):
                return "".join(map(self.text, parts))
            case Space(width):
                return "" if width.startswith("-") or (self.tight and width < "0.25") else " "
            case Row(children):
                return self._row(children)
            case Scripts(base, below, above, primes):
                lower, upper = self._script("_", below), self._script("^", above)
                if lower.startswith("_") and upper == "*":
                    upper = "^*"  # T_p̄* would read as if the star were part of the subscript.
                return self._base(base) + lower + _primes(primes) + upper
            case Diagram():
                return "[diagram]"
            case Fraction(top, bottom, "choose"):
                return f"binom({self.write(top)}, {self.write(bottom)})"
            case Fraction(top, bottom, "atop"):
                return f"{self.write(top)}; {self.write(bottom)}"
            case Fraction(top, bottom):
                return f"{self._operand(top)}/{self._operand(bottom)}"
            case Root(inner, index):
                body = self.write(inner)
                radicand = body if _ONE.fullmatch(body) or body.isdigit() else f"({body})"
                return f"{_scripted('^', self._tightly(index)) if index else ''}√{radicand}"
            case Accent(inner, name):
                body = self.write(inner)
                if name in _MARKS and _ONE.fullmatch(body):
                    return body + _MARKS[name]
                return f"{name}({body})"
            case Arrow(sign, above, below):
                return sign + self._script("_", below) + self._script("^", above)
            case Stacked(base, script, below):
                return self.write(base) + self._script("_" if below else "^", script)
            case Fence(brackets, fenced):
                pairs = zip(fenced, brackets[1:], strict=True)
                return brackets[0] + "".join(self.write(part) + sign for part, sign in pairs)
            case Grid():
                return self._grid(node)
            case Wrapped(inner, role):
                return "" if role == "phantom" else self.write(inner)
        raise TypeError(f"{type(node).__name__} is not a node of a formula")

    def _row(self, nodes: Sequence[Node]) -> str:
        """The nodes in order, with spaces as TeX would put them; none in scripts."""
        shown = [(text, self._role(node, text), node) for node in nodes if (text := self.write(node))]
        roles = [role for _, role, _ in shown]
        parts: list[str] = []
        previous: Role = "opening"
        for index, (text, role, node) in enumerate(shown):
            # A sign without operands on both sides is not a binary operator: -1, (+), R^*.
            after = roles[index + 1] if index + 1 < len(roles) else "closing"
            alone = previous in _NO_OPERAND or after in ("relation", "closing", "punctuation")
            here: Role = "ordinary" if role == "binary" and alone else role
            written = text
            if isinstance(node, Fraction) and _needs_brackets(node, roles, index):
                written = f"({text})"
            worded = index > 0 and _are_words(shown[index - 1][2], node)
            if parts and (self._apart(previous, here) or _would_merge(parts[-1], written, worded=worded)):
                parts.append(" ")
            parts.append(written)
            previous = here
        return "".join(parts)

    def _apart(self, before: Role, after: Role) -> bool:
        if "space" in (before, after) or before == after == "relation":
            return False
        if before == "function":
            return after in ("ordinary", "function", "large")
        if self.tight:
            return after == "function" and before == "ordinary"
        if "relation" in (before, after) or "binary" in (before, after):
            return True
        return (
            before == "punctuation"
            or (before == "large" and after != "opening")
            or (after in ("function", "large") and before in ("ordinary", "closing"))
        )

    def _role(self, node: Node, text: str) -> Role:
        match node:
            case Operator(_, "colon"):
                return "punctuation"
            case Operator(sign):
                return (
                    "binary" if sign in _BINARY
                    else "punctuation" if sign in _PUNCTUATION
                    else "ordinary" if sign in _ORDINARY
                    else "relation"
                )  # fmt: skip
            case Arrow():
                return "relation"
            case Stacked(base):
                return self._role(base, text)
            case Bracket(sign):
                return "opening" if sign in _OPENING else "closing" if sign in _CLOSING else "ordinary"
            case Large():
                return "large"
            case Function() | Wrapped(_, "operator" | "limits"):
                return "function"
            case Wrapped(_, "relation"):
                return "relation"
            case Wrapped(_, "binary"):
                return "binary"
            case Space():
                return "space"
            case Scripts(base) if base is not None:
                return self._role(base, text)
        return "ordinary"

    def _tightly(self, node: Node | None) -> str:
        outer, self.tight = self.tight, True
        try:
            return self.write(node).strip()
        finally:
            self.tight = outer

    def _script(self, sign: str, node: Node | None) -> str:
        return "" if node is None else _scripted(sign, self._tightly(node))

    def _base(self, node: Node | None) -> str:
        """What carries scripts: (a/b)² is not a/b²."""
        text = self.write(node)
        split = isinstance(node, Root) or (isinstance(node, Fraction) and node.style != "choose")
        return f"({text})" if split else text

    def _operand(self, node: Node) -> str:
        text = self.write(node)
        single = not isinstance(node, Row) or len(node.children) < 2 or _CALL.fullmatch(text)
        return text if single and not isinstance(node, Fraction | Words) and " " not in text else f"({text})"

    def _grid(self, node: Grid) -> str:
        look = GRIDS[node.kind]
        between = ", " if look.style == "cs" else " "
        lines = [between.join(self._cells(cells, node.bars)).replace(",, ", ", ") for cells in node.rows]
        if look.style in ("al", "gt"):
            text = lines[0] if lines else ""
            for line in lines[1:]:
                text += (" " if _LINE_JOINT.match(line) or text[-1:] in ",;." else "; ") + line
            return text
        return f"{look.left}{'; '.join(line.rstrip(',;') for line in lines)}{look.right}"

    def _cells(self, cells: Sequence[Node], bars: Collection[int]) -> Iterator[str]:
        """The cells of a row that are not empty, with the bars between them."""
        for place, cell in enumerate(cells):
            if place in bars and place:
                yield "|"
            if text := self.write(cell):
                yield text


def _primes(count: int) -> str:
    return {2: "″", 3: "‴"}.get(count, "′" * count)


def _needs_brackets(node: Fraction, roles: Sequence[Role], index: int) -> bool:
    """1/6(a+b) would read as a fraction with a larger denominator, and sin a/b as a fraction with sin a above."""
    before = next((role for role in reversed(roles[:index]) if role != "space"), "opening")
    if node.style == "atop":
        return len(roles) > 1
    return node.style != "choose" and (before == "function" or _is_factor(roles, index))


def _is_factor(roles: Sequence[Role], index: int) -> bool:
    """Whether something stands directly before or after, white space aside."""
    before = next((role for role in reversed(roles[:index]) if role != "space"), "opening")
    after = next((role for role in roles[index + 1 :] if role != "space"), "closing")
    return before in ("ordinary", "closing") or after in ("ordinary", "opening", "function", "large")


def _are_words(before: Node, after: Node) -> bool:
    return isinstance(before, Words) or isinstance(after, Words)


def _would_merge(before: str, after: str, *, worded: bool) -> bool:
    """Whether two texts would read as one: words or a name and a letter, or a script and what follows it."""
    if not after[0].isalnum() or after in _ENDINGS:
        return False
    if worded and (before[-1].isalnum() or before[-1] in _CLOSING):
        return True
    if _COMMAND_LAST.search(before):
        return True
    scripted = (before[-2:-1] in ("_", "^") and not before[-1].isspace()) or _ROOT_LAST.search(before) is not None
    name_before, name_after = len(before) > 1 and before.isalpha(), len(after) > 1 and after[:2].isalpha()
    return scripted or name_before or (name_after and _LETTER_LAST.search(before) is not None)


def _scripted(sign: str, text: str) -> str:
    if not text:
        return ""
    table = _SUPERS if sign == "^" else _SUBS
    if all(one in table for one in text):
        return "".join(table[one] for one in text)
    # a^(n/d) is not a^n/d.
    return sign + (text if _ONE.fullmatch(text) else f"({text})")
