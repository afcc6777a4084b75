"""Training a method, saving the model, and using the model folder as a method."""

import pytest

from naturalproofs.benchmark.training import checkpoint_folder, train_model
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.errors import EmptySplit, NotAModel, NotSupported, OutputInTheWay
from naturalproofs.ranking import registry as models
from naturalproofs.ranking.registry import parse_ranker
from naturalproofs.tasks.dataset import TrainSet
from naturalproofs.tasks.protocols import protocol
from naturalproofs.tasks.splits import leaf_split, zero_shot_split
from support.favourite import Favourite, register


@pytest.fixture
def registered(monkeypatch):
    register(monkeypatch)


@pytest.fixture
def trained(primer, tmp_path, registered):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    folder = tmp_path / "model"
    manifest = train_model(Favourite(), primer, splits, folder, protocol("clean"), seed=4)
    return folder, manifest


def test_the_manifest_of_a_model(trained, primer):
    folder, manifest = trained
    assert manifest.method == "favourite"
    assert manifest.seed == 4
    assert manifest.trained_on.corpus == primer.name
    assert set(manifest.files) == {"README.md", "favourite.txt"}
    card = (folder / "README.md").read_text()
    assert "Always answers" in card
    assert "protocol `clean`" in card


@pytest.mark.parametrize("variable", ["RANK", "NODE_RANK", "LOCAL_RANK"])
def test_only_the_first_process_writes_the_model(primer, tmp_path, registered, monkeypatch, variable):
    monkeypatch.setenv(variable, "1")
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    manifest = train_model(Favourite(), primer, splits, tmp_path / "model", protocol("clean"))
    assert manifest.method == "favourite"
    assert not (tmp_path / "model").exists()


def test_a_model_folder_is_a_method(trained):
    folder, _ = trained
    model = models.method_named(str(folder))
    assert model.fit(TrainSet((), ()), seed=0).name == (folder / "favourite.txt").read_text()
    assert model.spec == "favourite trained on primer"
    assert models.method_named("bm25") == parse_ranker("bm25")


def test_a_changed_file_is_found(trained):
    folder, _ = trained
    (folder / "favourite.txt").write_text("something else")
    with pytest.raises(NotAModel, match="changed since it was written"):
        models.load_model(folder)


def test_a_note_in_the_card_changes_nothing(trained):
    folder, _ = trained
    with (folder / "README.md").open("a") as card:
        card.write("Used for the second chapter.\n")
    assert models.load_model(folder).manifest.method == "favourite"


def test_a_manifest_that_names_a_module_that_is_not_there(tmp_path):
    with pytest.raises(NotAModel, match="no trained method of naturalproofs"):
        models.fitted_class("hybrid", "naturalproofs.rankkng.hybrid.ranker:Fitted", tmp_path)
    with pytest.raises(NotAModel, match="no trained method of naturalproofs"):
        models.fitted_class("hybrid", "naturalproofs.__main__:Fitted", tmp_path)


def test_a_manifest_may_not_name_foreign_code(trained):
    folder, _ = trained
    path = folder / models.MANIFEST
    path.write_text(path.read_text().replace("FittedFavourite", "Path"))
    with pytest.raises(NotAModel, match="no trained method"):
        models.load_model(folder)
    path.write_text(path.read_text().replace('"loads": "', '"loads": "os.path:join" , "x": "'))
    with pytest.raises(NotAModel):
        models.load_model(folder)


@pytest.mark.parametrize("damage", ["{", "[]", '{"schema": 99}'])
def test_a_damaged_manifest_gives_one_line(trained, damage):
    folder, _ = trained
    (folder / models.MANIFEST).write_text(damage)
    with pytest.raises(NotAModel, match="train again"):
        models.load_model(folder)


def test_a_method_without_a_model_is_an_error(primer, tmp_path):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    with pytest.raises(NotSupported, match="no trained model to save"):
        train_model(parse_ranker("tfidf"), primer, splits, tmp_path / "m", protocol("clean"))
    assert not (tmp_path / "m").exists()


def test_nothing_to_train_on(primer, tmp_path):
    with pytest.raises(EmptySplit, match="no training examples"):
        train_model(Favourite(), primer, zero_shot_split(primer), tmp_path / "m", protocol("clean"))


def test_a_foreign_folder_is_not_replaced(primer, tmp_path, registered):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "thesis.tex").write_text("precious")
    with pytest.raises(OutputInTheWay):
        train_model(Favourite(), primer, splits, tmp_path / "m", protocol("clean"))


def test_another_program_s_model_is_not_replaced(primer, tmp_path, registered):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / models.MANIFEST).write_text('{"format": "layers-model", "weightsManifest": []}')
    (tmp_path / "m" / "weights.bin").write_bytes(b"precious")
    with pytest.raises(OutputInTheWay, match="not made by this command"):
        train_model(Favourite(), primer, splits, tmp_path / "m", protocol("clean"))
    assert (tmp_path / "m" / "weights.bin").read_bytes() == b"precious"


def test_a_model_is_replaced_unless_it_holds_something_else(primer, tmp_path, registered):
    splits = leaf_split(primer, ReferenceGraph.of(primer))
    for seed in (1, 2):
        train_model(Favourite(), primer, splits, tmp_path / "m", protocol("clean"), seed=seed)
    assert models.load_manifest(tmp_path / "m").seed == 2
    card = tmp_path / "m" / models.CARD
    card.write_text("# The card that I wrote")
    with pytest.raises(OutputInTheWay, match=r"README\.md: added or changed"):
        train_model(Favourite(), primer, splits, tmp_path / "m", protocol("clean"))
    assert card.read_text() == "# The card that I wrote"


def test_checkpoints_are_beside_the_model(tmp_path):
    assert checkpoint_folder(tmp_path / "models" / "pairwise") == tmp_path / "models" / "pairwise.checkpoints"
