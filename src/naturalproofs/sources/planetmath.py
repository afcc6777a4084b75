r"""PlanetMath: an encyclopedia in LaTeX, one article a file, as its repositories hold it.

Each file is a document of its own, and says in its preamble what it is: ``\pmtype``, ``\pmtitle``, ``\pmsynonym`` and
so on. Its links are written as ``\hyperref``, which means the same in LaTeX, and a mark is put where the article
begins; the LaTeX reader does the rest. An article is one statement: its text, and the first environment of its own
kind. Other environments are statements of their own. An article of type Proof is a proof of the article that it names.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Literal, TypeAlias, cast

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.files import unsaved
from naturalproofs.io.listing import name_of, path_of
from naturalproofs.progress import Progress, silent
from naturalproofs.records import (
    KINDS,
    NAMES,
    RELATED,
    Anchor,
    Diagnostic,
    Draft,
    InputFile,
    Kind,
    Mention,
    Note,
    Origin,
    Proof,
    Rules,
    Statement,
    TextPart,
)
from naturalproofs.sources.latex import LATEX, choice, citations, plain_title, plain_unicode, read_group, tex_files
from naturalproofs.sources.reading.kinds import by_word
from naturalproofs.sources.reading.project_folder import input_file
from naturalproofs.sources.reading.text_files import decode, read_bytes
from naturalproofs.sources.registry import SourceInfo, source_info
from naturalproofs.tokens import STOP_WORDS, singular

_ABSENT = "proof-without-statement"
_PROOFS = frozenset({"proof", "derivation"})
"""Types of articles that prove another one."""
_MARKS: Mapping[Kind, str] = {"theorem": "pmtheorem", "definition": "pmdefinition", "other": "pmother"}
"""The environments that mark where an article begins, by its kind."""
_OLD_NUMBERS = 30_000
"""What was added to the numbers of articles when they moved; links still have the old ones."""
_HEAD = 1 << 14
_FIELD = re.compile(r"^[ \t]*+\\pm([a-z]++)(?=\s*+\{)", re.MULTILINE)
_BEGIN = re.compile(r"^[^%\n]*?\\begin\s*+\{document\}", re.MULTILINE)
_LINK = re.compile(r"\\(PMlink(?:name|to|id|ID|external|tofile|escape[a-z]*+)|htmladdnormallink)(?![a-zA-Z])")
_ADDRESS = re.compile(
    r"https?://(?:www\.)?+planetmath\.org/(?:encyclopedia/|node/|\?(?:[^=&]*+=[^=&]*+&)*?(?:id|name)=)?+([\w'-]++)(?:\.html)?+/?+"
)
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")
_NOT_A_KEY = re.compile(r"[\[\]{}\\%,\s]")
_WORKS = ("\\begin{thebibliography}", "\\end{thebibliography}")
_PROOF_OF = re.compile(
    r"(?:.{0,60}?\s)??(?:proofs?|proving|derivations?)\s++(?:of|for|to|that)\s++(?P<of>.+)", re.IGNORECASE
)
_PROOF_AFTER = re.compile(r"(.+?)[\s,:(]++proofs?(?:\s++(?:of|that)(?:\s++the)?+)?+\)?+", re.IGNORECASE)
"""A title such as "sines law proof", "de Morgan's laws (proof)"."""
_KIND_OF_PROOF = re.compile(r"[\s,:(]++\w++$")
"""Of "Pascal's rule (bit string proof)" what stands before the proof may be no part of the name."""
_THAT = re.compile(r"\b(?:proof|proving)\s++that(?:\s|$)", re.IGNORECASE)
_STATED = re.compile(r"^.*?\bproof\s++(?:that|of)\s++|,\s*+proof\s++that$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?)\s++", re.IGNORECASE)
_VERBS = frozenset({"is", "are", "has", "have", "implies", "imply"})
_OF = re.compile(r"\b(?:of|in|on|about)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_OTHER_CLAIM = frozenset("extended general generalized generalization special weak strong".split())
"""Before a name, these words make it that of another theorem."""
_POSSESSIVE = re.compile(r"['\u2019]s?\b")
_LONGEST_TITLE = 400
_WORDS = 40
"""Words of a title that are looked at."""
_NUMBER = re.compile(r"\d+$")
_FEWEST = 2
"""Words by which a name is known that is longer."""
_Part: TypeAlias = tuple[Literal["whole", "beginning", "end"], tuple[str, ...]]
_TEXT_OF_PROOF = re.compile(r"\bproo(?:f|ve[ds]?)\b", re.IGNORECASE)


@dataclass(slots=True, eq=False)
class _Article:
    """An article: what its preamble says, and what the LaTeX reader found in it."""

    path: str
    fields: dict[str, list[str]]
    r"""The first arguments of its ``\pm…`` commands; of the record, which has a version first, the number."""
    input: InputFile
    text: str
    """Its LaTeX, with links as LaTeX writes them."""
    id: str = ""
    mark: Statement | None = None
    inner: list[Statement] = field(default_factory=list)
    parts: list[TextPart] = field(default_factory=list)
    parent: _Article | None = None
    proofs: list[Proof] = field(default_factory=list)
    """The proofs that other articles give."""

    def first(self, name: str) -> str:
        return self.fields.get(name, [""])[0].strip()

    @property
    def name(self) -> str:
        return self.first("canonicalname")

    @property
    def titles(self) -> tuple[str, ...]:
        return (self.first("title"), *self.fields.get("synonym", ()))

    @property
    def all_names(self) -> tuple[str, ...]:
        return (*self.titles, *self.fields.get("defines", ()))

    @property
    def form(self) -> str:
        return self.first("type").casefold()

    @property
    def kind(self) -> Kind:
        sense = by_word(self.form)
        return cast(Kind, sense.role) if sense and sense.role != "proof" else "other"


@dataclass(frozen=True)
class PlanetMath:
    """The articles of a folder and of those below it, or one article."""

    info: SourceInfo

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read all articles; a LaTeX file that is none is named in a diagnostic."""
        path = path.resolve()
        root, files = (path, tex_files(path)) if path.is_dir() else (path.parent, [path])
        articles, diagnostics = _find_articles(root, files)
        if not articles:
            raise SourceNotFound(f"{path}: no article of PlanetMath here; each has a \\pmcanonicalname")
        used = Counter[str]()
        for one in articles:
            used[one.name] += 1
            one.id = f"{name}:{one.name}" + (f"~{used[one.name]}" if used[one.name] > 1 else "")
        mains = tuple(one.path for one in articles)
        roles = {environment: kind for kind, environment in _MARKS.items()}
        with unsaved({root / path_of(one.path): one.text.encode() for one in articles}):
            reader = replace(LATEX, mains=mains, environments=roles, up=0)
            draft = reader.read(root, name=name, rules=rules, progress=progress)
        return _Encyclopedia(articles, draft, diagnostics).draft(root)


