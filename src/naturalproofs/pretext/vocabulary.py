"""The elements of PreTeXt: divisions, statements, proofs, and how the elements of a text are written in LaTeX."""

from collections.abc import Mapping

from naturalproofs.reading.kinds import FAMILIES
from naturalproofs.records import Kind

ROOTS = frozenset({"pretext", "mathbook"})
"""Elements that only PreTeXt documents begin with."""
DOCUMENTS = frozenset({"book", "article"})

_BY_WORD = (
    "theorem lemma corollary proposition claim fact algorithm axiom conjecture principle hypothesis assumption "
    "definition example question problem exercise remark convention note"
)
STATEMENTS: Mapping[str, Kind] = {
    **{word: FAMILIES[word].kind for word in _BY_WORD.split()},
    "identity": "theorem",
    **dict.fromkeys(
        "heuristic observation warning insight project activity exploration investigation assemblage computation "
        "technology data openproblem openquestion openconjecture".split(),
        "other",
    ),
}
"""Blocks that can be cited, by element."""
PROJECTS = frozenset({"project", "activity", "exploration", "investigation"})
"""Blocks that are numbered by themselves."""
UNNUMBERED = frozenset({"assemblage"})
PROVABLE = frozenset(
    "theorem lemma corollary proposition claim fact identity algorithm principle conjecture exercise problem "
    "question".split()
)
"""Statements that a proof after them may belong to."""
PROOFS = frozenset({"proof", "argument", "justification", "reasoning", "explanation"})
SOLUTIONS = frozenset({"hint", "answer", "solution"})
WITH_SOLUTION = frozenset({"example", "question", "problem"})
"""Statements whose solution is part of what a reader is shown."""

LEVELS: Mapping[str, int] = {"chapter": 0, "appendix": 0, "preface": 0, "section": 1, "worksheet": 1}
"""Divisions that give statements their place: chapters and sections."""
NUMBERED = frozenset({"chapter", "appendix", "section", "subsection", "subsubsection", "worksheet", "handout"})
EXERCISES = frozenset({"exercises", "reading-questions"})
DIVISIONS = (
    NUMBERED | EXERCISES | {"part", "preface", "frontmatter", "backmatter", "references", "solutions", "glossary"}
)
FLOATS = frozenset({"figure", "table", "listing", "list"})

WITHOUT_TEXT = frozenset(
    "title subtitle shorttitle plaintitle creator idx notation image latex-image latex-image-code asymptote sageplot "
    "sage program console interactive video audio input output code pre cd mermaid prefigure description "
    "shortdescription docinfo macros biblio index-list notation-list list-of pg-code setup evaluation "
    "response feedback condition static".split()
)
"""Elements that are no part of the text of a statement."""

SIGNS: Mapping[str, str] = {
    "nbsp": "~", "ndash": "--", "mdash": "---", "ellipsis": "\\ldots{}", "midpoint": "·", "swungdash": "\\~{}",
    "ie": "i.e.", "eg": "e.g.", "etc": "etc.", "cf": "cf.", "vs": "vs.", "viz": "viz.", "etal": "et al.", "ca": "ca.",
    "nb": "N.B.", "ps": "P.S.", "ad": "AD", "bc": "BC", "am": "a.m.", "pm": "p.m.",
    "tex": "TeX", "latex": "LaTeX", "xetex": "XeTeX", "xelatex": "XeLaTeX", "pretext": "PreTeXt", "webwork": "WeBWorK",
    "ampersand": "\\&", "percent": "\\%", "dollar": "\\$", "hash": "\\#", "underscore": "\\_", "lbrace": "\\{",
    "rbrace": "\\}", "backslash": "\\textbackslash{}", "tilde": "\\textasciitilde{}", "circumflex": "\\^{}",
    "asterisk": "*", "backtick": "`", "slash": "/", "solidus": "/", "less": "<", "greater": ">", "lbracket": "[",
    "rbracket": "]", "lq": "``", "rq": "''", "lsq": "`", "rsq": "'", "ldblbracket": "[[", "rdblbracket": "]]",
    "langle": "<", "rangle": ">", "times": "×", "obelus": "÷", "plusminus": "±", "minus": "−", "degree": "°",
    "prime": "′", "dblprime": "″", "copyright": "©", "registered": "®", "trademark": "™", "pilcrow": "¶",
    "section-mark": "§", "permille": "‰", "fillin": "\\_\\_\\_", "br": " ",
}  # fmt: skip
"""Elements that stand for characters or abbreviations."""

WRAPPED: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("em", "term", "foreign", "pubtitle", "taxon", "i"), ("\\emph{", "}")),
    **dict.fromkeys(("alert", "b", "var"), ("\\textbf{", "}")),
    **dict.fromkeys(("c", "cline", "kbd", "tag", "tage", "attr"), ("\\texttt{", "}")),
    "q": ("``", "''"),
    "sq": ("`", "'"),
    "fn": ("\\footnote{", "}"),
    "ol": ("\n\\begin{enumerate}\n", "\n\\end{enumerate}\n"),
    "ul": ("\n\\begin{itemize}\n", "\n\\end{itemize}\n"),
    "dl": ("\n\\begin{description}\n", "\n\\end{description}\n"),
    "li": ("\n\\item ", "\n"),
    "cell": ("", " "),
}
"""Elements whose text stands between two pieces of LaTeX; the text of unknown elements stands on lines of its own."""
INLINE = frozenset(
    "abbr acro init url email articletitle quantity mag unit per base delete insert stale area caption personname "
    "h dateline today timeofday".split()
)
"""Elements whose text is part of the line."""
