"""The bottom panel of the Project workspace: tabs with problems, health, solvability, jobs and log."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _, ngettext
from studio.bridge import EventBridge, JobRunner
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.project.health.health_panel import HealthPanel
from studio.views.project.job_list import JobList
from studio.views.project.problem_list import ProblemList, ProblemRow
from studio.views.solvability.panel import SolvabilityPanel
from studio.widgets.controls import Label, Tabs, surface
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width

PROBLEMS, HEALTH, SOLVABILITY, JOBS, LOG = range(5)
_ENDLESS, _BELOW_ROWS = 1000, 12


class _ProblemCounts(QWidget):
    """The number of problems of each severity."""

    spoken_role = Role.StaticText

    def __init__(self) -> None:
        super().__init__()
        self._counts: list[tuple[str, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_rows(self, rows: Sequence[ProblemRow]) -> None:
        states = [row.state for row in rows]
        self._counts = [(state, states.count(state)) for state in ("err", "warn", "info") if state in states]
        said = {
            "err": ngettext("{count} error", "{count} errors", states.count("err")),
            "warn": ngettext("{count} warning", "{count} warnings", states.count("warn")),
            "info": ngettext("{count} note", "{count} notes", states.count("info")),
        }
        self.setAccessibleName(", ".join(said[state] for state, _count in self._counts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(sum(text_width(str(count)) + 34 for _state, count in self._counts), 20)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        left = 0
        for state, count in self._counts:
            theme.draw_icon_in(painter, f"state-{state}", QRect(left, 0, 14, self.height()), 14)
            width = text_width(str(count))
            draw_text(painter, QRect(left + 19, 0, width + 2, self.height()), str(count), "body", "text-2")
            left += width + 34


class BottomPanel(QWidget):
    """Tabs over ``problems``, ``health``, ``solvability``, ``jobs`` and ``log``."""

    idle_changed = Signal(bool)
    """Whether nothing is to be read: the list of problems is in front, and empty."""

    def __init__(self, tasks: JobRunner, health: HealthPanel, solvability: SolvabilityPanel) -> None:
        super().__init__()
        self.health, self.solvability = health, solvability
        self.problems = ProblemList()
        self.jobs = JobList(tasks)
        self.log = LogView()
        self.tabs = Tabs([_("Problems"), _("Health"), _("Solvability"), _("Jobs"), _("Log")])
        self._problem_counts = _ProblemCounts()
        self._pages = QStackedWidget()
        self._no_problems = Label("", "body", "text-3")
        self._no_problems.setContentsMargins(12, 10, 12, 10)
        first = QWidget()
        column = QVBoxLayout(first)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._no_problems)
        column.addWidget(self.problems, 1)
        column.addStretch()
        for page in (first, self.health, self.solvability, self.jobs, self.log):
            self._pages.addWidget(page)
        head = surface("panel", "bottom")
        self.head_height = theme.size("tab") + 1
        head.setFixedHeight(self.head_height)
        row = QHBoxLayout(head)
        row.setContentsMargins(4, 0, 12, 0)
        row.addWidget(self.tabs)
        row.addStretch()
        row.addWidget(self._problem_counts)
        body = surface("panel")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(head)
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(self._pages)
        outer.addWidget(body, 1)
        self.tabs.changed.connect(self._pages.setCurrentIndex)
        self.tabs.changed.connect(self._tab_changed)
        tasks.changed.connect(self._jobs_changed)
        health.counted.connect(self._health_counted)

    def show_problems(self, rows: list[ProblemRow], *, checked: bool) -> None:
        """Show problems; ``checked`` says whether a check has run."""
        self.problems.show_entries(rows)
        self.problems.setVisible(bool(rows))
        self._no_problems.setText(
            _("No problems") if checked else _("No problems known; Check project looks at every file")
        )
        self._no_problems.setVisible(not rows)
        self._problem_counts.show_rows(rows)
        self.tabs.set_count(PROBLEMS, len(rows) or None)
        self.idle_changed.emit(self.is_idle)

    @property
    def is_idle(self) -> bool:
        """Whether the list of problems is in front, and empty."""
        return self.tabs.current == PROBLEMS and not self.problems.entries

    @property
    def content_height(self) -> int:
        """Height that shows all problems; other tabs have no end."""
        if self.tabs.current != PROBLEMS:
            return _ENDLESS
        return self.head_height + len(self.problems.entries) * theme.size("row_problem") + _BELOW_ROWS

    @Slot(int)
    def _tab_changed(self, _index: int) -> None:
        self.idle_changed.emit(self.is_idle)

    @Slot(object)
    def _health_counted(self, count: int | None) -> None:
        self.tabs.set_count(HEALTH, count or None)

    @Slot()
    def _jobs_changed(self) -> None:
        self.tabs.set_count(JOBS, self.jobs.count or None)


_LINES = 500
_FORMAT = logging.Formatter("%(asctime)s  %(levelname)-7s  %(name)s: %(message)s", "%H:%M:%S")


class _LogHandler(logging.Handler):
    """Emits formatted lines from any thread."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: EventEmitter[str] = EventEmitter()
        self.setFormatter(_FORMAT)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.emit(self.format(record))


class LogView(QPlainTextEdit):
    """Read-only text that follows the end until the person scrolls up."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setMaximumBlockCount(_LINES)
        self.setProperty("role", "code")
        self.setProperty("plain", "true")
        self.setAccessibleName(_("Log"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._handler = _LogHandler()
        self._bridge = EventBridge(self)
        self._bridge.listen(self._handler.lines)
        self._bridge.happened.connect(self._add)
        logging.getLogger().addHandler(self._handler)

    def stop(self) -> None:
        """Stop following the log."""
        logging.getLogger().removeHandler(self._handler)
        self._bridge.close()

    @Slot(object)
    def _add(self, line: str) -> None:
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        self.appendPlainText(line)
        if at_end:
            bar.setValue(bar.maximum())
