"""Small modules that repositories are put together from, each with the slips that it may hold.

A line that begins with ``#~`` is what a slip would put in the place of the line above it. A list
behind ``#=`` holds the values that a constant may have. Both are taken out of what a reader sees.
Every slip ends, and shows in some call of a function whose arguments :mod:`repositories` draws.
"""

PARTS: dict[str, str] = {}
"""The texts of the modules, by name; those that a module imports stand before it."""

PARTS["money"] = '''\
"""Amounts of money, in whole cents."""


def parse_price(text):
    """The cents of a price such as '12.50' or '7'; one digit behind the point is for tens."""
    whole, _, rest = text.partition(".")
    cents = int(rest.ljust(2, "0")) if rest else 0
    #~ cents = int(rest) if rest else 0
    return int(whole) * 100 + cents
    #~ return int(whole) * 10 + cents


def show_price(cents):
    """A price as text, with two digits behind the point, and a minus sign if it is below zero."""
    sign = "-" if cents < 0 else ""
    #~ sign = "-" if cents <= 0 else ""
    cents = abs(cents)
    return f"{sign}{cents // 100}.{cents % 100:02d}"
    #~ return f"{sign}{cents // 100}.{cents % 100}"
    #~ return f"{sign}{cents // 100}.{cents % 10:02d}"


def split_evenly(cents, parts):
    """So many parts that add up to the cents and differ by one at most, the larger ones first."""
    each, left = divmod(cents, parts)
    return [each + 1 if n < left else each for n in range(parts)]
    #~ return [each + 1 if n <= left else each for n in range(parts)]
    #~ return [each for n in range(parts)]
    #~ return [each + 1 if parts - n <= left else each for n in range(parts)]


def percentage(cents, rate):
    """So many percent of an amount, which is not below zero, in whole cents; halves go up."""
    return (cents * rate + 50) // 100
    #~ return cents * rate // 100
    #~ return (cents + 50) * rate // 100
'''

PARTS["words"] = '''\
"""Working on short texts."""


def slug(text):
    """The text in small letters, with one dash for each stretch of other signs than letters and
    digits, and none at its ends."""
    signs = [sign if sign.isalnum() else " " for sign in text.lower()]
    #~ signs = [sign if sign.isalpha() else " " for sign in text.lower()]
    #~ signs = [sign if sign.isalnum() else " " for sign in text]
    return "-".join("".join(signs).split())
    #~ return "".join(signs).replace(" ", "-")


def shorten(text, width):
    """The text, if it has at most so many signs; or else its beginning with '..' behind it, so that
    it has exactly so many."""
    if len(text) <= width:
        #~ if len(text) < width:
        return text
    return text[: width - 2] + ".."
    #~ return text[:width] + ".."
    #~ return text[-width + 2 :] + ".."


def counted(number, noun):
    """The number and the noun, as '1 box', '2 cats', '0 boxes'. Nouns in s, x or ch get 'es'."""
    if number == 1:
        #~ if number <= 1:
        return f"1 {noun}"
    ending = "es" if noun.endswith(("s", "x", "ch")) else "s"
    #~ ending = "es" if noun.endswith(("s", "x")) else "s"
    return f"{number} {noun}{ending}"


def wrap(text, width):
    """The words of the text in lines of at most so many signs, each line as long as can be; a word
    that is longer has a line of its own."""
    lines = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            #~ if lines and len(lines[-1]) + 1 + len(word) < width:
            #~ if lines and len(lines[-1]) + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
'''

PARTS["spans"] = '''\
"""Spans of whole numbers, as pairs of a start and an end that is not part of the span any more."""


def overlaps(one, other):
    """Whether two spans have a number in common."""
    return max(one[0], other[0]) < min(one[1], other[1])
    #~ return max(one[0], other[0]) <= min(one[1], other[1])
    #~ return one[0] <= other[0] < one[1]


def merged(spans):
    """The same numbers in as few spans as possible, in order. Spans that touch become one."""
    found = []
    for start, end in sorted(spans):
        #~ for start, end in spans:
        if found and start <= found[-1][1]:
            #~ if found and start < found[-1][1]:
            found[-1][1] = max(found[-1][1], end)
            #~ found[-1][1] = end
        else:
            found.append([start, end])
    return found


def length(spans):
    """How many numbers lie in at least one of the spans."""
    return sum(end - start for start, end in merged(spans))
    #~ return sum(end - start for start, end in spans)
    #~ return sum(end - start + 1 for start, end in merged(spans))


def gaps(spans, start, end):
    """The spans between start and end of which no number lies in any of the spans, in order."""
    free = []
    for left, right in merged(spans):
        if left > start:
            #~ if left > start + 1:
            free.append([start, min(left, end)])
            #~ free.append([start, left])
        start = max(start, right)
        #~ start = right
        if start >= end:
            return free
    return [*free, [start, end]]
    #~ return free
'''

