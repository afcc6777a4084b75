"""From a main file, through all it reads, to the language it is written in."""

import re
from collections.abc import Iterator
from pathlib import Path

from naturalproofs.latex.expansion import expand
from naturalproofs.latex.facts import BASE, Input, Load, declares, read_facts
from naturalproofs.latex.files import TexFile, scan_text
from naturalproofs.latex.gathered import Gathered
from naturalproofs.latex.macros import Macro
from naturalproofs.latex.tree import Refused, Tree, wanted

_SUFFIX = {"documentclass": ".cls", "LoadClass": ".cls", "LoadClassWithOptions": ".cls"}
_MOST_CALLS = 1_000
"""Calls of macros that declare theorems; more of them are not looked at."""


class Discovery:
    """Walks over the files of one document, each once, and gathers what they say."""

    def __init__(self, tree: Tree) -> None:
        """Nothing is known yet."""
        self.tree = tree
        self.gathered = Gathered()
        self.seen: set[str] = set()
        self.files: list[TexFile] = []

    def run(self, main: TexFile) -> Gathered:
        """Gather the facts of a document."""
        self._visit(main, self.tree.root / Path(main.path).parent, package=False)
        for macro in [macro for macro in self.gathered.commands.values() if macro.parameters and declares(macro)]:
            self._use(macro)
        return self.gathered

    def _visit(self, file: TexFile, folder: Path, *, package: bool) -> None:
        # An explicit stack: a chain of a thousand files must not exhaust Python's own.
        pending = [self._facts(file, folder, package=package)]
        while pending:
            if (found := next(pending[-1], None)) is None:
                pending.pop()
            elif found[0].path not in self.seen:
                pending.append(self._facts(*found[:2], package=found[2]))

    def _facts(self, file: TexFile, folder: Path, *, package: bool) -> Iterator[tuple[TexFile, Path, bool]]:
        """Take in the facts of a file, and yield the files that it reads, in between."""
        self.seen.add(file.path)
        self.files.append(file)
        facts = self.tree.facts(file)
        if not package:
            self.gathered.used |= facts.environments
            self.gathered.chapters = self.gathered.chapters or facts.has_chapters
        for fact in facts.facts:
            if isinstance(fact, Input):
                yield from self._input(file, fact, folder, package=package)
            elif isinstance(fact, Load):
                self.gathered.add(fact, file.path, file.text, package=package)
                yield from self._load(fact, folder)
            else:
                self.gathered.add(fact, file.path, file.text, package=package)

    def _input(
        self, file: TexFile, fact: Input, folder: Path, *, package: bool
    ) -> Iterator[tuple[TexFile, Path, bool]]:
        want = wanted(file.text, fact.token, folder, self.tree.root, self.gathered.commands)
        found = want and self.tree.follow(file, fact.token.name, want)
        if isinstance(found, TexFile) and want:
            yield found, self.tree.inner_folder(found, fact.token.name, want), package

    def _load(self, fact: Load, folder: Path) -> Iterator[tuple[TexFile, Path, bool]]:
        if fact.names == ("subfiles",) and fact.option:
            found = self.tree.find(fact.option, (folder, self.tree.root), ("", ".tex"))
            if not isinstance(found, Refused) and (main := self.tree.open(found)):
                yield main, found.parent, False
            return
        for name in fact.names:
            found = self.tree.find(name, (folder, self.tree.root), (_SUFFIX.get(fact.command, ".sty"),))
            if not isinstance(found, Refused) and (file := self.tree.open(found)):
                yield file, folder, True

    def _use(self, macro: Macro) -> None:
        r"""Take in what a macro such as ``\newthm{lemma}{Lemma}`` declares where it is used."""
        call = re.compile(rf"\\{macro.name}(?![a-zA-Z@])")
        for file in self.files:
            for match, _ in zip(call.finditer(file.text), range(_MOST_CALLS), strict=False):
                expansion = expand(macro, file.text, match.start(), match.end(), file.positions)
                if expansion is None:
                    continue
                for fact in read_facts(scan_text(file, expansion.text, expansion.positions, BASE)).facts:
                    self.gathered.add(fact, file.path, expansion.text, package=True)
