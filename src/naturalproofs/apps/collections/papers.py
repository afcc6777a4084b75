r"""What a work says of itself, which results of other works it cites, and the edges between statements of two works.

A bibliography entry with the arXiv id, the DOI or the exact title of another work of the collection makes
``\cite[Theorem 3]{X}`` an edge. Only what is certain is one: the work must be the only one that is meant, and have
one theorem of this number.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from naturalproofs.apps.collections.tables import CITATIONS, LINKS, Writer, within
from naturalproofs.corpus.bibliography import bibliography, outside_uses
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import listed_files, source_encoding, source_text
from naturalproofs.errors import BadSchema
from naturalproofs.records import BibliographyEntry, StatementId
from naturalproofs.sources.latex import plain_title, read_group, read_option
from naturalproofs.sources.reading.kinds import by_word

# What a work says of itself.


@dataclass(frozen=True, slots=True)
class About:
    """A work; what is not known is empty."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    subjects: tuple[str, ...] = ()
    """Codes of the Mathematics Subject Classification, and categories of arXiv."""
    licence: str = ""
    ids: tuple[str, ...] = ()
    """``arxiv:2401.00001v2`` and ``doi:10.1000/x``."""

    def facets(self) -> set[str]:
        """What filters ask for, as `facet_keys` has it; a subject is also found by its branch."""
        branches = (code.partition(".")[0] if "." in code else code[:2] for code in self.subjects)
        fields = {"author": self.authors, "year": [self.year], "subject": [*self.subjects, *branches]}
        fields["licence"] = [self.licence]
        return {key for field, values in fields.items() for value in values for key in facet_keys(field, value)}


def facet_keys(field: str, value: str) -> Iterator[str]:
    """What stands for a value of a filter, as ``field:value``: the words of names and licences, else the whole."""
    values = title_key(value).split() if field in {"author", "licence"} else [value.strip().casefold()]
    yield from (f"{field}:{one}" for one in values if one)


_ARXIV = re.compile(r"(?<![\w.])(?:(\d{4}\.\d{4,5})|([a-z]+(?:-[a-z]+)?)(?:\.[A-Z]{2})?/?(\d{7}))(v\d+)?(?![\w.]*\d)")
_WRITTEN_ARXIV = re.compile(r"arxiv\s*(?:\.org/(?:abs|pdf)/|[:.]?\s*)", re.IGNORECASE)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`]+[^\s\"<>{}|\\^`.,;:)\]]")
_CODE = re.compile(r"\b\d\d(?:[A-Z](?:\d\d|xx)|-(?:\d\d|XX|xx))\b")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_OF_AUTHORS = re.compile(
    r"\\(?:thanks|footnote|inst|textsuperscript|ref|IEEEauthorrefmark|affil|email|orcid\w*)\s*(?=\{)|\$[^$]*\$"
)
_AND, _BETWEEN_NAMES = re.compile(r"\\(?:and|And|AND)(?![a-zA-Z])"), re.compile(r"\s+and\s+|,|;|&")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_HEAD, _MOST_FILES, _MOST_WRITTEN, _LONGEST_NAME = 50_000, 20, 100, 80
"""Characters of a file, files of a project, commands of a file and characters of a name that are read for it."""


def arxiv_id(name: str) -> str:
    """The arXiv id that the name of an archive or a folder is; empty if it is none."""
    match = _ARXIV.fullmatch(name)
    return _arxiv(match) if match else ""


def _arxiv(match: re.Match[str]) -> str:
    return f"arxiv:{match[1] or f'{match[2]}/{match[3]}'}{match[4] or ''}"


