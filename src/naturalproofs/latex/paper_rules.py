"""The rules of the paper's parsers, errors included, so that figures can be compared with the paper's.

They split the text at literal strings and ignore comments, nesting and the order of environments. The differences are
listed in ``docs/explanation/differences-from-the-paper.md``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.hashing import sha256_bytes
from naturalproofs.progress import Progress
from naturalproofs.records import Anchor, Draft, InputFile, Kind, Mention, Origin, Place, Proof, Statement

_LABEL = re.compile(r"\\label\{([^}\n]*)\}")
_REFERENCE = re.compile(r"\\ref\{([^}]*)\}")
_TITLE = re.compile(r"\[(.*?)\]", re.DOTALL)
_LINK = re.compile(r"\\href\s*\{[^}]*\}\s*\{([^}]*)\}", re.DOTALL)


@dataclass(frozen=True)
class PaperRules:
    """What differed between the parsers of the three books."""

    kinds: Mapping[str, Kind]
    proof: tuple[str, str] = ("\\begin{proof}", "\\end{proof}")
    not_statements: frozenset[str] = frozenset()
    """A reference is dropped when any word of its label is one of these (Stacks)."""
    prefixes: frozenset[str] = frozenset()
    """A reference is kept only when its label starts with one of these and a colon (textbooks)."""
    titles: bool = False
    """Whether titles are read; otherwise the label serves as title."""
    categories: bool = False
    """Whether the file's stem is the category."""


STACKS_2021 = PaperRules(
    kinds={
        **dict.fromkeys(("theorem", "lemma", "proposition"), "theorem"),
        "definition": "definition",
        **dict.fromkeys(("remark", "remarks"), "other"),
    },
    not_statements=frozenset({"equation", "example", "exercise", "item", "section", "situation", "subsection"}),
    categories=True,
)

TRENCH_2021 = PaperRules(
    kinds={**dict.fromkeys(("theorem", "lemma", "corollary"), "theorem"), "definition": "definition"},
    proof=("\\proof", "\\bbox"),
    prefixes=frozenset({"thmtype"}),
    titles=True,
)

STEIN_2021 = PaperRules(
    kinds={
        **dict.fromkeys(("theorem", "lemma", "corollary", "proposition"), "theorem"),
        "definition": "definition",
    },
    prefixes=frozenset({"thm", "lem", "defn", "def", "cor", "prop"}),
    titles=True,
)


def read_as_paper(files: Sequence[Path], root: Path, rules: PaperRules, corpus: str, progress: Progress) -> Draft:
    """Read files in the given order, kind by kind, as the original did."""
    stems = tuple(file.stem for file in files)
    statements: list[Statement] = []
    inputs: list[InputFile] = []
    for done, file in enumerate(files):
        progress(done, len(files))
        data = _bytes(file)
        path = file.relative_to(root).as_posix() if root.is_dir() else file.name
        inputs.append(InputFile(path, len(data), sha256_bytes(data)))
        statements.extend(_File(path, file.stem, data.decode("utf-8", "replace"), rules, stems, corpus).statements())
    progress(len(files), len(files))
    # As in the published files: theorems first, then definitions, then the others.
    by_kind = [s for kind in ("theorem", "definition", "other") for s in statements if s.kind == kind]
    return _numbered(by_kind, inputs, corpus)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise SourceNotFound(f"{file}: cannot be read ({error.strerror})") from error


@dataclass(frozen=True, slots=True)
class _File:
    """One file, and what its labels depend on."""

    path: str
    stem: str
    text: str
    rules: PaperRules
    stems: tuple[str, ...]
    """Of all files: a label that begins with one is absolute."""
    corpus: str

    def statements(self) -> Iterator[Statement]:
        for form, kind in self.rules.kinds.items():
            pieces = self.text.split(f"\\begin{{{form}}}")
            line = pieces[0].count("\n") + 1
            for piece in pieces[1:]:
                parts = piece.split(f"\\end{{{form}}}")
                if len(parts) == 2:
                    yield self._statement(form, kind, parts[0], parts[1], line)
                line += piece.count("\n")

    def _statement(self, form: str, kind: Kind, body: str, after: str, line: int) -> Statement:
        end = line + body.count("\n")
        title, body = _title(body) if self.rules.titles else ("", body)
        label, lines = _label(body)
        # A statement without a label got the text of Python's None, the same for all of them.
        full = f"{self.stem}-{label}"
        proof = self._proof(after, end) if kind == "theorem" else None
        return Statement(
            id=f"{self.corpus}:{full}",
            kind=kind,
            label=full,
            title=title if self.rules.titles else full,
            lines=lines,
            mentions=self._mentions(body, line),
            proofs=(proof,) if proof else (),
            categories=(self.stem,) if self.rules.categories else (),
            form=form,
            origin=Origin(self.path, line),
        )

    def _proof(self, after: str, line: int) -> Proof | None:
        """The first proof before the next environment of the same kind, whatever it proves."""
        head, tail = self.rules.proof
        pieces = after.split(head)
        if len(pieces) < 2:
            return None
        text = pieces[1].split(tail)[0]
        line += pieces[0].count("\n")
        return Proof(_lines(text.strip()), self._mentions(text, line), Origin(self.path, line))

    def _mentions(self, text: str, line: int) -> tuple[Mention, ...]:
        found, rules = [], self.rules
        for match in _REFERENCE.finditer(text):
            label = match[1]
            if rules.prefixes and label.split(":")[0] not in rules.prefixes:
                continue
            if rules.not_statements.intersection(label.split("-")):
                continue
            absolute = label.startswith(self.stems) and not rules.prefixes
            target = label if absolute else f"{self.stem}-{label}"
            found.append(Mention(target, "ref", line + text.count("\n", 0, match.start())))
        return tuple(found)


def _title(body: str) -> tuple[str, str]:
    """The first bracket group, when the first line has a bracket, and the text after it."""
    first = body.lstrip("\n").split("\n", 1)[0]
    match = _TITLE.search(body) if "[" in first else None
    if match is None:
        return "", body
    title = _LINK.sub(r"\1", match[1]).replace("\n", " ").strip().strip("$").strip()
    return title, body[match.end() :]


def _label(body: str) -> tuple[str | None, tuple[str, ...]]:
    """The first label, and the lines after the one that holds it."""
    match = _LABEL.search(body)
    if match is None:
        return None, _lines(body.strip())
    return match[1], _lines(body[match.end() :].partition("\n")[2])


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.split("\n") if line.strip())


def _numbered(statements: Sequence[Statement], inputs: Sequence[InputFile], corpus: str) -> Draft:
    """Make ids unique, give positions by file and line, and list the labels."""
    used: Counter[str] = Counter()
    anchors: dict[str, Anchor] = {}
    order = {file.path: index for index, file in enumerate(inputs)}
    origins = [s.origin or Origin("", 0) for s in statements]
    ranks = sorted(range(len(statements)), key=lambda i: (order.get(origins[i].path, 0), origins[i].line))
    positions = {index: rank for rank, index in enumerate(ranks)}
    result = []
    for index, statement in enumerate(statements):
        used[statement.id] += 1
        unique = statement.id if used[statement.id] == 1 else f"{statement.id}~{used[statement.id]}"
        anchors.setdefault(statement.label, Anchor("statement", unique, origins[index]))
        stem = Path(origins[index].path).stem
        place = Place(corpus, stem, "", positions[index])
        result.append(replace(statement, id=unique, place=place))
    return Draft(tuple(result), anchors, (), tuple(inputs))
