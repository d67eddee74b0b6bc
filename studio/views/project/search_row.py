"""The row over the task table: search field, Columns button and suggested searches."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of, upright
from studio.views.project.search_field import SearchField
from studio.views.project.tasks.task_model import TaskModel
from studio.views.project.tasks.task_table import TaskTable
from studio.widgets.controls import Button, Label
from studio.widgets.painting import draw_focus_ring, text_width

_SUGGESTIONS = ("problem:any", "golden:<2", "level:hard")


class _Suggestion(QAbstractButton):
    """A button with a search to try."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setText(text)
        self.setAccessibleName(_("Search {text}", text=text))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(text_width(self.text(), "caption") + 14, 18)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("line-2"), 1))
        if self.underMouse():
            painter.setBrush(theme.color("bg-3"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), radius=3)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text"))
        with upright(painter, self.rect()):
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class SearchRow(QFrame):
    """Applies the search field to the model of the table."""

    def __init__(self, model: TaskModel, table: TaskTable) -> None:
        super().__init__()
        self._model, self._table = model, table
        self.setProperty("surface", "panel")
        self.setFixedHeight(44)
        self.search = SearchField()
        self.search.changed.connect(self._search)
        self._columns = Button(_("Columns"), opens=True)
        self._columns.clicked.connect(self._show_columns)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.search, 3)
        row.addWidget(self._columns)
        row.addStretch(1)
        row.addWidget(Label(_("Try"), "caption", "text-2"))
        for text in _SUGGESTIONS:
            suggestion = _Suggestion(text)
            suggestion.clicked.connect(self._try)
            row.addWidget(suggestion)

    def show_count(self) -> None:
        """Show the number of matches again, after the tasks changed."""
        self.search.set_count(self._model.rowCount(), self._model.count)

    @Slot(list)
    def _search(self, terms: list[object]) -> None:
        self._model.search(terms)  # type: ignore[arg-type]  # a signal's list has no element type
        self.show_count()

    @Slot()
    def _try(self) -> None:
        button = self.sender()
        if isinstance(button, _Suggestion):
            self.search.add(button.text())

    @Slot()
    def _show_columns(self) -> None:
        menu = self._table.columns_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._columns.mapToGlobal(QPoint(0, self._columns.height())))
