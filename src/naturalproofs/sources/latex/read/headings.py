r"""Headings that authors write: of statements, ``{\bf Theorem 3 (Rolle).}``, and of proofs, "Proof of Theorem~\ref{a}".

A heading within a line begins the line with a font, and has a text and a stop: `read_heading` reads it. What its words
say is decided by the tables of words: which statement with which number and name (`statement_words`), or whether it is
one of a proof (`is_proof_heading`), and of what (`named_labels`, `named_title`). `read_opening` reads what stands
behind the beginning of an environment: its title, label and number.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from naturalproofs.sources.latex.macros.entries import Declaration, first_key, key_values
from naturalproofs.sources.latex.macros.expansion import expand_all, fill, read_arguments
from naturalproofs.sources.latex.macros.macro import Macro
from naturalproofs.sources.latex.read.citations import Citation
from naturalproofs.sources.latex.read.works import titled_sources, without_citations
from naturalproofs.sources.latex.scan.arguments import (
    REACH,
    plain_title,
    read_group,
    read_groups,
    read_option,
    without_switches,
)
from naturalproofs.sources.latex.scan.scanner import FONTS, PROCLAIMING, SWITCHES, Token
from naturalproofs.sources.reading.kinds import (
    Sense,
    abbreviated,
    by_numbered_word,
    by_word,
    words_of,
)

_OVERLAY = re.compile(r"\s*+<[^<>\n]*+>")
_KEYS = frozenset({"name", "title", "note", "label", "restate", "store", "continues", "short-name", "short-title"})
"""Keys that the beginning of a statement may have."""
_NUMBER = re.compile(r"[A-Z]?\d+(?:\.[A-Z]?\d+)*(?:\.?[a-z]|\([a-z]\))?|[A-Z](?:\.\d+)+")
_LABEL = re.compile(r"\\label\s*+\{([^{}\\#]*+)\}")


def has_number(declared: Declaration | None, text: str, at: int) -> bool:
    r"""Whether a statement whose ``\begin{…}`` ends at `at` has a number: a float has one if it has a caption."""
    if declared is None or not declared.is_float:
        return True
    end = text.find(f"\\end{{{declared.name}}}", at, at + REACH)
    # Where it ends elsewhere, as in the code of a macro, it is taken to have one.
    return end < 0 or text.find("\\caption", at, end) >= 0


class Opening(NamedTuple):
    """What stands between the ``\\begin{…}`` of a statement and its text, and where the text begins."""

    title: str
    label: str
    end: int
    restate: str = ""
    """The command that prints the statement again."""
    number: str = ""
    """The number, if the author gives it."""
    continues: bool = False
    """Whether it goes on with an earlier statement, and has its number."""
    sources: tuple[str, ...] = ()
    """The citations of other works in the title."""


def read_opening(text: str, at: int, declared: Declaration | None, *, starred: bool, restatable: bool) -> Opening:
    """Read the arguments of a statement's environment, whose ``\\begin{…}`` ends at `at`.

    Args:
        text: The text of the file.
        at: The end of ``\\begin{…}``.
        declared: How the environment was declared, if it was.
        starred: Whether the starred form is used; that of a box takes no label.
        restatable: Whether this is ``\\begin{restatable}``, which has the environment and a command as arguments.
    """
    at = skip_overlay(text, at)
    option = read_option(text, at)
    title, end, label = (option.text, option.end, "") if option else ("", at, "")
    if declared is not None and declared.prefix is not None:
        # A box takes its title and its label as arguments.
        groups = read_groups(text, end, 1 if starred else 2)
        label = key_values(title).get("label", "")
        if len(groups) == 2 and groups[1].text.strip():
            label = f"{declared.prefix}{groups[1].text.strip()}"
        return _opening(groups[0].text, label, groups[-1].end) if groups else Opening("", label, end)
    if declared is not None and declared.is_float:
        return Opening("", "", end)
    keys = key_values(title) if "=" in title else {}
    restate, continues = first_key(keys, "restate", "store"), "continues" in keys
    title, label = title_and_label(title)
    if declared is not None and declared.same_as and (config := read_option(text, end)):
        end = config.end
    if restatable and (groups := read_groups(text, end, 2)):
        end = groups[-1].end
    return _opening(title, label, end, restate)._replace(continues=continues)


def _opening(title: str, label: str, end: int, restate: str = "", number: str = "") -> Opening:
    """An opening whose title is plain text; the works that it cites are listed apart."""
    group = read_group(title, 0)
    title = group.text if group and not title[group.end :].strip() else title
    plain = plain_title(without_switches(without_citations(title)))
    return Opening(plain, label, end, restate, number, sources=titled_sources(title))


def title_and_label(option: str) -> tuple[str, str]:
    """The title and the label of a statement's option, which holds a title, or keys, or both."""
    keys = key_values(option) if "=" in option else {}
    if _KEYS.isdisjoint(keys):
        return option, ""
    title = first_key(keys, "name", "title", "note") or next((key for key, value in keys.items() if not value), "")
    # thmtools: [Short] comes before the title that is printed, or stands alone.
    short = read_option(title, 0)
    if short is not None:
        title = title[short.end :].strip() or short.text
    return title, keys.get("label", "")


