"""How many references in statements and proofs are shown by a key, and for how many of these a label exists.

    python benchmarks/names.py N PATH [PATH ...]

N texts that cite something are drawn at random from each project. A reference is a *name* if it prints what LaTeX
prints, a *place* if only the statement around its label is said, and a *key* where neither is known.
"""

import random
import re
import sys
from collections import Counter
from pathlib import Path

from naturalproofs.workspace import Workspace
from naturalproofs.workspace.render import named_citations

_KEY = re.compile(r"(?<![a-zA-Z])\[([^\[\]\s]+)\]")
_PLACE = re.compile(
    r"\b(?:equation|item|figure|table|section|float|other)? ?in "
    r"(?:[A-Z]\w+ [\d.]+(?![\w.])|section [\d.]+|chapter [\d.]+|“)"
)


def main() -> None:
    """Count."""
    size, paths = int(sys.argv[1]), sys.argv[2:]
    total: Counter[str] = Counter()
    print("| project | texts | references | names | places | keys | keys with a label |\n| --- |" + " ---: |" * 6)
    for path in paths:
        home = Workspace.open(Path(path)).home
        passages = [one for s in home.statements for one in (s, *s.proofs) if one.mentions]
        counts: Counter[str] = Counter()
        for one in random.Random(0).sample(passages, min(size, len(passages))):
            keys = {mention.target for mention in one.mentions if not mention.target.startswith("cite:")}
            written = named_citations(home, one.text, one.mentions, unknown=True)
            shown = [key for key in _KEY.findall(written) if any(each.endswith(key) for each in keys)]
            counts["texts"] += 1
            counts["references"] += len(keys)
            counts["places"] += len(_PLACE.findall(written))
            counts["keys"] += len(shown)
            labelled = [key for key in shown if key in home.anchors]
            counts["keys with a label"] += len(labelled)
            if labelled:
                anchors = [(key, home.anchors[key].kind) for key in labelled[:3]]
                print(f"  {home.name}: {anchors}", file=sys.stderr)
        print(_row(home.name, counts), flush=True)
        total += counts
    print(_row("all", total))


def _row(name: str, counts: Counter[str]) -> str:
    names = counts["references"] - counts["places"] - counts["keys"]
    figures = (
        counts["texts"],
        counts["references"],
        names,
        *(counts[one] for one in ("places", "keys", "keys with a label")),
    )
    return f"| {name} | " + " | ".join(map(str, figures)) + " |"


if __name__ == "__main__":
    main()
