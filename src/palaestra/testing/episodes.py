"""Checks of how an episode goes: it can be saved and replayed, and its rewards add up."""

import math

from palaestra.episode import BARE, TAGS, Episode
from palaestra.registry import load
from palaestra.scenes import from_json, to_json
from palaestra.scoring import score
from palaestra.task import Task
from palaestra.testing.players import TURNS, levels, moves_of, played, task, tasks, words


def check_round_trip(name: str) -> None:
    """A task survives JSON."""
    for instance in tasks(name):
        again = type(instance).model_validate_json(instance.model_dump_json())
        assert again == instance, "JSON changes the task"
        assert Episode(again).observation == Episode(instance).observation, (
            "JSON changes what it says"
        )
        assert again.canonical() == instance.canonical(), "JSON changes the canonical form"


def check_replay(name: str) -> None:
    """An episode is its replies: played again, in whole or from the middle, it is the same."""
    for instance in tasks(name, seeds=[0, 1]):
        whole = played(instance, moves_of(instance), TAGS)
        again = Episode(instance, TAGS, whole.replies)
        assert again.observations == whole.observations, "a replay hears something else"
        assert again.rewards == whole.rewards, "a replay earns something else"
        assert again.scores == whole.scores, "a replay scores something else"
        if len(whole.replies) < 2:
            continue  # from the middle means from the start, as just now
        half = Episode(instance, TAGS, whole.replies[: len(whole.replies) // 2])
        branch = half.fork()
        for reply in whole.replies[len(whole.replies) // 2 :]:
            branch.step(reply)
        assert branch.scores == whole.scores, "a fork goes another way"
        if half.scores is None:
            assert half.turn.state == Episode(instance, TAGS, half.replies).turn.state


def check_turns(name: str) -> None:
    """Legal moves hold the perfect player's, states are texts, scenes are JSON."""
    for instance in tasks(name, seeds=[0]):
        episode = Episode(instance, BARE)
        for move in moves_of(instance):
            turn = episode.turn
            assert isinstance(turn.state, str), "a state is a text"
            if turn.legal_moves is not None:
                known = {words(legal) for legal in turn.legal_moves}
                assert words(move) in known, f"{move!r} is not among the legal moves"
                assert len(known) == len(turn.legal_moves), "legal moves are listed twice"
            scene = turn.scene()
            if scene is not None:
                assert from_json(to_json(scene)) == scene, "a scene is JSON both ways"
                assert scene == turn.scene(), "a scene is described twice the same"
            episode.step(move)


def check_rewards(name: str) -> None:
    """What the turns earn is finite, bounded, and adds up to the score, however it is played."""
    for instance in tasks(name, seeds=[0, 1]):
        solution = moves_of(instance)
        half = solution[: len(solution) // 2]
        for moves in (solution, half + ["?"] * TURNS, ["0"] * TURNS):
            episode = played(instance, moves)
            assert all(math.isfinite(reward) for reward in episode.rewards)
            running = 0.0
            for reward in episode.rewards:
                running += reward
                assert -1 - 1e-9 <= running <= 1 + 1e-9, "credit runs beyond what a score can be"
            if episode.score is not None:
                assert abs(running - episode.score.value) < 1e-9, "the return is not the score"


def check_hidden(name: str) -> None:
    """The opening is the same whatever the hidden fields hold."""
    task_type = load(name)
    for level in levels(name) if task_type.hidden else ():
        one, other = task(name, 0, level), task(name, 1, level)
        swapped = one.model_copy(
            update={field: getattr(other, field) for field in task_type.hidden}
        )
        first, second = Episode(one), Episode(swapped)
        assert first.observation == second.observation, (
            "the opening tells something of what is hidden"
        )
        assert first.turn.state == second.turn.state, "the state tells something of what is hidden"
        assert first.turn.legal_moves == second.turn.legal_moves, (
            "the moves tell something of what is hidden"
        )
        assert first.turn.scene() == second.turn.scene(), (
            "the scene tells something of what is hidden"
        )


def check_solvable(name: str) -> None:
    """The oracle scores 1 on a task of each level."""
    for instance in tasks(name, seeds=[0]):
        _solve(instance)


def check_oracle(name: str) -> None:
    """The oracle scores 1 on several tasks of each level, again when it plays one of them a second
    time, and leaves the task as it was.

    Where judging is expensive it plays once; :func:`check_replay` judges the same answers again.
    """
    for seed in range(4):
        for instance in tasks(name, seeds=[seed]):
            before = instance.model_dump_json()
            for _ in range(1 if seed or load(name).expensive else 2):
                _solve(instance)
            assert instance.model_dump_json() == before, "playing changed the task"


def _solve(instance: Task) -> None:
    result = score(instance, instance.solve(), BARE)
    assert result.value == 1, f"{result.reason}: {instance!r}"
    assert result.status == "scored"
