"""Templates that cite pages, as a table: the wiki's short-cuts for links.

Each rule lists spellings of the title that the template links to, with ``{1}`` for the first argument and ``{name}``
for a named one. The first spelling that names an existing page is taken; one whose arguments are missing is skipped.
``{page}`` is the page that the template stands on and ``{above}`` the one above it.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

CITATIONS: dict[str, tuple[str, ...]] = {
    "defof": (
        "Definition:{1}/{index}",
        "Definition:{1}/Definition {index}",
        "Definition:{1}/{2}/Definition {index}",
        "Definition:{1}",
    ),
    "axiom-link": ("Axiom:{1}", "Axiom:Axiom of {1}", "Axiom:Axiom of the {1}", "Axiom:Axiom of {1} (Set Theory)"),
    "prooflink": ("{1}",),
    "proofrulelink": ("{1}", "{1}/Proof Rule"),
    "eucliddeflink": ("Definition:Euclid's Definitions - Book {1}/{2} - {3}", "Definition:{3}"),
    "euclidproplink": ("{title}", "Euclid:Proposition/{book}/{prop}"),
    "euclidpostulatelink": ("Axiom:Euclid's {1} Postulate",),
    "euclidcommonnotionlink": ("Axiom:Euclid's Common Notion {1}",),
    "lemma": (
        "{1}/Lemma {2}",
        "{1}/Lemma/{2}",
        "{page}/Lemma {1}",
        "{above}/Lemma {1}",
        "{1}/Lemma",
        "{page}/Lemma",
        "{above}/Lemma",
    ),
    "corollary": ("{1}/Corollary {2}", "{1}/Corollary", "{page}/Corollary {1}", "{above}/Corollary {1}"),
    "namedfor": ("Mathematician:{1}",),
    "namedfordef": ("Mathematician:{1}",),
    "hypothesis": ("Definition:By Hypothesis", "By Hypothesis"),
    # Rows of a tableau proof name the rule of inference that they use.
    "premise": ("Rule of Assumption",),
    "assumption": ("Rule of Assumption",),
    "modusponens": ("Modus Ponendo Ponens",),
    "modustollens": ("Modus Tollendo Tollens",),
    "conjunction": ("Rule of Conjunction",),
    "simplification": ("Rule of Simplification",),
    "addition": ("Rule of Addition",),
    "proofbycases": ("Proof by Cases",),
    "implication": ("Rule of Implication",),
    "noncontradiction": ("Principle of Non-Contradiction",),
    "contradiction": ("Proof by Contradiction",),
    "reductio": ("Reductio ad Absurdum",),
    "explosion": ("Rule of Explosion",),
    "excludedmiddle": ("Law of Excluded Middle",),
    "doublenegintro": ("Double Negation Introduction", "Double Negation/Double Negation Introduction"),
    "doublenegelimination": ("Double Negation Elimination", "Double Negation/Double Negation Elimination"),
    "biconditionalintro": ("Biconditional Introduction",),
    "biconditionalelimination": ("Biconditional Elimination",),
    "commutation": ("Rule of Commutation",),
    "idempotence": ("Rule of Idempotence",),
    "sequentintro": ("{5}", "{4}", "{3}"),
    "theoremintro": ("{3}", "{2}"),
}
"""For every template, in lower case, what it may link to."""

_AXIOM = re.compile(r"(.+)-axiom\Z")
_MORE_NAMES = tuple(f"name{i}" for i in range(2, 7))
_SLOT = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=1 << 14)
def is_citation(template: str) -> bool:
    """Whether a template, named in lower case, cites a page."""
    return template in CITATIONS or _AXIOM.match(template) is not None


def spellings(template: str, arguments: Mapping[str, str], page: str) -> Iterator[list[str]]:
    """Give, for each page that a template cites, the titles to try in order.

    Args:
        template: Its name, in lower case.
        arguments: Its arguments, by name or by number, stripped.
        page: The page it stands on.
    """
    given = {name: value for name, value in arguments.items() if value}
    known = given | {"page": page, "above": page.rpartition("/")[0]}
    axiom = _AXIOM.match(template)
    if axiom is not None and template not in CITATIONS:
        # {{Group-axiom|1}}, {{Metric-space-axiom|2}}: one page holds all axioms of a structure.
        words = axiom[1].replace("-", " ")
        yield [f"Axiom:{words.title()} Axioms", f"Axiom:{words.capitalize()} Axioms", f"Axiom:{words.title()} Axiom"]
        return
    yield [title for pattern in CITATIONS[template] if (title := _filled(pattern, known))]
    if template.startswith("namedfor"):
        yield from (["Mathematician:" + given[name]] for name in _MORE_NAMES if name in given)


def _filled(pattern: str, known: Mapping[str, str]) -> str:
    if not all(known.get(name) for name in _SLOT.findall(pattern)):
        return ""
    return _SLOT.sub(lambda slot: known[slot[1]], pattern)
