"""Commands and environments of text: what each prints, as data."""

import re
from collections.abc import Callable, Mapping
from unicodedata import normalize

from naturalproofs.latex.macros.packages import GERMAN_SHORTHANDS, QUOTE_LIGATURES, RUSSIAN_SHORTHANDS
from naturalproofs.latex.scan.arguments import ACCENT_MARKS, GERMAN, SPECIAL_LETTERS
from naturalproofs.latex.scan.symbols import DIAGRAMS, words

_ADDRESS = re.compile(r"\\(?:url|nolinkurl|href)\s*+\{[^{}\n]*+\}")
_UNESCAPED = re.compile(r"(?<!\\)%")
TYPOGRAPHY = {
    "~": "\u00a0",
    "``": "“",
    "''": "”",
    "`": "‘",
    "'": "’",
    "--": "–",
    "---": "—",
    "&": "&",
    "}": "",
    '"=': "-",
    '"~': "-",
}
_RUSSIAN = {'"---': "—", '"--': "—", '"`': "„", "\"'": "“", '"<': "«", '">': "»", '"-': "", '""': "", '"|': ""}
"""The shorthands of babel in Russian."""
_QUOTES = {"<<": "«", ">>": "»", ",,": "„"}
"""Quotation marks that some fonts make of two signs."""
STYLES: Mapping[str, str] = {
    "emph": "em", "textit": "em", "textsl": "em", "textbf": "strong", "texttt": "code", "textsc": "span",
    "underline": "u", "text": "span", "textrm": "span", "mbox": "span", "textnormal": "span", "textup": "span",
    "textsf": "span", "uline": "u",
    "textmd": "span", "fbox": "span", "enquote": "q", "term": "em", "alert": "strong", "strong": "strong",
    "structure": "strong", "defn": "em", "define": "em",
}  # fmt: skip
SWITCHES: Mapping[str, str] = {
    "em": "em", "it": "em", "sl": "em", "bf": "strong", "tt": "code", "itshape": "em", "slshape": "em",
    "bfseries": "strong", "ttfamily": "code",
}  # fmt: skip
LISTS: Mapping[str, bool] = {
    **dict.fromkeys(words("itemize description list compactitem asparaitem inparaitem itemize* trivlist"), False),
    **dict.fromkeys(
        words("enumerate compactenum inparaenum asparaenum enumerate* steps alist thmenum subexenum longenum "
              "enumeratea enumeratei enumerit numlist"), True),
}  # fmt: skip
VERBATIM = frozenset({"verbatim", "lstlisting", "minted", "alltt", "Verbatim", "code"})
PICTURES: Mapping[str, str] = {
    **dict.fromkeys(words("figure figure* marginfigure wrapfigure subfigure sidecaption SCfigure"), "figure"),
    **dict.fromkeys(words("table table* tabular tabular* tabularx longtable tabu wraptable tabbing"), "table"),
    **dict.fromkeys(DIAGRAMS, "diagram"),
    "tikzpicture": "figure", "picture": "figure", "pspicture": "figure", "asy": "figure", "forest": "figure",
    "algorithm": "algorithm", "algorithmic": "algorithm",
}  # fmt: skip
METADATA = frozenset({"lean", "uses", "proves", "leanok", "mathlibok", "notready", "discussion", "label", "index"})
"""Commands that say something about a statement; they are dropped, whatever an author defines them to be."""
DROPPED = frozenset({"comment", "filecontents", "filecontents*"})
QUIET = frozenset(
    words(
        "noindent medskip smallskip bigskip par indent label index qedhere qed centering newline linebreak pagebreak "
        "vspace hspace protect leavevmode relax sloppy rm normalfont upshape rmfamily hfill vfill ignorespaces nobreak "
        "allowbreak footnotesize small large Large LARGE huge normalsize scriptsize tiny phantom hphantom vphantom "
        "vskip mathversion boldmath unboldmath hfil newpage clearpage nopagebreak nolinebreak break xspace sc sf "
        "scshape sffamily mdseries raggedright flushbottom fontfamily fontseries fontshape fontsize selectfont "
        "linewidth allowdisplaybreaks displaystyle textstyle leanok "
        "mathlibok notready lean uses discussion proves glsadd gls@add color marginpar todo nocite thispagestyle "
        "setcounter addtocounter stepcounter refstepcounter setlength addtolength vglue hglue kern hskip "
        "markboth glossary "
        "addcontentsline phantomsection footnotemark ignorespacesafterend unskip null strut bgroup egroup "
        "begingroup "
        "endgroup makeatletter makeatother theoremstyle null sindex nomenclature vphantom qedsymbol pushQED popQED "
        "selectlanguage heiti kaishu songti fangsong lishu youyuan"
    )
)
"""Commands that print nothing of a statement."""
ARGUMENTS: Mapping[str, int] = {
    **dict.fromkeys(
        words("label fontfamily fontseries fontshape index "
              "vspace hspace phantom hphantom vphantom mathversion lean uses discussion proves glsadd "
              "color marginpar todo nocite thispagestyle stepcounter refstepcounter vglue hglue sindex "
              "pushQED selectlanguage"), 1),
    **dict.fromkeys(
        words("setcounter addtocounter setlength addtolength markboth glossary nomenclature fontsize"), 2),
    "addcontentsline": 3,
}  # fmt: skip
PASSED: Mapping[str, int] = {
    "href": 1, "textcolor": 1, "colorbox": 1, "hyperlink": 1, "hypertarget": 1, "foreignlanguage": 1, "raisebox": 1,
    "parbox": 1, "scalebox": 1, "resizebox": 2, "makebox": 0, "framebox": 0, "uppercase": 0, "lowercase": 0,
    "MakeUppercase": 0, "centerline": 0, "texorpdfstring": 0, "textsuperscript": 0, "textsubscript": 0, "ensuretext": 0,
    "up": 0, "bsc": 0, "nombre": 0, "numprint": 0, "ruby": 0,
}  # fmt: skip
"""Commands that print their last argument; the number of arguments before it."""
LOCAL_DEFINITIONS = ("newcommand", "renewcommand", "providecommand", "def")
"""Definitions that may stand in a statement; they hold to the end of their group."""
CITATIONS = frozenset(words("cite citep citet citealp citealt citeauthor citeyear parencite textcite autocite"))
"""Commands of formulas that cite the bibliography."""
ENVIRONMENT_ARGUMENTS: Mapping[str, int] = {
    **dict.fromkeys(
        words("multicols multicols* minipage spacing otherlanguage otherlanguage* adjustbox column addmargin "
              "addmargin* varwidth turn rotate hyphenrules labeling"), 1),
    **dict.fromkeys(words("adjustwidth adjustwidth* changemargin narrow hangparas CJK CJK*"), 2),
}  # fmt: skip
"""How many arguments without text stand at the beginning of an environment of text."""
LETTERS = {
    **SPECIAL_LETTERS,
    "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "copyright": "©",
    "TeX": "TeX", "LaTeX": "LaTeX", "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–",
    "textemdash": "—", "textquotedblleft": "“", "textquotedblright": "”", "textquoteleft": "‘", "textquoteright": "’",
    "textbackslash": "\\", "textless": "<", "textgreater": ">", "textbar": "|", "slash": "/", "textbullet": "•",
    "and": " and ", "guillemotleft": "«", "guillemotright": "»", "textasciitilde": "~", "textdegree": "°",
    "pounds": "£", "euro": "€", "og": "« ", "fg": " »", "textunderscore": "_", "textasciicircum": "^",
    "nobreakdash": "",
    "glqq": "„", "grqq": "“", "glq": "‚", "grq": "‘", "flqq": "«", "frqq": "»", "flq": "‹", "frq": "›", "dq": '"',
    "quotedblbase": "„", "quotesinglbase": "‚", "guilsinglleft": "‹", "guilsinglright": "›", "textquotedbl": '"',
    "dj": "đ", "DJ": "Đ", "no": "n°", "nos": "n°s", "iers": "ers", "iere": "re", "ieme": "e", "iemes": "es",
    "space": " ", "quad": " ", "qquad": " ", "thinspace": " ", "enspace": " ", "lq": "‘", "rq": "’",
    "textprime": "′", "hyp": "-", "No": "№", "ier": "er", "ie": "e", "degres": "°",
}  # fmt: skip


def shorthand(sign: str, macro: Callable[[str], object]) -> str | None:
    """What two signs print by a shorthand of babel or in some fonts; None if they stand for themselves.

    Args:
        sign: The signs.
        macro: Gives the macro of a name, if there is one.
    """
    tables = ((GERMAN_SHORTHANDS, GERMAN), (RUSSIAN_SHORTHANDS, _RUSSIAN), (QUOTE_LIGATURES, _QUOTES))
    return next((table[sign] for name, table in tables if sign in table and macro(name)), TYPOGRAPHY.get(sign))


def accented(mark: str, letter: str) -> str | None:
    """A letter under an accent, as one sign where there is one."""
    if mark not in ACCENT_MARKS:
        return None
    base = {"\\i": "i", "\\j": "j"}.get(letter.strip(), letter.strip())
    return normalize("NFC", base[:1] + ACCENT_MARKS[mark] + base[1:]) if base else ""


def with_escaped_addresses(source: str) -> str:
    """A text in which the percent signs of addresses begin no comments."""
    if "%" not in source or not ("\\url" in source or "\\href" in source):
        return source
    return _ADDRESS.sub(lambda match: _UNESCAPED.sub(r"\\%", match.group()), source)