def count_statements(path: Path) -> dict[str, int]:
    """The statements of each article, with the article itself; nothing if the first LaTeX file is not an article."""
    try:
        first = next(iter(tex_files(path)), None) if path.is_dir() else path
    except SourceNotFound:
        return {}
    if first is None or not _is_article(first):
        return {}
    folder = path if path.is_dir() else path.parent
    found = choice.count_statements(path)
    return {file: count + 1 for file, count in found.items() if _is_article(folder / file)}


def _is_article(file: Path) -> bool:
    return b"\\pmcanonicalname{" in (read_bytes(file) or b"")[:_HEAD]


def _find_articles(root: Path, files: Iterable[Path]) -> tuple[list[_Article], list[Diagnostic]]:
    articles, others = list[_Article](), list[Diagnostic]()
    for file in files:
        path, data = name_of(file.relative_to(root)), read_bytes(file) or b""
        text = decode(data).text or ""
        begin = _BEGIN.search(text)
        fields = _fields(text, begin.start() if begin else len(text))
        if "canonicalname" not in fields:
            others.append(Diagnostic(path, 1, 1, "note", "not-an-article", "no \\pmcanonicalname here; it is not read"))
            continue
        article = _Article(path, fields, input_file(path, data), "")
        mark = _MARKS["other" if article.form in _PROOFS else article.kind]
        at = begin.end() if begin else max((one.end() for one in _FIELD.finditer(text)), default=0)
        body = f"\\begin{{{mark}}}\\end{{{mark}}}{_with_links(text[at:])}"
        article.text = text[:at] + body
        articles.append(article)
    return articles, others


