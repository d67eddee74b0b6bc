"""What crash reports hold, to be read, copied and deleted. Nothing is sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QDateTime, QLocale, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from collector.crash_reports.crash_reports import TAIL_LINES, CrashReport
from collector.model.i18n import _
from rule_editor.widgets.combo_box import ComboBox
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog


class CrashReportDialog(Dialog):
    """Shows the first of ``reports``, the newest; of several, another can be chosen."""

    delete_asked = Signal(object)
    """The report to delete; it is no longer in the list."""
    folder_asked = Signal()

    def __init__(self, reports: Sequence[CrashReport], parent: QWidget) -> None:
        sentence = _(
            "Reports stay on this computer: nothing was sent. Each holds the error, the versions of programs"
            " and the last {count} lines of the log. Your home folder and what looks like a key are left out."
            " Read it before you send it to somebody.",
            count=TAIL_LINES,
        )
        super().__init__(_("Crash reports"), _("Close"), parent, sentence=sentence, width=720)
        self.no.hide()
        self._reports = list(reports)
        self.choice = ComboBox()
        self.choice.setAccessibleName(_("Report"))
        for report in self._reports:
            self.choice.addItem(f"{_time_of(report)}  {report.error}")
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName(_("Content of the report"))
        self.text.setProperty("role", "code")
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.none = Label(_("There is no crash report"), "body", "text-2")
        for widget in (self.choice, self.text):
            self.body.addWidget(widget)
        self.body.addWidget(self.none, 1)
        self.folder = self._button(_("Show folder"), self.folder_asked.emit)
        self.delete = self._button(_("Delete report"), self._delete)
        self.copy = self._button(_("Copy report"), self._copy)
        self.choice.currentIndexChanged.connect(self._show)
        self._show(0)
        self.resize(760, 560)

    def _button(self, words: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        button.clicked.connect(act)
        self.add_left(button)
        return button

    @Slot(int)
    def _show(self, index: int) -> None:
        has_report = bool(self._reports)
        self.text.setPlainText(self._reports[max(index, 0)].text if has_report else "")
        self.choice.setVisible(len(self._reports) > 1)
        self.none.setVisible(not has_report)
        for widget in (self.text, self.copy, self.delete):
            widget.setVisible(has_report)
        self.copy.setText(_("Copy report"))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy.setText(_("Copied"))

    @Slot()
    def _delete(self) -> None:
        report = self._reports.pop(max(self.choice.currentIndex(), 0))
        self.choice.removeItem(self.choice.currentIndex())
        self._show(self.choice.currentIndex())
        self.delete_asked.emit(report)


def _time_of(report: CrashReport) -> str:
    moment = QDateTime.fromSecsSinceEpoch(int(report.at.timestamp()))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
