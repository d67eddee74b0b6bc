"""Texts of a task in one place: a tab for each, with the problem of the one that is shown under it."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from rule_editor.widgets.field_names import name_field
from studio.widgets.controls import Label, Tabs
from studio.widgets.dialogs.dialog import show_problem


class TextTabs(QWidget):
    """A field of several lines under each tab; a tab counts the lines of its field."""

    def __init__(self, fields: dict[str, QPlainTextEdit], parent: QWidget | None = None) -> None:
        """``fields`` are the fields by their titles, each of a fixed height."""
        super().__init__(parent)
        self._fields = list(fields.values())
        self._problems: dict[QWidget, str] = {}
        self.tabs = Tabs(list(fields))
        self._stack = QStackedWidget()
        self._stack.setFixedHeight(max(field.maximumHeight() for field in self._fields))
        self._problem = Label("", "caption", "err", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (self.tabs, self._stack, self._problem):
            column.addWidget(part)
        for title, field in fields.items():
            name_field(field, title)
            self._stack.addWidget(field)
            field.textChanged.connect(self._changed)
        self.tabs.changed.connect(self._stack.setCurrentIndex)
        self.tabs.changed.connect(self._show)
        self._show()

    def show_problems(self, problems: dict[QWidget, str]) -> None:
        """Show what is wrong with the fields, the tab of the first wrong one in front."""
        self._problems = {field: problems[field] for field in self._fields if field in problems}
        if self._problems and self._fields[self.tabs.current] not in self._problems:
            self.tabs.set_current(self._fields.index(next(iter(self._problems))))  # type: ignore[arg-type]
        self._show()

    @Slot()
    def _changed(self) -> None:
        """Say nothing any more of a field that is being mended."""
        self._problems.pop(self._fields[self.tabs.current], None)
        self._show()

    @Slot()
    def _show(self) -> None:
        for place, field in enumerate(self._fields):
            lines = sum(bool(line.strip()) for line in field.toPlainText().splitlines())
            self.tabs.set_count(place, lines or None)
        field = self._fields[self.tabs.current]
        show_problem(self._problem, field, self._problems.get(field, ""))
