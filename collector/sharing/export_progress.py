"""Progress and cancellation of an export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


class ExportCancelled(Exception):  # noqa: N818 - what happened, not what went wrong
    """Somebody cancelled the export. No file was written."""


@dataclass(frozen=True, slots=True)
class ExportProgress:
    """Reports how far an export is, and asks whether it goes on."""

    report: Callable[[int, int], None] = lambda _done, _total: None
    """Called with the number of parts that are done, and of all parts."""
    is_cancelled: Callable[[], bool] = lambda: False

    def at(self, done: int, total: int) -> None:
        """Report progress. Raises ExportCancelled."""
        if self.is_cancelled():
            raise ExportCancelled
        self.report(done, total)

    def part(self, number: int, count: int) -> ExportProgress:
        """Progress of part ``number``, from 0, of ``count`` that follow each other: it never goes back."""

        def report(done: int, total: int) -> None:
            self.report(number * total + done, count * total)

        return ExportProgress(report, self.is_cancelled)