PARTS["dates"] = '''\
"""Dates as lists of year, month and day."""

LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def is_leap(year):
    """Whether a year of the Gregorian calendar has 366 days: every fourth year, but of the full
    centuries only every fourth."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    #~ return year % 4 == 0 and year % 100 != 0
    #~ return year % 4 == 0


def month_length(year, month):
    """How many days a month has; months count from 1."""
    return LENGTHS[month - 1] + (month == 2 and is_leap(year))
    #~ return LENGTHS[month - 1]
    #~ return LENGTHS[month - 1] + (month == 1 and is_leap(year))


def day_of_year(year, month, day):
    """The number of a day within its year; January 1 is day 1."""
    return sum(month_length(year, m) for m in range(1, month)) + day
    #~ return sum(month_length(year, m) for m in range(1, month + 1)) + day
    #~ return sum(LENGTHS[: month - 1]) + day


def later(date, days):
    """The date so many days after a date; days are not below zero."""
    year, month, day = date
    day += days
    while day > month_length(year, month):
        #~ while day > 30:
        #~ while day >= month_length(year, month) and day > 1:
        day -= month_length(year, month)
        month += 1
        if month > 12:
            #~ if month > 11:
            year, month = year + 1, 1
            #~ year, month = year, 1
    return [year, month, day]
'''

PARTS["graphs"] = '''\
"""Directed graphs, given as lists of pairs: from a node to a node. Nodes are numbers."""


def targets(edges, node):
    """The nodes that edges lead to from a node, each once, the smallest first."""
    return sorted({end for start, end in edges if start == node})
    #~ return sorted({start for start, end in edges if end == node})
    #~ return sorted(end for start, end in edges if start == node)


def distances(edges, start):
    """How many edges it takes at least to get from the start to each node that can be reached, in a
    dictionary; the start itself is at 0."""
    found = {start: 0}
    queue = [start]
    while queue:
        node = queue.pop(0)
        for end in targets(edges, node):
            if end not in found:
                found[end] = found[node] + 1
                #~ found[end] = found[start] + 1
                #~ found[end] = len(found)
                queue.append(end)
    return found


def sources(edges):
    """The nodes of the graph that no edge leads to, the smallest first."""
    ends = {end for _, end in edges}
    return sorted({start for start, _ in edges} - ends)
    #~ return sorted(ends - {start for start, _ in edges})


def layers(edges):
    """The nodes of a graph without cycles in layers: the nodes that no edge leads to, then those
    that none leads to any more if all nodes so far are taken away, and so on; each layer in order.
    """
    nodes = sorted({node for edge in edges for node in edge})
    #~ nodes = sorted({start for start, _ in edges})
    found = []
    while nodes:
        blocked = {end for start, end in edges if start in nodes}
        #~ blocked = {end for start, end in edges}
        layer = [node for node in nodes if node not in blocked]
        if not layer:
            break
        found.append(layer)
        nodes = [node for node in nodes if node in blocked]
    return found
'''

PARTS["grids"] = '''\
"""Grids, as lists of rows of numbers. Rows and columns count from 0."""


def turned(grid):
    """The grid after a quarter turn clockwise."""
    return [list(column) for column in zip(*grid[::-1])]
    #~ return [list(column) for column in zip(*grid)]
    #~ return [list(column)[::-1] for column in zip(*grid[::-1])]


def around(grid, row, column):
    """The cells next to a cell, as pairs of row and column: above, left, right, below, as far as
    they are on the grid."""
    near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    #~ near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column + 1)]
    height, width = len(grid), len(grid[0])
    #~ height, width = len(grid[0]), len(grid)
    return [[r, c] for r, c in near if 0 <= r < height and 0 <= c < width]
    #~ return [[r, c] for r, c in near if 0 < r < height and 0 < c < width]
    #~ return [[r, c] for r, c in near if r < height and c < width]


def region(grid, row, column):
    """How many cells can be reached from a cell, itself included, by going from cell to cell next
    to it, all with the same number."""
    seen = [[row, column]]
    for cell in seen:
        for other in around(grid, *cell):
            if other not in seen and grid[other[0]][other[1]] == grid[row][column]:
                #~ if other not in seen and grid[other[0]][other[1]] >= grid[row][column]:
                seen.append(other)
    return len(seen)
    #~ return len(seen) - 1


def border_sum(grid):
    """The sum of the cells on the outermost rows and columns, each counted once."""
    inner = sum(sum(row[1:-1]) for row in grid[1:-1])
    #~ inner = sum(sum(row[1:]) for row in grid[1:-1])
    #~ inner = sum(sum(row[1:-1]) for row in grid)
    return sum(map(sum, grid)) - inner
'''

