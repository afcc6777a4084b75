"""Statements as HTML, packed by chapter, so that a page of fifteen thousand opens at once."""

import base64
import zlib
from collections.abc import Sequence
from html import escape

import msgspec

from naturalproofs.corpus.graph.drawing import statement_node
from naturalproofs.latex.display import Formulas, Macro, Prose
from naturalproofs.records import Statement, StatementId

_SHORT = frozenset({"ref", "eqref", "labelcref"})
"""Commands that print the number alone."""


class Texts:
    """Renders statements whose references lead to other nodes of the page."""

    def __init__(self, statements: Sequence[Statement], macros: dict[str, Macro]) -> None:
        """Bind the statements that can be linked to, in the order of the page's nodes."""
        self._index = {statement.id: index for index, statement in enumerate(statements)}
        self._statements = statements
        self._formulas = Formulas(macros)

    def html(self, statement: Statement) -> str:
        """One statement."""
        cited = {mention.target: mention.reference for mention in statement.mentions if mention.reference is not None}

        def link(key: str, command: str, shown: str | None) -> str | None:
            target = cited.get(key) or next((cited[name] for name in cited if name.endswith(f"-{key}")), None)
            return self._link(target, command, shown) if target is not None else None

        return Prose(self._formulas, link).render("\n".join(statement.lines))

    def packed(self, statements: Sequence[Statement]) -> str:
        """Several statements as compressed JSON, in letters that HTML lets alone."""
        texts = msgspec.json.encode([self.html(statement) for statement in statements])
        return base64.b64encode(zlib.compress(texts, 9)).decode()

    def _link(self, target: StatementId, command: str, shown: str | None) -> str | None:
        index = self._index.get(target)
        if index is None:
            return None
        statement = self._statements[index]
        name = statement.number if command in _SHORT and statement.number else statement_node(statement).short
        return f'<a href="#" data-node="{index}">{shown or escape(name)}</a>'
