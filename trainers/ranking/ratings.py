"""Ratings of players from the games that they have played.

The rating is the one of R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online
Ranking" (JMLR 12, 2011), with the Plackett-Luce model, as openskill implements it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from palaestra.extras import needs
from palaestra.trainers.evaluation.intervals import NORMAL, estimate
from palaestra.trainers.ranking.games import Game


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in the ranking.

    ``rating`` is the mean of the belief about its strength and ``low`` to ``high`` the interval
    that holds it with a probability of 95 % under the model; a new player has 25 and 8.7 to 41.3.
    ``score`` is its mean score with a 95 % confidence interval over tasks: each task is one value,
    since games from one position are not independent.
    """

    player: str
    rating: float
    low: float
    high: float
    score: float
    score_low: float
    score_high: float
    games: int
    wins: int
    draws: int
    losses: int


def standings(games: Iterable[Game]) -> list[Standing]:
    """The ranking of all players of some games, the best first.

    Games are rated in the order of their addresses and players, whatever order they come in.
    """
    ordered = sorted(games, key=lambda game: game.key)
    ratings = _ratings(ordered)
    rows = [_standing(name, *rating, ordered) for name, rating in ratings.items()]
    return sorted(rows, key=lambda row: (-row.rating, row.player))


def _ratings(games: Sequence[Game]) -> dict[str, tuple[float, float]]:
    """The mean and the standard deviation of each player's rating."""
    with needs("ranking", "openskill"):
        from openskill.models import PlackettLuce
    model = PlackettLuce()
    names = sorted({name for game in games for name in game.players})
    ratings = {name: model.rating(name=name) for name in names}
    for game in games:
        if len(set(game.players)) < len(game.players):
            continue  # a player on two seats cannot be compared with itself
        teams = [[ratings[name]] for name in game.players]
        # The better the score, the lower the rank; equal scores have the same rank.
        rated = model.rate(teams, ranks=[-score for score in game.scores])
        ratings |= {name: team[0] for name, team in zip(game.players, rated)}
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}


def _standing(name: str, mean: float, deviation: float, games: Sequence[Game]) -> Standing:
    by_task: dict[str, list[float]] = defaultdict(list)
    wins = draws = losses = 0
    for game in games:
        for player, score in zip(game.players, game.scores):
            if player != name:
                continue
            by_task[game.address].append(score)
            best, shared = max(game.scores), game.scores.count(max(game.scores)) > 1
            wins += score == best and not shared
            draws += score == best and shared
            losses += score < best
    means = [sum(scores) / len(scores) for scores in by_task.values()]
    mean_score = estimate(means) or {"value": 0.0, "low": 0.0, "high": 1.0}
    margin = NORMAL * deviation
    return Standing(
        player=name,
        rating=round(mean, 2),
        low=round(mean - margin, 2),
        high=round(mean + margin, 2),
        score=mean_score["value"],
        score_low=mean_score["low"],
        score_high=mean_score["high"],
        games=wins + draws + losses,
        wins=wins,
        draws=draws,
        losses=losses,
    )
