"""A cache of values that is bounded by their bytes: the least recently used ones are dropped."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ByteBoundedCache(Generic[K, V]):
    """Keep values within ``budget`` bytes, and always the newest one. Not thread-safe."""

    def __init__(self, budget: int, size_of: Callable[[V], int]) -> None:
        """``size_of`` gives the bytes of a value, which must not change while it is kept."""
        self._budget, self._size_of = budget, size_of
        self._values: OrderedDict[K, V] = OrderedDict()
        self._bytes = 0

    @property
    def byte_count(self) -> int:
        """Bytes of all values that are kept."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[K]:
        """The keys, the least recently used one first."""
        return iter(self._values)

    def __contains__(self, key: K) -> bool:
        return key in self._values

    def get(self, key: K) -> V | None:
        """The value of a key, which counts as used now; None when it is not kept."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> list[K]:
        """Keep a value. Returns the keys whose values were dropped for it, the oldest first."""
        self.pop(key)
        self._values[key] = value
        self._bytes += self._size_of(value)
        dropped = []
        while self._bytes > self._budget and len(self._values) > 1:
            oldest, evicted = self._values.popitem(last=False)
            self._bytes -= self._size_of(evicted)
            dropped.append(oldest)
        return dropped

    def pop(self, key: K) -> V | None:
        """Drop the value of a key and return it; None when it is not kept."""
        value = self._values.pop(key, None)
        if value is not None:
            self._bytes -= self._size_of(value)
        return value
