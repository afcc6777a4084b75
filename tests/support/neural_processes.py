"""Programs that the neural tests run in processes of their own."""

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import save_file

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import build
from naturalproofs.data import primer_folder
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.neural import training
from naturalproofs.ranking.neural.autoregressive_training import AutoregressiveLearner, new_sequencer
from naturalproofs.ranking.neural.choosing_training import begin
from naturalproofs.ranking.neural.core import new_core
from naturalproofs.ranking.neural.examples import Examples
from naturalproofs.ranking.neural.joint_training import JointLearner, remember
from naturalproofs.ranking.neural.pairwise_learner import PairwiseLearner
from naturalproofs.ranking.neural.pairwise_learner import Plan as PairPlan
from naturalproofs.ranking.neural.team import Team
from naturalproofs.ranking.neural.two_towers import TwoTowers
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.source import source
from naturalproofs.tasks.dataset import TrainSet, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import leaf_split

LEARNERS = (
    "pairwise(size='tiny', dropout=0.0)",
    "pairwise(size='tiny', dropout=0.0, loss='set', against='all', shared=True, negatives=10)",
    "pairwise(size='tiny', dropout=0.0, loss='paper')",
    "joint(size='tiny', dropout=0.0, init='thm', memory=False, negatives=10, decoder_layers=1, decoder_dropout=0.0)",
    "joint(size='tiny', dropout=0.0, epochs=1, train_layers=0)",
    "autoregressive(size='tiny', dropout=0.0, epochs=1, decoder_layers=1, decoder_dropout=0.0)",
)


def say(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def small_set():
    """The same 40 examples as the fixture of the tests."""
    primer = build(source("latex"), primer_folder(), name="primer").corpus
    task = retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "valid", protocol("accessible"))
    examples = task.train.examples[:40]
    wanted = {key for example in examples for key in (example.theorem.id, *example.references)}
    return TrainSet(tuple(p for p in task.train.passages if p.id in wanted), examples), task


def learner_of(spec, train):
    settings = parse_ranker(spec)
    examples = Examples.of(train)
    if spec.startswith("pairwise"):
        core = new_core(settings, examples.passages, seed=0)
        model = TwoTowers(core.tower, shared=settings.shared, temperature=0.05)
        return PairwiseLearner(settings, model, core.reader, examples, None, 0)
    with tempfile.TemporaryDirectory() as folder:
        context = TrainContext(Path(folder) / "c")
        if spec.startswith("autoregressive"):
            chooser = replace(settings.first, epochs=1, init="none").train(train, seed=0, context=context).chooser
            sequencer = new_sequencer(settings, chooser, 0)
            wake(sequencer.decoder)
            return AutoregressiveLearner(settings, chooser, sequencer, examples, None, 0)
        begun = begin(settings, train, examples, 0, context)
    if begun.network.decoder is not None:
        wake(begun.network.decoder)
    learner = JointLearner(begun.settings, begun.network, begun.core.reader, examples, None, 0)
    if begun.settings.memory:
        remember(learner, begun.settings)
    return learner


def wake(decoder):
    """At the very beginning the decoder's last map is zero, and nothing would reach what is below it."""
    torch.nn.init.normal_(decoder.leave.weight, std=0.1, generator=torch.Generator().manual_seed(1))


def gradients(learner, team):
    """Of the first batch, by all processes together."""
    torch.manual_seed(0)
    module = learner.module.train()
    learner.prepare(0)
    plan = max(learner.plans(0), key=lambda each: len(each.theorems if isinstance(each, PairPlan) else each.rows))
    loss, _ = learner.loss(plan, team)
    loss.backward()
    team.average(module.parameters())
    return {name: p.grad.clone() for name, p in module.named_parameters() if p.grad is not None and p.grad.any()}


def save_gradients(fabric, folder):
    torch.set_num_threads(1)
    team = Team(fabric)
    train, _ = small_set()
    for number, spec in enumerate(LEARNERS):
        found = gradients(learner_of(spec, train), team)
        if team.leads:
            save_file(found, Path(folder) / f"{number}.safetensors")


def train_until_killed(folder):
    """Train and say every step; the parent kills this process."""
    training.CHECKPOINT_SECONDS = 0.0
    torch.set_num_threads(1)
    train, task = small_set()
    spec = os.environ["SPEC"]
    context = TrainContext(Path(folder), task, progress=lambda _done, _total, message: say(message))
    parse_ranker(spec).train(train, seed=7, context=context)


def train_together(folder):
    torch.set_num_threads(2)
    train, task = small_set()
    said = []
    context = TrainContext(Path(folder) / "checkpoints", task, progress=lambda *step: said.append(step))
    fitted = parse_ranker("pairwise(size='tiny', epochs=1, processes=2)").train(train, seed=0, context=context)
    say(f"{len(said)} {fitted.progress.step}")


if __name__ == "__main__":
    what, where = sys.argv[1:]
    if what == "kill":
        train_until_killed(where)
    else:
        from lightning_fabric import Fabric

        Fabric(accelerator="cpu", devices=2, strategy="ddp_spawn").launch(save_gradients, where)
        train_together(where)
