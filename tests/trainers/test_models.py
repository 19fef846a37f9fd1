"""Tokens and policies of the reference trainer."""

import json

import pytest

torch = pytest.importorskip("torch", reason="needs palaestra[train]")

from palaestra.trainers.engines import Sampling, Static, sampled_tokens  # noqa: E402
from palaestra.trainers.models.decoder import Decoder, Shape  # noqa: E402
from palaestra.trainers.models.logprobs import TokenLogprobs, logprobs_of  # noqa: E402
from palaestra.trainers.models.tokens import Characters, Phrases, Pieces  # noqa: E402


def model(vocabulary=20, **options):
    torch.manual_seed(1)
    return Decoder(Shape(vocabulary, width=32, layers=2, heads=2, **options))


def test_characters_come_back():
    signs = Characters.of(["hello 12", "wor"])
    assert signs.decode([*signs.encode("hello wor"), signs.end, 7]) == "hello wor"
    assert signs.decode(signs.encode("h€")) == "h?"
    chat = [{"role": "user", "content": "he"}, {"role": "assistant", "content": "lo"}]
    ids = signs.encode_prompt(chat)
    assert ids[0] == signs.user
    assert ids.count(signs.policy) == 2
    assert ids.count(signs.end) == 1


def phrases(number=5):
    tasks = [f"Add the numbers {n} and {n + 7}.\nWrite the sum alone." for n in range(number)]
    return tasks, Phrases.learn(tasks, [str(n) for n in range(10)])


def test_passages_that_prompts_share_are_one_token():
    tasks, tokenizer = phrases()
    assert ".\nWrite the sum alone." in tokenizer.phrases
    ids = tokenizer.encode(tasks[0])
    assert len(ids) < len(tasks[0]) / 3
    spelled = {n: text for text, n in (tokenizer.ids | tokenizer.phrase_ids).items()}
    assert "".join(spelled[each] for each in ids) == tasks[0]
    assert len(set(map(tuple, map(tokenizer.encode, tasks)))) == len(tasks)
    assert not any(each[0].isdigit() or each[-1].isdigit() for each in tokenizer.phrases)
    assert max(ids) < tokenizer.vocabulary_size


def test_replies_have_a_token_for_each_character():
    tasks, tokenizer = phrases()
    ids = tokenizer.encode_reply("Write the sum alone.")
    assert len(ids) == len("Write the sum alone.") + 1
    assert tokenizer.decode(ids) == "Write the sum alone."
    phrase = max(tokenizer.encode(tasks[0]))
    assert tokenizer.decode([*tokenizer.encode_reply("12")[:-1], phrase]) == "12?"


def test_few_texts_share_no_phrases(tmp_path):
    tasks, tokenizer = phrases(Phrases.texts_of_phrase - 1)
    assert tokenizer.phrases == []
    assert tokenizer.decode(tokenizer.encode(tasks[0])) == tasks[0]
    tokenizer = phrases()[1]
    tokenizer.save(tmp_path)
    assert json.loads((tmp_path / "phrases.json").read_text("utf-8")) == tokenizer.phrases


def test_pieces_come_back_and_signs_in_a_text_are_text():
    texts = ["Sort: 1 2 3", "1 2 3", "hello hello"] * 3
    pieces = Pieces(texts, 300)
    for text in ("hello 1 2", "<end><pad>é…", ""):
        ids = pieces.encode(text)
        assert not {pieces.pad_id, pieces.user, pieces.policy, pieces.end} & set(ids)
        assert pieces.decode([*ids, pieces.end, 9]) == text
    assert len(pieces.encode("hello")) < 5
    assert pieces.encode("hello") == Pieces(texts, 300).encode("hello")


def test_the_cache_changes_nothing_and_padding_neither():
    policy = model()
    engine = Static(policy, pad_id=0, stop_ids=[4])
    prompts = [[5, 6, 7, 8, 9], [6, 7], [9, 9, 9]]
    completions = engine.generate(prompts, Sampling(max_tokens=8), torch.Generator().manual_seed(3))
    for prompt, one in zip(prompts, completions):
        ids = torch.tensor([[*prompt, *one.ids]])
        logprobs, _ = logprobs_of(policy, ids, torch.ones_like(ids))
        assert logprobs[0, len(prompt) - 1 :].tolist() == pytest.approx(one.logprobs, abs=1e-5)


def llama(**options):
    transformers = pytest.importorskip("transformers", reason="needs palaestra[train]")
    torch.manual_seed(2)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**HUB, **options))


def mistral(**options):
    """With a window of 12 tokens, which the cache slides along."""
    transformers = pytest.importorskip("transformers", reason="needs palaestra[train]")
    torch.manual_seed(2)
    return transformers.MistralForCausalLM(
        transformers.MistralConfig(**HUB, sliding_window=12, **options)
    )


