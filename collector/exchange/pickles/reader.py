"""Read a pickle without running it: its opcodes build plain values, and a class is nothing but its name.

``pickle`` itself calls whatever a file names. Here the opcodes come from :mod:`pickletools`, which only takes
them apart. Objects of known classes become their fields; any other is left out, and its class is named.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from collector.exchange.errors import ExchangeError
from collector.exchange.pickles.values import Array, ElementType, Instance, LargeBytes, PickledName, scalar
from collector.model.i18n import _

_MOST_AT_ONCE = 64 * 1024 * 1024
"""Bytes of one value; a screenshot of raw pixels has eight million."""
_MOST_BYTES = 16 * 1024**3
"""Of a whole pickle, unpacked."""
_MOST_KEPT = 256 * 1024 * 1024
"""Bytes of all values that stay in the memory."""
_LARGE = 64 * 1024
"""Bytes from which a value goes to a file."""
_MOST_OPCODES = 30_000_000
_OBJECT_SIZE = 64
"""Bytes that a small value takes, about."""

_ARRAY_MAKERS = ("numpy.core.multiarray._reconstruct", "numpy._core.multiarray._reconstruct")
_BUFFER_MAKERS = ("numpy.core.numeric._frombuffer", "numpy._core.numeric._frombuffer")
_SCALAR_MAKERS = ("numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar")
_PLAIN_CLASSES: Mapping[str, Callable[..., Any]] = {
    "collections.OrderedDict": dict, "builtins.set": set, "builtins.frozenset": frozenset,
    "builtins.list": list, "builtins.dict": dict, "builtins.tuple": tuple, "__builtin__.set": set,
    "__builtin__.frozenset": frozenset,
}  # fmt: skip
_SAID = (
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT", "STRING",
    "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8",
)  # fmt: skip
"""Opcodes whose argument is the value."""
_BYTES = ("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8")


def read_pickle(file: BinaryIO, classes: Iterable[str], folder: Path, name: str) -> tuple[Any, list[str]]:
    """The value of a pickle, and the names of the classes in it that are not of ``classes``.

    Large values go to files in ``folder``. Raises ExchangeError when the pickle cannot be read, or is too
    large; ``name`` is that of its file.
    """
    reader = _PickleReader(frozenset(classes), folder)
    try:
        value = reader.read(file)
    except ExchangeError:
        raise
    except (
        ValueError,
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
        EOFError,
        OSError,
        RecursionError,
        OverflowError,
    ):
        raise ExchangeError(
            _("{name} cannot be read as a pickle", name=name), _("it is cut short or damaged")
        ) from None
    return value, sorted(reader.refused)


class _Limited:
    """A file for :mod:`pickletools`, which never gives more than a value may have."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._left = _MOST_BYTES

    def read(self, count: int) -> bytes:
        if not 0 <= count <= min(_MOST_AT_ONCE, self._left):
            raise ValueError(f"a value of {count} bytes")
        self._left -= count
        return self._file.read(count)

    def readline(self) -> bytes:
        line = self._file.readline(_LARGE)
        self._left -= len(line)
        if self._left < 0 or len(line) == _LARGE:
            raise ValueError("a line without an end")
        return line


