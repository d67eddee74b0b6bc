"""Show a run on the terminal: bars that move, plain lines in a file, or events as JSON lines."""

from __future__ import annotations

import json
import sys
from types import TracebackType
from typing import Protocol, Self

import click

from collector.cli.output import one_line, say
from collector.model.episode_text import verdict_text
from collector.model.i18n import N_, _, ngettext
from collector.run.control.run_snapshot import without_picture
from collector.run.events import (
    EpisodeEnded,
    RunBegan,
    RunChanged,
    RunEvent,
    WorkerChanged,
    to_line,
)
from collector.run.progress import RunProgress

_LONGEST = 300


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


def line_of(event: RunEvent, progress: RunProgress) -> str:
    """What a log says of an event; empty for those that would only fill it."""
    match event:
        case RunBegan():
            return _("{done} of {total} episodes are finished", done=event.done, total=event.total)
        case RunChanged(state="paused"):
            return event.reason or _("The run is paused")
        case RunChanged(state="running"):
            return _("The run goes on")
        case RunChanged():
            return _("The run is stopping; the episodes that are running will be run again")
        case WorkerChanged() if event.problem:
            state = _(_STATES.get(event.state, event.state))
            return f"{event.worker}: {state}: {one_line(event.problem, _LONGEST)}"
        case EpisodeEnded():
            return _line_of_end(event, progress)
        case _:
            return ""


_STATES = {"restarting": N_("restarting the phone"), "gone": N_("lost"), "closed": N_("closed")}


def _line_of_end(event: EpisodeEnded, progress: RunProgress) -> str:
    counted = f"[{progress.finished}/{progress.total}]"
    if event.infrastructure:
        what = _("tried again") if event.will_retry else _("not run")
        return f"{counted} {event.cell}: {what}: {one_line(event.infrastructure, _LONGEST)}"
    steps = ngettext("{count} step", "{count} steps", event.steps)
    words = [f"{counted} {event.cell}: {verdict_text(event.status) or _('not judged')}",
             steps, f"{event.seconds:.1f} s"]  # fmt: skip
    if event.early_stop:
        words.append(_("early stop"))
    left = progress.seconds_left
    if left is not None and progress.left:
        words.append(_("{time} left", time=duration(left)))
    return ", ".join(words)


def duration(seconds: float) -> str:
    """A time for people: ``45 s``, ``12 min`` or ``3 h 20 min``."""
    if seconds < 90:
        return _("{count} s", count=max(1, round(seconds)))
    minutes = round(seconds / 60)
    if minutes < 120:
        return _("{count} min", count=minutes)
    return _("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)
