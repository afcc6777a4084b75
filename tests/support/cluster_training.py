"""The training queries of a hybrid ranker, scored here and on a cluster of two nodes: the features are the same.

Run as a script, ``cluster_training.py FOLDER``, by a process of its own: what Ray starts ends with it.
"""

import sys
from pathlib import Path

import numpy as np

from naturalproofs.benchmark.make import Recipe, make_splits
from naturalproofs.corpus.load import build
from naturalproofs.data import primer_folder
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.hybrid.ranker import Hybrid
from naturalproofs.sources.registry import source
from naturalproofs.tasks.dataset import train_set
from naturalproofs.tasks.protocols import protocol
from support.ray_cluster import two_nodes


def compare_training_tables(folder: Path) -> None:
    """Make both tables."""
    primer = build(source("latex"), primer_folder(), name="primer")
    train = train_set(primer, make_splits(primer, Recipe("leaf", 0, 1.0, None)), protocol("clean"))
    settings = Hybrid(enough=1, questions=24, folds=2, dimensions=16, pool=50)
    here = settings.training_table(train, seed=0)
    with two_nodes() as cluster:
        there = settings.training_table(train, seed=0, context=TrainContext(folder, cluster=cluster.address))
    assert here is not None
    assert there is not None
    for one, other in zip((*here.pools, *here.held_out), (*there.pools, *there.held_out), strict=True):
        assert one.names == other.names
        assert one.example == other.example
        assert np.array_equal(one.values, other.values)
        assert np.array_equal(one.weights, other.weights)


if __name__ == "__main__":
    compare_training_tables(Path(sys.argv[1]))
