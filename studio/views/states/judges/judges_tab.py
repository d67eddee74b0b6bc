"""The tab *Judges*: judges by models, what they asked about the trajectory in front, and runs on many."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.bridge.judges.asked_windows import AskedWindows, SentQuestion
from studio.bridge.judges.judge_library import JudgeLibrary
from studio.bridge.judges.judging_job import JudgingJob, JudgingTally
from studio.views.services import WindowServices
from studio.views.states.judges.judge_actions import JudgeActions, JudgeParts
from studio.views.states.judges.judge_list import JudgeList
from studio.views.states.judges.judge_texts import bar_rows, end_text, progress_text
from studio.views.states.judges.window_details import WindowDetails
from studio.views.states.session import StatesSession
from studio.views.stored_screens import StateThumbnails
from studio.widgets.controls import Button, Label, header_row, surface
from studio.widgets.judge_windows.window_bars import WindowBars
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_LIST, _BARS, _DETAILS = 300, 420, 300
_LEAST_DETAILS = 230


class JudgesTab(QWidget):
    """Follows the session. Judges and answers are read while the tab is on show."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        self.library = JudgeLibrary(services.tasks, self)
        self.judging = JudgingJob(services.tasks, self)
        self.windows = AskedWindows(services.tasks, self)
        self._thumbnails = StateThumbnails(services.tasks, self)
        self.list = JudgeList()
        self.bars = WindowBars(self._thumbnails.cache)
        self.details = WindowDetails()
        self.try_it = Button(_("Try"), "play", "outlined", small=True)
        self.keep = QCheckBox(_("Store"))
        self.many = Button(_("Run on many..."), "layers", small=True)
        self.pause, self.cancel = (
            Button(_("Pause"), "pause", small=True),
            Button(_("Cancel"), "x", small=True),
        )
        self.status = Label("", "caption", "text-2", cut=True)
        self._nothing = Label("", "body", "text-3", wrap=True)
        self._pages = QStackedWidget()
        self._name = ""
        self._lay_out()
        parts = JudgeParts(
            self.library, self.judging, self.list, self.try_it, self.keep, self.many, self.choose, self.window
        )
        JudgeActions(parts, session, services, self)
        self._connect()
        self._show_running()

    # -- building ------------------------------------------------------------
    def _lay_out(self) -> None:
        self.try_it.setToolTip(_("Ask the judge about the trajectory in front"))
        self.keep.setToolTip(_("Keep what Try says with the trajectory, beside the verdicts of other judges"))
        self.many.setToolTip(_("Judge the trajectories of this task or of the project"))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setContentsMargins(16, 8, 16, 8)
        bar, row = header_row("section_header")
        for widget in (self.try_it, self.keep, self.many):
            row.addWidget(widget)
        row.addWidget(self.status, 1)
        row.addWidget(self.pause)
        row.addWidget(self.cancel)
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self.bars)
        shown = PanelSplitter(Qt.Orientation.Horizontal)
        shown.addWidget(self._pages)
        self.details.setMinimumWidth(_LEAST_DETAILS)
        shown.addWidget(self.details)
        shown.setStretchFactor(0, 3)
        shown.setStretchFactor(1, 2)
        shown.setSizes([_BARS, _DETAILS])
        right = surface("panel", "left")
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(shown, 1)
        body = PanelSplitter(Qt.Orientation.Horizontal)
        body.addWidget(self.list)
        body.addWidget(right)
        body.setStretchFactor(1, 1)
        body.setSizes([_LIST, _BARS + _DETAILS])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(body)

    def _connect(self) -> None:
        session = self._session
        session.project_opened.connect(self._forget)
        session.trajectory_changed.connect(self._read_windows)
        session.step_changed.connect(self.bars.show_step)
        session.states_changed.connect(self._show_windows)
        session.labels.changed.connect(self._read_windows)
        session.project_library.reload_asked.connect(self._read_when_shown)
        self.windows.failed.connect(session.failed)
        self.library.changed.connect(self._show_judges)
        self.windows.changed.connect(self._show_windows)
        self.windows.composed.connect(self._show_question)
        self.judging.changed.connect(self._show_running)
        self.judging.ended.connect(self._show_end)
        self.list.chosen.connect(self._choose)
        self.bars.chosen.connect(self._show_window)
        self.bars.step_chosen.connect(session.go)
        self.pause.clicked.connect(self._toggle_pause)
        self.cancel.clicked.connect(self.judging.cancel)

    # -- reading -------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Read the judges: their files may have changed while the tab was hidden."""
        super().showEvent(event)
        self._read_when_shown()

    @Slot()
    def _read_when_shown(self) -> None:
        if self.isVisible():
            self.library.read(self._session.project_library.project)

    @Slot()
    def _forget(self) -> None:
        self._name = ""
        self.judging.cancel()
        self.library.read(None)
        self._read_when_shown()

    @Slot()
    def _read_windows(self) -> None:
        item = self._session.trajectory
        if item is not None:
            self._thumbnails.follow({item.id: item.folder})
        self.bars.show_film(item.id if item is not None else "", self._session.steps)
        self._show_running()
        if not self.isVisible() or self.judging.is_running:
            return
        judge = self.list.judge
        name = judge.name if judge is not None and judge.can_judge else ""
        project, folder = self._session.project_library.project, item.folder if item is not None else None
        self.windows.read(project, folder, name, self._session.author)

    # -- what is shown -------------------------------------------------------
    @Slot()
    def _show_judges(self) -> None:
        project = self._session.project_library.project
        can_write = project is not None and not project.is_read_only
        self.list.show_judges(self.library.judges, self._name, can_write=can_write)
        self._read_windows()

    @Slot(str)
    def _choose(self, name: str) -> None:
        self._name = name
        self._read_windows()

    def choose(self, name: str) -> None:
        """Choose the judge of that name once it is read, such as one that was just written."""
        self._name = name
        self._read_when_shown()

    @Slot()
    def _show_windows(self) -> None:
        asked, session = self.windows.asked, self._session
        rows = []
        if asked is not None:
            states = [state.id for state in session.states]
            rows = bar_rows(asked.questions, states, session.name_of, self._sentence)
        if tuple(rows) == self.bars.rows and rows:
            return
        self.bars.show_rows(rows)
        self._nothing.setText(self._why_nothing())
        self._pages.setCurrentIndex(int(bool(rows)))
        self.details.show_nothing(_("Choose a window to see what was asked and answered") if rows else "")

    def _why_nothing(self) -> str:
        judge, item, asked = self.list.judge, self._session.trajectory, self.windows.asked
        if item is None:
            return _("This task has no trajectory to judge")
        if judge is None or not judge.can_judge:
            return _("Choose a judge; a method becomes one by New from this")
        if asked is None:
            return _("Reading what {judge} was asked...", judge=judge.name)
        if asked.is_hidden:
            return _("What {judge} said is shown once you submit your review", judge=judge.name)
        return _(
            "{judge} as it is now was not asked about this trajectory yet: Try asks it", judge=judge.name
        )

    def _sentence(self, state_id: str) -> str:
        state = self._session.state_of(state_id)
        return (state.description.strip() or state_id) if state is not None else ""

    @Slot(int)
    def _show_window(self, number: int) -> None:
        asked = self.windows.asked
        if asked is None or number >= len(asked.questions):
            return
        item = asked.questions[number]
        names = [
            f"{self._session.name_of(state)} {self._sentence(state)}".strip()
            for state in item.question.states
        ]
        self.details.show_answer(item, names)
        self.windows.compose(item)

    @Slot(object)
    def _show_question(self, sent: SentQuestion) -> None:
        asked, bar = self.windows.asked, self.bars.current
        if asked is not None and bar is not None and asked.questions[bar.question] is sent.asked:
            self.details.show_question(sent)

    # -- running -------------------------------------------------------------
    @Slot()
    def _show_running(self) -> None:
        judging, judge = self.judging, self.list.judge
        is_running = judging.is_running
        can_judge = judge is not None and judge.can_judge and not is_running
        self.try_it.setEnabled(can_judge and self._session.trajectory is not None)
        self.many.setEnabled(can_judge)
        for widget in (self.keep, self.many):  # their place is needed for what is said of the run
            widget.setVisible(not is_running)
        self.pause.setVisible(is_running)
        self.cancel.setVisible(is_running)
        if judging.is_paused:
            self.pause.set_face(_("Go on"), "play")
        else:
            self.pause.set_face(_("Pause"), "pause")
        if is_running and judging.tally is not None:
            self._say(progress_text(judging.tally, judging.spent, is_paused=judging.is_paused))

    def _say(self, words: str, tip: str = "") -> None:
        self.status.setText(words)
        self.status.setToolTip(tip)

    @Slot()
    def _toggle_pause(self) -> None:
        if self.judging.is_paused:
            self.judging.go_on()
        else:
            self.judging.pause()

    @Slot(object)
    def _show_end(self, tally: JudgingTally) -> None:
        self._say(end_text(tally, self.judging.spent), "\n".join(tally.problems))
        self._read_windows()
