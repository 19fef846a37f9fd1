"""Checks of how an episode goes: it can be saved and replayed, and its rewards add up."""

import math

from palaestra.episode import BARE, TAGS, Episode
from palaestra.registry import load
from palaestra.scoring import score
from palaestra.testing.players import TURNS, levels, moves_of, played, task, tasks, words


def check_round_trip(name: str) -> None:
    """A task survives JSON."""
    for given in tasks(name):
        again = type(given).model_validate_json(given.model_dump_json())
        assert again == given, "JSON changes the task"
        assert Episode(again).says == Episode(given).says, "JSON changes what it says"
        assert again.canonical() == given.canonical(), "JSON changes the canonical form"


def check_replay(name: str) -> None:
    """An episode is its replies: played again, in whole or from the middle, it is the same."""
    for given in tasks(name, seeds=[0, 1]):
        whole = played(given, moves_of(given), TAGS)
        again = Episode(given, TAGS, whole.replies)
        assert again.heard == whole.heard, "a replay hears something else"
        assert again.rewards == whole.rewards, "a replay earns something else"
        assert again.scores == whole.scores, "a replay scores something else"
        half = Episode(given, TAGS, whole.replies[: len(whole.replies) // 2])
        branch = half.fork()
        for reply in whole.replies[len(whole.replies) // 2 :]:
            branch.hear(reply)
        assert branch.scores == whole.scores, "a fork goes another way"
        if half.scores is None:
            assert half.turn.state == Episode(given, TAGS, half.replies).turn.state


def check_turns(name: str) -> None:
    """Legal moves hold the perfect player's, states are texts, pictures are RGB arrays."""
    for given in tasks(name, seeds=[0]):
        episode = Episode(given, BARE)
        for move in moves_of(given):
            turn = episode.turn
            assert isinstance(turn.state, str), "a state is a text"
            if turn.moves is not None:
                known = {words(legal) for legal in turn.moves}
                assert words(move) in known, f"{move!r} is not among the legal moves"
                assert len(known) == len(turn.moves), "legal moves are listed twice"
            if turn.picture is not None and len(episode.replies) < 2:
                picture = turn.picture()
                assert picture.dtype == "uint8", "a picture is of bytes"
                assert picture.ndim == 3, "a picture is height by width by 3"
                assert picture.shape[2] == 3, "a picture is RGB"
                assert (picture == turn.picture()).all(), "a picture is drawn twice the same"
            episode.hear(move)


def check_rewards(name: str) -> None:
    """What the turns earn is finite, bounded, and adds up to the score, however it is played."""
    for given in tasks(name, seeds=[0, 1]):
        solution = moves_of(given)
        half = solution[: len(solution) // 2]
        for moves in (solution, half + ["?"] * TURNS, ["0"] * TURNS):
            episode = played(given, moves)
            assert all(math.isfinite(reward) for reward in episode.rewards)
            running = 0.0
            for reward in episode.rewards:
                running += reward
                assert -1 - 1e-9 <= running <= 1 + 1e-9, "credit runs beyond what a score can be"
            if episode.score is not None:
                assert abs(running - episode.score.value) < 1e-9, "the return is not the score"


def check_hidden(name: str) -> None:
    """The opening is the same whatever the hidden fields hold."""
    kind = load(name)
    for level in levels(name) if kind.hidden else ():
        one, other = task(name, 0, level), task(name, 1, level)
        swapped = one.model_copy(update={field: getattr(other, field) for field in kind.hidden})
        first, second = Episode(one), Episode(swapped)
        assert first.says == second.says, "the opening tells something of what is hidden"
        assert first.turn.state == second.turn.state, "the state tells something of what is hidden"
        assert first.turn.moves == second.turn.moves, "the moves tell something of what is hidden"


def check_oracle(name: str) -> None:
    """The perfect player scores 1, every time it is asked, and leaves the task as it was."""
    for given in tasks(name, seeds=range(4)):
        before = given.model_dump_json()
        for _ in range(2):
            result = score(given, given.solve(), BARE)
            assert result.value == 1, f"{result.reason}: {given!r}"
        assert result.status == "scored"
        assert given.model_dump_json() == before, "playing changed the task"
