r"""Headings of proofs: where one stands, and what it says is proved ("Proof of Theorem~\ref{a}", "Proof.")."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from naturalproofs.latex.macros.expansion import fill
from naturalproofs.latex.macros.macro import Macro
from naturalproofs.latex.read.citations import Citation
from naturalproofs.latex.scan.arguments import Argument, plain_title, read_group, read_option
from naturalproofs.latex.scan.scanner import Token
from naturalproofs.latex.scan.vocabulary import FONTS, PROOF_WORD, SWITCHES
from naturalproofs.reading.kinds import abbreviated, by_word, words_of

_REACH = 80
LONGEST_HEADING = 300
MOST_TARGETS = 10
"""How many statements one proof may prove."""
_ANNOUNCED = re.compile(
    r"(?:(?P<noun>\b[Pp]roof|\b[Pp]reuve|\b[Dd][ée]monstration|\b[Bb]eweis|\b[Dd]owód|\b[Dd]imostrazion|\b[Dd]emostraci"
    r"|[Дд]оказательств)|\b[Pp]rov(?:e|es|ing)\b|\b[Dd]ow[oó]d|\b[Bb]ewei?s|\b[Dd]emostra|\b[Dd]imostr|\b[Dd][ée]mon[ts]r"
    r"|[Дд]ока[зж])"
)
_IN_HEADING = re.compile(r"\\(?:chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?+\s*+\{[^}]*+$")
_FIRST_WORD = re.compile(
    r"\W*(?:the\s+|la\s+|der\s+)?(?:(?:omitted|missing|deferred|postponed|delayed|remaining|full|complete|detailed|formal)\s+)?"
    r"(?:(?:end|completion|conclusion|sketch|idea|outline)\s+of\s+(?:the\s+)?)?([^\W\d_]+)",
    re.IGNORECASE,
)
_PROVING = re.compile(r"\W*Proving\s")
"""A heading that is one of a proof only if it names what is proved."""
_OF = re.compile(
    r"^\W*(?:\w+\s+){1,2}?(?:of|von|de|du|des|di|del|della|da|do)\s+(?:the\s+|la\s+|le\s+|el\s+)?(?P<title>.+?)[\s.:]*$",
    re.DOTALL,
)
_ARTICLES = frozenset("a az van de het av af til den det на".split())
"""What may stand in the heading of a proof "of the theorem" besides the two words, in languages that `_OF` lacks."""
_BARE = re.compile(
    r"\W*(?:[^\W\d_]+\s+of\s+(?:the\s+)?)?[^\W\d_]+(?:-во)?+(?<!proofs)\W*(?:(?:sketch|idea|outline|skizze|\d)\W*)?(?:\([^()]*\)\W*)?",
    re.IGNORECASE,
)
"""A heading that names nothing: "Proof.", "Proof 2", "Sketch of proof", "Proof (by induction)"."""
AGAIN = re.compile(
    r"\b(?:second|third|fourth|another|alternat\w*|other|different|new|zweiter?|anderer?|deuxième|autre|otra|altra|\d)\b",
    re.IGNORECASE,
)
"""Words of the heading of a further proof of the same statement."""
_USING = re.compile(r"\b(?:using|via|from|assuming|given|by|with|mit|aus|mittels|avec|par|usando)\b")
"""What follows is used by the proof whose heading this is."""
_JOINED = re.compile(r"(?:[\s,~&{}]|\\&|\b(?:and|und|et|y|e|i)\b|[和与及и]|\b[A-Z][^\W\d_]+\b\.?)*")
"""What may stand between two statements that a heading names."""
_IMPLIES = re.compile(r"[\s~)$\]]*+(?:impl(?:ies|y)\b|\\(?:implies|Rightarrow|Longrightarrow)(?![a-zA-Z])|⇒)")
"""What follows is proved, and what stands before is used."""
_ELSEWHERE = re.compile(
    r"(?:\b(?:see|cf\.?|siehe|voir)\s[^.;:]{0,20}|(?:\b(?:sections?|sec\.|appendix|chapter|table|figure|fig\.|abschnitt|anhang)|§|\\S)"
    r"(?:[~\s]|\\[ ,])*+)$",
    re.IGNORECASE,
)
"""What follows is a place of the text, and is not proved."""
_ELSEWHERE_REACH = 40
SPACES = (
    r"\s|~|\\(?:noindent|indent|par|(?:small|med|big)(?:skip|break)|newline|q?quad|hfill|\\|[,; ])(?![a-zA-Z])"
    r"|\\(?:vspace|hspace|vskip)\*?+(?:\{[^{}]*+\}|\s*+-?+[\d.]++\s*+[a-z]{2})"
)
"""Space, and the commands for it, before a heading within a line."""
_SPACE_COMMANDS = re.compile(rf"(?:{SPACES})*+")
_COLOURED = re.compile(r"(?:\\textcolor\s*+\{[^{}]*+\}\s*+\{|\{\s*+\\color\s*+\{[^{}]*+\})\s*+$")
"""A colour around a heading."""
_COLOUR_REACH = 60
_CLOSING = re.compile(r"[ \t.:]*+\}")
_SWITCH = re.compile(rf"\\(?:{SWITCHES})(?![a-zA-Z])")
_FONT = re.compile(rf"\\(?:{FONTS})(?=\s*+\{{)")
_BREAK = re.compile(r"\\(?:noindent|par|(?:small|med|big)(?:skip|break)|vspace|vskip|newline)(?![a-zA-Z])")
_PARAMETER = re.compile(r"#\d")
_END_OF_PROOF = re.compile(
    r"\\(?:qed|QED|qedsymbol|eop|Box|square|blacksquare)(?![a-zA-Z])[\s$}]*+"
    r"(?:\\(?:par|(?:small|med|big)(?:skip|break)|newline)(?![a-zA-Z])[\s}]*+)*+$"
)
_ENDS_LINE = re.compile(r"\\(?:qed|QED|par|hfill|fill|(?:small|med|big)(?:skip|break))(?![a-zA-Z])")
_SIGNS = re.compile(r"[ \t]*+[.:]++")
_OF_AFTER = re.compile(
    r"\s*+\(?+of\s++(?:[A-Z][^\W\d_]*+[~\s]++)?+(?:\\[a-zA-Z]*+(?<=[rR]ef)\s*+\{[^{}]*+\}|\d++(?:\.\d++)*+)\)?+\s*+[.:]"
)
"""The rest of a heading, behind its font: ``{\\bf Proof} of Theorem 3.``"""
BEGINS_WITH_OF = re.compile(
    r"(?:[\s(]|\{\s*\\(?:bf|it|em|sc)\b|\\(?:textbf|textit|emph|textsc)\s*\{)*"
    r"(?:[Pp]roof\s+)?(?P<of>of\s+(?:the\s+)?(?=[A-Z\\])(?:[^.:(){}\n]|\{[^{}]*\})*)[.:)}]"
)
"""A heading that stands in the text of a proof: ``\\begin{proof} (of Lemma~\\ref{a})``."""
_WITHOUT_FONT = re.compile(
    rf"(?:{SPACES})*+(?P<heading>{PROOF_WORD}[^\W\d_]*+\s*+(?:\([^()\n]{{1,80}}+\)\s*+)?+[.:])(?=[\s~\\])"
)
"""A heading in the font of the text, at the begin of a line."""
_NO_PROOFS = frozenset({"remark", "note", "example", "exercise", "problem", "question"})
"""What is no proof although it may be set as one; a construction or a solution is."""
_PROOF_WITH_OPTION = re.compile(r"\\(?:begin\s*+\{([^{}]*+)\}|([a-zA-Z]++))(?=\s*+\[)")


class Named(NamedTuple):
    """What a heading names by labels: all that is proved, where the last one ends, and where what is used begins."""

    labels: tuple[str, ...]
    end: int
    used: int | None


def named_labels(heading: str, cited: Iterable[Citation]) -> Named:
    """The labels of what a heading says is proved.

    Args:
        heading: The source of the heading.
        cited: Its citations, in order.
    """
    labels: list[str] = []
    end, skipped = 0, 0
    for one in cited:
        if one.repeated:
            end = max(end, one.end) if labels else end
            continue
        if _ELSEWHERE.search(heading, max(0, one.start - _ELSEWHERE_REACH), one.start):
            continue
        before = heading[end : one.start]
        if labels and _IMPLIES.match(before):
            labels.clear()
            skipped = one.start
        elif _USING.search(before) or (labels and not _JOINED.fullmatch(before)):
            return Named(_several(labels), 0 if skipped else end, one.start)
        end = one.end
        labels.extend(key.key for key in one.keys)
    return Named(_several(labels), 0 if skipped else end, None)


def _several(labels: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(labels))[:MOST_TARGETS]


def titled_in(heading: str) -> str:
    """The title in a heading such as "Proof of the Main Theorem"."""
    plain = plain_title(heading)[:LONGEST_HEADING]
    match = _OF.match(plain)
    return match["title"] if match else _statement_word(plain)


def _statement_word(heading: str) -> str:
    """The word for a statement in a heading that has no other words but one for "proof" and articles."""
    words = [word for word in words_of(heading) if word.casefold() not in _ARTICLES]
    senses = [by_word(word) for word in words]
    if len(words) != 2 or None in senses or [one.role for one in senses if one].count("proof") != 1:
        return ""
    return next(word for word, sense in zip(words, senses, strict=True) if sense and sense.role != "proof")


def is_proof_heading(plain: str) -> bool:
    """Whether a heading begins with a word for "proof"."""
    first = _FIRST_WORD.match(plain)
    if first is None:
        return False
    short = abbreviated(plain, first.start(1))
    sense = by_word(first[1]) or (short[0] if short else None)
    return sense is not None and sense.role == "proof" and not sense.family


def says_proving(plain: str) -> bool:
    """Whether a heading says that something is proved, if it names what."""
    return _PROVING.match(plain) is not None


def is_bare(plain: str) -> bool:
    """Whether a heading of a proof names nothing."""
    return _BARE.fullmatch(plain) is not None


def announces(text: str, offset: int, *, unproved: bool) -> bool:
    """Whether the reference at an offset names what is going to be proved.

    Args:
        text: The text of the file.
        offset: Where the reference begins.
        unproved: Whether the statement before it has no proof yet. Then "the proof of Lemma 1 is similar" does not
            announce a proof of Lemma 1; "we now prove Theorem 1", or a heading, does.
    """
    before = text[max(0, offset - _REACH) : offset].rsplit("\n\n", 1)[-1]
    announced = _ANNOUNCED.search(before.rpartition(".")[2])
    return announced is not None and (not (announced["noun"] and unproved) or bool(_IN_HEADING.search(before)))


# Headings within a line.


class InLine(NamedTuple):
    """A heading within a line: its source, where it begins, and where the text after it begins."""

    source: str
    begin: int
    end: int


def read_in_line(text: str, token: Token) -> InLine | None:
    r"""The heading whose font a token is: ``{\bf Proof.}``, ``\textcolor{blue}{\textbf{Proof}}:``."""
    begin = begin_of_heading(text, token)
    group = read_group(text, token.end if begin == token.start else begin)
    if group is None or len(group.text) > LONGEST_HEADING:
        return None
    source, end = group.text, group.end
    first = max(0, begin - _COLOUR_REACH)
    if (colour := _COLOURED.search(text[first:begin])) and (closing := _CLOSING.match(text, end)):
        begin, end = first + colour.start(), closing.end()
    if is_bare(plain_title(source)) and (more := _OF_AFTER.match(text, end)):
        return InLine(f"{source} {more.group()}", begin, more.end())
    return InLine(source, begin, after_signs(text, source, end))


def after_signs(text: str, heading: str, end: int) -> int:
    """Where the text begins after a heading that ends here: a full stop or colon behind it belongs to it."""
    signs = None if heading.rstrip(" }").endswith((".", ":")) else _SIGNS.match(text, end)
    return signs.end() if signs else end


def read_without_font(text: str, at: int) -> InLine | None:
    """The heading of a proof in the font of the text that begins here, after space."""
    match = _WITHOUT_FONT.match(text, at)
    return InLine(match["heading"], match.start("heading"), match.end()) if match else None


def heading_of_code(code: str) -> str:
    r"""The heading that the code of a macro prints, if it prints nothing else: ``\medskip\noindent{\it Proof.}``."""
    at = _skip_spaces(code, 0)
    while (group := read_group(code, at)) and code[at] == "{" and not code[group.end :].strip():
        code, at = group.text, _skip_spaces(group.text, 0)
    switch, font = _SWITCH.match(code, at), _FONT.match(code, at)
    if switch is not None:
        return code[switch.end() :]
    found: Argument | None = read_group(code, font.end() if font else at)
    is_heading = found is not None and (font or _SWITCH.match(found.text.lstrip()))
    if found is None or not is_heading or _skip_spaces(code, after_signs(code, found.text, found.end)) < len(code):
        return ""
    return found.text


def headings_and_marks(
    macros: Mapping[str, Macro], others: Collection[str], environments: Collection[str]
) -> tuple[dict[str, Macro], frozenset[str]]:
    """The macros that print headings of proofs, and those that print the sign at their end.

    Args:
        macros: The macros of a document.
        others: Those that are read otherwise.
        environments: The environments that it uses.
    """
    known = {name: macro for name, macro in macros.items() if name not in others}
    headings = {name: macro for name, macro in known.items() if name not in environments and _is_heading_macro(macro)}
    return headings, frozenset(name for name, macro in known.items() if _ends_proof(macro))


def _is_heading_macro(macro: Macro) -> bool:
    """Whether a macro prints a heading within a line, which is one of a proof, always or with some argument."""
    if not macro.name.isalpha() or macro.ending is not None or len(macro.body) > LONGEST_HEADING:
        return False
    if macro.parameters and not _BREAK.search(macro.body):
        return False  # A word in another font.
    return is_proof_heading(plain_title(heading_of_code(_PARAMETER.sub("Proof", macro.body))))


def _ends_proof(macro: Macro) -> bool:
    """Whether a macro prints the sign at the end of a proof."""
    is_short = not macro.parameters and macro.name.isalpha() and len(macro.body) <= LONGEST_HEADING
    return is_short and _END_OF_PROOF.search(macro.body) is not None and _ENDS_LINE.search(macro.body) is not None


def _skip_spaces(text: str, at: int) -> int:
    match = _SPACE_COMMANDS.match(text, at)
    return match.end() if match else at


def begin_of_heading(text: str, token: Token) -> int:
    r"""Where a heading within a line begins: at its font command, or at the group that a font switch opens."""
    begin = token.start
    if not text[max(0, begin - 2) : begin].rstrip().endswith("{"):
        return begin
    if _SWITCH.match(text, begin) or read_group(text, token.end) is None:
        return text.rindex("{", 0, begin)
    return begin


def begins_line(text: str, offset: int) -> bool:
    """Whether nothing but space stands before an offset in its line, or the end of an environment."""
    line = text.rfind("\n", max(0, offset - _REACH), offset) + 1
    before = text[max(line, offset - _REACH) : offset]
    ended = before.rfind("\\end{")
    start = before.find("}", ended) + 1 if ended >= 0 else 0
    return _SPACE_COMMANDS.fullmatch(before, start) is not None


def is_headed_otherwise(macro: Macro, proofs: Collection[str]) -> bool:
    r"""Whether an environment uses that of proofs for something else: ``\begin{proof}[Comments.]``."""
    for match in _PROOF_WITH_OPTION.finditer(macro.body):
        option = read_option(macro.body, match.end()) if (match[1] or match[2]) in proofs else None
        if option is not None:
            heading, _ = fill(
                replace(macro, body=option.text), [Argument(one.default, -1, -1) for one in macro.parameters]
            )
            known = [sense for word in words_of(heading) if (sense := by_word(word))]
            return any(one.family in _NO_PROOFS for one in known) and all(one.role != "proof" for one in known)
    return False
