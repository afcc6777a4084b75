"""Query syntax: words, "phrases", -not, kind:definition, $formulas$. Every text is a valid query."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from naturalproofs.sources.latex import written_letters
from naturalproofs.workspace.search.formulas import NAMED_OPERATORS, NOTATION, operator_names
from naturalproofs.workspace.search.text import STOP, words

# Different names of the same notion, as authors and readers use them.

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
OTHERS = {name.casefold(): [other for other in names if other != name] for names in _SAME for name in names}
NAME = re.compile(
    rf"(?<![\w\\-])({'|'.join(re.escape(name) for name in sorted(OTHERS, key=len, reverse=True))})(?:e?s)?(?![\w-])",
    re.IGNORECASE,
)
ALIKE = {"map": ("mapping", "function"), "function": ("map", "mapping"), "mapping": ("map", "function"),
         "composition": ("composite",), "composite": ("composition",)}  # fmt: skip
"""Words that often stand for each other."""


def rewritten(text: str) -> Iterator[tuple[str, float]]:
    """The query with a name replaced by other names of the same notion, or a notation by its name; a few of them.

    Each comes with the factor of what is found by it: the name of a notation says less than the formula.
    """
    made = {
        f"{text[: match.start()]}{other}{text[match.end() :]}": SAME
        for match in NAME.finditer(text)
        for other in OTHERS[match[1].casefold()]
    }
    for pattern, name in NOTATION:
        if (named := pattern.sub(f" {name} ", text)) != text:
            made.setdefault(named, NOTATION_ONLY)
    yield from islice(made.items(), MOST)


LONGEST = 4000
"""Characters of a query that are read."""
MOST_WORDS = 64
ABOUT = {"author": "author", "year": "year", "subject": "subject", "licence": "licence", "license": "licence"}
"""Filters by what is known of a work, under the names that they have in a query."""
FILTERS = ("kind", "chapter", "category", "corpus", "project", *ABOUT)
PART = re.compile(
    r"(?P<formula>\$\$?[^$]+\$\$?)"
    rf"|(?P<filter>-?(?:{'|'.join(FILTERS)})):(?:\"(?P<quoted>[^\"]*)\"|(?P<value>[^\s\"]+))"
    r"|(?P<not>-)?[\"“”](?P<phrase>[^\"“”]*)[\"“”]?"
    r"|(?<!\S)-(?P<without>[^\W\d_]\S*)"
    r"|(?P<plain>[^\s\"“”$]+)"
    r"|\$"
)
GROUPED, CITED = re.compile(r"(\\[a-zA-Z]+)?\{(\w)\}"), re.compile(r"\\[a-zA-Z]*ref\s*\{[^{}]*\}")
MATHS = re.compile(
    r"[\\^_=<>{}|+\u00b9\u00b2\u00b3\u2070-\u208e\u2190-\u21ff\u2200-\u22ff×·]|\w[(\[]\w|(?<![^\W\d_]{2})/(?![^\W\d_]{2})"
    r"|(?<![^\W\d_])[^\W\d_]['’](?!s\b)|^sqrt$"
)
"""What only a formula has."""
LONG_WORD = re.compile(r"[^\W\d_]{3,}")
LETTERS = re.compile(r"[^\W\d_]+")
OPERATOR = re.compile(r"[-+*/=<>^_(\[,|:\u2200-\u22ff×·]")
MODIFIER = re.compile(r"(?P<formula>.*[\\^_].*)-(?P<word>[^\W\d_]{3,})")
"""A formula as part of a word, as in ``\\mathcal{O}_X-module``."""
DEFINITION = re.compile(
    r"\s*(?:(?:the\s+)?(?:definition|defn\.?|def\.?|meaning)\s+of|define|what(?:\s+is|\s+are|[’']?s)|when\s+(?:is|are))"
    r"\s+(?:an?\s+|the\s+)?",
    re.IGNORECASE,
)

CLAIM = re.compile(
    r"\b(?:is|are|has|have|implies|imply|divides?|iff|equals|exists?|converges?|diverges?|theorem|lemma|corollary)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query."""

    text: str
    subject: str = ""
    """What is asked for: the text without "definition of", "what is" or "when is"."""
    definition: bool = False
    """Whether a definition is asked for."""
    claim: bool = False
    """Whether a result is asked for: by a sentence, or as a theorem."""
    words: tuple[str, ...] = ()
    """Folded, without stop words unless there are no others."""
    spelt: tuple[str, ...] = ()
    """The same words as typed."""
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    formulas: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    about: tuple[tuple[str, str], ...] = ()
    """What must be known of the work, by field: author, year, subject, licence."""
    unfinished: bool = False
    """Whether the last word may be incomplete."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to rank by; filters alone list what passes them."""
        return not (self.words or self.phrases or self.formulas)


