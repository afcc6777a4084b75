"""Small wikis, each with one awkward thing in it, and what they are read as.

A case is a text file: a first line that says what it shows, pages that begin with ``>>> Title``, and after a line
``<<<`` (or ``<<< paper``) what reading them gives.
"""

from pathlib import Path

import pytest

from naturalproofs.records import Draft, Mention
from naturalproofs.sources.wiki.source import read_proofwiki
from support.mediawiki_dumps import write_dump

CASES = sorted(Path(__file__).parent.glob("*.wiki"))


def parts(text: str) -> tuple[dict[str, str], dict[str, str]]:
    head, *expectations = text.split("\n<<<")
    pages = dict(block.split("\n", 1) for block in head.split("\n>>> ")[1:])
    wanted = {}
    for expectation in expectations:
        rules, _, body = expectation.partition("\n")
        wanted[rules.strip() or "fixed"] = body.strip()
    return {title.strip(): body.strip("\n") for title, body in pages.items()}, wanted


def cited(mentions: tuple[Mention, ...]) -> str:
    return ", ".join(f"{m.target} ({m.surface}, line {m.line})" for m in mentions)


def printed(draft: Draft) -> str:
    lines: list[str] = []
    for s in draft.statements:
        lines.append(f"{s.kind} {s.form}: {s.title}")
        lines += [f"  | {line}" for line in s.lines]
        if s.mentions:
            lines.append(f"  cites {cited(s.mentions)}")
        if s.categories:
            lines.append(f"  in {', '.join(s.categories)} < {', '.join(s.toplevel_categories or ())}")
        for proof in s.proofs:
            lines.append(f"  proof at {proof.origin}")
            lines += [f"    | {line}" for line in proof.lines]
            if proof.mentions:
                lines.append(f"    cites {cited(proof.mentions)}")
        lines += [f"  {n.kind}: {', '.join(n.lines)}" for n in s.notes if n.kind not in ("wikitext", "proof page")]
    owners = {title: (anchor.owner or "").partition(":")[2] for title, anchor in draft.anchors.items()}
    lines += [f"{title} stands for {owner}" for title, owner in owners.items() if title != owner]
    lines += [f"! {diagnostic}" for diagnostic in draft.diagnostics if diagnostic.rule != "empty-page"]
    return "\n".join(lines)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_wiki_is_read_as_written_beside_it(case: Path, tmp_path: Path) -> None:
    pages, wanted = parts(case.read_text(encoding="utf-8"))
    assert wanted
    for rules, expected in wanted.items():
        draft = read_proofwiki(write_dump(tmp_path / "dump.xml", pages), rules="paper" if rules == "paper" else "fixed")
        assert printed(draft) == expected
