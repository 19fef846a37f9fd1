"""A program in another jail, as a suite of tests sees it.

Each use of the program is a request on descriptor 3, which the judge hands over. What comes back is
a plain value, or stands for an object of the program's: a :class:`Remote`.

Nothing is decided by what an object says of itself. A container is fetched as plain values, once,
and the suite decides by those; so is what an attribute or an item is, or how it prints. They are
fetched again when the program has been called meanwhile. A container or a text that has changed
then, though nobody acted on the object, fails the test. So does what cannot be fetched, a name that
the program does not define, and the end of the program, whatever exceptions the test wants.
"""

import builtins
import io
import json
import types
from collections.abc import Callable, Generator, Iterator
from typing import Any

from failures import (
    Gone,
    Missing,
    Oversized,
    Stopped,
    Unplain,
    Unsupported,
    global_name,
    take_one,
    text_of,
)
from packing import pack, unpack

CALLBACKS = 5_000
"""How often a program may call functions that a suite gave to it: each call passes the judge, which
is to spend less time on it than the program."""


class Link:
    """The connection to the program, and what has come of it so far."""

    def __init__(self, trusting: bool) -> None:
        self.trusting = trusting
        self.requests = io.FileIO(3, "w", closefd=False)
        self.replies = open(3, "rb", closefd=False)
        self.issued = 0
        """How many objects of the program's have a number. Both sides count them as they come, so
        that the program cannot choose a number."""

        self.answers = 0
        """How often the program has said anything but that it has a function or a class."""

        self.calls = 0
        """How often the program has been called."""

        self.callbacks: list[Callable[..., Any]] = []
        self.callbacks_made = 0
        """How often the program has called one of them."""
        self.failures: list[BaseException] = []
        self.raised: list[BaseException] = []
        self.weak: set[str] = set()

    def fail(self, failure: BaseException) -> Any:
        """Fails the test, also where it catches what is raised here."""
        self.failures.append(failure)
        raise failure

    def ask(self, request: dict[str, Any]) -> Any:
        """What the program does on request; its exceptions are raised here."""
        return self.value(self.reply(request))

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """The program's reply, once it needs no more of the suite's functions."""
        while True:
            line = json.dumps(request | {"issued": self.issued}).encode()
            self.requests.write(line + b"\n")
            answer = self.replies.readline()
            if answer[:1] != b"+":
                self.fail(Gone("the program has ended"))
            try:
                reply = json.loads(answer[1:])
            except (ValueError, RecursionError):
                reply = None
            if not isinstance(reply, dict):
                self.answers += 1
                self.fail(Unplain("what the program gave is no value"))
            if "callback" not in reply:
                return reply  # type: ignore[no-any-return]
            self.callbacks_made += 1
            if self.callbacks_made > CALLBACKS:
                self.fail(Oversized("functions of the suite are called too often"))
            request = self.called_back(reply)

    def value(self, reply: dict[str, Any]) -> Any:
        """The value in a reply, or the exception."""
        if "missing" in reply:
            self.fail(Missing(f"there is no {str(reply['missing'])[:100]}"))
        if "large" in reply:
            self.answers += 1
            self.fail(Oversized("the value is larger than a reply may be"))
        try:
            if "error" in reply:
                self.answers += 1
                fault = self.exception(reply["error"])
            else:
                value = unpack(reply["value"], self.resolve)
        except (KeyError, ValueError, TypeError, RecursionError):
            self.fail(Unplain("what the program gave is no plain value"))
        if "error" in reply:
            self.raised.append(fault)
            raise fault
        self.answers += not isinstance(value, RemoteCallable)
        return value

    # ------------------------------------------------------------------ objects

    def resolve(self, described: Any) -> Any:
        """What stands for an object of the program's: by its kind, and whether it is callable."""
        self.issued += 1
        if isinstance(described, dict):
            cls = exception_class(tuple(map(str, described["exception"])))
            if not isinstance(cls, ProgramErrors):  # a call of it would not be the program's
                raise TypeError("no exception of the program's own")
            return cls
        cls, callable_ = described
        return (RemoteCallable if callable_ is True else Remote)(self.issued - 1, str(cls))

    def refer(self, value: Any) -> Any:
        """How an object is named to the program.

        Raises :class:`Unsupported` for one of the suite's own that cannot be called.
        """
        if isinstance(value, Remote):
            return object.__getattribute__(value, "_number")
        if (name := global_name(value)) is not None:
            return {"global": name}
        if hasattr(type(value), "__next__"):
            step = iter(value)
            return {"iterator": self.issue(lambda: [*take_one(step)])}
        if callable(value):
            return {"callback": self.issue(value)}
        return self.fail(Unsupported(f"a {type(value).__name__} is given to the program"))

    def issue(self, function: Callable[..., Any]) -> int:
        """A number by which the program may call a function of the suite's."""
        self.callbacks.append(function)
        return len(self.callbacks) - 1

    def called_back(self, reply: dict[str, Any]) -> dict[str, Any]:
        """Calls a function that the suite gave to the program, and says what came of it."""
        number = reply["callback"]
        if type(number) is not int or not 0 <= number < len(self.callbacks):
            self.fail(Unplain("a function that was not given"))
        try:
            args = [unpack(value, self.resolve) for value in reply["args"]]
            named = {
                str(key): unpack(value, self.resolve) for key, value in reply["kwargs"].items()
            }
        except (KeyError, AttributeError, ValueError, TypeError, RecursionError):
            self.fail(Unplain("what the program gave is no plain value"))
        self.answers += 1
        try:
            return {"returned": pack(self.callbacks[number](*args, **named), self.refer)}
        except Exception as fault:
            if isinstance(fault, AssertionError):  # the program may catch it
                self.failures.append(fault)
            return {"raised": [type(fault).__name__, text_of(fault)]}

    def exception(self, error: Any) -> BaseException:
        """The exception that a program raised, of the built-in kind of that name, or of its own."""
        kinds, message, args, described = error
        cls = exception_class(tuple(map(str, kinds)))
        values = [unpack(value, self.resolve) for value in args]
        try:
            fault = ProgramErrors.make(cls, values)
        except Exception:
            fault = Exception(str(message))
        if isinstance(fault, ProgramError):
            fault.__dict__.update(_message=str(message))
            if described is not None:
                fault.__dict__["_remote"] = self.resolve(described)
        return fault


