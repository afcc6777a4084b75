"""Programs that the neural tests run in processes of their own."""

import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import save_file

from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.corpus.load import build
from naturalproofs.data import primer_folder
from naturalproofs.ranking.contract import TrainContext
from naturalproofs.ranking.neural import train as training
from naturalproofs.ranking.neural.autoregressive import AutoregressiveTraining, new_network
from naturalproofs.ranking.neural.encode import new_towers
from naturalproofs.ranking.neural.joint import JointTraining, untrained_joint
from naturalproofs.ranking.neural.methods import Joint, Pairwise, first_stage
from naturalproofs.ranking.neural.pairwise import PairwiseTraining, TwoTowers
from naturalproofs.ranking.neural.train import Examples, TrainingData, new_fabric
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.sources.registry import source
from naturalproofs.tasks.dataset import TrainSet, retrieval_task
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import leaf_split

MODULES = (
    "pairwise(size='tiny', dropout=0.0)",
    "pairwise(size='tiny', dropout=0.0, negatives=10)",
    "pairwise(size='tiny', dropout=0.0, loss='paper')",
    "joint(size='tiny', dropout=0.0, init='thm', memory=False, negatives=10)",
    "joint(size='tiny', dropout=0.0, epochs=1, train_layers=0)",
    "autoregressive(size='tiny', dropout=0.0, epochs=1, decoder_layers=1, decoder_dropout=0.0)",
)
TRAINED = "pairwise(size='tiny', epochs=2, dropout=0.0, learning_rate=0.001, batch_tokens=1500)"
BLOCK_AFTER = 5


def say(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def small_set():
    """The same 40 examples as the fixture of the tests."""
    primer = build(source("latex"), primer_folder(), name="primer")
    task = retrieval_task(primer, leaf_split(primer, ReferenceGraph.of(primer)), "valid", protocol("accessible"))
    examples = task.train.examples[:40]
    wanted = {key for example in examples for key in (example.theorem.id, *example.references)}
    return TrainSet(tuple(p for p in task.train.passages if p.id in wanted), examples), task


def training_module(spec, train):
    settings = parse_ranker(spec)
    examples = Examples.of(train)
    if spec.startswith("pairwise"):
        frozen, tower = new_towers(settings, examples.passages, 0)
        return PairwiseTraining(settings, TwoTowers(tower), TrainingData(frozen, examples, None, 0))
    if spec.startswith("autoregressive"):
        joint = replace(Joint(**first_stage(settings)), epochs=1, init="none").fit(train, seed=0)
        network = new_network(settings, joint.network, joint.frozen, 0)
        # The decoder's output map starts at zero, so that no gradient would reach the layers below it.
        torch.nn.init.normal_(network.decoder.leave.weight, std=0.1, generator=torch.Generator().manual_seed(1))
        return AutoregressiveTraining(settings, joint, network, TrainingData(joint.frozen, examples, None, 0))
    first = Pairwise(**first_stage(settings)).fit(train, seed=0)
    frozen, network = untrained_joint(settings, first, examples, 0)
    return JointTraining(settings, network, TrainingData(frozen, examples, None, 0))


def gradients(module, fabric):
    """Of the largest batch, by all processes together."""
    torch.manual_seed(0)
    module.fabric = fabric
    wrapped = fabric.setup(module)
    module.train()
    module.on_epoch_start(0)
    batch = max(module.batches(0), key=lambda each: len(each[0]))
    fabric.backward(wrapped(batch))
    return {name: p.grad.clone() for name, p in module.named_parameters() if p.grad is not None and p.grad.any()}


def trained_weights(spec, folder):
    """The weights of a model, and how often progress was reported."""
    train, task = small_set()
    reports = []
    context = TrainContext(Path(folder) / "checkpoints", task, progress=lambda *step: reports.append(step))
    fitted = parse_ranker(spec).train(train, seed=0, context=context)
    return fitted.model.state_dict(), len(reports)


def train_until_killed(folder):
    """Train, and block after some steps; the parent kills this process."""
    training.CHECKPOINT_SECONDS = 0.0
    torch.set_num_threads(1)
    train, task = small_set()
    said = []

    def report(_done, _total, message):
        said.append(message)
        say(message)
        if len(said) == BLOCK_AFTER:
            threading.Event().wait()

    context = TrainContext(Path(folder), task, progress=report)
    parse_ranker(os.environ["SPEC"]).train(train, seed=7, context=context)


def train_on_processes(folder):
    """Two processes that are started here."""
    torch.set_num_threads(2)
    weights, reports = trained_weights(TRAINED.replace(")", ", processes=2)"), folder)
    save_file(weights, Path(folder) / "trained.safetensors")
    say(reports)


def train_on_node(folder):
    """One of two nodes, with one process each: gradients of every model, and a trained one."""
    torch.set_num_threads(1)
    train, _ = small_set()
    modules = [training_module(spec, train) for spec in MODULES]
    fabric = new_fabric(1, 2)
    fabric.launch()
    for number, module in enumerate(modules):
        found = gradients(module, fabric)
        if fabric.is_global_zero:
            save_file(found, Path(folder) / f"{number}.safetensors")
    weights, _ = trained_weights(TRAINED.replace(")", ", num_nodes=2)"), folder)
    save_file(weights, Path(folder) / f"node-{fabric.node_rank}.safetensors")


if __name__ == "__main__":
    {"kill": train_until_killed, "processes": train_on_processes, "node": train_on_node}[sys.argv[1]](sys.argv[2])
