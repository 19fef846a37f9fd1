"""Training with veRL (0.9): its reward function, a data set without files, and an agent loop.

Only texts have to be set, in the configuration or on the command line::

    reward.custom_reward_function.path=pkg://palaestra.trainers.verl
    data.custom_cls.path=pkg://palaestra.trainers.verl data.custom_cls.name=Tasks
    data.train_files='["logic/knights_and_knaves?level=1&seeds=0:5000"]'
    actor_rollout_ref.rollout.agent.agent_loop_config_path=agents.yaml
    actor_rollout_ref.rollout.agent.default_agent_loop=palaestra

where ``agents.yaml`` says ``[{name: palaestra, _target_: palaestra.trainers.verl.EpisodeLoop}]``
and is needed for tasks of several turns only.

The classes are made when they are asked for, so that the reward function alone, which runs in many
workers, imports neither torch nor veRL.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from uuid import uuid4

from palaestra.address import Address
from palaestra.labels import GoldAnswer, address_of, item_of, task_of
from palaestra.observations import SIZE, View
from palaestra.registry import names
from palaestra.scoring import score_many
from palaestra.task import JudgeError, Score
from palaestra.trainers.rewards import RecipeOptions, ShapedReward, tokens_of
from palaestra.trainers.rows import selected_rows
from palaestra.trainers.spoken_users import UserOptions, speaker_of
from palaestra.trainers.stepwise import Steps, steps_of
from palaestra.verifiers.shaping import Transcript

TRIES = 3
"""How often a reply is judged before it is given up, for a lost worker is replaced by another."""


def compute_score(  # noqa: PLR0913
    data_source: str,
    solution_str: str,
    ground_truth: object,
    extra_info: Mapping[str, Any] | None = None,
    *,
    answer_format: str | None = None,
    unscored: float | None = None,
    recipe: RecipeOptions = None,
    tokenizer: str | None = None,
    **_: Any,
) -> dict[str, float]:
    r"""The score of a reply, by the ground truth of its row.

    That is the address of a task, or a plain gold answer, as the data sets of others have it:

    >>> compute_score("math", r"It is \boxed{42}.", "42")["score"]
    1.0

    ``data_source`` tells which where it says ``palaestra/…`` or names an environment: then the
    ground truth has to be an address. Raises :class:`~palaestra.labels.BadLabel` and what
    :meth:`Address.parse <palaestra.address.Address.parse>` does for one that is neither.

    veRL has no way to leave a reward out. What cannot be judged therefore raises
    :class:`~palaestra.task.JudgeError`, which ends the step, unless
    ``reward.custom_reward_function.reward_kwargs.unscored`` names a number to put in its place.
    ``recipe``, beside it, shapes the score (see
    :class:`~palaestra.trainers.rewards.ShapedReward`); for one that depends on length ``tokenizer``
    is the path of the model's.
    """
    shaped = ShapedReward.of(recipe, groups=False)
    task = task_of_row(data_source, ground_truth)
    item = item_of(task, solution_str, answer_format or (extra_info or {}).get("answer_format"))
    result: Score | JudgeError = JudgeError("it was not judged")
    for _try in range(TRIES):
        (result,) = score_many([item])
        if isinstance(result, Score):
            break
    return logged(result, unscored, shaped, reply_of(solution_str, tokenizer))


def reply_of(reply: str, tokenizer: str | None) -> list[Transcript]:
    """The transcript of an episode of one reply."""
    return [Transcript(reply, tokens_of(reply, tokenizer))]


def task_of_row(data_source: str, ground_truth: object) -> Address | GoldAnswer:
    """The task of a row of veRL's, an address of ours or a gold answer to its own question."""
    if data_source.startswith("palaestra/") or data_source in names():
        return address_of(ground_truth, f"the ground truth of a row of {data_source!r}")
    return task_of(ground_truth)


def logged(
    result: Score | JudgeError | None,
    unscored: float | None = None,
    shaped: ShapedReward | None = None,
    transcripts: Sequence[Transcript] = (),
) -> dict[str, float]:
    """A result as veRL logs it: numbers alone, the same ones each time; ``score`` is what is paid,
    and ``acc`` whether it is right.
    """
    if isinstance(result, JudgeError):
        if unscored is None:
            raise result
        return {"score": float(unscored), "acc": 0.0, "answered": 0.0, "unscored": 1.0}
    score = result or Score(0, "the replies stop before the episode is over", status="limit")
    answered = float(score.status != "no_answer")
    value = (shaped or ShapedReward()).sure(score, transcripts)
    right = float(score.correct)
    return {"score": value, "acc": right, "answered": answered, "unscored": 0.0}


@cache
def _tasks() -> type[Any]:
    """The class ``Tasks``."""
    from datasets import Dataset
    from verl.utils.dataset.rl_dataset import RLHFDataset  # type: ignore[import-not-found]

    class Tasks(RLHFDataset):  # type: ignore[misc]  # no types without the package
        """A data set of selections such as ``games/mastermind?level=1&seeds=0:1000``.

        All else is as with veRL's own data set: long prompts are filtered, and runs resumed.
        ``+data.answer_format=boxed`` changes how answers are marked; ``+data.observation=both`` or
        ``image`` adds images of ``+data.image_size`` pixels on each side, for vision models.
        """

        def _download(self, use_origin_parquet: bool = False) -> None:
            """There is nothing to fetch."""
            if use_origin_parquet:
                self.data_files = list(self.original_data_files)

        def _read_files_and_tokenize(self) -> None:
            answer_format = self.config.get("answer_format", "tags")
            view = View(self.config.get("observation", "text"), self.config.get("image_size", SIZE))
            rows = [
                row for wish in self.data_files for row in selected_rows(wish, answer_format, view)
            ]
            if 0 < self.max_samples < len(rows):
                rows = rows[: self.max_samples]
            for number, row in enumerate(rows):
                row["extra_info"]["index"] = number
            self.dataframe = self.maybe_filter_out_long_prompts(Dataset.from_list(rows))

    Tasks.__qualname__ = "Tasks"
    return Tasks


