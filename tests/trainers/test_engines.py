"""Every engine against plain generation: the likeliest ids are the same, and probabilities are."""

import ast
import gc
import inspect
import sys
from copy import deepcopy
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from weakref import ref

import pytest

torch = pytest.importorskip("torch", reason="needs palaestra[train]")

from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils._pytree import tree_leaves  # noqa: E402

from palaestra.trainers.engines import (  # noqa: E402
    Paged,
    Sampling,
    Static,
    Vllm,
    default_engine,
)
from palaestra.trainers.engines import paged as paged_engine  # noqa: E402
from palaestra.trainers.engines import static as static_engine  # noqa: E402
from palaestra.trainers.models.decoder import Decoder, Shape  # noqa: E402
from palaestra.trainers.models.logprobs import logprobs_of  # noqa: E402
from palaestra.trainers.models.policies import checkpoint_layers, merged_weights, with_lora  # noqa: E402

pytestmark = pytest.mark.filterwarnings(  # PEFT asks
    "ignore:.*is_gradient_checkpointing:FutureWarning"
)

TINY = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "intermediate_size": 48, "vocab_size": 40, "max_position_embeddings": 256, "pad_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 4, "initializer_range": 0.5,
}  # fmt: skip
"""The shape of a tiny model, whose choices are far from even."""

STOPS = [4, 7]
PROMPTS = [[5, 6, 7, 8, 9], [6, 7], [9, 9, 9], [11], [12, 5, 6, 8, 8, 9, 31]]


def decoder():
    torch.manual_seed(1)
    return Decoder(Shape(40, width=32, layers=2, heads=2)).eval()


def pretrained(name, **options):
    transformers = pytest.importorskip("transformers", reason="needs palaestra[train]")
    torch.manual_seed(2)
    config = getattr(transformers, f"{name}Config")(**TINY, **options)
    return getattr(transformers, f"{name}ForCausalLM")(config).eval()


MODELS = {
    "decoder": decoder,
    "llama": lambda: pretrained("Llama"),
    "qwen3": lambda: pretrained("Qwen3", head_dim=8),
    "mistral": lambda: pretrained("Mistral", sliding_window=12),
    "wide_mistral": lambda: pretrained("Mistral", sliding_window=4096),
}
"""The windows of mistral slide, and those of wide_mistral hold all there is."""


