"""What the scanner stops at: commands and environments, and the pattern compiled from them.

Everything else passes at the speed of a regular expression, so a vocabulary lists no more than is needed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from naturalproofs.sources.latex.scan.conditionals import NO_FACTS, Facts
from naturalproofs.sources.reading.settings import Heading, KeyStyle

Action: TypeAlias = Literal["command", "verbatim", "input", "section", "label"] | Literal["begin", "end"] | KeyStyle
"""How the scanner reads a command."""

REFERENCES: Mapping[str, KeyStyle] = {
    **dict.fromkeys("ref eqref autoref nameref vref fullref prettyref fref Fref zref".split(), "one"),
    **dict.fromkeys(
        "thref cref Cref labelcref labelcpageref namecref nameCref lcnamecref vcref Vref zcref zvref".split(),
        "list",
    ),
    **dict.fromkeys(("crefrange", "Crefrange", "vrefrange"), "range"),
    "hyperref": "bracket",
}

USUAL_REFERENCES: Mapping[str, KeyStyle] = dict.fromkeys(
    "Ref Nameref titleref thmref lemref propref corref defref remref exref secref eqnref".split(), "list"
)
"""Commands that cite by usual names where a missing package defines them."""
CITING: Mapping[str, KeyStyle] = {**REFERENCES, **USUAL_REFERENCES}

LABELS = frozenset({"label", "zlabel", "thlabel", "inputleannode"})
"""Commands that give a label; the last one inputs a statement, made from Lean, that has it."""

SECTIONS: Mapping[str, int] = {
    "part": -1,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}


HEADINGS: Mapping[str, Heading] = {name: Heading(level) for name, level in SECTIONS.items()}

AT_APPENDIX = "AtAppendix"
"""The command of apptools whose argument is carried out where the appendix begins."""
COUNTER_COMMANDS = frozenset(
    {
        AT_APPENDIX,
        "numberwithin", "counterwithin", "counterwithout", "setcounter", "addtocounter", "stepcounter",
        "refstepcounter", "newcounter", "newaliascnt", "@addtoreset", "appendix", "appendices", "frontmatter",
        "mainmatter", "backmatter", "setsecnumdepth", "maxsecnumdepth",
    }
)  # fmt: skip
"""Commands that change what is printed as number."""
IN_TEXT = frozenset({"appendix", "appendices", "frontmatter", "mainmatter", "backmatter"})
"""Those that count in the text of a document only; in a preamble, others change what they do."""

OPTIONAL_INPUTS = frozenset({"InputIfFileExists", "@input"})
"""Commands that read a file if it is there."""

FROM_FOLDER = frozenset({"import", "inputfrom", "includefrom", "subimport", "subinputfrom", "subincludefrom"})
"""Commands that name a folder and a file in it."""

INPUTS = OPTIONAL_INPUTS.union({"input", "include", "subfile", "subfileinclude", "includestandalone"}, FROM_FOLDER)

VERBATIM_ENVIRONMENTS = frozenset(
    {"verbatim", "verbatim*", "Verbatim", "BVerbatim", "LVerbatim", "lstlisting", "minted", "alltt", "comment",
     "filecontents", "filecontents*", "sagesilent"}
)  # fmt: skip

VERBATIM_COMMANDS = frozenset({"verb", "lstinline", "mintinline", "url", "path"})


@dataclass(frozen=True)
class Vocabulary:
    """The commands and environments that a scan reports."""

    references: Mapping[str, KeyStyle] = field(default_factory=lambda: REFERENCES)
    labels: frozenset[str] = LABELS
    sections: Mapping[str, int] = field(default_factory=lambda: SECTIONS)
    inputs: frozenset[str] = INPUTS
    verbatim_environments: frozenset[str] = VERBATIM_ENVIRONMENTS
    verbatim_commands: frozenset[str] = VERBATIM_COMMANDS
    commands: frozenset[str] = frozenset()
    """Further commands to report by name, such as ``\\proof`` or ``\\newtheorem``."""
    facts: Facts = NO_FACTS
    """What conditionals may ask for."""
    mathematics: bool = False
    """Report ``$``, ``$$``, ``\\(``, ``\\)``, ``\\[`` and ``\\]``."""
    groups: bool = False
    """Report braces."""
    proof_headings: bool = False
    r"""Report headings within a line that begin with a word for "proof", such as ``{\bf Proof.}``."""

    @cached_property
    def actions(self) -> Mapping[str, Action]:
        """How each command is read; the later entries win."""
        return {
            **dict.fromkeys(self.commands, "command"),
            **dict.fromkeys(self.verbatim_commands, "verbatim"),
            **dict.fromkeys(self.inputs, "input"),
            **dict.fromkeys(self.sections, "section"),
            **self.references,
            **dict.fromkeys(self.labels, "label"),
            "begin": "begin",
            "end": "end",
        }

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Where the scanner stops."""
        return _compile(tuple(sorted(self.actions)), self.mathematics, self.groups, self.proof_headings)


