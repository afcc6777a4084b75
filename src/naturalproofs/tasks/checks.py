"""Checks of splits: they name what the corpus has, and no evaluation theorem leaks into training.

The checks read the raw records and share no code with the making of splits, so that a mistake there is found here.
"""

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import BadSchema, LeakFound
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits


def check_splits(corpus: Corpus, splits: Splits) -> None:
    """Raise unless every example is a proof of the corpus and every absent statement is one of its statements."""
    proofs = {statement.id: len(statement.proofs) for statement in corpus.statements}
    for name in SPLIT_NAMES:
        part = splits.part(name)
        for theorem, index in part.examples:
            if not 0 <= index < proofs.get(theorem, 0):
                raise BadSchema(f"{corpus.name}: split {name} names proof {index} of {theorem}, which does not exist")
        for statement in part.absent:
            if statement not in proofs:
                raise BadSchema(f"{corpus.name}: split {name} names statement {statement}, which does not exist")


def check_no_leak(corpus: Corpus, splits: Splits) -> None:
    """Raise unless training and evaluation are disjoint and training never names an evaluation theorem."""
    evaluation = {theorem for part in (splits.valid, splits.test) for theorem, _ in part.examples}
    training = {theorem for theorem, _ in splits.train.examples}
    if both := evaluation & training:
        raise LeakFound(f"{min(both)} is both a training and an evaluation theorem")
    if both := {t for t, _ in splits.valid.examples} & {t for t, _ in splits.test.examples}:
        raise LeakFound(f"{min(both)} is both in valid and in test")
    absent = set(splits.train.absent)
    for statement in corpus.statements:
        if statement.id in absent:
            continue
        if statement.id in evaluation:
            raise LeakFound(f"the evaluation theorem {statement.id} is among the training references")
        proofs = (reference for proof in statement.proofs for reference in proof.references)
        for cited in (*statement.references, *proofs):
            if cited in evaluation:
                raise LeakFound(f"{statement.id} is for training and refers to the evaluation theorem {cited}")