HUB = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "intermediate_size": 48, "vocab_size": 40, "max_position_embeddings": 128, "pad_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 4, "initializer_range": 0.5,
}  # fmt: skip
"""The shape of a tiny model, whose choices are far from even."""


def recorded(step):
    """What recording a CUDA graph does, on a CPU: the step runs once before it is replayed."""
    step()
    return step


@pytest.mark.parametrize("capture", [None, recorded], ids=["plain", "captured"])
@pytest.mark.parametrize("policy", [model, llama, mistral])
def test_an_engine_samples_by_the_logprobs_of_one_plain_reading(policy, capture):
    policy = policy().eval()
    engine = Static(policy, pad_id=0, stop_ids=[4], capture=capture)
    generator = torch.Generator().manual_seed(3)
    for prompts in ([[5, 6, 7, 8, 9], [6, 7], [9, 9, 9]], [[8, 5], [7, 6, 9, 9, 5], [6, 6]]):
        for _ in range(2):
            sampled = engine.generate(prompts, Sampling(max_tokens=16), generator)
            for prompt, one in zip(prompts, sampled, strict=True):
                ids = torch.tensor([[*prompt, *one.ids]])
                logprobs, _ = logprobs_of(policy, ids, torch.ones_like(ids))
                assert logprobs[0, len(prompt) - 1 :].tolist() == pytest.approx(
                    one.logprobs, abs=1e-4
                )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the compiler's own making
@pytest.mark.parametrize(
    ("used", "fused"),
    [
        ((1.0, 0.0), False),
        ((0.0, 1.0), False),
        ((0.7, -0.3), False),
        ((0.7, -0.3), True),
    ],
)
def test_logprobs_in_chunks_have_the_values_and_gradients_of_a_plain_softmax(
    monkeypatch, used, fused
):
    monkeypatch.setattr("palaestra.trainers.models.logprobs.CHUNK", 3)
    monkeypatch.setattr(  # traced as for a GPU, but no kernels are built, which takes a minute
        "palaestra.trainers.models.logprobs._compiled",
        lambda function: torch.compile(function, backend="eager", dynamic=True, fullgraph=True),
    )
    torch.manual_seed(4)
    tensors = [
        torch.randn(*shape, dtype=torch.float64, requires_grad=True)
        for shape in ((8, 5), (11, 5), (11,))
    ]
    targets, temperature = torch.randint(11, (8,)), 0.7
    parts = TokenLogprobs.apply(*tensors, targets, temperature, fused)

    plain = (torch.nn.functional.linear(*tensors) / temperature).log_softmax(-1)
    wanted = plain.gather(-1, targets[:, None]).squeeze(-1), -(plain.exp() * plain).sum(-1)
    for part, want in zip(parts, wanted, strict=True):
        torch.testing.assert_close(part, want)

    weights = torch.randn(8, dtype=torch.float64)

    def gradients(columns):
        total = sum(
            share * (weights * column).sum() for share, column in zip(used, columns) if share
        )
        return torch.autograd.grad(total, tensors)

    for gradient, want in zip(gradients(parts), gradients(wanted), strict=True):
        torch.testing.assert_close(gradient, want)


def test_tokens_are_drawn_in_proportion_to_their_probabilities():
    logits = torch.tensor([0.3, -1.0, 1.2, 0.0]).repeat(40_000, 1)
    for temperature in (0.5, 1.0, 2.0):
        tokens, logprobs = sampled_tokens(logits, temperature, torch.Generator().manual_seed(5))
        wanted = (logits[0] / temperature).softmax(-1)
        shares = torch.bincount(tokens, minlength=4) / len(tokens)
        assert torch.allclose(shares, wanted, atol=0.01)  # four standard deviations
        assert torch.allclose(logprobs, wanted[tokens].log())


def test_sampling_by_seed_and_by_temperature():
    engine = Static(model(), pad_id=0, stop_ids=[4])

    def sample(heat, seed):
        chance = torch.Generator().manual_seed(seed)
        return [one.ids for one in engine.generate([[5, 6]] * 8, Sampling(6, heat), chance)]

    assert sample(1.0, 1) == sample(1.0, 1)
    assert sample(1.0, 1) != sample(1.0, 2)
    assert len({tuple(ids) for ids in sample(0.0, 1)}) == 1


def test_positions_do_not_depend_on_padding():
    policy, ids = model(), torch.tensor([[5, 6, 7, 8]])
    padded = torch.tensor([[5, 6, 7, 8, 0, 0]])
    seen = torch.tensor([[1, 1, 1, 1, 0, 0]])
    plain, _ = logprobs_of(policy, ids, torch.ones_like(ids))
    other, _ = logprobs_of(policy, padded, seen)
    assert torch.allclose(plain, other[:, :3], atol=1e-6)
