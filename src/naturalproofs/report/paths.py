"""Reading paths and impacts as text."""

from collections.abc import Sequence

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.records import StatementId
from naturalproofs.report.statement import headline
from naturalproofs.workspace.paths import ReadingPath


def path_text(corpus: Corpus, path: ReadingPath) -> str:
    """A numbered list, the layer at the left, each line saying what it rests on by number."""
    number = {step.id: position for position, step in enumerate(path.steps, start=1)}
    lines = [f"To read before {headline(corpus.by_id[path.steps[-1].id])}:", ""]
    for step in path.steps:
        rests = ", ".join(map(str, sorted(number[key] for key in step.uses)))
        lines.append(
            f"{number[step.id]:>4}.  layer {step.layer:<3} {headline(corpus.by_id[step.id])}"
            + (f"  ← {rests}" if rests else "")
        )
    if path.known:
        lines += ["", "Known already:", *(f"  {headline(corpus.by_id[key])}" for key in path.known)]
    if path.cut_at is not None:
        lines += ["", f"Cut at distance {path.cut_at}: going on would bring in too much; see --most and --known."]
    return "\n".join(lines)


def impact_text(corpus: Corpus, node: StatementId, found: Sequence[tuple[StatementId, int]]) -> str:
    """What rests on a statement, by distance."""
    name = headline(corpus.by_id[node])
    if not found:
        return f"Nothing rests on {name}."
    lines = [f"{len(found):,} statements rest on {name}:", ""]
    return "\n".join([*lines, *(f"  {distance:>3}  {headline(corpus.by_id[key])}" for key, distance in found)])
