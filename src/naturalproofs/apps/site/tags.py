"""Stable tags: four characters for each statement, kept in a text file. A tag is never used for another statement.

The file has a line ``TAG,LABEL,HASH`` for each statement, where the hash is that of its text, and a line
``TAG,LABEL,old`` for each label that it had before. Lines ``TAG,LABEL``, as the Stacks project has them, are read too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import BadSchema, SourceNotFound, TagsExhausted
from naturalproofs.io.files import sha256_bytes
from naturalproofs.io.outputs import write_output
from naturalproofs.records import Statement, StatementId

TAGS = "tags.txt"
"""The file of a written site that holds its tags."""
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LAST = len(DIGITS) ** 4 - 1
_TAG = re.compile(r"[0-9A-Z]{4}")
_HASH = re.compile(r"[0-9a-f]{16}")
_OLD = "old"
_KEYS = re.compile(r"\\(label|[A-Za-z]*[rR]ef)\*?\s*(?:\[[^\[\]{}]*\])?\{[^{}]*\}")
"""Labels and citations: their keys are no part of the text that a tag follows."""
_READABLE = "".join(chr(code) for code in range(32, 127) if chr(code) != "%")
HEADER = (
    "# Permanent tags, one line for each statement: tag, label, hash of its text.\n"
    "# A line that ends in 'old' is a former label. Keep this file: no tag is ever given to another statement.\n"
)


@dataclass(frozen=True, slots=True)
class Tagged:
    """A tag and the statement that has it, or had it."""

    tag: str
    label: str
    """Its label; the last one if the statement is gone."""
    text: str = ""
    """The hash of its text; empty if it is not known."""
    old: tuple[str, ...] = ()
    """Labels that it had before, the oldest first."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of a corpus."""

    table: Mapping[str, Tagged]
    """Every tag that was ever given, in order."""
    of: Mapping[StatementId, str]
    """The tag of each statement of the corpus."""

    @property
    def removed(self) -> list[Tagged]:
        """Tags whose statement is gone."""
        used = set(self.of.values())
        return [one for tag, one in self.table.items() if tag not in used]


def parse_tags(text: str, where: str) -> dict[str, Tagged]:
    """The tags of a file; an error names the line that is not one.

    Args:
        text: The contents of the file.
        where: Its name, for errors.
    """
    found: dict[str, Tagged] = {}
    former: defaultdict[str, list[str]] = defaultdict(list)
    for number, line in enumerate(text.splitlines(), start=1):
        row = line.strip()
        if not row or row.startswith("#"):
            continue
        tag, _, rest = row.partition(",")
        label, _, last = rest.rpartition(",")
        if not label or not (last == _OLD or _HASH.fullmatch(last)):
            label, last = rest, ""
        if not _TAG.fullmatch(tag) or not label:
            raise BadSchema(f"{where}:{number}: not a tag; a line is TAG,LABEL with four characters 0-9 or A-Z")
        if last == _OLD:
            former[tag].append(unquote(label))
        elif tag in found:
            raise BadSchema(f"{where}:{number}: the tag {tag} has two labels; remove one of the lines")
        else:
            found[tag] = Tagged(tag, unquote(label), last)
    for tag, labels in former.items():
        if tag not in found:
            raise BadSchema(f"{where}: the tag {tag} has only former labels; one line must have its label")
        found[tag] = replace(found[tag], old=tuple(labels))
    return dict(sorted(found.items()))


def format_tags(table: Mapping[str, Tagged]) -> str:
    """The contents of the file."""
    lines = []
    for tag, one in table.items():
        lines.append(",".join(filter(None, (tag, _written(one.label), one.text))))
        lines += [f"{tag},{_written(label)},{_OLD}" for label in one.old]
    return HEADER + "".join(f"{line}\n" for line in lines)


def _written(label: str) -> str:
    """A label on one line; letters of all scripts stay as they are."""
    return "".join(
        character if character.isprintable() and character != "%" else quote(character, _READABLE)
        for character in label
    )


