"""The author's habits: how often a proof that uses a term cites its definition."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import Proof, Statement, StatementId
from naturalproofs.workspace.lint.phrases import Phrase, dictionary, spoken_of


@dataclass(frozen=True, slots=True)
class Spoken:
    """A proof, what its prose speaks of, and by which phrases."""

    statement: Statement
    proof: Proof
    phrases: dict[StatementId, Phrase]
    cited: frozenset[StatementId]
    """What the theorem or the proof cites."""


@dataclass
class Habits:
    """Which definitions are usually cited where their terms are used."""

    proofs: list[Spoken] = field(default_factory=list)
    used: Counter[StatementId] = field(default_factory=Counter)
    cited: Counter[StatementId] = field(default_factory=Counter)

    @classmethod
    def of(cls, corpus: Corpus) -> Habits:
        """Go through all proofs once."""
        known = dictionary(corpus.statements)
        habits = cls()
        for statement in corpus.statements:
            for proof in statement.proofs:
                phrases: dict[StatementId, Phrase] = {}
                for key, phrase in spoken_of("\n".join(proof.lines), known):
                    phrases.setdefault(key, phrase)
                phrases.pop(statement.id, None)
                cited = frozenset((*statement.references, *proof.references))
                habits.proofs.append(Spoken(statement, proof, phrases, cited))
                habits.used.update(phrases.keys())
                habits.cited.update(key for key in phrases if key in cited)
        return habits

    def share(self, key: StatementId, spoken: Spoken, *, cites: bool | None = None) -> tuple[int, int]:
        """How many of the other proofs that use a term cite its definition, and how many use it.

        Args:
            key: The definition.
            spoken: The proof that is left out.
            cites: Whether that proof counts among the citing ones; as it does, if None.
        """
        own = key in spoken.cited if cites is None else cites
        return self.cited[key] - int(own), self.used[key] - 1
