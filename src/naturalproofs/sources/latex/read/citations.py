r"""Labels and citations of a text: by commands (``\label{a}``, ``\cref{a,b}``) and by number ("Lemmas 2.1 and 2.3").

Commands are found by the scanner, so those in comments, verbatim text and ``\iffalse`` are not reported.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from naturalproofs.records import USES
from naturalproofs.sources.latex.macros.entries import BIBLIOGRAPHY_COMMANDS, DECLARING, METADATA
from naturalproofs.sources.latex.macros.expansion import NO_MACROS, discarded, discards, expand, expand_all
from naturalproofs.sources.latex.macros.macro import (
    DEFINING,
    DEFINITIONS,
    Macro,
    Macros,
    has_internals,
    read_definition,
    without_internals,
)
from naturalproofs.sources.latex.scan.arguments import COMMENT, GERMAN, GERMAN_IN_WORD, plain_letters, read_group
from naturalproofs.sources.latex.scan.conditionals import Facts, find_conditionals
from naturalproofs.sources.latex.scan.scanner import (
    CITING,
    INPUTS,
    KEY_PATTERNS,
    LABELS,
    REFERENCES,
    USUAL_REFERENCES,
    Token,
    TokenKind,
    Vocabulary,
    either,
    scan,
)
from naturalproofs.sources.reading.builders import RANGE, Printed
from naturalproofs.sources.reading.kinds import Sense, by_abbreviation, by_word, words_of
from naturalproofs.sources.reading.resolve_labels import RANGES
from naturalproofs.sources.reading.settings import KeyStyle
from naturalproofs.sources.reading.text_files import Positions

PAGE_REFERENCES: Mapping[str, KeyStyle] = {"pageref": "one", "cpageref": "list", "Cpageref": "list"}
"""Commands that print a page number: they name a label but do not cite a statement."""

_KEY = re.compile(r"(?:[^,%]|%[^\n]*+\n)++")
_WHOLE_KEY = re.compile(r"(?:[^%]|%[^\n]*+\n)++")
COMMAND_NAME = re.compile(r"\\([a-zA-Z]++)")
_PART = re.compile(r"[^\s{}\[\],\\%](?:[^{}\[\],\\%\n]*[^\s{}\[\],\\%])?")
"""What may be a key among the arguments of a call."""
_OTHER_KEY = "-other"
_LONGEST_CALL = 2_000
_REF_COMMAND = re.compile(r"\\([a-zA-Z]*[rR]ef)(?![a-zA-Z@])")


class Key(NamedTuple):
    """One key, and the span of the text that holds it."""

    key: str
    start: int
    end: int
    before: str = ""
    """What a macro puts before the part of the key that is written."""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A command with its keys; the span covers the command up to the end of its keys."""

    command: str
    keys: tuple[Key, ...]
    start: int
    end: int
    repeated: bool = False
    r"""Inside the text of a ``\hyperref`` with the same key: the reader counts the two as one citation."""
    certain: bool = True
    """False in a macro with a conditional that cannot be decided: the other branch may be the one that counts."""

    @property
    def is_label(self) -> bool:
        r"""Whether this is a ``\label`` or a variant of it."""
        return self.command in LABELS


def find_citations(text: str, references: Mapping[str, KeyStyle] = CITING, *, guess: bool = False) -> list[Citation]:
    r"""The citations of a text, in order.

    Args:
        text: LaTeX source; it may be a fragment.
        references: The citing commands and where each keeps its keys.
        guess: Also take unlisted commands whose name ends in ``ref``, such as ``\lemref``, with a list of keys.
    """
    return [one for one in _find(text, references, guess=guess, labels=False) if not one.is_label]


def find_labels(text: str) -> list[Key]:
    r"""The keys of all ``\label`` commands of a text, in order."""
    return [key for one in _find(text, {}) for key in one.keys]


