r"""Statements written as ``\begin{theorem}{Title}{key}`` whose declaration is not in the project.

A class or package that is missing declares them, by tcolorbox or in its manner, with a prefix for the labels of each
environment. The prefix shows in the citations: ``\ref{thm:key}``.
"""

import re
from collections import Counter, defaultdict

from naturalproofs.latex.macros.declarations import key_values
from naturalproofs.latex.read.openings import Opening
from naturalproofs.latex.scan.arguments import Argument, plain_title, read_group, read_option
from naturalproofs.reading.builders import AnchorBuilder, Reading, StatementBuilder

_KEY = re.compile(r"[\w./+-]*+(?::[\w./+-]++)*+")
_LONGEST_PREFIX = 12


class UndeclaredBoxes:
    """The statements of one document whose declaration is missing, and the prefixes of their labels."""

    def __init__(self) -> None:
        """Start with none."""
        self._found: defaultdict[str, list[tuple[StatementBuilder, str]]] = defaultdict(list)

    def add(self, environment: str, statement: StatementBuilder, key: str) -> None:
        """Note a statement and its key."""
        self._found[environment].append((statement, key))

    def label(self, reading: Reading) -> None:
        """Give the statements their labels, once all citations of the document are known."""
        if not self._found:
            return
        known = {anchor.label for anchor in reading.anchors}
        builders = [*reading.statements, *reading.proofs()]
        contents = map(reading.spill.contents, builders)
        cited = Counter(m.target for one in contents for m in one.mentions if m.target not in known)
        by_key: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for target, count in cited.items():
            for length in range(min(len(target), _LONGEST_PREFIX)):
                by_key[target[length:]][target[:length]] += count
        for boxes in self._found.values():
            prefixes: Counter[str] = Counter()
            for key in {key for _, key in boxes}:
                prefixes.update(by_key.get(key, {}))
            prefix = prefixes.most_common(1)[0][0] if prefixes else ""
            for statement, key in boxes:
                label = prefix + key
                if label not in known:
                    known.add(label)
                    statement.labels.append(label)
                    anchor = AnchorBuilder(label, statement.scope, "statement", statement, statement.origin)
                    reading.anchors.append(anchor)


def read_box(text: str, at: int) -> tuple[Opening, str] | None:
    r"""The title and the key that stand right after ``\begin{…}``, which ends at `at`; None if there are none.

    ``{Title}{key}``, ``{key}{A title}``, ``[Title]{key}``, ``{key}[Title]``, or one of them alone.
    """
    arguments: list[Argument] = []
    end, options = at, 0
    while len(arguments) < 2 and (read := _READ.get(text[end : end + 1])) and (found := read(text, end)):
        options += text[end] == "["
        arguments.append(found)
        end = found.end
    first, *second = (one.text.strip() for one in arguments) if arguments else ("",)
    if options == len(arguments) or (text[at] == "[" and "=" in first):
        return None
    title, key = (first, second[0]) if second else ("", first)
    if text[at] == "{" and second and (options or (_KEY.fullmatch(first) and not _KEY.fullmatch(key))):
        title, key = key, first
    key = key_values(key).get("label", key) if "=" in key else key
    # One argument alone is a label only if it looks like one.
    if not _KEY.fullmatch(key) or not (second or ":" in key):
        return None
    return Opening(plain_title(title), "", end), key


_READ = {"{": read_group, "[": read_option}
