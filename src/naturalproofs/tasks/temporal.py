"""The temporal task: train on an older version of a corpus, and ask about every theorem that is new in the newer one.

Statements of the two versions are the same if they have the same label. Training sees the older texts and proofs only;
the candidates are the statements of the newer version.
"""

from __future__ import annotations

from dataclasses import replace

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.store import content_hash
from naturalproofs.records import Mention, Place, Split, Statement, StatementId
from naturalproofs.tasks.dataset import RetrievalTask, TrainingExample, retrieval_task, train_set
from naturalproofs.tasks.protocols import WHOLE, Protocol, TextView
from naturalproofs.tasks.splits import Splits

NEW = "new"
"""The name of the split: what the older version does not have."""


def temporal_splits(old: Corpus, new: Corpus) -> Splits:
    """All examples of the newer version whose theorem the older one lacks; training is elsewhere."""
    known = {statement.label for statement in old.statements}
    asked = [(e.theorem, e.proof) for e in new.examples if new.by_id[e.theorem].label not in known]
    return Splits(f"temporal(older={content_hash(old)[:12]})", Split(), Split(), Split(tuple(asked)))


def temporal_task(old: Corpus, new: Corpus, protocol: Protocol, *, view: TextView = WHOLE) -> RetrievalTask:
    """The task of what is new, with all examples of the older version for training.

    Args:
        old: The older version.
        new: The newer version.
        protocol: Which statements are candidates and what a method sees; earlier proofs are those that stand before
            the query in the newer version.
        view: Which parts of theorems and candidates a method sees.
    """
    task = retrieval_task(new, temporal_splits(old, new), "test", protocol, view=view)
    older = _with_ids_of(old, new)
    whole = Splits("all", Split(tuple((e.theorem, e.proof) for e in older.examples)), Split(), Split())
    train = train_set(older, whole, protocol, view)
    if protocol.proofs == "earlier training":
        train = replace(train, memory=_placed(train.examples, new))
    elif train.memory is not None:
        train = replace(train, memory=task.train.memory)
    return replace(task, name=f"{new.name}/{NEW}", train=train)


def _placed(examples: tuple[TrainingExample, ...], new: Corpus) -> tuple[TrainingExample, ...]:
    """The proofs at the places of their theorems in the newer version; without those of theorems that are gone."""
    places: dict[StatementId, Place | None] = {statement.id: statement.place for statement in new.statements}
    return tuple(
        replace(one, theorem=replace(one.theorem, place=places[one.theorem.id]))
        for one in examples
        if one.theorem.id in places
    )


def _with_ids_of(old: Corpus, new: Corpus) -> Corpus:
    """The older version with the ids that the newer one gives to the same labels."""
    same = {statement.label: statement.id for statement in new.statements}
    ids = {s.id: same.get(s.label, f"{new.name}:{s.id.partition(':')[2]}") for s in old.statements}

    def renamed(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
        return tuple(replace(m, reference=ids[m.reference]) if m.reference else m for m in mentions)

    def statement(one: Statement) -> Statement:
        proofs = tuple(replace(proof, mentions=renamed(proof.mentions)) for proof in one.proofs)
        return replace(one, id=ids[one.id], mentions=renamed(one.mentions), proofs=proofs)

    return replace(old, name=new.name, statements=tuple(map(statement, old.statements)))
