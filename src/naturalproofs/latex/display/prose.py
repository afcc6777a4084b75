"""Prose as HTML: paragraphs, emphasis, lists, references and formulas.

Only elements written here reach the page, and all text is escaped. Commands that are not known lose their backslash or
show as source; whatever the source does, the elements nest properly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import TypeAlias

from naturalproofs.latex.display.cursor import Budget, CannotRender, Cursor
from naturalproofs.latex.display.elements import GRIDS
from naturalproofs.latex.display.mathml import Formulas
from naturalproofs.latex.display.symbols import words
from naturalproofs.latex.display.text import accented, named_letter
from naturalproofs.latex.vocabulary import REFERENCES

Link: TypeAlias = Callable[[str, str, str | None], str | None]
"""From the key, the command and the HTML of the text of a reference, if it brings one, to HTML, if the key is known."""

_STOP = re.compile(r"\\(?P<command>[a-zA-Z@]++|.)?|\$\$?|[{}~%]|``|''|---?|[`']|\n\s*\n", re.DOTALL)
_TYPOGRAPHY = {"~": "\u00a0", "``": "“", "''": "”", "`": "‘", "'": "’", "--": "–", "---": "—", "-": "-", "}": ""}
_STYLES: Mapping[str, str] = {
    "emph": "em", "textit": "em", "textsl": "em", "textbf": "strong", "texttt": "code", "textsc": "span",
    "underline": "u", "text": "span", "textrm": "span", "mbox": "span", "textnormal": "span", "textup": "span",
    "textsf": "span",
}  # fmt: skip
_SWITCHES: Mapping[str, str] = {
    "em": "em", "it": "em", "sl": "em", "bf": "strong", "tt": "code", "itshape": "em", "slshape": "em",
    "bfseries": "strong",
}  # fmt: skip
_LISTS: Mapping[str, str] = {
    "itemize": "ul", "description": "ul", "list": "ul", **dict.fromkeys(
        ["enumerate", "compactenum", "inparaenum", "asparaenum", "steps", "alist"], "ol"),
}  # fmt: skip
_DISPLAYS = frozenset(GRIDS) - {"array"} | {"equation", "equation*", "displaymath", "math"}
_SOURCES = frozenset(
    {"tikzpicture", "tikzcd", "tabular", "tabular*", "picture", "xy", "verbatim", "lstlisting", "minted"}
)
_QUIET = frozenset(
    words(
        "noindent medskip smallskip bigskip par indent label index qedhere qed centering newline linebreak pagebreak "
        "vspace hspace protect leavevmode relax sloppy rm normalfont upshape rmfamily hfill vfill ignorespaces nobreak "
        "allowbreak footnotesize small large Large normalsize phantom hphantom vphantom vskip mathversion boldmath"
    )
)
_WITH_ARGUMENT = frozenset({"label", "index", "vspace", "hspace", "phantom", "hphantom", "vphantom", "mathversion"})
_CITE = re.compile(r"[cC]ite[a-zA-Z]*|parencite|textcite|footcite")
_OPTION = re.compile(r"\s*\[[^\]]*\]")
_ITEM = re.compile(r"\\(?:(begin|end)(?=\s*\{)|item(?![a-zA-Z])|.)", re.DOTALL)


class Prose:
    """Renders statements with one set of macros and one way to link references."""

    def __init__(self, formulas: Formulas, link: Link) -> None:
        """Bind what renders formulas, and what knows the labels."""
        self.formulas = formulas
        self.link = link

    def render(self, source: str) -> str:
        """The HTML of a text; never fails and is always well formed."""
        try:
            return _Writer(self, source, Budget()).write().strip()
        except CannotRender:
            return shown_source(source, display=True)


class _Writer:
    """Writes one stretch of text; a group inside it gets a writer of its own."""

    def __init__(self, prose: Prose, source: str, budget: Budget) -> None:
        self.prose = prose
        self.cursor = Cursor(source, prose.formulas.macros, budget)
        self.parts: list[str] = []

    def write(self) -> str:
        cursor = self.cursor
        cursor.budget.depth -= 1
        if cursor.budget.depth < 0:
            raise CannotRender("nested too deeply")
        closing: list[str] = []
        while match := _STOP.search(cursor.text, cursor.at):
            self.parts.append(escape(cursor.text[cursor.at : match.start()]))
            cursor.at = match.end()
            sign, command = match.group(), match["command"]
            if command in _SWITCHES:
                self.parts.append(f"<{_SWITCHES[command]}>")
                closing.append(f"</{_SWITCHES[command]}>")
                cursor.at += cursor.text.startswith(" ", cursor.at)
            elif command:
                self._command(command)
            else:
                self._sign(sign, match.start())
        self.parts.append(escape(cursor.text[cursor.at :]))
        cursor.budget.depth += 1
        return "".join([*self.parts, *reversed(closing)])

    def _inside(self, source: str) -> str:
        return _Writer(self.prose, source, self.cursor.budget).write()

    def _sign(self, sign: str, start: int) -> None:
        cursor = self.cursor
        if sign in ("$", "$$"):
            end = cursor.text.find(sign, cursor.at)
            if end < 0:
                self.parts.append("$")
                return
            self._formula(cursor.text[cursor.at : end], display=sign == "$$")
            cursor.at = end + len(sign)
        elif sign == "{":
            cursor.at = start
            self.parts.append(self._inside(cursor.group()))
        elif sign == "%":
            end = cursor.text.find("\n", cursor.at)
            cursor.at = len(cursor.text) if end < 0 else end + 1
        elif sign.isspace():
            self.parts.append('<span class="gap"></span>')
        else:
            self.parts.append(_TYPOGRAPHY.get(sign, ""))

    def _formula(self, source: str, *, display: bool) -> None:
        made = self.prose.formulas.render(source, display=display)
        self.parts.append(made if made is not None else shown_source(source.strip(), display=display))

    def _command(self, name: str) -> None:
        cursor = self.cursor
        if name in cursor.macros:
            cursor.expand(cursor.macros[name], cursor.at)
        elif name in ("(", "["):
            end = cursor.text.find({"(": "\\)", "[": "\\]"}[name], cursor.at)
            if end >= 0:
                self._formula(cursor.text[cursor.at : end], display=name == "[")
                cursor.at = end + 2
        elif name == "begin":
            self._environment(cursor.argument().strip())
        elif name in REFERENCES or name == "pageref":
            self._reference(name)
        elif name in _STYLES:
            small = ' class="sc"' if name == "textsc" else ""
            self.parts.append(f"<{_STYLES[name]}{small}>{self._inside(cursor.argument())}</{_STYLES[name]}>")
        else:
            self._rare(name)

    def _rare(self, name: str) -> None:
        cursor = self.cursor
        if name in _QUIET:
            cursor.at += cursor.text.startswith("*", cursor.at)
            if name in _WITH_ARGUMENT:
                cursor.argument()
            elif name in ("medskip", "bigskip", "par", "smallskip"):
                self.parts.append('<span class="gap"></span>')
        elif _CITE.fullmatch(name):
            note = cursor.option()
            key = escape(cursor.argument().strip())
            self.parts.append(f'[<span class="cite">{key}</span>{", " + self._inside(note) if note else ""}]')
        elif name == "footnote":
            self.parts.append(f'<small class="note">{self._inside(cursor.argument())}</small>')
        elif name in ("href", "textcolor", "hyperlink"):
            cursor.argument()
            self.parts.append(self._inside(cursor.argument()))
        elif name == "\\":
            self.parts.append("<br>")
        elif (letter := named_letter(name)) is not None:
            self.parts.append(escape(letter))
            cursor.at += cursor.text.startswith(" ", cursor.at) and name not in ("ldots", "dots", "TeX", "LaTeX")
        elif (sign := self._accent(name)) is not None:
            self.parts.append(escape(sign))
        elif not name.isalpha():
            self.parts.append(escape(name) if name in "%&#_${}" else " ")
        elif name not in ("end", "item", "left", "right"):
            self.parts.append(self._unknown(name))

    def _accent(self, name: str) -> str | None:
        if name not in "'`^\"~=.cvuHkrdb" or len(name) != 1:
            return None
        return accented(name, self.cursor.argument())

    def _unknown(self, name: str) -> str:
        """An address, or a formula without dollars, perhaps; otherwise the command as it was written."""
        if name in ("url", "nolinkurl"):
            # Text like any other: nothing of a corpus leads outside.
            return escape(self.cursor.argument().strip())
        made = self.prose.formulas.render(f"\\{name}")
        return made if made is not None else f'<code class="tex">\\{escape(name)}</code>'

    def _reference(self, name: str) -> None:
        cursor = self.cursor
        cursor.at += cursor.text.startswith("*", cursor.at)
        if REFERENCES.get(name) == "bracket":
            key = cursor.option()
            shown = self._inside(cursor.argument())
            self.parts.append(self.prose.link(key.strip(), name, shown) or shown if key else shown)
            return
        keys = cursor.argument().split(",")
        if REFERENCES.get(name) == "range":
            keys.append(cursor.argument())
        links = [self._linked(key.strip(), name) for key in keys]
        joined = " to ".join(links) if REFERENCES.get(name) == "range" else ", ".join(links)
        self.parts.append(f"({joined})" if name == "eqref" else joined)

    def _linked(self, key: str, name: str) -> str:
        return self.prose.link(key, name, None) or f'<code class="tex">{escape(key)}</code>'

    def _environment(self, name: str) -> None:
        body = self.cursor.environment(name)
        if name in _DISPLAYS:
            kept = name.rstrip("*") not in ("equation", "displaymath", "math")
            self._formula(f"\\begin{{{name}}}{body}\\end{{{name}}}" if kept else body, display=True)
        elif name in _LISTS:
            self.parts.append(self._list(_LISTS[name], body))
        elif name in _SOURCES:
            self.parts.append(shown_source(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True))
        else:
            self.parts.append(
                f"<div>{self._inside(_OPTION.sub('', body, count=1) if body.startswith('[') else body)}</div>"
            )

    def _list(self, tag: str, body: str) -> str:
        items, depth, start = [], 0, None
        for match in _ITEM.finditer(body):
            depth += (match[1] == "begin") - (match[1] == "end")
            if depth == 0 and match.group() == "\\item":
                if start is not None:
                    items.append(body[start : match.start()])
                start = match.end()
        if start is not None:
            items.append(body[start:])
        return f"<{tag}>{''.join(map(self._item, items))}</{tag}>"

    def _item(self, source: str) -> str:
        cursor = Cursor(source, self.cursor.macros, self.cursor.budget)
        own = cursor.option()
        if own is None:
            return f"<li>{self._inside(source).strip()}</li>"
        rest = self._inside(cursor.text[cursor.at :]).strip()
        return f'<li class="own"><span class="mark">{self._inside(own)}</span> {rest}</li>'


def shown_source(source: str, *, display: bool = False) -> str:
    """The source itself, where it cannot be rendered."""
    tag = "pre" if display else "code"
    return f'<{tag} class="tex">{escape(source)}</{tag}>'
