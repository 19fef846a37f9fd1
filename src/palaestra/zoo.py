"""The PettingZoo face: every :class:`~palaestra.task.Match`, played by all its players in turn.

>>> from palaestra.zoo import env
>>> match = env("matches/connect_four", level=2)
>>> match.reset(seed=7)

:func:`parallel_env` is the same match where all agents act in each step. For one player against the
built-in opponent, make the same name with Gymnasium. Needs ``palaestra[matches]``.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from palaestra.address import Split
from palaestra.catalog import environments
from palaestra.episode import TAGS, AnswerFormat, Episode
from palaestra.extras import needs
from palaestra.observations import SIZE, Observation, square
from palaestra.registry import load
from palaestra.scenes.raster import rgb
from palaestra.task import Match

with needs("matches", "PettingZoo"):
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from palaestra.gym import JUNK, MODES, AnyText, Observer, Sampler, has_image, info_of


class MatchEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match in the agent-environment cycle: agents ``player_0``, ``player_1``, … in text.

    An observation is ``{"text": …}``, an action a text; the legal moves stand in the mover's info.
    The rewards of an agent add up to its score: 1, 0.5 and 0 for a win, a draw and a loss.

    With ``observation="image"`` an observation is ``{"image": …}``, the RGB array of the agent's
    own last turn (the ground colour before its first), and its info has the ``text``; with
    ``"both"`` an observation has both.
    """

    def __init__(
        self,
        name: str,
        level: int = 0,
        answer_format: AnswerFormat | str = TAGS,
        split: Split = "train",
        render_mode: str | None = None,
        observation: Observation = "text",
        image_size: int = SIZE,
        **knobs: Any,
    ) -> None:
        super().__init__()
        task_type = load(name)
        if not issubclass(task_type, Match):
            raise ValueError(f"{name} has one player only; make it with gymnasium.make")  # noqa: TRY004
        modes = MODES if has_image(name) else ("ansi",)
        if render_mode not in {None, *modes}:
            raise ValueError(f"{name} renders in mode {' or '.join(modes)}, not {render_mode!r}")
        self._sampler = Sampler(name, level, answer_format, split, knobs)
        self._observer = Observer(name, observation, image_size)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{task_type.__name__}-v{task_type.version}",
            "render_modes": list(modes),
            "is_parallelizable": False,
            "render_fps": 4,
        }
        self.possible_agents = [f"player_{n}" for n in range(task_type.players)]
        self.agents: list[str] = []
        self._seats = {agent: n for n, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self._images: dict[str, Any] = {}
        self.action_spaces = {agent: AnyText(None, self._moves) for agent in self.possible_agents}
        self.np_random = np.random.default_rng()

    def _space(self) -> spaces.Dict:
        view = self._observer.view
        parts: dict[str, Any] = {"text": AnyText()} if view.observation != "image" else {}
        if view.has_image:
            parts["image"] = spaces.Box(0, 255, (view.size, view.size, 3), np.uint8)
        return spaces.Dict(parts)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> AnyText:
        return self.action_spaces[agent]

    def _moves(self) -> Sequence[str]:
        """What a random player may say: the legal moves, or junk where they are not listed."""
        moves = self.episode.turn.legal_moves if self.agents else None
        return [self.episode.answer_format.write(move) for move in moves] if moves else JUNK

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
        _, self.address = self._sampler.episode(seed, self.np_random)
        task = self.address.task()
        self.episode = Episode(
            task, self._sampler.answer_format, seats=range(len(self.possible_agents))
        )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._images = {}
        self._tell()

    def step(self, action: str | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        before = list(self.episode.returns)
        self.episode.step(action or "")
        for each, seat in self._seats.items():
            self.rewards[each] = self.episode.returns[seat] - before[seat]
        over = self.episode.scores is not None
        self.terminations = dict.fromkeys(self.agents, over)
        self._accumulate_rewards()
        self._tell()

    def _tell(self) -> None:
        """Set whose turn it is, and what each agent is told besides the text."""
        self.agent_selection = self.possible_agents[self.episode.player]
        address = {"address": str(self.address)}
        self.infos: dict[str, dict[str, Any]] = {agent: dict(address) for agent in self.agents}
        if self.episode.scores is None:
            mover = self.agent_selection
            self.infos[mover] = info_of(self.episode, self.address)
            self._images[mover] = self._observer.image(self.episode, self._images.get(mover))
        else:
            for agent, score in zip(self.possible_agents, self.episode.scores):
                self.infos[agent] |= {"score": float(score.value), "reason": score.reason}
        for agent in self.agents:
            self.infos[agent] |= self._observer.info(self._text(agent))

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent was told last; once the match is over, how it ended for it."""
        return self._observation(agent, self._text(agent))

    def observed_in(self, agent: str, episode: Episode) -> tuple[dict[str, Any], dict[str, Any]]:
        """The observation and the info of an agent that is to move in another episode."""
        self._images[agent] = self._observer.image(episode, self._images.get(agent))
        info = info_of(episode, self.address) | self._observer.info(episode.observation)
        return self._observation(agent, episode.observation), info

    def _observation(self, agent: str, text: str) -> dict[str, Any]:
        view = self._observer.view
        if not view.has_image:
            return {"text": text}
        image = self._images.get(agent)
        if image is None:
            image = self._images[agent] = square(None, view.size)
        return {"text": text, "image": image} if view.observation == "both" else {"image": image}

    def _text(self, agent: str) -> str:
        """The text of the agent's observation."""
        seat = self._seats[agent]
        if self.episode.scores is not None:
            return self.episode.scores[seat].reason
        text = (
            observation
            for player, observation in reversed(self.episode.observations)
            if player == seat
        )
        return next(text, "")

    def render(self) -> Any:
        """The last observation, or its image."""
        scene = self.episode.turn.scene() if self.render_mode == "rgb_array" else None
        if scene is not None:
            return rgb(scene)
        return self.episode.observations[-1][1]

    def close(self) -> None:
        """Nothing is held open."""


class ParallelMatchEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match in which all agents act in each step, see :class:`MatchEnv` for the rest.

    The info of an agent says in ``to_move`` whether its action counts; actions of others are
    ignored. In matches of simultaneous moves, both count, and neither agent knows the other's.
    Whoever makes an illegal move is asked again.
    """

    def __init__(self, name: str, **options: Any) -> None:
        self.match = MatchEnv(name, **options)
        self.metadata = {
            key: value for key, value in self.match.metadata.items() if key != "is_parallelizable"
        }
        self.render_mode = self.match.render_mode
        self.possible_agents = list(self.match.possible_agents)
        self.agents: list[str] = []
        self.observation_spaces = self.match.observation_spaces
        self.action_spaces = {
            agent: AnyText(None, partial(self._moves, agent)) for agent in self.possible_agents
        }
        self._simultaneous = "simultaneous" in load(name).tags
        self._turns: dict[str, Episode] = {}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> AnyText:
        return self.action_spaces[agent]

    def _moves(self, agent: str) -> Sequence[str]:
        """What a random player may say."""
        episode = self._turns.get(agent)
        moves = episode.turn.legal_moves if episode else None
        return [episode.answer_format.write(move) for move in moves] if episode and moves else JUNK

    def _to_move(self) -> dict[str, Episode]:
        """Those who are to move, each with an episode in which it is asked.

        The second of two who move at once is asked after any move of the first, which it does not
        observe.
        """
        episode = self.match.episode
        if episode.scores is not None:
            return {}
        turns = {self.possible_agents[episode.player]: episode}
        while self._simultaneous and (moves := episode.turn.legal_moves):
            following = episode.fork()
            following.step(episode.answer_format.write(moves[0]))
            if following.scores is not None or following.player <= episode.player:
                break
            episode = following
            turns[self.possible_agents[episode.player]] = episode
        return turns

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self.match.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._observed()

    def step(
        self, actions: Mapping[str, str | None]
    ) -> tuple[
        dict[str, Any],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        match, agents = self.match, self.agents
        before = list(match.episode.returns)
        for agent in self._turns:
            if agent == match.agent_selection and match.episode.scores is None:
                match.step(actions.get(agent))
        rewards = {
            agent: after - earlier
            for agent, after, earlier in zip(agents, match.episode.returns, before)
        }
        observations, infos = self._observed()
        over = match.episode.scores is not None
        if over:
            self.agents = []
        ends = dict.fromkeys(agents, over)
        return observations, rewards, ends, dict.fromkeys(agents, False), infos

    def _observed(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """The observation and the info of each agent."""
        match = self.match
        self._turns = self._to_move()
        observations = {agent: match.observe(agent) for agent in self.agents}
        infos = {agent: {**match.infos[agent]} for agent in self.agents}
        for agent, episode in self._turns.items():
            if agent != match.agent_selection:
                observations[agent], infos[agent] = match.observed_in(agent, episode)
        for agent in self.agents:
            infos[agent]["to_move"] = agent in self._turns
        return observations, infos

    def render(self) -> Any:
        """The last observation, or its image."""
        return self.match.render()

    def close(self) -> None:
        """Nothing is held open."""


def env(name: str, **options: Any) -> Any:
    """A match that insists on the order of calls, as PettingZoo's own environments do."""
    return OrderEnforcingWrapper(MatchEnv(name, **options))


def parallel_env(name: str, **options: Any) -> ParallelMatchEnv:
    """A match in which all agents act in each step."""
    return ParallelMatchEnv(name, **options)


def names() -> list[str]:
    """The matches of the catalog."""
    return [card["name"] for card in environments(kind="match")]