PARTS["stats"] = '''\
"""Figures about lists of whole numbers that are not empty."""

WIDTH = 10  #= 5 10 20 25


def median(numbers):
    """The middle one of the numbers in order; of an even number of them, the lower middle one."""
    return sorted(numbers)[(len(numbers) - 1) // 2]
    #~ return sorted(numbers)[len(numbers) // 2]
    #~ return numbers[(len(numbers) - 1) // 2]


def mode(numbers):
    """The number that is there most often; of several, the smallest."""
    return min(numbers, key=lambda number: (-numbers.count(number), number))
    #~ return min(numbers, key=lambda number: (-numbers.count(number), -number))
    #~ return max(numbers, key=numbers.count)


def mean(numbers):
    """The sum divided by how many there are, rounded to a whole number, halves upwards."""
    return (2 * sum(numbers) + len(numbers)) // (2 * len(numbers))
    #~ return sum(numbers) // len(numbers)
    #~ return (2 * sum(numbers) + 1) // (2 * len(numbers))


def bins(numbers):
    """How many of the numbers, none below zero, lie from 0 to WIDTH - 1, from WIDTH to
    2 * WIDTH - 1, and so on, up to the last that holds one."""
    counts = [0] * (max(numbers) // WIDTH + 1)
    for number in numbers:
        counts[number // WIDTH] += 1
        #~ counts[(number - 1) // WIDTH] += 1
        #~ counts[number // WIDTH] = 1
    return counts


def running(numbers, size):
    """The sums of each so many numbers in a row."""
    return [sum(numbers[n : n + size]) for n in range(len(numbers) - size + 1)]
    #~ return [sum(numbers[n : n + size]) for n in range(len(numbers) - size)]
    #~ return [sum(numbers[n : n + size]) for n in range(len(numbers))]
    #~ return [sum(numbers[n : n + size + 1]) for n in range(len(numbers) - size + 1)]
'''

PARTS["parsing"] = '''\
"""Reading texts of a fixed form."""


def fields(line):
    """The fields of a line, separated by commas. A field between double quotes may hold commas, and
    two double quotes in it stand for one. Blanks count."""
    found, quoted, text = [], False, line
    field = ""
    while text:
        sign, text = text[0], text[1:]
        if quoted and sign == '"' and text.startswith('"'):
            #~ if quoted and sign == '"' and text.startswith(','):
            field, text = field + '"', text[1:]
            #~ field, text = field + '""', text[1:]
        elif sign == '"':
            quoted = not quoted
            #~ quoted = True
        elif sign == "," and not quoted:
            #~ elif sign == ",":
            found.append(field)
            field = ""
        else:
            field += sign
    return [*found, field]
    #~ return [*found, field] if field else found


def pairs(text):
    """The dictionary in a text such as 'a=1;b=x=y'. The value is all behind the first equals sign;
    pieces without one are left out; of equal keys the last one counts."""
    found = {}
    for piece in text.split(";"):
        key, sign, value = piece.partition("=")
        #~ key, sign, value = piece.rpartition("=")
        if sign:
            #~ if sign and key not in found:
            found[key] = value
    return found


def minutes(text):
    """The minutes of a duration such as '2h05m', '45m' or '3h'."""
    hours, sign, rest = text.rpartition("h")
    total = int(hours) * 60 if sign else 0
    #~ total = int(hours) * 100 if sign else 0
    return total + (int(rest[:-1]) if rest else 0)
    #~ return total + (int(rest[0]) if rest else 0)


def duration(total):
    """Minutes as a text such as '2h05m', or '45m' below one hour."""
    hours, rest = divmod(total, 60)
    return f"{hours}h{rest:02d}m" if hours else f"{rest}m"
    #~ return f"{hours}h{rest}m" if hours else f"{rest}m"
    #~ return f"{hours}h{rest:02d}m" if hours > 1 else f"{total}m"
'''

