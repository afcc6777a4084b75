"""The table of notation of a corpus: each symbol with the definition that introduces it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from naturalproofs.records import Statement, StatementId
from naturalproofs.sources.latex import read_group, read_option
from naturalproofs.sources.reading.kinds import by_word, words_of
from naturalproofs.workspace.render import close_groups

# Notation that a text introduces: "denoted by $[G:H]$", "we write $X$ for …", ``\nomenclature{$X$}{…}``.


_FORMULA = re.compile(r"\$((?:[^$\\]|\\.){1,160})\$|\\\(((?:[^\\]|\\[^)]){1,160})\\\)", re.DOTALL)
_NOT_INLINE = re.compile(r"\$\$(?:[^$\\]|\\.)*\$\$", re.DOTALL)
_BEFORE = re.compile(
    r"(?:\bdenoted(?:\s+(?:simply|also|usually|as|by|it))*"
    r"|\b[Dd]enote[ds]?\s+(?:it|them|this(?:\s+\w+)?|that(?:\s+\w+)?|the[^.$]{3,60})\s+(?:simply\s+)?by"
    r"|\b[Tt]he\s+notations?|\bwritten(?:\s+as)?"
    r"|\bnotée?s?|\b[Oo]n\s+(?:la\s+|le\s+|les\s+)?(?:note|désigne\s+par)|\bnote(?:ra|rons)(?:\s+par)?"
    r"|\b(?:bezeichne[nt]|schreib(?:en|t))(?:\s+(?:wir|man|sie|es|auch|dann|mit|als|kurz))*"
    r"|[Оо]бознача\w+(?:\s+(?:через|как))?|[记記](?:为|為|作|之为)?|表(?:为|示为|作)"
    r"|\b(?:denotat|indicat)[oai]\s+con"
    r"|\b(?:[Nn]otations?|[Bb]ezeichnung(?:en)?|[Ss]chreibweisen?|[Nn]otazion[ei]|[Nn]otación|[Nn]otaciones|[Nn]otação"
    r"|[Nn]otatie|[Oo]znaczeni[ea]|[Оо]бозначени[ея]|[Пп]означення|记号|記號|記号)[\s~]*[:：])[\s~:}]*$"
)
"""What stands before notation, whatever follows."""
_WRITE = re.compile(
    r"\b(?:[Ww]rite|[Ww]rites|[Dd]enote\s+by|[Dd]enotes\s+by|[Dd]enote|[Ll]et\s+us\s+write|[Ww]e\s+use)[\s~]+$"
)
"""What stands before notation, if one of the words below follows."""
_MEANING = re.compile(
    r"[\s~,]*(?:for|to\s+(?:denote|mean|indicate|stand|represent)|if|when|whenever|as\s+(?:a\s+)?short|the|its|their"
    r"|instead\s+of|für|pour|wenn)\b"
)
_DENOTES = re.compile(
    r"[\s~]*(?:denotes?|stands?\s+for|will\s+denote|désigne|bezeichnet|обозначает)\b(?!\s+(?:by|mit|par))"
)
_NOMENCLATURE = re.compile(r"\\(nomenclature|nomen|glossary|nindex|newnotation|notationindex|symbolindex)(?![a-zA-Z@])")
_INDEX = re.compile(r"\\index\s*\{[^{}@!|$]*@\{?\$((?:[^$\\{}]|\\.|\{[^{}$]*\})+)\$\}?\}")
_ROUND = re.compile(r"\s*\([^()]*\)")
_SENTENCE = re.compile(
    r"(?<![A-Z])(?<!e\.g)(?<!i\.e)(?<!cf)[.!?][)”'}]*(?=\s|$)|\n[ \t]*\n"
    r"|\\(?:begin|end)\s*\{(?!(?:equation|align|gather|displaymath|multline|array|cases|tikzcd|split|[a-zA-Z]?matrix))"
    r"[^{}\n]*\}(?:\[[^][\n]*\])?|\\item(?![a-zA-Z])(?:\[[^][\n]*\])?|。"
)
_SIMPLE = re.compile(
    r"(?:\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi"
    r"|varphi|chi|psi|omega|ell)|[a-zA-Z0-9])"
    r"\s*(?:'+|_\s*(?:[a-zA-Z0-9]|\{[\w,\s+-]*\})|\^\s*(?:[a-zA-Z]|\{[a-zA-Z]\}))*"
)
"""A letter with indices."""
_RELATION = (
    r"(?<![:=<>\\])=(?!=)|[,;]|(?<!:):(?![:=])"
    r"|\\(?:in|to|colon|subset(?:eq)?|rightarrow|mapsto|ldots|dots|cdots)(?![a-zA-Z])"
)
_ORDER = re.compile(r"\\(?:le|leq|leqslant|ge|geq|lt|gt)(?![a-zA-Z])|[<>]")
_BRACKET_OR_RELATION = re.compile(rf"[([{{]|\\[{{}}]|[)\]}}]|{_RELATION}")
_DEFINED = re.compile(
    r":=|\\coloneqq?|\\defeq|\\eqdef|\\colonequals|\\triangleq|\\stackrel|\\overset|\\mathrel\{\\mathop"
)
_LONGEST = 60
_REACH = 80


class Introduced(NamedTuple):
    """Notation, and the words that introduce it."""

    symbol: str
    """The formula, without dollar signs."""
    meaning: str
    """LaTeX: the description that the author gives, or the sentence."""
    start: int
    is_listed: bool = False
    """Whether the author lists it by a command."""


def find_notation(text: str, *, in_definition: bool) -> Iterator[Introduced]:
    """The notation that a text introduces, in order.

    Args:
        text: The LaTeX of a statement.
        in_definition: Whether words such as "denoted by" count; in other statements they mostly name something local.
    """
    for match in _NOMENCLATURE.finditer(text):
        if found := _listed(text, match):
            yield found
    if not in_definition:
        return
    blocks = [match.span() for match in _NOT_INLINE.finditer(text)]
    formulas = [
        match for match in _FORMULA.finditer(text) if not any(start <= match.start() < end for start, end in blocks)
    ]
    ends = _sentence_ends(text, formulas)
    for match in _INDEX.finditer(text):
        symbol = " ".join(match[1].split())
        if not _SIMPLE.fullmatch(symbol):
            yield Introduced(symbol, _sentence(text, match.start(), ends), match.start())
    for match in formulas:
        source = " ".join((match[1] or match[2]).split())
        symbol = _DEFINED.split(source)[0].strip() if _DEFINED.search(source) else source
        if _is_introduced(text, match) and _is_notation(symbol):
            yield Introduced(symbol, _sentence(text, match.start(), ends), match.start())


def _listed(text: str, match: re.Match[str]) -> Introduced | None:
    """What a command of a package for lists of symbols says."""
    at = match.end()
    if rounded := _ROUND.match(text, at):
        at = rounded.end()
    option = read_option(text, at)
    at = option.end if option else at
    if match[1] == "nindex":
        key = read_group(text, at)
        at = key.end if key else at
    symbol = read_group(text, at)
    meaning = read_group(text, symbol.end) if symbol else None
    if symbol is None or meaning is None:
        return None
    formula = _FORMULA.fullmatch(symbol.text.strip())
    shown = (formula[1] or formula[2]) if formula else ""
    shown = " ".join(shown.replace("\\protect", "").split())
    return Introduced(shown, " ".join(meaning.text.split()), match.start(), True) if shown else None


def _is_introduced(text: str, formula: re.Match[str]) -> bool:
    before = text[max(0, formula.start() - _REACH) : formula.start()]
    if _BEFORE.search(before):
        return True
    if _WRITE.search(before) and _MEANING.match(text, formula.end(), formula.end() + _REACH):
        return True
    return bool(_DENOTES.match(text, formula.end(), formula.end() + _REACH))


def _is_notation(symbol: str) -> bool:
    """Whether a formula is notation: no single letter with an index, no equation, no list."""
    if not symbol or len(symbol) > _LONGEST or _SIMPLE.fullmatch(symbol) or "\\begin" in symbol:
        return False
    if len(_ORDER.findall(symbol)) > 1:
        return False  # The range of an index.
    inside = 0
    for found in _BRACKET_OR_RELATION.finditer(symbol):
        if found.group() in ("(", "[", "{", "\\{"):
            inside += 1
        elif found.group() in (")", "]", "}", "\\}"):
            inside -= 1
        elif inside <= 0:
            return False
    return True


def _sentence_ends(text: str, formulas: list[re.Match[str]]) -> list[tuple[int, int]]:
    """Where sentences end, and where the next ones begin."""
    starts = [match.start() for match in formulas]
    ends = [(0, 0)]
    for match in _SENTENCE.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        if at < 0 or match.start() >= formulas[at].end():
            is_stop = match.group()[0] in ".!?。"
            ends.append((match.end() if is_stop else match.start(), match.end()))
    return [*ends, (len(text), len(text))]


def _sentence(text: str, at: int, ends: list[tuple[int, int]]) -> str:
    number = bisect_right(ends, (at, len(text)))
    end, _ = ends[min(number, len(ends) - 1)]
    return " ".join(text[ends[number - 1][1] : end].split())


_NO_MEANING = re.compile(r"\\(?:protect|left|right|[bB]ig[lr]?|displaystyle|[,;:! ])(?![a-zA-Z])|\s+|[{}]")
"""What does not tell one symbol from another."""


@dataclass(frozen=True, slots=True)
class Notation:
    """A symbol, and the statement that introduces it."""

    symbol: str
    """LaTeX, without dollar signs."""
    meaning: str
    """LaTeX: the author's description, or the sentence that introduces it."""
    statement: StatementId


def notation_table(statements: Iterable[Statement]) -> tuple[Notation, ...]:
    """The notation of statements, in their order; a symbol counts where it is introduced first.

    An entry of the author's own list of symbols takes the place of a sentence.
    """
    found: dict[str, Notation] = {}
    listed: set[str] = set()
    for statement in statements:
        for one in find_notation(statement.text, in_definition=_introduces(statement)):
            key = _NO_MEANING.sub("", one.symbol)
            if key not in found or (one.is_listed and key not in listed):
                found[key] = Notation(one.symbol, close_groups(one.meaning), statement.id)
            if one.is_listed:
                listed.add(key)
    return tuple(found.values())


def _introduces(statement: Statement) -> bool:
    """Whether a statement is a definition, or says of itself that it is about notation."""
    words = words_of(statement.form)
    sense = by_word(words[-1]) if words else None
    return statement.kind == "definition" or (sense is not None and sense.family == "notation")
