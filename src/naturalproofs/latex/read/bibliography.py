r"""Entries of a bibliography: those of .bib files, and those that a document writes itself with ``\bibitem``."""

import re
from collections.abc import Iterator

from naturalproofs.latex.scan.arguments import plain_letters, plain_title, read_group
from naturalproofs.records import BibliographyEntry

RESOURCES = re.compile(
    r"\\(?:bibliography|addbibresource|addglobalbib|addsectionbib|nobibliography|bibliographyunit)\*?\s*(?:\[[^][]*\]\s*)?\{([^{}]*)\}"
)
"""Commands that name the files of entries."""
ITEM = re.compile(r"\\bibitem\s*(?:\[(?:[^][{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\]\s*)?\{([^{}]*)\}")
_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*[{(]\s*([^,\s{}()]+)\s*,")
_FIELD = re.compile(r"\s*([A-Za-z][\w+-]*)\s*=\s*")
_VALUE = re.compile(r'"((?:[^"\\{}]|\\.|\{[^{}]*\})*)"|(\w+)')
_NOT_ENTRIES = frozenset({"comment", "string", "preamble"})
_ITEM_END = re.compile(r"\\bibitem(?![a-zA-Z])|\\end\s*\{thebibliography\}|\n[ \t]*\n[ \t]*\n")
_BLOCK = re.compile(r"\\newblock(?![a-zA-Z])\s*")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_LONGEST_ITEM = 2_000
_MOST_FIELDS = 80


def resource_names(text: str) -> set[str]:
    """The names of the files of entries that a text gives."""
    found = {name.strip() for names in RESOURCES.findall(_COMMENT.sub("", text)) for name in names.split(",")}
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
        for key in (match[2], *map(str.strip, fields.get("ids", "").split(","))):
            if key:
                yield BibliographyEntry(key, title, authors, year, address)


def read_items(text: str) -> Iterator[BibliographyEntry]:
    r"""The entries that ``\bibitem`` writes; they have a text and no fields."""
    for match in ITEM.finditer(text):
        stop = _ITEM_END.search(text, match.end(), match.end() + _LONGEST_ITEM)
        end = stop.start() if stop else match.end() + _LONGEST_ITEM
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
        raw = name[1].casefold() in ("url", "doi", "ids", "date")
        yield name[1].casefold(), source.strip() if raw else _plain(source)
        while at < len(text) and text[at] in ", \t\r\n":
            at += 1


def _plain(source: str) -> str:
    return plain_title(plain_letters(source)).replace("{", "").replace("}", "").replace("``", "“").replace("''", "”")


def _names(authors: str) -> str:
    """Names with the first name first, separated by commas."""
    names = [" ".join(reversed([part.strip() for part in name.split(",", 1)])) for name in authors.split(" and ")]
    return ", ".join(filter(None, map(str.strip, names)))