def find_keys(
    text: str,
    references: Mapping[str, KeyStyle] = CITING,
    *,
    guess: bool = False,
    macros: Macros = NO_MACROS,
    unread: Sequence[Macro] = (),
) -> list[Citation]:
    """The labels and the citations of a text, in order.

    Args:
        text: As for `find_citations`.
        references: As for `find_citations`.
        guess: As for `find_citations`.
        macros: The author's macros that label or cite, as `keyed_macros` gives them.
        unread: The author's macros that leave arguments out.
    """
    found = _find(text, references, guess=guess, macros=macros)
    spans = discarded(text, unread) if found else []
    return [one for one in found if not any(start <= one.start < end for start, end in spans)] if spans else found


_KEYED: Mapping[str, KeyStyle] = {**CITING, **PAGE_REFERENCES, USES: "list", "proves": "one"}
NO_REFERENCES: Mapping[str, KeyStyle] = {}


@dataclass(frozen=True)
class KeySyntax:
    """The commands by which a LaTeX project defines and cites labels."""

    references: tuple[tuple[str, KeyStyle], ...] = tuple(_KEYED.items())
    macros: tuple[Macro, ...] = ()
    """The author's macros that label or cite."""
    unread: tuple[Macro, ...] = ()
    """Those that leave arguments out: what stands there is not cited."""

    @classmethod
    def of(cls, macros: Macros, references: Mapping[str, KeyStyle] = NO_REFERENCES) -> KeySyntax:
        """The syntax of a project with these macros and further commands that cite, as its settings give them."""
        known = {**_KEYED, **references}
        if USES in macros and not macros[USES].parameters:
            del known[USES]
        return cls(
            tuple(known.items()), tuple(keyed_macros(macros, known).values()), tuple(filter(discards, macros.values()))
        )

    def find(self, text: str) -> list[Citation]:
        r"""All labels and citations of a text, in order; those by unknown commands such as ``\xyzref`` included."""
        return find_keys(text, dict(self.references), guess=True, macros=self._macros, unread=self.unread)

    def knows(self, command: str) -> bool:
        """Whether a command is known to label or to cite."""
        return command == "label" or command in dict(self.references) or command in self._macros

    @cached_property
    def _macros(self) -> dict[str, Macro]:
        return {macro.name: macro for macro in self.macros}


def keyed_macros(macros: Macros, references: Mapping[str, KeyStyle] = REFERENCES) -> dict[str, Macro]:
    """The macros that label or cite, directly or through other macros."""
    known = {*references, *LABELS}.difference(USUAL_REFERENCES.keys() & macros.keys())
    plain = {name: without_internals(macro, known) for name, macro in macros.items() if name not in known}
    uses = {
        name: set(COMMAND_NAME.findall(macro.body)) for name, macro in plain.items() if not has_internals(macro.body)
    }
    found: dict[str, Macro] = {}
    while more := {name: plain[name] for name, used in uses.items() if name not in found and used & known}:
        found |= more
        known |= more.keys()
    return found


def _find(
    text: str,
    references: Mapping[str, KeyStyle],
    *,
    guess: bool = False,
    labels: bool = True,
    macros: Macros = NO_MACROS,
) -> list[Citation]:
    if guess:
        unlisted = set(_REF_COMMAND.findall(text)).difference(references, macros, ("href",))
        references = {**references, **dict.fromkeys(sorted(unlisted), "list")}
    known = tuple((name, style) for name, style in references.items() if name not in macros)
    vocabulary, commands = _vocabulary(known, labels, tuple(macros))
    if not commands.search(text):
        return []
    found: list[Citation] = []
    linked: Citation | None = None
    linked_end = defined = 0
    for token in scan(text, vocabulary).tokens:
        if token.kind is TokenKind.LABEL:
            found.append(_citation(text, token, "one"))
        elif token.kind is TokenKind.REFERENCE:
            style = references[token.name]
            inside = linked is not None and token.start < linked_end
            citation = _citation(text, token, style, linked if inside else None)
            found.append(citation)
            if style == "bracket" and (group := read_group(text, token.end)):
                linked, linked_end = citation, group.end
        elif token.name in DEFINING or token.name == "let":
            defined = read_definition(text, token.name, token.end).end
        elif token.kind is TokenKind.COMMAND and token.start >= defined:
            found.extend(_called(text, token, references, macros))
    return found


