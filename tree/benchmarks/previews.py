r"""How faithful one-line previews are: labels of 200 previews of ten projects, read beside their source.

    python benchmarks/previews.py PROJECTS [--read] [--write]

``PROJECTS`` is a folder with an archive of each project, named in its ``INDEX.json``. ``data/previews.json`` names the
place of each statement, the label given to its preview, and a hash of the preview that was read: *faithful*, *junk*
(something that does not belong there, or source that is not understood), or *false* (it says something else). A
preview that has changed since counts as unread. ``--read`` prints the unread ones beside their source; ``--write``
stores the present hashes once they have been read and the labels corrected.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

from naturalproofs.workspace import Workspace
from naturalproofs.workspace.render import preview

LABELS = Path(__file__).parent / "data" / "previews.json"
WIDTH = 120


def main() -> None:
    """Count the labels of each project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", type=Path)
    parser.add_argument("--read", action="store_true", help="print the previews that have changed")
    parser.add_argument("--write", action="store_true", help="store the hashes of the present previews")
    arguments = parser.parse_args()
    index = {one["name"]: one for one in json.loads((arguments.projects / "INDEX.json").read_text("utf-8"))}
    labelled = json.loads(LABELS.read_text("utf-8"))
    print("| project | previews | faithful | junk | false | unread |\n| --- |" + " ---: |" * 5)
    total: Counter[str] = Counter()
    for name in dict.fromkeys(one["project"] for one in labelled):
        home = Workspace.open(arguments.projects / index[name]["archive"]).home
        places = {(one.origin.path, one.origin.line): one for one in home.statements if one.origin}
        counts: Counter[str] = Counter()
        for one in (one for one in labelled if one["project"] == name):
            statement = places.get((one["file"], one["line"]))
            shown = preview(statement, home.macros, WIDTH) if statement else ""
            found = sha256(shown.encode()).hexdigest()[:12]
            counts["previews"] += 1
            counts[one["label"] if found == one["preview"] else "unread"] += 1
            if found != one["preview"] and arguments.read:
                print(f"{one['file']}:{one['line']} ({one['label']})\n  {shown}")
                print("  " + " ".join(" ".join(statement.lines if statement else ()).split())[:300])
            one["preview"] = found
        print(_row(name, counts))
        total += counts
    print(_row("all", total))
    if arguments.write:
        LABELS.write_text(
            "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in labelled) + "\n]\n", "utf-8"
        )


def _row(name: str, counts: Counter[str]) -> str:
    columns = ("previews", "faithful", "junk", "false", "unread")
    return f"| {name} | " + " | ".join(str(counts[column]) for column in columns) + " |"


if __name__ == "__main__":
    main()