def stated(corpus: Corpus, name: str, given: About | None) -> About:
    r"""What is known of a project: what was given, else what its settings, its ``\title`` and the like say."""
    provenance, known = corpus.provenance, given or About()
    found = {"author": tuple(filter(None, provenance.authors.split(", "))), "date": (), "subjclass": ()}
    encoding = source_encoding(corpus)
    for file in [file for file in listed_files(corpus) if file.suffix in {".tex", ".ltx"}][:_MOST_FILES]:
        text = _COMMENT.sub("", source_text(file, encoding)[:_HEAD])
        found = {command: values or tuple(_written(text, command)) for command, values in found.items()}
    codes = dict.fromkeys(code for value in found["subjclass"] for code in _CODE.findall(value))
    years = _YEAR.findall(" ".join(found["date"]))
    names = found["author"] if provenance.authors else tuple(_names(found["author"]))
    own = arxiv_id(name.rpartition("/")[2])
    return About(
        known.title or (corpus.title if corpus.title != corpus.name else ""), known.authors or names,
        known.year or (years[-1] if years else ""),
        known.subjects or tuple(codes), known.licence or provenance.licence,
        tuple(dict.fromkeys(filter(None, (own, *(one for one in known.ids if not own.startswith(one)))))),
    )  # fmt: skip


def _written(text: str, command: str) -> Iterator[str]:
    """What a document writes as the argument of a command."""
    for match in islice(re.finditer(rf"\\{command}(?![a-zA-Z])", text), _MOST_WRITTEN):
        option = read_option(text, match.end())
        if group := read_group(text, option.end if option else match.end()):
            yield group.text


def _names(sources: Iterable[str]) -> Iterator[str]:
    """The names of authors; what follows a line break is where they work."""
    for source in sources:
        text, parts, at = source, [], 0
        for match in _OF_AUTHORS.finditer(text):
            group = None if match[0].startswith("$") else read_group(text, match.end())
            if match.start() >= at:
                parts.append(text[at : match.start()])
                at = group.end if group else match.end()
        people = _AND.split("".join(parts) + text[at:])
        names = (name for each in people for name in _BETWEEN_NAMES.split(each.strip().partition("\\\\")[0]))
        plain = (" ".join(plain_title(name).split()) for name in names)
        yield from (name for name in plain if name and len(name) <= _LONGEST_NAME and "\\" not in name)


def read_about(path: Path, wanted: Collection[str]) -> dict[str, About]:
    """What a file says of some works, by their names or arXiv ids.

    Args:
        path: JSON lines as in arXiv's snapshot: id, title, authors, categories, license, doi, versions.
        wanted: Names of projects, and arXiv ids without their version.
    """
    found: dict[str, About] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line) if line.strip() else {}
                if str(row.get("id", "")) in wanted:
                    found[str(row["id"])] = _of_row(row)
            except (ValueError, AttributeError, TypeError, RecursionError) as error:
                raise BadSchema(f"{path}:{number}: not a JSON object as arXiv describes a paper ({error})") from error
    return found


def _of_row(row: Mapping[str, Any]) -> About:
    names, own = re.split(r",\s+and\s+|,|\s+and\s+", str(row.get("authors") or "")), arxiv_id(str(row["id"]))
    dates = [str(one.get("created", "")) for one in row.get("versions") or ()] or [str(row.get("update_date", ""))]
    years = _YEAR.findall(dates[0])
    return About(
        " ".join(str(row.get("title") or "").split()), tuple(filter(None, (" ".join(name.split()) for name in names))),
        years[0] if years else "", tuple(str(row.get("categories") or "").split()), str(row.get("license") or ""),
        tuple(filter(None, (own, *(f"doi:{one.casefold()}" for one in str(row.get("doi") or "").split())))),
    )  # fmt: skip


# Which results of other works it cites.

_PLACE = re.compile(
    r"(?P<word>[^\W\d_]{3,})\.?\s+(?P<numbers>{0}(?:\s*(?:and|or|und|et|&)\s*{0})*)".replace(
        "{0}", r"\(?(?:[A-Z]|\d+)(?:\.\d+)*(?!\.?\w|['′*])"
    )
)
_NUMBER = re.compile(r"(?:[A-Z]\b|\d+)(?:\.\d+)*")
_PART = re.compile(r"\b(?:Chapter|(?:Sub)?section|Appendix|Part|Volume|Paragraph|Chapitre|Kapitel)\b|§", re.IGNORECASE)
"""Numbers may start again in each part."""
_FEWEST_WORDS = 2
_WITHOUT_AUTHORS = 4
"""Words of a title that is taken for the same where authors cannot be compared."""
_LONGEST_TITLE = 4
"""Parts of an entry between two punctuation marks that are read as one title."""
_ENTRY = 600


