"""Formulas and prose as Unicode text: one line, or one line for each paragraph and each item of a list.

The text says what the formula says: structure that characters alone would lose is written out with brackets or a name,
and what is not understood is shown as source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from naturalproofs.sources.latex.display import nodes
from naturalproofs.sources.latex.display.cursor import DisplayMacros, ends_with_command
from naturalproofs.sources.latex.display.prose import parse_prose
from naturalproofs.sources.latex.macros.macro import Macros

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
_MIRRORED = {"⊩": "⫣", "⊢": "⊣", "⊣": "⊢", "⊨": "⫤", "∈": "∋", "∋": "∈", "→": "←", "←": "→"}
_BINARY = frozenset("+-−±∓×÷∗*⋆∘•⋅∩∪⊎⊓⊔∨∧∖≀⋄⨿⊕⊖⊗⊘⊙◯†‡⋉⋊⊠⊞⋎⋏◃▹△▽⋒⋓⨝⊼⊻⋇∔⊛⊚⊝⋌⋋")
_PUNCTUATION = frozenset(",;.")
_ORDINARY = frozenset("!?%#_$&°¬√")
_CLOSED = {"{": "}", "[": "]", "(": ")"}
_OPENING, _CLOSING = frozenset("([{⟨⌊⌈⟦⌜⌞⟮"), frozenset(")]}⟩⌋⌉⟧⌝⌟⟯")
_ONE = re.compile(r"\w[\u0300-\u036f\u20d0-\u20f0]*|\S")
_LETTER_LAST = re.compile(r"\w[\u0300-\u036f\u20d0-\u20f0′]*$")
_ROOT_LAST = re.compile(r"√\w+$")
_QUAD = "\u2003"
_SPACES = re.compile(r"\s+")
_CALL = re.compile(r"\w+\([^()\s]*\)")
_LINE_JOINTS = frozenset("=≤≥<>≡≅≃∼≈⊂⊆⊃⊇→⟶⟹⇒⟺⇔∈+-−")

Role: TypeAlias = Literal[
    "ordinary", "binary", "relation", "punctuation", "opening", "closing", "function", "large", "space"
]

_ENDINGS = frozenset({"th", "st", "nd", "rd", "s"})
_NO_OPERAND = ("binary", "relation", "punctuation", "opening", "large", "function")


def unicode_text(tree: nodes.Node, text: Callable[[nodes.Inline], str]) -> str:
    """One line for a whole formula; `text` writes the text inside it."""
    return _one_line(_Writer(text).write(tree))


def _one_line(text: str) -> str:
    """A text without line breaks; of the spaces side by side one is left, the widest."""
    return _SPACES.sub(lambda match: _QUAD if _QUAD in match.group() else " ", text.strip())


class _Writer:
    def __init__(self, text: Callable[[nodes.Inline], str]) -> None:
        self.text = text
        self.tight = False

    def write(self, node: nodes.Node | None) -> str:
        match node:
            case None:
                return ""
            case nodes.Letter(text) | nodes.Number(text) | nodes.Source(text):
                return text
            case nodes.Operator(symbol, role):
                return {"colon": ":", "mid": "|"}.get(role, "−" if symbol == "-" else symbol)
            case nodes.Bracket(symbol) | nodes.Large(symbol):
                return symbol
            case nodes.Function(name):
                return name
            case nodes.Words(parts):
                return "".join(map(self.text, parts))
            case nodes.Space("1em" | "2em"):
                return _QUAD
            case nodes.Space(width):
                return "" if width.startswith("-") or (self.tight and width < "0.25") else " "
            case nodes.Row(children):
                return self._row(children)
            case nodes.Scripts(base, below, above, primes):
                lower, upper = self._script("_", below), self._script("^", above)
                if lower.startswith("_") and upper == "*":
                    upper = "^*"  # T_p̄* would read as if the star were part of the subscript.
                return self._base(base) + lower + {2: "″", 3: "‴"}.get(primes, "′" * primes) + upper
            case nodes.Diagram():
                return "[diagram]"
            case nodes.Fraction(top, bottom, "choose"):
                return f"binom({self.write(top)}, {self.write(bottom)})"
            case nodes.Fraction(top, bottom, "atop"):
                return f"{self.write(top)}; {self.write(bottom)}"
            case nodes.Fraction(top, bottom):
                return f"{self._operand(top)}/{self._operand(bottom)}"
            case nodes.Root(inner, index):
                body = self.write(inner)
                radicand = body if _ONE.fullmatch(body) or body.isdigit() else f"({body})"
                return f"{_scripted('^', self._tightly(index)) if index else ''}√{radicand}"
            case nodes.Accent(inner, name):
                body = self.write(inner)
                if name in _MARKS and _ONE.fullmatch(body):
                    return body + _MARKS[name]
                return _MIRRORED.get(body, f"{name}({body})") if name == "reflectbox" else f"{name}({body})"
            case nodes.Arrow(symbol, above, below):
                return symbol + self._script("_", below) + self._script("^", above)
            case nodes.Fence(brackets, fenced):
                pairs = zip(fenced, brackets[1:], strict=True)
                text = brackets[0] + "".join(self.write(part) + symbol for part, symbol in pairs)
                # Cases need no second brace on several lines; on one line it says where they end.
                is_open = not brackets[-1] and any(isinstance(part, nodes.Grid) for part in fenced)
                return text + _CLOSED.get(brackets[0], "") if is_open else text
            case nodes.Grid():
                return self._grid(node)
            case nodes.Wrapped(inner, role):
                return "" if role == "phantom" else self.write(inner)
        raise TypeError(f"{type(node).__name__} is not a node of a formula")

    def _row(self, children: Sequence[nodes.Node]) -> str:
        """The nodes in order, with spaces as TeX would put them; none in scripts."""
        shown = [(text, self._role(node, text), node) for node in children if (text := self.write(node))]
        roles = [role for _, role, _ in shown]
        parts: list[str] = []
        previous: Role = "opening"
        for index, (text, role, node) in enumerate(shown):
            # A symbol without operands on both sides is not a binary operator: -1, (+), R^*.
            after = roles[index + 1] if index + 1 < len(roles) else "closing"
            alone = previous in _NO_OPERAND or after in ("relation", "closing", "punctuation")
            here: Role = "ordinary" if role == "binary" and alone else role
            written = text
            if isinstance(node, nodes.Fraction) and _needs_brackets(node, roles, index):
                written = f"({text})"
            worded = index > 0 and isinstance(node, nodes.Words) | isinstance(shown[index - 1][2], nodes.Words)
            named = previous == "function" and here == "relation" and parts[-1][-1:].isalpha() and not self.tight
            if parts and (named or self._apart(previous, here) or _would_merge(parts[-1], written, worded=worded)):
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

    def _role(self, node: nodes.Node, text: str) -> Role:
        match node:
            case nodes.Operator(_, "colon"):
                return "punctuation"
            case nodes.Operator(symbol):
                return (
                    "binary" if symbol in _BINARY
                    else "punctuation" if symbol in _PUNCTUATION
                    else "ordinary" if symbol in _ORDINARY
                    else "relation"
                )  # fmt: skip
            case nodes.Arrow():
                return "relation"
            case nodes.Bracket(symbol):
                return "opening" if symbol in _OPENING else "closing" if symbol in _CLOSING else "ordinary"
            case nodes.Large():
                return "large"
            case nodes.Function() | nodes.Wrapped(_, "operator" | "limits"):
                return "function"
            case nodes.Wrapped(_, "relation"):
                return "relation"
            case nodes.Wrapped(_, "binary"):
                return "binary"
            case nodes.Space():
                return "space"
            case nodes.Scripts(base) if base is not None:
                return self._role(base, text)
        return "ordinary"

    def _tightly(self, node: nodes.Node | None) -> str:
        outer, self.tight = self.tight, True
        try:
            return self.write(node).strip()
        finally:
            self.tight = outer

    def _script(self, symbol: str, node: nodes.Node | None) -> str:
        return "" if node is None else _scripted(symbol, self._tightly(node))

    def _base(self, node: nodes.Node | None) -> str:
        """What carries scripts: (a/b)² is not a/b²."""
        text = self.write(node)
        split = isinstance(node, nodes.Root) or (isinstance(node, nodes.Fraction) and node.style != "choose")
        return f"({text})" if split else text

    def _operand(self, node: nodes.Node) -> str:
        text = self.write(node)
        single = not isinstance(node, nodes.Row) or len(node.children) < 2 or _CALL.fullmatch(text)
        bare = single and not isinstance(node, nodes.Fraction | nodes.Words) and len(text.split()) < 2
        return text if bare else f"({text})"

    def _grid(self, node: nodes.Grid) -> str:
        look = node.look
        between = ", " if look.style == "cs" else " "
        lines = [between.join(self._cells(cells, node.bars)).replace(",, ", ", ") for cells in node.rows]
        if look.style in ("al", "gt"):
            worded = [
                any(isinstance(cell, nodes.Words) and cell.style == "line" for cell in cells) for cells in node.rows
            ]
            text = lines[0] if lines else ""
            for place, line in enumerate(lines[1:], 1):
                is_joined = line[:1] in _LINE_JOINTS or text[-1:] in ",;." or worded[place - 1] or worded[place]
                text += (" " if is_joined else "; ") + line
            return text
        inner = "; ".join(line.rstrip(",;") for line in lines)
        left, right = ("{", "}") if look.style == "cs" else (look.left, look.right)
        return f"{left}{inner}{right}"

    def _cells(self, cells: Sequence[nodes.Node], bars: Collection[int]) -> Iterator[str]:
        """The cells of a row that are not empty, with the bars between them."""
        for place, cell in enumerate(cells):
            if place in bars and place:
                yield "|"
            if text := self.write(cell):
                yield text


def _needs_brackets(node: nodes.Fraction, roles: Sequence[Role], index: int) -> bool:
    """1/6(a+b) would read as a fraction with a larger denominator, and sin a/b as a fraction with sin a above."""
    if node.style == "atop":
        return len(roles) > 1
    before = next((role for role in reversed(roles[:index]) if role != "space"), "opening")
    after = next((role for role in roles[index + 1 :] if role != "space"), "closing")
    has_factor = before in ("ordinary", "closing") or after in ("ordinary", "opening", "function", "large")
    return node.style != "choose" and (before == "function" or has_factor)


def _would_merge(before: str, after: str, *, worded: bool) -> bool:
    """Whether two texts would read as one: words or a name and a letter, or a script and what follows it."""
    if not after[0].isalnum() or after in _ENDINGS:
        return False
    if worded and (before[-1].isalnum() or before[-1] in _CLOSING):
        return True
    if ends_with_command(before):
        return True
    scripted = (before[-2:-1] in ("_", "^") and not before[-1].isspace()) or _ROOT_LAST.search(before) is not None
    name_before, name_after = len(before) > 1 and before.isalpha(), len(after) > 1 and after[:2].isalpha()
    return scripted or name_before or (name_after and _LETTER_LAST.search(before) is not None)


def _scripted(symbol: str, text: str) -> str:
    if not text:
        return ""
    table = _SUPERS if symbol == "^" else _SUBS
    if all(one in table for one in text):
        return "".join(table[one] for one in text)
    # a^(n/d) is not a^n/d.
    return symbol + (text if _ONE.fullmatch(text) else f"({text})")


# Prose


def plain_unicode(source: str, macros: Macros) -> str:
    """A text on one line; formulas become the nearest symbols."""
    return _one_line(plain_text(source, macros))


def plain_text(source: str, macros: Macros) -> str:
    """A text with one line for each paragraph and each item of a list."""
    written = "".join(map(write_part, parse_prose(source, DisplayMacros(macros))))
    lines = map(_one_line, written.split("\v"))
    return "\n".join(filter(None, lines))


def _all(parts: Iterable[nodes.Inline]) -> str:
    return "".join(map(write_part, parts))


def write_part(part: nodes.Inline) -> str:
    """A part of a text; a vertical tab begins a paragraph or an item."""
    match part:
        case nodes.Text(text) | nodes.Raw(text):
            return text
        case nodes.Formula(source, _, None):
            return source
        case nodes.Formula(_, display, tree) if tree is not None:
            made = unicode_text(tree, write_part)
            return f" {made} " if display else made
        case nodes.Styled(_, parts, name):
            return name + "".join(f"{{{write_part(one)}}}" for one in parts) if name[:1] == "\\" else _all(parts)
        case nodes.Reference(_, _, own):
            return _all(own) if own is not None else "…"
        case nodes.Citation(keys, note):
            return f"[{keys}{', ' + _all(note) if note else ''}]"
        case nodes.Footnote():
            return ""
        case nodes.Break(paragraph):
            return "\v" if paragraph else " "
        case nodes.Items(ordered, items):
            marks = (
                _all(mark) if mark is not None else f"({number})" if ordered else "•"
                for number, (mark, _) in enumerate(items, 1)
            )
            return "".join(f"\v{mark} {_all(parts)}" for mark, (_, parts) in zip(marks, items, strict=True))
        case nodes.Picture(kind, _, _, caption):
            shown = _all(caption).strip()
            return f" [{kind}{': ' + shown if shown else ''}] "
    raise TypeError(f"{type(part).__name__} is not a part of a text")
