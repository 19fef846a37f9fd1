"""The rules of small games for two, and how each position ends under best play.

A position is a row of whole numbers, a move another one. The classes stand on nothing but the
language, so that their text, printed as it is, is also a program that plays the game perfectly.
"""

State = tuple[int, ...]
Move = tuple[int, ...]


class Game:
    """A game in which two take turns. ``lasts`` tells whether who cannot move has won."""

    def __init__(self, rules: tuple[tuple[int, ...], ...], lasts: bool) -> None:
        self.rules = rules
        self.lasts = lasts
        self.known: dict[State, bool] = {}

    def options(self, state: State) -> list[Move]:
        """All moves of the one whose turn it is."""
        raise NotImplementedError

    def after(self, state: State, move: Move) -> State:
        """The position that a move leads to."""
        raise NotImplementedError

    def key(self, state: State) -> State:
        """One of several positions that are the same but for their dress."""
        return state

    def won(self, state: State) -> bool:
        """Whether the one whose turn it is has won, where there is no move."""
        return self.lasts

    def wins(self, state: State) -> bool:
        """Whether the one whose turn it is wins under best play."""
        key = self.key(state)
        if key not in self.known:
            nexts = [self.after(state, move) for move in self.options(state)]
            won = any(not self.wins(one) for one in nexts) if nexts else self.won(state)
            self.known[key] = won
        return self.known[key]

    def size(self) -> int:
        """How many positions have been worked out so far."""
        return len(self.known)

    def best(self, state: State) -> Move:
        """A move that wins where there is one, and any move where not."""
        options = self.options(state)
        wins = (move for move in options if not self.wins(self.after(state, move)))
        return next(wins, options[0])


class Heaps(Game):
    """Take from one heap. The rules hold what may be taken from each heap."""

    def options(self, state: State) -> list[Move]:
        pairs = enumerate(zip(state, self.rules))
        return [(n, number) for n, (heap, may) in pairs for number in may if number <= heap]

    def after(self, state: State, move: Move) -> State:
        heap, number = move
        return (*state[:heap], state[heap] - number, *state[heap + 1 :])

    def key(self, state: State) -> State:
        alike = all(may == self.rules[0] for may in self.rules)
        return tuple(sorted(state)) if alike else state


class Pairs(Game):
    """Take from one heap, or as much from each of two. The rules hold what may be taken in the
    first way and in the second.
    """

    def options(self, state: State) -> list[Move]:
        places = range(len(state))
        one = [(n, some) for n in places for some in self.rules[0] if some <= state[n]]
        two = [
            (n, m, some)
            for n in places
            for m in range(n + 1, len(state))
            for some in self.rules[1]
            if some <= min(state[n], state[m])
        ]
        return [*one, *two]

    def after(self, state: State, move: Move) -> State:
        *places, some = move
        return tuple(heap - some * (n in places) for n, heap in enumerate(state))

    def key(self, state: State) -> State:
        return tuple(sorted(state))


class Pins(Game):
    """Knock over pins that stand side by side. The rules hold, for 1 pin, 2 pins and so on, into
    how many parts what is left of their block may fall.
    """

    def options(self, state: State) -> list[Move]:
        moves: list[Move] = []
        for first in range(len(state)):
            for number, parts in enumerate(self.rules, 1):
                last = first + number
                if last > len(state) or 0 in state[first:last]:
                    break
                left = first > 0 and state[first - 1]
                right = last < len(state) and state[last]
                if left + right in parts:
                    moves.append((first, number))
        return moves

    def after(self, state: State, move: Move) -> State:
        first, number = move
        return (*state[:first], *[0] * number, *state[first + number :])

    def key(self, state: State) -> State:
        blocks = "".join(map(str, state)).split("0")
        return tuple(sorted(map(len, filter(None, blocks))))


class Bites(Game):
    """Bite into a bar: take a piece and all that are not above it or to the left of it. The rules
    hold the most pieces of a bite, then row and column of each piece that may never be taken.
    """

    def options(self, state: State) -> list[Move]:
        (most,), *kept = self.rules
        bite = [0] * max(state)
        moves: list[Move] = []
        for row in range(len(state) - 1, -1, -1):
            last = max((c for r, c in kept if r >= row and c < state[r]), default=-1)
            for column in range(state[row]):
                bite[column] += state[row] - column
                if column > last and bite[column] <= most:
                    moves.append((row, column))
        return moves[::-1]

    def after(self, state: State, move: Move) -> State:
        row, column = move
        return (*state[:row], *(min(length, column) for length in state[row:]))


class Tokens(Game):
    """Move a token up or to the left on a board. The rules hold the steps, each so many rows up and
    columns to the left, and whether a step may be made several times in one move; then the cells
    where no token may stand.
    """

    def options(self, state: State) -> list[Move]:
        steps, (repeated,), closed = self.rules
        blocked = set(zip(closed[::2], closed[1::2]))
        moves: list[Move] = []
        for token in range(len(state) // 2):
            for up, aside in zip(steps[::2], steps[1::2]):
                row, column = state[2 * token] - up, state[2 * token + 1] - aside
                while row >= 0 and column >= 0 and (row, column) not in blocked:
                    moves.append((token, row, column))
                    row, column = (row - up, column - aside) if repeated else (-1, -1)
        return list(dict.fromkeys(moves))  # two steps may lead to one cell

    def after(self, state: State, move: Move) -> State:
        token, row, column = move
        return (*state[: 2 * token], row, column, *state[2 * token + 2 :])

    def key(self, state: State) -> State:
        cells = sorted(zip(state[::2], state[1::2]))
        return tuple(number for cell in cells for number in cell)


class Total(Game):
    """Add to a total up to a bound, but not the number that was added last. The rules hold the
    numbers and the bound; a position is the total and the number added last, or 0.
    """

    def options(self, state: State) -> list[Move]:
        total, last = state
        numbers, (bound,) = self.rules
        return [(some,) for some in numbers if some != last and total + some <= bound]

    def after(self, state: State, move: Move) -> State:
        return state[0] + move[0], move[0]


class Coins(Game):
    """Take coins from the ends of a row; who has more in the end has won. The rules hold how many
    may be taken from the left and from the right; a position is the lead of the one whose turn it
    is, then the coins.
    """

    def __init__(self, rules: tuple[tuple[int, ...], ...], lasts: bool) -> None:
        super().__init__(rules, lasts)
        self.margins: dict[State, int] = {}

    def options(self, state: State) -> list[Move]:
        number = len(state) - 1
        sides = enumerate(self.rules)
        return [(side, some) for side, may in sides for some in may if some <= number]

    def after(self, state: State, move: Move) -> State:
        lead, *coins = state
        side, some = move
        taken, left = (coins[:some], coins[some:]) if side == 0 else (coins[-some:], coins[:-some])
        return (-lead - sum(taken), *left)

    def margin(self, coins: State) -> int:
        """By how much who plays first is ahead in the end, or behind where that is the aim."""
        if coins not in self.margins:
            sign = -1 if self.lasts else 1
            nexts = (self.after((0, *coins), move) for move in self.options((0, *coins)))
            ways = [-sign * lead - self.margin(tuple(left)) for lead, *left in nexts]
            self.margins[coins] = max(ways, default=0)
        return self.margins[coins]

    def size(self) -> int:
        return len(self.margins)

    def wins(self, state: State) -> bool:
        lead, *coins = state
        return (-lead if self.lasts else lead) + self.margin(tuple(coins)) > 0

    def won(self, state: State) -> bool:
        return (state[0] > 0) != self.lasts
