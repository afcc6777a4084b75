"""ProofWiki's templates: which pages they cite, and what text they stand for.

A citation rule lists possible titles of the cited page, with ``{1}`` for the first argument and ``{name}`` for a named
one. The first title of an existing page is used; a title whose arguments are missing is skipped. ``{page}`` is the page
with the template and ``{above}`` the one above it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    "tableauline": ("{rlnk}",),
    "peanoaxiom": ("Axiom:Peano's Axioms",),
    "tfae": ("Definition:{def}",),
}
"""For every citing template, in lower case, the titles it may link to."""

FORMULAS: dict[str, str] = {
    **dict.fromkeys(("premise", "assumption", "excludedmiddle", "theoremintro"), "2"),
    **dict.fromkeys(
        """modusponens modustollens conjunction simplification addition proofbycases implication contradiction reductio
        explosion doublenegintro doublenegelimination biconditionalintro biconditionalelimination commutation
        idempotence sequentintro""".split(),
        "3",
    ),
    "tableauline": "f",
}
"""For every row of a tableau proof, the argument with its formula."""

_AXIOM = re.compile(r"(.+?)-?axiom\Z")
_MORE_NAMES = tuple(f"name{i}" for i in range(2, 7))
_SLOT = re.compile(r"\{(\w+)\}")
_TEXT = re.compile(r"\\\)([^\\]*+(?:\\(?![()])[^\\]*+)*+)\\\(")
"""Text between formulas, where a formula is expected."""

EQUATION_ROW = frozenset({"eqn", "equation", "eqn2"})

WANTED: frozenset[str] = frozenset({"proofwanted", "proof wanted", "proof-wanted", "wanted proof"})
"""Templates that mark a missing proof."""

SHOWN: dict[str, tuple[str, ...]] = {
    "euclidpropstatement": ("body",),
    "euclidsaid": (),
    "hl": ("1",),
    "nowrap": ("1",),
    "color": ("2",),
    "tex": ("1",),
    "wp": ("2", "1"),
    "center": ("1",),
    "booklink": ("1",),
    "eqn-intertext": (),
    "link-to-category": ("2", "1"),
    "linktocategory": ("2", "1"),
}
"""Formatting templates: the first given one of these arguments is displayed."""

SYMBOLS: dict[str, str] = {
    "!": "|",
    "=": "=",
    "!!": "||",
    "((": "{{",
    "))": "}}",
    "(": "{",
    ")": "}",
    "nbsp": " ",
    "space": " ",
    "iff": "if and only if",
    "wrt": "with respect to",
    "wlog": "Without loss of generality",
    "aimforcont": "Aiming for a contradiction, suppose",
    "rhs": "right hand side",
    "lhs": "left hand side",
    "proofwiki": "ProofWiki",
    **dict.fromkeys(("begin-eqn", "begin-equation", "begin-eqn2"), "\n$$\\begin{aligned}\n"),
    **dict.fromkeys(("end-eqn", "end-equation", "end-eqn2"), "\n\\end{aligned}$$\n"),
    **dict.fromkeys(("begin-axiom", "end-axiom"), "\n"),
}
"""Templates that stand for a fixed text: characters, common phrases, and the ends of a display of equations."""

_WORD = re.compile(r"\{\{\s*((?:FULL|BASE|SUB|ROOT)?PAGENAMEE?|NAMESPACEE?)\s*\}\}")


@lru_cache(maxsize=1 << 14)
def is_citation(template: str) -> bool:
    """Whether a template, named in lower case, cites a page."""
    return template in CITATIONS or _AXIOM.match(template) is not None


def cited_titles(template: str, arguments: Mapping[str, str], page: str) -> Iterator[list[str]]:
    """For each page that a template cites, the titles to try in order.

    Args:
        template: Its name, in lower case.
        arguments: Its arguments, by name or by number, stripped.
        page: The page with the template.
    """
    given = {name: value for name, value in arguments.items() if value}
    known = given | {"page": page, "above": page.rpartition("/")[0]}
    axiom = _AXIOM.match(template)
    if axiom is not None and template not in CITATIONS:
        # {{Group-axiom|1}}, {{Metric-space-axiom|2}}: one page has all axioms of a structure.
        words = axiom[1].replace("-", " ")
        plural = [f"{words.title()} Axioms", f"{words.capitalize()} Axioms"]
        yield [f"{prefix}:{name}" for prefix in ("Axiom", "Definition") for name in (*plural, f"{words.title()} Axiom")]
        return
    yield [title for pattern in CITATIONS[template] if (title := _filled(pattern, known))]
    if template.startswith("namedfor"):
        yield from (["Mathematician:" + given[name]] for name in _MORE_NAMES if name in given)


def _filled(pattern: str, known: Mapping[str, str]) -> str:
    if not all(known.get(name) for name in _SLOT.findall(pattern)):
        return ""
    return _SLOT.sub(lambda slot: known[slot[1]], pattern)


def equation_row(fields: Mapping[str, str]) -> str:
    """One ``{{eqn}}`` as a row of aligned LaTeX: left side, operator, right side, then the reason as text.

    Args:
        fields: The template's named arguments, already rendered: ``n`` (number), ``ll``, ``l``, ``lo``, ``o``, ``ro``,
            ``r``, ``rr`` and ``c`` (the reason).
    """
    get = {name: _TEXT.sub(r"\\text{\1}", value) for name, value in _given(fields).items()}
    left = _joined(get.get("ll"), get.get("l"), get.get("lo"))
    right = _joined(get.get("ro"), get.get("r"), get.get("rr"))
    operator = get.get("o", "=" if right else "")
    text = f"{left} &{operator} {right}".strip()
    if "n" in get:
        text += f" & ({get['n']})"
    if "c" in get:
        # The reason has its own column, after that of the numbers.
        text += ("" if "n" in get else " &") + rf" & \text{{{get['c']}}}"
    return text + r" \\"


def axiom_row(fields: Mapping[str, str]) -> str:
    """One ``{{axiom}}`` of a list of axioms: its number, a text and a formula.

    Args:
        fields: The template's named arguments, already rendered: ``n`` (number), ``lc`` and ``rc`` (comments), ``t``
            (text), ``q`` (quantifiers), and the formula as ``m``, or as ``ml``, ``mo`` and ``mr``.
    """
    get = _given(fields)
    formula = _joined(get.get("ml"), get.get("mo"), get.get("m"), get.get("mr"))
    formula = ": ".join(filter(None, (get.get("q"), formula)))
    number = f"($${get['n']}$$):" if "n" in get else ""
    parts = (number, get.get("lc"), get.get("t"), f"$${formula}$$" if formula else "", get.get("rc"))
    return "\n" + _joined(*parts).replace("$$", "$") + "\n"


def definition_of_category(fields: Mapping[str, str]) -> str:
    """What ``{{DefineCategory}}`` shows: a line for each of its parts."""
    names = {"ob": "Objects", "mor": "Morphisms", "comp": "Composition", "id": "Identity morphisms"}
    return "".join(f"\n{name}: {fields[key]}" for key, name in names.items() if fields.get(key)) + "\n"


def function_value(name: str) -> Callable[[Mapping[str, str]], str]:
    """What a link to the value of an arithmetic function shows."""
    return lambda fields: f"${name}$ of ${fields.get('1', '')}$"


ROWS: dict[str, Callable[[Mapping[str, str]], str]] = {
    **dict.fromkeys(EQUATION_ROW, equation_row),
    "axiom": axiom_row,
    "definecategory": definition_of_category,
    "eulerphilink": function_value(r"\phi"),
    "sigmalink": function_value(r"\sigma"),
    "taulink": function_value(r"\tau"),
    "begintableau": lambda fields: f"${fields.get('1', '')}$",
    "eqn-intertext": lambda fields: rf"& \text{{{fields.get('1', '')}}} \\",
}
"""Templates whose text is made of their arguments."""


def citation_text(template: str, titles: Sequence[str], given: Mapping[str, str]) -> str:
    """What a citing template shows.

    Args:
        template: Its name, in lower case.
        titles: The pages that it cites.
        given: Its arguments, already rendered.
    """
    names = ", ".join(title.partition(":")[2] or title for title in titles)
    if template == "tfae":
        concept = given.get("view") or given.get("def", "")
        if not concept:
            return "The following are equivalent:"
        return f"The following definitions of the concept of {concept} are equivalent:"
    if template == "defof":
        return f"Definition of {given.get('2') or given.get('1', '')}" if titles else ""
    formula = given.get(FORMULAS.get(template, ""), "")
    if not formula:
        return names
    reason = names or given.get("rtxt", "")
    return f"\n${formula}$ by {reason}\n" if reason else f"\n${formula}$\n"


def _given(fields: Mapping[str, str]) -> dict[str, str]:
    """The arguments that are not empty, on one line."""
    return {name: " ".join(value.split()) for name, value in fields.items() if value.strip()}


def _joined(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


def magic_word(word: str, title: str) -> str | None:
    """The value of a magic word (such as ``PAGENAME``) on a page, or None for any other word."""
    if not word.isupper():
        return None
    prefix, colon, name = title.rpartition(":") if ":" in title.partition(" ")[0] else ("", "", title)
    return {
        "FULLPAGENAME": title,
        "PAGENAME": name,
        "BASEPAGENAME": name.rpartition("/")[0] or name,
        "ROOTPAGENAME": name.partition("/")[0],
        "SUBPAGENAME": name.rpartition("/")[2],
        "NAMESPACE": prefix if colon else "",
    }.get(word.removesuffix("E") if word.endswith("NAMEE") or word == "NAMESPACEE" else word)


def substitute_magic_words(text: str, title: str) -> str:
    """Replace the magic words in a link target or template name."""
    return _WORD.sub(lambda match: magic_word(match[1], title) or "", text)
