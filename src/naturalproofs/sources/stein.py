"""W. Stein, Elementary Number Theory: Primes, Congruences, and Secrets."""

from naturalproofs.sources.latex.profile import Profile
from naturalproofs.sources.paper_rules import STEIN_2021
from naturalproofs.sources.source import SourceInfo
from naturalproofs.sources.textbooks import Textbook

PROFILE = Profile(
    kinds={
        "theorem": "theorem",
        "lemma": "theorem",
        "corollary": "theorem",
        "proposition": "theorem",
        "definition": "definition",
    },
    neighbours=frozenset({"algorithm", "conjecture", "problem", "openproblem", "question"}),
)

STEIN = Textbook(
    info=SourceInfo(
        name="stein",
        title="Elementary Number Theory: Primes, Congruences, and Secrets",
        authors="William Stein",
        licence="none stated",
        url="https://wstein.org/ent/",
        citation="W. Stein. Elementary Number Theory: Primes, Congruences, and Secrets. Springer, 2008.",
        revision="ed95075",
        split="test-only",
    ),
    file="body.tex",
    profile=PROFILE,
    paper=STEIN_2021,
)
