"""Small data and one thread for the neural tests; nothing is kept outside the test's folder."""

import pytest

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.tasks.dataset import TrainSet, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import leaf_split

torch = pytest.importorskip("torch", reason="needs the extra 'neural'")


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NATURALPROOFS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def task(primer):
    return retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "valid", protocol("accessible"))


@pytest.fixture(scope="session")
def few(task):
    """A training set of 40 examples."""
    examples = task.train.examples[:40]
    wanted = {key for example in examples for key in (example.theorem.id, *example.references)}
    return TrainSet(tuple(p for p in task.train.passages if p.id in wanted), examples)
