"""A market on which orders are matched by price and time."""

# ruff: noqa: E501  (rows of tables and texts of programs are not broken)

from palaestra.generators.programs.class_from_specification.parts import Base, Rule

MARKET = Base(
    "a market for one kind of goods, on which orders are matched",
    (
        ("buy(price, n)", "is an order for n pieces at that price or less for each. It trades with waiting sell orders whose price is no more than that, $first one after the other, until n pieces are traded or no such order is left: in each trade as many pieces as both orders still want, at the price of the $whose order. What is left then waits as a buy order at that price. Returns the list of its trades in order, each as a list [price, pieces]"),
        ("sell(price, n)", "is an order to sell n pieces at that price or more for each. It trades in the same way with waiting buy orders whose price is no less than that, those with the highest price first and $equal; what is left then waits as a sell order. Returns the list of its trades in the same form"),
    ),
    "self.buys = []\nself.sells = []\nself.orders = 0",
    """
    def buy(self, price, n):
        return self._order(self.buys, self.sells, price, n, 1)

    def sell(self, price, n):
        return self._order(self.sells, self.buys, price, n, -1)

    def _order(self, own, others, price, n, sign):
        self.orders += 1
        @refuse
        trades = []
        while n > 0 and others:
            best = min(others, key=lambda order: $key)
            if sign * best[0] > sign * price:
                break
            pieces = min(n, best[1])
            @pieces
            trades.append([$at, pieces])
            n -= pieces
            best[1] -= pieces
            if best[1] == 0:
                others.remove(best)
        @rest
        if n > 0:
            own.append([price, n, self.orders])
            @crowd
        @traded
        return trades
    """,
    {
        "least": Rule(
            "An order for fewer than $a pieces is refused: nothing happens and it returns None.",
            hooks={"refuse": "if n < $a:\n    return None"},
            ranges=((2, 3),),
        ),
        "lot": Rule(
            "In one trade at most $a pieces change hands. If both orders still want more then, the same two make further trades.",
            hooks={"pieces": "pieces = min(pieces, $a)"},
            ranges=((2, 3),),
        ),
        "lapse": Rule(
            "What is left of a new order after its trades does not wait but lapses if $when (a waiting order goes on waiting, whatever it trades).",
            hooks={"rest": "if $test:\n    n = 0"},
            ranges=((2, 5),),
            versions=({"when": "it is more than $a pieces", "test": "n > $a"}, {"when": "it has made a trade", "test": "trades"}, {"when": "its price is a multiple of $a", "test": "price % $a == 0"}),
        ),
        "crowd": Rule(
            "At most $a buy orders and at most $a sell orders wait. When there would be one more, the buy order with the lowest price or the sell order with the highest price lapses, of several with that price the latest one (it may be the new order itself).",
            hooks={"crowd": "if len(own) > $a:\n    own.remove(min(own, key=lambda order: (sign * order[0], -order[2])))"},
            ranges=((2, 3),),
        ),
        "best": Rule(
            "",
            (("best()", "returns a list of two prices: the highest one of a waiting buy order and the lowest one of a waiting sell order, with None where there is no such order"),),
            """
            def best(self):
                buys = [order[0] for order in self.buys]
                sells = [order[0] for order in self.sells]
                return [max(buys, default=None), min(sells, default=None)]
            """,
        ),
        "cancel": Rule(
            "",
            (("cancel(k)", "has the order with number k wait no longer, and returns how many pieces it still wanted; returns 0 if it is not waiting. Orders are numbered from 1, in the sequence in which buy() and sell() are called, whatever comes of them"),),
            """
            def cancel(self, k):
                for orders in (self.buys, self.sells):
                    for order in orders:
                        if order[2] == k:
                            orders.remove(order)
                            return order[1]
                return 0
            """,
        ),
        "waiting": Rule(
            "",
            (("waiting(price)", "returns a list of two numbers: how many pieces are wanted by waiting buy orders at exactly that price, and how many by waiting sell orders"),),
            """
            def waiting(self, price):
                return [sum(order[1] for order in orders if order[0] == price) for orders in (self.buys, self.sells)]
            """,
        ),
        "depth": Rule(
            "",
            (("depth()", "returns a list of two numbers: how many buy orders are waiting, and how many sell orders"),),
            """
            def depth(self):
                return [len(self.buys), len(self.sells)]
            """,
        ),
        "figure": Rule(
            "",
            (("$figure()", "returns $what"),),
            """
            def $figure(self):
                return $value
            """,
            {"traded": "self.trades += trades"},
            "self.trades = []",
            versions=(
                {"figure": "last", "what": "the price of the last trade, and None if there was none yet", "value": "self.trades[-1][0] if self.trades else None"},
                {"figure": "volume", "what": "how many pieces have been traded in all", "value": "sum(pieces for _, pieces in self.trades)"},
                {"figure": "turnover", "what": "the sum over all trades so far of price times pieces", "value": "sum(price * pieces for price, pieces in self.trades)"},
                {"figure": "highest", "what": "the highest price of a trade so far, and None if there was none yet", "value": "max((price for price, _ in self.trades), default=None)"},
            ),
        ),
        "spread": Rule(
            "",
            (("wanted()", "returns how many pieces all waiting buy orders want minus how many all waiting sell orders offer"),),
            """
            def wanted(self):
                return sum(order[1] for order in self.buys) - sum(order[1] for order in self.sells)
            """,
        ),
    },
    changing="",
    kept="",
    often="buy buy buy sell sell sell",
    versions=tuple(
        {"first": first, "equal": equal, "key": key, "whose": whose, "at": at}
        for first, equal, key in (
            ("those with the lowest price first and of equal ones the earlier one first,", "of equal ones the earlier one first", "sign * order[0]"),
            ("those with the lowest price first and of equal ones the later one first,", "of equal ones the later one first", "(sign * order[0], -order[2])"),
        )
        for whose, at in (("waiting", "best[0]"), ("new", "price"))
    ),
)  # fmt: skip
