"""A player that repairs a table by what it reads."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta

from palaestra.generators.tools.engine import BUSY

Use = Callable[[str, dict[str, int | str]], str]
"""A function from a tool and its arguments to the result that a player reads."""

Row = dict[str, str]

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

_PAGES = re.compile(r"\(page \d+ of (\d+)\)", re.ASCII)


class Irreparable(Exception):
    """A row has a cell that nothing determines."""


class Client:
    """Knows the documentation and calls tools.

    ``headers`` are the headers of columns by what they are, ``states`` the codes that one of them
    may have, ``parties`` and ``items`` the names of the reference tables, as the prompt states
    them. With ``only_formats`` it repairs nothing but formats.
    """

    def __init__(
        self,
        use: Use,
        headers: dict[str, str],
        states: tuple[str, ...],
        names: tuple[str, str],
        only_formats: bool = False,
    ) -> None:
        self.use, self.headers, self.states, self.names = use, headers, states, names
        self.only_formats = only_formats
        self.parties: list[list[str]] = []
        self.items: list[list[str]] = []

    def repair(self) -> None:
        """Repair the table."""
        rows = self._rows()
        if self.only_formats:
            self._write(rows, {number: self._formatted(row) for number, row in rows.items()})
            return
        self.parties = self._reference(self.names[0])
        if "item" in self.headers:
            self.items = self._reference(self.names[1])
        prefix, first = self._keys(rows)
        repaired: dict[int, Row] = {}
        for number, row in rows.items():
            with suppress(Irreparable):
                repaired[number] = self._repaired(row)
                repaired[number]["key"] = f"{prefix}-{first + number:04}"
        self._merge(rows, repaired)
        for number in rows:
            if not repaired.get(number, {}).get("trace"):
                self.call("mark_row", row=number)
                repaired.pop(number, None)
        self._write(rows, repaired)

    def call(self, tool: str, **arguments: int | str) -> str:
        """The result of a call, which is repeated while the service is busy."""
        result = BUSY
        while result == BUSY:
            result = self.use(tool, arguments)
        return result

    def _rows(self) -> dict[int, Row]:
        number = int(self.call("describe_table").partition(" rows")[0])
        rows: dict[int, Row] = {}
        for first in range(1, number + 1, 20):
            last = min(number, first + 19)
            head, *lines = self.call("read_rows", first=first, last=last).split("\n")
            columns = head.split(" | ")[1:]
            roles = {header: role for role, header in self.headers.items()}
            for line in lines:
                own, *texts = line.split(" | ")
                rows[int(own)] = {
                    roles[name]: "" if text == "(empty)" else text
                    for name, text in zip(columns, texts)
                }
        return rows

    def _reference(self, table: str) -> list[list[str]]:
        lines: list[list[str]] = []
        page = last = 1
        while page <= last:
            more = {"page": page} if page > 1 else {}
            *content, pages = self.call("read_reference", table=table, **more).split("\n")
            match = _PAGES.fullmatch(pages)
            assert match
            lines += [line.split(" | ") for line in content]
            page, last = page + 1, int(match[1])
        return lines

    @staticmethod
    def _keys(rows: dict[int, Row]) -> tuple[str, int]:
        """The prefix of keys, and the number of the key before the first row, by the majority."""
        votes: dict[tuple[str, int], int] = {}
        for number, row in rows.items():
            prefix, _, digits = row["key"].partition("-")
            if digits.isdecimal():
                vote = prefix, int(digits) - number
                votes[vote] = votes.get(vote, 0) + 1
        return max(votes, key=lambda vote: votes[vote])

    # -------------------------------------------------------------- rows

    def _formatted(self, row: Row) -> Row:
        """The row with formats that are right."""
        result = dict(row)
        for role, text in row.items():
            if role in ("date", "due"):
                result[role] = _date_text(text)
            elif role in ("price", "net", "tax", "gross"):
                result[role] = _amount_text(text)
            elif role == "quantity":
                result[role] = re.sub(r"\.0$|\D", "", text, flags=re.ASCII)
            elif role == "state":
                result[role] = self._state(text)
        return result

    def _state(self, text: str) -> str:
        word = text.strip().casefold()
        return min(self.states, key=lambda state: _distance(word, state))

    def _repaired(self, row: Row) -> Row:
        """The row with all that others do not have to tell."""
        result = self._formatted(row)
        terms = self._repair_party(result)
        if "due" in result:
            _repair_dates(result, terms)
        elif not result["date"]:
            raise Irreparable
        if "net" in result:
            self._repair_amounts(result)
        return result

    def _repair_party(self, row: Row) -> int:
        """Bring the columns of the party right, and give its terms."""
        name = " ".join(row["name"].split()).casefold()

        def agreement(line: list[str]) -> float:
            code, own, city, _ = line
            same = _distance(name, own.casefold()) if name else 9
            by_name = 1.0 if same == 0 else 0.9 if same <= 2 else 0.0
            return (code == row["party"]) + by_name + (city == row["city"])

        if not (row["party"] or row["name"]):
            raise Irreparable
        row["party"], row["name"], row["city"], terms = max(self.parties, key=agreement)
        return int(terms)

    def _repair_amounts(self, row: Row) -> None:
        """Take the values with the fewest differences from the row."""
        best: list[tuple[int, Row]] = []
        quantities = {row["quantity"]} if row["quantity"] else set()
        for code, price, rate in self.items:
            own, percent = int(price.replace(".", "")), int(rate)
            numbers = sorted({*quantities, *_quantities(row, own, percent)})
            for number in numbers:
                new = _amounts(code, own, percent, int(number))
                differences = sum(row[role] != text for role, text in new.items())
                best.append((differences, new))
        if not best:
            raise Irreparable
        row |= min(best, key=lambda each: each[0])[1]

    # -------------------------------------------------------------- changes

    def _merge(self, rows: dict[int, Row], repaired: dict[int, Row]) -> None:
        """Merge rows about the same into the first of them."""
        first: dict[tuple[str, ...], int] = {}
        for number, new in [*repaired.items()]:
            same = tuple(new.get(role, "") for role in ("party", "date", "item", "quantity"))
            keep = first.setdefault(same, number)
            if keep == number:
                continue
            self.call("merge_rows", keep=keep, remove=number)
            for role, text in rows[keep].items():
                rows[keep][role] = text or rows[number][role]
            repaired[keep]["trace"] = rows[keep]["trace"]
            del rows[number], repaired[number]

    def _write(self, rows: dict[int, Row], wanted: dict[int, Row]) -> None:
        for number, new in wanted.items():
            for role, text in new.items():
                if text and text != rows[number][role]:
                    self.call("set_cell", row=number, column=self.headers[role], value=text)


def _quantities(row: Row, price: int, rate: int) -> list[str]:
    """The quantities that the amounts of a row suggest at a price and a rate."""
    nets = [int(row["net"].replace(".", ""))] if row["net"] else []
    if row["gross"] and row["tax"]:
        nets.append(int(row["gross"].replace(".", "")) - int(row["tax"].replace(".", "")))
    if row["gross"]:
        nets.append(round(int(row["gross"].replace(".", "")) * 100 / (100 + rate)))
    if row["tax"]:
        nets.append(round(int(row["tax"].replace(".", "")) * 100 / rate))
    return [str(n) for net in nets for n in (round(net / price),) if n > 0]


def _amounts(code: str, price: int, rate: int, quantity: int) -> Row:
    net = price * quantity
    tax = (net * rate + 50) // 100
    return {
        "item": code,
        "quantity": str(quantity),
        "price": f"{price // 100}.{price % 100:02}",
        "rate": str(rate),
        "net": f"{net // 100}.{net % 100:02}",
        "tax": f"{tax // 100}.{tax % 100:02}",
        "gross": f"{(net + tax) // 100}.{(net + tax) % 100:02}",
    }


def _repair_dates(row: Row, terms: int) -> None:
    """Take the date with the fewest differences from the row."""
    candidates = []
    if row["date"]:
        candidates.append(date.fromisoformat(row["date"]))
    if row["due"]:
        candidates.append(date.fromisoformat(row["due"]) - timedelta(days=terms))
    if not candidates:
        raise Irreparable
    options: list[Row] = [
        {
            "date": day.isoformat(),
            "weekday": DAYS[day.weekday()],
            "due": (day + timedelta(days=terms)).isoformat(),
        }
        for day in candidates
    ]

    def differences(new: Row) -> int:
        return sum(row[role] != text for role, text in new.items())

    best: Row = min(options, key=differences)
    row |= best


def _date_text(text: str) -> str:
    """A date in any of the usual ways to write it, as YYYY-MM-DD."""
    parts = re.findall(r"\d+|[a-z]+", text.casefold(), re.ASCII)
    if len(parts) == 1 and len(parts[0]) == 8:
        parts = [parts[0][:4], parts[0][4:6], parts[0][6:]]
    if len(parts) != 3:
        return text
    words = [part for part in parts if part.isalpha()]
    numbers = [int(part) for part in parts if part.isdecimal()]
    if words:
        year, day = max(numbers), min(numbers)
        return date(year, MONTHS.index(words[0][:3]) + 1, day).isoformat()
    return date(*numbers).isoformat()


def _amount_text(text: str) -> str:
    return re.sub(r"[^\d.]", "", text, flags=re.ASCII)


def _distance(one: str, other: str) -> int:
    """The number of letters to insert, drop or replace, or of neighbours to swap."""
    before: list[int] = []
    line = list(range(len(other) + 1))
    for n, a in enumerate(one):
        new = [n + 1]
        for m, b in enumerate(other):
            cost = min(line[m] + (a != b), line[m + 1] + 1, new[m] + 1)
            if n and m and a == other[m - 1] and one[n - 1] == b:
                cost = min(cost, before[m - 1] + 1)
            new.append(cost)
        before, line = line, new
    return line[-1]
