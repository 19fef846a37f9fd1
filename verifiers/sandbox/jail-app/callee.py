"""A program that is called by the judge, or by a suite of tests in another jail.

A request is a line of JSON behind a token, and so is the reply, behind the same token: what was
written before it was asked for is no reply. Objects stay here. A suite refers to them by numbers,
which both sides count.
"""

import builtins
import importlib
import io
import itertools
import json
import sys
from collections.abc import Callable
from typing import Any

from packing import pack, unpack

REPLY = 2 << 20
"""How many bytes a reply may have."""

ITEMS = 200_000
"""How many items of a container are fetched."""

BUILTIN = (dict, list, tuple, set, frozenset, str, bytes, bool, int, float, complex)


class Callee:
    """Serves requests for what the program has defined, on descriptor 3."""

    def __init__(self, main: dict[str, Any]) -> None:
        self.main = main
        self.objects: list[Any] = []
        self.requests = open(3, "rb", closefd=False)
        self.replies = io.FileIO(3, "w", closefd=False)
        self.token = b""
        self.runner: Any = None

    def serve(self) -> None:
        """Answers every request until there are no more."""
        while (request := self.next_request()) is not None:
            self.answer(request)

    def next_request(self) -> dict[str, Any] | None:
        """The next request, or nothing at the end."""
        line = self.requests.readline()
        self.token, _, text = line.partition(b" ")
        return json.loads(text) if text else None

    def answer(self, request: dict[str, Any]) -> None:
        """Does what is asked for, and says what came of it."""
        refer = None
        if "issued" in request:
            self.number(request["issued"])
            refer = self.refer
        try:
            reply = self.reply(request, refer)
        except Exception as fault:
            reply = {
                "error": self.error(fault) if refer else [type(fault).__name__, message_of(fault)]
            }
        sys.stdout.flush()
        self.send(reply)

    def send(self, reply: dict[str, Any]) -> None:
        """Sends a reply."""
        line = self.token + b" " + json.dumps(reply).encode() + b"\n"
        if len(line) > REPLY:
            line = self.token + b' {"large": true}\n'
        written = memoryview(line)
        while written:
            written = written[self.replies.write(written) or 0 :]

    def reply(self, request: dict[str, Any], refer: Callable[[Any], Any] | None) -> dict[str, Any]:
        """Calls a function, a class or a method, or gives an attribute."""
        if "on" in request:
            target = self.objects[request["on"]]
            if "contents" in request:
                return packed(contents(target), refer)
            if "await" in request:
                return packed(self.awaited(target), refer)
            for how in ("instance", "subclass"):
                if how in request:
                    thing = self.objects[request[how]]
                    cls = type(thing) if how == "instance" else thing
                    return {"value": target in type.mro(cls)}
            if request["name"] != "__call__":  # a class has its instances' attribute of that name
                target = special(target, request["name"])
        else:
            first, _, rest = request["name"].partition(".")
            if first not in self.main:
                return {"missing": first}
            target = self.main[first]
            for part in filter(None, rest.split(".")):
                # A method named by its class is called on a fresh instance.
                target = getattr(target() if isinstance(target, type) else target, part)
        if "args" not in request:
            return packed(target, refer)
        before = [json.dumps(value) for value in request["args"]] if refer is not None else []
        args = [unpack(value, self.resolve) for value in request["args"]]
        named = {key: unpack(value, self.resolve) for key, value in request["kwargs"].items()}
        value = target(*args, **named)
        reply = packed(value, refer)
        if refer is not None and value is None:
            reply["changed"] = self.changed(args, before)
        return reply

    def changed(self, args: list[Any], before: list[str]) -> list[Any]:
        """Which arguments the function has changed, and what they are now."""
        different = []
        for index, value in enumerate(args):
            if type(value) in (list, dict, set):
                numbers = len(self.objects)
                now = pack(value, self.refer)
                if json.dumps(now) == before[index]:
                    del self.objects[numbers:]
                else:
                    different.append([index, now])
        return different

    # ------------------------------------------------------------------ objects

    def number(self, issued: int) -> None:
        """Has as many objects as the suite has counted, so that both sides agree on numbers."""
        del self.objects[issued:]
        self.objects += [None] * (issued - len(self.objects))

    def refer(self, value: Any) -> Any:
        """Describes an object, whose number is the next one."""
        self.objects.append(value)
        own = isinstance(value, type) and value.__module__ not in sys.stdlib_module_names
        if own and issubclass(value, Exception):
            return {"exception": kinds(value)}
        return [type(value).__name__, callable(value)]

    def resolve(self, reference: Any) -> Any:
        """The object with a number, or what stands for something of the suite's."""
        if not isinstance(reference, dict):
            return self.objects[reference]
        ((table, name),) = reference.items()
        if table == "global":
            return getattr(importlib.import_module(name[0]), name[1])
        function = Callback(self, name)
        return Items(function) if table == "iterator" else function

    def call_back(self, number: int, args: Any, kwargs: dict[str, Any]) -> Any:
        """Has the suite call a function of its own, and serves what that asks for meanwhile."""
        packed = [pack(value, self.refer) for value in args]
        keywords = {key: pack(value, self.refer) for key, value in kwargs.items()}
        self.send({"callback": number, "args": packed, "kwargs": keywords})
        while (request := self.next_request()) is not None:
            self.number(request["issued"])
            if "returned" in request:
                return unpack(request["returned"], self.resolve)
            if "raised" in request:
                class_names, message = request["raised"]
                raise builtin_exception(class_names)(message)
            self.answer(request)
        raise SystemExit

    def awaited(self, thing: Any) -> Any:
        """What a coroutine gives."""
        import asyncio

        if self.runner is None:
            self.runner = asyncio.Runner()
        return self.runner.run(_awaited(thing))

    def error(self, fault: Exception) -> list[Any]:
        """An exception: the names of its class and of those that it derives from, what it says, and
        its arguments where they are plain. One of the program's own is described as an object.
        """
        try:
            args = [pack(value) for value in fault.args]
        except (TypeError, ValueError):
            args = [message_of(fault)]
        own = type(fault).__module__ not in sys.stdlib_module_names
        return [kinds(type(fault)), message_of(fault), args, self.refer(fault) if own else None]


