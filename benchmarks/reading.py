r"""Whether pages show what the source says: raw keys, dropped words and raw formulas of statements and chapters.

    python benchmarks/reading.py PROJECT ... [--statements 20] [--chapters 5] [--seed 0] [--show 5]

Takes random statements and random chapters of each project as ``serve`` and ``site`` show them. *Keys*: texts in which
a label stands in place of what LaTeX would print. *Words*: words of at least four letters in the source; *dropped* are
those that stand nowhere in what is shown, formulas and folded sources included. The source is read here without the
project's reader: comments, commands, and the arguments of commands that print nothing are left out. *Raw*: formulas of
which some part is shown as source. ``--show`` prints that many of the dropped words and keys with their places.
"""

from __future__ import annotations

import argparse
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from naturalproofs.apps.web.site import CorpusPages
from naturalproofs.workspace import Workspace

_FORMULA = re.compile(r"<math[ >].*?</math>|<(code|pre) class=\"tex\">.*?</\1>", re.DOTALL)
_PLACEHOLDER = re.compile(r'<details class="source">.*?</details>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_SILENT = re.compile(
    r"\\begin\{comment\}.*?\\end\{comment\}|(?<!\\)%[^\n]*"
    r"|\\(?:begin|end|[a-zA-Z]*label|[a-zA-Z]*counter|ctikzset|tikzset|arabic|[a-zA-Z]*ref|[a-zA-Z]*cite[a-z]*|"
    r"[a-z]*index[a-z]*|includegraphics|input|include|[hv]space|color|vskip|hskip|pagestyle|markboth|addcontentsline|markright|"
    r"bibliography[a-z]*|setlength|lean|uses|proves|url|href|hyperref)(?![a-zA-Z])\*?"
    r"\s*(?:\[[^\]]*\]\s*)*(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)?(?:\[[^\]]*\])?"
    r"|\\[a-zA-Z@]+\*?|\\.",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]{4,}")
_KEY = re.compile(r"(?=.*[:_])[\w:.-]{5,}")


def shown(html: str) -> str:
    """All text of a page."""
    return unescape(_TAG.sub("", html))


def dropped(source: str, html: str) -> tuple[int, list[str]]:
    """How many words a source has, and those that are not shown."""
    words = _WORD.findall(_SILENT.sub(" ", source))
    text = folded(shown(html))
    return len(words), [word for word in words if folded(word) not in text]


def folded(text: str) -> str:
    """The letters of a text alone, without accents: ``\\'etale`` is shown as "étale"."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return re.sub(r"[\W_]+", "", plain).casefold()


def texts(pages: CorpusPages, statements: int, chapters: int, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """Place, source and HTML of what is shown."""
    corpus, renderer, work = pages.corpus, pages.renderer, pages.work
    for one in chance.sample(list(corpus.statements), min(statements, len(corpus.statements))):
        yield str(one.origin), one.text, renderer.statement(one)
    for chapter in chance.sample(work.chapters, min(chapters, len(work.chapters))):
        source = [part.text for part in chapter.parts if part.kind in ("text", "heading")]
        for one in chapter.statements:
            source += [one.text, *(proof.text for proof in one.proofs)]
        # A proof may stand in another chapter than its statement.
        html = [str(piece.html) for piece in work.pieces(chapter)]
        html += [str(renderer.proof(one, proof)) for one in chapter.statements for proof in one.proofs]
        yield f"chapter {chapter.title}", "\n".join(source), f"{chapter.title} {' '.join(html)}"


def main() -> None:
    """Print a row for each project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", type=Path, nargs="+")
    parser.add_argument("--statements", type=int, default=20)
    parser.add_argument("--chapters", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    print("| project | texts | with keys | words | dropped | formulas | raw |\n| --- |" + " ---: |" * 6)
    total: Counter[str] = Counter()
    for path in options.projects:
        home = Workspace.open(path).home
        labels = {key for key in home.anchors if _KEY.fullmatch(key)}
        counts: Counter[str] = Counter()
        notes: list[str] = []
        chance = random.Random(options.seed)
        for place, source, html in texts(CorpusPages(home, {}), options.statements, options.chapters, chance):
            visible = _PLACEHOLDER.sub(" ", html)
            formulas = [match.group() for match in _FORMULA.finditer(visible)]
            keys = labels.intersection(_KEY.findall(shown(_FORMULA.sub(" ", visible))))
            number, lost = dropped(source, html)
            raw = sum('class="tex"' in one for one in formulas)
            counts.update(texts=1, keys=bool(keys), words=number, dropped=len(lost), formulas=len(formulas), raw=raw)
            notes += [f"    {place}: {' '.join([*keys, *lost])[:110]}"] if keys or lost else []
        print(row(home.name, counts), *notes[: options.show], sep="\n", flush=True)
        total += counts
    print(row("all", total))


def row(name: str, counts: Counter[str]) -> str:
    """A row of the table."""
    columns = ("texts", "keys", "words", "dropped", "formulas", "raw")
    return f"| {name} | " + " | ".join(f"{counts[column]:,}" for column in columns) + " |"


if __name__ == "__main__":
    main()
