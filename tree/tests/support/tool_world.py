"""A made-up world in which proofs are predictable: theorems about a topic cite that topic's tools."""

import random

from naturalproofs.records import Passage, Place
from naturalproofs.tasks.dataset import TrainingExample, TrainSet

TOPICS = [
    "flat module tensor exact",
    "sheaf section gluing cover",
    "prime ideal spectrum localization",
    "group subgroup quotient normal",
    "compact open closed dense",
    "limit sequence bounded monotone",
]
TOOLS = 12


def make_world(theorems: int, *, placed: bool = False, seed: int = 0, prefix: str = "t") -> TrainSet:
    """Tools of every topic, and theorems whose proofs cite two tools of their topic."""
    chance = random.Random(seed)
    made: list[Passage] = []

    def add(key: str, title: str, text: str) -> Passage:
        place = Place("book", "chapter", f"section {len(made) // 10}", len(made)) if placed else None
        made.append(Passage(key, "theorem", title, text, (), place))
        return made[-1]

    for number, topic in enumerate(TOPICS):
        for tool in range(TOOLS):
            words = topic.split()
            add(
                f"w:{number}-{tool}",
                f"tool{number}x{tool} {words[tool % 4]}",
                f"A {words[0]} $\\Tool_{{{tool}}}$ is {words[1]}.",
            )
    examples = []
    for count in range(theorems):
        number = chance.randrange(len(TOPICS))
        words = TOPICS[number].split()
        chance.shuffle(words)
        first = chance.randrange(3)
        theorem = add(
            f"w:{prefix}{count}",
            f"t{count} kind{first}",
            f"Every {words[0]} {words[1]} kind{first} has a {words[2]}.",
        )
        cited = (f"w:{number}-{first}", f"w:{number}-{first + 3}")
        examples.append(TrainingExample(theorem, cited))
    return TrainSet(tuple(made), tuple(examples))