def citations(project: str, corpus: Corpus) -> pa.Table:
    """A row for each result of another work that a statement or a proof cites by its number."""
    entries = {entry.key: entry for entry in bibliography(corpus)}
    names = {key: entry_names(entry) for key, entry in entries.items()}
    prefix = f"{corpus.name}:"
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for statement in corpus.statements if entries else ():
        for use in outside_uses(statement):
            for form, number in results(use.cited.place) if names.get(use.cited.key) else ():
                citing, entry = f"{project}:{statement.id.removeprefix(prefix)}", entries[use.cited.key]
                row = {"project": project, "citing": citing, "part": use.part, "form": form, "number": number}
                words = title_key(" ".join((entry.authors, entry.title, entry.text))[:_ENTRY])
                found.setdefault((use.cited.key, *row.values()), row | {"names": names[entry.key], "entry": words})
    return pa.Table.from_pylist(list(found.values()), CITATIONS)


def results(place: str) -> Iterator[tuple[str, str]]:
    """The families and numbers of the results that a place names: ``Theorem 3.1(b)``, ``Lemmas 2 and 3``."""
    if _PART.search(place):
        return
    for match in _PLACE.finditer(place):
        sense = by_word(match["word"])
        if sense is not None:
            yield from ((sense.family, number) for number in _NUMBER.findall(match["numbers"]))


def entry_names(entry: BibliographyEntry) -> list[str]:
    """What an entry may be found by: its ids, then what may be its title."""
    text = f"{entry.url} {entry.text}"
    after = (_ARXIV.match(text, match.end()) for match in _WRITTEN_ARXIV.finditer(text))
    ids = [*map(_arxiv, filter(None, after)), *(f"doi:{doi.casefold()}" for doi in _DOI.findall(text))]
    titles = [entry.title] if entry.title else _runs(entry.text)
    keys = (title_key(title) for title in titles)
    return list(dict.fromkeys([*ids, *(f"title:{key}" for key in keys if key.count(" ") + 1 >= _FEWEST_WORDS)]))


def _runs(text: str) -> Iterator[str]:
    """Neighbouring parts of an entry: one of these runs is its title."""
    parts = [part for part in re.split(r"[.,;:?!“”\"()]+", text[:_ENTRY]) if part.strip()]
    for first in range(len(parts)):
        for last in range(first + 1, min(first + 1 + _LONGEST_TITLE, len(parts) + 1)):
            yield " ".join(parts[first:last])