def assign_tags(corpus: Corpus, known: Mapping[str, Tagged] | None = None) -> Tags:
    """Give each statement its tag.

    A statement keeps the tag of its label. A statement with a new label takes the tag of one that is gone and has the
    same text. Tags of the source are kept where they are free. All others get the next tags.

    Args:
        corpus: The statements.
        known: The tags given before.
    """
    table = dict(known or {})
    names = {statement.id: statement.id.removeprefix(f"{corpus.name}:") for statement in corpus.statements}
    by_label = {one.label: tag for tag, one in table.items()}
    found = {key: by_label[name] for key, name in names.items() if name in by_label}
    hashes = {statement.id: text_hash(statement) for statement in corpus.statements}
    present = set(names.values())
    gone = {tag: one for tag, one in table.items() if one.label not in present}
    by_text: defaultdict[str, list[str]] = defaultdict(list)
    for tag, one in reversed(gone.items()):
        if one.text:
            by_text[one.text].append(tag)
    untagged = [statement for statement in corpus.statements if statement.id not in found]
    for statement in untagged:
        tag = statement.tag if statement.tag in gone else ""
        candidates = by_text[hashes[statement.id]]
        while not tag and candidates:
            candidate = candidates.pop()
            tag = candidate if candidate in gone else ""
        if tag:
            del gone[tag]
            found[statement.id] = tag
    found |= _new_tags([one for one in untagged if one.id not in found], table)
    for key, tag in found.items():
        before = table.get(tag, Tagged(tag, names[key]))
        former = [*before.old, *([before.label] if before.label != names[key] else [])]
        old = tuple(label for label in dict.fromkeys(former) if label != names[key])
        table[tag] = Tagged(tag, names[key], hashes[key], old)
    return Tags(dict(sorted(table.items())), {statement.id: found[statement.id] for statement in corpus.statements})


def _new_tags(statements: Iterable[Statement], table: Mapping[str, Tagged]) -> dict[StatementId, str]:
    """Tags of the source where they are free, else the next ones after all that are in use."""
    found: dict[StatementId, str] = {}
    taken, rest = set(table), []
    for statement in statements:
        if _TAG.fullmatch(statement.tag) and statement.tag not in taken:
            found[statement.id] = statement.tag
            taken.add(statement.tag)
        else:
            rest.append(statement)
    last = max((int(tag, 36) for tag in taken), default=0)
    for number, statement in enumerate(rest, start=last + 1):
        if number > LAST:
            raise TagsExhausted("all tags of four characters are given; begin a new tags file")
        found[statement.id] = _tag(number)
    return found


def _tag(number: int) -> str:
    digits = []
    for _ in range(4):
        number, digit = divmod(number, len(DIGITS))
        digits.append(DIGITS[digit])
    return "".join(reversed(digits))


def text_hash(statement: Statement) -> str:
    """The hash of title and text, without white space and without the keys of labels and citations."""
    text = _KEYS.sub(r"\\\1", "\n".join((statement.title, *statement.lines)))
    return sha256_bytes(" ".join(text.split()).encode("utf-8", "replace"))[:16]


def open_tags(corpus: Corpus, site: Path, file: Path | None = None) -> Tags:
    """The tags of a corpus: those of the file if it exists, else those of the site as it was written last.

    Args:
        corpus: The statements.
        site: The folder of the site.
        file: The user's tags file.
    """
    for path in (file, site / TAGS):
        if path is not None and path.exists():
            return assign_tags(corpus, _read(path))
    return assign_tags(corpus)


def save_tags(file: Path, tags: Tags) -> None:
    """Write the user's tags file, after `open_tags` has read it; a file that is not one is refused there."""
    write_output(file, format_tags(tags.table).encode("utf-8", "replace"), known=True)


def _read(path: Path) -> dict[str, Tagged]:
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise SourceNotFound(f"{path}: not a tags file: it is not UTF-8") from error
    except OSError as error:
        raise SourceNotFound(f"{path}: the tags cannot be read ({error.strerror})") from error
    return parse_tags(text, str(path))