PARTS["caches"] = '''\
"""A memory of limited size that forgets what was not used for longest."""


class Cache:
    """Keeps so many values by their keys; when one too many is put in, the one whose last use, by
    put or get, is longest ago is forgotten."""

    def __init__(self, size):
        self.size = size
        self.kept = {}

    def get(self, key):
        """The value of a key, or None."""
        if key not in self.kept:
            return None
        self.kept[key] = self.kept.pop(key)
        #~ pass
        return self.kept[key]

    def put(self, key, value):
        """Keeps a value, in the place of an older one of the same key."""
        self.kept.pop(key, None)
        #~ pass
        self.kept[key] = value
        if len(self.kept) > self.size:
            #~ if len(self.kept) >= self.size:
            self.kept.pop(next(iter(self.kept)))
            #~ self.kept.popitem()


def replay(size, steps):
    """What a fresh cache of some size gives: steps are lists, either ["put", key, value] or
    ["get", key]; the result has the value, or None, for each get."""
    cache, found = Cache(size), []
    for step in steps:
        if step[0] == "put":
            cache.put(step[1], step[2])
        else:
            found.append(cache.get(step[1]))
    return found


def hits(size, keys):
    """How many of the keys, asked for one after the other, are in a fresh cache of some size when
    they are asked for; each that is not is put in."""
    cache, count = Cache(size), 0
    for key in keys:
        if cache.get(key) is None:
            cache.put(key, True)
            #~ cache.put(True, key)
        else:
            count += 1
    return count
'''

PARTS["stock"] = '''\
"""What is in store: dictionaries from the name of an article to how many there are."""

LOW = 5  #= 3 4 5 6 8


def added(store, article, number):
    """The store after so many of an article have come in; the given dictionary stays as it is."""
    return {**store, article: store.get(article, 0) + number}
    #~ return {**store, article: number}
    #~ return {article: store.get(article, 0) + number}


def taken(store, article, number):
    """How many of an article can be taken out when so many are wanted, and the store afterwards, in
    which no article is left with 0."""
    got = min(number, store.get(article, 0))
    #~ got = max(number, store.get(article, 0))
    #~ got = number if store.get(article, 0) > number else 0
    rest = {**store, article: store.get(article, 0) - got}
    return [got, {name: count for name, count in rest.items() if count}]
    #~ return [got, rest]
    #~ return [got, {name: count for name, count in rest.items() if count > 1}]


def scarce(store):
    """The articles of which there are fewer than LOW, in alphabetical order."""
    return sorted(name for name, count in store.items() if count < LOW)
    #~ return sorted(name for name, count in store.items() if count <= LOW)
    #~ return sorted(name for name, count in store.items() if count > LOW)


def joined(one, other):
    """Two stores together."""
    found = dict(one)
    for name, count in other.items():
        found[name] = found.get(name, 0) + count
        #~ found[name] = found.get(name, count)
        #~ found[name] = one.get(name, 1) + count
    return found
'''

PARTS["league"] = '''\
"""Tables of a league. A game is a list of two teams and their goals, as ["A", "B", 2, 1]."""

WIN = 3  #= 2 3 4


def points(games):
    """The points of each team that played, in a dictionary: WIN for a win, 1 for a draw, else 0."""
    found = {}
    for home, away, ours, theirs in games:
        found.setdefault(home, 0)
        found.setdefault(away, 0)
        #~ pass
        if ours == theirs:
            found[home] += 1
            #~ found[home] += WIN
            found[away] += 1
            #~ pass
        else:
            found[home if ours > theirs else away] += WIN
            #~ found[home if ours < theirs else away] += WIN
            #~ found[home if ours > theirs else away] += 1
    return found


def goal_difference(games, team):
    """The goals that a team has shot less those that it has let in."""
    total = 0
    for home, away, ours, theirs in games:
        if home == team:
            total += ours - theirs
            #~ total += ours
        elif away == team:
            total += theirs - ours
            #~ total += ours - theirs
    return total


def standings(games):
    """The teams, the one with the most points first; of equal ones that with the better goal
    difference, and then in alphabetical order."""
    table = points(games)
    return sorted(table, key=lambda team: (-table[team], -goal_difference(games, team), team))
    #~ return sorted(table, key=lambda team: (-table[team], goal_difference(games, team), team))
    #~ return sorted(table, key=lambda team: (-table[team], team))


def pairings(teams):
    """All pairs of different teams, once each, in the order of the list."""
    return [[one, other] for n, one in enumerate(teams) for other in teams[n + 1 :]]
    #~ return [[one, other] for n, one in enumerate(teams) for other in teams[n:]]
    #~ return [[one, other] for n, one in enumerate(teams) for other in teams if one != other]
'''