def _called(text: str, token: Token, references: Mapping[str, KeyStyle], macros: Macros) -> Iterator[Citation]:
    """What a call of a macro labels and cites; its keys stand where the call stands."""
    code, end = _expanded(text, token.start, token.name, macros)
    certain = not find_conditionals(code)
    call = text[token.start : end]
    for one in _find(code, references):
        keys = tuple(_placed(key.key, call, token, references, macros) for key in one.keys)
        command = "label" if one.is_label else one.command
        yield Citation(command, keys, token.start, end, one.repeated, certain)


def _expanded(text: str, start: int, name: str, macros: Macros) -> tuple[str, int]:
    """The code that a call of a macro stands for, and the end of the call; no code if it is no call."""
    end = start + 1 + len(name)
    starred = text.startswith("*", end) and f"{name}*" in macros
    macro = macros.get(f"{name}*" if starred else name)
    expansion = (
        expand(macro, text, start, end + starred, Positions(""), Facts(macros=macros), first=False) if macro else None
    )
    if expansion is None or len(expansion.text) > _LONGEST_CALL:
        return "", end
    return expand_all(expansion.text, macros), expansion.end


def _placed(key: str, call: str, token: Token, references: Mapping[str, KeyStyle], macros: Macros) -> Key:
    """A key where it is written in a call, wholly or in part; one that the macro contains has the span of the call."""
    parts = [part for part in _PART.finditer(call, 1 + len(token.name)) if part.group() in key]
    part = max(parts, key=lambda one: len(one.group()), default=None)
    if part is not None:
        written, start = part.group(), token.start + part.start()
        # A macro mostly puts something before the key.
        before = key.removesuffix(written) if key.endswith(written) else key.partition(written)[0]
        after = key[len(before) + len(written) :]
        if written == key or _makes(before, after, call, part, token.name, references, macros):
            return Key(key, start, start + len(written), before, after)
    return Key(key, token.start, token.start + len(call))


def _makes(
    before: str,
    after: str,
    call: str,
    part: re.Match[str],
    name: str,
    references: Mapping[str, KeyStyle],
    macros: Macros,
) -> bool:
    """Whether a key follows a part of the call: with another part, the call must make another key."""
    other = f"{part.group()}{_OTHER_KEY}"
    code, _ = _expanded(f"{call[: part.start()]}{other}{call[part.end() :]}", 0, name, macros)
    return any(key.key == f"{before}{other}{after}" for one in _find(code, references) for key in one.keys)


@lru_cache(maxsize=64)
def _vocabulary(
    references: tuple[tuple[str, KeyStyle], ...], labels: bool, macros: tuple[str, ...]
) -> tuple[Vocabulary, re.Pattern[str]]:
    """What to scan for, and a pattern that tells cheaply whether there is anything to find."""
    calls = {name.rstrip("*") for name in macros}
    defining = DEFINING | {"let"} if calls else frozenset()
    names = sorted({*dict(references), *(LABELS if labels else ()), *calls}) or ["label"]
    commands = re.compile(rf"\\(?:{either(tuple(names))})(?![a-zA-Z@])")
    vocabulary = Vocabulary(
        references=dict(references),
        sections={},
        inputs=frozenset(),
        commands=defining.union(filter(str.isalpha, calls)),
    )
    return vocabulary, commands