def _fields(text: str, end: int) -> dict[str, list[str]]:
    """What an article says about itself before its text begins."""
    found: dict[str, list[str]] = {}
    for match in _FIELD.finditer(text, 0, end):
        group = read_group(text, match.end())
        if group is not None and match[1] in ("record", "classification"):
            group = read_group(text, group.end)
        if group is not None and group.text.strip():
            found.setdefault(match[1], []).append(" ".join(group.text.split()))
    return found


def _with_links(text: str) -> str:
    """A text in which the links of PlanetMath are written as LaTeX writes them; lines stay where they are."""
    pieces, at = list[str](), 0
    for match in _LINK.finditer(text):
        shown = read_group(text, match.end()) if match.start() >= at else None
        if shown is None:
            continue
        target, end = "", shown.end
        if not match[1].startswith("PMlinkescape") and (group := read_group(text, shown.end)):
            target, end = group.text.strip(), group.end
        written = _link(shown.text, target) if target else ""
        lines = text.count("\n", match.start(), end) - written.count("\n")
        pieces += (text[at : match.start()], written, "\n" * lines)
        at = end
    return "".join([*pieces, text[at:]])


def _link(shown: str, target: str) -> str:
    address = _ADDRESS.fullmatch(target)
    if "://" in target and address is None:
        return f"\\href{{{target}}}{{{shown}}}"
    key = _NOT_A_KEY.sub("", address[1] if address else target.partition("#")[0])
    return f"\\hyperref[{key}]{{{shown}}}" if key else shown


class _Names:
    """Articles by what they are called."""

    def __init__(self, articles: Sequence[_Article]) -> None:
        self._names: dict[str, _Article] = {}
        self._numbers: dict[str, _Article] = {}
        self._titles: defaultdict[str, list[_Article]] = defaultdict(list)
        self._words: defaultdict[_Part, list[tuple[_Article, int]]] = defaultdict(list)
        """The articles that are no proofs by the words of their names, and how many words each name has."""
        for one in articles:
            self._names.setdefault(one.name, one)
            if number := one.first("record"):
                self._numbers[number] = one
        for one in articles:
            self._names.setdefault(_folded(one.name), one)
            for title in {_folded(title) for title in one.titles}:
                self._titles[title].append(one)
        for one in articles:
            for term in {_folded(term) for term in one.fields.get("defines", ())} - self._titles.keys():
                self._titles[term].append(one)
            for words in map(_words, one.all_names) if one.form not in _PROOFS else ():
                for part in _parts(words)[: None if one.kind == "theorem" else 1]:
                    self._words[part].append((one, len(words)))

    def find(self, key: str) -> _Article | None:
        """The article of a name, of a number or, if it is the only one, of a title, a synonym or a term."""
        if key.isdecimal() and len(key) < 9:
            return self._numbers.get(key) or self._numbers.get(str(int(key) + _OLD_NUMBERS))
        return self._names.get(key) or self._names.get(_folded(key)) or self.titled(key)

    def titled(self, title: str) -> _Article | None:
        found = self._titles.get(_folded(title), [])
        return found[0] if len(found) == 1 else None

    def parent(self, proof: _Article) -> _Article | None:
        """The article that a proof names: by its parent, by its title or by its name."""
        title = proof.first("title")
        proved = list(_proved(title))
        named = chain(proof.fields.get("parent", ()), proved, _proved_names(proof.name))
        for article in map(self._statement, named):
            if article is not None and article is not proof:
                return article
        return next(chain.from_iterable(self._near(proof, words) for words in proved if not _claims(title)), None)

    def _statement(self, name: str) -> _Article | None:
        """The article of a name or a title that is no proof; a theorem before others."""
        named = self._names.get(_folded(name))
        found = [*([named] if named else ()), *self._titles.get(_folded(name), ())]
        return min(
            (one for one in found if one.form not in _PROOFS), key=lambda one: one.kind != "theorem", default=None
        )

    def _near(self, proof: _Article, title: str) -> Iterator[_Article]:
        """Articles that a title names in other words, or with others around: "Wilson's theorem using the quotient".

        They are of the same field of mathematics or related to the proof. Where only a part of two names is the same,
        it is the beginning of both or the whole of one, at least half of each, and the class must be the same.
        """
        words, fields = _words(title), _classes(proof, 2)
        yield from self._only(proof, fields, ("whole", words))
        for length in range(len(words) - 1, _FEWEST - 1, -1):
            yield from self._only(proof, fields, ("whole", words[:length]), ("theorem",))
        for of in _OF.finditer(title):
            rest = title[of.end() :]
            named = self._statement(_ARTICLE.sub("", rest.strip(), count=1))
            if named is not None and named.kind != "theorem" and fields & _classes(named, 2):
                yield named
            yield from self._only(proof, fields, ("whole", _words(rest)), ("definition", "other"))
        for side, part in _parts(words)[1:]:
            is_other = side == "end" and not _OTHER_CLAIM.isdisjoint(words[: -len(part)])
            if 2 * len(part) >= len(words) and not is_other:
                longest = len(part) if side == "end" and part != words else 2 * len(part)
                yield from self._only(proof, _classes(proof), (side, part), ("theorem",), longest)

    def _only(
        self, proof: _Article, classes: set[str], name: _Part, kinds: Sequence[Kind] = KINDS, longest: int = _WORDS
    ) -> Iterator[_Article]:
        """The article of these kinds and classes that has this name or part of a name, if it is only one."""
        found = {
            one.path: one
            for one, length in self._words.get(name, ())
            if one.kind in kinds and length <= longest
            if any(own.startswith(tuple(classes)) for own in _classes(one)) or self._are_related(one, proof)
        }
        yield from found.values() if len(found) == 1 else ()

    def _are_related(self, one: _Article, other: _Article) -> bool:
        pairs = ((one, other), (other, one))
        return any(self.find(key) is there for here, there in pairs for key in here.fields.get("related", ()))


