"""Show a run on a terminal: a bar for the whole, a line for each worker, and lines of what ended above."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from collector.cli.run.text import duration, line_of
from collector.model.i18n import _
from collector.model.text.one_line import one_line
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.events import RunEvent
from collector.run.progress import FAULT, RunProgress, WorkerProgress

_BAR_WIDTH = 32
_A_SECOND = 4
_LONGEST = 200


class BarDisplay:
    """Draws the state of a run over itself, a few times a second."""

    def __init__(self, console: Console | None = None) -> None:
        self._progress = RunProgress(keeps_cells=False)
        self._lock = threading.Lock()
        self._console = console or Console(highlight=False)
        self._live = Live(
            console=self._console, refresh_per_second=_A_SECOND, get_renderable=self._drawn, transient=True
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def show(self, event: RunEvent) -> None:
        """Take an event in; the next drawing shows it."""
        with self._lock:
            self._progress.apply(event)
            text = line_of(event, self._progress)
        if text:
            # As a text: no character of a task's id is taken for a style.
            self._console.print(Text(one_line(text, _LONGEST)))

    def _drawn(self) -> Group:
        with self._lock:
            return Group(self._bar(), self._workers())

    def _bar(self) -> Table:
        progress = self._progress
        row = Table.grid(padding=(0, 1))
        counts = progress.counts
        words = [
            f"{progress.finished}/{progress.total}",
            *(f"{name} {counts[name]}" for name in (SUCCESS, FAILURE, UNCOMPLETED, FAULT) if counts[name]),
        ]
        left = progress.seconds_left
        if left is not None and progress.left:
            words.append(_("{time} left", time=duration(left)))
        row.add_row(
            ProgressBar(total=max(1, progress.total), completed=progress.finished, width=_BAR_WIDTH),
            Text("  ".join(words)),
        )
        return row

    def _workers(self) -> Table:
        table = Table.grid(padding=(0, 2))
        for worker in self._progress.workers.values():
            if not worker.is_gone:
                table.add_row(*map(Text, _words_of(worker)))
        return table


def _words_of(worker: WorkerProgress) -> tuple[str, ...]:
    phone = worker.phone or worker.name
    if not worker.cell:
        return phone, worker.state, ""
    step = f"{worker.step}/{worker.budget}" if worker.budget else str(worker.step)
    state = worker.control if worker.control not in ("", "running") else worker.phase
    return phone, f"{worker.task} {worker.agent} {worker.condition}", f"{step} {state}"