def read_own_opening(macro: Macro, text: str, at: int, macros: Mapping[str, Macro]) -> Opening | None:
    """Read the arguments of a statement's environment that the project defines by itself, if they are there.

    Args:
        macro: The environment.
        text: The text of the file.
        at: The end of ``\\begin{…}``.
        macros: The commands of the project, which the code of the environment may use.
    """
    read = read_arguments(macro, text, skip_overlay(text, at))
    if read is None:
        return None
    arguments, end = read
    code = expand_all(fill(macro, arguments)[0], macros)
    found = _LABEL.search(code)
    label = found[1].strip() if found else key_values(code).get("label", "")
    given = [argument.text.strip() for argument in arguments if argument.start >= 0]
    titles = [title_and_label(one) for one in given if one not in ("", label, "TRUE", "FALSE")]
    label = label or next((key for _, key in titles if key), "")
    names = [title for title, _ in titles if title]
    number = next((one for one in names if _NUMBER.fullmatch(one)), "")
    return _opening(next((one for one in names if one != number), ""), label, end, number=number)


def skip_overlay(text: str, at: int) -> int:
    """The end of an overlay of beamer, such as ``<2->``, if one starts here."""
    overlay = _OVERLAY.match(text, at)
    return overlay.end() if overlay else at


LONGEST_HEADING = 300
_LINE_REACH = 80
"""Characters before a font in its line that may be space."""

# Headings within a line.

_SPACE = (
    r"\s|%[^\n]*+\n|~|\{\}|\\(?:noindent|indent|par|(?:small|med|big)(?:skip|break)|newline|q?quad|hfill|leavevmode"
    r"|ignorespaces|\\|[,;:! ])(?![a-zA-Z])|\\(?:vspace|hspace|vskip)\*?+(?:\{[^{}]*+\}|\s*+-?+[\d.]++\s*+[a-z]{2})"
)
"""Space, and the commands for it."""
_COLOUR = r"\s*+\{[^{}]*+\}"
_SWITCH = (
    rf"\\(?:(?:{SWITCHES}|rm|upshape|normalfont|heiti|kaishu|songti|gt|gtfamily|sffamily|large|Large|LARGE)(?![a-zA-Z])"
    rf"|color{_COLOUR})"
)
_SKIPPED = re.compile(rf"(?:{_SPACE}|{_SWITCH})*+")
_BEFORE = re.compile(rf"(?:{_SPACE}|\\(?:normalfont|upshape|rm)(?![a-zA-Z])|\\label{_COLOUR})*+")
_FONT = re.compile(
    rf"\\(?:{FONTS}|uline|text(?:sf|gt|rm|up|normal)|textcolor{_COLOUR}|{PROCLAIMING}|(?P<section>(?:sub){{0,2}}section|(?:sub)?paragraph)"
    rf"\*?+)(?=\s*+\{{)|(?=\{{(?:{_SPACE})*+{_SWITCH})"
)
_STRONG = re.compile(rf"\\(?:{PROCLAIMING}|text(?:bf|sc|sf|gt)|bf|sc|gt|heiti|underline|(?:sub)*(?:section|paragraph))")
"""A font that is hardly used for words of a sentence."""
_DECORATED = re.compile(
    rf"(?:\\(?:underline|uline|emph|textcolor{_COLOUR}|text(?:[a-z]{{2}}|normal))\s*+\{{|\{{\s*+{_SWITCH})([^{{}}]*+)\}}"
)
_DECORATION = re.compile(rf"(?<!\{{){_SWITCH}|\\[;:,! ]")
_NESTED = 3
_FULL_WIDTH = str.maketrans("：（）．【】", ":(). \u00a0")
_REST = re.compile(
    r"(?:\s*+(?P<number>\d++(?:\.\d++)*+)(?=\s*+[.:(]))?+"
    r"(?:\s*+\(?+(?:[Pp]roof\s++)?+(?P<of>(?:of\s++|(?=[^\x00-\x7f]))(?:[^\W\d_a-z][^\W\d_]*+[~\s]++)?+"
    r"(?:\\[a-zA-Z]*+(?<=[rR]ef)\s*+\{[^{}]*+\}|\d++(?:\.\d++)*+))(?:\)|(?=\s*+[.:])))?+"
    r"(?:\s*+[(\[](?P<name>(?=[^()\[\]\n]{0,200}?[^\W\d_]{4})[^()\[\]\n]{1,200}+)[)\]])?+(?P<stop>\s*+[.:：]++)?+"
)
"""What belongs to a heading behind its font: ``\\textbf{Satz} 4.``, ``{\\bf Proof} of Theorem 3.``, a name."""