async def _awaited(thing: Any) -> Any:
    return await thing


class Callback:
    """A function of the suite's, as the program sees it."""

    def __init__(self, callee: Callee, number: int) -> None:
        self._callee, self._number = callee, number
        self.__name__ = "function"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._callee.call_back(self._number, args, kwargs)


class Items:
    """An iterator of the suite's, as the program sees it."""

    def __init__(self, step: Callback) -> None:
        self._step = step

    def __iter__(self) -> "Items":
        return self

    def __next__(self) -> Any:
        for item in self._step():
            return item
        raise StopIteration


def packed(value: Any, refer: Callable[[Any], Any] | None) -> dict[str, Any]:
    """A reply with a value; for a suite, what cannot be written out is no exception of the
    program's.
    """
    try:
        return {"value": pack(value, refer)}
    except (ValueError, RecursionError):
        if refer is None:
            raise
        return {"unplain": True}


def special(target: Any, name: str) -> Any:
    """An attribute, or how a special method is called that the object may not have itself."""
    if name == "__next__":
        return lambda: next(target)
    if name == "__getitem__":
        return lambda key: target[key]
    if name in {"__str__", "__repr__"}:
        return lambda: str(target) if name == "__str__" else repr(target)
    return getattr(target, name)


def contents(value: Any) -> dict[str, Any]:
    """An object as plain values, as far as it is a container or of a built-in type."""
    values: dict[str, Any] = {}
    builtin = next((builtin for builtin in BUILTIN if isinstance(value, builtin)), None)
    if builtin is not None:
        values["plain"] = plain(builtin, value)
    methods = {name for base in type(value).__mro__ for name in vars(base)}
    if "__len__" in methods:
        values["size"] = len(value)
    if hasattr(value, "keys"):
        values["mapping"] = True
    try:
        step = iter(value)
    except TypeError:
        return values
    if step is value:
        return values | {"iterator": True}
    try:
        items = list(itertools.islice(step, ITEMS + 1))
    except (TypeError, LookupError):  # items by keys, without an iterator of its own
        if "__iter__" in methods:
            raise
        return values
    if len(items) > ITEMS:
        return values | {"endless": True}
    return values | {"items": items}


def plain(base: type, value: Any) -> Any:
    """The value of the built-in type that an object of a derived one holds."""
    if base is dict:
        return dict(dict.items(value))
    if base is int:
        return int.__add__(value, 0)
    if base is float:
        return float.__add__(value, 0.0)
    if base is str:
        return str.__str__(value)
    if base is bytes:
        return bytes.__add__(value, b"")
    if base is complex:
        return complex.__add__(value, 0j)
    return base(base.__iter__(value))  # type: ignore[attr-defined]


def kinds(cls: type) -> list[str]:
    """The names of a class of exceptions and of those that it derives from."""
    return [base.__name__ for base in cls.__mro__ if issubclass(base, Exception)]


def builtin_exception(name: str) -> type[Exception]:
    """The built-in class of exceptions of a name, or else the most general one."""
    cls = getattr(builtins, name, None)
    return cls if isinstance(cls, type) and issubclass(cls, Exception) else Exception


def message_of(fault: Exception) -> str:
    """Return the message of an exception, if it has a readable one."""
    try:
        return str(fault)[:2_000]
    except Exception:
        return ""
