"""Environments for the verifiers library and what trains with it: prime-rl, and others.

It serves verifiers 0.4 (a taskset and an environment of ``verifiers.v1``), and for 0.1.8 to 0.3
``load_environment``. The library finds environments by the names of installed modules, so a stub
of three lines is needed, which ``examples/verifiers`` has, ready to be installed::

    from palaestra.trainers.verifiers import exported, load_environment

    globals().update(exported())
    __all__ = ["load_environment", *exported()]

Then: ``vf-eval palaestra-tasks --env.taskset.tasks "games/mastermind?level=1&seeds=0:50"``.

Its modules are imported by name, since ``verifiers`` is also the name of a part of this package.
"""

import asyncio
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from typing import Any

from palaestra.address import SEEDS, Address
from palaestra.episode import Episode
from palaestra.labels import is_address
from palaestra.task import JudgeError
from palaestra.trainers.rewards import RecipeOptions, tokens_of
from palaestra.trainers.rows import JSON_LINES, Chosen, chosen
from palaestra.trainers.spoken_users import UserOptions, speaker_of
from palaestra.trainers.stepwise import Steps, steps_of

FIRST = "logic/knights_and_knaves?seeds=0:1000"
"""The tasks where none are named."""


def there(module: str) -> bool:
    """Whether the library has a part of it."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def named(tasks: str, answer_format: str) -> Iterator[Chosen]:
    """What selections with blanks between them name."""
    return (each for wish in tasks.split() for each in chosen(wish, answer_format))


def endless(tasks: str, answer_format: str) -> Iterator[Chosen]:
    """The tasks of selections without seeds in turn, one of each after the other, without end.

    Raises ``ValueError`` for a selection with seeds, and for files.

    >>> tasks = endless("games/mastermind?level=1 logic/knights_and_knaves", "tags")
    >>> [next(tasks).address.env for _ in range(3)]
    ['games/mastermind', 'logic/knights_and_knaves', 'games/mastermind']
    """
    wishes = tasks.split()
    if not wishes:
        raise ValueError("an infinite taskset needs one environment at least")
    if wrong := [each for each in wishes if "seeds=" in each or each.endswith(JSON_LINES)]:
        raise ValueError(
            f"an infinite taskset names environments without seeds, not {wrong[0][:200]!r}"
        )
    all_seeds = f"seeds=0:{len(SEEDS['train'])}"
    streams = [
        chosen(f"{wish}{'&' if '?' in wish else '?'}{all_seeds}", answer_format) for wish in wishes
    ]
    return chain.from_iterable(zip(*streams))


def is_solved_by_its_oracle(label: str) -> bool | None:
    """Whether the perfect player of a task scores 1; None for a gold answer, which has none."""
    if not is_address(label):
        return None
    task = Address.parse(label).task()
    episode = Episode(task, "bare", [*task.solve()])
    return bool(episode.result().correct)


def results(steps: Steps) -> dict[str, float]:
    """How an episode went, and what it is paid. Raises what could not be scored."""
    right = bool(steps.score and steps.score.correct)
    return {"score": steps.paid, "correct": float(right), "turns": float(steps.turns)}


def metrics_of(label: str, outcome: Mapping[str, float]) -> dict[str, float]:
    """What is logged of an episode: for tasks of ours also by environment and by level."""
    if not is_address(label):
        return dict(outcome)
    address = Address.parse(label)
    own = {address.env: outcome["correct"]}
    if address.level is not None:
        own[f"{address.env}/level_{address.level}"] = outcome["correct"]
    return {**outcome, **{f"correct/{name}": value for name, value in own.items()}}


# ---------------------------------------------------------------------------- 0.4


@cache
def exported() -> Mapping[str, type[Any]]:
    """The taskset, its settings and the environment, which a stub has to export.

    Nothing where there is no ``verifiers.v1``.

    The environment plays the user, so puzzles and games are alike to it. It is played through the
    plain chat program in a local process, for nothing that a model says is run there.
    """
    if not there("verifiers.v1"):
        return {}
    vf = import_module("verifiers.v1")

    class PalaestraConfig(vf.TasksetConfig):  # type: ignore[misc, name-defined]
        """Which tasks: selections such as ``games/mastermind?level=1&seeds=0:50``, or files of
        questions such as ``maths.jsonl``.
        """

        tasks: str = FIRST
        answer_format: str = "tags"
        infinite: bool = False
        """Whether ``tasks`` names environments without seeds, whose training tasks follow each
        other without end.
        """

    class PalaestraData(vf.TaskData):  # type: ignore[misc, name-defined]
        """A task, named by its address, or a question with its gold answer."""

        label: str
        answer_format: str

    class PalaestraTask(vf.Task[PalaestraData, vf.State, vf.TaskConfig]):  # type: ignore[misc, name-defined]
        """Scored by its environment; its key is its address."""

        @property
        def key(self) -> str:
            """The address, or the file and the line of a question."""
            return str(self.data.name)

        async def validate(self, runtime: Any) -> bool | None:
            """Whether the perfect player of the task scores 1."""
            return await asyncio.to_thread(is_solved_by_its_oracle, self.data.label)

    class PalaestraTaskset(vf.Taskset[PalaestraTask, PalaestraConfig]):  # type: ignore[misc, name-defined]
        """The tasks and questions of some selections."""

        def __init__(self, config: Any) -> None:
            super().__init__(config)
            self.INFINITE = config.infinite

        def load(self) -> Iterator[Any]:
            """One after the other, each drawn when it is asked for."""
            answer_format = self.config.answer_format
            read = endless if self.config.infinite else named
            for each in read(self.config.tasks, answer_format):
                data = PalaestraData(
                    id=each.name,
                    name=each.name,
                    prompt=each.question,
                    label=each.label,
                    answer_format=answer_format,
                )
                yield PalaestraTask(data, self.config.task)

    class PalaestraEnvConfig(vf.EnvConfig):  # type: ignore[misc, name-defined]
        """Who plays, for how many turns at most, and the recipe that shapes the score; for one
        that depends on length ``tokenizer`` is the path of the model's. ``user`` has the options of
        an endpoint that words what users say.
        """

        player: vf.AgentConfig = vf.AgentConfig(  # type: ignore[name-defined]
            harness={"id": "null"}, runtime=vf.SubprocessConfig()
        )
        max_turns: int | None = None
        recipe: str | None = None
        tokenizer: str | None = None
        user: dict[str, Any] | None = None

    class PalaestraEnv(vf.Env[PalaestraEnvConfig]):  # type: ignore[misc, name-defined]
        """Plays the user, turn by turn, until the task has a score."""

        async def run(self, task: Any, agents: Any) -> None:
            """One episode. What cannot be scored fails it, and is nothing that counts."""
            data, config = task.data, self.config
            options = (config.max_turns, config.recipe, config.user)
            steps = await asyncio.to_thread(steps_of, data.label, data.answer_format, *options)
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn()
                while not segment.terminated:
                    reply = segment.last_reply
                    tokens = tokens_of(reply, config.tokenizer)
                    step = await asyncio.to_thread(steps.step, reply, tokens)
                    if step.done:
                        break
                    segment = await interaction.turn(step.observation)
            trace = interaction.trace
            outcome = results(steps)
            trace.record_reward("score", outcome.pop("score"), 1.0)
            trace.record_metrics(metrics_of(data.label, outcome))

    classes = (PalaestraConfig, PalaestraTaskset, PalaestraEnv)
    for class_ in (PalaestraData, PalaestraTask, PalaestraEnvConfig, *classes):
        class_.__qualname__ = class_.__name__
    return {class_.__name__: class_ for class_ in classes}


# ---------------------------------------------------------------------------- 0.1.8 to 0.3


def load_environment(  # noqa: PLR0913, PLR0917
    tasks: str = FIRST,
    eval_tasks: str = "",
    answer_format: str = "tags",
    max_turns: int | None = None,
    recipe: RecipeOptions = None,
    tokenizer: str | None = None,
    user: UserOptions = None,
    **options: Any,
) -> Any:
    """The environment of the older form, for ``vf.load_environment``.

    ``recipe`` shapes the score; for one that depends on length ``tokenizer`` is the path of the
    model's. ``user`` has the options of an endpoint that words what users say after the prompt, see
    :func:`~palaestra.trainers.spoken_users.speaker_of`. ``options`` go to ``MultiTurnEnv``. What
    cannot be scored is an error of its rollout.
    """
    from datasets import Dataset

    speaker = speaker_of(user)

    vf = import_module("verifiers.legacy" if there("verifiers.legacy") else "verifiers")

    class PalaestraEnv(vf.MultiTurnEnv):  # type: ignore[misc, name-defined]
        """Plays the user, turn by turn, until the task has a score."""

        async def setup_state(self, state: Any, **_: Any) -> Any:
            """Starts the task of a row."""
            info = state["info"]
            steps = await asyncio.to_thread(
                steps_of, info["label"], info["answer_format"], max_turns, recipe, speaker
            )
            state["palaestra"] = steps
            return state

        async def env_response(self, messages: Any, state: Any, **_: Any) -> Any:
            """What the task says to the last reply; the end is told by an empty answer."""
            last = messages[-1]
            content = last["content"] if isinstance(last, Mapping) else last.content
            reply = text_of(content)
            tokens = tokens_of(reply, tokenizer)
            step = await asyncio.to_thread(state["palaestra"].step, reply, tokens)
            score = state["palaestra"].score
            if isinstance(score, JudgeError):
                raise vf.Error(f"could not be scored: {score}")
            if step.done:
                state["final_env_response"] = []
                return []
            return [{"role": "user", "content": step.observation}]

    def score(state: Any, **_: Any) -> float:
        return results(state["palaestra"])["score"]

    def correct(state: Any, **_: Any) -> float:
        return results(state["palaestra"])["correct"]

    def rows(wish: str) -> Any:
        return Dataset.from_list(
            [
                {
                    "prompt": list(each.messages),
                    "answer": each.label,
                    "info": {"label": each.label, "answer_format": answer_format},
                }
                for each in named(wish, answer_format)
            ]
        )

    return PalaestraEnv(
        dataset=rows(tasks),
        eval_dataset=rows(eval_tasks or tasks),
        rubric=vf.Rubric(funcs=[score, correct], weights=[1.0, 0.0]),
        **options,
    )


def text_of(content: Any) -> str:
    """The text of a message, be it a text or parts."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [part if isinstance(part, Mapping) else vars(part) for part in content]
    return "".join(str(part.get("text") or "") for part in parts)