class Heading(NamedTuple):
    """A heading within a line."""

    source: str
    """Its LaTeX, without the font."""
    plain: str
    begin: int
    font_end: int
    """Where its font ends; a number, a name and a stop may stand behind."""
    end: int
    """Where the text after it begins."""
    number: str = ""
    name: str = ""
    has_stop: bool = False
    is_strong: bool = False
    command: str = ""
    """The command of a section or paragraph whose title it is."""


_LINE_WORD = re.compile(r"(?:\d++(?:\.\d++)*+\.?+[ ~]++)?+[^\W\d_a-z][^\W\d_]*+(?:-во)?+")
_NEW_PARAGRAPH = re.compile(
    r"(?:\A|\n[ \t]*+|\\(?:maketitle|par|newpage|(?:small|med|big)skip|\\)[ \t]*+"
    r"|\\(?:begin|end|label|title|chapter|(?:sub){0,2}section)\*?+\{[^{}]*+\}[ \t]*+)\n\s*+\Z"
)
"""What stands before a line with which something new begins."""


def read_heading(text: str, at: int, *, bare: bool = False) -> Heading | None:
    r"""The heading that begins here, after space: ``{\bf Proof.}``, ``\textbf{Theorem 3} (Rolle).``.

    Args:
        text: The text of the file.
        at: Where the line begins.
        bare: Whether a paragraph may begin with a heading without a font: ``Theorem 3. Let``.
    """
    space = _BEFORE.match(text, at, at + LONGEST_HEADING)
    font = _FONT.match(text, space.end()) if space else None
    if space and not font and bare:
        return _read_plain(text, at, space.end())
    group = read_group(text, font.end()) if font else None
    if font is None or group is None or len(group.text) > LONGEST_HEADING:
        return None
    plain = plain_heading(group.text)
    has_stop = plain.endswith((".", ":"))
    rest = None if has_stop else _REST.match(text, group.end)
    number, of, name, stop = rest.group("number", "of", "name", "stop") if rest else ("", "", "", "")
    return Heading(
        f"{group.text} {of}" if of else group.text,
        plain,
        font.start(),
        group.end,
        skip_space(text, rest.end() if rest else group.end),
        number or "",
        name or "",
        has_stop or bool(stop),
        _STRONG.search(text, font.start(), group.end) is not None,
        font["section"] or "",
    )


def headings_in(code: str) -> Iterator[Heading]:
    """The headings in the code of an environment, each where a font begins."""
    return filter(None, (read_heading(code, font.start()) for font in _FONT.finditer(code)))


def _read_plain(text: str, at: int, begin: int) -> Heading | None:
    """A heading without a font: a word, what may follow it, and a stop, where a paragraph begins."""
    word = _LINE_WORD.match(text, begin)
    rest = _REST.match(text, word.end()) if word else None
    if word is None or rest is None or not rest["stop"] or not text[rest.end() : rest.end() + 1].isspace():
        return None
    if at and not _NEW_PARAGRAPH.search(text, max(0, at - LONGEST_HEADING), at):
        return None
    number, of, name = (rest[part] or "" for part in ("number", "of", "name"))
    source = f"{word.group()} {of}" if of else word.group()
    return Heading(source, word.group(), begin, word.end(), skip_space(text, rest.end()), number, name, True)