def title_key(text: str) -> str:
    """The letters and digits of a text as words, without accents and in lower case."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", "".join(letter for letter in plain if not unicodedata.combining(letter))))


# The edges between statements of two works.

_AT_ONCE = 500


def link_papers(writer: Writer) -> None:
    """Make the edges between works again from all citations and all works."""
    rows = writer.tables["projects"].to_table(columns=["name", "title", "authors", "ids"]).to_pylist()
    works = {row["name"]: row for row in rows}
    known: dict[str, list[str]] = defaultdict(list)
    for name, work in works.items():
        versions = (one for each in work["ids"] or () for one in {each, unversioned(each)})
        title = title_key(work["title"] or "")
        for key in (*versions, *([f"title:{title}"] if title else [])):
            known[key].append(name)
    table = writer.tables["citations"]
    rows = table.take(_mentioning(table, known)).to_pylist() if known else []
    meant = ((row, _meant(row, works, known)) for row in rows)
    chosen = [(row, *target) for row, target in meant if target]
    held = _numbered(writer, {name for _, _, names in chosen for name in names})
    links = []
    for row, origin, names in chosen:
        matches = [held.get((name, row["form"], row["number"]), []) for name in names]
        # Copies and versions of one work must agree, and the number must belong to one statement.
        if all(len(one) == 1 for one in matches) and len({one[0][1] for one in matches}) == 1:
            fields = {name: row[name] for name in ("project", "citing", "part")}
            links.append(fields | {"cited": matches[0][0][0], "origin": origin})
    writer.overwrite("links", pa.Table.from_pylist(links, LINKS))


def _mentioning(table: Any, known: Mapping[str, Any]) -> list[int]:
    """The numbers of the citations that have a name of a work of the collection."""
    names = table.to_table(columns=["names"])["names"].combine_chunks()
    parents = pc.list_parent_indices(names).filter(pc.is_in(names.flatten(), value_set=pa.array(list(known))))
    numbers: list[int] = np.unique(parents.to_numpy()).tolist()
    return numbers


def _meant(
    row: Mapping[str, Any], works: Mapping[str, Any], known: Mapping[str, Sequence[str]]
) -> tuple[str, list[str]] | None:
    """How the cited work is known, and its projects: several only if they are copies or versions of one."""
    own = works.get(row["project"])
    if own is None:
        return None
    ids = {one for one in row["names"] if not one.startswith("title:")}
    for name in row["names"]:
        origin = name.partition(":")[0]
        found = [one for one in known.get(name) or known.get(unversioned(name), ()) if not _same(own, works[one])]
        if origin == "title":
            found = [one for one in found if _agrees(row["entry"], name, works[one]) and not _differ(ids, works[one])]
        if found and all(_same(works[found[0]], works[one]) for one in found[1:]):
            return origin, _newest(found, works)
        if found:
            return None
    return None


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two projects are the same work, in the same or in another version."""
    first, second = ({unversioned(each) for each in work["ids"] or ()} for work in (one, other))
    if first & second or one["name"] == other["name"]:
        return True
    alike = title_key(one["title"] or "") == title_key(other["title"] or "") != ""
    return alike and (one["authors"] or []) == (other["authors"] or []) and not _differ(first, other)


def _differ(ids: Collection[str], work: Mapping[str, Any]) -> bool:
    """Whether ids of the same sort say that it is another work."""
    own = {unversioned(one) for one in work["ids"] or ()}
    asked = {unversioned(one) for one in ids}
    return any(
        {one for one in own if one.startswith(sort)} and {one for one in asked if one.startswith(sort)}
        and not own & asked
        for sort in ("arxiv:", "doi:")
    )  # fmt: skip


def _agrees(entry: str, name: str, work: Mapping[str, Any]) -> bool:
    """Whether an entry names an author of a work, or has a title that is long enough to say it alone."""
    surnames = {title_key(author).rpartition(" ")[2] for author in work["authors"] or ()} - {""}
    return bool(surnames & set(entry.split())) if surnames else name.count(" ") + 1 >= _WITHOUT_AUTHORS


def _newest(names: Sequence[str], works: Mapping[str, Any]) -> list[str]:
    def version(name: str) -> int:
        found = [re.search(r"v(\d+)$", one) for one in works[name]["ids"] or () if one.startswith("arxiv:")]
        return max((int(one[1]) for one in found if one), default=0)

    newest = max(map(version, names))
    return [name for name in names if version(name) == newest]


def unversioned(name: str) -> str:
    """An id without the version of the paper."""
    return re.sub(r"v\d+$", "", name) if name.startswith("arxiv:") else name


def _numbered(writer: Writer, names: Collection[str]) -> dict[tuple[str, str, str], list[tuple[StatementId, int]]]:
    """The statements of some projects with their fingerprints, by project, family and number."""
    found: dict[tuple[str, str, str], list[tuple[StatementId, int]]] = defaultdict(list)
    ordered = sorted(names)
    for first in range(0, len(ordered), _AT_ONCE):
        condition = f"{within('project', ordered[first : first + _AT_ONCE])} AND number != ''"
        columns = ["id", "project", "form", "kind", "number", "fingerprint"]
        rows = writer.tables["statements"].to_table(columns=columns, filter=condition)
        for row in rows.to_pylist():
            sense = by_word(row["form"] or row["kind"])
            family = sense.family if sense else row["form"].casefold()
            found[row["project"], family, row["number"]].append((row["id"], row["fingerprint"]))
    return found
