"""What must hold for every corpus, whatever its source; checked when one is built."""

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import BadSchema


def check_corpus(corpus: Corpus) -> None:
    """Raise if ids repeat, a reference points nowhere, or two statements stand at one place."""
    known = {statement.id for statement in corpus.skeletons}
    if len(known) != len(corpus.skeletons):
        raise BadSchema(f"{corpus.name}: two statements share an id")
    positions = [s.position for s in corpus.skeletons if s.position is not None]
    if len(set(positions)) != len(positions):
        raise BadSchema(f"{corpus.name}: two statements stand at the same place")
    for statement in corpus.skeletons:
        cited = [*statement.references, *(r for references in statement.proofs for r in references)]
        missing = next((reference for reference in cited if reference not in known), None)
        if missing is not None:
            raise BadSchema(f"{corpus.name}: {statement.id} refers to {missing}, which does not exist")
