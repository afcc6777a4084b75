"""What must hold for every corpus, whatever its source; checked when one is built."""

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import BadSchema


def check_corpus(corpus: Corpus) -> None:
    """Raise if ids repeat, a reference points nowhere, or two statements stand at one place."""
    known = corpus.by_id
    if len(known) != len(corpus.statements):
        raise BadSchema(f"{corpus.name}: two statements share an id")
    positions = [s.place.position for s in corpus.statements if s.place is not None]
    if len(set(positions)) != len(positions):
        raise BadSchema(f"{corpus.name}: two statements stand at the same place")
    for statement in corpus.statements:
        cited = [*statement.references, *(r for proof in statement.proofs for r in proof.references)]
        missing = next((reference for reference in cited if reference not in known), None)
        if missing is not None:
            raise BadSchema(f"{corpus.name}: {statement.id} refers to {missing}, which does not exist")