link: Link
"""The one connection of this process, made by :func:`connect`."""


def connect(trusting: bool) -> Link:
    """Connects this process to the program."""
    global link  # noqa: PLW0603  a process tests one program
    link = Link(trusting)
    return link


# ------------------------------------------------------------------ exceptions


class ProgramErrors(type):
    """The class of those exceptions. The program makes them, and not the suite, for what a function
    gives may be a class of exceptions too.
    """

    def __call__(cls, *_: Any, **__: Any) -> Any:
        return link.fail(Unplain("an exception of the program's is made by the suite"))

    @staticmethod
    def make(exception_class: type[Exception], values: list[Any]) -> Exception:
        """An exception with these arguments."""
        if not isinstance(exception_class, ProgramErrors):
            return exception_class(*values)
        fault: Exception = exception_class.__new__(exception_class, *values)
        fault.args = tuple(values)
        return fault


class ProgramError(metaclass=ProgramErrors):
    """An exception of a class of the program's own."""

    def __str__(self) -> str:
        return str(self.__dict__.get("_message", "")) or ", ".join(
            map(str, getattr(self, "args", ()))
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "_remote" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.__dict__["_remote"], name)


_classes: dict[tuple[str, ...], type[Exception]] = {}


def exception_class(kinds: tuple[str, ...]) -> type[Exception]:
    """The class of exceptions whose name, and whose bases' names, these are.

    A class of the program's own is always the same one here, and derives from the built-in classes
    that the program says.
    """
    if not kinds:
        return Exception
    first = getattr(builtins, kinds[0], None)
    if kinds[0] in {"StopIteration", "StopAsyncIteration"}:
        first = Stopped  # it ends the program's own iterations, and none of the suite's
    if isinstance(first, type) and issubclass(first, Exception):
        return first
    if kinds not in _classes:
        base = exception_class(kinds[1:20])
        bases = (base,) if issubclass(base, ProgramError) else (ProgramError, base)
        _classes[kinds] = ProgramErrors(kinds[0], bases, {})  # type: ignore[assignment]
    return _classes[kinds]


