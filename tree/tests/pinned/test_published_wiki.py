"""Real wikitext of ProofWiki through the wiki reader: pages put together from the published records."""

import random
import re

import pytest

from naturalproofs.corpus.load import build
from naturalproofs.sources.latex.display import Formulas, Prose
from naturalproofs.sources.registry import source
from support.mediawiki_dumps import write_dump
from support.published_wiki import Compared, PublishedWiki, compared

FORMULA = re.compile(r'<math[ >].*?</math>|<(code|pre) class="tex">.*?</\1>', re.DOTALL)
SAMPLE = 1_000


@pytest.fixture(scope="module")
def wiki(real_source):
    return PublishedWiki.read(real_source("naturalproofs-proofwiki.json.xz"))


@pytest.fixture(scope="module")
def read(wiki, tmp_path_factory):
    dump = write_dump(tmp_path_factory.mktemp("wiki") / "dump.xml", wiki.pages())

    def statements(rules):
        return {s.label: s for s in build(source("proofwiki"), dump, name="wiki", rules=rules).statements}

    return statements


@pytest.fixture(scope="module")
def fixed(read):
    return read("fixed")


def test_pages_are_of_their_published_kind(wiki, fixed):
    published = [(record["label"], record["type"]) for record in wiki.records]
    # Proofs on pages of their own are no statements; lemmas and corollaries are theorems; pages of users are pages.
    kinds = [(kind, fixed[title].kind) for title, kind in published if title in fixed]
    assert len(published) - len(kinds) == 107
    assert sum(ours == theirs for ours, theirs in kinds) == 19_445
    assert {pair for pair in kinds if pair[0] != pair[1]} == {
        ("other", "theorem"),
        ("theorem", "definition"),
        ("definition", "other"),
    }


def test_links_are_the_published_references(wiki, fixed):
    """Missing are links in comments and remarks, to proofs of the theorem itself, and in broken markup."""
    assert compared(wiki, fixed, "proofs") == Compared(7_021, 50_745, 22, 6_679)
    assert compared(wiki, fixed, "statements") == Compared(19_902, 80_719, 2_722, 18_064)


def test_links_by_the_rules_of_the_paper(wiki, read):
    statements = read("paper")
    assert compared(wiki, statements, "proofs") == Compared(6_528, 44_826, 29, 6_489)
    assert compared(wiki, statements, "statements") == Compared(19_524, 77_441, 418, 19_387)


def test_little_is_shown_raw(fixed):
    """Templates, links and ProofWiki's own macros are written out; formulas are understood."""
    sample = random.Random(0).sample(sorted(fixed), SAMPLE)
    prose = Prose(Formulas({}), lambda key, _command, shown: shown or key)
    texts = ["\n".join(body.lines) for title in sample for body in (fixed[title], *fixed[title].proofs)]
    formulas = [match.group() for text in texts for match in FORMULA.finditer(prose.render(text))]
    assert len(formulas) > 9_000
    assert sum('class="tex"' in formula for formula in formulas) < 0.002 * len(formulas)
    raw = re.compile(r"\{\{(?:[a-z]+\||:|[A-Z][a-zA-Z]+\}\})|\[\[[A-Z][a-z]+:")
    assert sum(bool(raw.search(text)) for text in texts) <= 2
