"""Training with OpenRLHF (0.11): its reward as a file, and episodes of several turns.

Over HTTP nothing is needed but ``--reward.remote_url`` and a service; see its page. In process, a
file of one line is the reward function, and another one plays episodes::

    from palaestra.trainers.openrlhf import reward_func      # --reward.remote_url reward.py
    from palaestra.trainers.openrlhf import AgentExecutor    # --train.agent_func_path agent.py

Rows come from ``palaestra export --trainer openrlhf``, with ``--data.input_key prompt``,
``--data.label_key label`` and ``--data.apply_chat_template``. A label is a task's address, or a
plain gold answer as other data sets have it; ``answer_format=boxed`` may stand behind it after a
blank, where answers are marked otherwise.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from types import MappingProxyType
from typing import Any

from palaestra.labels import item_of
from palaestra.scoring import Item, score_many
from palaestra.task import JudgeError, Score
from palaestra.trainers.chat_tokens import ChatTokens, generation_stop_ids
from palaestra.trainers.queries import reply_in
from palaestra.trainers.rewards import RecipeOptions, ShapedReward, tokens_of
from palaestra.trainers.spoken_users import Speaker, UserOptions, speaker_of
from palaestra.trainers.stepwise import Steps, steps_of
from palaestra.verifiers.shaping import Transcript

logger = logging.getLogger(__name__)

TRIES = 3
"""How often a reply is judged before it is given up, for a lost worker is replaced by another."""


def split_label(label: str) -> tuple[str, str | None]:
    """What a label names, and the answer format that stands behind it, if one does.

    >>> split_label("games/mastermind?seed=1 answer_format=boxed"), split_label("x + 1")
    (('games/mastermind?seed=1', 'boxed'), ('x + 1', None))
    """
    named, separator, answer_format = label.strip().rpartition(" answer_format=")
    return (
        (named.strip(), answer_format)
        if separator and answer_format.replace("-", "").isalpha()
        else (label.strip(), None)
    )


def _item(label: str, reply: str) -> Item:
    """A reply with the task of its label.

    Raises what :func:`palaestra.labels.item_of` does, and logs it, since OpenRLHF writes errors of
    a reward among its notes only.
    """
    named, answer_format = split_label(label)
    try:
        return item_of(named, reply, answer_format)
    except (ValueError, LookupError):
        logger.exception("the label %.200r names nothing that a reply could be scored by", label)
        raise


def reward_func(
    queries: Sequence[str],
    prompts: Sequence[str],
    labels: Sequence[str],
    *,
    recipe: RecipeOptions = None,
    tokenizer: str | None = None,
) -> dict[str, Any]:
    """What OpenRLHF asks of a reward file, for queries of prompt and reply together.

    Runs in threads of the rollout actors. It raises what could not be scored, which OpenRLHF logs,
    leaving the rollout without a reward. ``recipe`` shapes the score (see
    :class:`~palaestra.trainers.rewards.ShapedReward`), for which the file says
    ``reward_func = functools.partial(reward_func, recipe=...)``; for one that depends on length
    ``tokenizer`` is the path of the model's.
    """
    shaped = ShapedReward.of(recipe, groups=False)
    import torch

    replies = [reply_in(*each) for each in zip(queries, prompts, strict=True)]
    done = _scored([_item(*each) for each in zip(labels, replies, strict=True)])
    values = torch.tensor([
        shaped.sure(score, [Transcript(reply, tokens_of(reply, tokenizer))])
        for score, reply in zip(done, replies, strict=True)
    ])  # fmt: skip
    logs = {
        "correct": torch.tensor([float(one.correct) for one in done]),
        "answered": torch.tensor([float(one.status != "no_answer") for one in done]),
    }
    return {"rewards": values, "scores": values, "extra_logs": logs}


def _scored(items: Sequence[Item]) -> list[Score]:
    """The scores of all. Raises the :class:`~palaestra.task.JudgeError` of one that has none."""
    scores: dict[int, Score | JudgeError] = {}
    for _try in range(TRIES):
        left = [n for n in range(len(items)) if not isinstance(scores.get(n), Score)]
        scores |= dict(zip(left, score_many([items[n] for n in left])))
    for one in scores.values():
        if isinstance(one, JudgeError):
            raise one
    return [one for _, one in sorted(scores.items()) if isinstance(one, Score)]


# ---------------------------------------------------------------------------- several turns


class _Conversation:
    """What stands between OpenRLHF's executor and its engine and tokenizer in an episode: it keeps
    the last reply, has the engine stop at every end of a reply, and encodes what the task says.
    """

    def __init__(
        self, chat: ChatTokens, tokenizer: Any, engine: Any, recipe: RecipeOptions = None,
        speaker: Speaker | None = None,
    ) -> None:  # fmt: skip
        self.chat, self.tokenizer, self.engine, self.recipe = chat, tokenizer, engine, recipe
        self.speaker = speaker
        self.reply_ids: list[int] = []
        self._encoded: tuple[str, list[int]] = ("", [])

    def __getattr__(self, name: str) -> Any:
        """What else the executor asks of a tokenizer."""
        return getattr(self.tokenizer, name)

    async def generate(self, prompt_ids: Any, sampling_params: Any, **options: Any) -> Any:
        """The engine's reply, whose tokens are kept."""
        stop_ids = getattr(sampling_params, "stop_token_ids", None) or ()
        sampling_params.stop_token_ids = [*dict.fromkeys([*stop_ids, *self.chat.stop_ids])]
        output = await self.engine.generate(prompt_ids, sampling_params, **options)
        self.reply_ids = list(output.outputs[0].token_ids)
        return output

    def __call__(self, text: str, **options: Any) -> Any:
        """The ids of the opening or an observation, as a tokenizer gives them."""
        if text != self._encoded[0]:
            return self.tokenizer(text=text, **options)
        import torch

        return {"input_ids": torch.tensor([self._encoded[1]], dtype=torch.long)}

    def open(self, prompt: str, messages: Sequence[Mapping[str, str]]) -> str:
        """The opening, if OpenRLHF rendered these messages for it."""
        if prompt == self.chat.rendered(messages):
            self._encoded = prompt, self.chat.encode_prompt(messages)
        return prompt

    def observe(self, text: str) -> str:
        """What the task says to the last reply."""
        self._encoded = text, self.chat.encode_observation(text, self.reply_ids)
        return text


