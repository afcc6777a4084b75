r"""Blueprints whose text is in Lean: declarations tagged with ``@[blueprint …]`` of LeanArchitect.

Lean is not run. A scanner finds comments, strings and names; a declaration ends where the next command begins, in the
first column. The LaTeX that LeanArchitect would write is made from it, with every line where it stands in the Lean
file, and the LaTeX reader reads it in place of ``\inputleanmodule`` and ``\inputleannode``, or by itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar

from naturalproofs.errors import SourceNotFound
from naturalproofs.io.files import unsaved
from naturalproofs.io.listing import files_below, name_of, path_of
from naturalproofs.progress import Progress, silent
from naturalproofs.records import (
    BY_LEAN,
    STAGE,
    USES,
    Anchor,
    Diagnostic,
    Draft,
    InputFile,
    Mention,
    Note,
    Proof,
    Rules,
    Statement,
    TextPart,
)
from naturalproofs.sources.latex import LATEX, choice, tex_files
from naturalproofs.sources.reading.kinds import Role, by_environment_name
from naturalproofs.sources.reading.project_folder import input_file
from naturalproofs.sources.reading.text_files import Positions, decode, read_bytes
from naturalproofs.sources.registry import SourceInfo, source_info

SUFFIX = ".lean"
_SKIPPED = frozenset({"lake-packages", "build", "node_modules"})
_TOKEN = re.compile(
    r"""--[^\n]*+
    |(?P<comment>/-)
    |(?P<raw>r\#*+")|(?P<string>"(?s:[^"\\]|\\.)*+(?:"|\Z))
    |'(?:\\(?:x..|u....|.)|[^\\'\n])'
    |(?P<name>(?:[^\W\d]|«[^«»\n]{1,200}+»)(?:[\w'!?.]|«[^«»\n]{1,200}+»)*+)
    |(?P<sign>:=|@\[|[()\[\]{},])""",
    re.VERBOSE,
)
_COMMENT_ENDS = re.compile(r"/-|-/")
_BODIES = frozenset({"theorem", "lemma"})
"""What is declared with a proof."""
_DECLARING = _BODIES | frozenset("def abbrev instance structure class inductive axiom opaque example alias".split())
_MODIFIERS = frozenset("private protected noncomputable partial unsafe nonrec scoped local public meta".split())
_OTHERS = (
    "namespace section end open variable variables universe set_option attribute export import mutual macro "
    "macro_rules syntax notation infix infixl infixr prefix postfix elab elab_rules initialize deriving omit include "
    "blueprint_comment run_cmd add_decl_doc module"
)
_COMMANDS = _DECLARING | _MODIFIERS | frozenset(_OTHERS.split())
"""What begins a command; in the first column, it ends the declaration before it."""
_SORRY = frozenset({"sorry", "sorry_using", "admit", "sorryAx", "proof_wanted"})
_OPENING, _CLOSING = frozenset({"(", "[", "{", "@["}), frozenset({")", "]", "}"})
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|\n\s*+|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_INPUT = re.compile(r"(?<!\\)%[^\n]*+|\\inputlean(module|node)\s*+\{([^{}\n]*+)\}")
_LIBRARY = re.compile(r"\\input\s*+\{[^{}\n]*\.lake/build/blueprint/[^{}\n]*+\}")
_MADE = ".lake/build/blueprint"
"""The folder into which LeanArchitect writes; the LaTeX that is made here is found under names in it."""
_LONGEST_NAME = 300
_SCOPES = 40
"""How many namespaces are looked in, of those around a declaration and of those that are open."""
_NOT_IN_KEY = re.compile(r"[{}\\%#\n]")
_END = re.compile(r"^[^%\n]*?(?=\\end\s*+\{document\})", re.MULTILINE)


_Placed = TypeVar("_Placed", Statement, Proof, Anchor, TextPart)


class _Token(NamedTuple):
    """A comment, a string, a name or a sign of Lean."""

    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[_Token]:
    """The tokens of Lean source that matter here; line comments and single characters are left out.

    Comments may be nested; a comment or a string that is never closed runs to the end.
    """
    at = 0
    while match := _TOKEN.search(text, at):
        kind, at = match.lastgroup or "", match.end()
        if kind == "comment":
            depth = 1
            while depth and (end := _COMMENT_ENDS.search(text, at)):
                depth += 1 if end[0] == "/-" else -1
                at = end.end()
            at = len(text) if depth else at
        elif kind == "raw":
            close = match["raw"][:0:-1]
            found = text.find(close, at)
            kind, at = "string", len(text) if found < 0 else found + len(close)
        if kind:
            yield _Token(kind, text[match.start() : at], match.start(), at)


@dataclass(slots=True, eq=False)
class _Part:
    """The statement or the proof of a node: its text, what it uses, and whether Lean has it without ``sorry``."""

    text: str = ""
    line: int = 0
    given: list[str] = field(default_factory=list)
    """What the author says that it uses: labels, or names of declarations."""
    names: dict[str, None] = field(default_factory=dict)
    """The names in its Lean code."""
    is_done: bool = True


@dataclass(slots=True, eq=False)
class _Node:
    """A tagged declaration."""

    path: str
    line: int
    name: str = ""
    label: str = ""
    title: str = ""
    environment: str = ""
    has_proof: bool | None = None
    not_ready: bool = False
    scopes: tuple[str, ...] = ()
    """The namespaces around it and those that are open, innermost first."""
    statement: _Part = field(default_factory=_Part)
    proof: _Part = field(default_factory=_Part)

    @property
    def stage(self) -> str:
        """How far it is formalised."""
        if self.not_ready or not self.statement.is_done:
            return "not ready" if self.not_ready else "sorry"
        return "proved" if self.proof.is_done else "sorry"


@dataclass(slots=True, eq=False)
class _Module:
    """A Lean file: its imports, and its tagged declarations and comments for the blueprint in order."""

    path: str
    imports: list[str] = field(default_factory=list)
    contents: list[_Node | tuple[int, str]] = field(default_factory=list)
    """Nodes, and the texts of comments with their lines."""

    @property
    def nodes(self) -> list[_Node]:
        return [one for one in self.contents if isinstance(one, _Node)]


class _Parser:
    """Reads one file of Lean."""

    def __init__(self, path: str, text: str) -> None:
        self.module = _Module(path)
        self.text, self.tokens, self.at = text, list(tokens(text)), 0
        self.positions = Positions(text)
        self.spaces: list[str] = []
        self.opened: list[str] = []
        self.document: _Token | None = None
        """The last comment for documentation, if nothing but attributes stands after it."""

    def parse(self) -> _Module:
        nodes: list[_Node] = []
        while (token := self.next()) is not None:
            if token.kind == "comment":
                self.document = token if token.text.startswith("/--") else None
                continue
            if token.text in ("@[", "attribute"):
                found = self.attributes(token.text == "attribute")
                nodes += found
                if token.text == "attribute":
                    self.tag(nodes)
                    nodes = []
            elif token.text in _DECLARING:
                self.declaration(token, nodes)
                nodes, self.document = [], None
            elif token.text not in _MODIFIERS:
                self.command(token)
                self.document = None
        return self.module

    def next(self) -> _Token | None:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else None

    def peek(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _NOTHING

    def is_command(self, token: _Token) -> bool:
        """Whether a token begins a command: it stands in the first column."""
        first = token.start == 0 or self.text[token.start - 1] == "\n"
        return first and (token.text in _COMMANDS or token.text == "@[" or token.text.startswith(("/--", "/-!")))

    def command(self, token: _Token) -> None:
        name = self.peek()
        named = name.text if name.kind == "name" and not self.is_command(name) else ""
        if token.text == "import" and named:
            self.module.imports.append(named)
        elif token.text in ("namespace", "section"):
            self.spaces.append(named if token.text == "namespace" else f" {named}")
        elif token.text == "end" and self.spaces:
            self.spaces.pop()
        elif token.text == "open":
            while (name := self.peek()).kind == "name" and not self.is_command(name) and name.text != "in":
                self.opened.append(name.text)
                self.at += 1
            return
        elif token.text == "blueprint_comment" and name.kind == "comment":
            self.module.contents.append((self.positions.line(name.start), _commented(name)))
            self.at += 1
            return
        self.at += bool(named)

    def attributes(self, is_command: bool) -> list[_Node]:
        """The nodes that a list of attributes makes."""
        if is_command and self.next() is None:
            return []
        found, depth = list[_Node](), 1
        while depth and (token := self.next()) is not None:
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if token.text in ("blueprint", "blueprint?"):
                found.append(self.options(_Node(self.module.path, self.positions.line(token.start))))
        return found

    def options(self, node: _Node) -> _Node:
        """Read the label and the options behind the word "blueprint"."""
        if self.peek().kind == "string":
            node.label = _string(self.peek().text)
            self.at += 1
        while self.peek().text == "(" and self.at + 2 < len(self.tokens) and self.tokens[self.at + 2].text == ":=":
            option, self.at = self.tokens[self.at + 1].text, self.at + 3
            values, depth = list[_Token](), 1
            while depth and (token := self.next()) is not None:
                depth += (token.text in _OPENING) - (token.text in _CLOSING)
                values.append(token)
            self.set(node, option, values)
        return node

    def set(self, node: _Node, option: str, values: Sequence[_Token]) -> None:
        first = values[0] if values else _NOTHING
        if option in ("statement", "proof") and first.kind == "comment":
            part = node.statement if option == "statement" else node.proof
            part.text, part.line = _commented(first), self.positions.line(first.start)
        elif option in ("uses", "proofUses"):
            part = node.statement if option == "uses" else node.proof
            part.given += [_string(one.text) for one in values if one.kind in ("string", "name")]
        elif first.kind == "string" and option in _STRINGS:
            setattr(node, _STRINGS[option], _string(first.text))
        elif option == "hasProof":
            node.has_proof = first.text == "true"
        elif option == "notReady":
            node.not_ready = first.text == "true"

    def tag(self, nodes: Iterable[_Node]) -> None:
        """The declaration that the command ``attribute [blueprint …] name`` tags stands elsewhere."""
        name = self.peek().text if self.peek().kind == "name" else ""
        for node in nodes:
            self.add(node, name, ".".join(self.inside()))

    def inside(self) -> list[str]:
        return [one for one in self.spaces if not one.startswith(" ")]

    def declaration(self, keyword: _Token, nodes: Sequence[_Node]) -> None:
        """Read a declaration up to the next command."""
        name = self.peek().text if self.peek().kind == "name" and keyword.text != "example" else ""
        statement, proof = _Part(), _Part()
        part, depth, texts = statement, 0, list[str]()
        self.at += bool(name)
        while (token := self.peek()) is not _NOTHING and not self.is_command(token):
            self.at += 1
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if part is statement and depth == 0 and token.text in (":=", "where", "by"):
                part = proof
            elif token.kind == "comment" and part is proof and token.text.startswith("/--"):
                texts.append(_commented(token))
                proof.line = proof.line or self.positions.line(token.start)
            elif token.kind == "name":
                part.names[token.text] = None
        for node in nodes:
            node.statement.names, node.proof.names = statement.names, proof.names
            node.statement.is_done = _SORRY.isdisjoint(statement.names)
            node.proof.is_done = _SORRY.isdisjoint(proof.names)
            if not node.proof.text:
                node.proof.text, node.proof.line = "\n\n".join(texts), proof.line
            if not node.statement.text and self.document is not None:
                node.statement.text = _commented(self.document)
                node.statement.line = self.positions.line(self.document.start)
            if node.has_proof is None:
                node.has_proof = keyword.text in _BODIES or bool(node.proof.text)
            self.add(node, name.removeprefix("_root_."), "" if name.startswith("_root_.") else ".".join(self.inside()))

    def add(self, node: _Node, name: str, space: str) -> None:
        inside = self.inside()
        counts = range(len(inside), max(0, len(inside) - _SCOPES), -1)
        node.scopes = (*(".".join(inside[:count]) for count in counts), *self.opened[-_SCOPES:])
        node.name = f"{space}.{name}" if space and name else name or space
        node.label = _NOT_IN_KEY.sub("", node.label or node.name)
        self.module.contents.append(node)


_NOTHING = _Token("", "", 0, 0)
_STRINGS = {"title": "title", "latexEnv": "environment", "latexLabel": "label"}


def _commented(token: _Token) -> str:
    """The text of a comment; lines stay where they are."""
    return token.text.removesuffix("-/")[2:].removeprefix("-")


def _closed(text: str) -> str:
    """A text after which something may stand that is no part of a LaTeX comment."""
    return f"{text}\n" if "%" in text.rpartition("\n")[2] else text


def _string(text: str) -> str:
    if not text.startswith('"'):
        return text.lstrip("r").strip('#"') if text.endswith(('"', "#")) else text
    return _ESCAPE.sub(_unescaped, text[1:].removesuffix('"'))


def _unescaped(match: re.Match[str]) -> str:
    code, other = match[1] or match[2], match[3] or ""
    return chr(int(code, 16)) if code else _ESCAPED.get(other, other)


class _Blueprint:
    """The modules of a project, and the LaTeX of their nodes."""

    def __init__(self, modules: Mapping[str, _Module]) -> None:
        self.modules = modules
        """By name, in the order of reading."""
        nodes = [node for module in modules.values() for node in module.nodes]
        self.names = {node.name: node.label for node in nodes}
        self.groups: dict[str, list[_Node]] = {}
        """Declarations by label: several may stand for one node."""
        for node in nodes:
            self.groups.setdefault(node.label, []).append(node)

    def uses(self, node: _Node, part: _Part, *, given: bool) -> list[str]:
        """The labels that a part uses, as the author says it or by the names in its code."""
        written = part.given if given else part.names
        found = (self._label(name, node.scopes) or (name if given else "") for name in written)
        return [label for label in dict.fromkeys(found) if label and label != node.label]

    def _label(self, name: str, scopes: Sequence[str]) -> str:
        """The label of a name; what follows it after a dot may be a field of it."""
        while name and len(name) <= _LONGEST_NAME:
            for full in (*(f"{scope}.{name}" for scope in scopes), name):
                if full in self.names:
                    return self.names[full]
            name = name.rpartition(".")[0]
        return ""

    def latex(self, node: _Node) -> list[tuple[int, str]]:
        """The LaTeX of a node: pieces, each with the line where it stands; nothing for a later part of a node."""
        group = self.groups[node.label]
        if group[0] is not node:
            return []
        environment = node.environment or ("theorem" if node.has_proof else "definition")
        title = f"[{{{node.title}}}]" if node.title else ""
        names = ",".join(filter(None, (one.name for one in group)))
        ready = "\\notready" if node.not_ready else ""
        head = f"\\begin{{{environment}}}{title}\\label{{{node.label}}}\\lean{{{names}}}{ready}"
        pieces = [(node.line, head + self._metadata(group, [one.statement for one in group]))]
        pieces.append((node.statement.line, f"{_closed(node.statement.text)}\\end{{{environment}}}"))
        proofs = [one for one in group if one.has_proof]
        metadata = self._metadata(proofs, [one.proof for one in proofs])
        if proofs and (node.proof.text.strip() or USES in metadata):
            pieces.append((node.proof.line, f"\\begin{{proof}}{metadata}{_closed(node.proof.text)}\\end{{proof}}"))
        return pieces

    def _metadata(self, group: Sequence[_Node], parts: Sequence[_Part]) -> str:
        pairs = list(zip(group, parts, strict=True))
        used = dict.fromkeys(
            label for given in (True, False) for node, part in pairs for label in self.uses(node, part, given=given)
        )
        done = "\\leanok" if pairs and all(part.is_done for part in parts) else ""
        return done + (f"\\uses{{{','.join(used)}}}" if used else "")

    def text(self, contents: Iterable[_Node | tuple[int, str]]) -> str:
        """LaTeX in which each piece stands in its line, as far as the pieces come in this order."""
        pieces, line = list[str](), 1
        for content in contents:
            for at, text in self.latex(content) if isinstance(content, _Node) else [content]:
                skipped = "\n" * max(0, at - line)
                pieces += (skipped, text, " ")
                line += len(skipped) + text.count("\n")
        return "".join(pieces)


@dataclass(frozen=True)
class LeanBlueprint:
    """A Lean project with tagged declarations, and the LaTeX around them, if there is some."""

    info: SourceInfo

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read all tagged declarations: those that the LaTeX inputs there, the others in the order of imports."""
        given, path = path, path.resolve()
        root = path if path.is_dir() else path.parent
        files = list(lean_files(path)) if path.is_dir() else [path]
        blueprint = _Blueprint(_in_order([_parse(root, file) for file in files]))
        if not blueprint.groups:
            raise SourceNotFound(f"{given}: no declaration is tagged with @[blueprint]; give the folder of the project")
        return _Reading(root, blueprint, tex_files(path) if path.is_dir() else []).read(name, progress)


def lean_files(folder: Path) -> Iterator[Path]:
    """The Lean files of a folder, those of other packages left out."""
    return files_below(folder, (SUFFIX,), _SKIPPED)


def count_statements(path: Path) -> dict[str, int]:
    """How many tagged declarations each Lean file has, and the statements of the LaTeX that is read with them."""
    files = lean_files(path) if path.is_dir() else [path] if path.suffix == SUFFIX else []
    root = path if path.is_dir() else path.parent
    found = {file.relative_to(root).as_posix(): len(_parse(root, file).nodes) for file in files}
    return found | choice.count_statements(path) if any(found.values()) else {}


def _parse(root: Path, file: Path) -> _Module:
    data = read_bytes(file) or b""
    text = decode(data).text or ""
    path = name_of(file.relative_to(root))
    if "blueprint" not in text:
        module = _Module(path)
        module.imports = _IMPORT.findall(text)
        return module
    return _Parser(path, text).parse()


_IMPORT = re.compile(r"^(?:public\s++)?+import\s++([^\s]++)", re.MULTILINE)


def _in_order(modules: Iterable[_Module]) -> dict[str, _Module]:
    """Modules by name, each after those that it imports; otherwise in the order of paths."""
    known = {".".join(PurePosixPath(one.path).with_suffix("").parts): one for one in modules}
    found: dict[str, _Module] = {}
    open_names: set[str] = set()
    for start in sorted(known):
        pending = [(start, False)]
        while pending:
            name, is_done = pending.pop()
            if is_done:
                found.setdefault(name, known[name])
            elif name in known and name not in open_names:
                open_names.add(name)
                pending.append((name, True))
                pending.extend((one, False) for one in reversed(known[name].imports))
    return found


class _Reading:
    """Reads a blueprint through the LaTeX reader: what is made of Lean is put in place of files."""

    def __init__(self, root: Path, blueprint: _Blueprint, tex: Sequence[Path]) -> None:
        self.root, self.blueprint = root, blueprint
        self.texts: dict[str, str] = {}
        """LaTeX by the name of the file in place of which it is read."""
        self.places: dict[str, str] = {}
        """The Lean files of which it is made, by these names."""
        self.wanted: set[str] = set()
        """The labels that the LaTeX inputs."""
        self.diagnostics: list[Diagnostic] = []
        self._numbers = {label: number for number, label in enumerate(blueprint.groups)}
        self._path = ""
        """The LaTeX file that is looked at."""
        self.tex = {name_of(file.relative_to(root)): decode(read_bytes(file) or b"").text or "" for file in tex}

    def read(self, name: str, progress: Progress) -> Draft:
        for path, text in self.tex.items():
            self._path = path
            with_nodes = _INPUT.sub(self._input, _LIBRARY.sub("", text)) if "\\inputlean" in text else text
            if with_nodes != text:
                self.texts[path] = with_nodes
        main, groups = self._main(next(filter(self.texts.__contains__, self.tex), "")), self.blueprint.groups
        environments = {node.environment for group in groups.values() for node in group} - {""}
        unknown: dict[str, Role] = {one: "theorem" for one in environments if by_environment_name(one) is None}
        reader = replace(LATEX, mains=(main,), environments=unknown, up=0)
        for _ in range(2):
            texts = self.texts | {main: self._with_rest(main)}
            with unsaved({self.root / path_of(path): text.encode() for path, text in texts.items()}):
                draft = reader.read(self.root, name=name, rules="fixed", progress=progress)
            # What only files input that are no part of the document is read after it.
            read = {one.label for one in draft.statements}
            if read >= groups.keys():
                break
            self.wanted &= read
        return self._as_written(draft, main)

    def _input(self, match: re.Match[str]) -> str:
        """What is read in place of a command of LeanArchitect."""
        if match[1] is None:
            return match[0]
        kind, name = match[1], match[2].strip()
        if kind == "module" and name in self.blueprint.modules:
            self.wanted.update(node.label for node in self.blueprint.modules[name].nodes)
            return self._module(name)
        if kind == "node" and name in self.blueprint.groups:
            self.wanted.add(name)
            return self._node(name)
        line = match.string.count("\n", 0, match.start()) + 1
        message = f"\\inputlean{kind}{{{name}}}: there is no such {kind} in the Lean files"
        self.diagnostics.append(Diagnostic(self._path, line, 1, "warning", "missing-file", message, name))
        return ""

    def _module(self, name: str) -> str:
        module = self.blueprint.modules[name]
        return self._made(f"module/{name.replace('.', '/')}", module.path, self.blueprint.text(module.contents))

    def _node(self, label: str) -> str:
        node = self.blueprint.groups[label][0]
        return self._made(f"node/{self._numbers[label]}", node.path, self.blueprint.text([node]))

    def _made(self, name: str, path: str, text: str) -> str:
        name = f"{_MADE}/{name}.tex"
        self.texts[name], self.places[name] = text, path
        return f"\\input{{{name}}}"

    def _main(self, written: str) -> str:
        """The main file of the document to which a LaTeX file belongs, or a new one if there is none."""
        if not written:
            main = f"{_MADE}/main.tex"
            self.texts[main] = f"\\documentclass{{report}}{_THEOREMS}\\begin{{document}}\\end{{document}}"
            return main
        main = choice.main_of(self.root / path_of(written), self.root) or written
        web = PurePosixPath(main).with_name("web.tex").as_posix()
        return web if web in self.tex else main

    def _with_rest(self, main: str) -> str:
        """The text of the main file, with what no file inputs at its end, each module as a chapter."""
        rest = list[str]()
        for name, module in self.blueprint.modules.items():
            nodes = dict.fromkeys(node.label for node in module.nodes)
            left = [
                one for one in nodes if one not in self.wanted and self.blueprint.groups[one][0].path == module.path
            ]
            if left:
                whole = self.wanted.isdisjoint(nodes)
                rest += [f"\\chapter{{{name}}}", *([self._module(name)] if whole else map(self._node, left))]
                if main in self.tex:
                    message = f"no \\inputleanmodule names {name}; its {len(left)} nodes are read after the document"
                    self.diagnostics.append(Diagnostic(module.path, 1, 1, "note", "module-not-input", message, name))
        text = self.texts.get(main, self.tex.get(main, ""))
        end = _END.search(text)
        at = end.end() if end else len(text)
        return text[:at] + "".join(rest) + text[at:]

    def _as_written(self, draft: Draft, main: str) -> Draft:
        """What was read, with the places of Lean files, the stage of each node, and the origin of every use."""
        nodes, there = self.blueprint.groups, self._there
        statements = tuple(map(self._statement, draft.statements))
        stages = Counter(line for one in statements for note in one.notes if note.kind == STAGE for line in note.lines)
        counted = ", ".join(f"{count:,} {stage}" for stage, count in stages.items())
        declared, read = sum(map(len, nodes.values())), f"; {draft.summary}" if main in self.tex else ""
        found = Counter[str]()
        for path, count in draft.found.items():
            found[self.places.get(path, path)] += count
        return replace(
            draft,
            statements=statements,
            anchors={key: there(one) for key, one in draft.anchors.items()},
            diagnostics=(
                *dict.fromkeys(self.diagnostics),
                *(replace(one, path=self.places.get(one.path, one.path)) for one in draft.diagnostics),
            ),
            inputs=self._inputs(draft.inputs),
            found=found,
            documents=dict.fromkeys(found, main) | dict(draft.documents),
            root=self.root,
            summary=f"{declared:,} tagged declarations in {len(nodes):,} nodes ({counted}){read}",
            parts=tuple(map(there, draft.parts)),
        )

    def _statement(self, one: Statement) -> Statement:
        group = self.blueprint.groups.get(one.label, [])
        stage = min((node.stage for node in group), key=_STAGES.index, default="")
        given = [
            {label for node in group for label in self.blueprint.uses(node, getattr(node, part), given=True)}
            for part in ("statement", "proof")
        ]

        def mentions(found: Iterable[Mention], said: set[str]) -> tuple[Mention, ...]:
            """Mentions; one by a name in the Lean code alone says so."""
            return tuple(
                replace(mention, surface=BY_LEAN)
                if group and mention.surface == USES and mention.target not in said
                else mention
                for mention in found
            )

        return replace(
            self._there(one),
            notes=(*one.notes, *([Note(STAGE, (stage,))] if stage else ())),
            mentions=mentions(one.mentions, given[0]),
            proofs=tuple(
                replace(self._there(proof), mentions=mentions(proof.mentions, given[1])) for proof in one.proofs
            ),
        )

    def _there(self, one: _Placed) -> _Placed:
        """A record at its place in the Lean file."""
        if one.origin is None or one.origin.path not in self.places:
            return one
        return replace(one, origin=replace(one.origin, path=self.places[one.origin.path]))

    def _inputs(self, inputs: Iterable[InputFile]) -> tuple[InputFile, ...]:
        """The files themselves, in place of what was made of them."""
        paths = dict.fromkeys(self.places.get(one.path, one.path) for one in inputs)
        found = ((path, read_bytes(self.root / path_of(path))) for path in paths if not path.startswith(_MADE))
        return tuple(input_file(path, data) for path, data in found if data is not None)


_STAGES = ("not ready", "sorry", "proved", "")
_THEOREMS = "\\newtheorem{theorem}{Theorem}[chapter]" + "".join(
    f"\\newtheorem{{{name}}}[theorem]{{{name.capitalize()}}}"
    for name in ("definition", "lemma", "sublemma", "proposition", "corollary", "remark")
)

LEAN = LeanBlueprint(source_info("lean"))
