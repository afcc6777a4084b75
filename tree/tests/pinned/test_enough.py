"""What is said about a list of suggestions is true about as often as it says, in a book that no tree was trained on."""

import pytest

from naturalproofs.workspace import Workspace

SHOWN = 10


@pytest.fixture(scope="module")
def told(real_source, tmp_path_factory):
    """The lists for the theorems of Trench, and what their proofs cite of what stands before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NATURALPROOFS_CACHE", str(tmp_path_factory.mktemp("cache")))
        workspace = Workspace.open([real_source("trench")])
        statements = workspace.home.statements
        found = []
        for theorem in workspace.home.of_kind("theorem"):
            # Exercises that a proof cites stand after it, and are not suggested.
            before = {one.id for one in statements[: workspace.home.position_of(theorem)]} - {theorem.id}
            cited = before.intersection(key for proof in theorem.proofs for key in proof.references)
            if cited:
                found.append((workspace.suggest(theorem, k=SHOWN, explained=0), cited))
    return found


def test_enough_is_true_as_often_as_it_says(told):
    claims = [
        (found.enough_probability, cited <= {one.statement.id for one in found.items[: found.enough]})
        for found, cited in told
        if found.enough is not None
    ]
    said, true = (sum(column) / len(claims) for column in zip(*claims, strict=True))
    assert len(claims) > len(told) / 3
    assert said == pytest.approx(true, abs=0.1)


def test_the_list_holds_the_share_that_it_says(told):
    expected = sum(found.expected for found, _ in told)
    said = sum(found.covered * found.expected for found, _ in told) / expected
    held = sum(len(cited & {one.statement.id for one in found.items}) for found, cited in told)
    number = sum(len(cited) for _, cited in told)
    assert expected == pytest.approx(number, rel=0.2)
    assert said == pytest.approx(held / number, abs=0.1)