def skip_space(text: str, at: int) -> int:
    """Where the text behind a heading begins, which ends at an offset."""
    space = _SKIPPED.match(text, at)
    return space.end() if space else at


def heading_of_line(text: str, token: Token) -> Heading | None:
    """The heading that begins the line of a token and has this token in its font, or as its first word."""
    found = read_heading(text, _start_of_line(text, token.start), bare=True)
    return found if found and found.begin < token.end and token.start < found.font_end else None


def begins_line(text: str, at: int) -> bool:
    """Whether nothing but space stands before an offset in its line."""
    start = _start_of_line(text, at)
    space = _BEFORE.match(text, start, at)
    return space is not None and space.end() == at


def _start_of_line(text: str, offset: int) -> int:
    """Where the line of an offset starts, or the end of an environment ends in it."""
    start = max(0, offset - _LINE_REACH)
    start = max(start, text.rfind("\n", start, offset) + 1)
    ended = text.rfind("\\end{", start, offset)
    return text.find("}", ended) + 1 if ended >= 0 else start


def leading_target(text: str, at: int) -> str:
    r"""What a proof proves by the words that it begins with: ``\begin{proof} (of Lemma~\ref{a})``."""
    heading = read_heading(text, at)
    if heading is not None and (is_proof_heading(heading.plain) or heading.plain.startswith("of ")):
        return heading.source
    rest = _REST.match(text, at)
    return (rest["of"] or "") if rest else ""


def plain_heading(source: str) -> str:
    """The plain text of a heading: without fonts and colours, and with the punctuation of other scripts as ASCII."""
    source = _DECORATION.sub(" ", source)
    for _ in range(_NESTED):
        source = _DECORATED.sub(r"\1", source)
    return plain_title(source).translate(_FULL_WIDTH).replace(" .", ".").strip()


# Headings of statements.

TITLED: Mapping[str, str] = {
    **dict.fromkeys(("block", "alertblock", "exampleblock"), ""),
    **dict.fromkeys(("tcolorbox", "mdframed"), "title"),
}
"""Environments with a title: an argument, or this key of the option, which mdframed calls ``frametitle``."""
_NUMBER_BEFORE = re.compile(r"(?P<number>\d++(?:\.\d++)*+)[.)]?+\s++(?=[^\W\d])")
"""A number that stands before the word: "1.4 Corollary"."""
_NAMED = re.compile(
    r"\.?+\s*+(?P<number>(?:[A-Z]\.)?\d++(?:\.\d++)*+'*+|[A-Z]{1,4}+'*+(?!\w))?+\s*+"
    r"(?:\((?P<brackets>.++)(?<=\))|[:.,–—-]++\s*+(?P<after>.*+)|(?P<of>(?:of|von|der|des|de|du|di)\s.++))?+"
)
"""What follows the word in a title: nothing, a number, a name. In "Proof assistants" the word is part of another."""
_SHORT = 3
"""Spaces in a heading whose last word may say what it is."""


class StatementHeading(NamedTuple):
    """What the heading of a statement says."""

    sense: Sense
    number: str = ""
    name: str = ""
    end: int = 0
    """Where the text of the statement begins."""
    is_marked: bool = False
    """Whether a number, a name or a stop shows that it is a heading, and not the first word of a sentence."""


def statement_words(plain: str, *, is_title: bool = False) -> StatementHeading | None:
    """What the words of a heading say, by the first one, or a short one by its last: "Rolle's theorem".

    Args:
        plain: The words.
        is_title: Whether they are the title of a block, in which the first word counts alone.
    """
    words = words_of(plain)
    known = by_word(words[0]) if words and plain.startswith(words[0]) else None
    first = (known, len(words[0])) if known else abbreviated(plain)
    if first is not None and first[0].role in ("proof", "ignore"):
        return None
    if first is not None and (rest := _NAMED.fullmatch(plain, first[1])):
        number, name = rest["number"] or "", (rest["brackets"] or "").removesuffix(")") or rest["after"] or ""
        whole = plain if rest["of"] else ""
        return StatementHeading(first[0], number, (name or whole).strip(), is_marked=bool(number or name))
    if is_title or not words:
        return None
    if (number := _NUMBER_BEFORE.match(plain)) and (found := statement_words(plain[number.end() :])):
        return found._replace(number=number["number"], is_marked=True)
    sense = by_word(words[-1]) if plain.count(" ") < _SHORT else None
    return StatementHeading(sense, name=plain) if sense and sense.role not in ("proof", "ignore") else None


