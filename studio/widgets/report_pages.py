"""The two pages of a panel that shows a report: how to get a first one, and the newest below its head."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from studio.widgets.controls import Button, Label, surface

_HEAD = 36


class ReportPages(QStackedWidget):
    """Shows words and a button until there is a report; its panel fills ``head`` and ``body`` for it."""

    def __init__(self, begin: Button) -> None:
        super().__init__()
        self._none = Label("", "body", "text-2", wrap=True)
        self.addWidget(self._first_page(begin))
        bar = surface("bar", "bottom")
        bar.setFixedHeight(_HEAD)
        self.head = QHBoxLayout(bar)
        self.head.setContentsMargins(12, 0, 8, 0)
        self.head.setSpacing(12)
        page = QWidget()
        self.body = QVBoxLayout(page)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        self.body.addWidget(bar)
        self.addWidget(page)

    def _first_page(self, begin: Button) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(10)
        column.addWidget(self._none)
        column.addWidget(begin)
        column.addStretch()
        return page

    def set_words(self, words: str) -> None:
        """Say what a first report is for, or what it waits for."""
        self._none.setText(words)

    def show_report(self, exists: bool) -> None:
        """Show the page of the report, or how to get a first one."""
        self.setCurrentIndex(1 if exists else 0)