def _classes(article: _Article, digits: int | None = None) -> set[str]:
    """The classes of mathematics that an article belongs to; their first two digits are the field."""
    return {one[:digits] for one in article.fields.get("classification", ())}


def _folded(name: str) -> str:
    return _NOT_A_NAME.sub("", name.casefold())


def _words(name: str) -> tuple[str, ...]:
    """The words of a name that matter: in lower case and the singular, without accents."""
    plain = plain_unicode(name, {}) if "\\" in name or "$" in name else name
    letters = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", plain.casefold()))
    words = _WORD.findall("".join(one for one in letters if not unicodedata.combining(one)))
    return tuple(singular(word) for word in words[:_WORDS] if word not in STOP_WORDS)


def _parts(words: tuple[str, ...]) -> list[_Part]:
    """The words of a name, and its beginnings and ends, the longest first."""
    parts: list[_Part] = [("whole", words)]
    for length in range(len(words), _FEWEST - 1, -1):
        parts += [("beginning", words[:length]), ("end", words[-length:])]
    return parts


def _proved(title: str) -> Iterator[str]:
    """What the title of a proof may say that it proves."""
    title = title[:_LONGEST_TITLE]
    if after := _PROOF_AFTER.fullmatch(title):
        title = after[1]
    named = _PROOF_OF.fullmatch(title)
    name = named["of"] if named else title
    for one in dict.fromkeys((name, _KIND_OF_PROOF.sub("", title) if after else name, name.partition(" (")[0])):
        yield _ARTICLE.sub("", one.strip(" ,("), count=1)


def _claims(title: str) -> bool:
    """Whether the title of a proof states what is proved, rather than naming it."""
    title = title[:_LONGEST_TITLE]
    names = _PROOF_OF.fullmatch(title) or _PROOF_AFTER.fullmatch(title)
    return _THAT.search(title) is not None or names is None or not _VERBS.isdisjoint(title.split())


def _proved_names(name: str) -> Iterator[str]:
    """What a name in one word, such as ProofOfModularLaw2, says that it proves."""
    before, _, after = name.partition("ProofOf")
    named = after or before.removesuffix("Proof") or name
    yield from (named, _NUMBER.sub("", named))


