"""Progress of a long verb on standard error: one line that changes, or a line now and then in a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import click

from collector.model.i18n import _

_FIRST_AFTER_S = 1.0
_TERMINAL_EVERY_S = 0.2
_FILE_EVERY_S = 5.0


class ProgressOutput:
    """Print sentences about how far a verb is; nothing for one that is done within a second."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = time.monotonic() + _FIRST_AFTER_S
        self._shown = False

    def show(self, text: str, *, last: bool) -> None:
        """Print ``text`` when it is time for it; after the last one the line on a terminal is cleared."""
        now = time.monotonic()
        if last:
            if self._shown and self._terminal:
                click.echo("\r\033[K", nl=False, err=True)
            return
        if now < self._next:
            return
        self._shown = True
        self._next = now + (_TERMINAL_EVERY_S if self._terminal else _FILE_EVERY_S)
        click.echo(f"\r\033[K{text}" if self._terminal else text, nl=not self._terminal, err=True)


def indexing_progress() -> Callable[[int, int], None]:
    """Progress of reading trajectories into the catalogue."""
    output = ProgressOutput()

    def show(done: int, total: int) -> None:
        text = _("Indexing trajectories: {done} of {total}", done=f"{done:,}", total=f"{total:,}")
        output.show(text, last=done == total)

    return show


def screen_progress() -> Callable[[int, int], None]:
    """Progress of reading the screens of recorded trajectories."""
    output = ProgressOutput()

    def show(done: int, total: int) -> None:
        text = _("Reading screens: {done} of {total}", done=f"{done:,}", total=f"{total:,}")
        output.show(text, last=done == total)

    return show
