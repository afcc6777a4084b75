"""Statements as text: one line, plain paragraphs, or HTML with MathML; and excerpts of LaTeX that can be rendered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.errors import SourceNotFound
from naturalproofs.records import SOURCES, Anchor, Mention, Origin, Proof, Statement, StatementId, TextPart
from naturalproofs.sources.latex import (
    Formulas,
    Macro,
    Prose,
    citations,
    is_text_environment,
    macros_of,
    plain_text,
    plain_unicode,
    scanner,
)
from naturalproofs.sources.wiki.latex import expand_macros
from naturalproofs.sources.wiki.paper import readable
from naturalproofs.workspace.document_macros import macros_for

_PREVIEWED = 1_000
"""Characters of a statement that a preview reads."""
_WIKITEXT = re.compile(r"\[\[[^\[\]]+\]\]|'''|\{\{[a-zA-Z:]|^[:*#]+\s*\$", re.MULTILINE)
_WIKI_ONLY = re.compile(r"\[\[[A-Z][^\[\]|$\\]+(?:\|[^\[\]]+)?\]\]")
"""A link to a page: ``\\index G H`` beside it is a command of the wiki."""
_LATEX_ONLY = re.compile(
    r"\\(?:label|index|ref|cite|item|begin\s*\{(?:equation|itemize|enumerate|align\}))(?![a-zA-Z])"
)
_LINK = re.compile(r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_INDENT = re.compile(r"^[:*#;]+\s*", re.MULTILINE)
_NUMBER_IN_LABEL = re.compile(r"(?<![\w.-])\d+(?:\.\d+)+$")
_STOP = re.compile(r"\\(begin|end)\s*\{([^{}]*)\}|\\.?|[{}\s]|\$\$?", re.DOTALL)


def printed_name(statement: Statement) -> str:
    """``Lemma 3.2.5``."""
    return f"{word_of(statement)} {statement.number}" if statement.number else word_of(statement)


def full_name(statement: Statement, macros: Mapping[str, Macro]) -> str:
    """``Theorem 3.2.5 (Lagrange)``."""
    title = one_line(titled(statement), macros_for(macros, statement))
    return f"{printed_name(statement)} ({title})" if title else printed_name(statement)


def titled(statement: Statement) -> str:
    r"""The source of its title and of the citations in it: ``Zorn, \cite[Theorem 3]{kelley}``."""
    cited = (line for note in statement.notes if note.kind == SOURCES for line in note.lines)
    return ", ".join(filter(None, (statement.title, *cited)))


def name_or_label(statement: Statement, macros: Mapping[str, Macro]) -> str:
    """``Lemma 3.2 (Zorn)``, or the label where it has neither number nor title."""
    if not statement.number and not statement.title:
        return f"{printed_name(statement)} {statement.label}"
    return full_name(statement, macros)


def short_name(statement: Statement) -> str:
    """``Lemma 2.1``: its word, and its number, tag or label, if it has one of them."""
    own = statement.number or statement.tag or ("" if has_generated_label(statement) else statement.label)
    return word_of(statement) if own in ("", statement.title) else f"{word_of(statement)} {own}"


def word_of(statement: Statement) -> str:
    """``Lemma``."""
    return (statement.form or statement.kind).capitalize()


def one_line(source: str, macros: Mapping[str, Macro]) -> str:
    """LaTeX as one line of Unicode text."""
    return plain_unicode(source, macros)


def preview(statement: Statement, macros: Mapping[str, Macro], width: int = 100, corpus: Corpus | None = None) -> str:
    """The beginning of a statement on one line of Unicode text; references print what a corpus says of them."""
    beginning = excerpt(statement.lines, _PREVIEWED)
    source = wiki_as_latex(beginning) if statement.place is None else beginning
    source = named_citations(corpus, source, statement.mentions) if corpus is not None else source
    text = one_line(close_groups(source), macros_for(macros, statement))
    if len(text) <= width:
        return text if len(beginning) == len(statement.text) else f"{text} …"
    return text[: width - 1].rstrip() + "…"


def wiki_as_latex(text: str) -> str:
    """Wikitext as LaTeX, links as their text; LaTeX of other sources stays as it is."""
    if not _WIKITEXT.search(text) or (_LATEX_ONLY.search(text) and not _WIKI_ONLY.search(text)):
        return text
    return expand_macros(_LINK.sub(_link_text, _INDENT.sub("", readable(text))))


def _link_text(match: re.Match[str]) -> str:
    if match[1].casefold().startswith(("file:", "image:")):
        return f"\\includegraphics{{{match[1].partition(':')[2]}}}"
    return match[2] or match[1].rpartition(":")[2]


def html(source: str, macros: Mapping[str, Macro]) -> str:
    """LaTeX as HTML with MathML; references are shown by their text."""
    return Prose(Formulas(dict(macros)), lambda _key, _command, shown: shown or "…").render(source)


def read_macro_files(paths: Iterable[Path]) -> dict[str, Macro]:
    """The macros that LaTeX files define."""
    texts = []
    for path in paths:
        try:
            texts.append(path.read_text("utf-8", "replace"))
        except OSError as error:
            raise SourceNotFound(f"{path}: the macros cannot be read ({error.strerror})") from error
    return macros_of(texts)


def excerpt(lines: Iterable[str], limit: int) -> str:
    """The beginning of a text, up to a space outside of groups and formulas; all of `limit` if there is none."""
    text = "\n".join(lines)
    if len(text) <= limit:
        return text
    depth, formula, last = 0, "", 0
    for match in _STOP.finditer(text, 0, limit):
        token = match.group()
        if match[1]:
            depth += 0 if is_text_environment(match[2].strip()) else 1 if match[1] == "begin" else -1
        elif token in ("{", "}"):
            depth += 1 if token == "{" else -1
        elif token in ("$", "$$", "\\[", "\\]", "\\(", "\\)"):
            formula = "" if formula else token
        elif token.isspace() and depth <= 0 and not formula:
            last = match.start()
    return text[:last] if last else text[:limit].rstrip("\\")


def shown_cut(text: str, cut: tuple[bool, bool]) -> str:
    """A part of a text with an ellipsis where it was cut: before it, and after it."""
    return f"{'… ' if cut[0] else ''}{text}{' …' if cut[1] else ''}"


def close_groups(text: str) -> str:
    """Close the groups and environments that a part of a text opens, and drop the ends of others."""
    parts: list[str] = []
    opened: list[str] = []
    at = 0

    def close(end: str, start: int) -> None:
        """Close everything inside the group that ends here."""
        nonlocal at
        while opened[-1] != end:
            parts.append(text[at:start] + _end(opened.pop()))
            at = start
        opened.pop()

    for match in _STOP.finditer(text):
        if match[1] == "begin" or match.group() == "{":
            opened.append(match[2] or "{")
        elif match[1] == "end" or match.group() == "}":
            name = match[2] or "{"
            if name in opened:
                close(name, match.start())
            else:
                parts.append(text[at : match.start()])
                at = match.end()
    return "".join([*parts, text[at:], *map(_end, reversed(opened))])


def _end(opening: str) -> str:
    return "}" if opening == "{" else f"\\end{{{opening}}}"


# Texts that stand alone: citations replaced by what they print.

NUMBER_ONLY = frozenset({"ref", "eqref", "labelcref"})
"""Commands that print the number alone."""


def readable_text(corpus: Corpus, passage: Statement | Proof, macros: Mapping[str, Macro]) -> str:
    """A statement or a proof as plain text, one line for each paragraph and item; labels that are no statements too."""
    text = wiki_as_latex(passage.text)
    own = macros_for(macros, passage) if isinstance(passage, Statement) else macros
    return plain_text(named_citations(corpus, text, passage.mentions, unknown=True), own)


def named_citations(corpus: Corpus, text: str, mentions: Sequence[Mention], *, unknown: bool = False) -> str:
    """LaTeX with its citations replaced by what they print.

    Args:
        corpus: Holds what is cited.
        text: A statement or a proof, or its beginning.
        mentions: Its citations.
        unknown: Whether keys that no label has are shown, in brackets.
    """
    targets = citation_targets(mentions)
    full = {rest: mention.target for mention in mentions for rest in _without_prefixes(mention.target)}
    parts, at = [], 0
    for one in citations.find_citations(text):
        if one.start < at or scanner.CITING[one.command] == "bracket":
            continue  # Inside another one, or a link with its own text.
        names = []
        for key in (each.key for each in one.keys):
            anchor = corpus.anchors.get(key) or corpus.anchors.get(full.get(key, ""))
            owner = targets.get(key) or (anchor.owner if anchor else None)
            name = reference_text(corpus.by_id.get(owner or ""), anchor, key, one.command)
            names += [name] if name else [f"[{key}]"] if unknown else []
        if names:
            parts += [text[at : one.start], ", ".join(names)]
            at = one.end
    return "".join([*parts, text[at:]])


def _without_prefixes(key: str) -> Iterator[str]:
    """A key, and what is left of it without the names of documents before it."""
    while True:
        yield key
        if "-" not in key:
            return
        key = key.partition("-")[2]


def reference_text(statement: Statement | None, anchor: Anchor | None, key: str, command: str) -> str:
    """What a reference prints: its number alone if the author writes the word, else word and number.

    What has no known number is said to be in its statement or section; empty if nothing is known.

    Args:
        statement: The statement that is cited, or that holds what is cited.
        anchor: What the key is the label of.
        key: The key as it is written.
        command: The command that cites.
    """
    if statement is not None and (anchor is None or anchor.kind == "statement"):
        name = citation_text(statement, key, command, anchor)
        if name or anchor is None:
            return name
        return f"a part of {cited_name(statement)}"  # A second label in a statement may be that of a caption.
    if anchor is None or anchor.kind in ("bibliography", "external"):
        return ""
    if anchor.number:
        return _number_of(anchor, command)
    if anchor.kind == "section" or (anchor.kind == "float" and not anchor.word):
        return f"“{anchor.title}”" if anchor.title else ""
    where = cited_name(statement) if statement is not None else anchor.title
    word = anchor.word or {"float": "figure", "other": "part", "item": "part"}.get(anchor.kind, anchor.kind)
    is_written = command in NUMBER_ONLY and (anchor.kind == "float" or statement is None)
    return f"in {where}" if where and is_written else f"{word} in {where}" if where else ""


def _number_of(anchor: Anchor, command: str) -> str:
    in_brackets = command == "eqref" or (anchor.word == "equation" and command != "ref")
    number = f"({anchor.number})" if in_brackets else anchor.number
    word = anchor.word.capitalize() if command[:1].isupper() or command == "autoref" else anchor.word
    return number if command in NUMBER_ONLY else f"{word} {number}".strip()


def heading_before(corpus: Corpus, origin: Origin) -> TextPart | None:
    """The last heading of a file up to a line."""
    before = ((one.origin.line, one) for one in corpus.headings.get(origin.path, ()) if one.origin)
    return max((one for one in before if one[0] <= origin.line), key=itemgetter(0), default=(0, None))[1]


def cited_name(statement: Statement) -> str:
    """What a citation prints: word and number; without a number the title, the section, or the marked label."""
    if statement.number or statement.tag or has_generated_label(statement):
        return short_name(statement)
    title = statement.title if _is_plain(statement.title) else ""
    return f"{word_of(statement)} {f'({title})' if title else _section_or_label(statement)}"


def _is_plain(title: str) -> bool:
    return bool(title) and not set("\\$").intersection(title)


def _section_or_label(statement: Statement) -> str:
    names = (one_line(one, {}) for one in (statement.section, statement.chapter))
    said = (*_NUMBER_IN_LABEL.findall(statement.label), *(f"in “{one}”" for one in names if _is_plain(one)))
    return next(iter(said), f"[{statement.label}]")


def citation_text(statement: Statement, key: str, command: str, anchor: Anchor | None = None) -> str:
    """What a citation of a statement prints: its number alone if the author writes the word, else word and number.

    Without a number it prints that of the section, which its anchor has. Empty if the key is not the label of the
    statement, but that of an equation or an item in it.
    """
    if key != statement.label and not statement.label.endswith(f"-{key}"):
        return ""
    if command == "nameref" and statement.title:
        return statement.title
    number = statement.number or statement.tag
    if not number and anchor is not None and anchor.number:
        return _number_of(anchor, command)
    if command not in NUMBER_ONLY:
        return cited_name(statement)
    return number or (word_of(statement) if has_generated_label(statement) else _section_or_label(statement))


def citation_targets(mentions: Sequence[Mention]) -> dict[str, StatementId]:
    """The statements that a text cites, by the key of the citation.

    In projects of several documents a key may lack the prefix of its document, so keys without prefixes are here too.
    """
    exact = {mention.target: mention.reference for mention in mentions if mention.reference is not None}
    shorter: dict[str, StatementId] = {}
    for key, target in exact.items():
        for rest in _without_prefixes(key):
            shorter.setdefault(rest, target)
    return shorter | exact
