"""What a template stands for in readable text, and which pages it cites."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from naturalproofs.wiki import equations
from naturalproofs.wiki.citations import is_citation, spellings
from naturalproofs.wiki.magic import substituted, value
from naturalproofs.wiki.markers import SHOWN, SYMBOLS
from naturalproofs.wiki.masking import BLOT
from naturalproofs.wiki.reading import Source, Walk, arguments, leaf_arguments
from naturalproofs.wiki.scan import Node
from naturalproofs.wiki.transclusion import Transclusion
from naturalproofs.wiki.wiki import Wiki

if TYPE_CHECKING:
    from naturalproofs.wiki.render import Renderer

_MODIFIER = re.compile(r"(?:subst|safesubst|msg|msgnw|raw|template)\s*:\s*", re.IGNORECASE)
_SPACE = re.compile(r"[\s_]+")


class Templates:
    """Reads templates of one wiki."""

    def __init__(self, wiki: Wiki, is_statement: Callable[[str], bool], renderer: "Renderer") -> None:
        """Bind the wiki; the renderer reads what stands inside arguments."""
        self._wiki = wiki
        self._render = renderer
        self._transclusion = Transclusion(wiki, is_statement, renderer)

    def text(self, source: Source, node: Node, walk: Walk, borrow: bool, depth: int) -> str:
        """Give the text that a template stands for, collecting what it and its arguments cite."""
        name = template_name(source, node)
        folded = name.lower()
        if folded in equations.ROW:
            return equations.row(self._arguments(source, node, walk, borrow, depth))
        if folded in equations.OPENING:
            return equations.BEGIN
        if folded in equations.CLOSING:
            return equations.END
        if self._wiki.is_transclusion(name):
            return self._transclusion.text(source, node, name, walk, borrow, depth)
        if is_citation(folded):
            return self._citation(source, node, name, walk, self._arguments(source, node, walk, borrow, depth))
        if folded in SYMBOLS:
            return SYMBOLS[folded]
        word = None if node.bars else value(name, source.title)
        return self._other(source, node, folded, walk, borrow, depth) if word is None else word

    def _arguments(self, source: Source, node: Node, walk: Walk, borrow: bool, depth: int) -> dict[str, str]:
        """Read the arguments of a template."""
        if not node.children and not source.masked.spans:
            # Most templates: nothing inside, nothing blotted out.
            return leaf_arguments(source.masked.text[node.start + 2 : node.end - 2]) if node.bars else {}
        return {
            key: self._render.walk(source, *span, node.children, walk, borrow, depth).strip()
            for key, span in arguments(source, node).items()
        }

    def _citation(self, source: Source, node: Node, name: str, walk: Walk, given: dict[str, str]) -> str:
        texts: list[str] = []
        for titles in spellings(name.lower(), given, source.title):
            targets = [target for title in titles if (target := self._wiki.target(title, source.title)) is not None]
            target = next((target for target in targets if target.exists), targets[0] if targets else None)
            if target is not None:
                self._render.mention(source, node, walk, target, name)
                texts.append(_readable(name, target.title, given))
        return ", ".join(texts)

    def _other(self, source: Source, node: Node, folded: str, walk: Walk, borrow: bool, depth: int) -> str:
        before = source.masked.text[node.start - 1 : node.start]
        if not node.bars and (before.isalnum() or before in "^_}\\") and before and folded not in SHOWN:
            # Braces of a formula, as in x^{{a}}: no template of that name is meant.
            return source.plain(node.start, node.end)
        if not node.bars:
            return ""
        texts = self._arguments(source, node, walk, borrow, depth)
        return next((texts[key] for key in SHOWN.get(folded, ()) if texts.get(key)), "")


def template_name(source: Source, node: Node) -> str:
    """Give a template's name as MediaWiki compares it, magic words replaced."""
    raw = source.masked.text[node.start + 2 : node.bars[0] if node.bars else node.end - 2]
    if node.children and "{{" in raw:
        raw = substituted(raw, source.title)
    return _normal(raw)


@lru_cache(maxsize=1 << 14)
def _normal(raw: str) -> str:
    name = _SPACE.sub(" ", raw.replace(BLOT, "")).strip()
    return _MODIFIER.sub("", name) if ":" in name[:12] else name


def _readable(name: str, title: str, given: dict[str, str]) -> str:
    if name.lower() == "defof":
        return f"Definition of {given.get('2') or given.get('1', '')}"
    return title.partition(":")[2] or title
