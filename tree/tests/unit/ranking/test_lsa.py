import numpy as np
import pytest

from naturalproofs.errors import BadModel
from naturalproofs.ranking.term_vectors import LatentSpace, TermCounts, bm25_matrix, directions, unit

TEXTS = [
    ["group", "order", "element"],
    ["group", "subgroup", "index"],
    ["subgroup", "index", "order"],
    ["series", "limit", "converges"],
    ["limit", "sequence", "converges"],
    ["series", "sequence", "sum"],
]


@pytest.fixture
def space():
    return LatentSpace.fit({"words": TermCounts.of(TEXTS)}, 3)


def test_texts_about_one_subject_are_near_each_other(space):
    vectors = space.vectors({"words": TermCounts.of(TEXTS)})
    near = vectors @ vectors.T
    assert near[:3, :3].min() > near[:3, 3:].max()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


def test_a_query_is_projected_like_a_text_and_unknown_terms_count_nothing(space):
    counted = space.vectors({"words": TermCounts.of(TEXTS[:1])})
    query = space.vectors_of_terms({"words": [[*TEXTS[0], "unknown"], ["unknown"]]})
    assert np.allclose(query[0], counted[0])
    assert not query[1].any()


def test_a_view_with_weight_zero_changes_nothing():
    counts = {"words": TermCounts.of(TEXTS), "first": TermCounts.of([text[:1] for text in TEXTS])}
    both = LatentSpace.fit(counts, 3, scales={"first": 0.0})
    alone = LatentSpace.fit({"words": counts["words"]}, 3)
    for space in (both, alone):
        vectors = space.vectors(counts)
        assert vectors[0] @ vectors[1] > vectors[0] @ vectors[3]


def test_rare_terms_can_be_left_out():
    space = LatentSpace.fit({"words": TermCounts.of(TEXTS)}, 3, rarest={"words": 2})
    assert "element" not in space.vocabularies["words"].index
    assert "group" in space.vocabularies["words"].index


def test_a_space_is_saved_and_loaded(space, tmp_path):
    space.save(tmp_path)
    again = LatentSpace.load(tmp_path)
    counts = {"words": TermCounts.of(TEXTS)}
    assert (again.vectors(counts) == space.vectors(counts)).all()


def test_a_projection_of_another_size_is_refused(space, tmp_path):
    space.save(tmp_path)
    np.save(tmp_path / "projection.npy", space.projection[:-1])
    with pytest.raises(BadModel, match="disagree"):
        LatentSpace.load(tmp_path)


def test_any_weighted_matrix_has_directions():
    matrix = bm25_matrix(TermCounts.of(TEXTS))
    found = unit(matrix @ directions(matrix, 2))
    assert found[0] @ found[1] > found[0] @ found[4]


def test_one_text_has_no_directions():
    assert directions(bm25_matrix(TermCounts.of(TEXTS[:1])), 5).shape == (3, 0)
