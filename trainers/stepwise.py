"""Tasks as step environments, for trainers that step through an episode reply by reply.

:class:`Steps` is the plain form. :class:`GemEnv` speaks as GEM's environments do, which is also
what Oat and others look for, and :func:`skyrl_env` gives a class for SkyRL (skyrl-gym 0.4)::

    env = GemEnv("games/mastermind", level=1)
    observation, info = env.reset(seed=3)
    observation, reward, terminated, truncated, info = env.step("<answer>012</answer>")

Rewards add up to the score. Where a reply could not be judged, the episode ends without one: its
reward is None, or :class:`~palaestra.task.JudgeError` is raised where the trainer takes numbers
only.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from palaestra.address import SEEDS, Address, Split
from palaestra.episode import TAGS, AnswerFormat, Episode, EpisodeOver, answer_format_of
from palaestra.labels import BadLabel, item_of
from palaestra.scoring import Item, Named, is_single_turn, resolve, score_many
from palaestra.task import JudgeError, Score
from palaestra.trainers.rewards import RecipeOptions, ShapedReward, Tokens
from palaestra.trainers.spoken_users import Conversation, UserOptions, speaker_of
from palaestra.verifiers.shaping import Transcript
from palaestra.verifiers.shaping.truth import SHORT

Info = dict[str, Any]


class Step(NamedTuple):
    """What came of a reply: what the task says now, what was earned, and whether it is over."""

    observation: str
    reward: float | None
    done: bool


class Steps:
    """A task that is played reply by reply, at most ``max_turns`` of them.

    Rewards add up to the score, or to what the ``recipe`` makes of it (see
    :class:`~palaestra.trainers.rewards.ShapedReward`).

    An endpoint may word what the user of a task says, see
    :func:`~palaestra.trainers.spoken_users.speaker_of`. The first observation is in its words after
    :meth:`speak`; where a prompt has been made of it before, leave it in those of the script.

    >>> steps = Steps("logic/knights_and_knaves?seed=1", answer_format="bare")
    >>> steps.step("no idea").done, steps.score.value
    (True, 0.0)
    """

    def __init__(
        self,
        address: Named,
        answer_format: AnswerFormat | str = TAGS,
        max_turns: int | None = None,
        recipe: RecipeOptions = None,
        user: UserOptions = None,
    ) -> None:
        where = Address.parse(address) if isinstance(address, str) else address
        if max_turns is not None and max_turns < 1:
            raise ValueError(f"max_turns is at least 1, not {max_turns}")
        self.address = str(where) if isinstance(where, Address) else ""
        """The address of the task; blank for a task that was given itself."""
        self.episode = Episode(resolve(where), answer_format_of(answer_format))
        self.conversation = Conversation(self.episode, speaker_of(user))
        """The episode as the player reads it."""
        self.max_turns = max_turns
        self.turns = 0
        self.score: Score | JudgeError | None = None
        """The score, once it is over."""
        self.shaped = ShapedReward.of(recipe, groups=False)
        self._recipe, self._total = recipe is not None, 0.0
        self.transcripts: list[Transcript] = []

    @property
    def observation(self) -> str:
        """What the player reads now."""
        return self.conversation.observation

    def messages(self) -> list[dict[str, str]]:
        """The chat so far."""
        return self.conversation.messages()

    def speak(self) -> None:
        """Let an endpoint word what the user says in the last observation, where there is one."""
        self.conversation.speak()

    @property
    def paid(self) -> float:
        """The reward of the whole episode; of one that is not over, as for a score of 0.

        Raises the :class:`~palaestra.task.JudgeError` that it is where it could not be judged.
        """
        stopped = Score(0, "the replies stop before the episode is over", status="limit")
        return self.shaped.sure(self.score or stopped, self.transcripts)

    def step(self, reply: str, tokens: Tokens = None) -> Step:
        """Hears a reply, of these ``tokens`` or so many, for recipes that depend on them.

        Raises :class:`~palaestra.episode.EpisodeOver` where it is over.
        """
        if self.score is not None:
            raise EpisodeOver(f"the episode was over after {self.turns} replies")
        self.turns += 1
        self.transcripts.append(Transcript(reply, tokens))
        earned = self._reply(reply)
        if self.score is None and self.turns == self.max_turns:
            self.score = Score(0, f"it went on after {self.turns} turns", status="limit")
        if isinstance(self.score, Score):
            earned = self.paid - self._total  # so that rewards add up to it
        elif self.score is None and self._recipe:
            earned = self._so_far() - self._total
        self._total += earned or 0.0
        if self.score is None:
            self.speak()
        observation = self.observation if self.score is None else self.score.reason
        return Step(observation, earned, self.score is not None)

    def _so_far(self) -> float:
        """What the recipe makes of the credit so far, so that an episode which a trainer cuts was
        paid no more than a wrong one.
        """
        credit = min(max(sum(self.episode.rewards), 0.0), 1 - SHORT)
        return self.shaped.sure(Score(credit, status="limit"), self.transcripts)

    def _reply(self, reply: str) -> float | None:
        task = self.episode.task
        if is_single_turn(task):
            # Heavy ones are judged in worker processes, which can be given up if they hang.
            (self.score,) = score_many([Item(task, reply, self.episode.answer_format)])
            return self.score.value
        try:
            earned = self.episode.step(reply)
        except JudgeError as fault:
            self.score = fault
        except Exception as fault:  # noqa: BLE001  whatever it was, it must not become a reward
            self.score = JudgeError(f"{type(fault).__name__}: {fault}"[:500])
        else:
            self.score = self.episode.score
            return earned
        return None


def steps_of(
    label: object,
    answer_format: AnswerFormat | str | None = None,
    max_turns: int | None = None,
    recipe: RecipeOptions = None,
    user: UserOptions = None,
) -> Steps:
    """The task that a row's label names, ready to be played; for a gold answer, a single reply.

    Raises what :func:`palaestra.labels.task_of` does.
    """
    task, _, marked = item_of(label, "", answer_format)
    return Steps(task, marked, max_turns, recipe, user)


def value_of(score: Score | JudgeError | None) -> float:
    """The value of a score; 0 for an episode that stopped short of its end.

    Raises the :class:`~palaestra.task.JudgeError` that it is where it could not be judged.
    """
    if isinstance(score, JudgeError):
        raise score
    return float(score.value) if score else 0.0


class GemEnv:
    """An environment with the methods of ``gem.Env`` (gem-llm 0.1), which it need not inherit from.

    ``reset(seed)`` names the task, so that a group which is reset with one seed plays one task;
    without a seed, the next one of ``seed`` that the environment was made with.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        name: str,
        level: int = 0,
        split: Split = "train",
        answer_format: AnswerFormat | str = TAGS,
        max_turns: int | None = None,
        seed: int = 0,
        recipe: RecipeOptions = None,
        user: UserOptions = None,
        **knobs: Any,
    ) -> None:
        self.config: Mapping[str, Any] = dict(
            name=name, level=level, split=split, answer_format=answer_format, max_turns=max_turns,
            recipe=recipe, user=user, **knobs,
        )  # fmt: skip
        self._name, self._level, self._split, self._knobs = name, level, split, knobs
        self._answer_format, self._max_turns, self._recipe = answer_format, max_turns, recipe
        self._speaker = speaker_of(user)
        self._chance = Random(seed)
        self._address(0)  # so that what is wrong with the knobs is said at once
        self.steps: Steps | None = None

    def _address(self, seed: int) -> Address:
        seed %= len(SEEDS[self._split])
        return Address.of(self._name, seed, self._level, self._split, **self._knobs)

    def reset(self, seed: int | None = None) -> tuple[str, Info]:
        """Starts a task; its opening, and its address."""
        chosen = self._chance.randrange(len(SEEDS[self._split])) if seed is None else seed
        self.steps = self._steps(self._address(chosen), self._answer_format)
        self.steps.speak()
        return self.steps.observation, {"address": self.steps.address}

    def _steps(self, address: Named, answer_format: AnswerFormat | str) -> Steps:
        return Steps(address, answer_format, self._max_turns, self._recipe, self._speaker)

    def step(self, action: str) -> tuple[str, float, bool, bool, Info]:
        """Observation, reward, terminated, truncated, info."""
        if self.steps is None:
            raise RuntimeError("reset the environment before its first step")
        step = self.steps.step(action)
        score, info = self.steps.score, {"address": self.steps.address}
        if step.reward is None:
            value_of(score)
        cut = isinstance(score, Score) and score.status == "limit" and score.value == 0
        outcome = {"score": score.value, "status": score.status} if score else {}
        return step.observation, step.reward or 0.0, step.done and not cut, cut, {**info, **outcome}

    def sample_random_action(self) -> str:
        """One of the legal moves, where they can be listed."""
        if self.steps is None:
            raise RuntimeError("reset the environment before its first step")
        moves: Sequence[str] = self.steps.episode.turn.legal_moves or ("",)
        return self.steps.episode.answer_format.write(moves[self._chance.randrange(len(moves))])

    def spawn(self, same_state: bool = False, **options: Any) -> "GemEnv":
        """Another one like it, in the same state if wished."""
        env = GemEnv(**{**self.config, **options})
        if same_state and self.steps is not None:
            env.steps = env._steps(self.steps.address, self.steps.episode.answer_format)
            env.steps.conversation.words = [*self.steps.conversation.words]
            for one in self.steps.transcripts:
                env.steps.step(one.reply, one.tokens)
        return env