PARTS["queues"] = '''\
"""Waiting lines in which some are more urgent than others."""

LEVELS = 3  #= 3 4 5


class Line:
    """Those with a smaller level come first, those of one level in the order of their coming.
    Levels above LEVELS count as LEVELS."""

    def __init__(self):
        self.waiting = []
        self.came = 0

    def join(self, name, level):
        """Somebody comes."""
        self.came += 1
        #~ pass
        self.waiting.append((min(level, LEVELS), self.came, name))
        #~ self.waiting.append((level, self.came, name))
        #~ self.waiting.append((min(level, LEVELS), -self.came, name))
        #~ self.waiting.append((self.came, min(level, LEVELS), name))

    def serve(self):
        """Who is next leaves the line; None where nobody waits."""
        if not self.waiting:
            return None
        first = min(self.waiting)
        #~ first = self.waiting[0]
        self.waiting.remove(first)
        #~ self.waiting = [one for one in self.waiting if one[0] != first[0]]
        return first[2]


def served(steps):
    """Who is served, in order: steps are lists, ["join", name, level] or ["serve"]; a serve with
    nobody in the line gives None."""
    line, found = Line(), []
    for step in steps:
        if step[0] == "join":
            line.join(step[1], step[2])
        else:
            found.append(line.serve())
    return found


def left_over(steps):
    """How many still wait after such steps."""
    line = Line()
    for step in steps:
        if step[0] == "join":
            line.join(step[1], step[2])
        else:
            line.serve()
    return len(line.waiting)
'''

PARTS["orders"] = '''\
"""Orders: lists of lines, each a list of article, number and price of one in cents."""

from money import percentage, show_price
from words import counted

FROM = 10_000  #= 2_000 5_000 10_000
REBATE = 10  #= 5 10 15 20


def subtotal(lines):
    """What all lines cost together, in cents."""
    return sum(number * price for _, number, price in lines)
    #~ return sum(number + price for _, number, price in lines)
    #~ return sum(price for _, number, price in lines)


def total(lines):
    """The same less the rebate: REBATE percent, where the lines cost FROM cents or more."""
    cost = subtotal(lines)
    return cost - percentage(cost, REBATE) if cost >= FROM else cost
    #~ return cost - percentage(cost, REBATE) if cost > FROM else cost
    #~ return cost - percentage(cost, 100 - REBATE) if cost >= FROM else cost
    #~ return cost - percentage(cost - FROM, REBATE) if cost >= FROM else cost
    #~ return cost - REBATE if cost >= FROM else cost


def receipt(lines):
    """A text for each line, such as '2 boxes: 3.50', and one for the total: 'total: 3.50'."""
    texts = [f"{counted(n, name)}: {show_price(n * price)}" for name, n, price in lines]
    #~ texts = [f"{counted(n, name)}: {show_price(price)}" for name, n, price in lines]
    #~ texts = [f"{counted(price, name)}: {show_price(n * price)}" for name, n, price in lines]
    return [*texts, f"total: {show_price(total(lines))}"]
    #~ return [*texts, f"total: {show_price(subtotal(lines))}"]
    #~ return [*texts, f"total: {total(lines)}"]


def dearest(lines):
    """The article whose line costs most; of several, the first."""
    return max(lines, key=lambda line: line[1] * line[2])[0]
    #~ return max(lines, key=lambda line: line[2])[0]
    #~ return max(lines[::-1], key=lambda line: line[1] * line[2])[0]
'''

PARTS["shipping"] = '''\
"""Getting orders out of the store; see stock.py for what a store is."""

from stock import scarce, taken

PARCEL = 20  #= 10 20 30


def fulfilled(store, wishes):
    """Serves wishes, lists of article and number, one after the other: how many each one gets, and
    the store in the end."""
    got = []
    for article, number in wishes:
        count, store = taken(store, article, number)
        #~ count, _ = taken(store, article, number)
        got.append(count)
        #~ got.append(number)
    return [got, store]


def to_reorder(store, wishes):
    """The articles that are scarce once the wishes are served, and those that are gone, all in
    alphabetical order."""
    _, rest = fulfilled(store, wishes)
    gone = [name for name in store if name not in rest]
    #~ gone = [name for name in rest if name not in store]
    return sorted([*scarce(rest), *gone])
    #~ return sorted([*scarce(store), *gone])
    #~ return sorted(scarce(rest))


def parcels(weights):
    """Packs things in the order given, each into the first parcel where it fits, and into a new one
    if there is none; parcels hold PARCEL at most. The result has the weight of each parcel."""
    found = []
    for weight in weights:
        for n, load in enumerate(found):
            #~ for n, load in list(enumerate(found))[-1:]:
            if load + weight <= PARCEL:
                #~ if load + weight < PARCEL:
                found[n] += weight
                break
        else:
            found.append(weight)
    return found
'''