def statement_heading(heading: Heading | None) -> StatementHeading | None:
    """What a heading within a line says if it is that of a statement."""
    found = statement_words(heading.plain.rstrip(" .:")) if heading else None
    if heading is None or found is None or not (heading.is_strong or heading.has_stop):
        return None
    number, name = found.number or heading.number, found.name or plain_title(heading.name)
    # A section may be about a theorem.
    is_marked = not heading.command.endswith("section") and bool(number or name or heading.has_stop or heading.command)
    return StatementHeading(found.sense, number, name, heading.end, found.is_marked or is_marked)


def block_title(text: str, at: int, environment: str) -> tuple[str, int]:
    r"""The title of a block or box, whose ``\begin{…}`` ends at `at`, and where its text begins."""
    key = TITLED[environment]
    argument = read_option(text, at) if key else read_group(text, skip_overlay(text, at))
    if argument is None or len(argument.text) > LONGEST_HEADING:
        return "", at
    keys = key_values(argument.text) if key else {}
    return plain_title(keys.get(key) or keys.get(f"frame{key}", "") if key else argument.text), argument.end


# Headings of proofs.

MOST_TARGETS = 10
"""How many statements one proof may prove."""
_FIRST_WORD = re.compile(
    r"\W*+(?:(?:the|la|der)\s++)?+"
    r"(?:(?:omitted|missing|deferred|postponed|delayed|remaining|full|complete|detailed|formal)\s++)?+"
    r"(?:(?:end|completion|conclusion|sketch|idea|outline)\s++of\s++(?:the\s++)?+)?+([^\W\d_]++)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:-во)?+\W*+(?:(?:sketch|idea|outline|skizze|\d)\W*+)?+(?:\([^()]*+\)\W*+)?+", re.IGNORECASE)
"""What stands behind the word in a heading that names nothing: "Proof 2", "Proof sketch", "Proof (by induction)"."""
AGAIN = re.compile(
    r"\b(?:second|third|fourth|another|alternat\w*|other|different|new|zweiter?|anderer?|deuxième|autre|otra|altra|\d)\b",
    re.IGNORECASE,
)
"""Words of the heading of a further proof of the same statement."""
_OF = re.compile(
    r"\W*+(?:\w++\s++){1,2}?(?:of|von|de|du|des|di|del|della|da|do)\s++(?:(?:the|la|le|el)\s++)?+(?P<title>.++)",
    re.DOTALL,
)
_ARTICLES = frozenset("a az van de het av af til den det на".split())
"""What may stand in the heading of a proof "of the theorem" besides the two words, in languages that `_OF` lacks."""
_AROUND = re.compile(r"\b([a-z]{3,}+)\s++(?:of|in|for|from)\s")
"""A noun, and that something belongs to it."""
_PARTS = frozenset(
    "part parts half case direction implication statement bound existence uniqueness sufficiency".split()
)
_NOT_PROVED = re.compile(
    r"\b(?:using|via|from|assuming|given|by|with|mit|aus|mittels|avec|par|usando)\b"
    r"|(?:\b(?:see|cf\.?|siehe|voir)\s[^.;:]{0,20}|(?:\b(?:sections?|sec\.|appendix|chapter|table|figure|fig\.|abschnitt|anhang)"
    r"|§|\\S)(?:[~\s]|\\[ ,])*+)$",
    re.IGNORECASE,
)
"""What follows is used by a proof, or is a place of the text."""
_JOINED = re.compile(r"(?:[\s,~&{}]|\\&|\b(?:and|und|et|y|e|i)\b|[和与及и]|\b[A-Z][^\W\d_]++\b\.?+)*+")
"""What may stand between two statements that a heading names."""
_IMPLIES = ("implies", "imply", "ightarrow", "⇒")
_PROVING = re.compile(
    r"\b(?:prov(?:es?|ing)\b|bewies|d[ei]mostr|d[ée]montr|dow(?:ied|odzi)|дока(?:ж|з(?!ательств)))",
    re.IGNORECASE,
)
"""Verbs; the nouns are in the tables of words."""
_SENTENCE_REACH = 80
_NO_PROOFS = frozenset({"remark", "note", "example", "exercise", "problem", "question"})
"""What is no proof although it may be set as one; a construction or a solution is."""