def group(make: Callable[[], GemEnv], seed: int, size: int) -> list[tuple[GemEnv, str]]:
    """A group of environments at the same task, with its opening, as tinker-cookbook's
    ``EnvGroupBuilder`` and verl-agent's grouped environments want them.
    """
    envs = [make() for _ in range(size)]
    return [(env, env.reset(seed)[0]) for env in envs]


# ---------------------------------------------------------------------------- SkyRL


@cache
def skyrl_env() -> type[Any]:
    """The class for skyrl-gym, which is registered by its name.

    As ``skyrl_gym.register(id="palaestra", entry_point="palaestra.trainers.stepwise:SkyRLEnv")``.

    Rows have ``env_class`` and ``reward_spec``, as ``palaestra export --trainer skyrl`` writes
    them.
    """
    from skyrl_gym.envs.base_text_env import BaseTextEnv  # type: ignore[import-not-found]

    class SkyRLEnv(BaseTextEnv):  # type: ignore[misc]  # no types without the package
        """A task of ours, or a question with a gold answer, by the ground truth of its row."""

        def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:
            super().__init__()
            options = extras or {}
            label = (options.get("reward_spec") or {}).get("ground_truth")
            if label is None:
                raise BadLabel(
                    "extras have no reward_spec with a ground_truth, an address or a gold answer"
                )
            max_turns = options.get("max_turns")
            answer_format = (options.get("extra_info") or {}).get("answer_format")
            config = env_config or {}
            self.steps = steps_of(
                label, answer_format, max_turns, config.get("reward_recipe"), config.get("user")
            )
            self.max_turns = max_turns or 0

        def step(self, action: str) -> dict[str, Any]:
            """Hears a reply; what is said to it is a message of the user."""
            step = self.steps.step(action)
            self.turns = self.steps.turns
            if step.reward is None:
                value_of(self.steps.score)
            observations = [] if step.done else [{"role": "user", "content": step.observation}]
            metadata = {
                "address": self.steps.address,
                "reason": step.observation if step.done else "",
            }
            return {
                "observations": observations,
                "reward": float(step.reward or 0.0),
                "done": step.done,
                "metadata": metadata,
            }

        def get_metrics(self) -> dict[str, Any]:
            """How the episode went."""
            score = self.steps.score
            return {"score": value_of(score), "turns": self.steps.turns}

    SkyRLEnv.__qualname__ = "SkyRLEnv"
    return SkyRLEnv


def __getattr__(name: str) -> Any:
    """Makes the class when it is asked for, since it needs the package."""
    if name == "SkyRLEnv":
        return skyrl_env()
    raise AttributeError(f"{__name__} has no {name!r}")
