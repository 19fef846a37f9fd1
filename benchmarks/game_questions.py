"""What a constant reply earns at questions about games.

    python -m benchmarks.game_questions [QUESTION ...] [--tasks N] [--level L]

For each combinator that asks about games and each game that it applies to: the share of the most
usual right answer, and the mean of ``random_baseline``, over ``--tasks`` tasks (40) of ``--level``
(2). Tasks that do not suit are left out.
"""

from argparse import ArgumentParser
from collections import Counter
from statistics import fmean

from palaestra.address import Address
from palaestra.applicability import environments_of
from palaestra.task import NoValidTask, Puzzle

QUESTIONS = (
    "next_state",
    "legal_moves",
    "illegal_move",
    "moves_between",
    "reachable",
    "best_move",
    "what_changed",
)


def sampled(name: str, tasks: int, level: int) -> list[Puzzle]:
    """Tasks of a combination that suit."""
    suitable = []
    for seed in range(tasks):
        try:
            suitable.append(Address.of(name, seed, level).task())
        except NoValidTask:
            continue
    return suitable


def main() -> None:
    """Print a line for each question and game."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="*", default=QUESTIONS)
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--level", type=int, default=2)
    options = parser.parse_args()
    print("| question | game | tasks | constant reply | random reply |\n|---|---|---:|---:|---:|")
    for question in options.questions:
        for game in environments_of(question):
            tasks = sampled(f"{game}+{question}", options.tasks, options.level)
            if not tasks:
                print(f"| {question} | {game} | 0 | | |")
                continue
            usual = Counter(task.answer() for task in tasks).most_common(1)[0][1] / len(tasks)
            random = fmean(task.random_baseline() for task in tasks)
            print(
                f"| {question} | {game} | {len(tasks)} | {usual:.2f} | {random:.2f} |", flush=True
            )


if __name__ == "__main__":
    main()