def parse_query(text: str) -> Query:
    """Parse a query."""
    text = text[:LONGEST].encode("utf-8", "replace").decode()
    text = GROUPED.sub(lambda match: match[0] if match[1] else match[2], CITED.sub(" ", written_letters(text)))
    intent = DEFINITION.match(text)
    subject = text[intent.end() :].strip(" ?") if intent else text
    intent = intent if subject else None
    prose: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    formulas: list[str] = []
    filters: dict[str, list[str]] = {name: [] for name in FILTERS}
    plain: list[str] = []
    for match in PART.finditer(text, intent.end() if intent else 0):
        if match["plain"]:
            plain.append(match["plain"])
            continue
        _sort(plain, prose, formulas)
        plain = []
        if match["formula"]:
            formulas.append(match["formula"])
        elif (name := match["filter"]) and not name.startswith("-"):
            filters[name].append(match["quoted"] if match["quoted"] is not None else match["value"])
        elif match["phrase"] is not None:
            if folded := _folded(match["phrase"]):
                (excluded if match["not"] else phrases).append(folded)
        elif match["without"] is not None:
            excluded.extend([(term,) for term in _folded(match["without"])])
    _sort(plain, prose, formulas)
    folded, spelt = _telling(" ".join([*prose, *(name for one in formulas for name in operator_names(one))]))
    return Query(
        text=text,
        subject=subject if intent else text,
        definition=intent is not None,
        claim=intent is None and CLAIM.search(text) is not None,
        words=folded,
        spelt=spelt,
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        formulas=tuple(formulas),
        kinds=tuple(filters["kind"]),
        chapters=tuple(filters["chapter"]),
        categories=tuple(filters["category"]),
        corpora=(*filters["corpus"], *filters["project"]),
        about=tuple((field, value) for name, field in ABOUT.items() for value in filters[name]),
        unfinished=bool(prose) and text.endswith(prose[-1]) and text[-1].isalnum(),
    )


def _sort(plain: list[str], prose: list[str], formulas: list[str]) -> None:
    """Sort words without quotes and dollars into prose and formulas.

    A formula needs no dollars and may contain spaces: it is a run of parts that could all belong to a formula, one of
    which can belong to nothing else.
    """
    run: list[str] = []
    for number, part in enumerate([*plain, ""]):
        if part and (match := MODIFIER.fullmatch(part)) is not None:
            _add_run([*run, match["formula"]], prose, formulas)
            prose.append(match["word"])
            run = []
        elif part and _may_belong(part, plain[number - 1 : number], plain[number + 1 : number + 2]):
            run.append(part)
        else:
            _add_run(run, prose, formulas)
            prose += [part] if part else []
            run = []


def _may_belong(part: str, before: list[str], after: list[str]) -> bool:
    """Whether a part of a query may belong to a formula: symbols and short names, but words only between operators."""
    if MATHS.search(part) or part in NAMED_OPERATORS:
        return True
    if part.casefold() in STOP:
        return bool(before and OPERATOR.search(before[0][-1])) or bool(after and OPERATOR.match(after[0]))
    return not LONG_WORD.search(part) and len(LETTERS.findall(part)) <= 3 and not ("-" in part and len(part) > 3)


def _add_run(run: list[str], prose: list[str], formulas: list[str]) -> None:
    certain = [number for number, part in enumerate(run) if MATHS.search(part)]
    if not certain:
        prose += run
        return
    first, last = certain[0], certain[-1]
    # What stands before the first sure part belongs to the formula if an operator joins them.
    if not OPERATOR.match(run[first]):
        prose += run[:first]
        run, last = run[first:], last - first
    if not OPERATOR.search(run[last][-1]) and MATHS.search(run[last]) and len(run) > last + 2:
        run, rest = run[: last + 1], run[last + 1 :]
        formulas.append(" ".join(run))
        prose += rest
        return
    formulas.append(" ".join(run))


def _folded(text: str) -> tuple[str, ...]:
    return tuple(word.term for word in words(text) if not word.formula)


def _telling(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Each word once, folded and as typed; stop words only if there are no others."""
    found = [(word.term, text[word.start : word.end]) for word in words(text) if not word.formula]
    kept = dict(pair for pair in found if pair[1].casefold() not in STOP) or dict(found)
    chosen = list(kept.items())[:MOST_WORDS]
    return tuple(term for term, _ in chosen), tuple(spelt for _, spelt in chosen)