class _PickleReader:
    def __init__(self, classes: frozenset[str], folder: Path) -> None:
        self._classes, self._folder = classes, folder
        self.refused: set[str] = set()
        self._stack: list[Any] = []
        self._marked: list[list[Any]] = []
        self._memo: dict[int, Any] = {}
        self._kept = 0
        self._files = 0

    def read(self, file: BinaryIO) -> Any:
        for count, (opcode, argument, _at) in enumerate(pickletools.genops(_Limited(file))):  # type: ignore[arg-type]
            if opcode.name == "STOP":
                return self._stack.pop()
            if count > _MOST_OPCODES:
                raise ValueError("too many values")
            self._take(opcode.name, argument)
        raise EOFError("the end is missing")

    def _take(self, opcode: str, argument: Any) -> None:
        if opcode in _SAID:
            self._push(argument, len(argument) if isinstance(argument, str) else _OBJECT_SIZE)
        elif opcode in _BYTES:
            self._push_bytes(bytes(argument))
        elif opcode in _MADE:
            self._push(_MADE[opcode](), _OBJECT_SIZE)
        elif opcode in _COLLECTED:
            items = self.items()
            self._push(_COLLECTED[opcode](items), _OBJECT_SIZE + 8 * len(items))
        elif opcode in _WORKS:
            _WORKS[opcode](self, argument)
        elif opcode not in ("PROTO", "FRAME"):
            raise ExchangeError(_("A pickle was refused: it holds the instruction {name}", name=opcode))

    def _push(self, value: Any, size: int) -> None:
        self._kept += size
        if self._kept > _MOST_KEPT:
            raise ValueError("too much to keep in the memory")
        self._stack.append(value)

    def _push_bytes(self, data: bytes) -> None:
        if len(data) < _LARGE:
            self._push(data, len(data) + _OBJECT_SIZE)
            return
        path = self._folder / f"{self._files}.bytes"
        self._files += 1
        path.write_bytes(data)
        self._push(LargeBytes(path), _OBJECT_SIZE)

    def items(self) -> list[Any]:
        """What was pushed since the last mark."""
        items, self._stack = self._stack, self._marked.pop()
        return items

    def mark(self, _argument: Any) -> None:
        self._marked.append(self._stack)
        self._stack = []

    def tuple_of(self, count: int) -> None:
        items = tuple(self._stack[-count:])
        if len(items) < count:
            raise IndexError("nothing to make a tuple of")
        del self._stack[-count:]
        self._push(items, _OBJECT_SIZE)

    def append(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if isinstance(target, list):
            target += items
        elif isinstance(target, set):
            target.update(items)

    def set_items(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if isinstance(target, dict):
            target.update(zip(items[::2], items[1::2], strict=True))

    def global_(self, name: str) -> None:
        self._push(PickledName(name), _OBJECT_SIZE)

    def call(self, arguments: Any, function: Any) -> None:
        """Make what is known by its name; never call what the pickle names."""
        if not isinstance(function, (PickledName, Instance)) or not isinstance(arguments, tuple):
            raise TypeError("a call of what is no function")
        self._push(self._made(function.name, arguments), _OBJECT_SIZE)

    def _made(self, name: str, arguments: tuple[Any, ...]) -> Any:
        if name in self._classes:
            return Instance(name)
        if name in _ARRAY_MAKERS:
            return Array()
        if name in _BUFFER_MAKERS and len(arguments) == 4 and arguments[3] == "C":
            array = Array()
            array.fill(*arguments[:3])
            return array
        if name in _SCALAR_MAKERS and len(arguments) == 2:
            return scalar(*arguments)
        if name == "numpy.dtype" and arguments and isinstance(arguments[0], str):
            return ElementType(arguments[0])
        if name in _PLAIN_CLASSES:
            return _PLAIN_CLASSES[name](*arguments[:1])
        if name == "_codecs.encode" and arguments[1:] == ("latin1",):  # bytes, in the oldest protocols
            return str(arguments[0]).encode("latin1")
        if name == "datetime.datetime":
            return datetime(*arguments)
        self.refused.add(name)
        return Instance(name)

    def build(self, _argument: Any) -> None:
        state = self._stack.pop()
        target = self._stack[-1]
        if isinstance(target, (Array, ElementType)) or (
            isinstance(target, Instance) and target.name in self._classes
        ):
            target.build(state)

    def put(self, place: int) -> None:
        self._memo[place] = self._stack[-1]

    def memoize(self, _argument: Any) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def get(self, place: int) -> None:
        self._push(self._memo[place], 8)

    def drop(self, _argument: Any) -> None:
        self.pop()

    def drop_items(self, _argument: Any) -> None:
        self.items()

    def double(self, _argument: Any) -> None:
        self._push(self._stack[-1], 8)

    def pop(self) -> Any:
        """Take the last value, or the last mark."""
        return self._stack.pop() if self._stack else self.items()


def _dict_of(items: list[Any]) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2], strict=True))


_MADE: Mapping[str, Callable[[], Any]] = {
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False, "EMPTY_LIST": list,
    "EMPTY_DICT": dict, "EMPTY_TUPLE": tuple, "EMPTY_SET": set,
}  # fmt: skip
_COLLECTED: Mapping[str, Callable[[list[Any]], Any]] = {
    "LIST": list, "TUPLE": tuple, "FROZENSET": frozenset, "DICT": _dict_of,
}  # fmt: skip
_WORKS: Mapping[str, Callable[[_PickleReader, Any], None]] = {
    "MARK": _PickleReader.mark,
    "TUPLE1": lambda reader, _argument: reader.tuple_of(1),
    "TUPLE2": lambda reader, _argument: reader.tuple_of(2),
    "TUPLE3": lambda reader, _argument: reader.tuple_of(3),
    "APPEND": lambda reader, _argument: reader.append([reader.pop()]),
    "APPENDS": lambda reader, _argument: reader.append(reader.items()),
    "ADDITEMS": lambda reader, _argument: reader.append(reader.items()),
    "SETITEM": lambda reader, _argument: reader.set_items([reader.pop(), reader.pop()][::-1]),
    "SETITEMS": lambda reader, _argument: reader.set_items(reader.items()),
    "GLOBAL": lambda reader, argument: reader.global_(str(argument).replace(" ", ".")),
    "STACK_GLOBAL": lambda reader, _argument: reader.global_(".".join([reader.pop(), reader.pop()][::-1])),
    "REDUCE": lambda reader, _argument: reader.call(reader.pop(), reader.pop()),
    "NEWOBJ": lambda reader, _argument: reader.call(reader.pop(), reader.pop()),
    "NEWOBJ_EX": lambda reader, _argument: reader.call(*[reader.pop(), reader.pop(), reader.pop()][1:]),
    "BUILD": _PickleReader.build,
    "PUT": _PickleReader.put,
    "BINPUT": _PickleReader.put,
    "LONG_BINPUT": _PickleReader.put,
    "MEMOIZE": _PickleReader.memoize,
    "GET": _PickleReader.get,
    "BINGET": _PickleReader.get,
    "LONG_BINGET": _PickleReader.get,
    "POP": _PickleReader.drop,
    "POP_MARK": _PickleReader.drop_items,
    "DUP": _PickleReader.double,
}
