"""Show a run on the terminal: bars that move, plain lines in a file, or events as JSON lines."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Protocol, Self

from collector.cli.json_lines import JsonLines
from collector.cli.output import say
from collector.cli.run.text import line_of
from collector.run.control.run_snapshot import without_picture
from collector.run.events import RunEvent, to_line
from collector.run.progress import RunProgress


class RunDisplay(Protocol):
    """Shows the events of a run. Use it as a context; events come on any thread, one at a time."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def show(self, event: RunEvent) -> None:
        """Show an event."""


def display_for(lines: JsonLines | None) -> RunDisplay:
    """The display that fits where the output goes: ``lines`` of JSON when there are some to be printed."""
    if lines is not None:
        return JsonDisplay(lines)
    if sys.stdout.isatty():
        from collector.cli.run.bars import BarDisplay  # takes a while to import

        return BarDisplay()
    return LineDisplay()


class _Display:
    """A display without a beginning and an end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        return None


class JsonDisplay(_Display):
    """Prints each event as a line of JSON, without pictures."""

    def __init__(self, lines: JsonLines) -> None:
        self._lines = lines

    def show(self, event: RunEvent) -> None:
        self._lines.print(to_line(without_picture(event)))


class LineDisplay(_Display):
    """Prints a line for each episode that ended, and for what goes wrong."""

    def __init__(self) -> None:
        self._progress = RunProgress(keeps_cells=False)

    def show(self, event: RunEvent) -> None:
        self._progress.apply(event)
        text = line_of(event, self._progress)
        if text:
            say(text)
