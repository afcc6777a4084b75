"""Pages that nobody wrote by hand are read in time, too; each of these once would have taken hours."""

import pytest

from naturalproofs.sources.wiki import fixed as render
from naturalproofs.sources.wiki.source import read_proofwiki
from support.mediawiki_dumps import write_dump

N = 10_000
PAGES = {
    "equal signs": "= " + "=" * N + "x",
    "headings": "== A ==\n" * N,
    "open references": "<ref>" * N + "</ref>",
    "references after": "</ref>" + "<ref>" * N,
    "open verbatim": "<nowiki>" * N,
    "open comments": "<!--" * N,
    "cells": "{|\n|" + "=" * N,
    "nested links": "[[a|" * N + "]]" * N,
    "nested templates": "{{a|" * N + "}}" * N,
    "citations": "{{Defof|" * N + "}}" * N,
    "transclusions": "{{:P}}" * N,
    "commands": r"\map " * N,
    "open groups": r"\set {" * N,
    "groups": r"\set {" * N + "}" * N,
    "dollars": "$''" * N,
    "spaces": "[[" + " " * N + "x",
    "tags": "<b " * N,
    "colons": ":" * N + "x",
}


@pytest.mark.parametrize("rules", ["fixed", "paper"])
@pytest.mark.parametrize("name", PAGES)
def test_long_monotony_is_read(tmp_path, name, rules):
    text = PAGES[name]
    pages = {
        "P": f"== Theorem ==\n{text}\n\n== Proof ==\n{text}\n\n== Also see ==\n{text}",
        "Q": f"{text}\n== Proof ==\n{{{{:P}}}}",
    }
    draft = read_proofwiki(write_dump(tmp_path / "dump.xml", pages), rules=rules)
    assert draft.inputs


def test_transclusions_that_double_at_every_step_are_limited(tmp_path, monkeypatch):
    """Without a limit, reading the first page would expand 2 ** 20 transclusions."""
    expanded = []
    wikitext = render.Wikitext
    monkeypatch.setattr(render, "Wikitext", lambda text: (expanded.append(1), wikitext(text))[1])
    pages = {f"P{i}": f"{{{{:P{i + 1}}}}}{{{{:P{i + 1}}}}}" for i in range(25)}
    draft = read_proofwiki(write_dump(tmp_path / "dump.xml", pages))
    assert "transclusion-limit" in {diagnostic.rule for diagnostic in draft.diagnostics}
    assert len(expanded) < 25 * 2 * (render.MAX_TRANSCLUDED // render.TRANSCLUSION_COST + render.MAX_TRAIL)


def test_transclusions_of_all_pages_together_are_limited(tmp_path, monkeypatch):
    """Every page stays below its own limit; without one for the wiki, time would be that limit times the pages."""
    expanded = []
    wikitext = render.Wikitext
    monkeypatch.setattr(render, "Wikitext", lambda text: (expanded.append(len(text)), wikitext(text))[1])
    monkeypatch.setattr(render, "MAX_TRANSCLUDED_BY_ALL", 1 << 16)
    pages = {f"P{i}": f"== Theorem ==\n{{{{:Q}}}}{{{{:Q}}}}{i}" for i in range(100)} | {"Q": "x" * 10_000}
    draft = read_proofwiki(write_dump(tmp_path / "dump.xml", pages))
    assert "transclusion-limit" in {diagnostic.rule for diagnostic in draft.diagnostics}
    assert sum(expanded) <= (1 << 16) + 101 * render.MAX_TRANSCLUDED_PER_PAGE + 10_000
