"""Episodes in turns of text, as a ``rollout_func`` for TRL."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from palaestra.labels import BadLabel
from palaestra.task import JudgeError, Score
from palaestra.trainers.chat_tokens import ChatTokens
from palaestra.trainers.spoken_users import Speaker, UserOptions, speaker_of
from palaestra.trainers.stepwise import steps_of

TEXT_ONLY = "rollouts play text; rows with images are for tasks of one reply, without rollout_func"


def rollout(
    max_turns: int | None = None, user: UserOptions = None
) -> Callable[[list[Any], Any], dict[str, Any]]:
    """A ``rollout_func``: whole episodes in turns of text, for any chat template.

    What was sampled is kept token by token; what the task says is put between, and masked. An
    episode that does not fit into ``max_completion_length``, or takes more than ``max_turns``
    replies, is left unfinished, which scores 0. Scores go to :func:`reward`.

    ``user`` has the options of an endpoint that words what users say after the prompt, see
    :func:`~palaestra.trainers.spoken_users.speaker_of`.
    """
    speaker = speaker_of(user)

    def play(prompts: list[Any], trainer: Any) -> dict[str, Any]:
        return _Rollouts(prompts, trainer, max_turns, speaker).played()

    return play


class _Rollouts:
    """The episodes of a batch, played side by side."""

    def __init__(
        self,
        prompts: Sequence[Any],
        trainer: Any,
        max_turns: int | None,
        speaker: Speaker | None = None,
    ) -> None:
        processor = trainer.processing_class
        # Of the generation config and the tokenizer, in a TRL that asks the first.
        stop_ids: list[int] = getattr(trainer, "eos_token_ids", [])
        self.text = ChatTokens(
            getattr(processor, "tokenizer", processor), trainer.chat_template_kwargs, stop_ids
        )
        # TRL's sampling and its test for truncation share the list; the template may add to it.
        stop_ids += [each for each in self.text.stop_ids if each not in stop_ids]
        self.trainer = trainer
        self.max_tokens = trainer.max_completion_length
        self.turns, self.speaker = max_turns, speaker
        self.players = [_Player(prompt, self.text, speaker) for prompt in prompts]

    def played(self) -> dict[str, Any]:
        """What TRL wants to know of them, as lists with one entry for each prompt."""
        turn = 0
        while self.turns is None or turn < self.turns:
            going = [player for player in self.players if player.going]
            if not self._anywhere(len(going)):
                break
            self._turn(going)
            turn += 1
        return {
            "prompt_ids": [player.prompt for player in self.players],
            "completion_ids": [player.ids for player in self.players],
            "logprobs": self._logprobs(),
            "env_mask": [player.mask for player in self.players],
            "episode_score": [player.score for player in self.players],
            "episode_result": [player.result for player in self.players],
            "episode_replies": [player.replies for player in self.players],
        }

    def _turn(self, going: Sequence["_Player"]) -> None:
        """One reply of each episode that still goes on."""
        prompts = [player.prompt + player.ids for player in going]
        # Engines that several processes share want as many prompts from each of them.
        width = self._anywhere(len(going))
        prompts += [self.players[0].prompt] * (width - len(prompts))
        replies, logprobs = self.trainer._generate_single_turn(prompts, None, {}, num_generations=1)

        def take(n: int) -> None:
            going[n].take(replies[n], None if logprobs is None else logprobs[n], self.max_tokens)

        if self.speaker is None:
            for n in range(len(going)):
                take(n)
            return
        # Waiting for an endpoint takes long, so that the users of all episodes speak side by side.
        with ThreadPoolExecutor(self.speaker.endpoint.concurrency) as pool:
            list(pool.map(take, range(len(going))))

    def _anywhere(self, number: int) -> int:
        """The greatest of the numbers that all processes have."""
        import torch

        here = torch.tensor([number], device=self.trainer.accelerator.device)
        return int(self.trainer.accelerator.gather(here).max())

    def _logprobs(self) -> list[list[float]] | None:
        logprobs = [player.logprobs for player in self.players]
        missing = any(each is None for each in logprobs)
        return None if missing else cast("list[list[float]]", logprobs)


class _Player:
    """An episode and its tokens: ``mask`` is 1 for those that the model chose."""

    def __init__(
        self, prompt: Sequence[Mapping[str, str]], text: ChatTokens, speaker: Speaker | None = None
    ) -> None:
        if "label" not in prompt[-1]:
            raise BadLabel(
                "the messages of a prompt have no label; make them with trl.dataset, or with "
                "trl.questions out of a file"
            )
        if not isinstance(prompt[-1]["content"], str):
            raise ValueError(TEXT_ONLY)  # noqa: TRY004  it is the data set that is wrong
        self.text = text
        label, answer_format = prompt[-1]["label"], prompt[-1]["answer_format"]
        self.steps = steps_of(label, answer_format, user=speaker)
        self.going = True
        self.replies: list[tuple[str, list[int]]] = []
        messages = [{"role": each["role"], "content": each["content"]} for each in prompt]
        self.prompt = text.encode_prompt(messages)
        self.ids: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] | None = []

    @property
    def result(self) -> Score | JudgeError:
        """The score, which is 0 for what was left unfinished, or why it was not judged."""
        unfinished = Score(0, "the replies stop before the episode is over", status="limit")
        return self.steps.score or unfinished

    @property
    def score(self) -> float | None:
        """Its value; None where it was not judged."""
        return self.result.value

    def take(self, ids: Sequence[int], logprobs: Sequence[float] | None, most: int) -> None:
        """Has the task hear a reply, and what it says put behind that. What stands behind the first
        stop token, as of an engine that knows fewer of them, is no part of it.

        Only the first ``most`` tokens count, so a reply that goes on beyond them is not heard.
        """
        ids = self.text.cut(ids)
        room = min(len(ids), most - len(self.ids))
        self._add(ids[:room], 1, None if logprobs is None else logprobs[:room])
        self.replies.append((self.text.decode(ids), [*ids]))
        if len(ids) > room:
            self.going = False
            return
        step = self.steps.step(self.text.decode(ids))
        observation = [] if step.done else self.text.encode_observation(step.observation, ids)
        self.going = not step.done and len(self.ids) + len(observation) < most
        if self.going:
            self._add(observation, 0, None if logprobs is None else [0.0] * len(observation))

    def _add(self, ids: Sequence[int], is_action: int, logprobs: Sequence[float] | None) -> None:
        self.ids += ids
        self.mask += [is_action] * len(ids)
        if logprobs is None or self.logprobs is None:
            self.logprobs = None
        else:
            self.logprobs += logprobs