PARTS["meetings"] = '''\
"""Meetings, as spans of minutes (see spans.py)."""

from parsing import duration
from spans import gaps, length, overlaps

BREAK = 10  #= 5 10 15


def clashes(meetings):
    """The pairs of places in the list, from 0, of meetings that overlap, in order."""
    found = []
    for n, one in enumerate(meetings):
        for m in range(n + 1, len(meetings)):
            #~ for m in range(n + 2, len(meetings)):
            #~ for m in range(n, len(meetings)):
            if overlaps(one, meetings[m]):
                found.append([n, m])
                #~ found.append([m, n])
    return found


def first_free(meetings, minutes, start, end):
    """The first moment from which so many minutes are free of meetings, between start and end; None
    where there is no such."""
    for left, right in gaps(meetings, start, end):
        #~ for left, right in gaps(meetings, start, end)[1:]:
        if right - left >= minutes:
            #~ if right - left > minutes:
            return left
            #~ return right - minutes
    return None


def busy_time(meetings):
    """How long at least one meeting is on, as a text such as '1h05m'."""
    return duration(length(meetings))
    #~ return duration(sum(end - start for start, end in meetings))
    #~ return duration(max((end for _, end in meetings), default=0))


def with_breaks(meetings):
    """The meetings in the order of their starts, each put off until BREAK minutes have gone by
    since the end of the one before, if it starts earlier, without getting shorter."""
    found = []
    for start, end in sorted(meetings):
        late = max(0, found[-1][1] + BREAK - start) if found else 0
        #~ late = max(0, found[-1][1] - start) if found else 0
        #~ late = max(0, found[0][1] + BREAK - start) if found else 0
        found.append([start + late, end + late])
        #~ found.append([start + late, end])
    return found
'''

PARTS["reports"] = '''\
"""Reports in text."""

from stats import bins, mean, median
from words import shorten

COLUMN = 8  #= 6 7 8 9


def summary(numbers):
    """The smallest, the middle, the mean and the largest of the numbers, such as 'min 1, median 2,
    mean 3, max 4' (in one line)."""
    low, high = min(numbers), max(numbers)
    return f"min {low}, median {median(numbers)}, mean {mean(numbers)}, max {high}"
    #~ return f"min {low}, median {mean(numbers)}, mean {median(numbers)}, max {high}"
    #~ return f"min {low}, median {median(numbers)}, mean {median(numbers)}, max {high}"


def table(rows):
    """A line of text for each row of texts: each cell shortened to COLUMN signs and filled up to
    them with blanks on the right, a bar between cells, no blanks at the end."""
    lines = []
    for row in rows:
        cells = [shorten(cell, COLUMN).ljust(COLUMN) for cell in row]
        #~ cells = [shorten(cell, COLUMN - 1).ljust(COLUMN) for cell in row]
        #~ cells = [shorten(cell, COLUMN).rjust(COLUMN) for cell in row]
        lines.append("|".join(cells).rstrip())
        #~ lines.append("|".join(cells))
        #~ lines.append("".join(cells).rstrip())
    return lines


def bars(numbers):
    """A bar for each bin of the numbers (see stats.py): as many stars as it holds, or a dash for
    none."""
    return ["*" * count or "-" for count in bins(numbers)]
    #~ return ["*" * count for count in bins(numbers)]
    #~ return ["*" * count or "-" for count in bins(sorted(numbers)[1:] or numbers)]
'''

PARTS["travel"] = '''\
"""Travelling by lines between stations, which are numbers; see graphs.py for what edges are."""

from graphs import distances, targets

FARE = 120  #= 90 120 150
ZONE = 2  #= 2 3


def fare(edges, start, end):
    """What a trip costs in cents: FARE for the first ZONE edges or fewer of a shortest way, 50 for
    each edge beyond them, nothing for no edge; None where there is no way."""
    steps = distances(edges, start).get(end)
    #~ steps = distances(edges, end).get(start)
    if not steps:
        #~ if steps is None:
        return steps
    return FARE + 50 * max(0, steps - ZONE)
    #~ return FARE + 50 * (steps - ZONE)
    #~ return FARE + 50 * max(0, steps - ZONE - 1)
    #~ return FARE * steps


def within(edges, start, steps):
    """The stations that can be reached in so many steps or fewer, the start included, in order."""
    return sorted(node for node, far in distances(edges, start).items() if far <= steps)
    #~ return sorted(node for node, far in distances(edges, start).items() if far < steps)
    #~ return sorted(node for node, far in distances(edges, start).items() if 0 < far <= steps)
    #~ return sorted(node for node, far in distances(edges, start).items() if far == steps)


def walk(edges, start, turns):
    """The stations on the way when at each station the line to the target is taken whose place
    among the targets, from 0, is the next of the turns (modulo how many there are); it ends where
    no line goes on."""
    found = [start]
    for turn in turns:
        ends = targets(edges, found[-1])
        #~ ends = targets(edges, start)
        if not ends:
            break
        found.append(ends[turn % len(ends)])
        #~ found.append(ends[min(turn, len(ends) - 1)])
    return found
    #~ return found[1:]
'''

