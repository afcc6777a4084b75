"""The network of the autoregressive model: step by step over a joint model that stays as it is.

Each step cites something *new*, cites *again* what the proof cited before, or *ends* it. New references come from the
joint model, its theorem vector corrected by a decoder that has seen the proof so far, mixed with what the remembered
proofs cite that share most with theorem and proof. At first it is the joint model: all corrections begin at zero.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from naturalproofs.ranking.neural.bert import Shape, initialise
from naturalproofs.ranking.neural.decoder import Decoder
from naturalproofs.ranking.neural.losses import FAR
from naturalproofs.ranking.neural.memory import citing
from naturalproofs.ranking.neural.network import Network, Theorems
from naturalproofs.ranking.neural.prefixes import Prefixes
from naturalproofs.ranking.neural.steps import Asked, Choices, Following, Sought

_FEATURES = 5
_LEAST = 1e-9


class Sequencer(nn.Module):
    """A decoder over a joint network."""

    def __init__(
        self, network: Network, states: int, shape: Shape, *, layers: int, steps: int, dropout: float, seed: int
    ) -> None:
        super().__init__()
        self.network = network.requires_grad_(requires_grad=False)
        width = network.tower.width
        self.decoder = Decoder(shape, layers=layers, width=width, steps=steps, dropout=dropout, seed=seed)
        self.summary = nn.Linear(width, shape.width)
        self.look = nn.Linear(states, shape.width)
        self.pointer = nn.Linear(shape.width, shape.width)
        self.kind = nn.Linear(shape.width + _FEATURES, 3)
        self.share = nn.Linear(shape.width, 1)
        generator = torch.Generator().manual_seed(seed + 1)
        initialise((self.summary, self.look, self.pointer, self.kind, self.share), generator)
        nn.init.zeros_(self.share.weight)
        self.begin = nn.Parameter(torch.zeros(width))
        self.sharpness = nn.Parameter(network.sharpness.detach().clone())
        self.focus = nn.Parameter(torch.zeros(()))
        """How much sharper the memory is searched than by the joint model."""
        self.boost = nn.Parameter(torch.ones(2))
        """How much nearer a proof is for each reference that it shares, and for the last one."""
        self.habit = nn.Parameter(torch.tensor([0.5, 0.0]))
        """How much less a reference is cited again for each that came after, and more for each time it was."""

    def train(self, mode: bool = True) -> Sequencer:
        """Train, or not; the joint model never drops anything out."""
        super().train(mode)
        self.network.eval()
        return self

    def asked(self, theorems: Theorems, own: Tensor, keys: Tensor | None) -> Asked:
        """Prepare theorems.

        Args:
            theorems: As the joint model reads them.
            own: Their places among the references of training, −1 for a stranger.
            keys: What the memory is searched by, computed once.
        """
        with torch.no_grad():
            vectors = self.network.queries(theorems)
            memory, count = self.network.memory, len(vectors)
            near, share = vectors.new_zeros(count, 0), vectors.new_zeros(count)
            if memory is not None and keys is not None:
                cosines = memory.cosines(theorems.features, keys)
                hidden = memory.hidden(own)
                near = memory.scale * cosines.masked_fill(hidden, FAR)
                share = memory.share(cosines, hidden)
        return Asked(Sought(vectors, near, share), theorems.states, theorems.mask)

    def states(self, asked: Asked, given: Tensor) -> tuple[Tensor, Tensor]:
        """States at every step, and the references given as the decoder sees them; all may be of one theorem."""
        summary = self.summary(asked.sought.vectors)[:, None]
        theorem = torch.cat([summary, self.look(asked.states)], dim=1)
        mask = torch.cat([asked.mask.new_ones(len(summary), 1), asked.mask], dim=1)
        before = torch.cat([self.begin.expand(len(given), 1, -1), given], dim=1)
        entered = self.decoder.enter(before)
        return self.decoder(entered + summary, theorem, mask), entered[:, 1:]

    def following(
        self, sought: Sought, states: Tensor, entered: Tensor, prefixes: Prefixes, choices: Choices, banned: Tensor
    ) -> Following:
        """What comes next.

        Args:
            sought: What is looked for, by row.
            states: The decoder's state of each row.
            entered: What the prefix's references are to the decoder.
            prefixes: What was cited so far.
            choices: What can be cited.
            banned: By row and reference, what may not be: the theorem itself.
        """
        query = functional.normalize(sought.vectors + self.decoder.leave(states), dim=1)
        scores = self.sharpness.exp().clamp(max=100.0) * (query @ choices.matrix.T) + choices.bias
        used = prefixes.marked(banned)
        new = scores.masked_fill(used, FAR).log_softmax(dim=1)
        recalled = self._attention(sought, prefixes, choices.values) if choices.values is not None else None
        if recalled is not None and choices.values is not None:
            found = torch.sparse.mm(choices.values, recalled.T).T
            spent = torch.where(used, found, 0.0).sum(dim=1, keepdim=True)
            found = found.masked_fill(used, 0.0) / (1 - spent).clamp(min=0.05)
            share = choices.share * torch.sigmoid(sought.share[:, None] + self.share(states))
            share = share.clamp(1e-6, 1 - 1e-6)
            new = torch.logaddexp(new + (1 - share).log(), found.clamp(min=_LEAST).log() + share.log())
            new = new.masked_fill(used, FAR)
        kind = self.kind(torch.cat([states, self._features(recalled, new, prefixes)], dim=1))
        # The first step cites something.
        first = (prefixes.lengths == 0)[:, None] & torch.tensor([False, True, True], device=kind.device)
        kind = kind.masked_fill(first, FAR).log_softmax(dim=1)
        return Following(kind, new, self._again(states, entered, prefixes))

    def _attention(self, sought: Sought, prefixes: Prefixes, values: Tensor) -> Tensor:
        """How much each remembered proof counts: by the theorem, and by what it shares with the proof so far."""
        row, place = torch.where(prefixes.last)
        which, proofs = citing(values, prefixes.tokens[row, place])
        recent = (place == prefixes.lengths[row] - 1)[which]
        boost = self.boost[0] + self.boost[1] * recent
        near = (self.focus.exp() * sought.near).index_put((row[which], proofs), boost, accumulate=True)
        return near.softmax(dim=1)

    def _features(self, recalled: Tensor | None, new: Tensor, prefixes: Prefixes) -> Tensor:
        """What tells whether a proof is over: above all, how long those of like theorems are."""
        with torch.no_grad():
            length = prefixes.lengths.to(new.dtype)
            end, expected = torch.zeros_like(length), torch.zeros_like(length)
            if recalled is not None and self.network.memory is not None:
                proofs = self.network.memory.lengths
                longer = torch.where(proofs >= length[:, None], recalled, 0.0).sum(dim=1)
                over = torch.where(proofs == length[:, None], recalled, 0.0).sum(dim=1)
                end, expected = torch.logit((over + 0.02) / (longer + 0.04)), recalled @ proofs
            best = new.amax(dim=1) if new.shape[1] else end
            return torch.stack([end, expected.log1p(), length.log1p(), best, prefixes.repeats.to(new.dtype)], dim=1)

    def _again(self, states: Tensor, entered: Tensor, prefixes: Prefixes) -> Tensor:
        likes = torch.einsum("nd,npd->np", self.pointer(states), entered) / entered.shape[2] ** 0.5
        likes = likes - self.habit[0] * prefixes.back + self.habit[1] * prefixes.count
        found: Tensor = likes.masked_fill(~prefixes.last, FAR).log_softmax(dim=1)
        return found


def narrow(shape: Shape, width: int) -> Shape:
    """The shape of a decoder of another width than its encoder."""
    heads = max(1, width // 64)
    return replace(shape, width=width, heads=heads, inner=3 * width)
