"""Plain lines from wikitext whose links and templates have already been replaced."""

import html
import re

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
