"""Wikitext: text masked position by position, and its links and templates as a tree.

A masked text has the length and the line ends of the original, so that positions agree. What a reader of the page does
not see (comments, ``<includeonly>``) and what is not wikitext (``<nowiki>``, ``<pre>``, ``<math>``) is replaced by
:data:`MASK`.
"""

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from typing import Literal, NamedTuple, TypeAlias

import msgspec

MASK = "\x7f"

VERBATIM = frozenset({"nowiki", "pre", "math", "chem", "source", "syntaxhighlight", "score", "timeline", "graph"})
"""Tags whose content is not wikitext."""
INCLUSION = frozenset({"noinclude", "onlyinclude", "includeonly"})

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(/?)(" + "|".join(sorted(VERBATIM | INCLUSION)) + r")(?=[\s/>])[^<>]*?(/?)>",
    re.IGNORECASE | re.DOTALL,
)
_CLOSE = {tag: re.compile(rf"</{tag}\s*>", re.IGNORECASE) for tag in VERBATIM | INCLUSION}
_NOT_NEWLINE = re.compile(r"[^\n]")

NodeKind: TypeAlias = Literal["link", "template", "parameter"]

MAX_BRACKETED = 1000
"""Longest link in which single brackets are counted."""

_SIMPLE = r"\[\[[^\[\]{}|\n]*(?:(\|)[^\[\]{}|]*)?\]\](?!\])"
"""A link with nothing nested; most are."""
_LINK = re.compile(_SIMPLE + r"|\[\[")
_BRACES = re.compile(r"(?<!\\)\{\{")
_BARE = re.compile(r"\{\{[^{}\[\]|]*\}\}(?!\})")
"""A template without arguments."""
_INSIDE = re.compile(_SIMPLE + r"|\{{2,}|\}{2,}|\[\[|\]\]|\|")


class Span(NamedTuple):
    """A masked span of text."""

    start: int
    end: int
    tag: str
    """Lower case; ``!--`` for a comment."""
    inner_start: int
    inner_end: int


class Masked(NamedTuple):
    """A masked text and its masked spans."""

    text: str
    spans: tuple[Span, ...] = ()
    """Masked spans in order."""
    only: tuple[tuple[int, int], ...] = ()
    """Contents of ``<onlyinclude>``: if there are any, a transclusion includes nothing else."""
    never: tuple[tuple[int, int], ...] = ()
    """Spans that a transclusion leaves out: ``<noinclude>``."""


def mask(text: str) -> Masked:
    """Mask what is not markup of the page itself."""
    if "<" not in text or _TAG.search(text) is None:
        return Masked(text.replace(MASK, " ") if MASK in text else text)
    spans: list[Span] = []
    only: list[tuple[int, int]] = []
    never: list[tuple[int, int]] = []
    opened: dict[str, int] = {}
    unclosed: set[str] = set()
    position = 0
    while match := _TAG.search(text, position):
        start, position = match.span()
        if match[2] is None:
            spans.append(Span(start, position, "!--", start, start))
            continue
        tag = match[2].lower()
        if tag in VERBATIM or tag == "includeonly":
            position = _mask_element(text, match, unclosed, spans)
            continue
        spans.append(Span(start, position, tag, start, start))
        if not match[1] and not match[3]:
            opened.setdefault(tag, position)
        elif tag in opened:
            (only if tag == "onlyinclude" else never).append((opened.pop(tag), start))
    # An inclusion tag that is never closed extends to the end of the page.
    if "onlyinclude" in opened:
        only.append((opened["onlyinclude"], len(text)))
    if "noinclude" in opened:
        never.append((opened["noinclude"], len(text)))
    return Masked(_apply_mask(text.replace(MASK, " "), spans), tuple(spans), tuple(only), tuple(never))


