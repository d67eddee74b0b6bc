"""The line under the columns that filters the slots by words and ``key:value``."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from collector.comparison.steps.step_query import KEYS
from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.icon_button import IconButton
from studio.widgets.theme_icon import ThemeIcon
from studio.widgets.wrapped_text import tooltip_text

_PAUSE_MS = 150


class FilterField(QLineEdit):
    """Esc asks to close the line."""

    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


class FilterBar(QFrame):
    """Hidden until it is asked for. Emits the text when typing pauses; an empty one ends the filter."""

    searched = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self.setProperty("edge", "top")
        self.setFixedHeight(theme.size("toolbar"))
        self.field = FilterField()
        self.field.setAccessibleName(_("Filter the steps"))
        self.field.setPlaceholderText('action:type  anomaly:low_battery  state:missed  text:"..."')
        keys = "\n".join(f"{key}: {_(what)}" for key, what in KEYS.items())
        self.field.setToolTip(tooltip_text(keys))
        self.result = Label("", "body", "text-2")
        self.close_button = IconButton("x", _("Close the filter"), size=24)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(ThemeIcon("filter"))
        row.addWidget(self.field, 1)
        row.addWidget(self.result)
        row.addWidget(self.close_button)
        self.field.textChanged.connect(self._edited)
        self.field.returnPressed.connect(self._search)
        self.field.escaped.connect(self.close_filter)
        self.close_button.clicked.connect(self.close_filter)
        self._pause.timeout.connect(self._search)
        self.hide()

    def open_filter(self) -> None:
        """Show the line, with the keyboard in it."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    @Slot()
    def close_filter(self) -> None:
        """Empty and hide the line."""
        self.field.clear()
        self._pause.stop()
        self.hide()
        self.searched.emit("")
        self.closed.emit()

    @Slot(str)
    def _edited(self, _text: str) -> None:
        self._pause.start()

    @Slot()
    def _search(self) -> None:
        self._pause.stop()
        self.searched.emit(self.field.text().strip())

    def show_result(self, text: str, *, is_problem: bool = False) -> None:
        """Say how many slots fit, or what is wrong with the filter."""
        self.result.setText(text)
        self.result.set_tone("err" if is_problem else "text-2")
        self.result.setToolTip(tooltip_text(text))
