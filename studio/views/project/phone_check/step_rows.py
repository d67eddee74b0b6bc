"""The steps of a check as rows: what each does now, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.device_check.result_names import ability_name
from collector.device_check.results import CheckOutcome, CheckStepResult
from collector.device_check.results_text import measurement_text, outcome_text
from collector.device_check.step import CheckStep
from studio.views.project.icon_line import StateIcon
from studio.widgets.controls import Label

_ICONS = {
    CheckOutcome.PASSED: "state-ok",
    CheckOutcome.FAILED: "state-err",
    CheckOutcome.SKIPPED: "state-never",
}
_TONES = {CheckOutcome.PASSED: "ok", CheckOutcome.FAILED: "err", CheckOutcome.SKIPPED: "text-3"}


class _StepRow(QWidget):
    """One step: its state, its title, how it ended, and one line of what it does or found."""

    def __init__(self, step: CheckStep) -> None:
        super().__init__()
        self._icon = StateIcon()
        self._title = Label(step.title, "body", cut=True)
        self._end = Label("", "caption", "text-2")
        self._said = Label("", "caption", "text-2", wrap=True)
        self._said.hide()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title, 1)
        head.addWidget(self._end)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addLayout(head)
        texts.addWidget(self._said)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 3, 0, 3)
        row.setSpacing(8)
        row.addWidget(self._icon, alignment=Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)

    def begin(self) -> None:
        """Show that it runs."""
        self._icon.show_state("state-prog")

    def say(self, text: str) -> None:
        """Show what it does now."""
        self._said.setText(text)
        self._said.setVisible(bool(text))

    def end(self, result: CheckStepResult) -> None:
        """Show how it ended, and what does not work; what was measured is in the tooltip."""
        lacks = [f"{ability_name(each.id)}: {each.reason}" for each in result.abilities if not each.works]
        self._icon.show_state("state-warn" if lacks and not result.reason else _ICONS[result.outcome])
        self._end.setText(outcome_text(result) if not result.reason else "")
        self._end.set_tone(_TONES[result.outcome])
        self.say("\n".join(lacks or [result.reason]))
        self.setToolTip("\n".join(map(measurement_text, result.measurements)))


class StepRows(QWidget):
    """All steps, in their order."""

    def __init__(self, steps: Sequence[CheckStep]) -> None:
        super().__init__()
        self._rows = {step.id: _StepRow(step) for step in steps}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for row in self._rows.values():
            column.addWidget(row)
        column.addStretch()

    def begin(self, step: str) -> QWidget:
        """Show that a step runs; returns its row."""
        self._rows[step].begin()
        return self._rows[step]

    def say(self, step: str, text: str) -> None:
        """Show what a step does now."""
        self._rows[step].say(text)

    def end(self, result: CheckStepResult) -> None:
        """Show how a step ended."""
        self._rows[result.step].end(result)
