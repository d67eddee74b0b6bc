"""The lines of ``steps.jsonl`` in memory: a step that moves is given its new number, and not written anew.

An edit in a long trajectory changes few lines and the numbers of all that follow. So a line keeps the bytes
it was read from, and its number is put into them; its step is built when somebody asks for it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import overload

from collector.model.trajectory import Step
from collector.store.trajectory import codec
from collector.store.trajectory.codec import Line
from collector.store.trajectory.edit_journal import Splice, splice_into

_HEAD = re.compile(rb'\{"seq":(\d{1,18}),"index":(\d{1,18})(?=[,}])')
"""How a line begins that this program wrote."""


@dataclasses.dataclass(frozen=True, slots=True)
class StepWithFiles:
    """A step and the bytes of its state."""

    step: Step
    screenshot: bytes | None
    tree: bytes | None


class StepLine:
    """One line: its values, its bytes behind the number, and its step once it was asked for."""

    __slots__ = ("_step", "_tail", "values")

    def __init__(self, values: Line, raw: bytes = b"") -> None:
        """``raw`` is the line as read, if it was read. Raises ValueError when no step can be read from it."""
        self.values = values
        self._step: Step | None = None
        if not codec.is_plain_step(values):
            self._step = codec.step_from_line(values)
        head = _HEAD.match(raw)
        whole = head and int(head[1]) == values.get("seq") and int(head[2]) == values["index"]
        self._tail = raw[head.end() :] if head and whole else b""

    @property
    def seq(self) -> object:
        return self.values.get("seq")

    def at(self, index: int) -> Line:
        """The values with the number ``index``."""
        if self.values.get("index") != index:
            self.values = {**self.values, "index": index}
        return self.values

    def step_at(self, index: int) -> Step:
        """The step with the number ``index``."""
        if self._step is None:
            self._step = codec.step_from_line(self.at(index))
        elif self._step.index != index:
            self._step = dataclasses.replace(self._step, index=index)
        return self._step

    def bytes_at(self, index: int) -> bytes:
        """The line to write with the number ``index``."""
        if self._tail:
            return b'{"seq":%d,"index":%d%b' % (self.values["seq"], index, self._tail)
        raw = codec.dump_line(self.at(index))
        head = _HEAD.match(raw)
        if head:
            self._tail = raw[head.end() :]
        return raw


class StepLines(Sequence[Line]):
    """Lines in the order of their steps; a line's place is its number."""

    def __init__(self, lines: Iterable[StepLine] = ()) -> None:
        self._lines = list(lines)

    @classmethod
    def read(cls, lines: Sequence[Line], raw: Sequence[bytes]) -> StepLines:
        """Lines as they were read, each beside its bytes."""
        return cls(map(StepLine, lines, raw))

    @classmethod
    def of(cls, lines: Iterable[Line]) -> StepLines:
        """Lines that were not read from a file."""
        return cls(map(StepLine, lines))

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        places = range(len(self._lines))
        if isinstance(index, slice):
            return [self._lines[at].at(at) for at in places[index]]
        return self._lines[index].at(places[index])

    def __iter__(self) -> Iterator[Line]:
        return (line.at(at) for at, line in enumerate(self._lines))

    def step(self, index: int) -> Step:
        """The step at ``index``."""
        return self._lines[index].step_at(range(len(self._lines))[index])

    def steps(self) -> tuple[Step, ...]:
        """All steps."""
        return tuple(line.step_at(at) for at, line in enumerate(self._lines))

    def append(self, line: Line) -> None:
        """Add a line behind the others."""
        self._lines.append(StepLine(line))

    def spliced(self, splices: Iterable[Splice]) -> StepLines:
        """These lines after ``splices``. Raises ValueError when the splices do not fit."""
        return StepLines(splice_into(self._lines, splices, lambda line: line.seq, StepLine))

    def are_ours(self, seqs: Collection[object]) -> bool:
        """Whether the lines with these numbers are written as this program writes them."""
        return all(
            line.bytes_at(at) == codec.dump_line(line.at(at))
            for at, line in enumerate(self._lines)
            if line.seq in seqs
        )

    def data(self) -> bytes:
        """The contents of ``steps.jsonl``."""
        return b"".join([line.bytes_at(at) for at, line in enumerate(self._lines)])
