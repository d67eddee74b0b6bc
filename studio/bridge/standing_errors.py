"""Errors about files, which stand until the file is read or saved well."""

from __future__ import annotations

from collections.abc import Callable, Container

from studio.bridge.jobs import JobRunner


class StandingErrors:
    """Reports each error about something once while it stands. GUI thread only.

    The runner's ``mended`` carries an error that is over, so that whoever shows it can take it away.
    """

    def __init__(self, runner: JobRunner, report: Callable[[Exception], object]) -> None:
        """``report`` is called with an error that begins to stand."""
        self._runner, self._report = runner, report
        self._standing: dict[str, Exception] = {}

    def begin(self, about: str, error: Exception) -> None:
        """Note an error about a file or an operation; it takes the place of another one about that."""
        before = self._standing.get(about)
        if before is None or str(before) != str(error):
            self.end(about)
            self._standing[about] = error
            self._report(error)

    def stands(self, about: str) -> bool:
        """Whether an error about this stands."""
        return about in self._standing

    def end(self, *about: str) -> None:
        """Note that these are in order."""
        for name in about:
            error = self._standing.pop(name, None)
            if error is not None:
                self._runner.mended.emit(error)

    def end_others(self, about: Container[str]) -> None:
        """Note that all is in order but these."""
        self.end(*[name for name in self._standing if name not in about])
