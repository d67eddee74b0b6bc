"""Details of one cell: each of its trials with its answer, its recovery moves, and where it stops."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.replay.solvability.report import result_words, ways_words
from collector.replay.solvability.trials import SolvabilityTrial, TrialResult
from rule_editor.widgets.matrix.side_column import SideColumn
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.solvability.result_table import FIRST_STEP, RESULT_APPEARANCE, answer_text
from studio.widgets.controls import Button, Label, divider


class _Icon(QWidget):
    """The icon of a result; follows the colour scheme."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setFixedSize(16, 18)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        theme.draw_icon_in(painter_of(self), self._name, QRect(0, 0, 16, 18), 14)


class TrialDetailsPanel(SideColumn):
    """Shows the trials of the chosen cell."""

    opened = Signal(object)
    """The person asks for the golden trajectory at the step that a trial is about."""
    run_opened = Signal(object)
    """The person asks for the run that a trial left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trials: list[SolvabilityTrial] = []
        self.setAccessibleName(_("How the trial ended"))
        self.show_trials("", "", (), "")

    @property
    def trials(self) -> tuple[SolvabilityTrial, ...]:
        """The trials on show."""
        return tuple(self._trials)

    def show_trials(
        self, task: str, anomaly: str, trials: Sequence[SolvabilityTrial], otherwise: str
    ) -> None:
        """Show the trials of a cell; ``otherwise`` is the text when there are none."""
        self._trials = list(trials)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(6)
        if task:
            column.addWidget(Label(f"{task}  ·  {anomaly}", "heading", cut=True))
        if not trials:
            column.addWidget(Label(otherwise, "body", "text-3", wrap=True))
        for number, trial in enumerate(trials):
            if number:
                column.addWidget(divider())
            self._add(column, number, trial)
        column.addStretch()
        self.setWidget(body)

    def _add(self, column: QVBoxLayout, number: int, trial: SolvabilityTrial) -> None:
        icon, tone = RESULT_APPEARANCE[trial.result]
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(_Icon(icon))
        head.addWidget(Label(result_words(trial), "name", tone), 1)
        head.addWidget(Label(_("{seconds} s", seconds=round(trial.seconds)), "caption", "text-3"))
        column.addLayout(head)
        for sentence in _sentences(trial):
            column.addWidget(Label(sentence, "body", "text-2", wrap=True))
        buttons = []
        if trial.run:
            buttons.append(Button(_("Open the run"), "review", "outlined", small=True))
            buttons[-1].clicked.connect(self._open_run)
        step = step_of(trial)
        if step is not None and trial.trajectory:
            words = _("Open at step {step}", step=step + FIRST_STEP)
            buttons.append(Button(words, "review", "outlined", small=True))
            buttons[-1].setToolTip(_("The golden trajectory, at the step that this is about"))
            buttons[-1].clicked.connect(self._open)
        if buttons:
            row = QHBoxLayout()
            row.setContentsMargins(0, 2, 0, 4)
            for button in buttons:
                button.setProperty("number", number)
                row.addWidget(button)
            row.addStretch()
            column.addLayout(row)

    @Slot()
    def _open(self) -> None:
        self.opened.emit(self._trials[int(self.sender().property("number"))])

    @Slot()
    def _open_run(self) -> None:
        self.run_opened.emit(self._trials[int(self.sender().property("number"))])


def step_of(trial: SolvabilityTrial) -> int | None:
    """Return the index of the step a trial stops at, or before which the anomaly was injected."""
    return trial.stops_at if trial.stops_at is not None else trial.met_at


def _sentences(trial: SolvabilityTrial) -> list[str]:
    """Return what is known of a trial, one sentence each."""
    sentences = []
    if trial.met_at is not None:
        sentences.append(_("Injected before step {step}", step=trial.met_at + FIRST_STEP))
    if trial.answer:
        sentences.append(_("The dialog was answered: {answer}", answer=answer_text(trial.answer)))
    if trial.ways:
        sentences.append(_("What it took: {ways}", ways=ways_words(trial)))
    elif trial.result is TrialResult.SOLVABLE:
        sentences.append(_("Nothing more was needed: every step was done as recorded"))
    # Expected and found come as one sentence, parted by semicolons.
    sentences += [part.strip() for part in trial.why.split("; ") if part.strip()]
    sentences += [_("Did not work: {what}", what=problem) for problem in trial.problems]
    return sentences