PARTS["accounts"] = '''\
"""Accounts with a history. A booking is a list of account, day and cents, maybe below zero."""

from money import show_price, split_evenly


class Ledger:
    """Keeps bookings, and remembers the balances that it has worked out."""

    def __init__(self):
        self.bookings = []
        self.known = {}

    def book(self, account, day, cents):
        """Takes a booking down."""
        self.bookings.append([account, day, cents])
        self.known.pop(account, None)
        #~ pass

    def undo(self):
        """Takes the last booking back, if there is one."""
        if self.bookings:
            account, _, _ = self.bookings.pop()
            #~ account, _, _ = self.bookings.pop(0)
            self.known.pop(account, None)
            #~ pass

    def balance(self, account):
        """The sum of an account's bookings."""
        if account not in self.known:
            mine = [cents for name, _, cents in self.bookings if name == account]
            #~ mine = [abs(cents) for name, _, cents in self.bookings if name == account]
            self.known[account] = sum(mine)
        return self.known[account]


def balances(steps):
    """What a fresh ledger answers: steps are lists, ["book", account, day, cents], ["undo"] or
    ["ask", account]; the result has the balance, as a price, for each ask."""
    ledger, found = Ledger(), []
    for step in steps:
        if step[0] == "book":
            ledger.book(step[1], step[2], step[3])
        elif step[0] == "undo":
            ledger.undo()
        else:
            found.append(show_price(ledger.balance(step[1])))
            #~ found.append(show_price(abs(ledger.balance(step[1]))))
    return found


def lowest(bookings, account):
    """The lowest balance that an account has at the end of any day on which it has a booking;
    bookings come in any order. It is 0 where there is none."""
    days = sorted({day for name, day, _ in bookings if name == account})
    mine = [[day, cents] for name, day, cents in bookings if name == account]
    ends = [sum(cents for when, cents in mine if when <= day) for day in days]
    #~ ends = [sum(cents for when, cents in mine if when < day) for day in days]
    #~ ends = [sum(cents for when, cents in mine if when == day) for day in days]
    return min(ends, default=0)
    #~ return min([0, *ends])


def shared(names, cents):
    """Bookings for day 0 by which the names share an amount evenly, larger parts first."""
    return [[name, 0, part] for name, part in zip(names, split_evenly(cents, len(names)))]
    #~ return [[name, 0, part] for name, part in zip(names, split_evenly(cents, len(names) + 1))]
    #~ return [[name, 0, cents // len(names)] for name in names]
'''

PARTS["payroll"] = '''\
"""Wages. Hours are given as durations (see parsing.py), wages in cents an hour."""

from money import percentage
from parsing import minutes

NORMAL = 8  #= 6 7 8
EXTRA = 50  #= 25 50 100


def worked(durations):
    """The minutes of several durations together."""
    return sum(minutes(text) for text in durations)
    #~ return sum(minutes(text) for text in set(durations))
    #~ return max(minutes(text) for text in durations)


def day_wage(text, wage):
    """The wage for a day of such a duration: minutes are paid exactly and the whole is rounded down
    to cents, then for the minutes beyond NORMAL hours the same way EXTRA percent more are added."""
    time = minutes(text)
    more = max(0, time - NORMAL * 60)
    #~ more = max(0, time - NORMAL)
    #~ more = time if time > NORMAL * 60 else 0
    return time * wage // 60 + percentage(more * wage // 60, EXTRA)
    #~ return time * wage // 60 + more * wage // 60
    #~ return time // 60 * wage + percentage(more * wage // 60, EXTRA)
    #~ return time * wage // 60 + percentage(more * wage // 60, 100 + EXTRA)


def week_wage(durations, wage):
    """The wages of several days together."""
    return sum(day_wage(text, wage) for text in durations)
    #~ return sum(day_wage(text, wage) for text in durations[:5])
    #~ return sum(minutes(text) * wage // 60 for text in durations)


def longest_day(durations):
    """The number, from 1, of the day with the most minutes; of several, the first."""
    times = [minutes(text) for text in durations]
    return times.index(max(times)) + 1
    #~ return times.index(max(times))
    #~ return len(times) - times[::-1].index(max(times))
'''

