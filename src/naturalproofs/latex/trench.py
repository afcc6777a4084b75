r"""W. F. Trench, Introduction to Real Analysis: proofs run from ``\proof`` to ``\bbox``."""

from naturalproofs.latex.paper_rules import TRENCH_2021
from naturalproofs.latex.profile import ANCHOR_KINDS, Heading, Profile
from naturalproofs.latex.textbooks import Textbook
from naturalproofs.source import SourceInfo

PROFILE = Profile(
    kinds={"theorem": "theorem", "lemma": "theorem", "corollary": "theorem", "definition": "definition"},
    proofs=frozenset(),
    proof_commands={"proof": "bbox"},
    headings={"chaptertitle": Heading(0), "newsection": Heading(1, argument=2)},
    anchors={**ANCHOR_KINDS, "alist": "item", "Alist": "item", "rmlist": "item", "exerciselist": "item"},
)

TRENCH = Textbook(
    info=SourceInfo(
        name="trench",
        title="Introduction to Real Analysis",
        authors="William F. Trench",
        licence="CC-BY-NC-SA-3.0",
        url="https://digitalcommons.trinity.edu/mono/7/",
        citation="W. F. Trench. Introduction to Real Analysis. Free edition, 2013.",
        split="test-only",
    ),
    file="TRENCH_REAL_ANALYSIS.tex",
    profile=PROFILE,
    paper=TRENCH_2021,
)
