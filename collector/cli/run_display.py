"""Show a run on the terminal: bars that move, plain lines in a file, or events as JSON lines."""

from __future__ import annotations

import json
import sys
from types import TracebackType
from typing import Protocol, Self

import click

from collector.cli.output import say
from collector.cli.run_text import line_of
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


def display_for(*, as_json: bool) -> RunDisplay:
    """The display that fits where the output goes."""
    if as_json:
        return JsonDisplay()
    if sys.stdout.isatty():
        from collector.cli.run_bars import BarDisplay  # takes a while to import

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

    def show(self, event: RunEvent) -> None:
        print_line(to_line(without_picture(event)))


class LineDisplay(_Display):
    """Prints a line for each episode that ended, and for what goes wrong."""

    def __init__(self) -> None:
        self._progress = RunProgress()

    def show(self, event: RunEvent) -> None:
        self._progress.apply(event)
        text = line_of(event, self._progress)
        if text:
            say(text)


def print_line(values: object) -> None:
    """Print a line of JSON at once."""
    click.echo(json.dumps(values, ensure_ascii=True, separators=(", ", ": ")))
    sys.stdout.flush()
