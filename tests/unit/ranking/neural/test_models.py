"""The models: kept and read back, asked about what they have not seen, and generating."""

import numpy as np
import pytest

from naturalproofs.benchmark.reproduce import Reproduction
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import NotAModel
from naturalproofs.ranking.contract import Generator, Storable, Trainable, TrainContext
from naturalproofs.ranking.neural.joint import FittedJoint
from naturalproofs.ranking.registry import TrainedOn, load_model, parse_ranker, save_model
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet
from naturalproofs.tasks.splits import leaf_split

SPECS = (
    "pairwise(size='tiny', epochs=1)",
    "pairwise(size='tiny', epochs=1, train_layers=1, lexical=8, negatives=5)",
    "pairwise(size='tiny', epochs=1, train_layers=0, lexical=8, pooling='cls', loss='paper')",
    "joint(size='tiny', epochs=1, train_layers=0, lexical=8)",
    "joint(size='tiny', epochs=1, memory=False)",
    "joint(size='tiny', epochs=1, init='none', memory=False)",
    "joint(size='tiny', epochs=1, train_layers=0, memory_share=0.5, negatives=5)",
    "autoregressive(size='tiny', epochs=2, train_layers=1, decoder_layers=1, decoder_width=64, samples=8, longest=4)",
    "autoregressive(size='tiny', epochs=1, decoder_width=32, init='thm', choose='beam', beam=2, longest=3)",
)
OTHERS = [Passage(f"new:{i}", "theorem", f"Theorem {i}", f"Every ring of kind {i} is a group") for i in range(5)]


@pytest.fixture(scope="module", params=SPECS)
def trained(request, few, task):
    ranker = parse_ranker(request.param)
    assert isinstance(ranker, Trainable)
    return request.param, ranker.fit(few, seed=0)


def test_a_saved_model_scores_as_before(trained, task, tmp_path):
    spec, fitted = trained
    assert isinstance(fitted, Storable)
    save_model(
        tmp_path / "model", fitted, method=spec, seed=0, seconds=1.0,
        trained_on=TrainedOn("primer", "0", "fixed", "leaf", "clean", 40),
    )  # fmt: skip
    model = load_model(tmp_path / "model")
    queries = [question.theorem for question in task.queries[:5]]
    before, after = (each.index(task.candidates).score(queries) for each in (fitted, model.fitted))
    assert np.allclose(before, after, atol=1e-4)
    card = (tmp_path / "model" / "README.md").read_text()
    assert "model:" in card
    assert "Encoder `tiny`" in card
    assert {p.suffix for p in (tmp_path / "model").iterdir()} == {".json", ".md", ".safetensors"} | (
        {".npy"} if "lexical" in spec else set()
    )


def test_a_corpus_it_has_never_seen_is_scored_by_its_texts(trained):
    scores = trained[1].index(OTHERS).score(OTHERS)
    assert scores.shape == (5, 5)
    assert np.isfinite(scores).all()
    if "init='none'" not in trained[0] and "init='thm'" not in trained[0]:
        assert len(np.unique(scores.round(4))) > 5


def test_sequences_come_from_the_candidates_and_never_from_what_is_excluded(trained, few):
    scorer = trained[1].index(few.passages)
    if not trained[0].startswith("autoregressive"):
        assert not isinstance(scorer, Generator)
        return
    assert isinstance(scorer, Generator)
    queries = [example.theorem for example in few.examples[:6]]
    found = scorer.generate(queries)
    names = {passage.id for passage in few.passages}
    assert all(1 <= len(sequence) <= 4 and set(sequence) <= names for sequence in found)
    assert all(query.id not in sequence for query, sequence in zip(queries, found, strict=True))
    first = [few.passages.index(next(p for p in few.passages if p.id == sequence[0])) for sequence in found]
    without = scorer.generate(queries, [{place} for place in first])
    assert all(few.passages[p].id not in sequence for p, sequence in zip(first, without, strict=True))
    assert scorer.generate([]) == []


def test_what_is_decoded_is_ranked_first_and_in_order(few):
    spec = "autoregressive(size='tiny', epochs=3, head_rate=0.001, decoder_layers=1, retrieved=3)"
    fitted = parse_ranker(spec).fit(few, seed=0)
    row = fitted.index(few.passages).score([few.examples[0].theorem])[0]
    decoded = np.flatnonzero(row > 1000)
    assert len(decoded) <= 3
    assert sorted(row[decoded], reverse=True) == [1e4 - place for place in range(len(decoded))]
    own = [passage.id for passage in few.passages].index(few.examples[0].theorem.id)
    assert row.argmin() == own