_conversation: ContextVar[_Conversation] = ContextVar("_conversation")
"""Of the episode that is played in this context: the executor's, for its instance."""


@cache
def _agent() -> tuple[type[Any], type[Any]]:
    """The classes ``AgentInstance`` and ``AgentExecutor``."""
    import torch
    from openrlhf.utils.agent import (  # type: ignore[import-not-found]
        AgentInstanceBase,
        MultiTurnAgentExecutor,
    )

    class AgentInstance(AgentInstanceBase):  # type: ignore[misc]  # no types without the package
        """An episode. Rewards add up to the score, which is the score of the rollout, too."""

        def __init__(self, *_: Any, **__: Any) -> None:
            self.steps: Steps | None = None

        async def reset(self, states: dict[str, Any], **_: Any) -> dict[str, Any]:
            """Starts the task of the label, whose opening is the prompt."""
            label, answer_format = split_label(states["label"])
            conversation = _conversation.get()
            self.steps = steps_of(
                label, answer_format, recipe=conversation.recipe, user=conversation.speaker
            )
            prompt = conversation.open(states["observation"], self.steps.messages())
            return {"observation": prompt}

        async def step(self, state_dict: dict[str, Any], **_: Any) -> dict[str, Any]:
            """Hears a reply."""
            assert self.steps is not None, "reset comes before the first step"
            conversation = _conversation.get()
            reply_ids = conversation.reply_ids
            reply = conversation.chat.decode(reply_ids)
            step = await asyncio.to_thread(self.steps.step, reply, reply_ids)
            score = self.steps.score
            return {
                "rewards": torch.tensor(float(step.reward or 0.0)),
                "scores": torch.tensor(self.steps.paid),
                "environment_feedback": "" if step.done else conversation.observe(step.observation),
                "done": step.done,
                "extra_logs": {
                    "correct": torch.tensor(float(bool(score and score.correct))),
                    "turns": torch.tensor(float(self.steps.turns)),
                },
            }

    class AgentExecutor(MultiTurnAgentExecutor):  # type: ignore[misc]
        """Plays episodes of several turns, with the model's own chat template between them.

        Set on the class or in a subclass: ``reward_recipe`` shapes what they are paid, ``user`` has
        the options of an endpoint that words what users say after the prompt (see
        :func:`~palaestra.trainers.spoken_users.speaker_of`), and ``chat_template_options`` go to
        the template, as they have to for the prompts.
        """

        reward_recipe: RecipeOptions = None
        user: UserOptions = None
        chat_template_options: Mapping[str, Any] = MappingProxyType({})

        def __init__(self) -> None:
            super().__init__(AgentInstance)
            self._chat: ChatTokens | None = None
            self._speaker = speaker_of(self.user)

        def _chat_of(self, tokenizer: Any) -> ChatTokens:
            """The chat template is found out once."""
            if self._chat is None or self._chat.inner is not tokenizer:
                stop_ids = generation_stop_ids(tokenizer.name_or_path)
                self._chat = ChatTokens(tokenizer, self.chat_template_options, stop_ids)
            return self._chat

        async def execute(  # noqa: PLR0913, PLR0917
            self,
            prompt: str,
            label: str,
            sampling_params: Any,
            max_length: int,
            hf_tokenizer: Any,
            llm_engine: Any,
            images: Any = None,
        ) -> Mapping[str, Any]:
            """The tokens and rewards of an episode."""
            chat = self._chat_of(getattr(hf_tokenizer, "tokenizer", hf_tokenizer))
            between = _Conversation(
                chat, hf_tokenizer, llm_engine, self.reward_recipe, self._speaker
            )
            token = _conversation.set(between)
            try:
                rollout: Mapping[str, Any] = await super().execute(
                    prompt, label, sampling_params, max_length, between, between, images
                )
            finally:
                _conversation.reset(token)
            return rollout

    for class_ in (AgentInstance, AgentExecutor):
        class_.__qualname__ = class_.__name__
    return AgentInstance, AgentExecutor


def __getattr__(name: str) -> Any:
    """Makes the classes when they are asked for, since they need the package."""
    if name in {"AgentInstance", "AgentExecutor"}:
        return _agent()[name == "AgentExecutor"]
    raise AttributeError(f"{__name__} has no {name!r}")
