"""W. Stein, Elementary Number Theory: Primes, Congruences, and Secrets."""

from naturalproofs.latex.paper_rules import STEIN_2021
from naturalproofs.latex.profile import Profile
from naturalproofs.latex.textbooks import Textbook
from naturalproofs.source import SourceInfo

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
