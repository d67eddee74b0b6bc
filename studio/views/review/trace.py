"""The tab *Trace*: thoughts, answers, requests, actions and events of the whole trajectory, shown by kind."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.agents.openai.kept_request import request_of
from collector.comparison.steps.app_changes import app_changes
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.run.cycle.phases import CyclePhase
from collector.run.results.episode_log import LINE_KINDS, LogLine, trace
from collector.store.files.errors import Damaged
from collector.store.trajectory.reader import StoredTrajectory, read_first_app_data
from studio.bridge.jobs import Job
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.views.review.session import ReviewSession
from studio.views.services import WindowServices
from studio.widgets.choice_menu import ChoiceMenu
from studio.widgets.controls import Button, Label, surface
from studio.widgets.episode_log.view import EpisodeLogView
from studio.widgets.icon_button import IconButton


class TracePage(QWidget):
    """A list of lines, and which kinds of them are shown, and which are unfolded."""

    came_up = Signal()
    """It is on show now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hidden: frozenset[str] = frozenset()
        self.unfolded: frozenset[str] = frozenset()
        self._lines: list[LogLine] = []
        self.count = Label("", "caption", "text-2", cut=True)
        self.kinds = Button(_("Kinds"), "filter", small=True, opens=True)
        self.kinds.setToolTip(_("Show, hide and unfold lines by their kind"))
        self.ask = IconButton("refresh", "", size=24)
        self.ask.setEnabled(False)
        self.copy = IconButton("copy", _("Copy the chosen lines, or all"), size=24)
        self.view = EpisodeLogView()
        head = surface("panel", "bottom")
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 4, 6, 4)
        row.addWidget(self.count, 1)
        row.addWidget(self.kinds)
        row.addWidget(self.ask)
        row.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.view, 1)
        self.kinds.clicked.connect(self._offer)
        self.copy.clicked.connect(self.view.copy)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Ask for the trace: it is read while somebody looks."""
        super().showEvent(event)
        self.came_up.emit()

    def show_trace(self, lines: list[LogLine]) -> None:
        """Show the lines of a trajectory; kinds that are hidden stay hidden."""
        self._lines = lines
        self._show()

    def _show(self) -> None:
        shown = [line for line in self._lines if line.kind not in self.hidden]
        self.view.set_unfolded(self.unfolded)
        self.view.show_lines(shown)
        count = ngettext("{count} line", "{count} lines", len(shown))
        left = len(self._lines) - len(shown)
        self.count.setText(_("{lines}, {count} hidden", lines=count, count=left) if left else count)

    @Slot()
    def _offer(self) -> None:
        menu = ChoiceMenu(self)
        known = {line.kind for line in self._lines}
        for kind, title in LINE_KINDS.items():
            action = menu.add_check(_(title), kind not in self.hidden, partial(self.set_shown, kind))
            action.setEnabled(kind in known)
        menu.addSeparator()
        unfolded = menu.add_part(_("Unfold"))
        for kind, title in LINE_KINDS.items():
            action = unfolded.add_check(_(title), kind in self.unfolded, partial(self.set_unfolded, kind))
            action.setEnabled(kind in known)
        menu.popup(self.kinds.mapToGlobal(QPoint(0, self.kinds.height())))

    def set_shown(self, kind: str, on: bool) -> None:
        """Show or hide all lines of a kind."""
        self.hidden = self.hidden - {kind} if on else self.hidden | {kind}
        self._show()

    def set_unfolded(self, kind: str, on: bool) -> None:
        """Show all lines of a kind whole, or cut to one line each."""
        self.unfolded = self.unfolded | {kind} if on else self.unfolded - {kind}
        self._show()


class TraceController(QObject):
    """Reads the trace of the chosen side behind the window, and follows its step."""

    def __init__(
        self, session: ReviewSession, work: ReviewerWork, page: TracePage, services: WindowServices,
        window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._session, self._work, self._page = session, work, page
        self._services, self._window = services, window
        self._answers = NewestAnswers(services.tasks, self)
        services.commander.handle("review.ask-again", self.ask_again)
        page.ask.setAccessibleName(services.commander.registry["review.ask-again"].label)
        page.ask.setToolTip(services.commander.tip("review.ask-again"))
        page.ask.clicked.connect(partial(services.run_command, "review.ask-again"))
        page.view.chosen.connect(self._show_asked)
        session.slot_changed.connect(self._show_asked)
        for signal in (session.trajectories_changed, session.side_changed, work.sides_changed):
            signal.connect(self._read)
        page.came_up.connect(self._read)
        page.view.step_opened.connect(self._go)

    @Slot()
    def _read(self) -> None:
        session, sides = self._session, self._work.sides
        self._show_asked()
        if not self._page.isVisible():
            return
        if not session.stored:
            self._page.show_trace([])
            return
        stored = session.stored[session.side]
        judged = session.side < len(sides) and bool(sides[session.side].outcome)
        self._answers.ask("trace", partial(_lines, stored, judged), self._page.show_trace)

    @property
    def _asked(self) -> int | None:
        """The step, from 0, whose request can be sent again: of the chosen line, else at the cursor."""
        session, line = self._session, self._page.view.current_step
        if not session.stored:
            return None
        is_here = self._page.isVisible() and 0 < line <= len(session.stored[session.side].steps)
        index = line - 1 if is_here else session.step_number(session.side)
        if index is None or request_of(session.stored[session.side].steps[index]) is None:
            return None
        return index

    @Slot()
    def _show_asked(self) -> None:
        self._page.ask.setEnabled(self._asked is not None)

    def ask_again(self) -> None:
        """Open the dialog that sends a step's request again. Raises UserError for one that keeps none."""
        from studio.views.review.request_dialog import RequestDialog  # loads the client of endpoints

        services, index = self._services, self._asked
        project = services.project_library.project
        if index is None or project is None:
            raise UserError(
                _("This step keeps no request"),
                _("no model was asked there, or by a program that keeps none"),
                _("Choose a step of a run of an agent of the kind openai"),
            )
        stored = self._session.stored[self._session.side]
        dialog = RequestDialog(project, stored, index, services.project_library, services.tasks, self._window)
        dialog.open()

    @Slot(int)
    def _go(self, step: int) -> None:
        self._session.go_to_step(self._session.side, step - 1)

    def close(self) -> None:
        """The window closes."""
        self._answers.forget()


def _lines(stored: StoredTrajectory, judged: bool, _job: Job) -> list[LogLine]:
    """The trace of a trajectory; without what rules and people said of it unless that may be seen."""
    header, events = stored.header, stored.events()
    if not judged:
        header = replace(header, outcome=None)
        events = tuple(line for line in events if line.get("phase") != CyclePhase.VALIDATE)
    try:
        changes = list(app_changes(read_first_app_data(stored.files), stored.steps))
    except Damaged:  # the check of the project says it
        changes = []
    return trace(header, stored.steps, events, changes)
