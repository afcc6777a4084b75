r"""Other works: citations of their results, ``\cite[Theorem 3]{EGA}``, "Lemma 2 of \cite{Serre}", and their entries.

The notes of a citation are read as LaTeX, natbib, biblatex and amsrefs write them. Entries are those of .bib files, and
those that a document writes itself with ``\bibitem``.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from naturalproofs.records import BibliographyEntry
from naturalproofs.sources.latex.scan.arguments import Argument, plain_letters, plain_title, read_group, read_option
from naturalproofs.sources.reading.kinds import by_word

_CITE = re.compile(
    r"\\(?!nocite)(?P<name>(?:[Aa]uto|[Pp]aren|[Tt]ext|[Ff]oot|[Ss]mart|super|full|note|opt|[a-z]{0,2})[cC]ite"
    r"(?:s|p|t|alp|alt|author|title|al|text|year|num)?)(?![a-zA-Z@])\*?"
)
_WITHOUT_RESULT = frozenset({"citeauthor", "citeyear", "citenum", "citetitle", "Citeauthor"})
"""Commands that only print a part of an entry."""
_SPACE = re.compile(r"\\(?:nobreakspace|[ ,;!/@])|~|\s+|\{\}")
_FONT = re.compile(r"\\(?:emph|text[a-z]{2}|mbox|ensuremath|href\s*\{[^{}]*\})\s*\{([^{}]*)\}")
_PARAGRAPH = re.compile(r"\\(?:S|textsection|P)(?![a-zA-Z])\s*")
_WORD = re.compile(r"(?<![\w\\])([A-Za-z]{1,12})(\.?)(?=\s*[\dIVXA-Z(])")
_FULL_WORDS = {
    "ch": "Chapter", "chap": "Chapter", "chapt": "Chapter", "sec": "Section", "sect": "Section", "subsec": "Subsection",
    "app": "Appendix", "pg": "p.", "page": "p.", "pp": "pp.", "pages": "pp.", "p": "p.", "exer": "Exercise",
    "ex": "Ex.", "eq": "Equation", "eqn": "Equation", "fig": "Figure", "vol": "Volume", "para": "Paragraph",
    "par": "Paragraph", "no": "No.",
}  # fmt: skip
_ABBREVIATED = frozenset(
    "thm thms theo prop props lem lems lemm cor cors coro corr def defs defn defi rem rems rmk rmq".split()
)
_RESULT = (
    r"(?P<place>(?:Theorems?|Thms?\.?|Lemmas?|Lemmata|Lem\.|Propositions?|Props?\.?|Corollar(?:y|ies)|Cors?\.?"
    r"|Definitions?|Def\.?|Remark|Exercises?|Examples?|Claim|Section|Chapter|Satz|Th[ée]or[èe]me|Lemme"
    r"|D[ée]finition|Korollar|Equation)[~\s]*\(?[\dIVX]+(?:\.?\w+)*\)?)"
)
_BEFORE = re.compile(rf"{_RESULT},?(?:~|\s)+(?:of|in|from|von|aus|de|dans)(?:~|\s)+$")
_AFTER = re.compile(rf"(?:,|~|\s)+{_RESULT}")
_BRACED = re.compile(r"\{(\\[a-zA-Z]{0,8}?[cC]ite[a-z]*+\*?+(?:\[[^\[\]]*+\]){0,2}+\{[^{}]*+\})\}")
"""A citation in braces, which hide its brackets from those of an option."""
_LEADING = re.compile(
    r"(?<![\s~,;])[\s~,;]*+(?P<bracket>\()?+(?:\b(?:see(?: also)?|cf\.?|of|from|in|by|after|following|or|and)"
    r"(?:\\?[~\s]|,)*+)?+(?:\be\.\s?g\.(?:\\?[~\s]|,)*+)?+$"
)
_EMPTY = re.compile(r"\{\s*\}|\(\s*\)|\[\s*\]")
_PAGES = re.compile(r"(?:\d+|[ivxl]+)(?:f{1,2})?((?:\s*[-–,]+\s*)\d+)?(?:f{1,2})?\.?")
_LONGEST_PLACE = 80
_NEAR = 90
"""How far from a citation without a note the words "Theorem 3 of" are looked for."""


class OutsideReference(NamedTuple):
    """A citation of another work, and which part of it is meant."""

    key: str
    """The entry of the bibliography."""
    place: str = ""
    """``Theorem 3``, ``Chapter 2``, ``p. 12``; empty if the whole work is cited."""
    before: str = ""
    """What the author writes before it: ``see``, ``cf.``."""


def find_outside(text: str) -> Iterator[OutsideReference]:
    """The citations of other works in a text, in order."""
    for match in _CITE.finditer(text):
        if match["name"] not in _WITHOUT_RESULT:
            yield from _read(text, match)


def titled_sources(title: str) -> tuple[str, ...]:
    """The citations in the source of a title, each as LaTeX."""
    spans = (_span(title, match) for match in _CITE.finditer(title))
    found = tuple(" ".join(title[start:end].split()) for start, end in spans if end)
    if len(found) != 1 or "[" in found[0] or "*{" in found[0]:
        return found
    # "Lemma 4.7 from \cite{a}".
    place = next((one.place for one in find_outside(title)), "")
    return (found[0].replace("{", f"[{place}]{{", 1),) if place else found


def without_citations(title: str) -> str:
    """A title without its citations, and without the words that lead to them."""
    parts: list[str] = []
    at = 0
    title = _BRACED.sub(r"\1", title)
    for match in _CITE.finditer(title):
        start, end = _span(title, match)
        if not end or start < at:
            continue
        before = title[at:start]
        led = _BEFORE.search(before) or _LEADING.search(before)
        parts.append(before[: led.start()] if led else before)
        after = _AFTER.match(title, end)
        at = after.end() if after else end
        if led and led.groupdict().get("bracket") and title.startswith(")", at):
            at += 1
    return _EMPTY.sub("", "".join(parts) + title[at:]).strip(" ,;~") if at else title


def _span(text: str, match: re.Match[str]) -> tuple[int, int]:
    """Where a citation begins and ends; its end is 0 if it has no keys."""
    end = 0
    for _, _, key in _calls(text, match.end(), many=match["name"].endswith("s")):
        end = key.end
        if star := _starred_place(text, end):
            end = star.end
    return match.start(), end


def _read(text: str, match: re.Match[str]) -> Iterator[OutsideReference]:
    calls = list(_calls(text, match.end(), many=match["name"].endswith("s")))
    for before, place, keys in calls:
        found = place.text if place else ""
        if not place and (star := _starred_place(text, keys.end)):
            found = star.text
        elif not place and len(calls) == 1 and "," not in keys.text:
            near = _BEFORE.search(text, max(0, match.start() - _NEAR), match.start()) or _AFTER.match(
                text, keys.end, keys.end + _NEAR
            )
            found = near["place"] if near else ""
        names = [" ".join(key.split()) for key in keys.text.split(",")]
        for key in filter(None, names):
            if "#" not in key and "\\" not in key:
                yield OutsideReference(key, plain_place(found), plain_place(before.text if before else ""))


def _calls(text: str, at: int, *, many: bool) -> Iterator[tuple[Argument | None, Argument | None, Argument]]:
    """The notes and the keys of a citation; several, one after the other, for commands such as ``\\cites``."""
    while True:
        first = read_option(text, at)
        second = read_option(text, first.end) if first else None
        last = second or first
        keys = read_group(text, last.end if last else at)
        if keys is None:
            return
        yield (first, second, keys) if second else (None, first, keys)
        at = keys.end
        if not many:
            return


def _starred_place(text: str, at: int) -> Argument | None:
    r"""The place that amsrefs writes after the key: ``\cite{a}*{Theorem 3}``."""
    return read_group(text, at + 1) if text.startswith("*", at) else None


def plain_place(source: str) -> str:
    r"""A note on one line, with common abbreviations written out: ``Prop.~2.1`` is Proposition 2.1."""
    text = _PARAGRAPH.sub("§", _FONT.sub(r"\1", plain_letters(source)))
    text = " ".join(_SPACE.sub(" ", text).split()).strip(" ,;.").replace("{", "").replace("}", "").replace("$", "")
    text = _WORD.sub(_written_out, text)[:_LONGEST_PLACE].replace("--", "–")
    pages = _PAGES.fullmatch(text)
    # As biblatex has it: numbers alone are pages.
    return f"pp. {text}" if pages and pages[1] else f"p. {text}" if pages else text


def _written_out(match: re.Match[str]) -> str:
    word = match[1].casefold()
    if word in _FULL_WORDS:
        return _FULL_WORDS[word]
    sense = by_word(word) if word in _ABBREVIATED else None
    return sense.family.capitalize() if sense and sense.family else match.group()


# Entries.

_RESOURCES = re.compile(
    r"\\(?:bibliography|addbibresource|addglobalbib|addsectionbib|nobibliography|bibliographyunit)\*?\s*(?:\[[^][]*\]\s*)?\{([^{}]*)\}"
)
"""Commands that name the files of entries."""
BIBITEM = re.compile(r"\\bibitem\s*(?:\[(?:[^][{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\]\s*)?\{([^{}]*)\}")
_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*[{(]\s*([^,\s{}()]+)\s*,")
_FIELD = re.compile(r"\s*([A-Za-z][\w+-]*)\s*=\s*")
_VALUE = re.compile(r'"((?:[^"\\{}]|\\.|\{[^{}]*\})*)"|(\w+)')
_NOT_ENTRIES = frozenset({"comment", "string", "preamble"})
_BIBITEM_END = re.compile(r"\\bibitem(?![a-zA-Z])|\\end\s*\{thebibliography\}|\n[ \t]*\n[ \t]*\n")
_BLOCK = re.compile(r"\\newblock(?![a-zA-Z])\s*")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_LONGEST_ENTRY = 2_000
_MOST_FIELDS = 80


def resource_names(text: str) -> set[str]:
    """The names of the files of entries that a text gives."""
    found = {name.strip() for names in _RESOURCES.findall(_COMMENT.sub("", text)) for name in names.split(",")}
    return found - {""}


def read_bib(text: str) -> Iterator[BibliographyEntry]:
    """The entries of a .bib file, in order; an entry with further keys is given under each of them."""
    for match in _ENTRY.finditer(text):
        if match[1].casefold() in _NOT_ENTRIES:
            continue
        fields = dict(_fields(text, match.end()))
        title = ". ".join(filter(None, (fields.get("title", ""), fields.get("subtitle", ""))))
        year = fields.get("year") or fields.get("date", "")[:4]
        address = fields.get("url") or (f"https://doi.org/{fields['doi']}" if fields.get("doi") else "")
        authors = _names(fields.get("author") or fields.get("editor", ""))
        eprint = f"arXiv:{fields['eprint']}" if fields.get("eprint") else ""
        preprint = (fields.get(name, "") for name in ("journal", "note", "howpublished"))
        numbers = (fields.get("doi", ""), eprint, *(text for text in preprint if "arxiv" in text.casefold()))
        for key in (match[2], *map(str.strip, fields.get("ids", "").split(","))):
            if key:
                yield BibliographyEntry(key, title, authors, year, address, " ".join(filter(None, numbers)))


def read_items(text: str) -> Iterator[BibliographyEntry]:
    r"""The entries that ``\bibitem`` writes; they have a text and no fields."""
    for match in BIBITEM.finditer(text):
        stop = _BIBITEM_END.search(text, match.end(), match.end() + _LONGEST_ENTRY)
        end = stop.start() if stop else match.end() + _LONGEST_ENTRY
        shown = _plain(_BLOCK.sub(" ", _COMMENT.sub("", text[match.end() : end])))
        yield BibliographyEntry(match[1].strip(), text=shown)


def _fields(text: str, at: int) -> Iterator[tuple[str, str]]:
    """The fields of an entry, as plain text."""
    for _ in range(_MOST_FIELDS):
        name = _FIELD.match(text, at)
        if name is None:
            return
        group = read_group(text, name.end())
        value = None if group else _VALUE.match(text, name.end())
        if group is None and value is None:
            return
        source = group.text if group else (value[1] or value[2] or "") if value else ""
        at = group.end if group else value.end() if value else at
        raw = name[1].casefold() in ("url", "doi", "ids", "date", "eprint")
        yield name[1].casefold(), source.strip() if raw else _plain(source)
        while at < len(text) and text[at] in ", \t\r\n":
            at += 1


def _plain(source: str) -> str:
    return plain_title(plain_letters(source)).replace("{", "").replace("}", "").replace("``", "“").replace("''", "”")


def _names(authors: str) -> str:
    """Names with the first name first, separated by commas."""
    names = [" ".join(reversed([part.strip() for part in name.split(",", 1)])) for name in authors.split(" and ")]
    return ", ".join(filter(None, map(str.strip, names)))
