"""The pages of ProofWiki put together again from the records of the published NaturalProofs file.

The published records hold the wikitext of statements and proofs, their links as resolved references, and categories. A
page is put together from its statement, its proofs and its categories. Redirects are not published: a link that is no
title, where the references name another title in its place, was one.
"""

import json
import lzma
import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from naturalproofs.records import Proof, Statement

_LINK = re.compile(r"\[\[([^\[\]|{}]+)")
_CHECKSUM = re.compile(r"[0-9a-z]{31}\Z")
_FORMAT = "text/x-wiki"
"""Ends what the published pages of kind `other` say before their text."""
_CATEGORY = re.compile(r"\[\[Category:", re.IGNORECASE)


@dataclass(frozen=True)
class PublishedWiki:
    """What the published file says."""

    records: list[dict[str, Any]]
    titles: set[str]

    @classmethod
    def read(cls, path: Path) -> "PublishedWiki":
        """Read the file."""
        lists = json.loads(lzma.decompress(path.read_bytes()))["dataset"]
        records = [record for kind in ("theorems", "definitions", "others") for record in lists[kind]]
        return cls(records, {record["label"] for record in records})

    def pages(self) -> dict[str, str]:
        """The text of each page, and of each redirect."""
        found = {record["label"]: _page(record) for record in self.records}
        return found | {title: f"#REDIRECT [[{target}]]" for title, target in self.redirects().items()}

    def redirects(self) -> dict[str, str]:
        """By title of a redirect: its target, as most references say."""
        votes: dict[str, Counter[str]] = {}
        for record in self.records:
            for body in (record, *record.get("proofs", ())):
                links = [_title(link) for link in _LINK.findall("\n".join(body["contents"]))]
                for link, reference in _paired(links, body["refs"]):
                    if link not in self.titles and reference in self.titles:
                        votes.setdefault(link, Counter())[reference] += 1
        return {link: counts.most_common(1)[0][0] for link, counts in votes.items()}


def text_of(body: dict[str, Any]) -> str:
    """The wikitext of a statement or a proof, without what the published reader took along."""
    lines = list(body["contents"])
    if _FORMAT in lines:
        lines = lines[lines.index(_FORMAT) + 1 :]
    while lines and _CHECKSUM.match(lines[-1]):
        lines.pop()
    return "\n".join(line for line in lines if not _CATEGORY.match(line))


def _page(record: dict[str, Any]) -> str:
    body = text_of(record)
    heading = {"theorem": "Theorem", "definition": "Definition"}.get(record["type"])
    # Of a statement with headings inside, the published text is what the page marks as its own.
    body = f"<onlyinclude>\n{body}\n</onlyinclude>" if heading and "\n=" in f"\n{body}" else body
    parts = [f"== {heading} ==\n{body}" if heading else body]
    proofs = record.get("proofs", ())
    for number, proof in enumerate(proofs, start=1):
        parts.append(f"== Proof{f' {number}' if len(proofs) > 1 else ''} ==\n{text_of(proof)}")
    parts.append("\n".join(f"[[Category:{name}]]" for name in record["categories"]))
    return "\n\n".join(parts)


def _title(link: str) -> str:
    """A link as a title: without an anchor, underscores as blanks, the first letter in upper case."""
    title = " ".join(link.partition("#")[0].replace("_", " ").split())
    return title[:1].upper() + title[1:]


def _paired(links: list[str], references: list[str]) -> list[tuple[str, str]]:
    """Links that stand between the same neighbours as as many references."""
    found = []
    for tag, a, b, c, d in SequenceMatcher(None, links, references, autojunk=False).get_opcodes():
        if tag == "replace" and b - a == d - c:
            found += zip(links[a:b], references[c:d], strict=True)
    return found


@dataclass(frozen=True)
class Compared:
    """How the links in the published texts agree with the references that a reader of the pages found."""

    texts: int
    links: int
    """Links to pages that are there, other than to the page itself."""
    missing: int
    """Links that the reader did not count as references."""
    in_order: int
    """Texts of which the reader found all links in order, beside what templates cite."""


def compared(wiki: PublishedWiki, statements: dict[str, Statement], part: str) -> Compared:
    """Compare the statements, or the proofs where there are as many."""
    redirects = wiki.redirects()
    texts = links = missing = in_order = 0
    for record in wiki.records:
        own = statements.get(record["label"])
        if own is None:
            continue
        pairs: list[tuple[dict[str, Any], Statement | Proof]] = [(record, own)]
        if part == "proofs":
            published = record.get("proofs", ())
            pairs = list(zip(published, own.proofs, strict=True)) if len(published) == len(own.proofs) else []
        for body, found in pairs:
            targets = [_title(link) for link in _LINK.findall(text_of(body))]
            titles = [redirects.get(target, target) for target in targets]
            wanted = [title for title in titles if title in wiki.titles and title != record["label"]]
            references = [reference.partition(":")[2] for reference in found.references]
            texts, links = texts + 1, links + len(wanted)
            missing += (Counter(wanted) - Counter(references)).total()
            in_order += [title for title in references if title in set(wanted)] == wanted
    return Compared(texts, links, missing, in_order)
