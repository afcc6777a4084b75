"""The leak check: no evaluation theorem is referred to in training, proved from the raw records of a corpus.

It shares nothing with the code that makes splits, so that a mistake there cannot hide here.
"""

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import LeakFound
from naturalproofs.records import StatementId
from naturalproofs.tasks.splits import SPLIT_NAMES, Splits


def check_no_leak(corpus: Corpus, splits: Splits) -> None:
    """Raise unless training and evaluation are disjoint and training never names an evaluation theorem."""
    evaluation = {theorem for part in (splits.valid, splits.test) for theorem, _ in part.examples}
    training = {theorem for theorem, _ in splits.train.examples}
    if both := evaluation & training:
        raise LeakFound(f"{min(both)} is both a training and an evaluation theorem")
    if both := {t for t, _ in splits.valid.examples} & {t for t, _ in splits.test.examples}:
        raise LeakFound(f"{min(both)} is both in valid and in test")
    absent = set(splits.train.absent)
    proofs_of: dict[StatementId, int] = {}
    for statement in corpus.statements:
        proofs_of[statement.id] = len(statement.proofs)
        if statement.id in absent:
            continue
        if statement.id in evaluation:
            raise LeakFound(f"the evaluation theorem {statement.id} is among the training references")
        proofs = (reference for proof in statement.proofs for reference in proof.references)
        for cited in (*statement.references, *proofs):
            if cited in evaluation:
                raise LeakFound(f"{statement.id} is for training and refers to the evaluation theorem {cited}")
    for name in SPLIT_NAMES:
        for theorem, index in splits.part(name).examples:
            if not 0 <= index < proofs_of.get(theorem, 0):
                raise LeakFound(f"{name} has an example ({theorem}, {index}) that the corpus does not have")
