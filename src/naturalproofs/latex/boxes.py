r"""Statements written as ``\begin{theorem}{Title}{key}`` whose declaration is not in the project.

A class or package that is missing declares them, by tcolorbox or in its manner, with a prefix for the labels of each
environment. The prefix shows in the citations: ``\ref{thm:key}``.
"""

import re
from collections import Counter, defaultdict

from naturalproofs.latex.arguments import plain_title, read_groups
from naturalproofs.latex.builders import AnchorBuilder, Reading, StatementBuilder
from naturalproofs.latex.declarations import Opening

_KEY = re.compile(r"[\w./+-]*+(?::[\w./+-]++)*+")
_LONGEST_PREFIX = 12


class Boxes:
    """The boxes of one document, and the prefixes of their labels."""

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
    r"""The title and the key that stand right after ``\begin{…}``, which ends at `at`; None if there are none."""
    groups = read_groups(text, at, 2) if text.startswith("{", at) else []
    if len(groups) < 2 or groups[1].start != groups[0].end + 1 or not _KEY.fullmatch(groups[1].text.strip()):
        return None
    return Opening(plain_title(groups[0].text), "", groups[1].end), groups[1].text.strip()