def _citation(text: str, token: Token, style: KeyStyle, linked: Citation | None = None) -> Citation:
    """The keys of a token: the scanner's own pattern is matched again, for the spans of its groups."""
    match = KEY_PATTERNS[style].match(text, token.start + 1 + len(token.name))
    if match is None:
        raise AssertionError("a token of this kind matches the pattern of its style")
    one_key = _KEY if style in ("list", "range") else _WHOLE_KEY
    parts = (part for group in range(1, match.re.groups + 1) for part in one_key.finditer(text, *match.span(group)))
    keys = tuple(filter(None, map(_key, parts)))
    repeated = linked is not None and {key.key for key in keys} == {key.key for key in linked.keys}
    return Citation(token.name, keys, token.start, token.end, repeated)


def _key(part: re.Match[str]) -> Key | None:
    """A key without the white space and the comments around it."""
    source = bare = part.group()
    if "%" in source:
        bare = COMMENT.sub(lambda comment: " " * len(comment.group()), source)
        # A comment joins what stands before and after it.
        source = COMMENT.sub("", source)
    stripped = bare.strip()
    if not stripped:
        return None
    start = part.start() + len(bare) - len(bare.lstrip())
    # White space inside a key is one space.
    return Key(" ".join(source.split()), start, start + len(stripped))


# Citations by number: "Theorem 2.1", "Sätze 3.1--3.4".


_UNSPACED = "\u3000-\u9fff\uac00-\ud7a3"
"""Letters that may stand right before and after a number: "定理1.1より"."""
_NUMBER = rf"(?:\d++|[A-Z]|[IVX]{{2,4}})(?:\.(?:\d++|[A-Z](?![A-Za-z])))*+(?!(?![{_UNSPACED}])[\w'’])"
_AFTER_A_WORD = r"(?<=(?:[^\W\d_]|[.~\s\\])[~\s(]"
_DIGITS = re.compile(rf"\d(?:{_AFTER_A_WORD}\d)|(?<=[{_UNSPACED}]\d))")
_DIGITS_OR_LETTERS = re.compile(rf"[\dA-Z](?:{_AFTER_A_WORD}[\dA-Z])|(?<=[{_UNSPACED}]\d))")
"""Where a number after a word begins; this skips most numbers in formulas."""
_WHOLE_NUMBER = re.compile(_NUMBER)
_WORD_BEFORE = re.compile(r"(?<![\\\w])([^\W\d_]{2,})\.?+(?:~|\s|\\[ ,])*\(?$")
_NEXT = re.compile(
    rf"\)?+(?P<separator>\s*+,\s*+(?:(?:and|or|und|oder|et|ou|oraz)\s++)?+|[~\s]++(?:and|or|und|oder|et|ou|y|o|e|i|oraz|и|och|og|ja|és|ve|і|та|și)[~\s]++|\s*+[和与與及、と]\s*+"
    rf"|\s*+(?P<range>-{{1,3}}|–)\s*+|[~\s]++(?:to|through|bis)[~\s]++)\(?+(?P<number>{_NUMBER})"
)
_CITED_BEFORE = re.compile(
    r"(?:\\[a-zA-Z]*cite[a-zA-Z]*\*?\s*(?:\[[^\]]*\]\s*)?(?:\[[^\]]*|\{[^}]*\}[,;:]?\s*(?:\(?see\s+)?)|\[[^][\s]{1,12},\s*)$"
)
_OF_ANOTHER = re.compile(
    r"\)?,?\s*(?:~|\s)*(?:of|in|from|von|aus|de|du|dans|di|da|del|della|z|из)(?:~|\s)+"
    r"(?:\\[a-zA-Z]*cite|\\(?:emph|textit|textsc|textcite)|\[|[A-Z](?!hapter|ection|art\b|ppendix)[a-z]+|loc\.|op\.|ibid)|\)?\s*(?:~|,?\s)\\[a-zA-Z]*cite"
)
_LOOK_BACK = 40
_BEFORE_NUMBER = "~(.\\," + "".join(one for one in map(chr, range(0x3001)) if one.isspace())
_ENDS_ACCENT = frozenset('}"')
"""What stands between a word and its number, and how the source of a word may end besides a letter."""


