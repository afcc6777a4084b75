"""A world whose proofs are known: each topic has two results, and what a theorem says tells which of them it cites."""

import numpy as np

from naturalproofs.records import Passage, Place
from naturalproofs.tasks.dataset import TrainingExample

TOPICS = 12


def place(position):
    """A place in the one book there is."""
    return Place("book", "1", "1", position)


def world(theorems=300, seed=0):
    """The results, and theorems of which those that say "both" cite both, in order, the others only the first."""
    rng = np.random.default_rng(seed)
    results = [
        Passage(
            f"w:t{topic}-{part}", "theorem", "", f"topic{topic} part{part} topic{topic}", (), place(2 * topic + part)
        )
        for topic in range(TOPICS)
        for part in range(2)
    ]
    examples = []
    for number in range(theorems):
        topic, both = int(rng.integers(TOPICS)), bool(rng.integers(2))
        text = f"topic{topic} " + ("both part0 part1" if both else "single part0")
        theorem = Passage(f"w:q{seed}-{number}", "theorem", "", text, (), place(100 + number))
        examples.append(TrainingExample(theorem, (f"w:t{topic}-0", f"w:t{topic}-1") if both else (f"w:t{topic}-0",)))
    return results, examples
