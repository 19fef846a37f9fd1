"""The limits of a running program: steps, depth of calls, and sizes of values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

STEPS = 4_000
"""The maximum number of statements per call."""

LARGEST = 10**40

LONGEST = 2_000
"""The maximum number of items or characters of a value."""

NESTED = 20
DEEPEST = 600
"""How deep calls may go, each counted with the depth of what it is made of."""

EASY = STEPS // 4, DEEPEST // 2
"""The steps and the depth by which programs and inputs are selected; replies may take more."""

SIZED = frozenset({str, list, tuple, dict, range})
CONTAINERS = frozenset({list, tuple, dict})


class Limit(Exception):
    """A program exceeds a limit, or performs an operation outside the subset."""


class Frame(dict[str, Any]):
    """The variables of a call."""

    __slots__ = ("machine",)

    def __init__(self, machine: "Machine", values: Iterable[tuple[str, Any]] = ()) -> None:
        super().__init__(values)
        self.machine = machine

    def __missing__(self, name: str) -> Any:
        raise NameError(name)


Code = Callable[[Frame], Any]
"""A compiled expression, which returns a value, or statement, which returns a signal."""


class Compiled(NamedTuple):
    """A compiled function."""

    parameters: tuple[str, ...]
    body: Code
    height: int
    """How deep the calls of its closures go."""


class Machine:
    """The remaining budget, and the recorded coverage."""

    __slots__ = ("deep", "functions", "left", "seen")

    def __init__(
        self, functions: Mapping[str, Compiled], steps: int = STEPS, depth: int = DEEPEST
    ) -> None:
        self.functions = functions
        self.left = steps
        self.deep = depth
        self.seen: set[int] = set()
        """The lines of tests that held and of loops entered, and minus those of tests that did not
        hold."""

    def spend(self, amount: int) -> None:
        """Charge for work, counted in statements."""
        self.left -= amount
        if self.left < 0:
            raise Limit("it runs for too long")

    def enter(self, name: str, values: Sequence[Any]) -> Any:
        """Call a function of the program."""
        function = self.functions[name]
        if len(values) != len(function.parameters):
            raise TypeError(name)
        self.deep -= function.height
        if self.deep < 0:
            raise Limit("calls go too deep")
        signal = function.body(Frame(self, zip(function.parameters, values)))
        self.deep += function.height
        return signal[0] if signal is not None else None

    def kept(self, value: Any) -> Any:
        """Return a new value if it is not too large."""
        if type(value) is int:
            if not -LARGEST < value < LARGEST:
                raise Limit("a number gets too large")
        elif type(value) in SIZED:
            size = len(value)
            if size > LONGEST:
                raise Limit("a value gets too large")
            if size > 32:
                self.spend(size >> 5)
        return value

    def weigh(self, *values: Any) -> None:
        """Charge for comparing, hashing or printing values, whose parts may be shared or cyclic."""
        for value in values:
            if type(value) in CONTAINERS:
                self._weigh(value)

    def _weigh(self, value: Any) -> None:
        total, layer = 0, [value]
        for _ in range(NESTED):
            total += sum(map(len, layer))
            if total > LONGEST:
                raise Limit("a value gets too large")
            parts = [part for each in layer for part in _parts(each)]
            total += sum(len(part) for part in parts if type(part) is str)
            layer = [part for part in parts if type(part) in CONTAINERS]
            if not layer:
                break
        else:
            raise Limit("a value is nested too deeply")
        if total > LONGEST:
            raise Limit("a value gets too large")
        self.spend(total >> 5)


def _parts(value: Any) -> Iterable[Any]:
    return (*value, *value.values()) if type(value) is dict else value
