"""What a program reaches outside of itself, and how it leaves its parts."""

from __future__ import annotations

from typing import Protocol

from collector.virtual.shell.awk.values import Value

UNREADABLE = "\0unreadable"
"""What :meth:`Surroundings.read_from` gives for a file that cannot be read."""


class Surroundings(Protocol):
    """What a program reaches outside of itself."""

    def write(self, operator: str | None, target: str, data: str) -> None: ...
    def close(self, target: str) -> int: ...
    def run(self, line: str) -> int: ...
    def read_from(self, operator: str, source: str, separator: str) -> str | None: ...
    def next_record(self, separator: str) -> tuple[str, str, bool] | None: ...
    @property
    def interrupted(self) -> bool: ...


class NextRecord(Exception):  # noqa: N818 - control flow, not an error
    """``next``."""


class LeaveProgram(Exception):  # noqa: N818 - control flow, not an error
    """``exit``."""


class EndLoop(Exception):  # noqa: N818 - control flow, not an error
    """``break``."""


class NextTurn(Exception):  # noqa: N818 - control flow, not an error
    """``continue``."""


class ReturnValue(Exception):  # noqa: N818 - control flow, not an error
    """``return``."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value
