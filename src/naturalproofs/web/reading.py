"""Statements and proofs as HTML with links; a corpus is untrusted, so only the package's own renderer writes markup."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from naturalproofs.corpus.corpus import Corpus, has_generated_label
from naturalproofs.latex.display import Formulas, Macro, Prose, plain_unicode
from naturalproofs.latex.display.prose import Link
from naturalproofs.latex.vocabulary import REFERENCES
from naturalproofs.records import Mention, Proof, Statement, StatementId
from naturalproofs.web.addresses import statement_address
from naturalproofs.web.html import Html, h, join
from naturalproofs.workspace.beginnings import beginning, closed
from naturalproofs.workspace.citing import preview
from naturalproofs.workspace.search.found import Mark, marked

_SHORT = frozenset({"ref", "eqref", "labelcref"})
"""Commands that print the number alone."""
_ON, _OFF = "\ue000", "\ue001"
"""Stand around what is to be highlighted while the text is rendered; no source means anything by them."""
_SIGNS = re.compile(f"[{_ON}{_OFF}]")
_WIKI_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]")
_REFERENCE = re.compile(
    rf"\\(?P<command>{'|'.join(sorted(REFERENCES, key=len, reverse=True))})\*?\s*\{{(?P<keys>[^{{}}]*)\}}"
)
_BLOCKS = ("\\begin", "\\[", "$$", "\\item", "\\xymatrix", "\n\n", "\\footnote")
"""What would take more than a line."""
_BULLET = re.compile(r"^[*#:;]+\s*")


class Reading:
    """Renders the statements of one corpus."""

    def __init__(self, corpus: Corpus, macros: Mapping[str, Macro]) -> None:
        """Bind the corpus and its author's macros."""
        self.corpus = corpus
        self.macros = dict(macros)
        self._formulas = Formulas(self.macros)
        self._plain: dict[tuple[StatementId, int], str] = {}

    def statement(self, statement: Statement) -> Html:
        """What a statement says."""
        return self._lines(statement.lines, statement.mentions, wiki=statement.place is None)

    def proof(self, statement: Statement, proof: Proof) -> Html:
        """One of its proofs."""
        return self._lines(proof.lines, proof.mentions, wiki=statement.place is None)

    def note(self, statement: Statement, lines: Sequence[str]) -> Html:
        """Text about it."""
        return self._lines(lines, statement.mentions, wiki=statement.place is None)

    def title(self, statement: Statement) -> Html:
        """Its title, formulas included."""
        return Html(Prose(self._formulas, _no_link).render(statement.title))

    def excerpt(self, statement: Statement, text: str, marks: Sequence[Mark] = ()) -> Html:
        """A part of a statement, with what was searched for highlighted."""
        source = _wiki_links(closed(marked(_SIGNS.sub("\ufffd", text), marks, _ON, _OFF)))
        source = _written_out(source) if statement.place is None else source
        made = Prose(self._formulas, self._linker(statement.mentions)).render(source)
        return Html(made.replace(_ON, "<mark>").replace(_OFF, "</mark>"))

    def gist(self, statement: Statement, most: int = 130) -> Html:
        """Its title, or how it begins with formulas drawn: one line that can stand inside a link."""
        if statement.title:
            return h("i", self.title(statement))
        source = beginning(statement.lines, most)
        if any(sign in source for sign in _BLOCKS):
            return Html(escape(self.plain(statement, most)))
        cited = _targets(statement.mentions)

        def name(key: str, command: str, shown: str | None) -> str | None:
            found = self.corpus.by_id.get(_target(cited, key) or "")
            return shown or (escape(self._cited(found, command)) if found else None)

        made = Prose(self._formulas, name).render(_wiki_links(source))
        return Html(made if len(source) == len("\n".join(statement.lines)) else f"{made} …")

    def plain(self, statement: Statement, most: int = 160) -> str:
        """How it begins, as plain characters; what it refers to is named."""
        key = statement.id, most
        if key not in self._plain:
            self._plain[key] = self._begins(statement, most)
        return self._plain[key]

    def _begins(self, statement: Statement, most: int) -> str:
        cited = _targets(statement.mentions)

        def named(match: re.Match[str]) -> str:
            found = [self.corpus.by_id.get(_target(cited, key.strip()) or "") for key in match["keys"].split(",")]
            return ", ".join(self._cited(one, match["command"]) for one in found if one is not None) or match[0]

        text = _REFERENCE.sub(named, _wiki_links(beginning(statement.lines, 4 * most)))
        return preview(Statement(statement.id, statement.kind, "", "", (text,)), self.macros, most)

    def words(self, text: str) -> str:
        """A heading as plain characters."""
        return plain_unicode(text, self.macros)

    def name(self, statement: Statement) -> str:
        """What a person calls it: ``Lemma 2.1``, or its form and label where no number is printed."""
        form = (statement.form or statement.kind).capitalize()
        own = statement.number or statement.tag or ("" if has_generated_label(statement) else statement.label)
        return form if not own or own == statement.title else f"{form} {own}"

    def _lines(self, lines: Sequence[str], mentions: Sequence[Mention], *, wiki: bool) -> Html:
        prose = Prose(self._formulas, self._linker(mentions))
        text = _wiki_links("\n".join(lines))
        if wiki:
            text = _written_out(text)
        if not wiki or "\\begin" in text or "$$" in text:
            return Html(prose.render(text))
        return join(_wiki_line(prose, line) for line in text.split("\n") if line.strip())

    def _linker(self, mentions: Sequence[Mention]) -> Link:
        cited = _targets(mentions)

        def link(key: str, command: str, shown: str | None) -> str | None:
            target = _target(cited, key)
            return self._link(target, command, shown) if target is not None else shown

        return link

    def _link(self, target: StatementId, command: str, shown: str | None) -> str | None:
        statement = self.corpus.by_id.get(target)
        if statement is None:
            return shown
        name = escape(self._cited(statement, command))
        return f'<a href="{escape(statement_address(target))}">{shown or name}</a>'

    def _cited(self, statement: Statement, command: str) -> str:
        """What stands where a statement is cited: its number or tag alone, if the author writes the word."""
        return statement.number or statement.tag or statement.label if command in _SHORT else self.name(statement)


