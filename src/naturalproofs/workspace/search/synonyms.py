"""Different names of the same notion, as authors and readers use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

SAME, NOTATION_ONLY = 0.9, 0.4
"""The factor of what is found by another name, and by the name of a notation."""
MOST = 4
"""Other ways to put one query."""
GROUPS = """
injective | one-to-one | injection
surjective | onto | surjection
bijective | bijection | one-to-one correspondence
greatest common divisor | gcd | greatest common factor | highest common factor | hcf
least common multiple | lcm | lowest common multiple
supremum | least upper bound
infimum | greatest lower bound
least upper bound property | completeness axiom | supremum principle | completeness
unique factorization domain | UFD | factorial ring
principal ideal domain | PID
abelian group | commutative group
ample invertible sheaf | ample line bundle
invertible sheaf | line bundle | invertible module
Euler phi function | totient function | totient
square root | sqrt
product rule for derivatives | derivative of a product | derivative of product
chain rule | derivative of a composition | derivative of composite function
quotient group | factor group
quotient ring | factor ring
division algorithm | division theorem | division with remainder | euclidean division
Bezout lemma | Bezout identity | Bezout's identity | Bezout's lemma
linear map | linear transformation | linear operator
composition of continuous functions | composite of continuous mappings
well-ordering principle | least number principle
squeeze theorem | sandwich theorem | squeeze rule
Cauchy-Schwarz inequality | Cauchy-Bunyakovsky-Schwarz inequality
contraction mapping theorem | Banach fixed point theorem
Bolzano-Weierstrass | every bounded sequence has a convergent subsequence
irrational | not rational
uncountable | not countable
differentiable | has a derivative
power set | set of all subsets | set of subsets
fundamental group of the circle | \\pi_1(S^1) = \\mathbb{Z}
harmonic series | \\sum 1/n
Pythagorean theorem | Pythagoras | x^2 + y^2 = z^2
Euler's formula | e^{ix} = \\cos x + i \\sin x
"""
_SAME = [[name.strip() for name in line.split("|")] for line in GROUPS.strip().split("\n")]
_OTHERS = {name.casefold(): [other for other in names if other != name] for names in _SAME for name in names}
_NAME = re.compile(
    rf"(?<![\w\\-])(?:{'|'.join(re.escape(name) for name in sorted(_OTHERS, key=len, reverse=True))})(?![\w-])",
    re.IGNORECASE,
)
NOTATION: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\b[A-Z]\[[a-zA-Z](?:_\{?1\}?[^\]]*)?\]", "polynomial ring"),
        (r"\\?pi_\{?1\}?\s*\([^()]*\)", "fundamental group"),
        (r"\\?gcd\s*\([^()]*\)", "greatest common divisor"),
        (r"\\otimes(?:_\w)?|⊗(?:_\w)?", "tensor product"),
        (r"\\mathcal\{?\s*P\}?\s*\([^()]*\)|\bP\([A-Z]\)", "power set"),
    )
)
"""What a notation is called."""
ALIKE = {"map": ("mapping", "function"), "function": ("map", "mapping"), "mapping": ("map", "function"),
         "composition": ("composite",), "composite": ("composition",)}  # fmt: skip
"""Words that often stand for each other."""


def rewritten(text: str) -> Iterator[tuple[str, float]]:
    """The query with a name replaced by other names of the same notion, or a notation by its name; a few of them.

    Each comes with the factor of what is found by it: the name of a notation says less than the formula.
    """
    made = {
        f"{text[: match.start()]}{other}{text[match.end() :]}": SAME
        for match in _NAME.finditer(text)
        for other in _OTHERS[match[0].casefold()]
    }
    for pattern, name in NOTATION:
        if (named := pattern.sub(f" {name} ", text)) != text:
            made.setdefault(named, NOTATION_ONLY)
    yield from islice(made.items(), MOST)