@cache
def _episode_loop() -> type[Any]:
    """The class ``EpisodeLoop``."""
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput  # type: ignore[import-not-found]
    from verl.utils.profiler import simple_timer  # type: ignore[import-not-found]

    class EpisodeLoop(AgentLoopBase):  # type: ignore[misc]  # no types without the package
        """Plays an episode turn by turn, scores it, and masks what the task said.

        Set in ``agents.yaml``: ``max_turns`` ends an episode after so many replies, and
        ``unscored`` and ``recipe`` are as with :func:`compute_score`. ``user`` has the options of
        an endpoint that words what users say after the prompt, see
        :func:`~palaestra.trainers.spoken_users.speaker_of`.
        """

        def __init__(
            self,
            *args: Any,
            max_turns: int | None = None,
            unscored: float | None = None,
            recipe: RecipeOptions = None,
            user: UserOptions = None,
            **options: Any,
        ) -> None:
            super().__init__(*args, **options)
            self.max_turns, self.unscored, self.recipe = max_turns, unscored, recipe
            self.speaker = speaker_of(user)
            self.length = self.rollout_config.response_length

        async def run(self, sampling_params: dict[str, Any], **row: Any) -> Any:
            """The tokens of an episode, which of them the model chose, and its score."""
            if not all(isinstance(each["content"], str) for each in row["raw_prompt"]):
                raise ValueError("this loop plays text; rows with images need veRL's own loop")
            steps = await asyncio.to_thread(self._steps, row)
            play = _Play(self, steps, list(row["raw_prompt"]), sampling_params)
            with simple_timer("generate_sequences", play.metrics):
                await play.played()
            result = logged(steps.score, self.unscored, steps.shaped, steps.transcripts)
            cut = slice(self.length)
            return AgentLoopOutput(
                prompt_ids=play.ids[: len(play.ids) - len(play.mask)],
                response_ids=play.ids[len(play.ids) - len(play.mask) :][cut],
                response_mask=play.mask[cut],
                response_logprobs=play.logprobs[cut] if play.logprobs else None,
                reward_score=result["score"],
                num_turns=2 * steps.turns,
                metrics=play.metrics,
                extra_fields={
                    **play.extra,
                    "reward_extra_info": {k: v for k, v in result.items() if k != "score"},
                    "turn_scores": [],
                    "tool_rewards": [],
                },
            )

        def _steps(self, row: Mapping[str, Any]) -> Steps:
            answer_format = (row.get("extra_info") or {}).get("answer_format")
            task = task_of_row(row.get("data_source", ""), row["reward_model"]["ground_truth"])
            return steps_of(task, answer_format, self.max_turns, self.recipe, self.speaker)

    EpisodeLoop.__qualname__ = "EpisodeLoop"
    return EpisodeLoop


class _Play:
    """An episode in play: its chat, its tokens, and those of them that the model chose."""

    def __init__(
        self, loop: Any, steps: Steps, messages: list[Any], sampling: dict[str, Any]
    ) -> None:
        self.loop, self.steps, self.messages, self.sampling = loop, steps, messages, sampling
        self.ids: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] = []
        self.metrics: dict[str, Any] = {}
        self.extra: dict[str, Any] = {}
        self.name = uuid4().hex

    async def played(self) -> None:
        """Goes on until the episode is over, or its tokens are used up."""
        self.ids = await self.loop.ct_build_initial_tokens(self.messages)
        while True:
            reply, ids = await self._reply()
            if len(self.mask) > self.loop.length:
                return  # what is cut off is not replied to
            step = await asyncio.to_thread(self.steps.step, reply, ids)
            if step.done or not await self._observe(reply, step):
                return

    async def _reply(self) -> tuple[str, list[int]]:
        """What the model says next, and its tokens."""
        sampling = {**self.sampling}
        if "max_tokens" in sampling:
            sampling["max_tokens"] = min(sampling["max_tokens"], self.loop.length - len(self.mask))
        output = await self.loop.server_manager.generate(
            request_id=self.name, prompt_ids=self.ids, sampling_params=sampling
        )
        self.extra = {**output.extra_fields, **self.extra}
        merged, self.mask, logprobs = await self.loop.ct_merge_assistant_token(
            self.ids,
            output.token_ids,
            self.mask,
            self.logprobs if self.logprobs or output.log_probs else None,
            assistant_logprobs=output.log_probs or None,
        )
        self.ids, self.logprobs = merged.token_ids, logprobs or []
        reply: str = self.loop.tokenizer.decode(output.token_ids, skip_special_tokens=True)
        return reply, list(output.token_ids)

    async def _observe(self, reply: str, step: Any) -> bool:
        """Puts what the task says behind a reply; whether there is room for it."""
        before = [*self.messages, {"role": "assistant", "content": reply}]
        self.messages = [*before, {"role": "user", "content": step.observation}]
        merged, mask, logprobs = await self.loop.ct_merge_context_msg(
            before, self.messages, self.ids, self.mask, self.logprobs or None
        )
        if len(mask) >= self.loop.length:
            return False
        self.ids, self.mask, self.logprobs = merged.token_ids, mask, logprobs or []
        return True


def __getattr__(name: str) -> Any:
    """Makes the classes when they are asked for, since they need the package."""
    factories = {"Tasks": _tasks, "EpisodeLoop": _episode_loop}
    if name in factories:
        return factories[name]()
    raise AttributeError(f"{__name__} has no {name!r}")
