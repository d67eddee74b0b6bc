"""The variables of a shell: values, arrays, attributes, and those local to functions."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from collector.virtual.shell.language.arithmetic import ExpansionError, calculate


class ReadOnlyError(ExpansionError):
    """A variable may not change."""

    def __init__(self, name: str) -> None:
        super().__init__(f"read-only: {name}")


@dataclass(slots=True)
class _Kept:
    """What a variable was outside of a function."""

    value: str | None
    more: dict[int, str] | None
    attributes: set[str]


@dataclass(slots=True)
class VariableStore:
    """Variables by name. As in mksh, the value of an array's name is its element 0."""

    values: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, dict[int, str]] = field(default_factory=dict)
    """The elements after the first, by place."""
    attributes: dict[str, set[str]] = field(default_factory=dict)
    """Letters of ``typeset``: ``x`` exported, ``r`` read-only, ``i`` integer, ``u`` and ``l`` case."""
    exported: set[str] = field(default_factory=set)
    outer: list[dict[str, _Kept]] = field(default_factory=list)
    """What each running function's local variables were before, innermost last."""

    def copied(self) -> VariableStore:
        """An independent copy, for a subshell."""
        arrays = {name: dict(elements) for name, elements in self.arrays.items()}
        attributes = {name: set(letters) for name, letters in self.attributes.items()}
        outer = copy.deepcopy(self.outer)
        return VariableStore(dict(self.values), arrays, attributes, set(self.exported), outer)

    def element(self, name: str, index: int) -> str | None:
        return self.arrays.get(name, {}).get(index) if index else self.values.get(name)

    def elements(self, name: str) -> dict[int, str]:
        """All set elements by place."""
        first = {0: self.values[name]} if name in self.values else {}
        return first | self.arrays.get(name, {})

    def set_element(self, name: str, index: int, value: str) -> None:
        """Change one element; ReadOnlyError when the variable may not change."""
        letters = self.attributes.get(name)
        if letters:
            if "r" in letters:
                raise ReadOnlyError(name)
            value = self._converted(value, letters)
        if index:
            self.arrays.setdefault(name, {})[index] = value
        else:
            self.values[name] = value

    def _converted(self, value: str, letters: set[str]) -> str:
        if "i" in letters:
            return str(calculate(value, self))
        return value.upper() if "u" in letters else value.lower() if "l" in letters else value

    def unset(self, name: str) -> None:
        """Delete a variable with its attributes; ReadOnlyError when it may not change."""
        if "r" in self.attributes.get(name, ()):
            raise ReadOnlyError(name)
        self.values.pop(name, None)
        self.arrays.pop(name, None)
        self.attributes.pop(name, None)
        self.exported.discard(name)

    def unset_element(self, name: str, index: int) -> None:
        if index:
            self.arrays.get(name, {}).pop(index, None)
        else:
            self.values.pop(name, None)

    def make_local(self, name: str) -> None:
        """Make a variable local to the running function; no effect outside of a function."""
        if not self.outer or name in self.outer[-1]:
            return
        kept = _Kept(
            self.values.pop(name, None), self.arrays.pop(name, None), self.attributes.pop(name, set())
        )
        self.outer[-1][name] = kept

    def leave_function(self) -> None:
        """Restore what the innermost function's local variables hid."""
        for name, kept in self.outer.pop().items():
            self.values.pop(name, None)
            self.arrays.pop(name, None)
            self.attributes.pop(name, None)
            if kept.value is not None:
                self.values[name] = kept.value
            if kept.more:
                self.arrays[name] = kept.more
            if kept.attributes:
                self.attributes[name] = kept.attributes
