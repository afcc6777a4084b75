"""Golden cases: reviewable text files of inputs and expected outputs.

A file holds cases of the form::

    == name
    --- vocabulary full        (optional settings)
    --- input
    text
    --- tokens
    expected
"""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Case:
    file: str
    name: str
    settings: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)


def read_cases(path: Path) -> list[Case]:
    """The cases of one file; a part ends at the next mark, without its last newline and blank line."""
    cases: list[Case] = []
    for block in ("\n" + path.read_text("utf-8")).split("\n== ")[1:]:
        name, _, rest = block.partition("\n")
        case = Case(path.stem, name.strip())
        for part in ("\n" + rest).split("\n--- ")[1:]:
            head, _, body = part.partition("\n")
            key, _, value = head.strip().partition(" ")
            if value:
                case.settings[key] = value
            else:
                case.parts[key] = body.rstrip("\n")
        cases.append(case)
    return cases
