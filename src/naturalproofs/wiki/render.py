"""Readable text and citations of a stretch of wikitext, in one walk over its nodes."""

from bisect import bisect_left
from collections.abc import Callable, Sequence

from naturalproofs.records import Diagnostic, Severity
from naturalproofs.wiki.drafts import MentionDraft
from naturalproofs.wiki.latex import written_out
from naturalproofs.wiki.magic import substituted
from naturalproofs.wiki.plain import lines
from naturalproofs.wiki.reading import Source, Walk
from naturalproofs.wiki.scan import Node
from naturalproofs.wiki.templates import Templates
from naturalproofs.wiki.wiki import Target, Wiki

MAX_DEPTH = 20
"""How deep nodes may be nested; what stands deeper is left out."""


class Renderer:
    """Reads wikitext of one wiki."""

    def __init__(self, wiki: Wiki, is_statement: Callable[[str], bool]) -> None:
        """Bind the wiki, and what tells the titles whose transclusion is a citation rather than text on loan."""
        self._wiki = wiki
        self._templates = Templates(wiki, is_statement, self)
        self._reported: dict[tuple[str, str, str], Diagnostic] = {}

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was wrong in the text read so far, each thing once a page."""
        return list(self._reported.values())

    def read(
        self, source: Source, spans: Sequence[tuple[int, int]], *, borrow: bool = False
    ) -> tuple[tuple[str, ...], list[MentionDraft]]:
        """Give the readable lines and the citations of stretches of a page.

        Args:
            source: The page.
            spans: Where the stretches begin and end, in order.
            borrow: Whether links of transcluded pages count, because the text is theirs altogether.
        """
        walk = Walk()
        text = "\n".join([self.walk(source, start, end, source.nodes, walk, borrow, 0) for start, end in spans])
        return lines(written_out(text)), walk.mentions

    def cited(self, source: Source, node: Node) -> list[str]:
        """Give the titles that a single node cites, on the pages it brings in, too."""
        walk = Walk()
        self.walk(source, node.start, node.end, (node,), walk, borrow=True, depth=0)
        return [mention.target for mention in walk.mentions]

    def walk(
        self, source: Source, start: int, end: int, nodes: Sequence[Node], walk: Walk, borrow: bool, depth: int
    ) -> str:
        """Turn a stretch into text, collecting its citations; ``nodes`` are those of the level it stands on."""
        masked, spans = source.masked.text, source.masked.spans
        pieces: list[str] = []
        if nodes and nodes[0].start < start:
            nodes = nodes[bisect_left(nodes, start, key=_start) :]
        for node in nodes:
            begin = node.start
            if begin >= end:
                break
            pieces.append(source.plain(start, begin) if spans else masked[start:begin])
            start = node.end
            if depth >= MAX_DEPTH:
                self.report(source, walk, node, "nested-too-deep", "markup nested too deep is left out")
            elif node.kind == "link":
                if node.children or spans:
                    pieces.append(self._link(source, node, walk, borrow, depth))
                    continue
                # Most links: nothing inside, nothing blotted out.
                bars = node.bars
                raw = masked[begin + 2 : bars[0] if bars else start - 2]
                target = self._wiki.target(raw, source.title)
                if target is None:
                    pieces.append(self._no_reference(source, node, raw, walk, borrow, depth))
                    continue
                surface = (masked[bars[0] + 1 : start - 2].strip() or _pipe_trick(raw)) if bars else raw.strip(" :")
                self.mention(source, node, walk, target, surface)
                pieces.append(surface)
            elif node.kind == "template":
                pieces.append(self._templates.text(source, node, walk, borrow, depth + 1))
        if start < end:
            pieces.append(source.plain(start, end) if spans else masked[start:end])
        return "".join(pieces)

    def mention(self, source: Source, node: Node, walk: Walk, target: Target, surface: str) -> None:
        """Note a citation; one of a page that does not exist is reported, too."""
        if "''" in surface and "$" not in surface:
            surface = surface.replace("'''", "").replace("''", "")
        walk.mentions.append(MentionDraft(target.title, surface, walk.line_of(source, node.start)))
        if not target.exists:
            self.report(source, walk, node, "missing-page", f"cites a page that does not exist: {target.title}")

    def report(self, source: Source, walk: Walk, node: Node, rule: str, message: str) -> None:
        """Note something wrong, once a page."""
        key = (source.title, rule, message)
        if key not in self._reported:
            severity: Severity = "note" if rule == "missing-page" else "warning"
            line = walk.line_of(source, node.start)
            column = node.start - source.text.rfind("\n", 0, node.start) if source.line is None else 1
            self._reported[key] = Diagnostic(source.title, line, column, severity, rule, message)

    def _link(self, source: Source, node: Node, walk: Walk, borrow: bool, depth: int) -> str:
        masked = source.masked.text
        bar = node.bars[0] if node.bars else -1
        close = node.end - 2
        raw = masked[node.start + 2 : close if bar < 0 else bar]
        if node.children and "{{" in raw:
            raw = substituted(raw, source.title)
        target = self._wiki.target(raw, source.title)
        if target is None:
            return self._no_reference(source, node, raw, walk, borrow, depth)
        if node.children and any(child.kind == "link" for child in node.children):
            # Links do not nest: the inner one is the link, the outer one is text.
            return f"[[{self.walk(source, node.start + 2, close, node.children, walk, borrow, depth + 1)}]]"
        surface = raw.strip().lstrip(":")
        if bar >= 0:
            inner = Walk(position=walk.position, line=walk.line)
            surface = (
                self.walk(source, bar + 1, close, node.children, inner, borrow, depth + 1)
                if node.children
                else (source.plain(bar + 1, close))
            )
            surface = surface.strip() or _pipe_trick(raw)
        self.mention(source, node, walk, target, surface)
        return surface

    def _no_reference(self, source: Source, node: Node, raw: str, walk: Walk, borrow: bool, depth: int) -> str:
        """Read a link to a file, a category, a user, another site, or to nothing at all."""
        if self._wiki.category(raw) is not None:
            return ""
        title = self._wiki.rules.parse(raw, source.title)
        inside = (node.bars[0] + 1 if node.bars else node.start + 2, node.end - 2)
        if title is None:
            inside = (node.start + 2, node.end - 2)
            return f"[[{self.walk(source, *inside, node.children, walk, borrow, depth + 1)}]]"
        text = self.walk(source, *inside, node.children, walk, borrow, depth + 1)
        if self._wiki.is_picture(raw):
            # A caption is not part of the text, but what it cites is cited.
            return ""
        return text if node.bars else source.masked.text[slice(*inside)].strip().lstrip(":")


def _pipe_trick(raw: str) -> str:
    """Give what ``[[Definition:Group (Algebra)|]]`` shows."""
    name = raw.strip().lstrip(":").rpartition(":")[2]
    return name.partition(" (")[0] or name


def _start(node: Node) -> int:
    return node.start