class NamedLabels(NamedTuple):
    """What a heading names by labels: all that is proved, where the last one ends, and where what is used begins."""

    labels: tuple[str, ...]
    end: int
    used: int | None


def named_labels(heading: str, cited: Iterable[Citation]) -> NamedLabels:
    """The labels of what a heading says is proved.

    Args:
        heading: The source of the heading.
        cited: Its citations, in order.
    """
    labels: list[str] = []
    end, used, has_premise = 0, None, False
    for one in cited:
        if one.repeated:
            end = max(end, one.end) if labels else end
            continue
        before = heading[end : one.start]
        if labels and any(word in before for word in _IMPLIES):
            labels.clear()
            has_premise = True
        elif _NOT_PROVED.search(before) or (not _JOINED.fullmatch(before) if labels else _is_about(before)):
            used = one.start
            break
        end = one.end
        labels.extend(key.key for key in one.keys)
    return NamedLabels(tuple(dict.fromkeys(labels))[:MOST_TARGETS], 0 if has_premise else end, used)


def _is_about(before: str) -> bool:
    """Whether a reference stands in a phrase about a statement: "Proof of the main ingredient of the proofs of"."""
    of = _OF.match(before)
    senses = [by_numbered_word(noun) for noun in _AROUND.findall(of["title"]) if noun not in _PARTS] if of else []
    return any(sense is None or sense.role == "proof" for sense in senses)


def named_title(heading: str) -> str:
    """The title in a heading such as "Proof of the Main Theorem", or the word for a statement in one of two words."""
    plain = plain_title(heading)[:LONGEST_HEADING]
    if match := _OF.match(plain):
        return match["title"].rstrip(" .:")
    words = [word for word in words_of(plain) if word.casefold() not in _ARTICLES]
    senses = [sense for word in words if (sense := by_word(word))]
    if len(words) != 2 or len(senses) != 2 or [one.role for one in senses].count("proof") != 1:
        return ""
    return words[senses[0].role == "proof"]


def is_proof_heading(plain: str) -> bool:
    """Whether a heading begins with a word for "proof"."""
    return _end_of_proof_word(plain) > 0


def is_bare(plain: str) -> bool:
    """Whether a heading of a proof names nothing."""
    end = _end_of_proof_word(plain)
    return end > 0 and not plain.casefold().endswith("proofs", 0, end) and _BARE.fullmatch(plain, end) is not None


def _end_of_proof_word(plain: str) -> int:
    """Where the word for "proof" ends with which a heading begins; 0 if it begins otherwise."""
    first = _FIRST_WORD.match(plain)
    if first is None:
        return 0
    short = abbreviated(plain, first.start(1))
    sense = by_word(first[1]) or (short[0] if short else None)
    return first.end() if sense is not None and sense.role == "proof" and not sense.family else 0


def announces(text: str, offset: int, *, unproved: bool) -> bool:
    """Whether the reference at an offset names what is going to be proved: "we now prove Theorem 1".

    Args:
        text: The text of the file.
        offset: Where the reference begins.
        unproved: Whether the statement before it has no proof yet. Then "the proof of Lemma 1 is similar" does not
            announce a proof of Lemma 1.
    """
    before = text[max(0, offset - _SENTENCE_REACH) : offset].rsplit("\n\n", 1)[-1]
    sentence = before.rpartition(".")[2]
    if _PROVING.search(sentence) is not None:
        return True
    senses = () if unproved else map(by_word, words_of(sentence))
    return any(sense is not None and sense.role == "proof" for sense in senses)


def is_headed_otherwise(heading: str) -> bool:
    r"""Whether the environment of proofs is used for something else: ``\begin{proof}[Comments.]``."""
    known = [sense for word in words_of(heading) if (sense := by_word(word))]
    return any(one.family in _NO_PROOFS for one in known) and all(one.role != "proof" for one in known)