@dataclass(slots=True)
class _Text:
    """Text with its citations, while it is put together."""

    pieces: list[str] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def add(self, text: str, mentions: Iterable[Mention]) -> None:
        self.pieces.append(text)
        self.mentions.extend(mentions)

    def lines(self) -> tuple[str, ...]:
        return tuple(filter(None, map(str.strip, "\n".join(self.pieces).split("\n"))))


class _Encyclopedia:
    """Puts together what was read: articles of text, environments and proofs."""

    def __init__(self, articles: Sequence[_Article], draft: Draft, diagnostics: list[Diagnostic]) -> None:
        self.articles, self.read, self.diagnostics = articles, draft, diagnostics
        self.names = _Names(articles)
        self.statements: list[Statement] = []
        self.owners: dict[str, str] = {}
        """The statements that others are part of."""
        self.cited: dict[str, Origin] = {}
        """The articles that are cited, and where first."""
        self._path, self._at, self._line = "", 0, 1
        by_path = {one.path: one for one in articles}
        for statement in draft.statements:
            article = by_path[cast(Origin, statement.origin).path]
            if article.mark is None and statement.form in _MARKS.values():
                article.mark = statement
            else:
                article.inner.append(statement)
        current = articles[0]
        for part in draft.parts:
            if part.kind == "statement":
                current = by_path[cast(Origin, draft.statements[part.number].origin).path]
            current.parts.append(part)

    def draft(self, root: Path) -> Draft:
        """All statements, with anchors under every name by which an article is cited."""
        proofs = [one for one in self.articles if one.form in _PROOFS]
        for article in proofs:
            article.parent = self.names.parent(article)
        self._follow_links()
        for article in proofs:
            if article.parent is not None:
                article.parent.proofs.append(self._whole(article))
                parts = (article, *([article.mark] if article.mark else ()), *article.inner)
                self.owners |= {one.id: article.parent.id for one in parts}
        for article in self.articles:
            if article.parent is None:
                self._add(article)
        absent = sum(one.rule == _ABSENT for one in self.diagnostics)
        attached = sum(one.parent is not None for one in proofs)
        summary = (
            f"reading {len(self.articles):,} articles; {attached:,} prove another one, "
            f"and {absent:,} prove something that has no article here"
        )
        return replace(
            self.read,
            statements=tuple(self.statements),
            anchors=self._anchors(),
            diagnostics=(*self.diagnostics, *self.read.diagnostics),
            inputs=tuple(one.input for one in self.articles),
            root=root,
            summary=summary,
            parts=(),
        )

    def _follow_links(self) -> None:
        """A proof that names nothing belongs to the theorem that says of a link that it leads to the proof."""
        for article in self.articles:
            for one in citations.find_citations(article.text) if article.kind == "theorem" else ():
                shown = read_group(article.text, one.end) if one.command == "hyperref" else None
                target = self.names.find(one.keys[0].key) if shown and _TEXT_OF_PROOF.search(shown.text) else None
                if target is not None and target.form in _PROOFS and target.parent is None:
                    target.parent = article

    def _add(self, article: _Article) -> None:
        """Add an article, and the environments in it that are statements of their own."""
        mark, title = article.mark, plain_title(article.first("title"))
        kind: Kind = "theorem" if article.form == "proof" and _claims(title) else article.kind
        main = next((one for one in article.inner if one.kind == kind and kind != "other"), None)
        proofs = [*(mark.proofs if mark else ()), *(main.proofs if main else ()), *article.proofs]
        if kind == article.kind or main is not None:
            text = self._text(article, [main] if main is not None else [], proofs)
        else:
            # The title says what is proved.
            text, proofs = _Text([_STATED.sub("", title)]), [self._whole(article), *article.proofs]
            self.owners |= {one.id: article.id for one in article.inner}
            article.inner.clear()
        if article.form == "proof" and kind == "other":
            message = f"{title}: what it proves is not among the articles; it is kept as a statement of its own"
            self.diagnostics.append(Diagnostic(article.path, 1, 1, "note", _ABSENT, message))
        self.owners |= {one.id: article.id for one in (mark, main) if one is not None}
        related = (Mention(key, RELATED, 1) for key in article.fields.get("related", ()))
        other_names = dict.fromkeys((*article.fields.get("synonym", ()), *article.fields.get("defines", ())))
        statement = Statement(
            article.id,
            kind,
            article.id.partition(":")[2],
            title,
            text.lines(),
            tuple(chain(text.mentions, related)),
            tuple(replace(one, position=None) for one in proofs),
            tuple(dict.fromkeys(article.fields.get("classification", ()))),
            article.form if kind == article.kind else kind,
            tag=article.first("record"),
            origin=Origin(article.path, 1),
            notes=(*((Note(NAMES, tuple(map(plain_title, other_names))),) if other_names else ()),),
        )
        self.statements.append(statement)
        for one in article.inner:
            if one is not main:
                inner = tuple(replace(proof, position=None) for proof in one.proofs)
                self.statements.append(replace(one, proofs=inner, categories=statement.categories, place=None))

    def _text(self, article: _Article, inside: Sequence[Statement], apart: list[Proof] | None = None) -> _Text:
        """The text of an article with these of the statements in it.

        Proofs of nothing else are put apart; those of an article that is itself a proof are parts of it.
        """
        found = _Text()
        proofs = {proof.origin: proof for one in inside for proof in one.proofs} if apart is None else {}
        for part in article.parts:
            text = f"\\paragraph{{{part.text}}}" if part.kind == "heading" else _without_works(part.text)
            statement = self.read.statements[part.number] if part.kind == "statement" else None
            if statement is not None:
                if any(one is statement for one in inside):
                    found.add(statement.text, statement.mentions)
            elif part.kind == "proof" and part.origin in proofs:
                found.add(proofs[part.origin].text, proofs[part.origin].mentions)
            elif part.kind != "proof" or apart is None:
                found.add(text, self._mentions(article, text))
            elif part.text:
                apart.append(Proof(_Text([part.text]).lines(), tuple(self._mentions(article, part.text)), part.origin))
        return found

    def _whole(self, article: _Article) -> Proof:
        """An article as a proof."""
        text = self._text(article, [one for one in (article.mark, *article.inner) if one is not None])
        return Proof(text.lines(), tuple(text.mentions), Origin(article.path, 1))

    def _mentions(self, article: _Article, text: str) -> Iterator[Mention]:
        """The citations of a piece of an article; pieces come in the order of the text."""
        if article.path != self._path:
            self._path, self._at, self._line = article.path, 0, 1
        stem = Path(article.path).with_suffix("")
        for one in citations.find_citations(text):
            at = article.text.find(text[one.start : one.end], self._at)
            if at >= 0:
                self._line += article.text.count("\n", self._at, at)
                self._at = at
            for key in one.keys:
                labels = (key.key, f"{stem.name}-{key.key}", f"{'-'.join(stem.parts)}-{key.key}")
                own = (label for label in labels if self._stands_in(article, label))
                yield Mention(next(own, key.key), one.command, self._line)

    def _stands_in(self, article: _Article, label: str) -> bool:
        anchor = self.read.anchors.get(label)
        return anchor is not None and anchor.origin.path == article.path

    def _anchors(self) -> dict[str, Anchor]:
        """The labels of all articles, and every name by which an article is cited."""
        ids = {one.id for one in self.statements}
        labels = {
            label: replace(anchor, owner=self.owners.get(anchor.owner or "", anchor.owner))
            for label, anchor in self.read.anchors.items()
        }
        found = {label: one for label, one in labels.items() if one.owner is None or one.owner in ids}
        for statement in self.statements:
            for mention in chain(statement.mentions, *(proof.mentions for proof in statement.proofs)):
                if mention.target not in found:
                    found[mention.target] = self._anchor(mention.target, cast(Origin, statement.origin))
        return found

    def _anchor(self, key: str, origin: Origin) -> Anchor:
        article = self.names.find(key)
        if article is None:
            return Anchor("external", None, origin)
        return Anchor("statement", self.owners.get(article.id, article.id), Origin(article.path, 1))


def _without_works(text: str) -> str:
    """A text without lists of works."""
    begin, end = _WORKS
    before, *rest = text.split(begin)
    return before + "".join(one.partition(end)[2] for one in rest)


PLANETMATH = PlanetMath(source_info("planetmath"))
