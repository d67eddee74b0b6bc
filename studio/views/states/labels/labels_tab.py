"""The tab *Labels*: the trajectories of a task, the states of one with their labels, and the verdict."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from collector.model.essential_state import labels as state_labels
from collector.model.i18n import _
from collector.model.verdicts.judgement import UNNAMED
from collector.review.label_progress import LabelledTrajectory
from collector.rules.grammar.model import STATE
from studio.bridge.task_recordings import TaskTrajectory
from studio.views.services import WindowServices
from studio.views.states.labels import label_rows
from studio.views.states.labels.label_controller import LabelController
from studio.views.states.labels.verdict_box import VerdictBox
from studio.views.states.session import StatesSession
from studio.widgets.commands.command_button import CommandFace
from studio.widgets.controls import Button, Label, header_row, surface
from studio.widgets.tables.cell_table import CellTable, TableCell, TableColumn

_LEFT_KEYS = "Left Right Space"
"""Steps and labels, also while a list has the focus."""
_LIST_WIDTH, _VERDICT_WIDTH = 344, 372
_LEAST_LIST, _LEAST_STATES, _LEAST_VERDICT, _LEAST_COMMENTS = 260, 340, 300, 56
"""The states have room for the words of most."""


class LabelsTab(QWidget):
    """Follows the session. Its controller handles the commands that label."""

    count_changed = Signal(object)
    """Trajectories of the task that are not submitted yet; None for none."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        self.labels = session.labels
        self.trajectories = CellTable(
            _("Trajectories to label"), label_rows.trajectory_columns(), left_keys=_LEFT_KEYS
        )
        self.states = CellTable(_("Essential states"), label_rows.state_columns("", ()), left_keys=_LEFT_KEYS)
        self.verdict = VerdictBox(services.commander)
        self.verdict.command_asked.connect(services.run_command)
        self.comments = CellTable(
            _("Your comments"),
            (TableColumn(_("Where"), 88), TableColumn(_("Comment"))),
            left_keys="Left Right",
        )
        self._progress = Label("", "caption", "text-2", cut=True)
        self._blind = Label("", "caption", "text-2", cut=True)
        self._lay_out()
        self.controller = LabelController(session, self, services, self)
        self._connect()

    # -- building ------------------------------------------------------------
    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        left = self._column(
            self._head(_("Trajectories"), self._progress, "labels.next", _("Next")), self.trajectories
        )
        left.setFixedWidth(_LIST_WIDTH)
        self._left = left
        centre = self._column(
            self._head(_("Essential states"), self._blind, "labels.rest-not-reached"), self.states
        )
        self._states_column = centre
        row.addWidget(left)
        row.addWidget(centre, 1)
        self._verdict_side = self._verdict_column()
        row.addWidget(self._verdict_side)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Let the trajectories give way to the states, and then the verdict, as far as its words go."""
        super().resizeEvent(event)
        states = max(_LEAST_STATES, self._states_column.minimumSizeHint().width())
        spare = self.width() - _VERDICT_WIDTH - states
        self._left.setFixedWidth(max(_LEAST_LIST, min(_LIST_WIDTH, spare)))
        words = max(part.minimumSizeHint().width() for part in (self._verdict_texts, self._verdict_side))
        least = min(_VERDICT_WIDTH, max(_LEAST_VERDICT, words))
        spare = self.width() - self._left.width() - states
        self._verdict_side.setFixedWidth(max(least, min(_VERDICT_WIDTH, spare)))

    def _column(self, head: QWidget, table: QWidget) -> QWidget:
        column = surface("panel", "right")
        inner = QVBoxLayout(column)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(head)
        inner.addWidget(table, 1)
        return column

    def _head(self, title: str, about: QWidget, command: str, text: str = "") -> QWidget:
        head, row = header_row("section_header")
        heading = Label(title, "heading", cut=True)
        heading.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        row.addWidget(heading)
        row.addWidget(about, 1)
        row.addWidget(self._button(command, text=text))
        return head

    def _button(self, command: str, kind: str = "plain", text: str = "") -> Button:
        entry = self._services.commander.registry[command]
        button = Button(text or entry.label, entry.icon, kind, small=True)
        button.setProperty("command", command)
        button.clicked.connect(self._pressed)
        CommandFace(button, self._services.commander, command)
        return button

    def _verdict_column(self) -> QWidget:
        """Verdict and comments, which scroll in a low window, over the button that submits."""
        inner = self._verdict_texts = surface("panel")
        texts = QVBoxLayout(inner)
        texts.setContentsMargins(12, 8, 12, 4)
        texts.setSpacing(6)
        texts.addWidget(Label(_("Verdict"), "heading"))
        texts.addWidget(self.verdict)
        head = QHBoxLayout()
        head.addWidget(Label(_("Comments"), "heading"), 1)
        head.addWidget(self._button("labels.comment", text=_("Comment...")))
        texts.addLayout(head)
        self.comments.setMinimumHeight(_LEAST_COMMENTS)
        texts.addWidget(self.comments, 1)
        area = QScrollArea()
        area.setAccessibleName(_("Verdict"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        column = surface("panel")
        column.setFixedWidth(_VERDICT_WIDTH)
        whole = QVBoxLayout(column)
        whole.setContentsMargins(0, 0, 0, 8)
        whole.setSpacing(4)
        whole.addWidget(area, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 0, 12, 0)
        foot.addStretch(1)
        foot.addWidget(self._button("labels.submit", "primary", _("Submit and next")))
        whole.addLayout(foot)
        return column

    def _connect(self) -> None:
        session = self._session
        for signal in (session.project_opened, session.task_changed, session.states_changed,
                       session.trajectories_changed):  # fmt: skip
            signal.connect(self._follow)
        session.trajectory_changed.connect(self._show)
        session.step_changed.connect(self._show)
        session.state_selected.connect(self._choose_state)
        self.labels.changed.connect(self._show)
        self.labels.labelled.connect(self._labelled)
        self._services.stored_labels.marked.connect(self.labels.read)
        self._services.stored_labels.changed.connect(self.labels.read)
        self.trajectories.chosen.connect(self._trajectory_chosen)
        self.states.chosen.connect(self._state_chosen)
        self.states.opened.connect(self._go_to_label)
        self.comments.opened.connect(self.controller.open_comment)
        self._unfollow = self._services.settings.changed.subscribe(self._setting_changed)
        self.destroyed.connect(self._unfollow)
        self._follow()

    @Slot()
    def _pressed(self) -> None:
        self._services.run_command(self.sender().property("command"))

    # -- what is known -------------------------------------------------------
    @property
    def who(self) -> str:
        """Under whose name labels are written."""
        return self._session.author or UNNAMED

    @property
    def state_ids(self) -> tuple[str, ...]:
        """The states that are labelled: those that the task names, then others that name the task."""
        task = self._session.task
        if task is None:
            return ()
        known = (rule.id for rule in self._session.documents.rules_of(STATE) if rule.task == task.id)
        return tuple(dict.fromkeys((*task.essential_states, *known)))

    @property
    def rows(self) -> tuple[LabelledTrajectory, ...]:
        """The trajectories to label: those that the person may see."""
        folders = {item.folder for item in self._session.trajectories}
        return tuple(row for row in self.labels.rows if row.folder in folders)

    @property
    def row(self) -> LabelledTrajectory | None:
        """The trajectory in the film strip with its labels."""
        item = self._session.trajectory
        return self.labels.row_of(item.folder) if item is not None else None

    @property
    def chosen_state(self) -> str:
        """Id of the chosen state; empty for none."""
        place = self.states.current
        return self.state_ids[place] if 0 <= place < len(self.state_ids) else ""

    # -- following -----------------------------------------------------------
    @Slot()
    def _follow(self) -> None:
        session = self._session
        self.labels.open(session.project_library.project, session.task, self.who, self.state_ids)
        self._show()

    def _setting_changed(self, key: str) -> None:
        if key == "recording.author":
            self._follow()

    @Slot()
    def _show(self) -> None:
        """Show everything as it is now."""
        row, rows, session = self.row, self.rows, self._session
        judges = label_rows.judges_shown(row)
        folders = [known.folder for known in rows]
        items = {item.folder: item for item in session.trajectories}
        self.trajectories.show_rows(
            [self._trajectory_cells(known, items.get(known.folder)) for known in rows],
            folders.index(row.folder) if row is not None and row.folder in folders else -1,
        )
        self.states.set_columns(label_rows.state_columns(self.who, judges))
        ids = self.state_ids if row is not None else ()
        sentences = state_labels(ids, session.project_library.edits.states)
        self.states.show_rows(
            [
                label_rows.state_cells(number, state, sentence, row, session.step, judges)
                for number, (state, sentence) in enumerate(zip(ids, sentences, strict=True), start=1)
                if row is not None
            ],
            ids.index(session.state_id) if session.state_id in ids else None,
        )
        self.comments.show_rows(
            [label_rows.comment_cells(comment) for comment in row.labels.comments] if row is not None else ()
        )
        self.verdict.show_verdict(row.verdict if row is not None else None, self.labels.reasons)
        self.verdict.show_others(label_rows.verdicts_of_others(row) if row is not None else {})
        self._show_progress(row)
        self.controller.show_context()

    def _trajectory_cells(
        self, row: LabelledTrajectory, item: TaskTrajectory | None
    ) -> tuple[TableCell, ...]:
        """The cells of a row; ``item`` is its trajectory as the workspace has it."""
        if item is None:
            return label_rows.trajectory_cells(row, row.folder.name, "")
        return label_rows.trajectory_cells(row, item.title, self._session.recorder_of(item))

    def _show_progress(self, row: LabelledTrajectory | None) -> None:
        rows = self.rows
        done = sum(known.is_submitted for known in rows)
        self._progress.setText(_("{done} of {count} submitted", done=done, count=len(rows)) if rows else "")
        self.count_changed.emit(len(rows) - done or None)
        hidden = row.reviews.hidden if row is not None else ""
        self._blind.setText(_("Blind until you submit") if hidden else "")
        self._blind.setToolTip(hidden)

    @Slot()
    def _labelled(self) -> None:
        """Lists and searches know labels, and so do the other workspaces."""
        self._services.stored_labels.changed.emit()
        self._services.project_library.refresh()

    # -- what the person does -----------------------------------------------
    @Slot(int)
    def _trajectory_chosen(self, place: int) -> None:
        self._session.choose_trajectory(self.rows[place].header.id)

    @Slot(int)
    def _state_chosen(self, _place: int) -> None:
        self._session.select(self.chosen_state)

    @Slot(str)
    def _choose_state(self, state_id: str) -> None:
        if state_id in self.state_ids:
            self.states.choose(self.state_ids.index(state_id))

    @Slot(int)
    def _go_to_label(self, place: int) -> None:
        """Go to the step at which a state was labelled."""
        row = self.row
        step = row.labels.step_of(self.state_ids[place]) if row is not None else None
        if step is not None:
            self._session.go(step)

    def take_focus(self) -> None:
        """Give the keyboard to the states."""
        self.states.setFocus()
        self.states.choose(max(self.states.current, 0))  # the focus alone selects nothing