STRUCTURE = Vocabulary()
"""Environments, labels, references, headings, inputs: enough to find statements and proofs."""

FULL = Vocabulary(mathematics=True, groups=True)
"""Structure, mathematics and groups."""

_Tree: TypeAlias = dict[str, "_Tree"]


PROOF_WORD = (
    r"(?:(?:Sketch|Idea|Outline) of (?:the )?+)?+(?:[Pp]roof|PROOF|Beweis|Preuve|D(?:é|e|\\'\{?+e\}?+)monstration"
    r"|Demostraci|Prueba|Dimostrazion|Prova|Demonstra(?:ç|\\c)|Dow(?:ó|o|\\'\{?+o\}?+)d|Доказательств|Доведення|Bewijs|Bevis"
    r"|证明|證明|証明|증명|D[ůô]kaz|Dokaz|Доказ|Bizonyítás|Todistus|Απόδειξη|İspat|Kanıt|Demonstrați|Demonstraţi"
    r"|(?:Dim|D(?:é|e|\\'\{?+e\}?+)m|Bew|Док-во|Д-во)\.)"
)
"""How a heading of a proof begins: where the scanner stops. What the heading says is decided when it is read."""
FONTS = "textbf|textit|textsc|textsl|emph|underline"
SWITCHES = "bf|it|em|sc|sl|bfseries|itshape|scshape|slshape"
HEADING_FONTS = frozenset(
    f"section|subsection|subsubsection|paragraph|subparagraph|textsf|textgt|heiti|gt|gtfamily|{FONTS}|{SWITCHES}".split(
        "|"
    )
)
"""Commands that may begin a heading within a line."""
_INNER_FONTS = rf"(?:\{{?+\s*+\\(?:{FONTS}|{SWITCHES})(?![a-zA-Z])\s*+){{0,3}}+\{{?+\s*+"
_PROOF_IN_FONT = rf"(?:{FONTS})\s*+(?=\{{\s*+{_INNER_FONTS}{PROOF_WORD})"
_PROOF_AFTER_SWITCH = rf"(?:{SWITCHES})(?![a-zA-Z])\s*+(?={_INNER_FONTS}{PROOF_WORD})"


@lru_cache(maxsize=64)
def _compile(names: tuple[str, ...], mathematics: bool, groups: bool, proof_headings: bool) -> re.Pattern[str]:
    after_backslash = [rf"(?P<command>{either(names)})(?![a-zA-Z@])"]
    singles = [r"(?P<comment>%[^\n]*+\n?+)"]
    if proof_headings:
        after_backslash.append(rf"(?P<heading>{_PROOF_IN_FONT}|{_PROOF_AFTER_SWITCH})")
    # An escape hides the character that follows it; only characters that would start a token are worth a stop.
    escaped = r"\\%"
    if mathematics:
        escaped += "$"
        after_backslash.append(r"(?P<delimiter>[()\[\]])")
        singles.append(r"(?P<dollar>\$\$?+)")
    if groups:
        escaped += "{}"
        singles.append(r"(?P<brace>\{++|\}++)")
    after_backslash.append(f"(?P<escape>[{escaped}])")
    return re.compile(r"\\(?:" + "|".join(after_backslash) + ")|" + "|".join(singles))


def either(words: tuple[str, ...]) -> str:
    """An alternation as a tree of shared prefixes: one comparison a letter instead of one a word."""
    tree: _Tree = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _branch(tree)


def _branch(tree: _Tree) -> str:
    options = [re.escape(letter) + _branch(rest) for letter, rest in sorted(tree.items()) if letter]
    if not options:
        return ""
    joined = options[0] if len(options) == 1 else "(?:" + "|".join(options) + ")"
    return f"(?:{joined})?" if "" in tree else joined
