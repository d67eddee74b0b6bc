"""The task chooser in the toolbar of the States workspace."""

from __future__ import annotations

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.model.i18n import _
from rule_editor.widgets.form_inputs import ChoiceInput
from studio.commands.commander import Commander
from studio.views.states.session import StatesSession
from studio.widgets.controls import Label

_WIDTH = 136


class TaskChooser(QWidget):
    """Lists the tasks of the project; the session follows the choice, and the list follows the session."""

    def __init__(self, session: StatesSession, commander: Commander) -> None:
        super().__init__()
        self._session = session
        self.list = ChoiceInput(_("Task"), ())
        self.list.setToolTip(commander.tip("states.choose-task"))
        self.list.setMinimumWidth(_WIDTH)
        self.list.setMaxVisibleItems(24)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 4, 0)
        row.setSpacing(8)
        row.addWidget(Label(_("task"), "body", "text-2"))
        row.addWidget(self.list)
        self.list.activated.connect(self._chosen)
        for signal in (session.project_opened, session.task_changed, session.states_changed):
            signal.connect(self._show)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(super().sizeHint().width(), self.list.sizeHint().height())

    def open(self) -> None:
        """Open the list."""
        self.list.setFocus()
        self.list.showPopup()

    @Slot()
    def _show(self) -> None:
        ids = [task.id for task in self._session.tasks]
        shown = [self.list.itemText(row) for row in range(self.list.count())]
        if ids != shown:
            self.list.clear()
            self.list.addItems(ids)
        self.list.setCurrentIndex(ids.index(self._session.task_id) if self._session.task_id in ids else -1)
        self.setVisible(bool(ids))

    @Slot(int)
    def _chosen(self, row: int) -> None:
        self._session.choose_task(self.list.itemText(row))
