"""The books of the data set: the Stacks project, Trench and Stein, each with its dialect.

The rules of the paper's parsers are here too, errors included, so that figures can be compared with the paper's. They
split the text at literal strings and ignore comments, nesting and the order of environments. The differences are listed
in ``docs/explanation/differences-from-the-paper.md``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.listing import lies_in, name_of
from naturalproofs.progress import Progress, silent
from naturalproofs.records import Anchor, Draft, InputFile, Kind, Mention, Origin, Place, Proof, Rules, Statement
from naturalproofs.sources.latex import Dialect, read_file
from naturalproofs.sources.reading.builders import Reading
from naturalproofs.sources.reading.project_folder import input_file
from naturalproofs.sources.reading.resolve_labels import resolve_labels
from naturalproofs.sources.reading.settings import Heading
from naturalproofs.sources.reading.text_files import read_text
from naturalproofs.sources.registry import SourceInfo, source_info

_LIST = re.compile(r"^LIJST\s*=((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)
_LABEL = re.compile(r"\\label\{([^}\n]*)\}")
_REFERENCE = re.compile(r"\\ref\{([^}]*)\}")
_TITLE = re.compile(r"[^\[]*+\[([^\]]*+)\]")
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


@dataclass(frozen=True)
class Textbook:
    """A book, with its dialect and the rules the paper read it by."""

    info: SourceInfo
    dialect: Dialect
    paper: PaperRules
    file: str = ""
    """The file that holds it; otherwise each file is a chapter, with labels of its own."""

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read the book's files, from the folder that holds them."""
        file = path / self.file if path.is_dir() else path
        if self.file and not file.is_file():
            raise SourceNotFound(f"{file}: no such file; give the folder that holds {self.file}, or the file itself")
        root, files = (file.parent, [file]) if self.file else (path, chapters(path))
        if rules == "paper":
            files = [file for file in files if "coding.tex" not in file.name]
            return read_as_paper(files, root, self.paper, name, progress)
        reading, inputs = Reading(), list[InputFile]()
        for done, file in enumerate(files):
            progress(done, len(files))
            found = read_file(file, root, self.dialect, reading, "" if self.file else name_of(file.stem))
            if found is not None:
                inputs.append(found)
            elif self.file:
                raise SourceNotFound(str(reading.diagnostics[0]))
        progress(len(files), len(files))
        if self.file:
            return resolve_labels(reading, corpus=name, document=name, inputs=inputs)
        return resolve_labels(
            reading,
            corpus=name,
            document=name,
            inputs=inputs,
            categories=lambda statement: (statement.scope,),
            tags=read_tags(path),
        )


def chapters(root: Path) -> list[Path]:
    """The LaTeX files in reading order: as the Makefile lists them, the others after them by name."""
    if not root.is_dir():
        raise SourceNotFound(f"{root}: not a folder; give the folder of a checkout of the Stacks project")
    files = {file.stem: file for file in sorted(root.glob("*.tex")) if lies_in(file, root)}
    if not files:
        raise SourceNotFound(f"{root}: no .tex files here; give the folder of a checkout of the Stacks project")
    makefile = root / "Makefile"
    match = _LIST.search(read_text(makefile)) if makefile.is_file() and lies_in(makefile, root) else None
    order = match[1].replace("\\\n", " ").split() if match else []
    listed = [stem for stem in order if stem in files]
    return [files[stem] for stem in [*listed, *(stem for stem in files if stem not in set(listed))]]


def read_tags(root: Path) -> dict[str, str]:
    """Tags by absolute label, from lines ``tag,label``."""
    path = root / "tags" / "tags"
    if not path.is_file() or not lies_in(path, root):
        return {}
    rows = (line.strip().split(",", 1) for line in read_text(path).split("\n") if line and not line.startswith("#"))
    return {row[1]: row[0] for row in rows if len(row) == 2}


STACKS = Textbook(
    source_info("stacks"),
    Dialect(
        kinds=STACKS_2021.kinds,
        neighbours=frozenset({"exercise"}),
        notes=frozenset({"slogan", "reference", "history"}),
        headings={**Dialect({}).headings, "title": Heading(0)},
    ),
    STACKS_2021,
)

TRENCH = Textbook(
    source_info("trench"),
    Dialect(
        kinds=TRENCH_2021.kinds,
        proofs=frozenset(),
        proof_commands={"proof": "bbox"},
        headings={"chaptertitle": Heading(0), "newsection": Heading(1, argument=2)},
        anchors={**Dialect({}).anchors, "alist": "item", "Alist": "item", "rmlist": "item", "exerciselist": "item"},
    ),
    TRENCH_2021,
    file="TRENCH_REAL_ANALYSIS.tex",
)

STEIN = Textbook(
    source_info("stein"),
    Dialect(
        kinds=STEIN_2021.kinds,
        neighbours=frozenset({"algorithm", "conjecture", "problem", "openproblem", "question"}),
    ),
    STEIN_2021,
    file="body.tex",
)


# Reading by the paper's rules.


def read_as_paper(files: Sequence[Path], root: Path, rules: PaperRules, corpus: str, progress: Progress) -> Draft:
    """Read files in the given order, kind by kind, as the original did."""
    stems = tuple(name_of(file.stem) for file in files)
    statements: list[Statement] = []
    inputs: list[InputFile] = []
    for done, file in enumerate(files):
        progress(done, len(files))
        data = _bytes(file)
        path = name_of(file.relative_to(root) if root.is_dir() else file.name)
        inputs.append(input_file(path, data))
        text = data.decode("utf-8", "replace")
        statements.extend(_File(path, stems[done], text, rules, stems, corpus).statements())
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
    match = _TITLE.match(body) if "[" in first else None
    if match is None:
        return "", body
    # A title that begins with a link was lost where the link goes on in the next line.
    lost = match[1].startswith("\\href") and "\n" in match[1]
    title = "" if lost else _LINK.sub(r"\1", match[1]).replace("\n", " ").strip().strip("$").strip()
    return title, body[match.end() :]


def _label(body: str) -> tuple[str | None, tuple[str, ...]]:
    """The first label, and the lines after the one that holds it."""
    match = _LABEL.search(body)
    if match is None:
        return None, _lines(body.strip())
    return match[1], _lines(body[match.end() :].partition("\n")[2].rstrip())


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