def test_a_joint_model_begins_where_the_pairwise_one_ended(few, task, tmp_path):
    first = parse_ranker("pairwise(size='tiny', epochs=1)").fit(few, seed=0)
    save_model(
        tmp_path / "pairwise", first, method="pairwise(size='tiny', epochs=1)", seed=0, seconds=1.0,
        trained_on=TrainedOn("primer", "0", "fixed", "leaf", "clean", 40),
    )  # fmt: skip
    still = "learning_rate=0.0, head_rate=0.0, tune_rate=0.0, epochs=1, memory=False"
    spec = f"joint(start={str(tmp_path / 'pairwise')!r}, {still})"
    joint = parse_ranker(spec).train(few, seed=0, context=TrainContext(tmp_path / "c"))
    assert joint.settings.size == "tiny"
    queries = [question.theorem for question in task.queries[:4]]
    ours, theirs = (each.index(task.candidates).score(queries) for each in (joint, first))
    scale = float(first.model.scale.detach())
    assert np.allclose(ours, scale * theirs, atol=2e-2)


def test_the_memory_knows_what_the_proofs_of_like_theorems_cite(few):
    example = few.examples[0]
    twin = Passage("new:twin", "theorem", example.theorem.title, example.theorem.text)
    cited = [place for place, passage in enumerate(few.passages) if passage.id in example.references]
    spec = "joint(size='tiny', epochs=1, head_rate=0.0, tune_rate=0.0, train_layers=0, memory_share=1.0)"
    scorer = parse_ranker(spec).fit(few, seed=0).index(few.passages)
    as_twin, as_itself = scorer.score([twin, example.theorem])
    assert as_twin[cited].mean() > as_itself[cited].mean()
    assert as_itself.argmin() == [passage.id for passage in few.passages].index(example.theorem.id)
    assert np.exp(as_twin).sum() == pytest.approx(1, abs=0.05)


def test_a_reference_that_training_knew_has_its_own_row(few):
    fitted = parse_ranker("joint(size='tiny', epochs=4, train_layers=0, init='thm', memory=False)").fit(few, seed=0)
    cited = next(p for p in few.passages if p.id == few.examples[0].references[0])
    stranger = Passage("new:same-text", cited.kind, cited.title, cited.text)
    known, unknown = fitted.index([cited, stranger]).score([few.examples[0].theorem])[0]
    assert known != 0
    assert unknown == 0


def test_no_training_data_still_gives_a_model(task, tmp_path):
    for spec in ("joint(size='tiny')", "autoregressive(size='tiny')"):
        scorer = parse_ranker(spec).fit(TrainSet((), ()), seed=0).index(task.candidates)
        assert scorer.score([task.queries[0].theorem]).shape == (1, len(task.candidates))


def test_a_folder_with_other_weights_is_refused(few, tmp_path):
    parse_ranker("pairwise(size='tiny', epochs=1)").fit(few, seed=0).save(tmp_path)
    with pytest.raises(NotAModel, match="weights and settings do not fit"):
        FittedJoint.load(tmp_path)
    (tmp_path / "weights.safetensors").write_bytes(b"no weights")
    with pytest.raises(NotAModel, match="cannot be read"):
        FittedJoint.load(tmp_path)


def test_a_model_begins_from_the_one_that_is_kept(primer, tmp_path):
    corpora = {"latex": (primer, leaf_split(primer, ReferenceGraph.of(primer)))}
    said = []
    bench = Reproduction(corpora, tmp_path, train=True, progress=lambda *step: said.append(step))
    specs = [
        f"{name}(size='tiny', train_layers=0, valid_questions=5, valid_candidates=50)" for name in ("joint", "pairwise")
    ]
    joint = bench.model(specs[0], "latex", "clean", 0).fitted
    assert sorted(p.name.partition("-")[0] for p in (tmp_path / "models").glob("*[0-9]")) == ["joint", "pairwise"]
    steps = len(said)
    first = bench.model(specs[1], "latex", "paper", 0).fitted
    assert len(said) == steps
    assert joint.frozen.fingerprint == first.frozen.fingerprint