class Found(NamedTuple):
    """Statements cited by number, and where."""

    offset: int
    cited: tuple[Printed, ...]


class TextReferences:
    """Finds citations by number, for the families of words that the document's statements have."""

    def __init__(self, senses: Mapping[str, Sense], printed: Mapping[str, str], *, letters: bool = True) -> None:
        """Bind the families, the project's own words for them, and whether numbers may begin with letters."""
        self._candidate = _DIGITS_OR_LETTERS if letters else _DIGITS
        self.families = {sense.family for sense in senses.values() if sense.family}
        self.own = {
            name.split()[-1].casefold(): senses[env].family for env, name in printed.items() if name and env in senses
        }

    def find(self, text: str, start: int, end: int) -> Iterator[Found]:
        """All citations by number between two offsets."""
        at = start
        while candidate := self._candidate.search(text, at, end):
            at = candidate.end()
            tail = text[max(start, candidate.start() - _LOOK_BACK) : candidate.start()]
            last = tail.rstrip(_BEFORE_NUMBER)[-1:]
            if not (last.isalpha() or last in _ENDS_ACCENT):
                continue
            plain = _plain(tail)
            word = _WORD_BEFORE.search(plain)
            family = self._family(word[1], is_short="." in word.group()) if word else ""
            number = _WHOLE_NUMBER.match(text, candidate.start(), end) if family else None
            if not word or not number:
                continue
            begin = candidate.start() - _length_of(tail, plain[word.start() :])
            cited, at = self._numbers(text, number, family, many=_is_plural(word[1]))
            if not _is_foreign(text, start, begin, at):
                yield Found(begin, cited)

    def _family(self, word: str, *, is_short: bool = False) -> str:
        folded = word.casefold()
        if folded in self.own:
            return self.own[folded]
        last = words_of(word)[-1]
        # Before a number, a Chinese or Japanese word is the end of what stands there without space.
        sense = by_word(last) if word.endswith(last) else None
        if sense is None and is_short:
            sense = by_abbreviation(word)
        return sense.family if sense and sense.family in self.families else ""

    def _numbers(self, text: str, match: re.Match[str], family: str, *, many: bool) -> tuple[tuple[Printed, ...], int]:
        numbers, at = [match.group()], match.end()
        while more := _NEXT.match(text, at):
            # "By Lemma 2, 3 divides n" cites one lemma; "Lemmas 2 and 3" cites two.
            if not many and ("." not in more["number"] or "," in more["separator"]):
                break
            at = more.end()
            if more["range"] or more["separator"].strip(" ~\n") in ("to", "through", "bis"):
                numbers[-1] += RANGE + more["number"]
            else:
                numbers.append(more["number"])
        return tuple(Printed(family, number) for number in numbers), at


def named_in(text: str, references: TextReferences) -> Printed | None:
    """The first statement that a heading names by number."""
    found = next(references.find(text, 0, len(text)), None)
    return found.cited[0] if found and RANGE not in found.cited[0].number else None


def _plain(source: str) -> str:
    """A text with accents as letters, and the shorthands of German inside of words, such as ``S"atze``."""
    plain = plain_letters(source)
    return GERMAN_IN_WORD.sub(lambda match: GERMAN[match[0]], plain) if '"' in plain else plain


def _length_of(source: str, plain: str) -> int:
    """The length of the end of a source that has this plain text."""
    if source.endswith(plain):
        return len(plain)
    lengths = range(len(plain), len(source) + 1)
    return next((one for one in lengths if _plain(source[len(source) - one :]) == plain), len(source))


def _is_plural(word: str) -> bool:
    return word[-1] in "sSiIыя" or word.casefold().endswith(("ata", "en", "ze", "ae"))


