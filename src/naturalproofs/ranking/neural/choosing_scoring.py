"""Asking the models that choose from a matrix of references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch

from naturalproofs.ranking.contract import Scores
from naturalproofs.ranking.neural.batching import Texts, by_length
from naturalproofs.ranking.neural.core import bare, vectors
from naturalproofs.ranking.neural.losses import FAR
from naturalproofs.ranking.neural.memory import mixed
from naturalproofs.ranking.neural.network import Network
from naturalproofs.ranking.neural.reading import budget, device_of, evaluating
from naturalproofs.ranking.neural.references import Rows
from naturalproofs.ranking.neural.storage import story
from naturalproofs.records import Passage, StatementId

if TYPE_CHECKING:
    from naturalproofs.ranking.neural.choosing_training import Chooser


def candidate_rows(chooser: Chooser, candidates: Sequence[Passage]) -> Rows:
    """Rows and biases of candidates."""
    table = chooser.network.table
    texts = vectors(chooser.core.reader, table.reference, candidates, chooser.reference_name)
    return table.rows([candidate.id for candidate in candidates], texts)


def reads_pooled(network: Network) -> bool:
    """Whether pooled states are all that a network needs of a theorem."""
    return bare(network.tower) and network.decoder is None


def first_scores(network: Network, texts: Texts, rows: Rows, asked: Sequence[StatementId]) -> Scores:
    """Scores of all candidates at the first step.

    Args:
        network: The model.
        texts: The theorems.
        rows: The candidates.
        asked: The theorems' names: one that is a candidate takes no probability from others.
    """
    device = device_of(network)
    matrix, bias = torch.from_numpy(rows.matrix).to(device), torch.from_numpy(rows.bias).to(device)
    memory = network.memory
    values = memory.values(network.table.ids, rows.ids) if memory is not None else None
    known = {key: place for place, key in enumerate(network.table.ids)} if memory is not None else {}
    column = {key: place for place, key in enumerate(rows.ids)}
    found = np.zeros((len(texts), len(rows.ids)), dtype=np.float32)
    with torch.inference_mode(), evaluating(network):
        for block in by_length(texts.lengths, budget(device)):
            theorems = network.read(texts.batch(block).to(device))
            scores = network.scores(network.queries(theorems), matrix, bias)
            if memory is not None and values is not None:
                itself = [
                    (place, column[asked[row]]) for place, row in enumerate(block.tolist()) if asked[row] in column
                ]
                for cell in itself:
                    scores[cell] = FAR
                own = torch.tensor([known.get(asked[row], -1) for row in block.tolist()], device=device)
                recalled, weight = memory.recall(theorems.features, values, own)
                scores = mixed(scores, recalled, weight * network.memory_share)
                for cell in itself:
                    scores[cell] = FAR
            found[block] = scores.float().cpu().numpy()
    return found


def card(about: str, chooser: Chooser) -> str:
    """For the model card."""
    settings = chooser.settings
    begins = {
        "none": "It begins from the encoder as it is, its references at random.",
        "thm": "Its theorem tower begins from a pairwise model, its references at random.",
        "thm+refs": "Its theorem tower and its references begin from a pairwise model.",
    }[settings.init]
    learns = []
    if settings.train_references:
        learns.append("the map of reference vectors")
    if settings.row_rate:
        learns.append("a free vector for each reference")
    if settings.train_bias:
        learns.append("a bias for each")
    rows = f"Of the references it learns {' and '.join(learns) or 'nothing'}."
    count = f"It knows {len(chooser.network.table.ids):,} references; others are scored by their text."
    return f"{about} {begins} {rows} {count}\n\n{story(settings, chooser.progress)}"
