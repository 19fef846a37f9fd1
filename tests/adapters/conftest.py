"""Contract tests of the adapters, each in an environment of its own: see ``.ci/adapters``.

They run against the real packages, skip themselves where these are absent, and need no network:
models are tiny and random.
"""

from importlib.util import find_spec

import pytest
from tests.trainers.users import worded

END, PAD = "<|im_end|>", "<|endoftext|>"
SPECIAL = (PAD, "<|im_start|>", END, "<tool_call>", "</tool_call>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def pytest_configure(config):
    config.addinivalue_line("markers", "package(name): needs this package to be installed")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent.name == "adapters":
            item.add_marker(pytest.mark.filterwarnings("ignore"))  # other projects' warnings


def pytest_runtest_setup(item):
    for mark in item.iter_markers("package"):
        (name,) = mark.args
        if find_spec(name) is None:
            pytest.skip(f"no {name} here: .ci/adapters runs this in an environment that has it")


@pytest.fixture
def tokenizer():
    """A tokenizer of bytes with a chat template like ChatML."""
    pytest.importorskip("tokenizers", reason="no tokenizers here: .ci/adapters has them")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({sign: n for n, sign in enumerate(signs)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([*SPECIAL[:3]])
    made.add_tokens([*SPECIAL[3:]])
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=END, pad_token=PAD, chat_template=TEMPLATE
    )


@pytest.fixture
def model(tokenizer):
    """A decoder of some thousand random weights."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(0)
    torch.set_num_threads(1)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=8192,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    return Qwen2ForCausalLM(config)


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Settings of a run of TRL with a few small steps on the CPU."""
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")

    def made(**options):
        from trl import GRPOConfig

        return GRPOConfig(
            **{
                "output_dir": str(tmp_path),
                "use_cpu": True,
                "bf16": False,
                "per_device_train_batch_size": 4,
                "num_generations": 2,
                "max_completion_length": 16,
                "max_steps": 2,
                "logging_steps": 1,
                "save_strategy": "no",
                "report_to": [],
                "disable_tqdm": True,
                "learning_rate": 1e-2,
                "seed": 1,
            }
            | options
        )

    return made


COUNT = """
from inspect_ai.model._providers.mockllm import MockLLM

async def count(self, text):
    return len(text) // 4

MockLLM.count_text_tokens = count
"""


@pytest.fixture
def counting_offline():
    """The mock model of inspect_ai counts tokens with a vocabulary that it downloads; this does
    without, and gives the code for other processes to do so, too.
    """
    exec(COUNT, {})  # noqa: S102  it is our own
    return COUNT


@pytest.fixture
def user(monkeypatch):
    """An endpoint that says what users say in other words."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with worded() as server:
        server.options = {"base_url": server.url, "model": "user"}
        yield server
