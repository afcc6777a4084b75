"""Methods import only what they need."""

import subprocess
import sys

PROGRAM = """
import sys
from naturalproofs.ranking.registry import parse_ranker, ranker_names, ranker_spec
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

words = [f"word{n}" for n in range(9)]
passages = tuple(Passage(f"p:{n}", "theorem", "", " ".join((words * 2)[n % 9 : n % 9 + 4])) for n in range(60))
examples = tuple(TrainingExample(one, (passages[n % 7].id,)) for n, one in enumerate(passages[10:]))
train = TrainSet(passages, examples)
ranker = parse_ranker("hybrid(enough=20, questions=40, trees=3, dimensions=8, folds=2, pool=30)")
assert ranker_spec(ranker).startswith("hybrid(")
assert "joint" in ranker_names()
assert ranker.fit(train, seed=0).boosters is not None
print(sorted(name for name in sys.modules if name.startswith(("naturalproofs.ranking.neural", "torch"))))
"""


def test_training_and_naming_the_hybrid_imports_no_neural_method():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