PARTS["seasons"] = '''\
"""Seasons of a league (see league.py), with dates (see dates.py)."""

from dates import day_of_year, later
from league import pairings, points, standings

DAYS = 7  #= 3 5 7 14


def fixtures(teams, first):
    """A game for each pair of teams, in the order of pairings, the first one on a date and each of
    the others DAYS days after the one before: lists of both teams and the date."""
    found, date = [], first
    for one, other in pairings(teams):
        found.append([one, other, date])
        #~ found.append([other, one, date])
        #~ found.append([one, other, first])
        date = later(date, DAYS)
        #~ date = later(first, DAYS)
    return found


def champion(games):
    """The first of the standings, or None where there were no games."""
    return standings(games)[0] if games else None
    #~ return standings(games)[-1] if games else None
    #~ return max(sorted(points(games)), key=points(games).get) if games else None


def gap(games):
    """By how many points the first of the standings is ahead of the second."""
    table, order = points(games), standings(games)
    return table[order[0]] - table[order[1]]
    #~ return table[order[0]] - table[order[-1]]
    #~ return table[order[0]] - table[order[1]] + 1


def span(dates):
    """How many days lie from the first to the last of some dates of one year, both included."""
    days = [day_of_year(*date) for date in dates]
    return max(days) - min(days) + 1
    #~ return max(days) - min(days)
    #~ return days[-1] - days[0] + 1
'''

PARTS["fields"] = '''\
"""Fields of crops: grids (see grids.py) whose numbers say what grows in a cell."""

from grids import around, border_sum, region, turned

FENCE = 4  #= 2 3 4


def largest_patch(field):
    """How many cells the largest patch of one crop has."""
    cells = [(r, c) for r, row in enumerate(field) for c in range(len(row))]
    return max(region(field, r, c) for r, c in cells)
    #~ return max(region(field, r, 0) for r, c in cells)
    #~ return region(field, *max(cells, key=lambda cell: field[cell[0]][cell[1]]))


def fences(field):
    """What fences cost: FENCE for each pair of cells next to each other with different crops."""
    count = 0
    for r, row in enumerate(field):
        for c, crop in enumerate(row):
            count += sum(field[y][x] < crop for y, x in around(field, r, c))
            #~ count += sum(field[y][x] <= crop for y, x in around(field, r, c))
            #~ count += sum(field[y][x] < crop for x, y in around(field, c, r))
    return count * FENCE
    #~ return count + FENCE
    #~ return count // 2 * FENCE


def is_turned(one, other):
    """How many quarter turns clockwise make one field the other, the fewest; None where none do."""
    for times in range(4):
        #~ for times in range(3):
        #~ for times in range(1, 4):
        if one == other:
            return times
        one = turned(one)
    return None
    #~ return 4


def rim(field):
    """The sum of the outermost cells, and how many percent of the sum of all cells it is, rounded
    down."""
    return [border_sum(field), 100 * border_sum(field) // sum(map(sum, field))]
    #~ return [border_sum(field), border_sum(field) // sum(map(sum, field))]
    #~ return [border_sum(field), 100 * border_sum(field) // len(field)]
'''

PARTS["office"] = '''\
"""A small office: orders, wages and meetings in one place."""

from meetings import busy_time, clashes, first_free
from money import show_price
from orders import total
from payroll import week_wage

TAX = 20  #= 10 19 20


def result(orders, durations, wage):
    """What all orders bring less the wages of a week, as a price."""
    return show_price(sum(map(total, orders)) - week_wage(durations, wage))
    #~ return show_price(sum(map(total, orders)) + week_wage(durations, wage))
    #~ return show_price(sum(map(total, orders[1:])) - week_wage(durations, wage))
    #~ return show_price(sum(map(total, orders)) - week_wage(durations[1:], wage))


def agenda(meetings):
    """'clash', if some meetings overlap, or else how long meetings are on; 'free' where there are
    none."""
    if not meetings:
        return "free"
        #~ return busy_time(meetings)
    return "clash" if clashes(meetings) else busy_time(meetings)
    #~ return busy_time(meetings)
    #~ return "clash" if len(clashes(meetings)) > 1 else busy_time(meetings)


def call_back(meetings, calls, start, end):
    """When each call, given by its minutes, can be made: as early as possible, one after the other,
    and none during a meeting or another call; None for those that find no time."""
    found = []
    for call in calls:
        moment = first_free(meetings, call, start, end)
        found.append(moment)
        if moment is not None:
            meetings = [*meetings, [moment, moment + call]]
            #~ meetings = [[moment, moment + call]]
            #~ meetings = [*meetings, [moment, call]]
            #~ pass
    return found


def taxed(orders):
    """The totals of the orders, each with TAX percent, rounded down, added, as prices."""
    return [show_price(total(order) * (100 + TAX) // 100) for order in orders]
    #~ return [show_price(total(order) * TAX // 100) for order in orders]
    #~ return [show_price(total(order) + TAX) for order in orders]
'''