# ------------------------------------------------------------------ objects of the program's

DECIDING = frozenset(
    [
        *("__lt__", "__le__", "__gt__", "__ge__", "__add__", "__sub__", "__radd__", "__rsub__"),
        *("__mul__", "__rmul__", "__truediv__", "__rtruediv__", "__mod__", "__rmod__", "__pow__"),
        *("__floordiv__", "__rfloordiv__", "__and__", "__or__", "__xor__", "__rand__", "__ror__"),
        *("__neg__", "__abs__", "__round__", "__float__", "__int__", "__index__", "__bool__"),
    ]
)
"""Special methods whose result decides. Only plain values have them, unless objects are trusted."""

YES_OR_NO = frozenset(
    name
    for builtin in (str, bytes, set, float, dict, list)
    for name in dir(builtin)
    if name.startswith("is") or name in {"startswith", "endswith"}
)
"""Methods of built-in types that decide, where an object has them for a plain value."""

READING = frozenset(
    name for builtin in (str, bytes, frozenset, tuple, int, float) for name in dir(builtin)
) | {"keys", "values", "items", "get", "copy"}
"""Methods of built-in types that change nothing."""


class Remote:
    """Something of the program's that is no plain value."""

    def __init__(self, number: int, type_name: str) -> None:
        self.__dict__.update(_number=number, _kind=type_name, _looks={}, _acted=0)

    # ------------------------------------------------------------------ asking

    def _do(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a method, which may change the object."""
        if name not in READING:
            self.__dict__["_acted"] = link.calls + 1
        return call({"on": self._number, "name": name}, args, kwargs)

    def _look(self, name: str, request: dict[str, Any], lasting: bool = True) -> Any:
        """What the object shows of itself, fetched once as long as the program is not called.

        What is ``lasting`` fails the test where it has changed though nobody acted on the object.
        """
        key = name + json.dumps(request)
        seen = self._looks.get(key)
        if seen is not None and seen[0] == link.calls:
            return seen[2]
        calls, failures = link.calls, len(link.failures)
        reply = link.reply(request | {"on": self._number, "name": name})
        value = link.value(reply)
        if len(link.failures) == failures:
            shown = json.dumps(reply)
            if lasting and seen is not None and seen[1] != shown and self._acted <= seen[0]:
                link.weak.add("an object that changed while nobody acted on it")
                if not link.trusting:
                    link.fail(Unplain("an object that changed while nobody acted on it"))
            self._looks[key] = (calls, shown, value)
        return value

    def _contents(self) -> dict[str, Any]:
        """The object as plain values: ``plain`` for one of a built-in type, ``items`` for a
        container, ``size`` for what has a length, ``iterator`` for what is used up.

        Fails the test where the length is not the number of the items.
        """
        attributes: dict[str, Any] = self._look("", {"contents": True})
        if not isinstance(attributes, dict) or "endless" in attributes:
            link.fail(Unplain("a container that cannot be fetched"))
        known = "size" in attributes and "items" in attributes and not link.trusting
        if known and attributes["size"] != len(attributes["items"]):
            link.fail(Unplain("a container with another length than its items"))
        return attributes

    # ------------------------------------------------------------------ attributes

    def __getattr__(self, name: str) -> Any:
        if name in YES_OR_NO and not link.trusting:
            contents = self._contents()
            if hasattr(contents.get("plain"), name):
                return getattr(contents["plain"], name)
            link.fail(Unplain(f"what a {self._kind} says of itself by {name}"))
        value = self._look(name, {}, lasting=False)
        return Method(self, name, value) if isinstance(value, RemoteCallable) else value

    def __setattr__(self, name: str, value: Any) -> None:
        self._do("__setattr__", name, value)

    # ------------------------------------------------------------------ comparing

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        if other is None:
            return False
        if link.trusting and isinstance(other, Remote):
            link.weak.add("__eq__")
            return self._do("__eq__", other)
        if not isinstance(other, Remote):
            contents = self._contents()
            if "plain" in contents:
                return contents["plain"] == other
            if link.trusting:
                return False  # nothing is equal to a plain value because it says so
        return link.fail(Unplain(f"what a {self._kind} says that it is equal to"))

    def __ne__(self, other: object) -> Any:
        return not self == other

    def __hash__(self) -> int:
        if not link.trusting:
            link.fail(Unplain(f"what a {self._kind} says that it is the same as"))
        return hash(self._number)

    # ------------------------------------------------------------------ containers

    def __len__(self) -> int:
        contents = self._contents()
        if "size" not in contents:
            raise TypeError(f"object of type {self._kind!r} has no len()")
        return contents["size"]  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[Any]:
        contents = self._contents()
        if "iterator" in contents:
            return self._steps()
        if "items" not in contents:
            raise TypeError(f"{self._kind!r} object is not iterable")
        return iter(contents["items"])

    def _steps(self) -> Iterator[Any]:
        while True:
            try:
                yield next(self)
            except StopIteration:
                return

    def __next__(self) -> Any:
        try:
            return self._do("__next__")
        except Stopped:
            raise StopIteration from None

    def __reversed__(self) -> Iterator[Any]:
        items: list[Any] = [*self]
        return iter(items[::-1])

    def __contains__(self, thing: Any) -> Any:
        if link.trusting:
            link.weak.add("__contains__")
            return self._do("__contains__", thing)
        contents = self._contents()
        if isinstance(contents.get("plain"), str | bytes):
            return thing in contents["plain"]
        if "items" in contents:
            return thing in contents["items"]
        return link.fail(Unplain(f"what a {self._kind} says that it contains"))

    def __getitem__(self, key: Any) -> Any:
        value = self._look("__getitem__", {"args": [pack(key, link.refer)], "kwargs": {}})
        contents = self._contents()
        items = contents.get("items", [])
        sequence = "size" in contents and "mapping" not in contents
        if sequence and type(key) is int and -len(items) <= key < len(items):
            if isinstance(items[key], Remote):
                return items[key]
            if type(items[key]) is not type(value) or items[key] != value:
                link.fail(Unplain("a container with another item than it shows"))
        return value

    # ------------------------------------------------------------------ others

    def __await__(self) -> Generator[None, None, Any]:
        return call({"on": self._number, "name": "", "await": True}, (), {})
        yield

    def __enter__(self) -> Any:
        return self._do("__enter__")

    def __exit__(self, exception_class: Any, value: Any, trace: Any) -> Any:
        return self._do("__exit__", None, None, None) if exception_class is None else False


class RemoteCallable(Remote):
    """The same where it can be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._do("__call__", *args, **kwargs)

    def __instancecheck__(self, thing: object) -> bool:
        return self._related("instance", thing)

    def __subclasscheck__(self, thing: object) -> bool:
        return self._related("subclass", thing)

    def _related(self, how: str, thing: object) -> bool:
        if not isinstance(thing, Remote):
            return False
        link.weak.add("isinstance")
        return bool(link.ask({"on": self._number, "name": "", how: thing._number}))


class Method(RemoteCallable):
    """A method of an object of the program's."""

    def __init__(self, owner: Remote, name: str, remote: Remote) -> None:
        super().__init__(remote._number, "method")
        self.__dict__.update(_owner=owner, _name=name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._name not in READING:
            self._owner.__dict__["_acted"] = link.calls + 1
        return super().__call__(*args, **kwargs)


class Function(RemoteCallable):
    """A function or a class of the program's, by its name: it is looked up at each call."""

    def __init__(self, name: str, number: int) -> None:
        super().__init__(number, "function")
        self.__dict__.update(_name=name, __name__=name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call({"name": self._name}, args, kwargs)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Function):
            return self._name == other._name
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self._name)


def call(request: dict[str, Any], args: Any, kwargs: Any) -> Any:
    """Calls something of the program's. What is changed in the arguments by a function that gives
    nothing is changed here too.
    """
    packed = [pack(value, link.refer) for value in args]
    keywords = {key: pack(value, link.refer) for key, value in kwargs.items()}
    link.calls += 1
    reply = link.reply(request | {"args": packed, "kwargs": keywords})
    value = link.value(reply)
    link.calls += 1  # a look that was made while the program ran is out of date as well
    if value is None and "changed" in reply:
        try:
            for index, packed_value in reply["changed"]:
                change(args[index], unpack(packed_value, link.resolve))
        except (ValueError, TypeError, LookupError, RecursionError):
            link.fail(Unplain("what the program gave is no plain value"))
    return value


def change(mine: Any, theirs: Any) -> None:
    """Makes a list, a dict or a set of the suite's the same as the program's copy of it."""
    if type(mine) is not type(theirs):
        raise TypeError("another kind of container")
    if isinstance(mine, list):
        mine[:] = theirs
    elif isinstance(mine, dict | set):
        mine.clear()
        mine.update(theirs)


def shown(name: str) -> Callable[[Remote], str]:
    """A special method that gives a text."""

    def method(self: Remote) -> str:
        text = self._look(name, {"args": [], "kwargs": {}})
        if type(text) is not str:
            link.fail(Unplain("a text that is none"))
        return text  # type: ignore[no-any-return]

    return method


def acting(name: str) -> Callable[..., Any]:
    """A special method that changes the object."""

    def method(self: Remote, *args: Any) -> Any:
        return self._do(name, *args)

    return method


def deciding(name: str) -> Callable[..., Any]:
    """A special method by whose result tests decide."""

    def method(self: Remote, *args: Any) -> Any:
        if link.trusting:
            link.weak.add(name)
            return self._do(name, *args)
        contents = self._contents()
        if "plain" in contents:
            plain = contents["plain"]
            if name == "__bool__":
                return bool(plain)
            return getattr(plain, name, lambda *_: NotImplemented)(*args)
        if name == "__bool__" and "size" in contents:
            return contents["size"] > 0
        return link.fail(Unplain(f"what a {self._kind} says of itself by {name}"))

    return method


for _name in ("__str__", "__repr__"):
    setattr(Remote, _name, shown(_name))
for _name in ("__setitem__", "__delitem__"):
    setattr(Remote, _name, acting(_name))
for _name in DECIDING:
    setattr(Remote, _name, deciding(_name))


# ------------------------------------------------------------------ names of the program's


def named(name: str) -> Any:
    """What the program calls by a name: its value, or what stands for it here."""
    remote = link.ask({"name": name})
    return Function(name, remote._number) if isinstance(remote, RemoteCallable) else remote


class Solution(types.ModuleType):
    """The program, as a module."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return named(name)


class Names(dict):  # type: ignore[type-arg]
    """The suite's own names; those it does not define are the program's."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            raise KeyError(name)
        return named(name)


def get_attribute(thing: Any, name: str, *default: Any) -> Any:
    """``getattr``, for which the program need not have what has a default."""
    try:
        return getattr(thing, name, *default)
    except Missing as missing:
        if default:
            link.failures.remove(missing)
            link.answers += 1
            return default[0]
        raise


def has_attribute(thing: Any, name: str) -> bool:
    """``hasattr``."""
    nothing = object()
    return get_attribute(thing, name, nothing) is not nothing