def _is_foreign(text: str, start: int, begin: int, end: int) -> bool:
    """Whether the theorem is of another work: ``\\cite[Theorem 2.1]{…}``, "Theorem 2.1 of Serre"."""
    before = text[max(start, begin - 120) : begin]
    return bool(_CITED_BEFORE.search(before) or _OF_ANOTHER.match(text, end, end + 60))


_KEYED_CALL = re.compile(
    r"\\([a-zA-Z]++)\*?+\s*+((?:\[[^][]*+\]\s*+)?+)\{(?:([^{}]*+)|\{[^{}]*+\})\}((?:\{[^{}]*+\})?+)"
)
"""A command with an option and one or two arguments without braces inside; those of a key may be doubled."""
_CITING_ENDINGS = ("ref", "Ref", "refs", "cite", "cites", "label")
"""Of commands that a project defines for itself: ``\\lemref``."""
_WITH_KEYS = frozenset().union(
    REFERENCES, LABELS, BIBLIOGRAPHY_COMMANDS, METADATA, INPUTS, (USES, "nocite", "getrefnumber", "getpagerefnumber")
)
_WITH_FILES = frozenset({"includegraphics", "includesvg", "url", "href", "import", "subimport", "lstinputlisting"})


def without_keys(text: str, surfaces: Collection[str] = ()) -> str:
    """The text without the keys of citations and labels, and without names of files.

    Args:
        text: In LaTeX.
        surfaces: Commands that cite in this text; a project may define its own.
    """
    if "\\" not in text:
        return text

    def shown(found: re.Match[str]) -> str:
        name, option, first, second = found.groups()
        if name == "hyperref":
            return f"{first or ''}{second}" if option else second
        if name in RANGES:
            return ""
        if name in _WITH_KEYS or name in _WITH_FILES or name in surfaces or name.endswith(_CITING_ENDINGS):
            return second
        return found[0]

    return _KEYED_CALL.sub(shown, text)


_NOT_TYPESET = frozenset({TokenKind.COMMENT, TokenKind.SKIPPED, TokenKind.VERBATIM})
_NOT_NEWLINE = re.compile(r"[^\n]")
_BEGIN_DOCUMENT = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}|\\endinput(?![a-zA-Z@])")
_DECLARATION = re.compile(rf"\\({either(tuple(sorted({*DEFINITIONS, *DECLARING})))})(?![a-zA-Z@])\*?+")
_STRUCTURE = Vocabulary()


def typeset(text: str, unread: Sequence[Macro] = ()) -> str:
    r"""A LaTeX text with blanks in place of what is not typeset.

    That is: comments, verbatim text, branches that are skipped, the preamble, definitions and declarations, what
    follows ``\end{document}``, and the arguments that some macros leave out.

    >>> typeset("a % note\n\\iffalse b \\fi c").split()
    ['a', 'c']

    Args:
        text: The text of a file.
        unread: The macros that leave arguments out.
    """
    tokens = scan(text, _STRUCTURE).tokens
    shown = _blanked(text, [(one.start, one.end) for one in tokens if one.kind in _NOT_TYPESET])
    begin = _BEGIN_DOCUMENT.search(shown)
    start = begin.end() if begin else 0
    end = _END.search(shown, start)
    spans = [(0, start), *discarded(text, unread), *_declared(shown, start)]
    return _blanked(shown, [*spans, (end.start(), len(text))] if end else spans)


def _declared(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Where definitions stand, and the rest of the lines on which something is declared."""
    while match := _DECLARATION.search(text, at):
        at = match.end()
        if match[1] in DEFINITIONS:
            at = max(at, read_definition(text, match[1], match.end()).end)
        else:
            at = max(at, text.find("\n", at))
        yield match.start(), at


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            parts += [text[at : max(start, at)], _NOT_NEWLINE.sub(" ", text[max(start, at) : end])]
            at = end
    return "".join([*parts, text[at:]])
