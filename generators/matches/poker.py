"""What the poker games have in common."""


def winnings(outcome: float | None, player: int) -> str:
    """The sentence that states who wins how many chips.

    >>> winnings(2.0, 1), winnings(0.0, 0)
    ('You lose 2 chips.', 'The pot is split.')
    """
    chips = (outcome or 0.0) * (1 if player == 0 else -1)
    if not chips:
        return "The pot is split."
    plural = "s" * (abs(chips) != 1)
    return f"You {'win' if chips > 0 else 'lose'} {abs(chips):g} chip{plural}."
