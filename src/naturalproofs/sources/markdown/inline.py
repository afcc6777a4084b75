"""The text of Markdown as LaTeX, line by line: formulas stay, emphasis, lists and references become commands.

The LaTeX also tells where the keys of a file are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from naturalproofs.records import BY_NUMBER, KeyAt, Mention
from naturalproofs.sources.latex import citations
from naturalproofs.sources.markdown.scanner import ROLES, Block, Scanner, is_cross_reference
from naturalproofs.sources.reading.builders import figure

_ITEM = re.compile(r"(?P<indent>\s*)(?P<mark>[-*+]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4}|@|#)[.)])\s+(?P<text>\S.*)$")
_TOKEN = re.compile(
    r"""
      (?P<math>
          \$\$.{0,20000}?\$\$
        | \$(?![\s$])(?:[^$\\\n]|\\.|\n(?!\s*\n))++(?<!\s)\$(?!\d)
        | \\\((?:(?!\\\().){0,5000}?\\\)
        | \\\[(?:(?!\\\[).){0,20000}?\\\]
        | \\begin\{(?P<env>equation|align|gather|multline|eqnarray|alignat|displaymath)\*?\}
          (?:(?!\\begin\{(?P=env)).){0,20000}?\\end\{(?P=env)\*?\}
      )
    | (?P<role>\{[a-z][a-z:-]*\}`[^`]{0,500}`)
    | (?P<code>`[^`\n]{1,500}`)
    | (?P<bookdown>\\@ref\([^()\s]{1,200}\))
    | (?P<image>!\[[^][]{0,2000}\]\([^()\s]{0,1000}[^()]{0,500}\)(?:\{[^{}\n]{0,300}\})?)
    | (?P<footnote>\^\[[^][]{0,2000}\]|\[\^[^][\s]{1,80}\])
    | (?P<wikilink>!?\[\[[^][\n]{1,300}\]\])
    | (?P<link>\[[^][]{0,1000}\]\([^()\s]{0,1000}(?:\s"[^"]{0,200}")?\))
    | (?P<bracket>\[[^][\n]{0,500}?-?@[^][]{1,500}\])
    | (?P<key>(?<![\w@\\.])-?@[\w](?:[\w:.-]*[\w])?)
    | (?P<strong>\*\*\*(?=\S)[^*]{1,1000}?\*\*\*)
    | (?P<bold>\*\*(?=\S)(?:[^*]|\*(?!\*)){1,1000}?\*\*|__(?=\S)[^_]{1,1000}?__(?!\w))
    | (?P<emphasis>\*(?=[^\s*])[^*]{1,1000}?\*|(?<!\w)_(?=\S)[^_]{1,1000}?_(?!\w))
    | (?P<attributes>\{[.\#][^{}]{0,200}\})
    | (?P<html><!--(?:(?!<!--).){0,5000}?-->|</?[a-zA-Z][^<>]{0,500}>)
    | (?P<command>\\[a-zA-Z@]+)
    | (?P<escape>\\[^a-zA-Z\s])
    | (?P<character>[%&\#_$])
    """,
    re.VERBOSE | re.DOTALL,
)
_EQUATION_LABEL = re.compile(r"\(\\#eq:[^()\s]+\)|\\label\{[^{}]*\}")
_KEYS = re.compile(r"-?@([\w](?:[\w:.-]*[\w])?)")
_ROLE = re.compile(r"\{([a-z][a-z:-]*)\}`(?:((?:[^`<>\s]|\s++(?!<))*+)\s*+<([^`<>]++)>|([^`]*+))`")
_LINK = re.compile(r"\[(.*)\]\(([^()\s]*)")
_IMAGE = re.compile(r"!\[([^][]*)\]\(<?([^()\s<>]*)")
_HTML_IMAGE = re.compile(r"<img\s", re.IGNORECASE)
_HTML_VALUE = re.compile(r"\b(src|alt)\s*=\s*[\"']([^\"'<>]*)[\"']", re.IGNORECASE)
_SPECIAL = re.compile(r"[%&#_$]")
_KEPT_ESCAPES = frozenset("#$%&_{}")
IsLabel = Callable[[str], bool]


def to_latex(lines: Sequence[str], is_label: IsLabel) -> str:
    """The LaTeX of a text, on the same lines; `is_label` tells references from citations of the literature."""
    return _Inline(is_label).convert("\n".join(_with_lists(lines)))


def mentions(latex: str, start: int, texts: citations.TextReferences | None = None) -> list[Mention]:
    """What a text cites by key and by number, with lines counted from `start`."""
    found = [
        (one.start, key.key, one.command)
        for one in citations.find_citations(latex)
        if not one.repeated
        for key in one.keys
    ]
    found += [
        (one.offset, f"{cited.family} {cited.number}", BY_NUMBER)
        for one in (texts.find(latex, 0, len(latex)) if texts else ())
        for cited in one.cited
    ]
    result: list[Mention] = []
    line, at = start, 0
    for offset, target, command in sorted(found, key=itemgetter(0)):
        line, at = line + latex.count("\n", at, offset), offset
        result.append(Mention(target, command, line))
    return result


def _with_lists(lines: Sequence[str]) -> list[str]:
    """Lists as environments of LaTeX; no line is added or removed."""
    result: list[str] = []
    stack: list[tuple[int, str]] = []
    last = -1
    """The last line that is not blank."""
    in_math = False
    for source in lines:
        line = source
        item = None if in_math else _ITEM.match(line)
        in_math ^= line.count("$$") % 2 == 1
        indent = len(line) - len(line.lstrip())
        if item is not None:
            depth = len(item["indent"])
            while stack and stack[-1][0] > depth:
                result[last] += f"\\end{{{stack.pop()[1]}}}"
            opening = ""
            if not stack or stack[-1][0] < depth:
                stack.append((depth, "itemize" if item["mark"] in "-*+" else "enumerate"))
                opening = f"\\begin{{{stack[-1][1]}}}"
            line = f"{opening}\\item {item['text']}"
        elif line.strip() and stack and indent <= stack[0][0] and result and not result[-1].strip():
            while stack:
                result[last] += f"\\end{{{stack.pop()[1]}}}"
        if line.strip():
            last = len(result)
        result.append(line)
    while stack:
        result[last] += f"\\end{{{stack.pop()[1]}}}"
    return result


class _Inline:
    """Converts what stands in a line."""

    def __init__(self, is_label: IsLabel) -> None:
        self.is_label = is_label

    def convert(self, text: str) -> str:
        return _TOKEN.sub(self._token, text)

    def _token(self, match: re.Match[str]) -> str:
        kind, source = match.lastgroup or "", match.group()
        if kind == "env":
            kind = "math"
        write: Callable[[str], str] | None = getattr(self, f"_{kind}", None)
        return write(source) if write is not None else source

    def _math(self, source: str) -> str:
        source = _EQUATION_LABEL.sub("", source)
        is_aligned = source.startswith(("$$", "\\[")) and ("&" in source or "\\\\" in source)
        if not is_aligned or "\\begin" in source:
            return source
        # MyST and MathJax align the lines of a formula without an environment.
        return f"{source[:2]}\\begin{{aligned}}{source[2:-2]}\\end{{aligned}}{source[-2:]}"

    def _role(self, source: str) -> str:
        found = _ROLE.match(source)
        if found is None:
            return source
        name, text, target = found[1], found[2] or "", (found[3] or found[4] or "").strip()
        if name == "math":
            return f"${target}$"
        if name.startswith("cite"):
            return f"\\cite{{{target}}}"
        if name not in ROLES:
            return self.convert(text or target)
        return self._cite(target, text)

    def _cite(self, target: str, text: str = "") -> str:
        return f"\\hyperref[{target}]{{{self.convert(text)}}}" if text else f"\\cref{{{target}}}"

    def _code(self, source: str) -> str:
        plain = source.strip("`").replace("\\", "\\textbackslash{}")
        return "\\texttt{" + _SPECIAL.sub(r"\\\g<0>", plain) + "}"

    def _bookdown(self, source: str) -> str:
        return "\\ref{" + source.partition("(")[2][:-1] + "}"

    def _image(self, source: str) -> str:
        found = _IMAGE.match(source)
        if found is None:
            return "\n" * source.count("\n")
        return figure(found[2], self.convert(" ".join(found[1].split()))) + "\n" * source.count("\n")

    def _footnote(self, source: str) -> str:
        return f"\\footnote{{{self.convert(source[2:-1])}}}" if source.startswith("^") else ""

    def _link(self, source: str) -> str:
        found = _LINK.match(source)
        if found is None:
            return source
        text, target = found[1], found[2].rpartition("#")[2] if "#" in found[2] else ""
        if target and (self.is_label(target) or is_cross_reference(target)):
            return self._cite(target, text)
        return self.convert(text)

    def _wikilink(self, source: str) -> str:
        """A link of Obsidian; one to a block that has a name is a reference."""
        target, _, shown = source.lstrip("!")[2:-2].partition("|")
        note, _, key = target.partition("#^")
        return self._cite(key, shown) if key else self.convert(shown or note)

    def _bracket(self, source: str) -> str:
        keys = [self._key_of(found[1]) for found in _KEYS.finditer(source)]
        command = "cref" if all(map(self._is_reference, keys)) else "cite"
        return f"\\{command}{{{','.join(keys)}}}" + "\n" * source.count("\n")

    def _key(self, source: str) -> str:
        key = self._key_of(source.lstrip("-@"))
        return f"\\cref{{{key}}}" if self._is_reference(key) else f"\\cite{{{key}}}"

    def _key_of(self, key: str) -> str:
        """Quarto writes ``@Thm-x`` where a sentence begins."""
        lower = key[0].lower() + key[1:]
        return lower if is_cross_reference(lower) else key

    def _is_reference(self, key: str) -> bool:
        return self.is_label(key) or is_cross_reference(key)

    def _strong(self, source: str) -> str:
        return f"\\textbf{{\\emph{{{self.convert(source[3:-3])}}}}}"

    def _bold(self, source: str) -> str:
        return f"\\textbf{{{self.convert(source[2:-2])}}}"

    def _emphasis(self, source: str) -> str:
        return f"\\emph{{{self.convert(source[1:-1])}}}"

    def _attributes(self, source: str) -> str:
        return ""

    def _html(self, source: str) -> str:
        named = (
            {name.lower(): value for name, value in _HTML_VALUE.findall(source)} if _HTML_IMAGE.match(source) else {}
        )
        shown = figure(named["src"], self.convert(named.get("alt", ""))) if named.get("src") else ""
        return shown + "\n" * source.count("\n")

    def _escape(self, source: str) -> str:
        return source if source[1] in _KEPT_ESCAPES or source[1] == "\\" else source[1]

    def _character(self, source: str) -> str:
        return f"\\{source}"


# Labels and references where they are written.

_FAR = 6
"""Lines of a directive in which its label may stand."""


def find_keys(text: str) -> Iterator[KeyAt]:
    """All labels and references of a file.

    A key that may also be a citation of the literature, or a link to something else, is not certain.
    """
    scanner = Scanner(text)
    defined = {name: item.line for item in scanner.scan() for name in item.labels[:1]}
    for name, first in defined.items():
        # A directive names its label in one of its first lines.
        lines = enumerate(scanner.lines[first - 1 : first - 1 + _FAR], first)
        places = ((number, _column(line, name, 0)) for number, line in lines)
        yield KeyAt(name, *next((place for place in places if place[1]), (first, 1)), is_label=True)
    visible = ["" if number in scanner.code else line for number, line in enumerate(scanner.lines, 1)]
    certain = {(one.line, one.target) for one in mentions(to_latex(visible, defined.__contains__), 1)}
    after = (0, 0)
    """The line of the last key, and where it ends."""
    for one in mentions(to_latex(visible, lambda _key: True), 1):
        column = _column(scanner.lines[one.line - 1], one.target, after[1] if after[0] == one.line else 0) or 1
        after = (one.line, column - 1 + len(one.target))
        yield KeyAt(one.target, one.line, column, is_label=False, is_certain=(one.line, one.target) in certain)


def last_line(lines: Sequence[str], start: int) -> int:
    """The line on which the block that begins on a line ends."""
    ends = (item.end for item in Scanner("\n".join(lines)).scan() if isinstance(item, Block) and item.line == start)
    return next(ends, start) or len(lines)


def _column(line: str, key: str, start: int) -> int:
    """Where a key stands in its line, or 0. Bookdown defines ``thm:x`` as ``x``, Quarto may cite it as ``Thm-x``."""
    for written in (key, key.rpartition(":")[2]):
        pattern = re.compile(rf"(?<![\w:.-]){re.escape(written)}(?![\w:-])", re.IGNORECASE)
        if found := pattern.search(line, start) or pattern.search(line):
            return found.start() + 1
    return 0
