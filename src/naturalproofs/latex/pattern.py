"""One compiled regular expression for a vocabulary: where the scanner stops.

The commands form a tree of shared prefixes, so that the many commands nobody asked for fail on their first letter.
"""

import re
from functools import lru_cache
from typing import TypeAlias

from naturalproofs.latex.vocabulary import Vocabulary

Tree: TypeAlias = dict[str, "Tree"]


def pattern_of(vocabulary: Vocabulary) -> re.Pattern[str]:
    """The stopping pattern of a vocabulary, compiled once."""
    names = {"begin", "end", "label", "iffalse"}.union(
        vocabulary.references,
        vocabulary.sections,
        vocabulary.inputs,
        vocabulary.commands,
        vocabulary.verbatim_commands,
    )
    return _compile(tuple(sorted(names)), vocabulary.mathematics, vocabulary.groups)


@lru_cache(maxsize=64)
def _compile(names: tuple[str, ...], mathematics: bool, groups: bool) -> re.Pattern[str]:
    after_backslash = [rf"(?P<command>{either(names)})(?![a-zA-Z@])"]
    singles = [r"(?P<comment>%[^\n]*+\n?+)"]
    # An escape hides the sign that follows it; only signs that would start a token are worth a stop.
    escaped = r"\\%"
    if mathematics:
        escaped += "$"
        after_backslash.append(r"(?P<delimiter>[()\[\]])")
        singles.append(r"(?P<dollar>\$\$?+)")
    if groups:
        escaped += "{}"
        singles.append(r"(?P<brace>\{++|\}++)")
    after_backslash.append(f"(?P<escape>[{escaped}])")
    return re.compile(r"\\(?:" + "|".join(after_backslash) + ")|" + "|".join(singles))


def either(words: tuple[str, ...]) -> str:
    """An alternation as a tree of shared prefixes: one comparison a letter instead of one a word."""
    tree: Tree = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _branch(tree)


def _branch(tree: Tree) -> str:
    options = [re.escape(letter) + _branch(rest) for letter, rest in sorted(tree.items()) if letter]
    if not options:
        return ""
    joined = options[0] if len(options) == 1 else "(?:" + "|".join(options) + ")"
    return f"(?:{joined})?" if "" in tree else joined
