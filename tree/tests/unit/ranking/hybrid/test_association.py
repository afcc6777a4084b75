"""The learned association of theorems with what they cite."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from naturalproofs.ranking.hybrid import association
from naturalproofs.ranking.hybrid.association import _State, learn
from naturalproofs.ranking.term_vectors import LatentSpace, TermCounts, unit

TOPICS, EACH = 12, 20


@pytest.fixture(scope="module")
def world():
    """Theorems on one topic cite the reference of the next topic; references follow after the theorems."""
    random = np.random.default_rng(0)
    centres = unit(random.normal(size=(TOPICS, 16)).astype(np.float32))
    theorems = unit(np.repeat(centres, EACH, axis=0) + 0.2 * random.normal(size=(TOPICS * EACH, 16)).astype(np.float32))
    references = np.concatenate([theorems, centres])
    topic = np.repeat(np.arange(TOPICS), EACH)
    columns = len(theorems) + (topic + 1) % TOPICS
    cited = csr_matrix((np.ones(len(topic)), (np.arange(len(topic)), columns)), shape=(len(topic), len(references)))
    return theorems, references, cited, np.arange(len(theorems))


def ranks(learned, theorems, references, cited):
    """The rank of what each theorem cites."""
    scores = unit(theorems @ learned.asked) @ (unit(references @ learned.answers) + learned.shifts).T
    return (scores > scores[np.arange(len(theorems)), cited.indices][:, None]).sum(axis=1) + 1


def test_it_learns_what_is_cited_from_the_text_alone(world, monkeypatch):
    monkeypatch.setattr(association, "EPOCHS", 60)
    theorems, references, cited, own = world
    rows = np.arange(len(theorems)) % EACH != 0
    learned = learn(theorems[rows], references, cited[rows], own[rows], 16, 0, shifted=False)
    assert not learned.shifts.any()
    held_out = ~rows
    found = ranks(learned, theorems[held_out], references, cited[held_out])
    untrained = association.Learned(np.eye(16), np.eye(16), np.zeros((len(references), 16)), 1.0)
    before = ranks(untrained, theorems[held_out], references, cited[held_out])
    assert np.median(found) < 5
    assert np.median(before) > 50


def test_shifts_store_what_is_cited(world):
    theorems, references, cited, own = world
    learned = learn(theorems, references, cited, own, 16, 0)
    sizes = np.linalg.norm(learned.shifts, axis=1)
    assert sizes[len(theorems) :].min() > np.median(sizes[: len(theorems)])


def test_a_seed_gives_the_same_maps(world):
    first, again, other = (learn(*world, 8, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.asked, again.asked)
    assert np.array_equal(first.shifts, again.shifts)
    assert not np.array_equal(first.asked, other.asked)
    assert first.asked.shape == first.answers.shape == (16, 8)


def test_the_theorem_is_no_candidate_for_itself(world):
    theorems, references, cited, own = world
    seen = []

    class Recorded(_State):
        def _update_shifts(self, rows, gradient, decay):
            seen.append((rows, gradient))

    state = Recorded.of(16, 16, len(references))
    needed = np.unique(cited[:1].indices)
    state.step(theorems[:1], references, cited[:1], own[:1], needed, np.array([0, 1]), 10, shifted=True)
    (rows, gradient), *_ = seen
    assert not gradient[rows.tolist().index(0)].any()
    assert gradient[rows.tolist().index(1)].any()


def test_gradients_are_those_of_the_loss(world, monkeypatch):
    """Compared with differences of the loss along random directions."""
    theorems, references, cited, own = (part[:6] if n != 1 else part for n, part in enumerate(world))
    needed, others = np.unique(cited.indices), np.array([30, 40, 50])
    found = {}

    def recorded(self, gradient, rate, done):
        found[id(self)] = gradient

    monkeypatch.setattr(association._Map, "update", recorded)
    state = _State.of(16, 16, len(references))
    random = np.random.default_rng(3)
    for one in (state.asked, state.answers):
        one.values += 0.1 * random.normal(size=one.values.shape).astype(np.float32)
    state.step(theorems, references, cited, own, needed, others, 10, shifted=False)
    seen = np.concatenate([needed, others])

    def loss(asked, answers):
        scores = association.SHARPNESS * unit(theorems @ asked).astype(float) @ unit(references[seen] @ answers).T
        scores[:, len(needed) :] += np.log((len(references) - len(needed)) / len(others))
        scores[own[:, None] == seen] = -np.inf
        target = scores[np.arange(len(theorems)), np.searchsorted(needed, cited.indices)]
        return float(np.mean(np.log(np.exp(scores).sum(axis=1)) - target))

    for which in (0, 1):
        maps = [state.asked.values.astype(float), state.answers.values.astype(float)]
        step = random.normal(size=maps[which].shape)
        step *= 1e-3 / np.linalg.norm(step)
        ahead, behind = ([*maps] for _ in range(2))
        ahead[which], behind[which] = maps[which] + step, maps[which] - step
        gradient = found[id((state.asked, state.answers)[which])]
        assert (loss(*ahead) - loss(*behind)) / 2 == pytest.approx(float((gradient * step).sum()), rel=0.05, abs=1e-6)


def test_a_map_after_a_projection_is_a_projection():
    counts = {"words": TermCounts.of([["a", "b", "b"], ["b", "c"], ["c", "d", "a"], ["d"], ["e", "a"]])}
    wide = LatentSpace.fit(counts, 4)
    map_ = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    learned = association.Learned(map_, map_[::-1].copy(), np.zeros((5, 3), dtype=np.float32), 20.0)
    assert np.allclose(learned.asked_by(wide).vectors(counts), unit(wide.vectors(counts) @ map_), atol=1e-5)
    assert np.allclose(learned.answered_by(wide).vectors(counts), unit(wide.vectors(counts) @ map_[::-1]), atol=1e-5)


def test_a_theorem_without_another_candidate_gives_no_undefined_values(world):
    theorems, references, _, own = world
    itself = csr_matrix((np.ones(1), ([0], [0])), shape=(1, len(references)))
    state = _State.of(16, 16, len(references))
    state.step(theorems[:1], references, itself, own[:1], np.array([0]), np.array([], dtype=np.intp), 10, shifted=True)
    assert np.isfinite(state.asked.values).all()
    assert np.isfinite(state.shifts).all()
