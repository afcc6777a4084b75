"""Our wikitext scanner beside mwparserfromhell, which is thorough and too slow for a whole dump."""

from pathlib import Path

import pytest

from naturalproofs.sources.wiki.dump import read_dump
from naturalproofs.sources.wiki.sections import headings
from naturalproofs.sources.wiki.wikitext import Node, mask, scan

mwparserfromhell = pytest.importorskip("mwparserfromhell", reason="needs mwparserfromhell, a rival parser")


def flat(nodes: list[Node]):
    for node in nodes:
        yield node
        yield from flat(node.children)


def ours(text: str) -> tuple[list[str], list[str], list[str]]:
    masked = mask(text).text
    nodes = list(flat(scan(masked)))
    first = {id(node): masked[slice(*node.parts()[0])].strip() for node in nodes}
    links = sorted(first[id(node)] for node in nodes if node.kind == "link")
    templates = sorted(first[id(node)] for node in nodes if node.kind == "template")
    return links, templates, [text[h.text_start : h.text_end].strip() for h in headings(masked)]


def theirs(text: str) -> tuple[list[str], list[str], list[str]]:
    code = mwparserfromhell.parse(text, skip_style_tags=True)
    links = sorted(str(link.title).strip() for link in code.filter_wikilinks())
    templates = sorted(str(template.name).strip() for template in code.filter_templates())
    return links, templates, [str(heading.title).strip() for heading in code.filter_headings()]


CASES = [
    "[[A]] and [[B|b [[C]]]] {{t|x=[[D]]|{{u}}}}",
    "<!-- [[A]] --> <nowiki>[[B]]</nowiki> <pre>{{c}}</pre> <math>[[D]]</math>",
    "== A ==\n=== [[B|b]] ===\n{{x}}\n== C ==",
    "{{eqn | l = \\frac {a} {b} | c = [[A]] and {{Defof|B}} }}",
    "[[File:A.png|thumb|x [[B]] y]]",
]


@pytest.mark.parametrize("text", CASES)
def test_awkward_cases_agree(text):
    assert ours(text) == theirs(text)


def test_real_pages_agree(real_source):
    dump: Path = real_source("bookofproofs-wiki.xml.xz")
    pages = [p for p in read_dump(dump)[1] if p.namespace == 0 and p.redirect is None]
    different = [page.title for page in pages[::8] if ours(page.text) != theirs(page.text)]
    assert len(pages) > 2000
    assert different == []
