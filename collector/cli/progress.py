"""Progress of a long verb on standard error: one line that changes, or a line now and then in a file."""

from __future__ import annotations

import contextlib
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from collector.model.i18n import _

if TYPE_CHECKING:
    from collector.store.project.project import Project

_FIRST_AFTER_S = 1.0
_TERMINAL_EVERY_S = 0.2
_FILE_EVERY_S = 5.0
_ESTIMATE_AFTER_S = 2.0


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


def _counted(text: Callable[[str, str], str]) -> Callable[[int, int], None]:
    """Progress over things that are counted: ``text`` says how many are done, and the time left follows."""
    output, began = ProgressOutput(), time.monotonic()
    first: list[int] = []
    """How many were done when it began: what goes on from an earlier time did these before."""

    def show(done: int, total: int) -> None:
        taken = time.monotonic() - began
        if not first:
            first.append(done)
        own = done - first[0]
        said = text(f"{done:,}", f"{total:,}")
        if own > 0 and done < total and taken > _ESTIMATE_AFTER_S:
            said = f"{said}, " + _speed(own / taken, taken * (total - done) / own)
        output.show(said, last=done >= total)

    return show


def _speed(speed: float, left_s: float) -> str:
    from collector.cli.run.text import duration  # loads all that a run prints

    return _("{speed} a second, about {time} left", speed=f"{speed:,.1f}", time=duration(left_s))


def indexing_progress() -> Callable[[int, int], None]:
    """Progress of reading trajectories into the catalogue."""
    return _counted(lambda done, total: _("Indexing trajectories: {done} of {total}", done=done, total=total))


def redacting_progress() -> Callable[[int, int], None]:
    """Progress of hiding what rules hide in recorded trajectories."""
    return _counted(
        lambda done, total: _("Redacting trajectories: {done} of {total}", done=done, total=total)
    )


def screen_progress() -> Callable[[int, int], None]:
    """Progress of reading the screens of recorded trajectories."""
    return _counted(lambda done, total: _("Reading screens: {done} of {total}", done=done, total=total))


def judging_progress() -> Callable[[int, int], None]:
    """Progress of judging trajectories."""
    return _counted(lambda done, total: _("Judging trajectories: {done} of {total}", done=done, total=total))


def drawing_progress() -> Callable[[int, int], None]:
    """Progress of drawing versions of the virtual phone."""
    return _counted(lambda done, total: _("Drawing versions: {done} of {total}", done=done, total=total))


def writing_progress() -> Callable[[int, int], None]:
    """Progress of writing samples to train with."""
    return _counted(lambda done, total: _("Writing samples: {done} of {total}", done=done, total=total))


@contextlib.contextmanager
def exporting_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Progress of an export, called as each trajectory is begun."""
    show = _counted(
        lambda done, total: _("Exporting trajectories: {done} of {total}", done=done, total=total)
    )
    try:
        yield lambda _name, number, total: show(min(number, total) - 1, total)
    finally:
        show(1, 1)


@contextlib.contextmanager
def importing_progress() -> Iterator[Callable[[str, int, float], None]]:
    """Progress of an import, which knows how much of its source it read, and not what is to come of it."""
    output = ProgressOutput()
    first: list[tuple[float, int, float]] = []
    """When the first item came, its number, and how much was read then: it took time to find the format."""

    def show(_name: str, count: int, share: float) -> None:
        now = time.monotonic()
        if not count:
            output.show(_("Looking at the files to recognise their format"), last=False)
            return
        if not first:
            first.append((now, count, share))
        began, before, read = first[0]
        taken, own = now - began, count - before
        said = _("Importing: {done} so far", done=f"{count:,}")
        if own and share > read and taken > _ESTIMATE_AFTER_S:
            said = f"{said}, " + _speed(own / taken, taken * (1 - share) / (share - read))
        elif own and taken:
            said = f"{said}, " + _("{speed} a second", speed=f"{own / taken:,.1f}")
        output.show(said, last=False)

    try:
        yield show
    finally:
        output.show("", last=True)


def checking_progress() -> Callable[[int, int], None]:
    """Progress of checking trajectories."""
    return _counted(lambda done, total: _("Checking trajectories: {done} of {total}", done=done, total=total))


def counted_folders(project: Project, show: Callable[[int, int], None]) -> Callable[[Path], None]:
    """Count the trajectories of a project for ``show``, as a function that is called before each."""
    total, numbers = sum(1 for _folder in project.trajectory_folders()), itertools.count()
    return lambda _folder: show(next(numbers), total)


def copying_progress() -> Callable[[int, int], None]:
    """Progress of bringing in trajectories of a copy."""
    return _counted(
        lambda done, total: _("Comparing trajectories: {done} of {total}", done=done, total=total)
    )