class Tape(TorchDispatchMode):
    """Keeps each operation on tensors, and may not look into them, as a CUDA graph."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        assert "_local_scalar_dense" not in str(func), "a graph cannot wait for a number"
        out = func(*args, **(kwargs or {}))
        self.calls.append((func, args, kwargs or {}, out))
        return out


def tape(step):
    """A stand-in for :func:`cuda_graph`: numbers of Python's are those of the recording for ever, a
    replay reads and writes the tensors of the recording alone, and gives the same tensor each time.
    """
    step()
    with pytest.MonkeyPatch.context() as patch, Tape() as recording:
        patch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
        logits = step()

    def replay():
        for func, args, kwargs, out in recording.calls:
            again = func(*args, **kwargs)
            for old, new in zip(tree_leaves(out), tree_leaves(again), strict=True):
                if isinstance(old, torch.Tensor) and old.data_ptr() != new.data_ptr():
                    old.copy_(new)
        return logits

    return replay


def static(policy, **options):
    return Static(policy, 0, STOPS, **options)


def captured(policy, **options):
    return Static(policy, 0, STOPS, capture=tape, **options)


def as_on_a_gpu(policy, **options):
    """With sizes rounded up, rows that fill the batch, and few looks at what has stopped."""
    engine = captured(policy, **options)
    engine._on_gpu = True
    return engine


def paged(policy, batch=None):
    if isinstance(policy, Decoder):
        pytest.skip("the paged engine is for models of transformers")
    return Paged(policy, 0, STOPS)


ENGINES = {"paged": paged, "static": static, "captured": captured, "as_on_a_gpu": as_on_a_gpu}
every_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
every_model = pytest.mark.parametrize("policy", MODELS.values(), ids=MODELS)


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch):
    monkeypatch.setattr(Static, "_on_gpu", False)  # so that a test may set it
    monkeypatch.setattr(static_engine, "ROUND", 8)
    monkeypatch.setattr(static_engine, "STOP_CHECK", 3)
    monkeypatch.setattr(static_engine, "READ_TOKENS", 16)
    monkeypatch.setattr(paged_engine, "PAGE", 8)


def generator(seed=3):
    return torch.Generator().manual_seed(seed)


@torch.no_grad()
def likeliest(policy, prompt, limit):
    """What plain generation takes, which reads all again for each token."""
    ids = list(prompt)
    while len(ids) < len(prompt) + limit and (len(ids) == len(prompt) or ids[-1] not in STOPS):
        row = torch.tensor([ids])
        out = policy(row, torch.ones_like(row))
        ids.append(int(getattr(out, "logits", out)[0, -1].argmax()))
    return ids[len(prompt) :]


def by_generate(policy, prompt, limit):
    out = policy.generate(
        torch.tensor([prompt]), max_new_tokens=limit, do_sample=False, eos_token_id=STOPS
    )
    return out[0, len(prompt) :].tolist()


@torch.no_grad()
def assert_logprobs_of_one_reading(policy, prompts, completions, temperature=1.0):
    for prompt, one in zip(prompts, completions, strict=True):
        ids = torch.tensor([[*prompt, *one.ids]])
        logprobs, _ = logprobs_of(policy, ids, torch.ones_like(ids), temperature)
        assert logprobs[0, len(prompt) - 1 :].tolist() == pytest.approx(one.logprobs, abs=1e-4)


@every_engine
@every_model
def test_what_is_likeliest_is_what_plain_generation_takes(policy, engine):
    policy = policy()
    limits = [16, 3, 16, 9, 1]
    plain = likeliest if isinstance(policy, Decoder) else by_generate
    wanted = [plain(policy, *pair) for pair in zip(PROMPTS, limits)]
    sampler = engine(policy)
    for _ in range(2):  # the second time on buffers that were used before
        sampler.sync()
        completions = sampler.generate(PROMPTS, Sampling(limits, 0.0), generator())
        assert [one.ids for one in completions] == wanted
        assert [one.finished for one in completions] == [ids[-1] in STOPS for ids in wanted]
        assert_logprobs_of_one_reading(policy, PROMPTS, completions)
    assert len({one.finished for one in completions}) == 2  # there are rows of both kinds


@every_engine
@every_model
def test_logprobs_are_those_of_one_plain_reading(policy, engine):
    policy = policy()
    sampler = engine(policy, batch=3)
    for temperature in (1.0, 0.7):
        completions = sampler.generate(PROMPTS, Sampling(16, temperature), generator())
        assert_logprobs_of_one_reading(policy, PROMPTS, completions, temperature)


def turns(sampler, forgets, temperature=1.0):
    """Episodes of four turns, of which some end early, by two cohorts whose turns alternate."""
    draws, played = generator(), []
    cohorts = [[list(prompt) for prompt in PROMPTS], [[8, *prompt] for prompt in PROMPTS]]
    sampler.sync()
    for turn in range(4):
        for cohort in cohorts:
            completions = sampler.generate(
                cohort, Sampling([4, 5, 6, 7, 8][: len(cohort)], temperature), draws
            )
            played.append((cohort[:], completions))
            cohort[:] = [
                [*prompt, *one.ids, *range(20, 23 + turn + len(prompt) % 2)]
                for prompt, one in zip(cohort, completions)
            ][: 5 - turn]
            if forgets:
                sampler.sync()
    return played


@pytest.mark.parametrize("engine", [static, captured, as_on_a_gpu])
@every_model
def test_later_turns_go_on_from_the_cache_and_nothing_changes(policy, engine, monkeypatch):
    policy, read = policy(), []
    plain = static_engine.Stepper._read

    def spied(self, ids, start, end):
        read.append(ids.numel())
        return plain(self, ids, start, end)

    monkeypatch.setattr(static_engine.Stepper, "_read", spied)
    played, counts = {}, {}
    for forgets in (False, True):
        read.clear()
        played[forgets] = turns(engine(policy), forgets)
        counts[forgets] = sum(read)
    for (prompts, kept), (again, forgotten) in zip(played[False], played[True], strict=True):
        assert prompts == again
        assert [one.ids for one in kept] == [one.ids for one in forgotten]
        assert_logprobs_of_one_reading(policy, prompts, kept)
    slides = getattr(getattr(policy, "config", None), "sliding_window", None) == 12
    assert slides or counts[False] < 0.5 * counts[True]


def turns_read_by_pages(policy, forgets, temperature):
    """The turns by the paged engine, and how many tokens went through the model."""
    sizes = []
    hook = policy.get_input_embeddings().register_forward_pre_hook(
        lambda _, inputs: sizes.append(inputs[0].numel())
    )
    played = turns(paged(policy), forgets, temperature)
    hook.remove()
    return played, sum(sizes)


@pytest.mark.parametrize("name", ["llama", "mistral"])
def test_the_pages_of_earlier_turns_are_kept_and_nothing_changes(name):
    policy = MODELS[name]()
    kept, read = turns_read_by_pages(policy, False, 0.0)
    _, read_anew = turns_read_by_pages(policy, True, 0.0)
    for prompts, completions in kept:
        for n, (prompt, one) in enumerate(zip(prompts, completions, strict=True)):
            assert one.ids == likeliest(policy, prompt, 4 + n)
    assert name == "mistral" or read < 0.7 * read_anew
    sampled, _ = turns_read_by_pages(policy, False, 1.0)
    for prompts, completions in sampled:
        assert_logprobs_of_one_reading(policy, prompts, completions)
    assert sampled == turns_read_by_pages(policy, False, 1.0)[0]


@every_engine
@pytest.mark.parametrize("policy", [decoder, MODELS["llama"]], ids=["decoder", "llama"])
def test_weights_that_changed_are_read_with_anew(policy, engine):
    policy = policy()
    sampler = engine(policy, dtype="float64") if engine is not paged else engine(policy)
    assert sampler.own_probabilities  # paged attention, or a copy in other numbers
    (one, *_) = sampler.generate(PROMPTS, Sampling(5), generator())
    with torch.no_grad():
        for weight in policy.parameters():
            weight.add_(torch.randn(weight.shape, generator=generator()) * 0.2)
    longer = [[*PROMPTS[0], *one.ids, 20, 21], *PROMPTS[1:]]
    sampler.sync()
    completions = sampler.generate(longer, Sampling(5), generator())
    assert_logprobs_of_one_reading(policy, longer, completions)


def held_bytes(engine):
    return sum(
        part.numel() * part.element_size()
        for stepper in engine.steppers
        for pair in stepper.layers()
        for part in pair
    )


@pytest.mark.parametrize("engine", [static, as_on_a_gpu])
@pytest.mark.parametrize("policy", ["decoder", "llama", "qwen3"])
def test_caches_stay_within_their_bytes(policy, engine):
    policy = MODELS[policy]()
    prompts = [[5 + n % 30] * (1 + n % 7) for n in range(20)]
    wide = engine(policy)
    whole = wide.generate(prompts, Sampling(8, 0.0), generator())
    assert len(wide.steppers) == 1
    budget = held_bytes(wide) // 5
    narrow = engine(policy, cache_bytes=budget)
    for _ in range(2):
        parts = narrow.generate(prompts, Sampling(8, 0.0), generator())
        assert [one.ids for one in parts] == [one.ids for one in whole]
        assert 0 < held_bytes(narrow) <= budget
    alone = engine(policy, cache_bytes=1)  # one row is sampled whatever it takes
    assert len(alone.generate(prompts[:3], Sampling(2), generator())) == 3


def test_limits_are_one_for_all_or_one_for_each():
    for limits in ([3, 4], [3, 4, 0], 0):
        with pytest.raises(ValueError, match="3 prompts want"):
            Sampling(limits).limits(3)
    assert Sampling(7).limits(2) == [7, 7]


def test_the_paged_engine_refuses_our_own_decoder():
    with pytest.raises(ValueError, match="a Decoder takes engine: static"):
        Paged(decoder(), 0, STOPS)


def test_the_default_engine(monkeypatch):
    ours, theirs = decoder(), MODELS["llama"]()
    assert default_engine("cpu", theirs) == default_engine("cuda", ours) == "static"
    for installed, name in ((None, "paged"), (object(), "vllm")):
        monkeypatch.setattr(
            "palaestra.trainers.engines.base.find_spec", lambda _, spec=installed: spec
        )
        assert default_engine("cuda:1", theirs) == name


# ------------------------------------------------------------------ gradients


def saved_bytes(policy, ids):
    """Bytes kept for the gradient, and the gradient."""
    kept = {}

    def pack(tensor):
        kept[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    weights = {weight.data_ptr() for weight in policy.parameters()}
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        logprobs, _ = logprobs_of(policy, ids, torch.ones_like(ids))
    policy.zero_grad()
    logprobs.mean().backward()
    gradients = [weight.grad for weight in policy.parameters() if weight.grad is not None]
    return sum(size for address, size in kept.items() if address not in weights), gradients


@pytest.mark.parametrize("rank", [0, 2])
@pytest.mark.parametrize("policy", ["decoder", "llama", "qwen3"])
def test_checkpointed_layers_keep_less_and_have_the_same_gradients(policy, rank):
    policy = MODELS[policy]()
    if rank and isinstance(policy, Decoder):
        pytest.skip("adapters are for models of transformers")
    if rank:
        pytest.importorskip("peft")
        policy = with_lora(policy, rank)
    ids = torch.randint(5, 40, (4, 32), generator=generator())
    much, wanted = saved_bytes(policy, ids)
    checkpoint_layers(policy)
    Static(policy, 0, STOPS).generate(PROMPTS, Sampling(4), generator())  # changes no mode
    little, gradients = saved_bytes(policy, ids)
    assert little < 0.6 * much
    for a, b in zip(wanted, gradients, strict=True):
        torch.testing.assert_close(a, b)
    gradients = static(policy).generate(PROMPTS, Sampling(8), generator())
    assert_logprobs_of_one_reading(policy, PROMPTS, gradients)


def adapted_llama():
    pytest.importorskip("peft")
    policy = with_lora(MODELS["llama"](), 2)
    with torch.no_grad():
        for name, weight in policy.named_parameters():
            if "lora_B" in name:  # which is zero at the start
                weight.add_(torch.randn(weight.shape, generator=generator()))
    return policy


def test_merged_weights_are_those_of_the_plain_model():
    policy = adapted_llama()
    plain = MODELS["llama"]()
    plain.load_state_dict(dict(merged_weights(policy)), strict=True)
    ids = torch.tensor([PROMPTS[-1]])
    before, _ = logprobs_of(policy, ids, torch.ones_like(ids))
    after, _ = logprobs_of(plain, ids, torch.ones_like(ids))
    torch.testing.assert_close(before, after, atol=1e-5, rtol=1e-5)
    untouched = MODELS["llama"]()
    assert {name for name, _ in merged_weights(untouched)} == set(untouched.state_dict())


# ------------------------------------------------------------------ vLLM

USED = {
    "entrypoints/llm.py:LLM.__init__": "model dtype seed gpu_memory_utilization "
    "skip_tokenizer_init **kwargs",
    "entrypoints/llm.py:LLM.generate": "prompts sampling_params use_tqdm",
    "entrypoints/llm.py:LLM.collective_rpc": "method kwargs",
    "entrypoints/llm.py:LLM.reset_prefix_cache": "",
    "entrypoints/llm.py:LLM.sleep": "level",
    "entrypoints/llm.py:LLM.wake_up": "tags",
    "engine/arg_utils.py:EngineArgs": "max_model_len enable_sleep_mode logprobs_mode",
    "sampling_params.py:SamplingParams": "max_tokens temperature logprobs ignore_eos "
    "stop_token_ids detokenize",
    "v1/worker/gpu_model_runner.py:GPUModelRunner.reload_weights": "weights_iterator",
}
"""What is called of vLLM, by file, and by which names."""


def names_in(file, name):
    """The arguments of a function, or the fields of a class, in a source file."""
    body = ast.parse(file.read_text("utf-8")).body
    for part in name.split("."):
        (node,) = (each for each in body if getattr(each, "name", None) == part)
        body = node.body
    if isinstance(node, ast.ClassDef):
        return {each.target.id for each in body if isinstance(each, ast.AnnAssign)}
    listed = node.args.args + node.args.kwonlyargs
    return {each.arg for each in listed} | ({"**kwargs"} if node.args.kwarg else set())


@pytest.mark.skipif(find_spec("vllm") is None, reason="vLLM is not installed")
@pytest.mark.parametrize("used", USED)
def test_vllm_that_is_installed_has_what_is_called(used):
    path, _, name = used.partition(":")
    root = Path(find_spec("vllm").submodule_search_locations[0])
    assert set(USED[used].split()) <= names_in(root / path, name)


class StandIn:
    """What vLLM's LLM does with one model, where all that is called has the names of :data:`USED`:
    it remembers what it read until its prefix cache is reset, and has no weights when it slept.
    """

    def __init__(
        self, model, *, dtype, seed, gpu_memory_utilization, skip_tokenizer_init, **options
    ):
        assert set(options) == {"max_model_len", "enable_sleep_mode", "logprobs_mode"}
        assert options["enable_sleep_mode"]
        assert options["logprobs_mode"] == "processed_logprobs"
        assert skip_tokenizer_init
        self.calls, self.awake = [("LLM", model, dtype, seed, options["max_model_len"])], True
        self.model, self.remembered = MODELS["llama"](), {}
        self.sleeping = set()

    def generate(self, prompts, sampling_params=None, *, use_tqdm=True):
        assert not self.sleeping
        self.calls.append(("generate", len(prompts)))
        return [self._output(prompt["prompt_token_ids"], how)
                for prompt, how in zip(prompts, sampling_params, strict=True)]  # fmt: skip

    def _output(self, prompt, how):
        assert how.ignore_eos
        assert not how.detokenize
        assert how.logprobs == 0
        model = self.remembered.setdefault(tuple(prompt), deepcopy(self.model))
        engine = Static(model, 0, how.stop_token_ids)
        sampling = Sampling(how.max_tokens, how.temperature)
        (one,) = engine.generate([prompt], sampling, generator())
        logprobs = [
            {token: SimpleNamespace(logprob=value), token + 1: SimpleNamespace(logprob=-9.0)}
            for token, value in zip(one.ids, one.logprobs)
        ]
        return SimpleNamespace(outputs=[SimpleNamespace(token_ids=one.ids, logprobs=logprobs)])

    def collective_rpc(self, method, timeout=None, args=(), kwargs=None):
        assert "weights" not in self.sleeping
        assert method == "reload_weights"
        self.calls.append(("reload_weights",))
        self.model.load_state_dict(dict(kwargs["weights_iterator"]), strict=True)

    def reset_prefix_cache(self):
        self.calls.append(("reset_prefix_cache",))
        self.remembered.clear()
        return True

    def sleep(self, level=1, mode="abort"):
        self.calls.append(("sleep", level))
        self.sleeping = {"weights", "kv_cache"}
        for weight in self.model.parameters():
            weight.detach().fill_(float("nan"))

    def wake_up(self, tags=None):
        self.calls.append(("wake_up", *tags))
        self.sleeping -= set(tags)


class StandInParams(SimpleNamespace):
    def __init__(self, **options):
        assert set(options) == set(USED["sampling_params.py:SamplingParams"].split())
        super().__init__(**options)


@pytest.fixture
def vllm(monkeypatch):
    fake = SimpleNamespace(LLM=StandIn, SamplingParams=StandInParams)
    monkeypatch.setitem(sys.modules, "vllm", fake)
    monkeypatch.delenv("VLLM_ENABLE_V1_MULTIPROCESSING", raising=False)
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")


def test_the_stand_in_has_the_names_of_vllm():
    for used, names in USED.items():
        name = used.partition("LLM.")[2]
        if "/llm.py:" in used and name:
            parameters = inspect.signature(getattr(StandIn, name)).parameters
            assert {each.strip("*") for each in names.split()} - {"kwargs"} <= set(parameters)


@pytest.mark.parametrize("make", [MODELS["llama"], adapted_llama], ids=["weights", "adapters"])
def test_vllm_samples_by_the_weights_of_the_last_sync(vllm, make):
    policy = make()
    engine = Vllm(policy, "path", STOPS, max_model_len=96, dtype="float32", seed=5)
    assert engine.own_probabilities
    engine.sync()
    limits = [16, 3, 16, 9, 1]
    completions = engine.generate(PROMPTS, Sampling(limits, 0.7), generator())
    assert_logprobs_of_one_reading(policy, PROMPTS, completions, 0.7)
    assert [len(one.ids) <= most for one, most in zip(completions, limits)] == [True] * 5
    assert [one.finished for one in completions] == [one.ids[-1] in STOPS for one in completions]
    engine.sleep()
    engine.sleep()  # once is enough
    with torch.no_grad():
        for weight in policy.parameters():
            weight.add_(torch.randn(weight.shape, generator=generator()) * 0.2)
    engine.sync()
    completions = engine.generate(PROMPTS, Sampling(16), generator())
    assert_logprobs_of_one_reading(policy, PROMPTS, completions)
    assert engine.inner.calls == [
        ("LLM", "path", "float32", 5, 96),
        *[("reload_weights",), ("reset_prefix_cache",), ("generate", 5), ("sleep", 2)],
        *[("wake_up", "weights"), ("reload_weights",), ("wake_up", "kv_cache")],
        *[("reset_prefix_cache",), ("generate", 5)],
    ]
    engine.sleep()
    engine.generate(PROMPTS, Sampling(2), generator())  # wakes by itself


def test_vllm_in_another_process_is_refused(vllm, monkeypatch):
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "1")
    with pytest.raises(ValueError, match="in this process"):
        Vllm(MODELS["llama"](), "path", STOPS)


def test_caches_whose_rows_go_on_elsewhere_are_used_again():
    policy, prompts = MODELS["llama"](), [list(prompt) for prompt in PROMPTS]
    engine, most = as_on_a_gpu(policy), 0
    for _ in range(6):
        completions = engine.generate(prompts, Sampling(2), generator())
        prompts = [[*prompt, *one.ids, 20] for prompt, one in zip(prompts, completions)]
        most = max(most, sum(not stepper.is_free for stepper in engine.steppers))
    assert most == 1
    assert len({(one.batch, one.length) for one in engine.steppers}) == len(engine.steppers) > 1
    graphs = list(engine.steppers)
    engine.sync()
    assert engine.steppers == graphs  # recording takes long
    plain = static(policy)
    plain.generate(prompts, Sampling(2), generator())
    plain.sync()
    assert not plain.steppers  # a cache alone is made in no time


def test_caches_on_a_cpu_are_bounded_however_much_memory_there_is(monkeypatch):
    monkeypatch.setattr(static_engine.os, "sysconf", lambda name: 2**20)  # 2**40 bytes
    assert static_engine.cache_budget(torch.device("cpu")) == 2**31
    monkeypatch.setattr(static_engine.os, "sysconf", lambda name: 2**12)
    assert static_engine.cache_budget(torch.device("cpu")) == 2**23


def test_a_cache_that_is_given_up_is_freed_at_once():
    """Nothing of it may wait for the search for cycles, which a few large tensors do not start."""
    engine = static(MODELS["llama"]())
    engine.generate(PROMPTS, Sampling(2), generator())
    caches = [ref(stepper) for stepper in engine.steppers]
    gc.disable()
    try:
        engine.sync()
        assert [cache() for cache in caches] == [None]
    finally:
        gc.enable()


def test_without_graphs_only_caches_with_prefixes_are_kept():
    """On a CPU each turn needs a cache of another size, which would fill half of the memory."""
    engine, prompts = static(MODELS["llama"]()), [list(prompt) for prompt in PROMPTS]
    for _ in range(6):
        completions = engine.generate(prompts, Sampling(2), generator())
        prompts = [[*prompt, *one.ids, 20] for prompt, one in zip(prompts, completions)]
        assert sum(one.is_free for one in engine.steppers) <= 1


@pytest.mark.parametrize("engine", [static, paged])
def test_adapters_are_sampled_with(engine):
    policy = adapted_llama()
    sampler = engine(policy)
    sampler.sync()
    completions = sampler.generate(PROMPTS, Sampling(12), generator())
    assert_logprobs_of_one_reading(policy, PROMPTS, completions)
