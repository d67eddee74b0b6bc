"""The dialog that checks a phone: it asks, shows each step live, and ends with the verdicts and a report."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from collector.device_check.events import (
    CheckEvent,
    CheckStepFinished,
    CheckStepProgress,
    CheckStepStarted,
)
from collector.device_check.results import DeviceCheckResults
from collector.device_check.step import CheckStep
from collector.model.errors import UserError
from collector.model.i18n import _, paragraph
from studio.views.project.phone_check.step_rows import StepRows
from studio.views.project.phone_check.verdict_rows import VerdictRows
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog

_WIDTH, _HEIGHT = 560, 560


class PhoneCheckDialog(Dialog):
    """Closed while the check runs, it cancels the check and stays until the phone is as it was."""

    started = Signal(object)
    """The check is to begin; a frozenset of the questions that were answered with yes."""
    cancelled = Signal()
    """The check is to end."""
    report_asked = Signal(object)
    """The report of these DeviceCheckResults is to be saved."""

    def __init__(self, phone: str, steps: Sequence[CheckStep], parent: QWidget) -> None:
        super().__init__(
            _("Check {phone}", phone=phone), _("Check"), parent, width=_WIDTH,
            sentence=paragraph(
                _("It takes 3 minutes at most, and leaves the phone as it is now."),
                _("Meanwhile it is not mirrored."),
            ),
        )  # fmt: skip
        self._steps, self._runs = steps, False
        self._results: DeviceCheckResults | None = None
        self._answers: dict[str, QCheckBox] = {}
        self.rows = StepRows(steps)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, len(steps))
        self.bar.setAccessibleName(_("Progress of the check"))
        self.said = Label("", "caption", "text-2", wrap=True)
        self._verdicts = QVBoxLayout()
        self._area = QScrollArea()
        self._area.setAccessibleName(_("Results"))
        self._area.setWidgetResizable(True)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._questions())
        self._pages.addWidget(self._live())
        self.body.addWidget(self._pages, 1)
        self.report = QPushButton(_("Save report..."))
        self.report.setAutoDefault(False)
        self.report.hide()
        self.report.clicked.connect(self._ask_report)
        self.add_left(self.report)
        self.yes.clicked.disconnect()
        self.yes.clicked.connect(self._next)
        self.resize(_WIDTH, _HEIGHT)

    def _questions(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(Label(_("What may disturb; untick what is not to happen now"), "name", wrap=True))
        for step in self._steps:
            if step.question:
                box = self._answers[step.question] = QCheckBox(step.title)
                box.setChecked(True)
                column.addSpacing(4)
                column.addWidget(box)
                asked = Label(step.question, "caption", "text-2", wrap=True)
                asked.setContentsMargins(22, 0, 0, 0)
                column.addWidget(asked)
        column.addStretch()
        return page

    def _live(self) -> QWidget:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 0)
        column.addLayout(self._verdicts)
        column.addWidget(self.rows)
        column.addStretch()
        self._area.setWidget(inner)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.bar)
        column.addWidget(self.said)
        column.addWidget(self._area, 1)
        return page

    # -- what is pressed -----------------------------------------------------
    @Slot()
    def _next(self) -> None:
        if self._pages.currentIndex():
            self.accept()
            return
        self._runs = True
        self._pages.setCurrentIndex(1)
        self.yes.hide()
        self.no.setFocus()
        self.said.setText(_("The mirror lets the phone go"))
        self.started.emit(frozenset(question for question, box in self._answers.items() if box.isChecked()))

    @Slot()
    def reject(self) -> None:
        """Cancel the check first; the dialog can be closed when the phone is as it was."""
        if not self._runs:
            super().reject()
            return
        self.no.setEnabled(False)
        self.said.setText(_("It ends, and puts the phone back as it was"))
        self.cancelled.emit()

    @Slot()
    def _ask_report(self) -> None:
        if self._results is not None:
            self.report_asked.emit(self._results)

    # -- what happens --------------------------------------------------------
    @Slot(object)
    def show_event(self, event: CheckEvent) -> None:
        """Show what the check does."""
        match event:
            case CheckStepStarted():
                self.bar.setValue(event.number - 1)
                if self.no.isEnabled():
                    self.said.setText(_("Step {number} of {count}", number=event.number, count=event.count))
                row = self.rows.begin(event.step)
                QTimer.singleShot(0, row, lambda: self._area.ensureWidgetVisible(row))
            case CheckStepProgress():
                self.rows.say(event.step, event.text)
            case CheckStepFinished():
                self.rows.end(event.result)

    @Slot(object)
    def show_results(self, results: DeviceCheckResults) -> None:
        """Show the verdicts above the steps, and offer the report."""
        self._results = results
        self._verdicts.addWidget(VerdictRows(results))
        self._finish(_("The check is done") if not results.end else _("The check was ended"))
        self.report.setVisible(bool(results.steps))

    @Slot(object)
    def show_failure(self, error: UserError) -> None:
        """Show why the phone could not be checked."""
        self._finish(str(error))
        self.said.set_tone("err")

    def _finish(self, said: str) -> None:
        self._runs = False
        self.bar.hide()
        self.said.setText(said)
        self.no.hide()
        self.yes.setText(_("Close"))
        self.yes.show()
        self.yes.setFocus()
        QTimer.singleShot(0, self, lambda: self._area.verticalScrollBar().setValue(0))
