"""Commands and environments of text: what each prints, as data."""

import re
from collections.abc import Callable, Mapping
from unicodedata import normalize

from naturalproofs.sources.latex.macros.packages import GERMAN_SHORTHANDS, QUOTE_LIGATURES, RUSSIAN_SHORTHANDS
from naturalproofs.sources.latex.scan.arguments import ACCENT_MARKS, GERMAN, SPECIAL_LETTERS
from naturalproofs.sources.latex.scan.symbols import DIAGRAMS, words

_ADDRESS = re.compile(r"\\(?:url|nolinkurl|href)\s*+\{[^{}\n]*+\}")
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
"""Quotation marks that some fonts make of two symbols."""
STYLES: Mapping[str, str] = {
    "emph": "em", "textit": "em", "textsl": "em", "textbf": "strong", "texttt": "code", "textsc": "span",
    "underline": "u", "text": "span", "textrm": "span", "mbox": "span", "textnormal": "span", "textup": "span",
    "textsf": "span", "uline": "u", "ul": "u", "hl": "strong",
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
COMMANDS: Mapping[str, str] = {
    **dict.fromkeys(
        words("noindent indent qedhere qed center centering newline protect leavevmode relax sloppy rm normalfont "
              "upshape rmfamily hfill vfill ignorespaces nobreak allowbreak footnotesize small large Large LARGE huge "
              "normalsize scriptsize tiny boldmath unboldmath hfil newpage clearpage break xspace sc sf scshape "
              "sffamily mdseries raggedright flushbottom selectfont linewidth allowdisplaybreaks displaystyle "
              "textstyle leanok mathlibok notready gls@add phantomsection footnotemark ignorespacesafterend unskip "
              "null strut bgroup egroup begingroup endgroup makeatletter makeatother theoremstyle qedsymbol popQED "
              "heiti kaishu songti fangsong lishu youyuan frontmatter mainmatter backmatter maketitle tableofcontents "
              "listoffigures listoftables printindex makeindex cleardoublepage appendix minitoc dominitoc "
              "onehalfspacing doublespacing singlespacing hrule bigbreak medbreak smallbreak goodbreak eject "
              "listoftodos faketableofcontents parttoc"), ""),
    **dict.fromkeys(words("pagebreak linebreak nopagebreak nolinebreak"), "so"),
    **dict.fromkeys(
        words("label fontfamily fontseries fontshape index vspace hspace phantom hphantom vphantom mathversion lean "
              "uses discussion proves glsadd color marginpar todo nocite thispagestyle stepcounter refstepcounter "
              "vglue hglue sindex pushQED selectlanguage pagestyle pagenumbering bibliographystyle bibliography "
              "includeonly newcounter printbibliography"), "som"),
    **dict.fromkeys(words("setcounter addtocounter setlength addtolength markboth nomenclature fontsize"), "somm"),
    "addcontentsline": "mmm",
    **dict.fromkeys(words("colorbox hyperlink hypertarget"), "mp"),
    **dict.fromkeys(words("href textcolor foreignlanguage"), "omp"),
    **dict.fromkeys(words("makebox framebox"), "oop"),
    "raisebox": "moop", "parbox": "ooomp", "scalebox": "mop", "resizebox": "smmp",
    **dict.fromkeys(
        words("uppercase lowercase MakeUppercase centerline textsuperscript textsubscript ensuretext up bsc nombre "
              "numprint"), "p"),
    **dict.fromkeys(words("texorpdfstring ruby"), "pm"),
}  # fmt: skip
"""Commands that print one of their arguments or nothing, by these: letters of xparse, and ``p`` for what is printed."""
QUIET = frozenset(name for name, letters in COMMANDS.items() if "p" not in letters) | frozenset(
    words("par medskip smallskip bigskip kern hskip vskip glossary")
)
"""Commands that print nothing of a statement."""
PARAMETERS: Mapping[str, bool] = {
    **dict.fromkeys(
        words("parindent parskip parfillskip baselineskip lineskip lineskiplimit leftskip rightskip hangindent "
              "hfuzz vfuzz emergencystretch hsize vsize abovedisplayskip belowdisplayskip abovedisplayshortskip "
              "belowdisplayshortskip displayindent displaywidth mathsurround thinmuskip medmuskip thickmuskip "
              "delimitershortfall nulldelimiterspace scriptspace arraycolsep tabcolsep arrayrulewidth "
              "doublerulesep jot fboxsep fboxrule columnsep multicolsep topsep itemsep parsep partopsep "
              "leftmargin rightmargin itemindent labelwidth labelsep listparindent"), False),
    **dict.fromkeys(
        words("penalty predisplaypenalty postdisplaypenalty interdisplaylinepenalty clubpenalty widowpenalty "
              "displaywidowpenalty brokenpenalty binoppenalty relpenalty hyphenpenalty exhyphenpenalty "
              "linepenalty interlinepenalty hangafter looseness tolerance pretolerance hbadness vbadness "
              "delimiterfactor"), True),
}  # fmt: skip
"""Parameters of TeX's layout, and whether they are numbers, not lengths; an assignment to one prints nothing."""
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
    "dj": "đ", "DJ": "Đ", "no": "n°", "nos": "n°s",
    "space": " ", "quad": "\u2003", "qquad": "\u2003\u2003", "thinspace": " ", "enspace": " ", "lq": "‘", "rq": "’",
    "textprime": "′", "hyp": "-", "No": "№", "degres": "°",
}  # fmt: skip
ORDINALS = {"ier": "er", "iers": "ers", "iere": "re", "ie": "e", "ieme": "e", "iemes": "es"}
"""The endings of French ordinals, which stand directly behind a number."""


def shorthand(symbol: str, macro: Callable[[str], object]) -> str | None:
    """What two symbols print by a shorthand of babel or in some fonts; None if they stand for themselves.

    Args:
        symbol: The symbols.
        macro: Gives the macro of a name, if there is one.
    """
    tables = ((GERMAN_SHORTHANDS, GERMAN), (RUSSIAN_SHORTHANDS, _RUSSIAN), (QUOTE_LIGATURES, _QUOTES))
    return next((table[symbol] for name, table in tables if symbol in table and macro(name)), TYPOGRAPHY.get(symbol))


def accented(mark: str, letter: str) -> str | None:
    """A letter under an accent, as one symbol where there is one."""
    if mark not in ACCENT_MARKS:
        return None
    base = {"\\i": "i", "\\j": "j"}.get(letter.strip(), letter.strip())
    return normalize("NFC", base[:1] + ACCENT_MARKS[mark] + base[1:]) if base else ""


def with_escaped_addresses(source: str) -> str:
    """A text in which the percent characters of addresses begin no comments."""
    if "%" not in source or not ("\\url" in source or "\\href" in source):
        return source
    return _ADDRESS.sub(lambda match: match.group().replace("\\%", "%").replace("%", "\\%"), source)