def _mask_element(text: str, match: re.Match[str], unclosed: set[str], spans: list[Span]) -> int:
    """Mask a whole element; return the position after it."""
    start, end = match.span()
    tag = match[2].lower()
    if match[1]:
        return end
    if match[3]:
        spans.append(Span(start, end, tag, end, end))
        return end
    close = None if tag in unclosed else _CLOSE[tag].search(text, end)
    if close is not None:
        spans.append(Span(start, close.end(), tag, end, close.start()))
        return close.end()
    # Remembered, so that a page with many unclosed tags is read in linear time.
    unclosed.add(tag)
    if tag != "includeonly":
        return end
    spans.append(Span(start, len(text), tag, end, len(text)))
    return len(text)


def _apply_mask(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces.append(text[position : span.start])
        hidden = text[span.start : span.end]
        pieces.append(_NOT_NEWLINE.sub(MASK, hidden) if "\n" in hidden else MASK * len(hidden))
        position = span.end
    pieces.append(text[position:])
    return "".join(pieces)


class Node(msgspec.Struct, gc=False):
    """A link, a template or a template parameter."""

    kind: NodeKind
    start: int
    end: int
    bars: Sequence[int] = ()
    """Positions of the bars that separate its own parts."""
    children: Sequence["Node"] = ()

    def parts(self) -> list[tuple[int, int]]:
        """Start and end of each part between the node's own bars."""
        width = 3 if self.kind == "parameter" else 2
        starts = [self.start + width, *(bar + 1 for bar in self.bars)]
        return list(zip(starts, [*self.bars, self.end - width], strict=True))


class _Open(msgspec.Struct, gc=False):
    """Opening brackets or braces that are not closed yet."""

    position: int
    braces: int
    """Opening braces that are not matched yet; 0 for a link."""
    bars: list[int] = []
    children: list[Node] = []


def scan(masked: str) -> list[Node]:
    """Match brackets and braces in masked text as MediaWiki's preprocessor does, in one pass.

    Braces pair from the inside out, three before two; what is never closed stays plain text. Unlike in MediaWiki, a
    template may be closed across an unclosed link, since formulas contain such brackets, and outside of templates a
    brace of LaTeX, as in ``\\{{x}``, opens none.
    """
    top: list[Node] = []
    position = 0
    braces = _braces_from(masked, 0)
    while position >= 0:
        if 0 <= braces < position:
            braces = _braces_from(masked, position)
        position = _outside(masked, position, braces, top)
        bare = _BARE.match(masked, position) if position == braces >= 0 else None
        if bare is None:
            position = _inside(masked, position, top)
        else:
            top.append(Node("template", position, bare.end()))
            position = bare.end()
    return top


def _braces_from(masked: str, position: int) -> int:
    match = _BRACES.search(masked, position)
    return match.start() if match else -1


def _outside(masked: str, position: int, braces: int, top: list[Node]) -> int:
    """Collect simple links up to the first opening that needs a stack; return its position, or -1."""
    # The pattern begins with two brackets, so that the single brackets of formulas are skipped fast.
    stop = len(masked) if braces < 0 else braces
    for match in _LINK.finditer(masked, position, stop):
        start, end = match.span()
        if end - start == 2:
            return start
        bar = match.start(1)
        top.append(Node("link", start, end, (bar,) if bar >= 0 else ()))
    return braces


def _inside(masked: str, position: int, top: list[Node]) -> int:
    """Match from an opening until everything is closed; return that position, or -1 at the end of the text."""
    if position < 0:
        return -1
    stack: list[_Open] = []
    braces: list[int] = []  # Indices of templates on the stack.
    for match in _INSIDE.finditer(masked, position):
        start, end = match.span()
        first = masked[start]
        if first == "|":
            stack[-1].bars.append(start)
        elif first == "[":
            if end - start == 2:
                stack.append(_Open(start, 0))
            else:
                bar = match.start(1)
                stack[-1].children.append(Node("link", start, end, (bar,) if bar >= 0 else ()))
        elif first == "{":
            _open_braces(masked, start, end, stack, braces)
        else:
            if first == "]":
                end = _close_link(masked, end, stack, top)
            else:
                _close_braces(match, stack, braces, top)
            if not stack:
                return end
    for unclosed_link in stack:
        top += unclosed_link.children
    return -1


def _open_braces(masked: str, start: int, end: int, stack: list[_Open], braces: list[int]) -> None:
    if not braces and masked[start - 1 : start] == "\\":
        start += 1
    if end - start >= 2:
        braces.append(len(stack))
        stack.append(_Open(start, end - start))


def _close_link(masked: str, end: int, stack: list[_Open], top: list[Node]) -> int:
    opened = stack[-1]
    if opened.braces:
        return end
    if masked[end : end + 1] == "]" and end - opened.position < MAX_BRACKETED:
        # In [[A|x[1]]] the first of three brackets belongs to the text.
        inside = masked[opened.position + 2 : end - 2]
        end += inside.count("[") > inside.count("]")
    stack.pop()
    (stack[-1].children if stack else top).append(Node("link", opened.position, end, opened.bars, opened.children))
    return end


def _close_braces(match: re.Match[str], stack: list[_Open], braces: list[int], top: list[Node]) -> None:
    position, left = match.start(), match.end() - match.start()
    while left >= 2 and braces:
        opened = stack[braces[-1]]
        for unclosed_link in stack[braces[-1] + 1 :]:
            # An unclosed link: its children belong to the surrounding template.
            opened.children += unclosed_link.children
            opened.bars += unclosed_link.bars
        del stack[braces[-1] + 1 :]
        used = min(3, left, opened.braces)
        start = opened.position + opened.braces - used
        position, left = position + used, left - used
        node = Node("parameter" if used == 3 else "template", start, position, opened.bars, opened.children)
        opened.braces -= used
        if opened.braces >= 2:
            opened.bars, opened.children = [], [node]
            continue
        braces.pop()
        stack.pop()
        (stack[-1].children if stack else top).append(node)


class Wikitext(msgspec.Struct, dict=True, array_like=True):
    """A text; its mask, and its links and templates, are computed when they are needed."""

    text: str

    @cached_property
    def masked(self) -> Masked:
        """The masked text and its spans."""
        return mask(self.text)

    @cached_property
    def nodes(self) -> list[Node]:
        """The outermost links and templates."""
        return scan(self.masked.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [node.start for node in self.nodes]

    def nodes_in(self, start: int, end: int) -> Sequence[Node]:
        """The outermost nodes that begin inside a span."""
        first = bisect_left(self._starts, start)
        return self.nodes[first : bisect_left(self._starts, end, first)]

    def before_bar(self, node: Node) -> str:
        """The target of a link, or the name of a template, as written: what stands before its first bar."""
        return self.masked.text[node.start + 2 : node.bars[0] if node.bars else node.end - 2]

    def line(self, position: int) -> int:
        """The line of a position, counted from 1."""
        return self.text.count("\n", 0, position) + 1

    def plain(self, start: int, end: int) -> str:
        """The text of a span without nodes: comments are left out, formulas and verbatim text are included."""
        masked = self.masked.text[start:end]
        if MASK not in masked:
            return masked
        pieces: list[str] = []
        spans = self.masked.spans
        first = max(bisect_right(spans, start, key=attrgetter("start")) - 1, 0)
        for span in spans[first:]:
            if span.start >= end:
                break
            if span.end <= start:
                continue
            pieces += (self.masked.text[start : max(span.start, start)], self._unmasked(span))
            start = span.end
        pieces.append(self.masked.text[start:end])
        return "".join(pieces)

    def _unmasked(self, span: Span) -> str:
        inside = self.text[span.inner_start : span.inner_end]
        if span.tag in ("math", "chem"):
            return f"${inside.strip()}$"
        return "" if span.tag in ("!--", "includeonly") else verbatim(inside)

    def transcluded(self) -> str:
        """The text that ``{{:Page}}`` includes: the ``<onlyinclude>`` parts, or all but the ``<noinclude>`` ones."""
        text, masked = self.text, self.masked
        if masked.only:
            return "".join(text[start:end] for start, end in masked.only)
        hidden = [span for span in masked.spans if span.tag == "includeonly"]
        replaced = [(start, end, "") for start, end in masked.never]
        replaced += [(span.start, span.end, text[span.inner_start : span.inner_end]) for span in hidden]
        pieces: list[str] = []
        position = 0
        for start, end, instead in sorted(replaced):
            if start >= position:
                pieces += (text[position:start], instead)
                position = end
        pieces.append(text[position:])
        return "".join(pieces)


# Plain lines from wikitext whose links and templates have already been replaced.

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_QUOTES = re.compile("'{2,5}")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_NOTE = re.compile(r"<ref\b[^<>]*/>|<ref\b[^<>]*>[^<]*(?:<(?!/?ref\b)[^<]*)*</ref\s*>", re.IGNORECASE)
_HTML = re.compile(
    r"</?(?:abbr|b|big|blockquote|center|cite|code|dd|del|dfn|div|dl|dt|em|font|gallery|h[1-6]|hr|i|ins|kbd|li|ol|p|q|"
    r"references|ref|rp|rt|ruby|s|samp|section|small|span|strike|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|var|wbr"
    r")(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_EXTERNAL = re.compile(r"\[(?:https?:)?//[^\s\[\]]++(?:[ \t]++([^\[\]\n]*+))?+\]")
_SWITCH = re.compile(r"__[A-Z]{3,}__")
_CELL = re.compile(r"^[^\[\]{}$|=]*=[^\[\]{}$|]*\|(?!\|)")
_VERBATIM = {ord(char): f"&#{ord(char)};" for char in "<>[]{}'_|*#:;="}


def lines(text: str) -> tuple[str, ...]:
    """Remove the remaining markup and return the lines that are not empty.

    Formulas between dollar signs keep their quotes. Indentation by colons is removed; list marks stay.
    """
    if "<" in text:
        text = _HTML.sub("", _BREAK.sub("\n", _NOTE.sub("", text) if "<ref" in text else text))
    if "[http" in text or "[//" in text:
        text = _EXTERNAL.sub(r"\1", text)
    if "__" in text:
        text = _SWITCH.sub("", text)
    if "{|" in text:
        text = _tables(text)
    found = [line if line[0] not in ":;=-" else _unmarked(line) for line in map(str.strip, text.split("\n")) if line]
    if "''" in text:
        found = [_unquoted(line) if "''" in line else line for line in found]
    if "&" in text:
        found = [unescape(line) if "&" in line else line for line in found]
    return tuple(found) if all(found) else tuple(filter(None, found))


def unescape(text: str) -> str:
    """Replace character references; unlike in HTML, the semicolon is required."""
    return _ENTITY.sub(lambda match: html.unescape(match[0]).replace("\xa0", " "), text) if "&" in text else text


def verbatim(text: str) -> str:
    """Protect text that is not wikitext, so that :func:`lines` does no more than replace its character references."""
    return text.translate(_VERBATIM)


def _unquoted(line: str) -> str:
    """Remove the marks for bold and italics outside of formulas, which are between dollar signs."""
    if "$" not in line:
        return _QUOTES.sub("", line)
    pieces = line.split("$")
    # A last dollar sign without a partner opens no formula.
    if len(pieces) % 2 == 0:
        pieces[-1] = _QUOTES.sub("", pieces[-1])
    pieces[::2] = [_QUOTES.sub("", piece) if "''" in piece else piece for piece in pieces[::2]]
    return "$".join(pieces)


def _unmarked(line: str) -> str:
    if line.startswith("="):
        stripped = line.strip("=").strip()
        return stripped if line.endswith("=") and stripped else line
    if line.startswith("----"):
        return line.lstrip("-").strip()
    return line.lstrip(":; \t") if line[0] != "-" else line


def _tables(text: str) -> str:
    """Convert the rows of wiki tables to lines of cells separated by bars."""
    depth = 0
    result: list[str] = []
    for line in text.split("\n"):
        bare = line.lstrip(": \t")
        if bare.startswith("{|"):
            depth += 1
        elif depth and bare.startswith("|}"):
            depth -= 1
            result.append(bare[2:])
        elif depth and bare.startswith("|-"):
            result.append("")
        elif depth and bare.startswith(("|", "!")):
            cells = bare.lstrip("|!+").replace("!!", "||").split("||")
            result.append(" | ".join(_CELL.sub("", cell).strip() for cell in cells))
        else:
            result.append(line)
    return "\n".join(result)