def _targets(mentions: Sequence[Mention]) -> dict[str, StatementId]:
    return {mention.target: mention.reference for mention in mentions if mention.reference is not None}


def _target(cited: Mapping[str, StatementId], key: str) -> StatementId | None:
    """What a key stands for; in documents side by side a key may lack what stands before it elsewhere."""
    return cited.get(key) or next((cited[name] for name in cited if name.endswith(f"-{key}")), None)


def rendered(text: str, macros: Mapping[str, Macro]) -> Html:
    """What someone types, rendered; nothing of it is remembered."""
    return Html(Prose(Formulas(dict(macros)), _plain_link).render(text))


def _no_link(_key: str, _command: str, shown: str | None) -> str | None:
    return shown


def _plain_link(key: str, _command: str, shown: str | None) -> str | None:
    return shown or f'<span class="cite">{escape(key)}</span>'


def _wiki_links(text: str) -> str:
    """Links of a wiki as the LaTeX command that means the same."""
    if "[[" not in text:
        return text
    return _WIKI_LINK.sub(lambda match: f"\\hyperref[{match[1]}]{{{match[2] or match[1]}}}", text)


def _written_out(text: str) -> str:
    """A wiki's own commands in terms of LaTeX's; only a corpus that is a wiki pays for knowing them."""
    from naturalproofs.wiki.latex import written_out

    return written_out(text)


def _wiki_line(prose: Prose, line: str) -> Html:
    bullet = _BULLET.match(line)
    body = Html(prose.render(line[bullet.end() :] if bullet else line))
    return h("p", body, class_="item" if bullet else None)
